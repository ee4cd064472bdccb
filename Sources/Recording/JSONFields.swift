/// The fields of one JSON object, such as a line of the event log or of a control socket's answer.
///
/// Values are kept as text, so that nothing is lost of those that nobody asks for.
package struct JSONFields: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        case string, number, list, object
        /// `true`, `false` or `null`.
        case word
    }

    package struct Field: Equatable, Sendable {
        package var key: String
        package var kind: Kind
        /// A string without its quotes and escapes, everything else as it stands.
        package var value: String
    }

    package private(set) var fields: [Field] = []

    /// White space around the object, such as the line's end, belongs to it. Lists and objects within one another may be
    /// ``JSONScanner/deepest`` deep.
    package init(_ line: String) throws(JSONProblem) { try self.init(utf8: Array(line.utf8)) }

    package init(utf8 bytes: [UInt8]) throws(JSONProblem) {
        var scanner = JSONScanner(bytes)
        scanner.skipSpace()
        guard scanner.take("{") else { throw scanner.problem("no object") }
        scanner.skipSpace()
        if !scanner.take("}") { try readMembers(&scanner) }
        scanner.skipSpace()
        guard scanner.isAtEnd else { throw scanner.problem("something behind the object") }
    }

    private mutating func readMembers(_ scanner: inout JSONScanner) throws(JSONProblem) {
        while true {
            let key = try scanner.key()
            let start = scanner.position
            let kind = try scanner.skipValue()
            let value =
                if kind == .string {
                    try scanner.text(ofStringAt: start)
                } else {
                    scanner.text(from: start)
                }
            fields.append(Field(key: key, kind: kind, value: value))
            if try !scanner.takeComma(before: "}") { return }
        }
    }

    /// The first field of this name; JSON leaves open what a second one means.
    package func field(_ key: String) -> Field? { fields.first { $0.key == key } }

    package subscript(key: String) -> String? { field(key)?.value }

    /// The object on one line, with its end; values as they stand but for the escapes of strings.
    package var line: String {
        let members = fields.map { field in
            JSONLine.quoted(field.key) + ":" + (field.kind == .string ? JSONLine.quoted(field.value) : field.value)
        }
        return "{" + members.joined(separator: ",") + "}\n"
    }
}

extension JSONFields.Field {
    /// nil when it is no number, or none that a Double holds.
    package var number: Double? { kind == .number ? decimalNumber(value.utf8) : nil }

    /// A number without a fraction, however it is written; nil when it does not fit.
    package func whole<Number: FixedWidthInteger>(_: Number.Type) -> Number? { number.flatMap { Number(exactly: $0) } }

    /// nil when it is no list of lists of numbers.
    package var lists: [[Double]]? {
        guard kind == .list else { return nil }
        var scanner = JSONScanner(Array(value.utf8))
        return scanner.lists()
    }

    /// nil when it is no list of numbers.
    package var numbers: [Double]? {
        guard kind == .list else { return nil }
        var scanner = JSONScanner(Array(value.utf8))
        return scanner.numbers()
    }
}
