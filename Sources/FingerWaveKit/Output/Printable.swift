/// What somebody gave as a name, for a sentence: one that is empty is seen.
func named(_ text: String) -> String { text.isEmpty ? "\"\"" : text }

/// Names are other people's: what a terminal would obey is shown as a question mark.
///
/// - Parameter keepsLines: line ends stay, where the text has some of its own.
func printable(_ text: String, keepsLines: Bool = false) -> String {
    guard text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == 0xC2 }) else { return text }
    var shown = ""
    for scalar in text.unicodeScalars {
        let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
        shown.unicodeScalars.append(isControl && !(keepsLines && scalar == "\n") ? "?" : scalar)
    }
    return shown
}
