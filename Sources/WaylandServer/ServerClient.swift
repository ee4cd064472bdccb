internal import CLinuxShims
internal import CWaylandServer
internal import WaylandClient

/// One client of a ``Server``.
@safe
public final class ServerClient {
    // SAFETY: libwayland's client; its destroy listener sets this to nil before libwayland frees it.
    private(set) var raw: OpaquePointer?
    // SAFETY: read only while `raw` is set; a server ends all its clients before it goes.
    unowned(unsafe) let server: Server

    /// The process at the other end as the kernel names it; the server's own for a client in the same process.
    public let processID: Int32

    /// Called once when the client ends, before its objects do: ``resources`` are what it left behind.
    public var onEnd: (() -> Void)?

    private var table: [UInt32: Resource] = [:]
    private var listener: UnsafeMutablePointer<fw_listener>

    // SAFETY: libwayland's arguments of the request that is being dispatched; nil outside.
    private var currentArguments: UnsafeMutablePointer<wl_argument>?
    private var currentDispatch: UInt64 = 0
    private var dispatchCount: UInt64 = 0

    init(raw: OpaquePointer, server: Server) {
        unsafe self.raw = raw
        unsafe self.server = server
        var process: pid_t = 0
        unsafe wl_client_get_credentials(raw, &process, nil, nil)
        processID = process
        unsafe listener = .allocate(capacity: 1)
        // SAFETY: the server keeps this client until the listener has run, and the listener lives as long as the client.
        unsafe listener.initialize(
            to: fw_listener(listener: wl_listener(), owner: Unmanaged.passUnretained(self).toOpaque()))
        unsafe listener.pointee.listener.notify = clientEnded
        // SAFETY: the wl_listener is the struct's first member, so both have one address.
        unsafe wl_client_add_destroy_listener(
            raw, UnsafeMutableRawPointer(listener).assumingMemoryBound(to: wl_listener.self))
    }

    deinit { unsafe listener.deallocate() }

    /// False once the client has gone, or was ended.
    public var isAlive: Bool { unsafe raw != nil }

    /// The objects that are alive, in the order of their numbers; wl_display and wl_registry are libwayland's.
    public var resources: [Resource] { table.values.sorted { $0.objectID < $1.objectID } }

    /// The object with this number, if it is one of ours.
    public func resource(id: UInt32) -> Resource? { table[id] }

    /// Ends the client as a compositor does: its objects end and the socket closes. Within a handler it is put off until
    /// the handler's dispatch is over.
    public func kill() {
        guard let raw = unsafe raw else { return }
        if unsafe server.isDispatching { return unsafe server.killLater(self) }
        // libwayland sends what waits and closes the socket, which somebody else may have, too.
        unsafe wl_client_flush(raw)
        unsafe shutdown(wl_client_get_fd(raw), Int32(SHUT_RDWR))
        unsafe wl_client_destroy(raw)
    }

    /// Sends what waits for this client.
    public func flush() {
        guard let raw = unsafe raw else { return }
        unsafe wl_client_flush(raw)
    }

    /// Writes bytes that are no message of libwayland's into the socket, after what waits: a fault for the client.
    /// Returns whether all were written.
    @discardableResult
    public func write(rawBytes bytes: [UInt8]) -> Bool {
        guard let raw = unsafe raw else { return false }
        unsafe wl_client_flush(raw)
        let descriptor = unsafe wl_client_get_fd(raw)
        // SAFETY: the array outlives the call.
        return unsafe bytes.withUnsafeBytes {
            unsafe send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) == $0.count
        }
    }

    // MARK: Objects

    /// What an object with this number is made from; an inert one when the client has ended or refuses the number.
    /// `id` 0 takes the next of the server's numbers.
    func seed(_ interface: Interface, version: UInt32, id: UInt32) -> ResourceSeed {
        let resource = unsafe raw.flatMap { unsafe wl_resource_create($0, interface.raw, Int32(version), id) }
        return unsafe ResourceSeed(raw: resource, client: self, interface: interface, version: version)
    }

    func adopt(_ resource: Resource) { table[resource.objectID] = resource }

    func release(_ resource: Resource) { table[resource.objectID] = nil }

    func resource(_ raw: OpaquePointer) -> Resource? {
        guard let found = table[unsafe wl_resource_get_id(raw)], unsafe found.raw == raw else { return nil }
        return found
    }

    fileprivate func ended() {
        let onEnd = self.onEnd
        self.onEnd = nil
        onEnd?()
        unsafe raw = nil
        unsafe server.forget(self)
    }

    // MARK: Requests

    @safe
    struct DispatchToken {
        // SAFETY: put back by `finish`, while the outer dispatch is still on the stack.
        let outerArguments: UnsafeMutablePointer<wl_argument>?
        let outerDispatch: UInt64
        let dispatch: UInt64
    }

    func begin(_ arguments: UnsafeMutablePointer<wl_argument>) -> DispatchToken {
        dispatchCount += 1
        let token = unsafe DispatchToken(
            outerArguments: currentArguments, outerDispatch: currentDispatch, dispatch: dispatchCount)
        unsafe currentArguments = arguments
        currentDispatch = dispatchCount
        return token
    }

    func finish(_ token: DispatchToken) {
        unsafe currentArguments = token.outerArguments
        currentDispatch = token.outerDispatch
    }

    func takeDescriptor(at index: Int, of dispatch: UInt64) -> Int32? {
        guard dispatch == currentDispatch, let arguments = unsafe currentArguments else { return nil }
        let descriptor = unsafe arguments[index].h
        guard descriptor >= 0 else { return nil }
        unsafe arguments[index].h = -1
        return descriptor
    }
}

private func clientEnded(_ listener: UnsafeMutablePointer<wl_listener>?, _ data: UnsafeMutableRawPointer?) {
    guard let listener = unsafe listener else { return }
    // SAFETY: only ServerClient.init registers this function, on the first member of a fw_listener whose owner is that
    // client; the server retains it until `forget`.
    let owner = unsafe UnsafeMutableRawPointer(listener).assumingMemoryBound(to: fw_listener.self).pointee.owner!
    unsafe Unmanaged<ServerClient>.fromOpaque(owner).takeUnretainedValue().ended()
}
