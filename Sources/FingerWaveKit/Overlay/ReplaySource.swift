internal import CLibc
internal import CLinuxShims
internal import EventLoop
internal import Gestures
internal import Recording

/// The JSON Lines of a file, as fast as they were written: a line waits as long after the last one as their stamps say.
final class ReplaySource: TouchSource {
    /// A pause that is longer, ms, is cut: stamps of two recordings in one file have nothing to do with each other. Our choice.
    private static let longestPause: UInt32 = 3_600_000
    /// So many pieces of a file that has nothing to say are read at once: what never ends must not keep the program from
    /// hearing that it is to end.
    private static let mostPieces = 64

    private let path: String
    private let loop: EventLoop
    private var descriptor: Int32 = -1
    private var lines: LineEvents
    private var waiting: [SourceEvent] = []
    private var next = 0
    private var isAtEnd = false
    private var pieces = 0
    private var lastStamp: UInt32?
    private var due: Int64 = 0
    private var timer: EventLoop.Token?
    var onEvent: ((SourceEvent, Instant) -> Void)?

    init(path: String, _ loop: EventLoop) {
        self.path = path
        self.loop = loop
        lines = LineEvents(name: path)
    }

    func begin() throws(Failure) {
        descriptor = unsafe path.withCString { unsafe fw_open_for_reading($0) }
        guard descriptor >= 0 else { throw unreadable(errorText(fw_errno())) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & UInt32(S_IFMT) == UInt32(S_IFREG) else {
            throw unreadable("it is no regular file", remedy: "name a file, or write it into --source -")
        }
    }

    private func unreadable(_ why: String, remedy: String = "name another file") -> Failure {
        Failure("cannot read \(path)", why: why, remedy: remedy, code: .badInput)
    }

    func beginShowing() {
        due = EventLoop.now
        schedule()
    }

    func end() {
        if let timer { loop.cancel(timer) }
        timer = nil
        if descriptor >= 0 { _ = close(descriptor) }
        descriptor = -1
    }

    private func schedule() {
        // SAFETY: see the protocol's comment.
        timer = loop.schedule(at: due) { [unowned(unsafe) self] in unsafe self.play() }
    }

    /// Says everything that is due.
    private func play() {
        timer = nil
        pieces = 0
        while let event = nextEvent() {
            if case .touch(let line) = event, let stamp = line.time {
                // Modulo 2^32, and what goes backwards counts as the same moment.
                let pause = stamp &- (lastStamp ?? stamp)
                lastStamp = stamp
                if pause > 0, pause < UInt32(Int32.max) {
                    due += Int64(min(pause, ReplaySource.longestPause)) * 1_000_000
                    if due > EventLoop.now { return schedule() }
                }
            }
            next += 1
            onEvent?(event, Instant(nanoseconds: EventLoop.now))
        }
        if !isAtEnd { return schedule() }
        end()
        onEvent?(.ended, Instant(nanoseconds: EventLoop.now))
    }

    /// The one that is said next, until `next` counts it; nil at the end, and where it is to be looked for later.
    private func nextEvent() -> SourceEvent? {
        while next == waiting.count, !isAtEnd, pieces < ReplaySource.mostPieces {
            pieces += 1
            waiting.removeAll(keepingCapacity: true)
            next = 0
            var bytes = [UInt8](repeating: 0, count: 1 << 14)
            let count = unsafe CLibc.read(descriptor, &bytes, bytes.count)
            if count > 0 {
                lines.add(bytes, count: count) { waiting.append($0) }
            } else if count == 0 || fw_errno() != EINTR {
                isAtEnd = true
                let why = count < 0 ? unreadable(errorText(fw_errno())) : nil
                lines.finish { waiting.append($0) }
                if let why { waiting.append(.failed(why)) }
            }
        }
        return next < waiting.count ? waiting[next] : nil
    }
}
