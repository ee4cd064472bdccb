internal import Recording

/// How `fingerwave config` writes a configuration: as a file that can be read again, and as JSON Lines.
package enum ConfigurationText {
    /// Each key with its value, and its source as a comment.
    package static func ini<Settings: OptionGroup>(_ settled: Settled<Settings>) -> String {
        var text = "; fingerwave \(Help.version): every option as it is in force, and where it comes from\n"
        for file in settled.files { text += "; file: " + printable(file) + "\n" }
        if let profile = settled.profile { text += "; profile: " + printable(profile) + "\n" }
        var rows: [(topic: HelpTopic?, left: String, source: String)] = []
        for spec in Settings.specs {
            let value = settled.settings.text(of: spec.name) ?? ""
            let source = settled.origin(of: spec.name)?.text ?? "default"
            rows.append((spec.topic, row(spec.name, value, column: keyColumn(Settings.specs)), printable(source)))
        }
        let column = min(40, rows.map { $0.left.utf8.count }.max() ?? 0) + 2
        var topic: HelpTopic?
        for row in rows {
            if row.topic != topic {
                topic = row.topic
                text += "\n" + (topic.map { "; \($0.name)\n" } ?? "")
            }
            let line = padded(row.left, to: column) + "; " + row.source + "\n"
            // libinih cuts lines, but passes over the longest comment.
            text += line.utf8.count > longestLine ? "; " + row.source + "\n" + row.left + "\n" : line
        }
        return text
    }

    private static let longestLine = 190

    private static func keyColumn(_ specs: [OptionSpec]) -> Int {
        (specs.map { $0.name.utf8.count }.max() ?? 0) + 1
    }

    private static func row(_ name: String, _ value: String, column: Int) -> String {
        // What no file can hold is no line of one.
        guard canBeWritten(value) else { return "; " + name + ": " + printable(value) }
        return padded(name, to: column) + (value.isEmpty ? "=" : "= " + value)
    }

    /// Whether libinih reads the value as it is: its comments begin with ; behind a space, it trims, and its lines end.
    static func canBeWritten(_ value: String) -> Bool {
        let bytes = Array(value.utf8)
        guard bytes.count <= 120, !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return false }
        if bytes.first == 0x20 || bytes.last == 0x20 || bytes.first == UInt8(ascii: ";") { return false }
        for (byte, next) in zip(bytes, bytes.dropFirst()) where byte == 0x20 && next == UInt8(ascii: ";") {
            return false
        }
        return true
    }

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.utf8.count))
    }

    /// `configuration`, then an `option` for each.
    package static func json<Settings: OptionGroup>(_ settled: Settled<Settings>) -> String {
        var head = JSONLine(type: "configuration")
        if let profile = settled.profile { head.add("profile", profile) }
        var text = head.line
        for file in settled.files {
            var line = JSONLine(type: "file")
            line.add("path", file)
            text += line.line
        }
        for spec in Settings.specs {
            var line = JSONLine(type: "option")
            line.add("name", spec.name)
            line.add("value", settled.settings.text(of: spec.name) ?? "")
            switch settled.origin(of: spec.name) {
            case nil: line.add("source", "default")
            case .commandLine: line.add("source", "command line")
            case .control: line.add("source", "ctl")
            case .file(let path, let number):
                line.add("source", "file")
                line.add("file", path)
                line.add("line", number)
            }
            text += line.line
        }
        return text
    }
}
