internal import CLibc
internal import CLinuxShims
internal import EventLoop
internal import Gestures
internal import Recording
internal import Ripples
internal import WaylandClient
internal import WireProxy

/// `fingerwave run`: starts an app on a display of our own and passes everything on between it and the compositor, with
/// waves above the app's windows. Ends with the app, and with its exit status.
///
/// The loop's handlers refer to it unowned: they run within `run()`.
final class AppCommand {
    private let steering: Steering<WrapSettings>
    private let words: [String]
    private let loop = EventLoop()
    private let output: StandardOutput
    private let alarm: LoopAlarm
    private var log: AppLog?
    /// What `log` was made for.
    private var logged = RunOptions()
    private let start = Instant(nanoseconds: EventLoop.now)
    private let compositorPath: String
    /// Each with the app's socket, which is the link's to close.
    private var links: [(link: ProxyLink, app: Int32)] = []
    private var connectionCount = 0
    private var listening: EventLoop.Token?
    /// An app's socket for which there is no descriptor to the compositor yet.
    private var unserved: Int32?
    private var hasToldOfShortage = false
    private var child: ChildProgram?
    private var status: Int32?
    /// No process is left of the app, nor of what it has started.
    private var isAlone = false
    private var ending = AppEnding()
    private var display: DisplaySocket?
    private var remarks: Set<String> = []
    private var lastComplaint: (text: String, time: Int64)?
    private var isPaused = false
    /// Without a free descriptor: 0.25 s until the next attempt.
    private static let pause: Int64 = 250_000_000

    /// - Parameter words: the app and its arguments.
    init(_ launch: Launch, words: [String]) throws(Failure) {
        AppCommand.hideSocketVariable()
        guard !words.isEmpty else {
            throw .usage("no app to run", remedy: "fingerwave run [OPTION]... -- APP [ARGUMENT]...")
        }
        output = StandardOutput(loop, retries: true)
        alarm = LoopAlarm(loop)
        steering = try Steering(launch, command: "run", loop: loop)
        self.words = words
        do throws(ConnectionError) {
            compositorPath = try Connection.socketPath(of: steering.settings.wrap.display)
        } catch {
            throw Failure(error)
        }
    }

    /// The app's exit status, or 128 and the number of the signal that ended it.
    func run() throws(Failure) -> Int32 {
        fw_ignore_signal(SIGPIPE)
        startLog()
        try checkCompositor()
        let display = try DisplaySocket()
        self.display = display
        defer { display.remove() }
        // Before the child is there, so that none of its signals is lost.
        try loop.listen(to: SIGCHLD) { [unowned(unsafe) self] _, _ in unsafe self.lookAfterChild() }
        try loop.listen(to: SIGINT, SIGTERM, SIGQUIT, SIGUSR2) { [unowned(unsafe) self] number, sender in
            unsafe self.pass(number, from: sender)
        }
        _ = fw_adopt_orphans()
        setActions()
        try steering.begin()
        defer { steering.end() }
        listen()
        loop.afterTurn { [unowned(unsafe) self] in unsafe self.endTurn() }
        child = try ChildProgram.start(
            words, variables: [("WAYLAND_DISPLAY", display.name), ("WAYLAND_SOCKET", nil)])
        if let seconds = steering.settings.run.exitAfter {
            loop.schedule(at: EventLoop.now + Int64(seconds * 1e9)) { [unowned(unsafe) self] in
                unsafe self.pass(SIGTERM)
            }
        }
        loop.run()
        for link in links { link.link.end() }
        log?.end()
        // The status is the app's all the same.
        if let lost = output.finish() { complain(lost.line) }
        return status ?? 0
    }

    /// The one connection that WAYLAND_SOCKET names does not do for those that an app may make: ours are by the display's
    /// name. The app is to have neither the variable nor the socket.
    private static func hideSocketVariable() {
        guard let descriptor = Environment.variable("WAYLAND_SOCKET").flatMap({ Int32($0) }), descriptor > 2 else {
            return
        }
        _ = fw_set_cloexec(descriptor)
    }

    /// An app that could not show anything is not started.
    private func checkCompositor() throws(Failure) {
        let descriptor = unsafe fw_connect_local(compositorPath)
        guard descriptor >= 0 else {
            throw Failure(ConnectionError.unreachable(path: compositorPath, errno: fw_errno()))
        }
        _ = close(descriptor)
    }

    // MARK: The child

    private func lookAfterChild() {
        guard let (ended, isAlone) = child?.reap() else { return }
        self.isAlone = isAlone
        guard status == nil, let ended else { return }
        status = ended
        ending.appEnded(at: EventLoop.now)
    }

    /// What we are told to do, the app is told; what it has started is its own to tell. What a terminal sends, it sends to
    /// both.
    private func pass(_ signal: Int32, from sender: EventLoop.SignalSender = .process) {
        if sender == .kernel, child?.isInOurGroup == true { return }
        if signal == SIGTERM { ending.isToldToEnd = true }
        if status == nil {
            child?.send(signal)
        } else if signal != SIGUSR2 {
            // The app has ended: what it has left behind is to end as well.
            ending.isToldToEnd = true
        }
    }

    // MARK: Connections

    private func listen() {
        guard let display else { return }
        // SAFETY: see the type's comment.
        listening = loop.watchRarely(display.descriptor) { [unowned(unsafe) self] _ in unsafe self.accept() }
    }

    /// Out of descriptors. The display's socket stays readable, which would keep the loop turning: not now.
    private func pauseListening() {
        if !hasToldOfShortage {
            complain("fingerwave: connections of the app wait: too many open files; let it open more (ulimit -n)\n")
        }
        hasToldOfShortage = true
        if let listening { loop.unwatch(listening) }
        listening = nil
        // SAFETY: see the type's comment.
        loop.schedule(at: EventLoop.now + AppCommand.pause) { [unowned(unsafe) self] in
            unsafe self.listen()
            unsafe self.accept()
        }
    }

    private func accept() {
        while true {
            let app: Int32
            switch unserved.map(DisplaySocket.Accepted.connection) ?? display?.accept() ?? .nobody {
            case .connection(let descriptor): app = descriptor
            case .nobody: return
            case .shortage: return pauseListening()
            }
            unserved = nil
            let compositor = unsafe fw_connect_local(compositorPath)
            if compositor < 0, DisplaySocket.isShortage(fw_errno()) {
                unserved = app
                return pauseListening()
            }
            guard compositor >= 0, fw_set_nonblocking(compositor, 1) == 0,
                let connection = AppConnection(
                    look: AppCommand.look(steering.settings), draws: steering.settings.wrap.draw,
                    takesPointer: steering.settings.wrap.pointer, number: connectionCount,
                    clock: { Instant(nanoseconds: EventLoop.now) })
            else {
                // The app learns what it would learn without us: nobody is there.
                if compositor >= 0 { _ = close(compositor) }
                _ = close(app)
                continue
            }
            connectionCount += 1
            listen(to: connection)
            connection.setPaused(isPaused)
            let link = ProxyLink(app: app, compositor: compositor, connection, loop) { [unowned(unsafe) self] in
                unsafe self.complainOfConnection($0)
            }
            links.append((link, app))
        }
    }

    private func listen(to connection: AppConnection) {
        var reports = AppConnection.Reports()
        // SAFETY: connections end before self does.
        reports.onNote = { complain("fingerwave: \($0)\n") }
        reports.onTouchlessSeat = { [unowned(unsafe) self] in
            unsafe self.remarkOnce(
                self.steering.settings.wrap.pointer
                    ? "a seat has no touch: only clicks make waves until there is a touchscreen"
                    : "a seat has no touch: it makes no waves until there is a touchscreen")
        }
        reports.onHidden = { [unowned(unsafe) self] interface in
            unsafe self.remarkOnce("the app is not offered \(interface), whose messages are unknown here")
        }
        if let log { log.listen(to: connection, &reports) } else { connection.asksPresentation = false }
        connection.reports = reports
    }

    private static func look(_ settings: WrapSettings) -> AppConnection.Look {
        AppConnection.Look(
            style: { RippleStyle(settings.look, pixelsPerMillimetre: $0) },
            gestures: { settings.gestures.configuration(pixelsPerMillimetre: $0) })
    }

    private func startLog() {
        logged = steering.settings.run
        log = logged.log.map {
            // Where nothing is drawn there is nothing to be seen.
            AppLog(
                EventLog(output.writer, format: $0, start: start),
                logsPresented: logged.logsPresented && steering.settings.wrap.draw
            ) { Instant(nanoseconds: EventLoop.now) }
        }
    }

    // MARK: Control

    private func setActions() {
        // SAFETY: see the type's comment.
        steering.actions.apply = { [unowned(unsafe) self] settings in unsafe self.apply(settings) }
        steering.actions.isPaused = { [unowned(unsafe) self] in unsafe self.isPaused }
        steering.actions.setPaused = { [unowned(unsafe) self] paused in unsafe self.setPaused(paused) }
        steering.actions.clear = { [unowned(unsafe) self] in
            for link in unsafe self.links { link.link.connection.clear() }
        }
        // The app ends, and we with it.
        steering.actions.quit = { [unowned(unsafe) self] in unsafe self.pass(SIGTERM) }
        steering.actions.status = { [unowned(unsafe) self] line in unsafe self.status(line) }
    }

    private func apply(_ settings: WrapSettings) {
        let logsOtherwise = settings.run.log != logged.log || settings.run.logsPresented != logged.logsPresented
        if logsOtherwise {
            log?.end()
            startLog()
        }
        for (link, _) in links {
            link.connection.set(AppCommand.look(settings))
            if logsOtherwise { listen(to: link.connection) }
        }
    }

    private func setPaused(_ paused: Bool) {
        isPaused = paused
        for link in links { link.link.connection.setPaused(paused) }
    }

    private func status(_ line: JSONLine) -> [String] {
        var line = line
        line.add("uptime", (Double(EventLoop.now - start.nanoseconds) / 1e8).rounded() / 10)
        line.add("paused", isPaused)
        line.add("style", steering.settings.text(of: "style") ?? "")
        line.add("display", display?.name ?? "")
        line.add("connections", links.count)
        line.add("windows", links.reduce(0) { $0 + $1.link.connection.windowCount })
        line.add("contacts", links.reduce(0) { $0 + $1.link.connection.contactCount })
        return [line.line]
    }

    /// For people who have asked for it.
    private func remarkOnce(_ text: String) {
        guard steering.settings.run.isVerbose, remarks.insert(text).inserted else { return }
        complain("fingerwave: \(text)\n")
    }

    /// Once where several connections end together, as an app's mostly do, for one reason.
    private func complainOfConnection(_ text: String) {
        let now = EventLoop.now
        defer { lastComplaint = (text, now) }
        if let lastComplaint, lastComplaint.text == text, now - lastComplaint.time < 1_000_000_000 { return }
        complain("fingerwave: \(text)\n")
    }

    // MARK: Turns

    private func endTurn() {
        var next: Instant?
        var hasEnded = false
        for (link, _) in links {
            link.endTurn()
            if link.isEnded {
                hasEnded = true
            } else if let deadline = link.connection.nextDeadline {
                next = min(next ?? deadline, deadline)
            }
        }
        if hasEnded { links.removeAll { $0.link.isEnded } }
        log?.endTurn(links.map { $0.link.connection })
        var due = next?.nanoseconds
        if status != nil {
            switch ending.decide(remains, now: EventLoop.now) {
            case .end: return loop.stop()
            case .goOn(let until): if let until { due = min(due ?? until, until) }
            }
        }
        alarm.set(due)
        output.flush()
    }

    private var remains: AppEnding.Remains {
        AppEnding.Remains(
            hasProcesses: !isAlone, connections: links.count,
            closedConnections: links.count(where: { fw_has_hung_up($0.app) != 0 }))
    }
}
