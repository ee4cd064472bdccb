internal import CLibc
internal import CWaylandClient

/// A connection to a compositor.
///
/// Used from one thread. Errors are latched: after the first, requests do nothing and every dispatch or flush throws it
/// again, so that requests themselves need not throw. Ends with ``disconnect()``.
@safe
public final class Connection {
    // SAFETY: libwayland's display, nil from `disconnect()` on, which frees it or leaves that to the dispatch that runs.
    private(set) var raw: OpaquePointer?

    /// The error that ended the connection, once there is one.
    public internal(set) var failure: ConnectionError?

    /// The socket's path, when the connection was made by name.
    public let path: String?

    /// How long a request may wait, in ms, for a compositor that has stopped reading, once neither the socket nor
    /// libwayland's 4096 bytes before it take more. Then the connection fails with ``ConnectionError/stalled``.
    public var stallPatience: Int32 = 3000

    // SAFETY: head of the list of live objects; each is retained by its own user data while linked.
    private unowned(unsafe) var firstProxy: Proxy?

    /// How many objects are alive on this side, wl_display not counted.
    public private(set) var liveObjectCount = 0

    /// What wl_display's generated class keeps here, once asked for.
    private var displayObject: Proxy?

    /// Other libraries' objects on this connection are their owners' to end: called by ``disconnect()`` while libwayland's
    /// side still exists, and then let go.
    package var beforeDisconnect: [ObjectIdentifier: () -> Void] = [:]

    // SAFETY: libwayland's arguments of the event that is being dispatched; nil outside.
    private var currentArguments: UnsafeMutablePointer<wl_argument>?
    private var currentDispatch: UInt64 = 0
    private var dispatchCount: UInt64 = 0

    // How many dispatches are on the stack, one within the other's handler.
    private var dispatchDepth = 0
    // SAFETY: head of the list of ended objects that wait for the end of a dispatch; each is retained by its own user data.
    private unowned(unsafe) var firstEnded: Proxy?
    // SAFETY: set when a handler disconnects: libwayland is still at work in it, so the outermost dispatch frees it.
    private var displayInUse: OpaquePointer?

    // Upper bounds of what waits in libwayland's buffers. Requests of another library on this connection are not in them.
    private var unsentBytes = 0
    private var unsentDescriptors = 0
    /// The compositor no longer takes requests. Why, the next read may say; until then nothing is sent.
    var hasHungUp = false

    init(display: OpaquePointer, path: String?) {
        unsafe raw = display
        self.path = path
        ProtocolLog.install()
        ProtocolLog.clear()
    }

    deinit {
        // Objects keep their connection, so none is alive here.
        if let display = unsafe raw { unsafe Connection.endSocket(display) }
    }

    private static func endSocket(_ display: OpaquePointer) {
        // Somebody else may have the socket, too, such as a program that is just being forked: the end is told now all the same.
        unsafe shutdown(wl_display_get_fd(display), Int32(SHUT_RDWR))
        unsafe wl_display_disconnect(display)
    }

    /// Ends the connection and every object on it. Handlers are let go, so cycles through them are broken. Requests that
    /// were not flushed are lost. May be called in a handler: no further event is delivered, and the socket closes when
    /// the dispatch returns, which throws ``ConnectionError/disconnected``.
    public func disconnect() {
        guard unsafe raw != nil else { return }
        let endings = beforeDisconnect
        beforeDisconnect = [:]
        for ending in endings.values { ending() }
        // An ending may have disconnected itself.
        guard let display = unsafe raw else { return }
        if failure == nil { failure = .disconnected }
        unsafe raw = nil
        displayObject?.giveBack()
        displayObject = nil
        while let proxy = unsafe firstProxy { proxy.discard() }
        if dispatchDepth > 0 {
            unsafe displayInUse = display
        } else {
            unsafe Connection.endSocket(display)
        }
    }

    /// The socket, for polling. -1 after the end.
    public var fileDescriptor: Int32 {
        guard let display = unsafe raw else { return -1 }
        return unsafe wl_display_get_fd(display)
    }

    /// wl_display as the generated class `type`, the same object each time. Called by generated code's companion.
    public func displayObject<T: WaylandObject>(_ type: T.Type, _ make: (ProxySeed) -> T) -> T {
        if let object = displayObject, object.interface == T.interface {
            // SAFETY: stored below, as a T.
            return unsafe unsafeDowncast(object, to: T.self)
        }
        let object = unsafe make(
            ProxySeed(raw: raw, connection: self, interface: T.interface, version: 1, owner: .connection))
        if unsafe raw != nil { displayObject = object }
        return object
    }

    // MARK: Objects

    /// The objects that are alive on this side, the newest first; to find what was not destroyed.
    public var liveObjects: [Proxy] {
        var objects: [Proxy] = []
        var next = unsafe firstProxy
        while let proxy = next {
            objects.append(proxy)
            next = unsafe proxy.next
        }
        return objects
    }

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

    /// Whether libwayland's side of what ends now must outlive the dispatch that runs. Events that wait in the queue may
    /// name the object, or bring one of the compositor's making to it: libwayland 1.21 leaks both when it was freed.
    var isDispatching: Bool { dispatchDepth > 0 }

    func keep(_ ended: Proxy) {
        unsafe ended.next = firstEnded
        unsafe firstEnded = ended
    }

    // MARK: Events

    /// Delivers what waits in the queue; libwayland's count, or -1 and errno.
    func dispatchQueue(_ display: OpaquePointer) -> Int32 {
        dispatchDepth += 1
        let count = unsafe wl_display_dispatch_pending(display)
        let number = fw_errno()
        dispatchDepth -= 1
        // The queue is empty, also in a dispatch within a handler.
        while let ended = unsafe firstEnded {
            unsafe firstEnded = ended.next
            ended.free()
        }
        if dispatchDepth == 0, let display = unsafe displayInUse {
            unsafe displayInUse = nil
            unsafe Connection.endSocket(display)
        }
        if count < 0, failure == nil { failure = describe(number) }
        return count
    }

    func deliver(
        _ opcode: UInt32, _ message: UnsafePointer<wl_message>, _ arguments: UnsafeMutablePointer<wl_argument>?,
        to proxy: Proxy
    ) {
        guard let arguments = unsafe arguments else { return }
        guard proxy.isAlive else { return unsafe dropArguments(message, arguments, withNewObjects: true) }
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
        unsafe dropArguments(message, arguments, withNewObjects: false)
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

    /// libwayland hands descriptors over with the event; those that nobody took would leak. So would objects that the
    /// compositor made in an event for an object that has ended.
    private func dropArguments(
        _ message: UnsafePointer<wl_message>, _ arguments: UnsafeMutablePointer<wl_argument>, withNewObjects: Bool
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
            case UInt8(ascii: "n") where withNewObjects:
                if let raw = unsafe arguments[index].o { unsafe wl_proxy_destroy(raw) }
                index += 1
            default: index += 1
            }
            unsafe letter += 1
        }
    }

    // MARK: Requests

    /// Whether `bytes` and `descriptors` fit libwayland's buffers, which are emptied into the socket if they must be. Were
    /// that left to libwayland, one busy moment of the compositor would end the connection (in old versions the process),
    /// and the words of a compositor that has hung up would be lost.
    func makeRoom(bytes: Int, descriptors: Int) -> Bool {
        if unsentBytes + bytes > Connection.bufferSize || unsentDescriptors + descriptors > Connection.descriptorLimit {
            guard empty() else { return false }
        }
        unsentBytes += bytes
        unsentDescriptors += descriptors
        return true
    }

    func noteAllSent() {
        unsentBytes = 0
        unsentDescriptors = 0
    }

    @inline(never)
    private func empty() -> Bool {
        var deadline: Int64?
        while let display = unsafe raw {
            if unsafe wl_display_flush(display) >= 0 {
                noteAllSent()
                return true
            }
            let number = fw_errno()
            guard number == EAGAIN, unsafe wl_display_get_error(display) == 0 else {
                if number == EPIPE { hasHungUp = true } else { _ = fail(number) }
                return false
            }
            let now = monotonicMilliseconds()
            let end = deadline ?? now + Int64(stallPatience)
            deadline = end
            guard now < end else {
                _ = fail(EAGAIN)
                return false
            }
            var poll = unsafe pollfd(fd: wl_display_get_fd(display), events: Int16(POLLOUT), revents: 0)
            unsafe _ = CLibc.poll(&poll, 1, Int32(end - now))
        }
        return false
    }

    /// libwayland's buffer, and the most that one message may have.
    static let bufferSize = 4096
    /// The most descriptors that libwayland passes at a time.
    private static let descriptorLimit = 28

    // MARK: Errors

    func refuse(_ proxy: Proxy, _ opcode: UInt32, _ reason: ConnectionError.Misuse) {
        if failure == nil { failure = .misuse(interface: proxy.interface.name, opcode: opcode, reason: reason) }
    }
}

private func monotonicMilliseconds() -> Int64 {
    var now = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &now)
    return Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
}
