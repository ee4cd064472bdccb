internal import CLibc
internal import EventLoop

/// Standard output, written to from a loop: what a slow reader does not take at once goes out when it does.
final class StandardOutput {
    let writer: LineWriter
    private let loop: EventLoop
    private var watch: EventLoop.Token?
    private let retries: Bool
    private var retry: EventLoop.Token?
    private var hasToldOfFailure = false
    private var hasToldOfLoss = false
    private static let pause: Int64 = 1_000_000_000

    /// - Parameters:
    ///   - bound: bytes that a slow reader may leave waiting.
    ///   - retries: a write that fails, as on a full disk, is said and tried again each second, for programs that have more to
    ///     do than to write; else it ends the writing.
    init(_ loop: EventLoop, bound: Int = 1 << 20, retries: Bool = false) {
        self.loop = loop
        self.retries = retries
        writer = LineWriter(descriptor: STDOUT_FILENO, bound: bound, retries: retries)
    }

    /// After each turn.
    func flush() {
        if watch == nil, writer.isEmpty { return }
        writer.flush()
        if retries { tell() }
        // A file is always writable, also one that takes nothing.
        let hasFailed = writer.failure != nil
        if writer.isWaiting, !hasFailed, watch == nil {
            // The turn that follows writes.
            watch = loop.watch(STDOUT_FILENO, .writable) { _ in }
        } else if !writer.isWaiting || hasFailed, let token = watch {
            loop.unwatch(token)
            watch = nil
        }
        if writer.isWaiting, hasFailed, retry == nil {
            // SAFETY: who has the loop run has this.
            retry = loop.schedule(at: EventLoop.now + StandardOutput.pause) { [unowned(unsafe) self] in
                unsafe self.retry = nil
            }
        }
    }

    /// What people would else learn at the program's end, which may be weeks away.
    private func tell() {
        guard var failure = writer.failure else {
            hasToldOfFailure = false
            guard writer.droppedLines > 0, !hasToldOfLoss, mayComplain() else { return }
            hasToldOfLoss = true
            return complain("fingerwave: lines of the log are dropped: \(writer.lossReason); it says where, as gap\n")
        }
        guard !hasToldOfFailure, mayComplain() else { return }
        hasToldOfFailure = true
        failure.remedy = "it is tried again each second"
        complain(failure.line)
    }

    /// At the program's end: what waits is given up to 200 ms, and what was lost is said. Returns why no more was written.
    func finish() -> Failure? {
        writer.finish(milliseconds: 200)
        if writer.droppedLines > 0 {
            complain("fingerwave: \(writer.droppedLines) lines of the log were dropped: \(writer.lossReason)\n")
        }
        return writer.failure
    }
}
