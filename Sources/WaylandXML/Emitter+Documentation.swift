extension Emitter {
    /// A doc comment: summary, text, `notes` as a paragraph, and what the arguments mean.
    func document(
        _ documentation: Documentation, notes: [String] = [], arguments: [ProtocolArgument] = []
    ) {
        var paragraphs: [[String]] = []
        let summary = Emitter.printable(documentation.summary)
        if !summary.isEmpty { paragraphs.append([summary]) }
        if !documentation.lines.isEmpty { paragraphs.append(documentation.lines) }
        if !notes.isEmpty { paragraphs.append([notes.joined(separator: " ")]) }
        let described = arguments.filter { !$0.summary.isEmpty && !($0.kind == .newID && $0.interface != nil) }
        if !described.isEmpty {
            let items = described.map { "\(SwiftName.member($0.name)): \(Emitter.printable($0.summary))" }
            if items.count == 1 {
                paragraphs.append(["- Parameter " + items[0]])
            } else {
                paragraphs.append(["- Parameters:"] + items.map { "  - " + $0 })
            }
        }
        for (index, paragraph) in paragraphs.enumerated() {
            if index > 0 { writer.line("///") }
            for line in paragraph { writer.line(line.isEmpty ? "///" : "/// " + line) }
        }
    }

    func notes(_ message: ProtocolMessage) -> [String] {
        notes(since: message.since, deprecatedSince: message.deprecatedSince)
    }

    func notes(since: UInt32, deprecatedSince: UInt32?) -> [String] {
        (since > 1 ? ["Since version \(since)."] : [])
            + (deprecatedSince.map { ["Deprecated since version \($0)."] } ?? [])
    }

    /// One line that cannot end a comment, whatever the file said.
    static func printable(_ text: String) -> String { Documentation.lines(text).joined(separator: " ") }
}
