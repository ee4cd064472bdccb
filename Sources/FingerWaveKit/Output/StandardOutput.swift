internal import CLibc
internal import EventLoop

/// Standard output, written to from a loop: what a slow reader does not take at once goes out when it does.
final class StandardOutput {
    let writer = LineWriter(descriptor: STDOUT_FILENO)
    private let loop: EventLoop
    private var watch: EventLoop.Token?

    init(_ loop: EventLoop) { self.loop = loop }

    /// After each turn.
    func flush() {
        writer.flush()
        if writer.isWaiting, watch == nil {
            // The turn that follows writes.
            watch = loop.watch(STDOUT_FILENO, .writable) { _ in }
        } else if !writer.isWaiting, let token = watch {
            loop.unwatch(token)
            watch = nil
        }
    }
}
