internal import CWaylandClient

/// One argument of a request on its way to the wire. Made by generated code.
@safe
public struct RequestArgument {
    // SAFETY: `value` may point at a string, an array or a proxy that the caller keeps alive until the request is sent.
    let value: wl_argument

    private init(_ value: wl_argument) { unsafe self.value = value }

    public static func int(_ value: Int32) -> RequestArgument { unsafe RequestArgument(wl_argument(i: value)) }

    public static func uint(_ value: UInt32) -> RequestArgument { unsafe RequestArgument(wl_argument(u: value)) }

    /// 24.8 fixed point, rounded to nearest; what does not fit is clamped to the ends of its range.
    public static func fixed(_ value: Double) -> RequestArgument {
        unsafe RequestArgument(wl_argument(f: Int32(wireFixed: value)))
    }

    /// The place of the object that the request creates.
    public static var newID: RequestArgument { unsafe RequestArgument(wl_argument(o: nil)) }

    /// An object that must exist: a destroyed one is refused before libwayland would abort the process.
    public static func object(_ proxy: Proxy) -> RequestArgument {
        guard let raw = unsafe proxy.raw else { return .missing }
        return unsafe RequestArgument(wl_argument(o: raw))
    }

    /// An object or null. A destroyed object is refused too: silence there would turn "this buffer" into "no buffer".
    public static func optionalObject(_ proxy: Proxy?) -> RequestArgument {
        guard let proxy else { return unsafe RequestArgument(wl_argument(o: nil)) }
        return .object(proxy)
    }

    /// A descriptor, which libwayland duplicates: the caller keeps and closes its own.
    public static func fd(_ descriptor: Int32) -> RequestArgument { unsafe RequestArgument(wl_argument(h: descriptor)) }

    static func string(_ pointer: UnsafePointer<CChar>?) -> RequestArgument {
        unsafe RequestArgument(wl_argument(s: pointer))
    }

    static func array(_ pointer: UnsafeMutablePointer<wl_array>) -> RequestArgument {
        unsafe RequestArgument(wl_argument(a: pointer))
    }

    /// No pointer to an object has this value; the sender refuses it.
    private static var missingMark: OpaquePointer? { unsafe OpaquePointer(bitPattern: 1) }
    private static var missing: RequestArgument { unsafe RequestArgument(wl_argument(o: missingMark)) }
    private static var tooLongMark: OpaquePointer? { unsafe OpaquePointer(bitPattern: 3) }

    /// A string or an array that no message holds.
    static var tooLong: RequestArgument { unsafe RequestArgument(wl_argument(o: tooLongMark)) }
}

extension RequestArgument {
    /// Why the argument may not be sent.
    var refusal: ConnectionError.Misuse? {
        let object = unsafe value.o
        if unsafe object == RequestArgument.missingMark { return .destroyedArgument }
        if unsafe object == RequestArgument.tooLongMark { return .tooLong }
        return nil
    }
}

/// Strings and arrays longer than this are refused: a message is at most 4096 bytes with its head and other arguments,
/// and libwayland up to 1.22 aborts the process on a longer one.
private let longestPayload = 3800

/// Calls `body` with `string` as an argument. It is cut at its first NUL: the wire carries C strings.
public func withWireString<R>(_ string: String, _ body: (RequestArgument) -> R) -> R {
    guard string.utf8.count <= longestPayload else { return body(.tooLong) }
    // SAFETY: the pointer lives until `body` returns, and the request is marshalled within it.
    return unsafe string.withCString { unsafe body(.string($0)) }
}

/// As ``withWireString(_:_:)-(String,_)``, null for nil.
public func withWireString<R>(_ string: String?, _ body: (RequestArgument) -> R) -> R {
    guard let string else { return unsafe body(.string(nil)) }
    return withWireString(string, body)
}

/// Calls `body` with `bytes` as an array argument.
public func withWireArray<R>(_ bytes: [UInt8], _ body: (RequestArgument) -> R) -> R {
    guard bytes.count <= longestPayload else { return body(.tooLong) }
    var copy = bytes
    // SAFETY: libwayland only reads the array while it marshals, within `body`.
    return unsafe copy.withUnsafeMutableBytes { buffer in
        var array = unsafe wl_array(size: buffer.count, alloc: 0, data: buffer.baseAddress)
        return unsafe withUnsafeMutablePointer(to: &array) { unsafe body(.array($0)) }
    }
}

extension Int32 {
    /// `value` as the wire's 24.8 fixed point, rounded to nearest and clamped to its range; 0 for NaN.
    package init(wireFixed value: Double) {
        let scaled = (value * 256).rounded()
        if scaled.isNaN {
            self = 0
        } else if scaled >= 2_147_483_647 {
            self = .max
        } else if scaled <= -2_147_483_648 {
            self = .min
        } else {
            self = Int32(scaled)
        }
    }
}
