extension Emitter {
    func clientClass(_ interface: ProtocolInterface) {
        let name = SwiftName.type(interface.name)
        // libwayland-client handles wl_display's events itself.
        let events = interface.name == "wl_display" ? [] : interface.events
        guard let index = universe.place(of: interface.name)?.index else { return }
        writer.blank()
        document(interface.documentation)
        writer.block("public final class \(name): Proxy, WaylandObject") {
            writer.line("public static var interface: Interface { \(tables).all[\(index)] }")
            sinceConstants(interface)
            for enumeration in interface.enums { wireEnum(enumeration) }
            if !events.isEmpty { clientEvents(events, of: interface) }
            for (opcode, request) in interface.requests.enumerated() {
                clientRequest(request, opcode, of: interface)
            }
        }
    }

    // MARK: Events

    private func clientEvents(_ events: [ProtocolMessage], of interface: ProtocolInterface) {
        messageEnum("Event", events) { clientEventType($0, of: interface) }
        handler("onEvent", "Event")
        writer.blank()
        let hasSpecial = events.contains { $0.isDestructor || $0.arguments.contains { $0.kind == .newID } }
        writer.block("public override func receive(_ opcode: UInt32, _ arguments: EventArguments)") {
            if !hasSpecial { writer.line("guard let onEvent else { return }") }
            writer.line("switch opcode {")
            for (opcode, event) in events.enumerated() {
                writer.line("case \(opcode):")
                clientEvent(event, of: interface, isGuarded: !hasSpecial)
            }
            writer.line("default: break")
            writer.line("}")
        }
    }

    private func clientEvent(_ event: ProtocolMessage, of interface: ProtocolInterface, isGuarded: Bool) {
        let created = event.arguments.enumerated().filter { $0.element.kind == .newID }.map(\.offset)
        let values = event.arguments.enumerated().map { index, argument in
            "\(SwiftName.escaped(argument.name)): \(clientEventValue(argument, index, of: interface))"
        }
        writer.indented {
            let call = isGuarded || !created.isEmpty ? "onEvent(" : "onEvent?("
            let tail = values.isEmpty ? ")" : "))"
            let head = "\(call).\(SwiftName.escaped(event.name))" + (values.isEmpty ? "" : "(")
            if created.isEmpty {
                writer.list(head, values, tail)
            } else {
                // Nobody listens: the server's new object must still end, or its id is never free again.
                writer.line("if let onEvent {")
                writer.indented { writer.list(head, values, tail) }
                writer.line("} else {")
                writer.indented { for index in created { writer.line("arguments.dropNewObject(\(index))") } }
                writer.line("}")
            }
            if event.isDestructor { writer.line("discard()") }
        }
    }

    func clientEventType(_ argument: ProtocolArgument, of interface: ProtocolInterface) -> String {
        switch argument.kind {
        case .int: enumType(argument, of: interface) ?? "Int32"
        case .uint: enumType(argument, of: interface) ?? "UInt32"
        case .fixed: "Double"
        case .string: argument.mayBeNull ? "String?" : "String"
        case .array: "WireArray"
        case .fd: "ReceivedFD"
        case .object: (argument.interface.map { SwiftName.type($0.name) } ?? "Proxy") + "?"
        case .newID: argument.interface.map { SwiftName.type($0.name) } ?? "Proxy"
        }
    }

    private func clientEventValue(_ argument: ProtocolArgument, _ index: Int, of interface: ProtocolInterface) -> String
    {
        let type = clientEventType(argument, of: interface)
        switch argument.kind {
        case .int:
            return argument.enumeration == nil
                ? "arguments.int(\(index))" : "\(type)(rawValue: UInt32(bitPattern: arguments.int(\(index))))"
        case .uint:
            return argument.enumeration == nil
                ? "arguments.uint(\(index))" : "\(type)(rawValue: arguments.uint(\(index)))"
        case .fixed: return "arguments.fixed(\(index))"
        case .string: return argument.mayBeNull ? "arguments.optionalString(\(index))" : "arguments.string(\(index))"
        case .array: return "arguments.array(\(index))"
        case .fd: return "arguments.fd(\(index))"
        case .object:
            guard let reference = argument.interface else { return "arguments.anyObject(\(index))" }
            return "arguments.object(\(index), \(SwiftName.type(reference.name)).self)"
        case .newID: return "arguments.newObject(\(index), \(type).self)"
        }
    }

    // MARK: Requests

    private func clientRequest(_ request: ProtocolMessage, _ opcode: Int, of interface: ProtocolInterface) {
        let created = request.arguments.first { $0.kind == .newID }
        let isGeneric = created.map { $0.interface == nil } ?? false
        let plan = RequestPlan(request, emitter: self, interface: interface)
        var call: String
        let arguments = plan.values.isEmpty ? "" : ", [\(plan.values.joined(separator: ", "))]"
        if let created {
            let type = created.interface.map { SwiftName.type($0.name) } ?? "T"
            let version = isGeneric ? ", version: version" : ""
            call = request.isDestructor ? "createDestroying" : "create"
            call += "(\(type).self, \(opcode), since: \(request.since)\(version)\(arguments))"
        } else {
            call = request.isDestructor ? "sendDestructor" : "send"
            call += "(\(opcode), since: \(request.since)\(arguments))"
        }
        let result = created.map { " -> " + ($0.interface.map { SwiftName.type($0.name) } ?? "T") } ?? ""
        let name = SwiftName.method(request.name)
        writer.blank()
        document(request.documentation, notes: notes(request), arguments: request.arguments)
        writer.list(
            "public func \(name)\(isGeneric ? "<T: WaylandObject>" : "")(", plan.parameters, ")\(result) {")
        writer.indented {
            for wrapper in plan.wrappers { writer.line("\(wrapper) in") }
            writer.line(call)
            for _ in plan.wrappers { writer.line("}") }
        }
        writer.line("}")
    }
}

/// A request's parameters, and how they become the wire's arguments.
private struct RequestPlan {
    var parameters: [String] = []
    /// One for each letter of the signature.
    var values: [String] = []
    /// Calls that hold a string or an array in place while the request is sent, outermost first.
    var wrappers: [String] = []

    /// Names that a request's body uses: a parameter of the same name gets another one inside.
    private static let used: Set<String> = [
        "create", "createDestroying", "self", "send", "sendDestructor", "type", "version", "withWireArray",
        "withWireString",
    ]

    init(_ request: ProtocolMessage, emitter: Emitter, interface: ProtocolInterface) {
        for argument in request.arguments {
            let label = SwiftName.escaped(argument.name)
            let member = SwiftName.member(argument.name)
            let isTaken = RequestPlan.used.contains(member) || member.hasPrefix("wire")
            let local = isTaken ? member + "_" : label
            let type: String
            switch argument.kind {
            case .int:
                type = emitter.enumType(argument, of: interface) ?? "Int32"
                values.append(
                    argument.enumeration == nil ? ".int(\(local))" : ".int(Int32(bitPattern: \(local).rawValue))")
            case .uint:
                type = emitter.enumType(argument, of: interface) ?? "UInt32"
                values.append(argument.enumeration == nil ? ".uint(\(local))" : ".uint(\(local).rawValue)")
            case .fixed:
                type = "Double"
                values.append(".fixed(\(local))")
            case .string:
                type = argument.mayBeNull ? "String?" : "String"
                wrap("withWireString(\(local))")
            case .array:
                type = "[UInt8]"
                wrap("withWireArray(\(local))")
            case .fd:
                type = "Int32"
                values.append(".fd(\(local))")
            case .object:
                type = (argument.interface.map { SwiftName.type($0.name) } ?? "Proxy") + (argument.mayBeNull ? "?" : "")
                values.append(argument.mayBeNull ? ".optionalObject(\(local))" : ".object(\(local))")
            case .newID:
                if argument.interface == nil {
                    parameters += ["_ type: T.Type", "version: UInt32"]
                    wrap("withWireString(T.interface.name)")
                    values.append(".uint(version)")
                }
                values.append(".newID")
                continue
            }
            parameters.append(isTaken ? "\(label) \(local): \(type)" : "\(label): \(type)")
        }
    }

    private mutating func wrap(_ call: String) {
        let name = "wire\(wrappers.count)"
        wrappers.append("\(call) { \(name)")
        values.append(name)
    }
}
