internal import CLibc
internal import EventLoop

/// Standard output, written to from a loop: what a slow reader does not take at once goes out when it does.
final class StandardOutput {
    let writer: LineWriter
    private let loop: EventLoop
    private var watch: EventLoop.Token?

    /// - Parameter bound: bytes that a slow reader may leave waiting.
    init(_ loop: EventLoop, bound: Int = 1 << 20) {
        self.loop = loop
        writer = LineWriter(descriptor: STDOUT_FILENO, bound: bound)
    }

    /// After each turn.
    func flush() {
        if watch == nil, writer.isEmpty { return }
        writer.flush()
        if writer.isWaiting, watch == nil {
            // The turn that follows writes.
            watch = loop.watch(STDOUT_FILENO, .writable) { _ in }
        } else if !writer.isWaiting, let token = watch {
            loop.unwatch(token)
            watch = nil
        }
    }

    /// At the program's end: what waits is given up to 200 ms, and what was lost is said. Returns why no more was written.
    func finish() -> Failure? {
        writer.finish(milliseconds: 200)
        if writer.droppedLines > 0 {
            complain("fingerwave: \(writer.droppedLines) lines of the log were dropped: nobody read them in time\n")
        }
        return writer.failure
    }
}
