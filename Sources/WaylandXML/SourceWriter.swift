/// Source code as it grows, line by line.
final class SourceWriter {
    private(set) var text = ""
    private var depth = 0
    /// Nothing was written since a block began or a blank line: no blank line is wanted here.
    private var isFresh = true

    static let width = 120

    func line(_ line: String) {
        if !line.isEmpty { text += String(repeating: "    ", count: depth) + line }
        text += "\n"
        isFresh = line.isEmpty
    }

    func blank() {
        if !isFresh { line("") }
    }

    func block(_ head: String, _ body: () -> Void) {
        line(head + " {")
        depth += 1
        isFresh = true
        body()
        depth -= 1
        line("}")
    }

    func indented(by steps: Int = 1, _ body: () -> Void) {
        depth += steps
        body()
        depth -= steps
    }

    /// `head`, a list and `tail` on one line, or each item on its own when that is too long.
    func list(_ head: String, _ items: [String], _ tail: String) {
        let whole = head + items.joined(separator: ", ") + tail
        guard !items.isEmpty, depth * 4 + whole.count > SourceWriter.width else { return line(whole) }
        line(head)
        indented {
            for (index, item) in items.enumerated() { line(item + (index + 1 < items.count ? "," : "")) }
        }
        line(tail)
    }
}
