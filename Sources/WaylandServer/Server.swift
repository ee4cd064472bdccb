internal import CLibc
internal import CWaylandServer
internal import WaylandClient

/// A Wayland display: globals, clients, sockets. Nothing happens but in ``dispatch(milliseconds:)``; used from one thread.
@safe
public final class Server {
    // SAFETY: libwayland's display, freed by `shutDown()` alone, which sets this to nil.
    private var display: OpaquePointer?
    // SAFETY: libwayland's, which it leaves to whoever added it: destroyed by `shutDown()` before the display.
    private var logger: OpaquePointer?
    // SAFETY: belongs to the display.
    private var created: UnsafeMutablePointer<fw_listener>

    /// The clients that are connected, in the order they came.
    public private(set) var clients: [ServerClient] = []
    /// Called for each client as it connects, before its first request.
    public var onClient: ((ServerClient) -> Void)?

    /// Called for every request before its handler and for every event as it is queued.
    public var onMessage: ((ServerMessage) -> Void)?
    /// Called for every fatal error that a client is sent.
    public var onError: ((PostedError) -> Void)?
    /// How many requests and events there were so far: unchanged over a turn in which nothing happened.
    public internal(set) var messageCount = 0

    private var globals: [ServerGlobal] = []
    private var doomed: [ServerClient] = []
    private(set) var isDispatching = false

    public enum Failure: Error, Equatable, Sendable {
        /// The socket's name, and what the system said.
        case socket(name: String, errno: Int32)
        case outOfMemory
    }

    public init() throws(Failure) {
        fw_server_log_install()
        unsafe fw_server_log_buffer()[0] = 0
        unsafe created = .allocate(capacity: 1)
        unsafe display = nil
        unsafe logger = nil
        guard let display = unsafe wl_display_create() else {
            unsafe created.deallocate()
            throw .outOfMemory
        }
        unsafe self.display = display
        unsafe logger = makeLogger(display)
        // SAFETY: shutDown, at the latest in deinit, destroys the display and with it the use of the listener.
        unsafe created.initialize(
            to: fw_listener(listener: wl_listener(), owner: Unmanaged.passUnretained(self).toOpaque()))
        unsafe created.pointee.listener.notify = clientCreated
        // SAFETY: the wl_listener is the struct's first member, so both have one address.
        unsafe wl_display_add_client_created_listener(
            display, UnsafeMutableRawPointer(created).assumingMemoryBound(to: wl_listener.self))
    }

    deinit {
        shutDown()
        unsafe created.deallocate()
    }

    /// Ends all clients, then the display. Handlers are let go first and not called for it; afterwards nothing does
    /// anything.
    public func shutDown() {
        guard let display = unsafe display else { return }
        precondition(!isDispatching, "Server.shutDown() within a request's handler")
        onClient = nil
        onMessage = nil
        onError = nil
        for client in clients {
            client.onEnd = nil
            for resource in client.resources {
                resource.onDestroy = nil
                resource.dropHandler()
            }
        }
        unsafe wl_display_destroy_clients(display)
        unsafe self.display = nil
        if let logger = unsafe logger { unsafe wl_protocol_logger_destroy(logger) }
        unsafe logger = nil
        unsafe wl_display_destroy(display)
        globals.removeAll()
    }

    public var isRunning: Bool { unsafe display != nil }

    // MARK: Clients

    /// Takes over a connected socket as a client; it is closed when the client ends, or at once when that fails.
    public func createClient(fileDescriptor: Int32) -> ServerClient? {
        guard let display = unsafe display, let raw = unsafe wl_client_create(display, fileDescriptor) else {
            _ = close(fileDescriptor)
            return nil
        }
        return unsafe client(raw)
    }

    /// A new client in this process: a pair of sockets, one end served, the other returned for the caller to connect to
    /// and to own; nil when the system has no more descriptors.
    public func connectClient() -> (client: ServerClient, fileDescriptor: Int32)? {
        var pair: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard unsafe socketpair(AF_UNIX, type, 0, &pair) == 0 else { return nil }
        guard let client = createClient(fileDescriptor: pair[0]) else {
            _ = close(pair[1])
            return nil
        }
        return (client, pair[1])
    }

    /// Listens on a socket of this name in XDG_RUNTIME_DIR.
    public func listen(name: String) throws(Failure) {
        guard let display = unsafe display else { return }
        // libwayland removes whatever has the name.
        var status = stat()
        // SAFETY: the variable's text is copied before anything may change it.
        let folder = unsafe getenv("XDG_RUNTIME_DIR").map { unsafe String(cString: $0) + "/" } ?? ""
        let path = name.hasPrefix("/") ? name : folder + name
        if unsafe lstat(path, &status) == 0, status.st_mode & UInt32(S_IFMT) != UInt32(S_IFSOCK) {
            throw .socket(name: name, errno: EEXIST)
        }
        if unsafe wl_display_add_socket(display, name) != 0 {
            throw .socket(name: name, errno: fw_errno())
        }
    }

    /// Listens on the first free one of `wayland-1`, `wayland-2`, ... in XDG_RUNTIME_DIR, and returns its name.
    public func listen() throws(Failure) -> String {
        guard let display = unsafe display else { throw .socket(name: "", errno: EINVAL) }
        guard let name = unsafe wl_display_add_socket_auto(display) else {
            throw .socket(name: "wayland-N", errno: fw_errno())
        }
        return unsafe String(cString: name)
    }

    fileprivate func arrived(_ raw: OpaquePointer) {
        let client = unsafe ServerClient(raw: raw, server: self)
        clients.append(client)
        onClient?(client)
    }

    func client(_ raw: OpaquePointer) -> ServerClient? { clients.first { unsafe $0.raw == raw } }

    func forget(_ client: ServerClient) { clients.removeAll { $0 === client } }

    func killLater(_ client: ServerClient) {
        if !doomed.contains(where: { $0 === client }) { doomed.append(client) }
    }

    // MARK: Globals

    /// Offers a global; nil when the bindings know no such version. `onBind` gets each object a client binds, and its
    /// first events belong in there.
    @discardableResult
    public func addGlobal<T: ServerObject>(
        _ type: T.Type, version: UInt32, onBind: @escaping (T) -> Void
    ) -> ServerGlobal? {
        guard let display = unsafe display, version >= 1, version <= T.interface.version else { return nil }
        let global = unsafe ServerGlobal(server: self, display: display, interface: T.interface, version: version) {
            seed in
            let object = T(seed)
            if object.isAlive { onBind(object) }
        }
        guard let global else { return nil }
        globals.append(global)
        return global
    }

    // MARK: Turns

    /// A number that no event carried before.
    public func nextSerial() -> UInt32 {
        guard let display = unsafe display else { return 0 }
        return unsafe wl_display_next_serial(display)
    }

    /// Handles the requests that have come, waiting for the first at most `milliseconds` (-1: for ever, 0: not at all).
    public func dispatch(milliseconds: Int32 = 0) {
        guard let display = unsafe display, !isDispatching else { return }
        isDispatching = true
        unsafe _ = wl_event_loop_dispatch(wl_display_get_event_loop(display), milliseconds)
        isDispatching = false
        while let client = doomed.popLast() { client.kill() }
    }

    /// Sends the events that wait, as far as the sockets take them.
    public func flush() {
        guard let display = unsafe display else { return }
        unsafe wl_display_flush_clients(display)
    }

    /// Readable when ``dispatch(milliseconds:)`` has something to do: for polling. -1 after the end.
    public var fileDescriptor: Int32 {
        guard let display = unsafe display else { return -1 }
        return unsafe wl_event_loop_get_fd(wl_display_get_event_loop(display))
    }

    /// The newest line that libwayland-server logged on this thread, such as why it ended a client.
    public static var lastLogLine: String {
        // SAFETY: a thread-local array that the shim keeps NUL-terminated; copied here.
        var line = unsafe String(cString: fw_server_log_buffer())
        while line.utf8.last == UInt8(ascii: "\n") { line.removeLast() }
        return line
    }
}

private func clientCreated(_ listener: UnsafeMutablePointer<wl_listener>?, _ data: UnsafeMutableRawPointer?) {
    guard let listener = unsafe listener, let data = unsafe data else { return }
    // SAFETY: only Server.init registers this function, on the first member of a fw_listener whose owner is that server.
    let owner = unsafe UnsafeMutableRawPointer(listener).assumingMemoryBound(to: fw_listener.self).pointee.owner!
    unsafe Unmanaged<Server>.fromOpaque(owner).takeUnretainedValue().arrived(OpaquePointer(data))
}
