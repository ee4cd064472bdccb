extension Emitter {
    /// An enum of the wire: open, since a newer compositor may send a value that nobody here knows.
    func wireEnum(_ enumeration: ProtocolEnum) {
        let name = SwiftName.enumeration(enumeration.name)
        writer.blank()
        document(enumeration.documentation)
        let conformances =
            enumeration.isBitfield ? "OptionSet, Hashable, Sendable" : "RawRepresentable, Hashable, Sendable"
        writer.block("public struct \(name): \(conformances)") {
            writer.line("public let rawValue: UInt32")
            writer.blank()
            writer.line("public init(rawValue: UInt32) { self.rawValue = rawValue }")
            writer.blank()
            for entry in enumeration.entries {
                document(
                    entry.documentation, notes: notes(since: entry.since, deprecatedSince: entry.deprecatedSince))
                // The compiler warns of an option set whose raw value is a literal 0.
                let value =
                    enumeration.isBitfield && entry.value == 0
                    ? ": Self = []" : " = Self(rawValue: \(literal(entry, enumeration)))"
                writer.line("public static let \(SwiftName.escaped(entry.name))\(value)")
            }
        }
    }

    /// Bits and what is large read better in hexadecimal.
    private func literal(_ entry: ProtocolEntry, _ enumeration: ProtocolEnum) -> String {
        guard enumeration.isBitfield || entry.value > 0xFFFF else { return String(entry.value) }
        return "0x" + String(entry.value, radix: 16)
    }
}
