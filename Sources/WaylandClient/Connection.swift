internal import CLibc
internal import CLinuxShims
internal import CWaylandClient

/// A connection to a compositor.
///
/// Used from one thread. Errors are latched: after the first, requests do nothing and every dispatch or flush throws it
/// again, so that requests themselves need not throw. Ends with ``disconnect()``.
@safe
public final class Connection {
    // SAFETY: libwayland's display, freed by `disconnect()` alone, which sets this to nil.
    private(set) var display: OpaquePointer?

    /// The error that ended the connection, once there is one.
    public internal(set) var failure: ConnectionError?

    /// The socket's path, when the connection was made by name.
    public let path: String?

    // SAFETY: head of the list of live objects; each is retained by its own user data while linked.
    private unowned(unsafe) var firstProxy: Proxy?

    /// How many objects are alive on this side, wl_display not counted.
    public private(set) var liveObjectCount = 0

    /// What wl_display's generated class keeps here, once asked for.
    private var displayObject: Proxy?

    // SAFETY: libwayland's arguments of the event that is being dispatched; nil outside.
    private var currentArguments: UnsafeMutablePointer<wl_argument>?
    private var currentDispatch: UInt64 = 0
    private var dispatchCount: UInt64 = 0

    init(display: OpaquePointer, path: String?) {
        unsafe self.display = display
        self.path = path
        ProtocolLog.install()
        ProtocolLog.clear()
    }

    deinit {
        // Objects keep their connection, so none is alive here.
        if let display = unsafe display { unsafe wl_display_disconnect(display) }
    }

    /// Connects as the environment says: WAYLAND_SOCKET, else WAYLAND_DISPLAY, else `wayland-0`.
    ///
    /// `name` overrides the environment: a socket's name in XDG_RUNTIME_DIR or an absolute path.
    /// WAYLAND_SOCKET is used up: it is removed from the environment, so that no child inherits it.
    public static func connect(to name: String? = nil) throws(ConnectionError) -> Connection {
        if name == nil, let variable = environment("WAYLAND_SOCKET") {
            guard let descriptor = Int32(variable), fw_set_cloexec(descriptor) == 0 else {
                throw .badSocketVariable(variable)
            }
            unsafe unsetenv("WAYLAND_SOCKET")
            return try Connection.connect(fileDescriptor: descriptor)
        }
        let display = name ?? environment("WAYLAND_DISPLAY") ?? "wayland-0"
        var path = display
        if display.utf8.first != UInt8(ascii: "/") {
            guard let folder = environment("XDG_RUNTIME_DIR"), !folder.isEmpty else {
                throw .noRuntimeDirectory(display: display)
            }
            path = folder + "/" + display
        }
        guard let raw = unsafe wl_display_connect(path) else {
            throw .unreachable(path: path, errno: fw_errno())
        }
        return unsafe Connection(display: raw, path: path)
    }

    /// Takes over a connected socket, and closes it when the connection ends or cannot be made.
    public static func connect(fileDescriptor: Int32) throws(ConnectionError) -> Connection {
        guard let raw = unsafe wl_display_connect_to_fd(fileDescriptor) else {
            throw .unreachable(path: "descriptor \(fileDescriptor)", errno: fw_errno())
        }
        return unsafe Connection(display: raw, path: nil)
    }

    /// Ends the connection and every object on it. Handlers are let go, so cycles through them are broken.
    public func disconnect() {
        guard let display = unsafe display else { return }
        while let proxy = unsafe firstProxy { proxy.discard() }
        displayObject = nil
        unsafe self.display = nil
        if failure == nil { failure = .closed(errno: 0) }
        unsafe wl_display_disconnect(display)
    }

    /// The socket, for polling. -1 after the end.
    public var fileDescriptor: Int32 {
        guard let display = unsafe display else { return -1 }
        return unsafe wl_display_get_fd(display)
    }

    /// wl_display as the generated class `type`, the same object each time. Called by generated code's companion.
    public func displayObject<T: WaylandObject>(_ type: T.Type, _ make: (ProxySeed) -> T) -> T {
        if let object = displayObject, object.interface == T.interface {
            // SAFETY: stored below, as a T.
            return unsafe unsafeDowncast(object, to: T.self)
        }
        let object = unsafe make(
            ProxySeed(raw: display, connection: self, interface: T.interface, version: 1, isDisplay: true))
        displayObject = object
        return object
    }

    // MARK: Objects

    func link(_ proxy: Proxy) {
        unsafe proxy.next = firstProxy
        if let first = unsafe firstProxy { unsafe first.previous = proxy }
        unsafe firstProxy = proxy
        liveObjectCount += 1
    }

    func unlink(_ proxy: Proxy) {
        if let previous = unsafe proxy.previous {
            unsafe previous.next = proxy.next
        } else {
            unsafe firstProxy = proxy.next
        }
        if let next = unsafe proxy.next { unsafe next.previous = proxy.previous }
        unsafe proxy.previous = nil
        unsafe proxy.next = nil
        liveObjectCount -= 1
    }

    // MARK: Events

    func deliver(
        _ opcode: UInt32, _ message: UnsafePointer<wl_message>, _ arguments: UnsafeMutablePointer<wl_argument>?,
        to proxy: Proxy
    ) {
        guard let arguments = unsafe arguments else { return }
        // A handler may dispatch again (a roundtrip); its events must not see this one's descriptors.
        let outerArguments = unsafe currentArguments
        let outerDispatch = currentDispatch
        dispatchCount += 1
        unsafe currentArguments = arguments
        currentDispatch = dispatchCount
        proxy.receive(
            opcode,
            unsafe EventArguments(
                values: arguments, connection: self, dispatch: dispatchCount, version: proxy.version))
        unsafe closeDescriptors(message, arguments)
        unsafe currentArguments = outerArguments
        currentDispatch = outerDispatch
    }

    func takeDescriptor(at index: Int, of dispatch: UInt64) -> Int32? {
        guard dispatch == currentDispatch, let arguments = unsafe currentArguments else { return nil }
        let descriptor = unsafe arguments[index].h
        guard descriptor >= 0 else { return nil }
        unsafe arguments[index].h = -1
        return descriptor
    }

    /// libwayland hands descriptors over with the event; those that nobody took would leak.
    private func closeDescriptors(
        _ message: UnsafePointer<wl_message>, _ arguments: UnsafeMutablePointer<wl_argument>
    ) {
        var letter = unsafe message.pointee.signature!
        var index = 0
        while unsafe letter.pointee != 0 {
            switch unsafe UInt8(bitPattern: letter.pointee) {
            case UInt8(ascii: "?"), UInt8(ascii: "0")...UInt8(ascii: "9"): break
            case UInt8(ascii: "h"):
                if unsafe arguments[index].h >= 0 {
                    unsafe _ = close(arguments[index].h)
                    unsafe arguments[index].h = -1
                }
                index += 1
            default: index += 1
            }
            unsafe letter += 1
        }
    }

    // MARK: Errors

    func refuse(_ proxy: Proxy, _ opcode: UInt32, _ reason: ConnectionError.Misuse) {
        if failure == nil { failure = .misuse(interface: proxy.interface.name, opcode: opcode, reason: reason) }
    }
}

/// An environment variable; nil when unset.
private func environment(_ name: String) -> String? {
    // SAFETY: the string is copied before anything may change the environment.
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
}
