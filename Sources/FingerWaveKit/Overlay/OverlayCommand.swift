internal import CLibc
internal import CLinuxShims
internal import EventLoop
internal import Gestures
internal import Recording
internal import TouchDevices
internal import WaylandClient

/// `fingerwave overlay`: runs an ``OverlaySession``, and another one each time that the compositor comes back, until it is told
/// to end or its source of touches has ended.
///
/// The loop's handlers refer to it unowned: they run within `run()`.
final class OverlayCommand {
    private let steering: Steering<OverlaySettings>
    private let loop = EventLoop()
    private let output: StandardOutput
    private let alarm: LoopAlarm
    private let source: any TouchSource
    /// The source, where it is a recording: what is shown lives by its time.
    private let player: ReplaySource?
    private var link: LoopConnection?
    private var session: OverlaySession?
    private var failure: Failure?
    private var startTimer: EventLoop.Token?
    private let start = Instant(nanoseconds: EventLoop.now)
    /// What a new session is told.
    private var devices: [TouchDevice] = []
    private var isPaused = false
    /// The source has nothing more to say: what is shown is shown to its end.
    private var isSourceOver = false
    /// There has been a compositor.
    private var isShowing = false
    private var retry: (timer: EventLoop.Token?, pause: Int64) = (nil, OverlayCommand.firstPause)
    /// Said once for each time that the compositor is gone.
    private var saysWaiting = false
    private var rest = SourceRest()
    private let remarks = OverlayRemarks()

    /// Between attempts to reach a compositor, ns: it doubles until the last. A compositor that restarts is found within a
    /// quarter of a second, and one that is not there costs an attempt in 5 s.
    private static let firstPause: Int64 = 250_000_000
    private static let lastPause: Int64 = 5_000_000_000
    /// A compositor that has not answered by then will not: 10 s.
    private static let startLimit: Int64 = 10_000_000_000

    /// Reads the configuration files.
    init(_ launch: Launch) throws(Failure) {
        output = StandardOutput(loop, retries: true)
        alarm = LoopAlarm(loop)
        steering = try Steering(launch, command: "overlay", loop: loop)
        source = try steering.settings.sources.open(on: loop, steering.settings.pace)
        player = source as? ReplaySource
    }

    func run() throws(Failure) {
        // A reader of our output that goes away must not end the overlay.
        fw_ignore_signal(SIGPIPE)
        try loop.listen(to: SIGINT, SIGTERM) { [loop] _, _ in loop.stop() }
        setActions()
        try steering.begin()
        defer { steering.end() }
        // SAFETY: see the type's comment.
        source.onEvent = { [unowned(unsafe) self] event, arrival in unsafe self.receive(event, arrival) }
        player?.onRestart = { [unowned(unsafe) self] in
            unsafe self.session?.endTouches()
            unsafe self.session?.clear()
        }
        try connectFirst()
        try source.begin()
        loop.afterTurn { [unowned(unsafe) self] in unsafe self.endTurn() }
        if let seconds = steering.settings.run.exitAfter {
            loop.schedule(at: EventLoop.now + Int64(seconds * 1e9)) { [loop] in loop.stop() }
        }
        loop.run()
        finish()
        if let failure { throw failure }
    }

    // MARK: The source

    private func receive(_ event: SourceEvent, _ arrival: Instant) {
        switch event {
        case .device(let device, let isThere):
            devices.removeAll { StreamKey($0) == StreamKey(device) }
            if isThere {
                guard devices.count < RecordedStreams.most else { return remarks.tellTooMany() }
                devices.append(device)
                session?.add(device)
            } else {
                session?.remove(device)
            }
        case .touch(let line): session?.handle(line, arrival: arrival)
        // Another recording begins: who made the one before it was ended first.
        case .other(let line): if line.kind == .other("header"), session?.isRunning == true { session?.endTouches() }
        case .description: break
        case .problem(let text, let isNote):
            if isNote { steering.remark(text) } else { complain("fingerwave: \(text)\n") }
        case .failed(let failure):
            if self.failure == nil { self.failure = failure }
            loop.stop()
        case .ended:
            isSourceOver = true
            session?.endTouches()
        }
    }

    // MARK: The compositor

    /// One that is not there is waited for, unless nobody wants that.
    private func connectFirst() throws(Failure) {
        do throws(ConnectionError) { try connect() } catch {
            guard steering.settings.overlay.reconnects, error.mayPass else { throw Failure(error) }
            waitForCompositor(error)
        }
    }

    private func connect() throws(ConnectionError) {
        let connection = try Connection.connect(to: steering.settings.overlay.display)
        let session = OverlaySession(
            connection, steering.settings, output: output.writer, remarks, start: start, clock: clock)
        self.session = session
        session.setPaused(isPaused)
        // SAFETY: see the type's comment.
        link = LoopConnection(connection, loop) { [unowned(unsafe) self] error in
            unsafe self.lose(Failure(error), error.mayPass)
        }
        startTimer = loop.schedule(at: EventLoop.now + OverlayCommand.startLimit) { [unowned(unsafe) self] in
            unsafe self.startTimer = nil
            unsafe self.lose(.unanswered)
        }
        for device in devices { session.add(device) }
    }

    private var clock: () -> Instant {
        guard let player else { return { Instant(nanoseconds: EventLoop.now) } }
        return { player.time }
    }

    /// The connection is at its end, or the session cannot go on.
    ///
    /// - Parameter mayPass: another attempt later may succeed.
    private func lose(_ failure: Failure, _ mayPass: Bool = true) {
        disconnect()
        guard mayPass, steering.settings.overlay.reconnects else {
            if self.failure == nil { self.failure = failure }
            return loop.stop()
        }
        waitForCompositor(failure)
    }

    private func disconnect() {
        if let startTimer { loop.cancel(startTimer) }
        startTimer = nil
        session?.close()
        link?.end()
        session = nil
        link = nil
    }

    private func waitForCompositor(_ error: ConnectionError) { waitForCompositor(Failure(error)) }

    private func waitForCompositor(_ failure: Failure) {
        if !saysWaiting {
            saysWaiting = true
            complain("fingerwave: \(failure.what): \(failure.why); waiting for a compositor\n")
        }
        // SAFETY: see the type's comment.
        retry.timer = loop.schedule(at: EventLoop.now + retry.pause) { [unowned(unsafe) self] in unsafe self.tryAgain()
        }
        retry.pause = min(2 * retry.pause, OverlayCommand.lastPause)
    }

    private func tryAgain() {
        retry.timer = nil
        do throws(ConnectionError) { try connect() } catch {
            if error.mayPass { waitForCompositor(error) } else { lose(Failure(error), false) }
        }
    }

    // MARK: Turns

    private func endTurn() {
        if rest.end(canLeaveTouches: session?.canLeaveTouches ?? false, now: EventLoop.now) { source.catchUp() }
        if failure == nil, let session {
            do throws(Failure) { try session.endTurn() } catch { lose(error, false) }
            if session.isRunning, let timer = startTimer {
                // An idle overlay is not woken for what can no longer happen.
                loop.cancel(timer)
                startTimer = nil
                retry.pause = OverlayCommand.firstPause
                if saysWaiting { complain("fingerwave: connected again\n") }
                saysWaiting = false
                if !isShowing {
                    isShowing = true
                    source.beginShowing()
                }
            }
        }
        if isSourceOver, session.map({ $0.isRunning && $0.isIdle }) ?? true { loop.stop() }
        if rest.begin(canLeaveTouches: session?.canLeaveTouches ?? false, now: EventLoop.now) { source.rest() }
        let due = session?.nextDeadline?.nanoseconds
        let deadline = player.map { player in due.flatMap { player.clock.moment(of: $0) } } ?? due
        alarm.set(rest.deadline.map { min($0, deadline ?? $0) } ?? deadline)
        if failure == nil { link?.flush() }
        output.flush()
    }

    private func setActions() {
        // SAFETY: see the type's comment.
        steering.actions.apply = { [unowned(unsafe) self] settings in unsafe self.session?.apply(settings) }
        steering.actions.isPaused = { [unowned(unsafe) self] in unsafe self.isPaused }
        steering.actions.setPaused = { [unowned(unsafe) self] paused in
            unsafe self.isPaused = paused
            unsafe self.session?.setPaused(paused)
        }
        steering.actions.clear = { [unowned(unsafe) self] in unsafe self.session?.clear() }
        steering.actions.quit = { [loop] in loop.stop() }
        steering.actions.status = { [unowned(unsafe) self] line in
            unsafe self.status(line)
        }
    }

    private func status(_ line: JSONLine) -> [String] {
        var line = line
        line.add("uptime", (Double(EventLoop.now - start.nanoseconds) / 1e8).rounded() / 10)
        line.add("paused", isPaused)
        line.add("style", steering.settings.text(of: "style") ?? "")
        line.add("connected", session?.isRunning ?? false)
        return session?.status(line) ?? [line.line]
    }

    // MARK: End

    private func finish() {
        source.end()
        if let retryTimer = retry.timer { loop.cancel(retryTimer) }
        session?.endInspection()
        if failure == nil { session?.close() }
        link?.end(flushes: failure == nil)
        let lost = output.finish()
        if failure == nil { failure = lost }
    }
}

extension ConnectionError {
    /// Whether another attempt later may succeed: the compositor is not there, or has gone.
    fileprivate var mayPass: Bool {
        switch self {
        case .unreachable, .closed, .stalled: true
        default: false
        }
    }
}

extension Failure {
    fileprivate static let unanswered = Failure(
        "cannot show an overlay", why: "the compositor does not answer", remedy: "see whether it is stopped or busy",
        code: .noCompositor)
}
