internal import CWaylandClient

/// What generated initialisers pass to ``Proxy``.
@safe
public struct ProxySeed {
    let raw: OpaquePointer?
    let connection: Connection
    let interface: Interface
    let version: UInt32
    var owner = Proxy.Owner.bindings
}

/// A generated class: one interface of a protocol.
public protocol WaylandObject: Proxy {
    static var interface: Interface { get }
    init(_ seed: ProxySeed)
}

/// A client's side of a Wayland object.
///
/// The object lives from its creation until it is destroyed, whether or not anybody keeps a reference: the connection
/// keeps it. Afterwards, and after a fatal error, it is inert: requests do nothing, and what they would create is inert
/// too. Not safe to share between threads.
@safe
open class Proxy {
    // SAFETY: libwayland's proxy, nil once the object has ended. Its user data is an unbalanced retain of self, released
    // by `free()` with libwayland's side, or where a destructor request ends that.
    package final private(set) var raw: OpaquePointer?
    // SAFETY: libwayland's proxy of an ended object while the connection keeps it; see `Connection.isDispatching`.
    private final var kept: OpaquePointer?
    public final let connection: Connection
    public final let interface: Interface
    /// The version that was agreed when the object or its ancestor was bound.
    public final let version: UInt32

    /// Who ends libwayland's side of an object.
    enum Owner {
        case bindings
        /// wl_display: libwayland listens on it itself, and it ends with the connection.
        case connection
        /// Another library on the same connection, which listens on it and destroys it.
        case lender
    }

    private final let owner: Owner

    // SAFETY: links of the connection's list of live objects. A linked object is retained by its own user data, so its
    // neighbours' links never dangle.
    final unowned(unsafe) var previous: Proxy?
    final unowned(unsafe) var next: Proxy?

    public init(_ seed: ProxySeed) {
        unsafe raw = seed.raw
        connection = seed.connection
        interface = seed.interface
        version = seed.version
        owner = seed.owner
        guard let raw = unsafe raw, owner == .bindings else { return }
        unsafe wl_proxy_add_dispatcher(raw, dispatchEvent, Proxy.mark, Unmanaged.passRetained(self).toOpaque())
        connection.link(self)
    }

    /// False once the object was destroyed, by either side's rules, or its connection has ended.
    public final var isAlive: Bool { unsafe raw != nil }

    /// The number on the wire; 0 when no longer alive.
    public final var objectID: UInt32 {
        guard let raw = unsafe raw else { return 0 }
        return unsafe wl_proxy_get_id(raw)
    }

    /// Decodes an event and hands it on. Overridden by generated code.
    open func receive(_ opcode: UInt32, _ arguments: EventArguments) {}

    /// Lets go of the handler, and with it of what the handler captured. Overridden by generated code.
    open func dropHandler() {}

    /// Ends an object that the server made and nobody listens for. Overridden by generated code: by the interface's
    /// destructor where there is one; not at all where the interface announces objects in its turn.
    open func endUnheard() { discard() }

    /// Ends the client's side without a request, for interfaces that have no destructor. Events under way are dropped.
    public final func discard() {
        guard let raw = unsafe raw, owner == .bindings else { return }
        detach()
        unsafe end(raw, isFreed: false)
    }

    /// Makes the object inert; libwayland's side is the caller's, to be given to `end`.
    private final func detach() {
        connection.unlink(self)
        unsafe raw = nil
    }

    /// Lets go of all that the object had. `isFreed`: libwayland's side has ended with a destructor request.
    private final func end(_ raw: OpaquePointer, isFreed: Bool) {
        if isFreed {
            // Last, for what a handler captured may do anything at its end, even disconnect.
            dropHandler()
            unsafe Unmanaged.passUnretained(self).release()
        } else if connection.isDispatching {
            unsafe kept = raw
            connection.keep(self)
            dropHandler()
        } else {
            unsafe wl_proxy_destroy(raw)
            dropHandler()
            unsafe Unmanaged.passUnretained(self).release()
        }
    }

    /// Frees what the connection kept.
    final func free() {
        unsafe next = nil
        guard let raw = unsafe kept else { return }
        unsafe kept = nil
        unsafe wl_proxy_destroy(raw)
        unsafe Unmanaged.passUnretained(self).release()
    }

    /// The end of a loan or of a connection: whoever kept a reference holds an inert object.
    final func giveBack() { unsafe raw = nil }

    // MARK: Requests

    /// Sends a request. Refused, with an error that surfaces at the next dispatch, when it is newer than the object or
    /// an argument is a destroyed object.
    @inlinable
    public final func send<let n: Int>(_ opcode: UInt32, since: UInt32, _ arguments: InlineArray<n, RequestArgument>) {
        unsafe arguments.span.withUnsafeBufferPointer { unsafe marshal(opcode, since: since, $0, destroying: false) }
    }

    @inlinable
    public final func send(_ opcode: UInt32, since: UInt32) {
        unsafe marshal(opcode, since: since, UnsafeBufferPointer(start: nil, count: 0), destroying: false)
    }

    /// Sends a destructor and ends the object. When the object is older than the destructor, it is only ended here.
    @inlinable
    public final func sendDestructor<let n: Int>(
        _ opcode: UInt32, since: UInt32, _ arguments: InlineArray<n, RequestArgument>
    ) {
        unsafe arguments.span.withUnsafeBufferPointer { unsafe marshal(opcode, since: since, $0, destroying: true) }
    }

    @inlinable
    public final func sendDestructor(_ opcode: UInt32, since: UInt32) {
        unsafe marshal(opcode, since: since, UnsafeBufferPointer(start: nil, count: 0), destroying: true)
    }

    /// Sends a request that creates an object. `version` is the new object's, its parent's by default.
    @inlinable
    public final func create<T: WaylandObject, let n: Int>(
        _ type: T.Type, _ opcode: UInt32, since: UInt32, version: UInt32? = nil,
        _ arguments: InlineArray<n, RequestArgument>
    ) -> T {
        let version = version ?? self.version
        return unsafe arguments.span.withUnsafeBufferPointer {
            unsafe T(seed(T.interface, version: version, opcode, since: since, $0, destroying: false))
        }
    }

    /// Sends a destructor that creates an object, and ends this one. When this one is older than the destructor, it is
    /// only ended here, and what is returned is inert.
    @inlinable
    public final func createDestroying<T: WaylandObject, let n: Int>(
        _ type: T.Type, _ opcode: UInt32, since: UInt32, version: UInt32? = nil,
        _ arguments: InlineArray<n, RequestArgument>
    ) -> T {
        let version = version ?? self.version
        return unsafe arguments.span.withUnsafeBufferPointer {
            unsafe T(seed(T.interface, version: version, opcode, since: since, $0, destroying: true))
        }
    }

    @usableFromInline
    final func marshal(
        _ opcode: UInt32, since: UInt32, _ arguments: UnsafeBufferPointer<RequestArgument>, destroying: Bool
    ) {
        guard let raw = unsafe raw else { return }
        if destroying {
            guard owner == .bindings else { return }
            guard version >= since, unsafe maySend(opcode, since: since, arguments) else { return discard() }
            detach()
            let isFreed = !connection.isDispatching
            unsafe withArguments(arguments) {
                unsafe _ = wl_proxy_marshal_array_flags(
                    raw, opcode, nil, wl_proxy_get_version(raw), isFreed ? UInt32(WL_MARSHAL_FLAG_DESTROY) : 0, $0)
            }
            unsafe end(raw, isFreed: isFreed)
        } else {
            guard unsafe maySend(opcode, since: since, arguments) else { return }
            unsafe withArguments(arguments) {
                unsafe _ = wl_proxy_marshal_array_flags(raw, opcode, nil, wl_proxy_get_version(raw), 0, $0)
            }
        }
    }

    @usableFromInline
    final func seed(
        _ interface: Interface, version: UInt32, _ opcode: UInt32, since: UInt32,
        _ arguments: UnsafeBufferPointer<RequestArgument>, destroying: Bool
    ) -> ProxySeed {
        var created: OpaquePointer?
        if let raw = unsafe raw, owner == .bindings || !destroying {
            let isAllowed = unsafe maySend(opcode, since: since, arguments)
            let isFreed = destroying && isAllowed && !connection.isDispatching
            if destroying { detach() }
            if isAllowed {
                let flags = isFreed ? UInt32(WL_MARSHAL_FLAG_DESTROY) : 0
                unsafe withArguments(arguments) {
                    unsafe created = wl_proxy_marshal_array_flags(raw, opcode, interface.raw, version, flags, $0)
                }
            }
            if destroying { unsafe end(raw, isFreed: isFreed) }
        }
        return unsafe ProxySeed(raw: created, connection: connection, interface: interface, version: version)
    }

    private final func maySend(
        _ opcode: UInt32, since: UInt32, _ arguments: UnsafeBufferPointer<RequestArgument>
    ) -> Bool {
        guard connection.failure == nil, !connection.hasHungUp else { return false }
        guard version >= since else {
            connection.refuse(self, opcode, .needsVersion(since, bound: version))
            return false
        }
        // The head, then a word for each argument but descriptors, then what strings and arrays hold.
        var bytes = 8
        var descriptors = 0
        for index in 0..<arguments.count {
            let argument = unsafe arguments[index]
            if argument.state == .valid {
                bytes += 4 + Int(argument.payload)
                continue
            }
            if let reason = argument.refusal {
                connection.refuse(self, opcode, reason)
                return false
            }
            descriptors += 1
        }
        guard bytes <= Connection.bufferSize else {
            connection.refuse(self, opcode, .tooLong)
            return false
        }
        return connection.makeRoom(bytes: bytes, descriptors: descriptors)
    }

    private final func withArguments(
        _ arguments: UnsafeBufferPointer<RequestArgument>, _ body: (UnsafeMutablePointer<wl_argument>?) -> Void
    ) {
        guard let base = arguments.baseAddress else { return body(nil) }
        // libwayland wants the values alone.
        unsafe withUnsafeTemporaryAllocation(of: wl_argument.self, capacity: arguments.count) { values in
            for index in 0..<arguments.count {
                unsafe (values.baseAddress! + index).initialize(to: (base + index).pointee.value)
            }
            unsafe body(values.baseAddress)
        }
    }

    // MARK: Events

    /// Tells our objects from those that another library made on the same connection.
    // SAFETY: one byte whose address is unique in the process; never read or freed.
    private nonisolated(unsafe) static let mark = UnsafeRawPointer(
        UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1))

    /// The object that belongs to libwayland's proxy, when it is one of ours.
    static func ours(_ raw: OpaquePointer) -> Proxy? {
        guard unsafe wl_proxy_get_listener(raw) == Proxy.mark, let data = unsafe wl_proxy_get_user_data(raw) else {
            return nil
        }
        // SAFETY: the mark says that init stored a retained Proxy there, and it is alive while libwayland's is.
        let proxy = unsafe Unmanaged<Proxy>.fromOpaque(data).takeUnretainedValue()
        return proxy.isAlive ? proxy : nil
    }
}

/// libwayland's one way into the bindings.
private func dispatchEvent(
    _ implementation: UnsafeRawPointer?, _ target: UnsafeMutableRawPointer?, _ opcode: UInt32,
    _ message: UnsafePointer<wl_message>?, _ arguments: UnsafeMutablePointer<wl_argument>?
) -> Int32 {
    guard let target = unsafe target, let message = unsafe message else { return 0 }
    let raw = OpaquePointer(target)
    guard let data = unsafe wl_proxy_get_user_data(raw) else { return 0 }
    // SAFETY: only Proxy.init registers this function, with a retained self as data.
    let proxy = unsafe Unmanaged<Proxy>.fromOpaque(data).takeUnretainedValue()
    unsafe proxy.connection.deliver(opcode, message, arguments, to: proxy)
    return 0
}

extension WaylandObject {
    /// Calls `body` with an object that another library made on `connection`, such as a cursor's wl_buffer, to be an
    /// argument of requests. It takes no events, is not counted as alive, is never destroyed from here, and is inert
    /// once `body` returns. It is inert from the start when libwayland says that `raw` is of another interface.
    ///
    /// `raw` must be alive until `body` returns.
    package static func withBorrowed<R>(
        _ raw: OpaquePointer, of connection: Connection, _ body: (Self) -> R
    ) -> R {
        // SAFETY: the caller keeps `raw` alive; libwayland's names of interfaces are immortal.
        let name = unsafe String(cString: wl_proxy_get_class(raw))
        let object = unsafe Self(
            ProxySeed(
                raw: name == interface.name ? raw : nil, connection: connection, interface: interface,
                version: wl_proxy_get_version(raw), owner: .lender))
        defer { object.giveBack() }
        return body(object)
    }
}
