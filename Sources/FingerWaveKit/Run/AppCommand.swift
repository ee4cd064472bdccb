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
    private var log: EventLog?
    private let start = Instant(nanoseconds: EventLoop.now)
    private let compositorPath: String
    private var links: [ProxyLink] = []
    private var child: ChildProgram?
    private var status: Int32?
    private var display: DisplaySocket?
    private var hidden: Set<String> = []
    private var isPaused = false

    /// - Parameter words: the app and its arguments.
    init(_ launch: Launch, words: [String]) throws(Failure) {
        guard !words.isEmpty else {
            throw .usage("no app to run", remedy: "fingerwave run [OPTION]... -- APP [ARGUMENT]...")
        }
        output = StandardOutput(loop)
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
        log = makeLog()
        try checkCompositor()
        let display = try DisplaySocket()
        self.display = display
        defer { display.remove() }
        // Before the child is there, so that none of its signals is lost.
        _ = loop.onSignal(SIGCHLD) { [unowned(unsafe) self] in unsafe self.lookAfterChild() }
        for number in [SIGINT, SIGTERM, SIGQUIT, SIGUSR2] {
            _ = loop.onSignal(number) { [unowned(unsafe) self] in unsafe self.pass(number) }
        }
        setActions()
        try steering.begin()
        defer { steering.end() }
        // SAFETY: see the type's comment.
        _ = loop.watchRarely(display.descriptor) { [unowned(unsafe) self] _ in unsafe self.accept() }
        loop.afterTurn { [unowned(unsafe) self] in unsafe self.endTurn() }
        child = try ChildProgram.start(
            words, variables: [("WAYLAND_DISPLAY", display.name), ("WAYLAND_SOCKET", nil)])
        if let seconds = steering.settings.run.exitAfter {
            loop.schedule(at: EventLoop.now + Int64(seconds * 1e9)) { [unowned(unsafe) self] in
                unsafe self.pass(SIGTERM)
            }
        }
        loop.run()
        for link in links { link.end() }
        // The status is the app's all the same.
        if let lost = output.finish() { complain(lost.line) }
        return status ?? 0
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
        guard status == nil, let status = child?.poll() else { return }
        self.status = status
    }

    /// What we are told to do, the app is told. What a terminal sends, it sends to both.
    private func pass(_ signal: Int32) {
        if signal == SIGINT || signal == SIGQUIT, tcgetpgrp(STDIN_FILENO) == getpgrp() { return }
        if status == nil { child?.send(signal) } else { loop.stop() }
    }

    // MARK: Connections

    private func accept() {
        while let app = display?.accept() {
            let compositor = unsafe fw_connect_local(compositorPath)
            guard compositor >= 0, fw_set_nonblocking(compositor, 1) == 0,
                let connection = AppConnection(
                    look: AppCommand.look(steering.settings), draws: steering.settings.wrap.draw,
                    takesPointer: steering.settings.wrap.pointer,
                    clock: { Instant(nanoseconds: EventLoop.now) })
            else {
                // The app learns what it would learn without us: nobody is there.
                if compositor >= 0 { _ = close(compositor) }
                _ = close(app)
                continue
            }
            listen(to: connection)
            connection.setPaused(isPaused)
            links.append(
                ProxyLink(app: app, compositor: compositor, connection, loop) { complain("fingerwave: \($0)\n") })
        }
    }

    private func listen(to connection: AppConnection) {
        // SAFETY: connections end before self does.
        connection.reports.onNote = { complain("fingerwave: \($0)\n") }
        connection.reports.onHidden = { [unowned(unsafe) self] interface in unsafe self.noteHidden(interface) }
        guard let log else {
            connection.reports.onRaw = { _, _ in }
            connection.reports.onTool = { _, _ in }
            connection.reports.onFrame = { _, _ in }
            connection.reports.onGestures = { _, _ in }
            return
        }
        connection.reports.onRaw = { event, seat in log.raw(event, seat: seat) }
        connection.reports.onTool = { event, seat in log.tool(event, seat: seat) }
        connection.reports.onFrame = { frame, seat in log.pointer(frame, seat: seat) }
        connection.reports.onGestures = { gestures, seat in
            for gesture in gestures { log.gesture(gesture, seat: seat) }
        }
    }

    private static func look(_ settings: WrapSettings) -> AppConnection.Look {
        AppConnection.Look(
            style: { RippleStyle(settings.look, pixelsPerMillimetre: $0) },
            gestures: { settings.gestures.configuration(pixelsPerMillimetre: $0) })
    }

    private func makeLog() -> EventLog? {
        steering.settings.run.log.map { EventLog(output.writer, format: $0, start: start) }
    }

    // MARK: Control

    private func setActions() {
        // SAFETY: see the type's comment.
        steering.actions.apply = { [unowned(unsafe) self] settings in unsafe self.apply(settings) }
        steering.actions.isPaused = { [unowned(unsafe) self] in unsafe self.isPaused }
        steering.actions.setPaused = { [unowned(unsafe) self] paused in unsafe self.setPaused(paused) }
        steering.actions.clear = { [unowned(unsafe) self] in
            for link in unsafe self.links { link.connection.clear() }
        }
        // The app ends, and we with it.
        steering.actions.quit = { [unowned(unsafe) self] in unsafe self.pass(SIGTERM) }
        steering.actions.status = { [unowned(unsafe) self] line in unsafe self.status(line) }
    }

    private func apply(_ settings: WrapSettings) {
        log = makeLog()
        for link in links {
            link.connection.set(AppCommand.look(settings))
            listen(to: link.connection)
        }
    }

    private func setPaused(_ paused: Bool) {
        isPaused = paused
        for link in links { link.connection.setPaused(paused) }
    }

    private func status(_ line: JSONLine) -> [String] {
        var line = line
        line.add("uptime", (Double(EventLoop.now - start.nanoseconds) / 1e8).rounded() / 10)
        line.add("paused", isPaused)
        line.add("style", steering.settings.text(of: "style") ?? "")
        line.add("display", display?.name ?? "")
        line.add("connections", links.count)
        line.add("windows", links.reduce(0) { $0 + $1.connection.windowCount })
        line.add("contacts", links.reduce(0) { $0 + $1.connection.contactCount })
        return [line.line]
    }

    private func noteHidden(_ interface: String) {
        guard steering.settings.run.isVerbose, hidden.insert(interface).inserted else { return }
        complain("fingerwave: the app is not offered \(interface), whose messages are unknown here\n")
    }

    // MARK: Turns

    private func endTurn() {
        var next: Instant?
        var hasEnded = false
        for link in links {
            link.endTurn()
            if link.isEnded {
                hasEnded = true
            } else if let deadline = link.connection.nextDeadline {
                next = min(next ?? deadline, deadline)
            }
        }
        if hasEnded { links.removeAll { $0.isEnded } }
        // What the app has started and left behind may go on.
        if status != nil, links.isEmpty { return loop.stop() }
        alarm.set(next?.nanoseconds)
        output.flush()
    }
}
