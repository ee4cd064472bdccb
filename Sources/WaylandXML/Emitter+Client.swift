extension Emitter {
    func clientClass(_ interface: ProtocolInterface) {
        guard let index = universe.place(of: interface.name)?.index else { return }
        writer.blank()
        document(interface.documentation)
        writer.block("public final class \(SwiftName.type(interface.name)): Proxy, WaylandObject") {
            writer.line("public static var interface: Interface { \(tables).all[\(index)] }")
            sinceConstants(interface)
            for enumeration in interface.enums { wireEnum(enumeration) }
            // libwayland-client handles wl_display's events itself.
            if interface.name != "wl_display", !interface.events.isEmpty { clientEvents(of: interface) }
            endUnheard(interface)
            for (opcode, request) in interface.requests.enumerated() { clientRequest(request, opcode, of: interface) }
        }
    }

    // MARK: Events

    private func clientEvents(of interface: ProtocolInterface) {
        messageEnum("Event", interface.events, of: interface)
        handler("onEvent", "Event")
        writer.blank()
        // An event that ends or makes an object is not lost on a client without a handler.
        let needsAll = interface.events.contains { $0.isDestructor || $0.creates }
        writer.block("public override func receive(_ opcode: UInt32, _ arguments: EventArguments)") {
            if !needsAll { writer.line("guard let onEvent else { return }") }
            writer.line("switch opcode {")
            for (opcode, event) in interface.events.enumerated() {
                writer.line("case \(opcode):")
                writer.indented { clientEvent(event, of: interface, isGuarded: !needsAll) }
            }
            writer.line("default: break")
            writer.line("}")
        }
    }

    private func clientEvent(_ event: ProtocolMessage, of interface: ProtocolInterface, isGuarded: Bool) {
        let values = receivedValues(event, of: interface)
        if let created = event.arguments.firstIndex(where: { $0.kind == .newID }),
            let reference = event.arguments[created].interface
        {
            // Nobody listens: the server's new object must still end, or its number is never free again.
            writer.line("if let onEvent {")
            writer.indented { handOver("onEvent", event, values) }
            writer.line("} else {")
            writer.indented {
                writer.line("arguments.newObject(\(created), \(objectType(reference)).self).endUnheard()")
            }
            writer.line("}")
        } else {
            handOver(isGuarded ? "onEvent" : "onEvent?", event, values)
        }
        if event.isDestructor { writer.line("discard()") }
    }

    /// How an object ends that the server made and nobody listens for. One that announces objects itself does not: those
    /// that are under way would go to nobody, and libwayland takes the hole in the server's numbers for an error.
    private func endUnheard(_ interface: ProtocolInterface) {
        if interface.events.contains(where: { $0.creates }) {
            writer.blank()
            writer.line("public override func endUnheard() {}")
        } else if let end = interface.requests.first(where: { $0.isDestructor && $0.arguments.isEmpty }) {
            writer.blank()
            writer.line("public override func endUnheard() { \(SwiftName.method(end.name))() }")
        }
    }

    // MARK: Requests

    private func clientRequest(_ request: ProtocolMessage, _ opcode: Int, of interface: ProtocolInterface) {
        let plan = SendPlan(request, of: interface, self)
        let facts = "\(opcode), since: \(request.since)"
        let created = request.arguments.first { $0.kind == .newID }
        let isGeneric = created != nil && created?.interface == nil
        let type = isGeneric ? "T" : objectType(created?.interface)
        writer.blank()
        document(request.documentation, notes: notes(request), arguments: request.arguments)
        writer.list(
            "public func \(SwiftName.method(request.name))\(isGeneric ? "<T: WaylandObject>" : "")(", plan.parameters,
            ")\(created == nil ? "" : " -> \(type)") {")
        writer.indented {
            if created == nil {
                plan.write(request.isDestructor ? "sendDestructor" : "send", facts, to: writer)
            } else {
                plan.write(
                    request.isDestructor ? "createDestroying" : "create",
                    "\(type).self, \(facts)\(isGeneric ? ", version: version" : "")", to: writer)
            }
        }
        writer.line("}")
    }
}
