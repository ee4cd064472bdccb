internal import CLibc

/// A protocol error as the compositor stated it: fatal to the connection.
public struct ProtocolError: Error, Equatable, Sendable {
    /// The interface whose rule was broken; nil when the object was already gone.
    public var interface: String?
    public var objectID: UInt32
    /// One of that interface's error enum.
    public var code: UInt32
    /// The compositor's own words; empty when it sent none.
    public var text: String

    public init(interface: String?, objectID: UInt32, code: UInt32, text: String) {
        self.interface = interface
        self.objectID = objectID
        self.code = code
        self.text = text
    }
}

/// Why a connection could not be made or has ended.
public enum ConnectionError: Error, Equatable, Sendable {
    /// No compositor answers at `path`.
    case unreachable(path: String, errno: Int32)
    /// XDG_RUNTIME_DIR is unset and the display's name is no absolute path.
    case noRuntimeDirectory(display: String)
    /// WAYLAND_SOCKET is not the number of an open socket.
    case badSocketVariable(String)
    /// The compositor closed the connection or died.
    case closed(errno: Int32)
    /// The compositor has stopped reading, for longer than ``Connection/stallPatience``.
    case stalled
    /// ``Connection/disconnect()`` was called.
    case disconnected
    /// The compositor sent bytes that are no valid message; the text is libwayland's.
    case malformed(text: String)
    case protocolError(ProtocolError)
    /// The compositor lacks what cannot be done without; `offered` is nil when the global is absent altogether.
    case missingGlobal(interface: String, required: UInt32, offered: UInt32?)
    /// A request was made that no compositor could accept; it was not sent.
    case misuse(interface: String, opcode: UInt32, reason: Misuse)

    public enum Misuse: Equatable, Sendable {
        /// The object was bound at an older version than the request needs.
        case needsVersion(UInt32, bound: UInt32)
        /// An argument that must not be null is a destroyed object.
        case destroyedArgument
        /// The request's strings and arrays do not fit the wire's 4096-byte message.
        case tooLong
        /// A descriptor is not open, or the process has no more of them to pass it on.
        case badDescriptor(errno: Int32)
    }
}

extension ConnectionError: CustomStringConvertible {
    /// What failed and why, in one line without a final stop.
    public var description: String {
        switch self {
        case .unreachable(let path, let errno): "no compositor at \(path): \(errorText(errno))"
        case .noRuntimeDirectory(let display): "no compositor named \(display): XDG_RUNTIME_DIR is not set"
        case .badSocketVariable(let value): "WAYLAND_SOCKET is \"\(value)\", which is not an open socket"
        case .closed(let errno):
            errno == 0 ? "the compositor closed the connection" : "the compositor went away: \(errorText(errno))"
        case .stalled: "the compositor has stopped reading"
        case .disconnected: "the connection was ended"
        case .malformed(let text):
            text.isEmpty ? "the compositor sent an invalid message" : "the compositor sent an invalid message: \(text)"
        case .protocolError(let error):
            "protocol error \(error.code) on \(error.interface ?? "unknown object")#\(error.objectID)"
                + (error.text.isEmpty ? "" : ": \(oneLine(error.text))")
        case .missingGlobal(let interface, let required, let offered):
            if let offered {
                "the compositor has \(interface) only in version \(offered), version \(required) is needed"
            } else {
                "the compositor has no \(interface)"
            }
        case .misuse(let interface, let opcode, let reason):
            switch reason {
            case .needsVersion(let needed, let bound):
                "request \(opcode) of \(interface) needs version \(needed), bound is \(bound)"
            case .destroyedArgument: "request \(opcode) of \(interface) was given a destroyed object"
            case .tooLong: "request \(opcode) of \(interface) was given more than a message holds"
            case .badDescriptor(let errno):
                "request \(opcode) of \(interface) was given a bad descriptor: \(errorText(errno))"
            }
        }
    }
}

/// A compositor's words without line ends and control characters, which could deceive whoever reads the terminal.
private func oneLine(_ text: String) -> String {
    String(decoding: text.utf8.map { $0 < 0x20 || $0 == 0x7F ? 0x20 : $0 }, as: UTF8.self)
}

/// The C library's words for an error number.
func errorText(_ number: Int32) -> String {
    // SAFETY: strerror returns a NUL-terminated string, copied before any other call.
    guard let text = unsafe strerror(number) else { return "error \(number)" }
    return unsafe String(cString: text)
}
