extension Emitter {
    /// The enum of what may arrive: events for a client, requests for a server.
    func messageEnum(_ name: String, _ messages: [ProtocolMessage], of interface: ProtocolInterface) {
        writer.blank()
        writer.block("public enum \(name)") {
            for message in messages {
                document(message.documentation, notes: notes(message), arguments: message.arguments)
                let values = receivedParameters(message, of: interface)
                let head = "case \(SwiftName.escaped(message.name))"
                writer.list(values.isEmpty ? head : head + "(", values, values.isEmpty ? "" : ")")
            }
        }
    }

    /// The closure that gets them, and its end.
    func handler(_ property: String, _ type: String) {
        writer.blank()
        writer.line("public var \(property): ((\(type)) -> Void)?")
        writer.blank()
        writer.line("public override func dropHandler() { \(property) = nil }")
    }

    /// Calls the closure with what arrived.
    func handOver(_ property: String, _ message: ProtocolMessage, _ values: [String]) {
        let head = "\(property)(.\(SwiftName.escaped(message.name))"
        writer.list(values.isEmpty ? head : head + "(", values, values.isEmpty ? ")" : "))")
    }
}

extension ProtocolMessage {
    /// Whether it makes an object of an interface that it names itself.
    var creates: Bool { arguments.contains { $0.kind == .newID && $0.interface != nil } }
}
