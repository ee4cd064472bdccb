internal import CLibc
internal import CWaylandClient

/// The bytes of an array argument, copied out of the message.
public struct WireArray: Equatable, Sendable {
    public let bytes: [UInt8]

    public init(bytes: [UInt8] = []) { self.bytes = bytes }

    /// The array as 32-bit numbers in the machine's order, as most protocols use it; an incomplete last one is dropped.
    public var words: [UInt32] {
        var words: [UInt32] = []
        words.reserveCapacity(bytes.count / 4)
        var place = 0
        while place + 4 <= bytes.count {
            // Both ends of a Wayland socket run on one machine: its byte order is the wire's.
            var word: UInt32 = 0
            for index in 0..<4 {
                #if _endian(little)
                    word |= UInt32(bytes[place + index]) << UInt32(8 * index)
                #else
                    word |= UInt32(bytes[place + index]) << UInt32(8 * (3 - index))
                #endif
            }
            words.append(word)
            place += 4
        }
        return words
    }
}

/// A descriptor that came with an event. It is closed when the handler returns, unless the handler took it.
public struct ReceivedFD {
    let connection: Connection
    let dispatch: UInt64
    let index: Int

    /// The descriptor, which the caller now owns and must close; nil when it was taken before or the handler is over.
    public func take() -> Int32? { connection.takeDescriptor(at: index, of: dispatch) }
}

/// The arguments of one event, valid while it is dispatched. Read by generated code.
@safe
public struct EventArguments {
    // SAFETY: libwayland's closure, alive until the dispatcher returns; this struct never leaves the dispatcher's stack.
    let values: UnsafeMutablePointer<wl_argument>
    let connection: Connection
    let dispatch: UInt64
    let version: UInt32

    public func int(_ index: Int) -> Int32 { unsafe values[index].i }

    public func uint(_ index: Int) -> UInt32 { unsafe values[index].u }

    /// 24.8 fixed point; every value is exact in a Double.
    public func fixed(_ index: Int) -> Double { unsafe Double(values[index].f) / 256 }

    /// A string that the protocol says is never null (libwayland refuses a null one); invalid UTF-8 is repaired.
    public func string(_ index: Int) -> String { optionalString(index) ?? "" }

    public func optionalString(_ index: Int) -> String? {
        guard let pointer = unsafe values[index].s else { return nil }
        return unsafe String(cString: pointer)
    }

    public func array(_ index: Int) -> WireArray {
        guard let array = unsafe values[index].a, let data = unsafe array.pointee.data else { return WireArray() }
        return unsafe WireArray(bytes: Array(UnsafeRawBufferPointer(start: data, count: array.pointee.size)))
    }

    public func fd(_ index: Int) -> ReceivedFD {
        ReceivedFD(connection: connection, dispatch: dispatch, index: index)
    }

    /// The object, or nil: null on the wire, destroyed by us meanwhile, or made by another library on this connection.
    public func object<T: WaylandObject>(_ index: Int, _ type: T.Type) -> T? {
        guard let raw = unsafe values[index].o, let proxy = unsafe Proxy.ours(raw) else { return nil }
        guard proxy.interface == T.interface else { return nil }
        // SAFETY: every object of ours with T's table was made by T's init.
        return unsafe unsafeDowncast(proxy, to: T.self)
    }

    /// The object of any interface.
    public func anyObject(_ index: Int) -> Proxy? {
        guard let raw = unsafe values[index].o else { return nil }
        return unsafe Proxy.ours(raw)
    }

    /// The object that the server created with this event.
    public func newObject<T: WaylandObject>(_ index: Int, _ type: T.Type) -> T {
        unsafe T(
            ProxySeed(raw: values[index].o, connection: connection, interface: T.interface, version: version))
    }
}
