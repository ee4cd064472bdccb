internal import CLibc
internal import EventLoop
internal import Recording

/// How far the work is, on standard error, where that is a terminal and the work has taken more than a second.
final class RenderProgress {
    /// ns.
    private static let patience: Int64 = 1_000_000_000
    private static let interval: Int64 = 100_000_000

    private let isOn: Bool
    private let start = EventLoop.now
    private var next: Int64
    /// When the first frame was counted.
    private var frameStart: Int64?
    private var isShown = false

    init() {
        isOn = isatty(STDERR_FILENO) == 1
        next = start + RenderProgress.patience
    }

    func show(reading line: Int) {
        guard frameStart == nil, isDue else { return }
        put("reading: line \(line)")
    }

    func show(_ done: Int, of total: Int) {
        guard isOn, total > 0 else { return }
        if frameStart == nil { frameStart = EventLoop.now }
        guard isDue, let frameStart else { return }
        let width = 24
        let full = width * done / total
        var text = "[" + String(repeating: "#", count: full) + String(repeating: " ", count: width - full) + "] "
        text += "\(100 * done / total)%, \(done) of \(total) frames"
        if done > 0 {
            let left = Double(EventLoop.now - frameStart) / Double(done) * Double(total - done) / 1e9
            text += ", \(decimalText(left, places: 0) ?? "?") s left"
        }
        put(text)
    }

    /// Leaves the line as it was.
    func clear() {
        if isShown { writeError("\r\u{1B}[K") }
        isShown = false
    }

    private var isDue: Bool {
        guard isOn else { return false }
        let now = EventLoop.now
        guard now >= next else { return false }
        next = now + RenderProgress.interval
        return true
    }

    private func put(_ text: String) {
        isShown = true
        writeError("\r" + text + "\u{1B}[K")
    }
}
