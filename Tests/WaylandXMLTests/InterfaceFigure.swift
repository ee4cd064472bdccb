import CWaylandClient
import WaylandClient

@testable import WaylandXML

/// What counts on the wire of an interface, from wherever it is known.
struct InterfaceFigure: Equatable {
    struct Message: Equatable, CustomStringConvertible {
        var name: String
        var signature: String
        /// Of each letter's argument, the interface it is bound to.
        var interfaces: [String?]

        var since: Int { Int(signature.prefix { $0.isNumber }) ?? 1 }

        var description: String { "\(name)(\(signature); \(interfaces.map { $0 ?? "-" }.joined(separator: ",")))" }
    }

    var name: String
    var version: Int
    var requests: [Message]
    var events: [Message]

    /// From libwayland's notation, ours or its own.
    init(_ raw: UnsafePointer<wl_interface>) {
        name = String(cString: raw.pointee.name)
        version = Int(raw.pointee.version)
        requests = InterfaceFigure.messages(raw.pointee.methods, raw.pointee.method_count)
        events = InterfaceFigure.messages(raw.pointee.events, raw.pointee.event_count)
    }

    init(_ interface: ProtocolInterface) {
        name = interface.name
        version = Int(interface.version)
        requests = interface.requests.map(InterfaceFigure.message)
        events = interface.events.map(InterfaceFigure.message)
    }

    private static func messages(_ raw: UnsafePointer<wl_message>?, _ count: Int32) -> [Message] {
        (0..<Int(count)).map { index in
            let message = raw![index]
            let signature = String(cString: message.signature)
            let letters = signature.filter { $0.isLetter }.count
            return Message(
                name: String(cString: message.name), signature: signature,
                interfaces: (0..<letters).map { message.types[$0].map { String(cString: $0.pointee.name) } })
        }
    }

    private static func message(_ message: ProtocolMessage) -> Message {
        Message(
            name: message.name, signature: message.signature,
            interfaces: message.arguments.flatMap { argument in
                Array(repeating: argument.interface?.name, count: argument.letters.count)
            })
    }

    /// How this differs from an older or newer description of the same interface, as far as both go: in name, in the
    /// messages that both have, and in what only one has without being newer than the other.
    func differences(from other: InterfaceFigure) -> [String] {
        var found: [String] = []
        if name != other.name { found.append("name \(name), there \(other.name)") }
        for (kind, ours, theirs) in [("request", requests, other.requests), ("event", events, other.events)] {
            for (opcode, (a, b)) in zip(ours, theirs).enumerated() where a != b {
                found.append("\(kind) \(opcode): \(a), there \(b)")
            }
            for extra in ours.dropFirst(theirs.count) where extra.since <= other.version {
                found.append("\(kind) \(extra), there missing in version \(other.version)")
            }
            for missing in theirs.dropFirst(ours.count) where missing.since <= version {
                found.append("\(kind) \(missing) is missing, though this is version \(version)")
            }
        }
        return found
    }
}
