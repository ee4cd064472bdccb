internal import CLibc
internal import CLinuxShims
internal import CWaylandClient

/// One argument of a request on its way to the wire. Made by generated code.
@safe
public struct RequestArgument {
    // SAFETY: `value` may point at a string, an array or a proxy that the caller keeps alive until the request is sent.
    let value: wl_argument
    // Beside the value and not in it: every 32-bit pattern is some valid number.
    let state: State
    /// The bytes that follow the argument's word in the message.
    let payload: UInt16

    enum State: UInt8 {
        case valid
        case descriptor
        case destroyed
        case tooLong
    }

    private init(_ value: wl_argument, _ state: State = .valid, payload: Int = 0) {
        unsafe self.value = value
        self.state = state
        // Padded to whole words.
        self.payload = UInt16(truncatingIfNeeded: (payload + 3) & ~3)
    }

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
    public static func fd(_ descriptor: Int32) -> RequestArgument {
        unsafe RequestArgument(wl_argument(h: descriptor), .descriptor)
    }

    static var noString: RequestArgument { unsafe RequestArgument(wl_argument(s: nil)) }

    /// `length` counts the NUL at the end.
    static func string(_ pointer: UnsafePointer<CChar>, length: Int) -> RequestArgument {
        unsafe RequestArgument(wl_argument(s: pointer), payload: length)
    }

    static func array(_ pointer: UnsafeMutablePointer<wl_array>) -> RequestArgument {
        unsafe RequestArgument(wl_argument(a: pointer), payload: pointer.pointee.size)
    }

    private static var missing: RequestArgument { unsafe RequestArgument(wl_argument(o: nil), .destroyed) }

    /// A string or an array that no message holds.
    static var tooLong: RequestArgument { unsafe RequestArgument(wl_argument(o: nil), .tooLong) }

    /// Why the argument may not be sent.
    var refusal: ConnectionError.Misuse? {
        switch state {
        case .valid: nil
        case .descriptor:
            // libwayland duplicates it, and takes a failure of that for the connection's end.
            unsafe value.h < 0 ? .badDescriptor(errno: EBADF) : RequestArgument.refusal(ofDescriptor: value.h)
        case .destroyed: .destroyedArgument
        case .tooLong: .tooLong
        }
    }

    @inline(never)
    private static func refusal(ofDescriptor descriptor: Int32) -> ConnectionError.Misuse? {
        let copy = fw_dup_cloexec(descriptor)
        guard copy >= 0 else { return .badDescriptor(errno: fw_errno()) }
        close(copy)
        return nil
    }
}

/// Calls `body` with `string` as an argument. It is cut at its first NUL: the wire carries C strings.
public func withWireString<R>(_ string: String, _ body: (RequestArgument) -> R) -> R {
    let length = string.utf8.count + 1
    guard length <= Connection.bufferSize else { return body(.tooLong) }
    // SAFETY: the pointer lives until `body` returns, and the request is marshalled within it.
    return unsafe string.withCString { unsafe body(.string($0, length: length)) }
}

/// As ``withWireString(_:_:)-(String,_)``, null for nil.
public func withWireString<R>(_ string: String?, _ body: (RequestArgument) -> R) -> R {
    guard let string else { return body(.noString) }
    return withWireString(string, body)
}

/// Calls `body` with `bytes` as an array argument.
public func withWireArray<R>(_ bytes: [UInt8], _ body: (RequestArgument) -> R) -> R {
    guard bytes.count <= Connection.bufferSize else { return body(.tooLong) }
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
