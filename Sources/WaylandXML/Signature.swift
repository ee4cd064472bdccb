extension ProtocolArgument {
    /// Its letters in libwayland's notation: three for a new_id whose interface travels with the message.
    package var letters: String {
        switch kind {
        case .int: "i"
        case .uint: "u"
        case .fixed: "f"
        case .string: "s"
        case .array: "a"
        case .fd: "h"
        case .object: "o"
        case .newID: interface == nil ? "sun" : "n"
        }
    }
}

extension ProtocolMessage {
    /// libwayland's signature: an optional "since" number, `?` before what may be null, one letter an argument.
    package var signature: String {
        arguments.reduce(since > 1 ? "\(since)" : "") { $0 + ($1.mayBeNull ? "?" : "") + $1.letters }
    }
}
