/// A protocol as its XML describes it. Offsets are bytes of the source, for errors.
package struct ProtocolFile: Sendable {
    package let source: SourceFile
    package let name: String
    package let copyright: String?
    package let documentation: Documentation
    package let interfaces: [ProtocolInterface]
}

/// What people wrote about something.
package struct Documentation: Equatable, Sendable {
    package var summary = ""
    /// Lines without their common indentation.
    package var lines: [String] = []
}

package struct ProtocolInterface: Sendable {
    package let name: String
    package let version: UInt32
    package let documentation: Documentation
    package let requests: [ProtocolMessage]
    package let events: [ProtocolMessage]
    package let enums: [ProtocolEnum]
    package let offset: Int
    /// Where an enum is among ``enums``, by its name.
    private let enumPlaces: [String: Int]

    package init(
        name: String, version: UInt32, documentation: Documentation, requests: [ProtocolMessage],
        events: [ProtocolMessage], enums: [ProtocolEnum], offset: Int
    ) {
        self.name = name
        self.version = version
        self.documentation = documentation
        self.requests = requests
        self.events = events
        self.enums = enums
        self.offset = offset
        enumPlaces = Dictionary(enums.enumerated().map { ($0.element.name, $0.offset) }) { first, _ in first }
    }

    package func enumeration(_ name: String) -> ProtocolEnum? { enumPlaces[name].map { enums[$0] } }
}

/// A request or an event. Its opcode is its place among its kind.
package struct ProtocolMessage: Sendable {
    package let name: String
    package let since: UInt32
    package let deprecatedSince: UInt32?
    package let isDestructor: Bool
    package let documentation: Documentation
    package let arguments: [ProtocolArgument]
    package let offset: Int
}

package struct ProtocolArgument: Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        case int, uint, fixed, string, array, fd, object
        case newID = "new_id"
    }

    package let name: String
    package let kind: Kind
    /// Of objects and new_ids; nil is any interface.
    package let interface: Reference?
    /// As written: the name of an enum of the same interface, or `interface.enum`.
    package let enumeration: Reference?
    package let mayBeNull: Bool
    package let summary: String
    package let offset: Int

    /// A name in the file, and where it stands.
    package struct Reference: Sendable {
        package let name: String
        package let offset: Int
    }
}

package struct ProtocolEnum: Sendable {
    package let name: String
    package let isBitfield: Bool
    package let documentation: Documentation
    package let entries: [ProtocolEntry]
    package let offset: Int
}

package struct ProtocolEntry: Sendable {
    package let name: String
    /// Negative values of signed enums as their two's complement.
    package let value: UInt32
    package let since: UInt32
    package let deprecatedSince: UInt32?
    package let documentation: Documentation
    package let offset: Int
}
