internal import CBench
internal import Glibc

/// What people read while they wait, on stderr; the line of progress only when that is a terminal.
enum Progress {
    private static let isVisible = isatty(STDERR_FILENO) == 1

    static func show(_ text: String) {
        if isVisible { write("\r\u{1B}[K\(text)") }
    }

    static func clear() { show("") }

    static func error(_ text: String) {
        clear()
        write("fingerwave-bench: \(text)\n")
    }

    private static func write(_ text: String) {
        let bytes = Array(text.utf8)
        // Nothing is lost with words about progress, so a short write is not repeated.
        unsafe _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }
}
