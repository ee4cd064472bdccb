/// Turns elements into the model, and checks what can be seen within one message, enum or interface.
///
/// Elements and attributes that it does not know are passed over: newer files must be readable by older tools. A wrong
/// value of one it knows is an error, since guessing would change the wire.
package struct ProtocolParser {
    let source: SourceFile
    var diagnostics: [Diagnostic] = []
    /// Of the interface that is being read: the highest "since" that makes sense in it.
    var interfaceVersion: UInt32 = 1

    private init(_ source: SourceFile) { self.source = source }

    /// The protocol in `source`, or all that is wrong with it. The two go together only when errors were found.
    package static func parse(
        _ source: SourceFile, limits: XMLLimits = XMLLimits()
    ) -> (file: ProtocolFile?, diagnostics: [Diagnostic]) {
        do throws(Diagnostic) {
            let root = try XMLReader.read(source, limits: limits)
            var parser = ProtocolParser(source)
            let file = parser.file(root)
            return (file, parser.diagnostics)
        } catch {
            return (nil, [error])
        }
    }

    private mutating func file(_ root: XMLElement) -> ProtocolFile? {
        guard root.name == "protocol" else {
            report(root.offset, "the root element is <\(root.name)>, not <protocol>")
            return nil
        }
        guard let name = identifier(root) else { return nil }
        let interfaces = root.children.filter { $0.name == "interface" }.compactMap { interface($0) }
        if interfaces.isEmpty, diagnostics.isEmpty { report(root.offset, "protocol '\(name)' has no interface") }
        reportTwins(interfaces.map { ($0.name, $0.offset) }, kind: "interface", in: "protocol '\(name)'") { $0 }
        return ProtocolFile(
            source: source, name: name, copyright: root.children.first { $0.name == "copyright" }?.text,
            documentation: documentation(root), interfaces: interfaces)
    }

    private mutating func interface(_ element: XMLElement) -> ProtocolInterface? {
        guard let name = identifier(element) else { return nil }
        guard let attribute = required("version", of: element) else { return nil }
        guard let version = positive(attribute) else { return nil }
        interfaceVersion = version
        let requests = messages("request", of: element, interface: name)
        let events = messages("event", of: element, interface: name)
        let enums = element.children.filter { $0.name == "enum" }.compactMap { enumeration($0, interface: name) }
        reportTwins(enums.map { ($0.name, $0.offset) }, kind: "enum", in: name, SwiftName.enumeration)
        return ProtocolInterface(
            name: name, version: version, documentation: documentation(element), requests: requests, events: events,
            enums: enums, offset: element.offset)
    }

    // MARK: Enums

    private mutating func enumeration(_ element: XMLElement, interface: String) -> ProtocolEnum? {
        guard let name = identifier(element) else { return nil }
        _ = since(of: element)
        let isBitfield = boolean("bitfield", of: element)
        let entries = element.children.filter { $0.name == "entry" }.compactMap { entry($0) }
        if entries.isEmpty, !element.children.contains(where: { $0.name == "entry" }) {
            report(element.offset, "enum '\(interface).\(name)' has no entry")
        }
        reportTwins(
            entries.map { ($0.name, $0.offset) }, kind: "entry", in: "\(interface).\(name)", SwiftName.member)
        return ProtocolEnum(
            name: name, isBitfield: isBitfield, documentation: documentation(element), entries: entries,
            offset: element.offset)
    }

    private mutating func entry(_ element: XMLElement) -> ProtocolEntry? {
        guard let name = identifier(element, mayBeginWithDigit: true) else { return nil }
        guard let attribute = required("value", of: element) else { return nil }
        guard let value = UInt32(cConstant: attribute.value) else {
            report(attribute.valueOffset, "'\(attribute.value)' is no 32-bit number")
            return nil
        }
        return ProtocolEntry(
            name: name, value: value, since: since(of: element), deprecatedSince: deprecatedSince(of: element),
            documentation: documentation(element), offset: element.offset)
    }

    // MARK: Attributes

    /// More errors than these help nobody, and a hostile file could have one in each element.
    static let mostDiagnostics = 100

    mutating func report(_ offset: Int, _ message: String) {
        if diagnostics.count < ProtocolParser.mostDiagnostics { diagnostics.append(source.error(offset, message)) }
    }

    mutating func required(_ name: String, of element: XMLElement) -> XMLElement.Attribute? {
        if let attribute = element.attribute(name) { return attribute }
        report(element.offset, "<\(element.name)> needs the attribute '\(name)'")
        return nil
    }

    /// The `name` attribute: a C identifier, as the wire's users in C need it.
    mutating func identifier(_ element: XMLElement, mayBeginWithDigit: Bool = false) -> String? {
        guard let attribute = required("name", of: element) else { return nil }
        guard isIdentifier(attribute.value, mayBeginWithDigit: mayBeginWithDigit) else {
            report(attribute.valueOffset, "'\(attribute.value)' is no name: letters, digits and '_', at most 128")
            return nil
        }
        return attribute.value
    }

    func isIdentifier(_ text: String, mayBeginWithDigit: Bool = false) -> Bool {
        let bytes = text.utf8
        guard let first = bytes.first, bytes.count <= 128 else { return false }
        guard mayBeginWithDigit || !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { return false }
        let isWord: (UInt8) -> Bool = { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: false
            }
        }
        return bytes.contains(where: isWord) && bytes.allSatisfy { isWord($0) || $0 == UInt8(ascii: "_") }
    }

    mutating func positive(_ attribute: XMLElement.Attribute) -> UInt32? {
        // libwayland keeps versions in a C int.
        guard isDigits(attribute.value), let number = UInt32(attribute.value), number > 0, number <= UInt32(Int32.max)
        else {
            report(attribute.valueOffset, "\(attribute.name) '\(attribute.value)' is no number from 1")
            return nil
        }
        return number
    }

    private func isDigits(_ text: String) -> Bool {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    mutating func since(of element: XMLElement) -> UInt32 {
        guard let attribute = element.attribute("since"), let number = positive(attribute) else { return 1 }
        if number > interfaceVersion {
            report(attribute.valueOffset, "since \(number) is newer than the interface, version \(interfaceVersion)")
        }
        return number
    }

    mutating func deprecatedSince(of element: XMLElement) -> UInt32? {
        element.attribute("deprecated-since").flatMap { positive($0) }
    }

    mutating func boolean(_ name: String, of element: XMLElement) -> Bool {
        guard let attribute = element.attribute(name) else { return false }
        switch attribute.value {
        case "true": return true
        case "false": return false
        default:
            report(attribute.valueOffset, "\(name) is '\(attribute.value)', neither 'true' nor 'false'")
            return false
        }
    }

    // MARK: Documentation

    func documentation(_ element: XMLElement) -> Documentation {
        var result = Documentation(summary: element.attribute("summary")?.value ?? "")
        if let description = element.children.first(where: { $0.name == "description" }) {
            if let summary = description.attribute("summary")?.value, !summary.isEmpty { result.summary = summary }
            result.lines = Documentation.lines(description.text)
        }
        return result
    }

    // MARK: Twins

    /// Two of a kind under one name: on the wire the second could not be told from the first, or in Swift after the
    /// change of case.
    mutating func reportTwins(
        _ named: [(name: String, offset: Int)], kind: String, in place: String, _ swiftName: (String) -> String
    ) {
        var seen: [String: String] = [:]
        for (name, offset) in named {
            let swift = swiftName(name)
            if let other = seen[swift] {
                report(
                    offset,
                    other == name
                        ? "a second \(kind) '\(name)' in \(place)"
                        : "the \(kind) names '\(other)' and '\(name)' in \(place) are both \(swift) in Swift")
            }
            seen[swift] = name
        }
    }
}

extension UInt32 {
    /// A number as C reads it, since C's scanner copies values into a header: decimal, `0x` hexadecimal, `0` octal, also
    /// negative (two's complement), and `a << b` of two such, with which some protocols write bits.
    package init?(cConstant text: String) {
        let parts = text.split(separator: "<<", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = Int64(cNumber: parts[0]) else { return nil }
        var value = first
        if parts.count == 2 {
            guard let shift = Int64(cNumber: parts[1]), (0..<32).contains(shift), first >= 0, first <= Int64(UInt32.max)
            else { return nil }
            value = first << shift
        }
        guard value >= Int64(Int32.min), value <= Int64(UInt32.max) else { return nil }
        self = UInt32(truncatingIfNeeded: value)
    }
}

extension Int64 {
    fileprivate init?(cNumber text: Substring) {
        var digits = text.drop(while: { $0 == " " })
        while digits.last == " " { digits.removeLast() }
        let isNegative = digits.first == "-"
        if isNegative { digits.removeFirst() }
        var radix = 10
        if digits.hasPrefix("0x") || digits.hasPrefix("0X") {
            digits.removeFirst(2)
            radix = 16
        } else if digits.count > 1, digits.first == "0" {
            digits.removeFirst()
            radix = 8
        }
        guard let first = digits.first, first.isHexDigit, let magnitude = UInt32(digits, radix: radix) else {
            return nil
        }
        self = isNegative ? -Int64(magnitude) : Int64(magnitude)
    }
}
