extension Emitter {
    /// The class of an interface on this side, or the class that all have in common.
    func objectType(_ reference: ProtocolArgument.Reference?) -> String {
        switch options.side {
        case .client: reference.map { SwiftName.type($0.name) } ?? "Proxy"
        case .server: hasClass(reference).map { SwiftName.resource($0.name) } ?? "Resource"
        }
    }

    /// The reference, unless libwayland keeps the interface's objects to itself on this side.
    func hasClass(_ reference: ProtocolArgument.Reference?) -> ProtocolArgument.Reference? {
        guard let reference, options.side == .client || !Emitter.ownedByLibwayland.contains(reference.name) else {
            return nil
        }
        return reference
    }

    /// The Swift type of an argument's enum, always with its class, so that no nested name can hide it.
    func enumType(_ argument: ProtocolArgument, of interface: ProtocolInterface) -> String? {
        guard let reference = argument.enumeration else { return nil }
        let (owner, name) = universe.enumeration(reference, from: interface)
        return "\(SwiftName.type(owner)).\(SwiftName.enumeration(name))"
    }

    // MARK: What arrives

    /// The associated values of a message that arrives: one for each argument, but three for an untyped new_id.
    func receivedParameters(_ message: ProtocolMessage, of interface: ProtocolInterface) -> [String] {
        message.arguments.flatMap { argument -> [String] in
            let name = SwiftName.escaped(argument.name)
            guard argument.kind == .newID, argument.interface == nil else {
                return ["\(name): \(receivedType(argument, of: interface))"]
            }
            let member = SwiftName.member(argument.name)
            return ["\(member)Interface: String", "\(member)Version: UInt32", "\(name): UInt32"]
        }
    }

    /// As ``receivedParameters(_:of:)``, the values that go there. `created` replaces the new object's.
    func receivedValues(
        _ message: ProtocolMessage, of interface: ProtocolInterface, created: String? = nil
    ) -> [String] {
        var values: [String] = []
        // Of the wire's argument: an untyped new_id is three of them.
        var index = 0
        for argument in message.arguments {
            let name = SwiftName.label(argument.name)
            if argument.kind == .newID, argument.interface == nil {
                let member = SwiftName.member(argument.name)
                values += [
                    "\(member)Interface: arguments.string(\(index))", "\(member)Version: arguments.uint(\(index + 1))",
                    "\(name): arguments.newID(\(index + 2))",
                ]
            } else if argument.kind == .newID, let created {
                values.append("\(name): \(created)")
            } else {
                values.append("\(name): \(receivedValue(argument, index, of: interface))")
            }
            index += argument.letters.count
        }
        return values
    }

    private func receivedType(_ argument: ProtocolArgument, of interface: ProtocolInterface) -> String {
        switch argument.kind {
        case .int: enumType(argument, of: interface) ?? "Int32"
        case .uint: enumType(argument, of: interface) ?? "UInt32"
        case .fixed: "Double"
        case .string: argument.mayBeNull ? "String?" : "String"
        case .array: "WireArray"
        case .fd: options.side == .client ? "ReceivedFD" : "ReceivedDescriptor"
        // Never certain: the receiver may have destroyed it while the message was under way.
        case .object: objectType(argument.interface) + "?"
        case .newID: objectType(argument.interface)
        }
    }

    private func receivedValue(_ argument: ProtocolArgument, _ index: Int, of interface: ProtocolInterface) -> String {
        let enumeration = enumType(argument, of: interface)
        switch argument.kind {
        case .int:
            let value = "arguments.int(\(index))"
            return enumeration.map { "\($0)(rawValue: UInt32(bitPattern: \(value)))" } ?? value
        case .uint:
            let value = "arguments.uint(\(index))"
            return enumeration.map { "\($0)(rawValue: \(value))" } ?? value
        case .fixed: return "arguments.fixed(\(index))"
        case .string: return argument.mayBeNull ? "arguments.optionalString(\(index))" : "arguments.string(\(index))"
        case .array: return "arguments.array(\(index))"
        case .fd: return "arguments.fd(\(index))"
        case .object:
            guard let reference = hasClass(argument.interface) else { return "arguments.anyObject(\(index))" }
            return "arguments.object(\(index), \(objectType(reference)).self)"
        case .newID: return "arguments.newObject(\(index), \(objectType(argument.interface)).self)"
        }
    }
}
