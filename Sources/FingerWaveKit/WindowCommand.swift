internal import CLibc
internal import CLinuxShims
internal import EventLoop
internal import Gestures
internal import Recording
internal import WaylandClient

/// `fingerwave window`: runs a ``WindowSession`` until it is closed, told to end or fails.
///
/// The loop's handlers refer to it unowned: they run within `run()`.
final class WindowCommand {
    private let steering: Steering<WindowSettings>
    private let loop = EventLoop()
    private let output: StandardOutput
    private let alarm: LoopAlarm
    private var link: LoopConnection?
    private var session: WindowSession?
    private var failure: Failure?
    private var startTimer: EventLoop.Token?

    /// A compositor that has not answered by then will not: 10 s.
    private static let startLimit: Int64 = 10_000_000_000

    /// Reads the configuration files.
    init(_ launch: Launch) throws(Failure) {
        output = StandardOutput(loop)
        alarm = LoopAlarm(loop)
        steering = try Steering(launch, command: "window", loop: loop)
    }

    func run() throws(Failure) {
        // A reader of our output that goes away must not end the window.
        fw_ignore_signal(SIGPIPE)
        for number in [SIGINT, SIGTERM] { _ = loop.onSignal(number) { [loop] in loop.stop() } }
        setActions()
        try steering.begin()
        defer { steering.end() }
        do throws(ConnectionError) { try connect() } catch { throw Failure(error) }
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
        session = WindowSession(connection, steering.settings, output: output.writer) {
            Instant(nanoseconds: EventLoop.now)
        }
        // SAFETY: see the type's comment.
        link = LoopConnection(connection, loop) { [unowned(unsafe) self] error in unsafe self.fail(Failure(error)) }
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
            if session.isRunning, let timer = startTimer {
                // An idle window is not woken for what can no longer happen.
                loop.cancel(timer)
                startTimer = nil
            }
            alarm.set(session.nextDeadline?.nanoseconds)
        }
        // The picture before its word: who reads "ready" may touch at once.
        if failure == nil { link?.flush() }
        output.flush()
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
        session?.inspection?.logAll(at: Instant(nanoseconds: EventLoop.now))
        if failure == nil { session?.close() }
        link?.end(flushes: failure == nil)
        let lost = output.finish()
        if failure == nil { failure = lost }
    }
}
