internal import CLibc
internal import CLinuxShims
internal import EventLoop
internal import Gestures
internal import Recording
internal import TouchDevices
internal import WaylandClient

/// What a window is there for.
enum WindowTask {
    /// To show its own touches.
    case show
    /// To record them; `toOutput`: nothing else may go to standard output.
    case record(any RecordingTarget, toOutput: Bool)
    /// To show those of a recording.
    case replay(ReplaySource, exitsAtEnd: Bool)

    /// As `ctl status` and messages name it.
    var command: String {
        switch self {
        case .show: "window"
        case .record: "record"
        case .replay: "replay"
        }
    }
}

/// `fingerwave window`, and what else has a window: runs a ``WindowSession`` until it is closed, told to end or fails.
///
/// The loop's handlers refer to it unowned: they run within `run()`.
final class WindowCommand {
    private let steering: Steering<WindowSettings>
    private let loop: EventLoop
    private let task: WindowTask
    private let output: StandardOutput
    /// For what a key asks to be printed, and the log.
    private let writer: LineWriter
    private let alarm: LoopAlarm
    private var link: LoopConnection?
    private var session: WindowSession?
    private var failure: Failure?
    private var startTimer: EventLoop.Token?
    private var player: WindowPlayer?

    /// A compositor that has not answered by then will not: 10 s.
    private static let startLimit: Int64 = 10_000_000_000

    /// Reads the configuration files.
    init(_ launch: Launch, _ loop: EventLoop = EventLoop(), _ task: WindowTask = .show) throws(Failure) {
        self.loop = loop
        self.task = task
        output = StandardOutput(loop, retries: true)
        writer =
            if case .record(_, toOutput: true) = task {
                LineWriter(descriptor: STDERR_FILENO)
            } else {
                output.writer
            }
        alarm = LoopAlarm(loop)
        steering = try Steering(launch, command: task.command, loop: loop)
    }

    func run() throws(Failure) {
        // A reader of our output that goes away must not end the window.
        fw_ignore_signal(SIGPIPE)
        try loop.listen(to: SIGINT, SIGTERM) { [loop] _, _ in loop.stop() }
        setActions()
        try steering.begin()
        defer { steering.end() }
        if case .replay(let source, _) = task { try source.begin() }
        do throws(ConnectionError) { try connect() } catch { throw Failure(error) }
        if case .record(let target, _) = task { try target.begin() }
        // SAFETY: see the type's comment.
        loop.afterTurn { [unowned(unsafe) self] in unsafe self.endTurn() }
        startTimer = loop.schedule(at: EventLoop.now + WindowCommand.startLimit) { [unowned(unsafe) self] in
            unsafe self.checkStart()
        }
        if let seconds = steering.settings.run.exitAfter {
            loop.schedule(at: EventLoop.now + Int64(seconds * 1e9)) { [loop] in loop.stop() }
        }
        loop.run()
        finish()
        if let failure { throw failure }
    }

    private func connect() throws(ConnectionError) {
        let connection = try Connection.connect(to: steering.settings.window.display)
        let session = WindowSession(connection, steering.settings, output: writer, clock: clock)
        self.session = session
        switch task {
        case .show: break
        case .record(let target, _): record(session, target)
        case .replay(let source, let exitsAtEnd):
            session.realClock = { Instant(nanoseconds: EventLoop.now) }
            player = WindowPlayer(source, session, exitsAtEnd: exitsAtEnd)
        }
        // SAFETY: see the type's comment.
        link = LoopConnection(connection, loop) { [unowned(unsafe) self] error in unsafe self.fail(Failure(error)) }
    }

    /// A window that shows a recording lives by the recording's time.
    private var clock: () -> Instant {
        guard case .replay(let source, _) = task else { return { Instant(nanoseconds: EventLoop.now) } }
        return { source.time }
    }

    private func record(_ session: WindowSession, _ target: any RecordingTarget) {
        // Without udev there is nothing to be said of touchscreens.
        let devices = (try? TouchDeviceList.all()) ?? []
        let recording = WindowRecording(target, devices: devices, start: session.start)
        session.recording = recording
        // SAFETY: see the type's comment; the session goes with this.
        target.header = { [unowned(unsafe) session, unowned(unsafe) recording] in
            RecordingHeader.now(source: "wayland") + (unsafe recording.opening(of: session))
        }
    }

    private func fail(_ failure: Failure) {
        if self.failure == nil { self.failure = failure }
        loop.stop()
    }

    private func checkStart() {
        guard session?.isRunning != true else { return }
        fail(
            Failure(
                "cannot show a window", why: "the compositor does not answer",
                remedy: "see whether it is stopped or busy", code: .noCompositor))
    }

    // MARK: Turns

    private func endTurn() {
        if failure == nil, let session {
            do throws(Failure) { try session.endTurn() } catch { fail(error) }
            if session.isClosed { loop.stop() }
            if let player {
                player.endTurn()
                if let failure = player.failure { fail(failure) }
                if player.isDone { loop.stop() }
            }
            if session.isRunning, let timer = startTimer {
                // An idle window is not woken for what can no longer happen.
                loop.cancel(timer)
                startTimer = nil
            }
            alarm.set(nextDeadline(session))
        }
        // The picture before its word: who reads "ready" may touch at once.
        if failure == nil { link?.flush() }
        output.flush()
        if writer !== output.writer { writer.flush() }
    }

    /// By the monotonic clock, ns.
    private func nextDeadline(_ session: WindowSession) -> Int64? {
        let deadline = session.nextDeadline?.nanoseconds
        switch task {
        case .show: return deadline
        case .record(let target, _):
            target.tick(at: EventLoop.now)
            target.endTurn()
            guard let other = target.nextDeadline else { return deadline }
            return min(deadline ?? other, other)
        case .replay(let source, _): return deadline.flatMap { source.clock.moment(of: $0) }
        }
    }

    private func setActions() {
        // SAFETY: see the type's comment.
        steering.actions.apply = { [unowned(unsafe) self] settings in unsafe self.session?.apply(settings) }
        steering.actions.isPaused = { [unowned(unsafe) self] in unsafe self.session?.isPaused ?? false }
        steering.actions.setPaused = { [unowned(unsafe) self] paused in unsafe self.session?.setPaused(paused) }
        steering.actions.clear = { [unowned(unsafe) self] in unsafe self.session?.clear() }
        steering.actions.quit = { [loop] in loop.stop() }
        steering.actions.status = { [unowned(unsafe) self] line in
            unsafe self.session?.status(line) ?? [line.line]
        }
    }

    // MARK: End

    private func finish() {
        player?.end()
        if let session {
            session.inspection?.logLast(session.contactSources, at: session.clock(), always: player == nil)
        }
        if failure == nil { session?.close() }
        link?.end(flushes: failure == nil)
        var lost: Failure?
        if case .record(let target, _) = task { lost = target.finish() }
        lost = output.finish() ?? lost
        if failure == nil { failure = lost }
    }
}
