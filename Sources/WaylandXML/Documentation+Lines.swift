extension Documentation {
    /// The lines of a description: trimmed, without the indentation that all share, without blank ones at either end.
    static func lines(_ text: String) -> [String] {
        var lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }.map { line in
            // Whatever a reference brought in must not end a comment or hide in it.
            var clean = String(
                String.UnicodeScalarView(line.unicodeScalars.map { $0.properties.generalCategory.isText ? $0 : " " }))
            while clean.last == " " { clean.removeLast() }
            return clean
        }
        // Text that begins right after the tag has no indentation to compare: nor has a lone line.
        let first = lines.removeFirst().drop { $0 == " " }
        let indentation = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
        lines = [String(first)] + lines.map { String($0.dropFirst(indentation)) }
        while lines.last?.isEmpty == true { lines.removeLast() }
        return Array(lines.drop { $0.isEmpty })
    }
}

extension Unicode.GeneralCategory {
    /// Not a control, format, separator or unassigned code point, except the space itself.
    fileprivate var isText: Bool {
        switch self {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        default: true
        }
    }
}
