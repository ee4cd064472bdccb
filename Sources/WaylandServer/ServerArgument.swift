internal import CWaylandServer
internal import WaylandClient

/// One argument of an event on its way to the wire. Made by generated code.
@safe
public struct ServerArgument {
    // SAFETY: `value` may point at a string, an array or `resource`'s wl_resource, which the caller keeps alive until the
    // event is sent.
    let value: wl_argument
    private let kind: Kind
    private let resource: Resource?

    private enum Kind {
        case plain
        case object
        case tooLong
    }

    private init(_ value: wl_argument, _ kind: Kind = .plain, _ resource: Resource? = nil) {
        unsafe self.value = value
        self.kind = kind
        self.resource = resource
    }

    public static func int(_ value: Int32) -> ServerArgument { unsafe ServerArgument(wl_argument(i: value)) }

    public static func uint(_ value: UInt32) -> ServerArgument { unsafe ServerArgument(wl_argument(u: value)) }

    /// 24.8 fixed point, rounded to nearest; what does not fit is clamped to the ends of its range.
    public static func fixed(_ value: Double) -> ServerArgument {
        unsafe ServerArgument(wl_argument(f: Int32(wireFixed: value)))
    }

    /// A descriptor, which libwayland duplicates: the caller keeps and closes its own.
    public static func fd(_ descriptor: Int32) -> ServerArgument { unsafe ServerArgument(wl_argument(h: descriptor)) }

    public static func object(_ resource: Resource) -> ServerArgument {
        unsafe ServerArgument(wl_argument(o: resource.raw), .object, resource)
    }

    public static func optionalObject(_ resource: Resource?) -> ServerArgument {
        guard let resource else { return unsafe ServerArgument(wl_argument(o: nil)) }
        return .object(resource)
    }

    /// An object that the event introduces, from ``Resource/newObject(_:since:)``.
    public static func newID(_ resource: Resource) -> ServerArgument { .object(resource) }

    static func string(_ pointer: UnsafePointer<CChar>?) -> ServerArgument {
        unsafe ServerArgument(wl_argument(s: pointer))
    }

    static func array(_ pointer: UnsafeMutablePointer<wl_array>) -> ServerArgument {
        unsafe ServerArgument(wl_argument(a: pointer))
    }

    static var tooLong: ServerArgument { unsafe ServerArgument(wl_argument(u: 0), .tooLong) }

    func maySend(to client: ServerClient) -> Bool {
        switch kind {
        case .plain: true
        case .tooLong: false
        case .object: resource.map { $0.isAlive && $0.client === client } ?? false
        }
    }
}

/// Strings and arrays longer than this are refused: a message is at most 4096 bytes with its head and other arguments.
private let longestPayload = 3800

/// Calls `body` with `string` as an argument. It is cut at its first NUL: the wire carries C strings.
public func withServerString<R>(_ string: String, _ body: (ServerArgument) -> R) -> R {
    guard string.utf8.count <= longestPayload else { return body(.tooLong) }
    // SAFETY: the pointer lives until `body` returns, and the event is marshalled within it.
    return unsafe string.withCString { unsafe body(.string($0)) }
}

/// As ``withServerString(_:_:)-(String,_)``, null for nil.
public func withServerString<R>(_ string: String?, _ body: (ServerArgument) -> R) -> R {
    guard let string else { return unsafe body(.string(nil)) }
    return withServerString(string, body)
}

/// Calls `body` with `bytes` as an array argument.
public func withServerArray<R>(_ bytes: [UInt8], _ body: (ServerArgument) -> R) -> R {
    guard bytes.count <= longestPayload else { return body(.tooLong) }
    var copy = bytes
    // SAFETY: libwayland only reads the array while it marshals, within `body`.
    return unsafe copy.withUnsafeMutableBytes { buffer in
        var array = unsafe wl_array(size: buffer.count, alloc: 0, data: buffer.baseAddress)
        return unsafe withUnsafeMutablePointer(to: &array) { unsafe body(.array($0)) }
    }
}
