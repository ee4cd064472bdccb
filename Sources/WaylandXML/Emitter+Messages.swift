extension Emitter {
    /// The enum of what may arrive: events for a client, requests for a server.
    func messageEnum(
        _ name: String, _ messages: [ProtocolMessage], type: (ProtocolArgument) -> String
    ) {
        writer.blank()
        writer.block("public enum \(name)") {
            for message in messages {
                document(message.documentation, notes: notes(message), arguments: message.arguments)
                let values = message.arguments.map { "\(SwiftName.escaped($0.name)): \(type($0))" }
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
}
