internal import CWaylandClient
internal import CWaylandServer

/// One message as it is handled (a request) or queued (an event).
public struct ServerMessage {
    public let client: ServerClient
    /// True for a request of the client, false for an event of the server.
    public let isRequest: Bool
    public let interface: String
    public let objectID: UInt32
    /// The request's or event's name on the wire.
    public let name: String
}

/// A fatal error that was sent to a client, by our code or by libwayland itself.
public struct PostedError {
    public let client: ServerClient
    /// What it is about: `wl_display` when libwayland found the request itself to be broken.
    public let interface: String
    public let objectID: UInt32
    public let code: UInt32
    public let text: String
}

extension Server {
    /// Reports every message to `note`; nil when there is no memory for it. The caller destroys it.
    func makeLogger(_ display: OpaquePointer) -> OpaquePointer? {
        // SAFETY: shutDown, at the latest in deinit, destroys the logger: the server is not retained.
        unsafe wl_display_add_protocol_logger(display, logMessage, Unmanaged.passUnretained(self).toOpaque())
    }

    fileprivate func note(_ isRequest: Bool, _ message: wl_protocol_logger_message) {
        messageCount += 1
        guard let resource = unsafe message.resource, let owner = unsafe wl_resource_get_client(resource),
            let client = unsafe client(owner), let facts = unsafe message.message
        else { return }
        // SAFETY: names of tables, libwayland's or ours, are immortal C strings.
        let interface = unsafe String(cString: wl_resource_get_class(resource))
        if !isRequest, interface == "wl_display", unsafe message.message_opcode == 0, let onError {
            // SAFETY: wl_display.error's arguments are an object, a number and a string, alive during this call.
            let about = unsafe message.arguments[0].o
            let text = unsafe String(cString: message.arguments[2].s)
            unsafe onError(
                PostedError(
                    client: client, interface: about.map { unsafe String(cString: wl_resource_get_class($0)) } ?? "",
                    objectID: about.map { unsafe wl_resource_get_id($0) } ?? 0, code: message.arguments[1].u, text: text
                ))
        }
        guard let onMessage else { return }
        unsafe onMessage(
            ServerMessage(
                client: client, isRequest: isRequest, interface: interface, objectID: wl_resource_get_id(resource),
                name: String(cString: facts.pointee.name)))
    }
}

private func logMessage(
    _ data: UnsafeMutableRawPointer?, _ direction: wl_protocol_logger_type,
    _ message: UnsafePointer<wl_protocol_logger_message>?
) {
    guard let data = unsafe data, let message = unsafe message else { return }
    // SAFETY: only makeLogger registers this function, with the server as data.
    let server = unsafe Unmanaged<Server>.fromOpaque(data).takeUnretainedValue()
    unsafe server.note(direction == WL_PROTOCOL_LOGGER_REQUEST, message.pointee)
}
