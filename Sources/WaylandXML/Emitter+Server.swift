extension Emitter {
    func serverClass(_ interface: ProtocolInterface) {
        writer.blank()
        document(interface.documentation)
        writer.block("public final class \(SwiftName.resource(interface.name)): Resource, ServerObject") {
            writer.line("public static var interface: Interface { \(SwiftName.type(interface.name)).interface }")
            if !interface.requests.isEmpty { serverRequests(of: interface) }
            for (opcode, event) in interface.events.enumerated() { serverEvent(event, opcode, of: interface) }
        }
    }

    // MARK: Requests

    private func serverRequests(of interface: ProtocolInterface) {
        messageEnum("Request", interface.requests, of: interface)
        handler("onRequest", "Request")
        writer.blank()
        // A request that ends or makes an object does so whether or not anybody listens.
        let needsAll = interface.requests.contains { $0.isDestructor || $0.creates }
        writer.block("public override func receive(_ opcode: UInt32, _ arguments: RequestArguments)") {
            if !needsAll { writer.line("guard let onRequest else { return }") }
            writer.line("switch opcode {")
            for (opcode, request) in interface.requests.enumerated() {
                writer.line("case \(opcode):")
                writer.indented { serverRequest(request, of: interface, isGuarded: !needsAll) }
            }
            writer.line("default: break")
            writer.line("}")
        }
    }

    private func serverRequest(_ request: ProtocolMessage, of interface: ProtocolInterface, isGuarded: Bool) {
        var created: String?
        if let index = request.arguments.firstIndex(where: { $0.kind == .newID }),
            let reference = request.arguments[index].interface
        {
            created = "created"
            writer.line("let created = arguments.newObject(\(index), \(objectType(reference)).self)")
        }
        handOver(
            isGuarded ? "onRequest" : "onRequest?", request, receivedValues(request, of: interface, created: created))
        if request.isDestructor { writer.line("destroy()") }
    }

    // MARK: Events

    private func serverEvent(_ event: ProtocolMessage, _ opcode: Int, of interface: ProtocolInterface) {
        let plan = SendPlan(event, of: interface, self)
        let facts = "\(opcode), since: \(event.since)"
        let created = event.arguments.first { $0.kind == .newID }.map { objectType($0.interface) }
        writer.blank()
        document(event.documentation, notes: notes(event), arguments: event.arguments)
        writer.line("@discardableResult")
        writer.list(
            "public func send\(SwiftName.capitalised(event.name))(", plan.parameters,
            ") -> \(created.map { "\($0)?" } ?? "Bool") {")
        writer.indented {
            if let created {
                writer.line("guard let created = newObject(\(created).self, since: \(event.since)) else { return nil }")
                plan.write("send", facts, prefix: "let isSent = ", to: writer)
                writer.line("guard isSent else {")
                writer.indented {
                    writer.line("created.destroy()")
                    writer.line("return nil")
                }
                writer.line("}")
                if event.isDestructor { writer.line("destroy()") }
                writer.line("return created")
            } else if event.isDestructor {
                plan.write("send", facts, prefix: "let isSent = ", to: writer)
                writer.line("if isSent { destroy() }")
                writer.line("return isSent")
            } else {
                plan.write("send", facts, to: writer)
            }
        }
        writer.line("}")
    }
}
