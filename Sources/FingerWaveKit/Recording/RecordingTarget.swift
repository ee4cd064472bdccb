internal import CLibc
internal import EventLoop
internal import Recording

/// Where a recording is written. Its owner calls ``tick(at:)`` when ``nextDeadline`` is reached, and ``endTurn()`` after
/// each turn.
package protocol RecordingTarget: LineSink {
    /// The lines that it begins with, as they are now; facts of where it is made are said again behind a gap.
    var header: () -> String { get set }

    /// Writes the header. Throws when nothing can be written.
    func begin() throws(Failure)

    /// What the header would have had if it had been known by then: one or more lines.
    func writeFacts(_ lines: String)

    /// Of the monotonic clock, ns; nil when nothing depends on time.
    var nextDeadline: Int64? { get }
    func tick(at now: Int64)
    func endTurn()
    /// Why the recording lacks something at its end.
    func finish() -> Failure?
}

extension RecordingTarget {
    package var nextDeadline: Int64? { nil }
    package func tick(at now: Int64) {}
    package func endTurn() {}
}

/// A recording on standard output that is no file: a reader that is slow leaves up to 64 MiB waiting, which is more than an
/// hour of a finger that moves.
final class RecordingStream: RecordingTarget {
    private let output: StandardOutput
    var header: () -> String = { "" }
    private var held = HeldTouches()
    private var told = HeldTouches()
    private var mendedLines = 0

    init(_ loop: EventLoop) { output = StandardOutput(loop, bound: 1 << 26) }

    func begin() throws(Failure) { write(header()) }

    func write(_ line: String) { output.writer.write(line) }

    func write(_ line: TouchLine) {
        held.note(line)
        let before = output.writer.droppedLines
        output.writer.write(line.json)
        if output.writer.droppedLines == before { told.note(line) }
    }

    func writeFacts(_ lines: String) { write(lines) }

    func endTurn() {
        output.flush()
        let lost = output.writer.droppedLines
        guard lost > mendedLines, !output.writer.isWaiting else { return }
        let gap = EventLog.gap(lost - mendedLines, output.writer.lossReason)
        mendedLines = lost
        write(gap + told.cancels(before: held) + RecordingHeader.facts(of: header()) + held.lines)
        told = held
        output.flush()
    }

    func finish() -> Failure? {
        endTurn()
        return output.finish()
    }
}

extension RecordingWriter {
    /// Standard output when it is a file, which is written as one; nil when it is none.
    static func ofStandardOutput() -> RecordingWriter? {
        var status = stat()
        guard unsafe fstat(STDOUT_FILENO, &status) == 0, status.st_mode & UInt32(S_IFMT) == UInt32(S_IFREG) else {
            return nil
        }
        return RecordingWriter(path: "/dev/stdout", isStandardOutput: true, ring: nil) { EventLoop.now }
    }
}
