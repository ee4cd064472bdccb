extension ProtocolParser {
    /// libwayland's WL_CLOSURE_MAX_ARGS: what a message may hold on the wire.
    static let mostArguments = 20

    mutating func messages(_ kind: String, of element: XMLElement, interface: String) -> [ProtocolMessage] {
        let messages = element.children.filter { $0.name == kind }.compactMap { message($0, kind, interface) }
        reportTwins(messages.map { ($0.name, $0.offset) }, kind: kind, in: interface, SwiftName.member)
        return messages
    }

    private mutating func message(_ element: XMLElement, _ kind: String, _ interface: String) -> ProtocolMessage? {
        guard let name = identifier(element) else { return nil }
        var isDestructor = false
        if let type = element.attribute("type") {
            isDestructor = type.value == "destructor"
            if !isDestructor { report(type.valueOffset, "type '\(type.value)' is unknown; there is only 'destructor'") }
        }
        if kind == "request", name == "destroy", !isDestructor {
            report(element.offset, "request '\(interface).destroy' must have type=\"destructor\"")
        }
        let count = diagnostics.count
        let elements = element.children.filter { $0.name == "arg" }
        let arguments = elements.compactMap { argument($0) }
        let result = ProtocolMessage(
            name: name, since: since(of: element), deprecatedSince: deprecatedSince(of: element),
            isDestructor: isDestructor, documentation: documentation(element), arguments: arguments,
            offset: element.offset)
        if diagnostics.count == count { check(result, kind, interface) }
        return result
    }

    private mutating func check(_ message: ProtocolMessage, _ kind: String, _ interface: String) {
        let what = "\(kind) '\(interface).\(message.name)'"
        reportTwins(message.arguments.map { ($0.name, $0.offset) }, kind: "arg", in: what, SwiftName.member)
        let created = message.arguments.filter { $0.kind == .newID }
        if created.count > 1 {
            report(created[1].offset, "\(what) creates two objects; libwayland can create only one")
        }
        if kind == "event", let untyped = created.first, untyped.interface == nil {
            report(untyped.offset, "a new_id of an event needs an interface: nothing else would tell it")
        }
        let letters = message.arguments.reduce(0) { $0 + $1.letters.count }
        if letters > ProtocolParser.mostArguments {
            report(
                message.offset,
                "\(what) has \(letters) arguments on the wire; libwayland takes \(ProtocolParser.mostArguments)")
        }
    }

    private mutating func argument(_ element: XMLElement) -> ProtocolArgument? {
        guard let name = identifier(element), let type = required("type", of: element) else { return nil }
        guard let kind = ProtocolArgument.Kind(rawValue: type.value) else {
            let known = ProtocolArgument.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            report(type.valueOffset, "type '\(type.value)' is unknown; there are \(known)")
            return nil
        }
        let interface = reference("interface", of: element, isIdentifier: { $0.isIdentifier($1) })
        if let interface, kind != .object, kind != .newID {
            report(interface.offset, "an argument of type \(kind.rawValue) has no interface")
        }
        let enumeration = reference("enum", of: element) { parser, text in
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            return parts.count <= 2 && parts.allSatisfy { parser.isIdentifier(String($0)) }
        }
        if let enumeration, kind != .int, kind != .uint {
            report(enumeration.offset, "an argument of type \(kind.rawValue) has no enum")
        }
        let mayBeNull = boolean("allow-null", of: element)
        if mayBeNull, ![.object, .string, .array, .newID].contains(kind),
            let attribute = element.attribute("allow-null")
        {
            report(attribute.offset, "an argument of type \(kind.rawValue) is never null")
        }
        return ProtocolArgument(
            name: name, kind: kind, interface: interface, enumeration: enumeration, mayBeNull: mayBeNull,
            summary: documentation(element).summary, offset: element.offset)
    }

    private mutating func reference(
        _ name: String, of element: XMLElement, isIdentifier: (ProtocolParser, String) -> Bool
    ) -> ProtocolArgument.Reference? {
        guard let attribute = element.attribute(name) else { return nil }
        guard isIdentifier(self, attribute.value) else {
            report(attribute.valueOffset, "'\(attribute.value)' is no name of an \(name)")
            return nil
        }
        return ProtocolArgument.Reference(name: attribute.value, offset: attribute.valueOffset)
    }
}
