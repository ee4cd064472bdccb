internal import CLibc
internal import EventLoop

/// Writes lines to a descriptor without ever making the caller wait.
///
/// A reader that is slow fills a bounded queue; beyond it whole lines are dropped and counted. A reader that is gone
/// ends the writing. Neither stops the program. The descriptor's own flags are left alone: it is often shared with the
/// shell. Instead each write is at most PIPE_BUF bytes after poll said that it will not block (POSIX: a pipe is
/// writable when PIPE_BUF bytes fit).
package final class LineWriter: LineSink {
    private let descriptor: Int32
    private let bound: Int
    private var queue: [UInt8] = []
    /// How much of the queue's front was written.
    private var written = 0
    /// Lines that did not fit, in all.
    package private(set) var droppedLines = 0
    /// True once the reader is gone.
    package private(set) var isClosed = false
    /// errno of the write that ended the writing; nil where the reader is gone: who wants no more misses nothing.
    private var writeError: Int32?

    /// PIPE_BUF on Linux, from limits.h.
    private static let largestWrite = 4096

    package init(descriptor: Int32, bound: Int = 1 << 20) {
        self.descriptor = descriptor
        self.bound = bound
    }

    /// True when there is something left that the descriptor would not take.
    package var isWaiting: Bool { !isClosed && written < queue.count }

    /// True when nothing was written since all went out.
    var isEmpty: Bool { queue.isEmpty }

    /// Queues a line, which has its line end.
    package func write(_ line: String) {
        guard !isClosed else { return }
        guard queue.count - written + line.utf8.count <= bound else {
            droppedLines += 1
            return
        }
        queue.append(contentsOf: line.utf8)
    }

    /// Writes what the descriptor takes now.
    package func flush() {
        while isWaiting, isWritable(within: 0) { writeSome() }
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
        while isWaiting, isWritable(within: milliseconds) { writeSome() }
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

    private func writeSome() {
        let count = min(queue.count - written, LineWriter.largestWrite)
        // SAFETY: within the array's storage for the length of the call.
        let result = unsafe queue.withUnsafeBytes { bytes in
            unsafe CLibc.write(descriptor, bytes.baseAddress! + written, count)
        }
        guard result < 0 else {
            written += result
            return
        }
        let number = fw_errno()
        if number == EINTR || number == EAGAIN { return }
        // EPIPE (SIGPIPE is ignored), a full disk, a closed descriptor: the log ends, the window does not.
        isClosed = true
        if number != EPIPE { writeError = number }
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

/// The same for what a terminal is to obey.
func writeError(_ text: String) {
    let bytes = Array(text.utf8)
    // SAFETY: within the array's storage for the length of the call.
    unsafe bytes.withUnsafeBytes { unsafe _ = CLibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
}
