internal import CLibc
internal import EventLoop

/// Writes lines to a descriptor without ever making the caller wait.
///
/// A reader that is slow fills a bounded queue; beyond it whole lines are dropped and counted, until half of it is free. A
/// reader that is gone ends the writing. Neither stops the program. The descriptor's own flags are left alone: it is often
/// shared with the shell. Instead each write is at most PIPE_BUF bytes after poll said that it will not block (POSIX: a
/// pipe is writable when PIPE_BUF bytes fit).
package final class LineWriter: LineSink {
    private let descriptor: Int32
    private let bound: Int
    private var queue: [UInt8] = []
    /// How much of the queue's front was written.
    private var written = 0
    /// Lines that did not fit, in all.
    package private(set) var droppedLines = 0
    /// Of these, those that no line tells of yet.
    private var untoldLines = 0
    /// Why the last of them was lost.
    private(set) var lossReason = ""
    private var gapLine: ((_ lines: Int, _ why: String) -> String)?
    /// A write that failed is tried again with the next ``flush()``; else it ends the writing.
    private let retries: Bool
    /// True once nothing more is written: the reader is gone, or a write has failed for good.
    package private(set) var isClosed = false
    /// errno of the last write; nil when it went well, and where the reader is gone: who wants no more misses nothing.
    private var writeError: Int32?

    /// PIPE_BUF on Linux, from limits.h.
    private static let largestWrite = 4096

    package init(descriptor: Int32, bound: Int = 1 << 20, retries: Bool = false) {
        self.descriptor = descriptor
        self.bound = bound
        self.retries = retries
    }

    /// True when there is something left that the descriptor would not take.
    package var isWaiting: Bool { !isClosed && written < queue.count }

    /// True when nothing was written since all went out.
    var isEmpty: Bool { queue.isEmpty }

    /// Queues a line, which has its line end.
    package func write(_ line: String) {
        guard !isClosed else { return }
        let waiting = queue.count - written
        guard waiting + line.utf8.count <= bound, untoldLines == 0 || waiting <= bound / 2 else {
            droppedLines += 1
            untoldLines += 1
            lossReason = writeError.map { errorText($0) } ?? "nobody read them in time"
            return
        }
        tellGap()
        queue.append(contentsOf: line.utf8)
    }

    /// A line in the place of those that are lost.
    package func tellGaps(by line: @escaping (_ lines: Int, _ why: String) -> String) { gapLine = line }

    private func tellGap() {
        guard untoldLines > 0 else { return }
        if let gapLine { queue.append(contentsOf: gapLine(untoldLines, lossReason).utf8) }
        untoldLines = 0
    }

    /// Writes what the descriptor takes now.
    package func flush() {
        while isWaiting, isWritable(within: 0), writeSome() {}
        if written == queue.count {
            queue.removeAll(keepingCapacity: true)
            written = 0
        } else if written > bound / 2 {
            queue.removeFirst(written)
            written = 0
        }
    }

    /// Notices a reader that is gone also when there is nothing to write.
    package func look() { _ = isWritable(within: 0) }

    /// At the program's end: gives a reader that still reads up to `milliseconds` a time; any time if negative.
    package func finish(milliseconds: Int32) {
        if !isClosed { tellGap() }
        while isWaiting, isWritable(within: milliseconds), writeSome() {}
    }

    private func isWritable(within milliseconds: Int32) -> Bool {
        var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard unsafe poll(&state, 1, milliseconds) > 0 else { return false }
        if state.revents & Int16(POLLERR | POLLNVAL) != 0 {
            isClosed = true
            return false
        }
        return state.revents & Int16(POLLOUT) != 0
    }

    /// False when there is no use in going on.
    private func writeSome() -> Bool {
        let count = min(queue.count - written, LineWriter.largestWrite)
        // SAFETY: within the array's storage for the length of the call.
        let result = unsafe queue.withUnsafeBytes { bytes in
            unsafe CLibc.write(descriptor, bytes.baseAddress! + written, count)
        }
        guard result < 0 else {
            written += result
            writeError = nil
            return true
        }
        let number = fw_errno()
        if number == EINTR || number == EAGAIN { return true }
        // EPIPE (SIGPIPE is ignored), a full disk, a closed descriptor: the log may end, the window does not.
        if number != EPIPE { writeError = number }
        isClosed = number == EPIPE || !retries
        return false
    }

    /// Why what was written did not arrive.
    package var failure: Failure? { writeError.map { .standardOutput($0) } }
}

extension Failure {
    /// - Parameter number: errno of the write.
    static func standardOutput(_ number: Int32) -> Failure {
        Failure("cannot write standard output", why: errorText(number), remedy: "write it elsewhere", code: .badInput)
    }
}

/// Says something to people on standard error, where a failure to write has nowhere to be told.
package func complain(_ text: String) { writeError(printable(text, keepsLines: true)) }

/// Whether ``complain(_:)`` would wait for nobody. Standard error is often the pipe that standard output is, and as full.
func mayComplain() -> Bool { isErrorWritable(within: 0) }

private func isErrorWritable(within milliseconds: Int32) -> Bool {
    var state = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
    return unsafe poll(&state, 1, milliseconds) > 0
}

/// The same for what a terminal is to obey. Lost when nobody reads it for 200 ms: an app waits for us meanwhile.
func writeError(_ text: String) {
    guard isErrorWritable(within: 200) else { return }
    let bytes = Array(text.utf8)
    // SAFETY: within the array's storage for the length of the call.
    unsafe bytes.withUnsafeBytes { unsafe _ = CLibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
}
