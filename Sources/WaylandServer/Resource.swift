internal import CLinuxShims
internal import CWaylandClient
internal import CWaylandServer
public import WaylandClient

/// What generated initialisers pass to ``Resource``.
@safe
public struct ResourceSeed {
    // SAFETY: a wl_resource that nobody else has set up; nil for an object that could not be made.
    let raw: OpaquePointer?
    let client: ServerClient
    let interface: Interface
    let version: UInt32
}

/// A generated class: the server's side of one interface.
public protocol ServerObject: Resource {
    static var interface: Interface { get }
    init(_ seed: ResourceSeed)
}

/// The server's side of a Wayland object.
///
/// The object lives from its creation until either side destroys it or its client ends, whether or not anybody keeps a
/// reference: the client's ``ServerClient/resources`` keep it. Afterwards it is inert: events are not sent, and say so.
/// Not safe to share between threads.
@safe
open class Resource {
    // SAFETY: libwayland's resource; `end()`, which libwayland calls as it frees it, sets this to nil.
    final private(set) var raw: OpaquePointer?
    public final let client: ServerClient
    public final let interface: Interface
    /// The version that the client bound, or that of the object it came from.
    public final let version: UInt32
    /// The number on the wire; kept after the end, when another object may have it.
    public final let objectID: UInt32
    /// Called once, when the object ends by whichever way. Events for it are no longer sent.
    public final var onDestroy: (() -> Void)?

    public init(_ seed: ResourceSeed) {
        unsafe raw = seed.raw
        client = seed.client
        interface = seed.interface
        version = seed.version
        objectID = unsafe seed.raw.map { unsafe wl_resource_get_id($0) } ?? 0
        guard let raw = unsafe raw else { return }
        // SAFETY: the user data is not retained: the client's table retains self until `end()`.
        unsafe wl_resource_set_dispatcher(
            raw, dispatchRequest, Resource.mark, Unmanaged.passUnretained(self).toOpaque(), resourceEnded)
        client.adopt(self)
    }

    /// False once the object was destroyed or its client has ended.
    public final var isAlive: Bool { unsafe raw != nil }

    /// Decodes a request and hands it on. Overridden by generated code.
    open func receive(_ opcode: UInt32, _ arguments: RequestArguments) {}

    /// Lets go of the handler, and with it of what the handler captured. Overridden by generated code.
    open func dropHandler() {}

    /// Ends the object. The client may go on using it if it does not know: then only after a destructor.
    public final func destroy() {
        guard let raw = unsafe raw else { return }
        unsafe wl_resource_destroy(raw)
    }

    /// Ends the client with a protocol error about this object. `code` is of the interface's error enum; libwayland cuts
    /// `text` at 127 bytes.
    public final func postError(code: UInt32, _ text: String) {
        guard let raw = unsafe raw else { return }
        unsafe text.withCString { unsafe fw_resource_post_error(raw, code, $0) }
    }

    fileprivate final func end() {
        unsafe raw = nil
        client.release(self)
        let onDestroy = self.onDestroy
        self.onDestroy = nil
        onDestroy?()
        dropHandler()
    }

    // MARK: Events

    /// Sends an event. False, with nothing sent, when the object has ended, was bound at a version older than `since`, or
    /// an argument cannot be sent to this client: a destroyed or another client's object, or more than a message holds.
    @inlinable
    @discardableResult
    public final func send<let n: Int>(
        _ opcode: UInt32, since: UInt32, _ arguments: InlineArray<n, ServerArgument>
    ) -> Bool {
        unsafe arguments.span.withUnsafeBufferPointer { unsafe post(opcode, since: since, $0) }
    }

    @inlinable
    @discardableResult
    public final func send(_ opcode: UInt32, since: UInt32) -> Bool {
        unsafe post(opcode, since: since, UnsafeBufferPointer(start: nil, count: 0))
    }

    /// Makes an object, with an id of the server's, for an event that introduces it; nil when this object has ended or is
    /// older than `since`, for then the event could not be sent.
    public final func newObject<T: ServerObject>(_ type: T.Type, since: UInt32) -> T? {
        guard isAlive, version >= since else { return nil }
        let object = T(client.seed(T.interface, version: version, id: 0))
        return object.isAlive ? object : nil
    }

    @usableFromInline
    final func post(_ opcode: UInt32, since: UInt32, _ arguments: UnsafeBufferPointer<ServerArgument>) -> Bool {
        guard let raw = unsafe raw, version >= since else { return false }
        guard unsafe arguments.allSatisfy({ $0.maySend(to: client) }) else { return false }
        guard let base = arguments.baseAddress else {
            unsafe wl_resource_post_event_array(raw, opcode, nil)
            return true
        }
        // The arguments carry their resources beside the values: libwayland needs the values alone.
        unsafe withUnsafeTemporaryAllocation(of: wl_argument.self, capacity: arguments.count) { values in
            for index in 0..<arguments.count {
                unsafe (values.baseAddress! + index).initialize(to: (base + index).pointee.value)
            }
            unsafe wl_resource_post_event_array(raw, opcode, values.baseAddress)
        }
        return true
    }

    // MARK: Requests

    /// Tells our objects from libwayland's own.
    // SAFETY: one byte whose address is unique in the process; never read or freed.
    private nonisolated(unsafe) static let mark = UnsafeRawPointer(
        UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1))

    fileprivate final func deliver(
        _ opcode: UInt32, _ message: UnsafePointer<wl_message>, _ arguments: UnsafeMutablePointer<wl_argument>?
    ) {
        guard let arguments = unsafe arguments else { return }
        let token = unsafe client.begin(arguments)
        receive(opcode, unsafe RequestArguments(values: arguments, parent: self, dispatch: token.dispatch))
        unsafe closeDescriptors(message, arguments)
        client.finish(token)
    }
}

/// libwayland hands descriptors over with the request; those that nobody took would leak.
private func closeDescriptors(_ message: UnsafePointer<wl_message>, _ arguments: UnsafeMutablePointer<wl_argument>) {
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

/// libwayland's one way into the bindings.
private func dispatchRequest(
    _ implementation: UnsafeRawPointer?, _ target: UnsafeMutableRawPointer?, _ opcode: UInt32,
    _ message: UnsafePointer<wl_message>?, _ arguments: UnsafeMutablePointer<wl_argument>?
) -> Int32 {
    guard let target = unsafe target, let message = unsafe message else { return 0 }
    guard let data = unsafe wl_resource_get_user_data(OpaquePointer(target)) else { return 0 }
    // SAFETY: only Resource.init registers this function, with self as data; the client's table retains self while
    // libwayland's resource lives, and this reference keeps it through a handler that destroys it.
    let resource = unsafe Unmanaged<Resource>.fromOpaque(data).takeUnretainedValue()
    unsafe resource.deliver(opcode, message, arguments)
    return 0
}

private func resourceEnded(_ raw: OpaquePointer?) {
    guard let raw = unsafe raw, let data = unsafe wl_resource_get_user_data(raw) else { return }
    // SAFETY: as in dispatchRequest; libwayland calls this once, before it frees the resource.
    unsafe Unmanaged<Resource>.fromOpaque(data).takeUnretainedValue().end()
}
