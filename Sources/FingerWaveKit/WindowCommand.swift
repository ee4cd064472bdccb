internal import CLibc
internal import CLinuxShims
internal import EventLoop
internal import Gestures
internal import WaylandClient

/// `fingerwave window`: runs a ``WindowSession`` until it is closed, told to end or fails.
///
/// The loop's handlers refer to it unowned: they run within `run()`.
final class WindowCommand {
    private let launch: Launch
    private var settled: Settled<WindowSettings>
    private let loop = EventLoop()
    private let terminal = Terminal()
    private let output = LineWriter(descriptor: STDOUT_FILENO)
    private var connection: Connection?
    private var session: WindowSession?
    private var control: ControlServer?
    private var failure: Failure?
    private var connectionWatch: EventLoop.Token?
    private var outputWatch: EventLoop.Token?
    private var startTimer: EventLoop.Token?
    private var alarm: (token: EventLoop.Token, due: Int64)?

    /// A compositor that has not answered by then will not: 10 s.
    private static let startLimit: Int64 = 10_000_000_000

    /// Reads the configuration files.
    init(_ launch: Launch) throws(Failure) {
        self.launch = launch
        settled = try launch.settle()
    }

    func run() throws(Failure) {
        // A reader of our output that goes away must not end the window.
        fw_ignore_signal(SIGPIPE)
        for number in [SIGINT, SIGTERM] { _ = loop.onSignal(number) { [loop] in loop.stop() } }
        // SAFETY: see the type's comment.
        _ = loop.onSignal(SIGHUP) { [unowned(unsafe) self] in unsafe self.hangUp() }
        _ = loop.onSignal(SIGUSR1) { [unowned(unsafe) self] in unsafe self.togglePause() }
        for note in settled.notes { remark(note) }
        try openControl()
        defer { control = nil }
        do throws(ConnectionError) { try connect() } catch { throw Failure(error) }
        // SAFETY: see the type's comment.
        loop.afterTurn { [unowned(unsafe) self] in unsafe self.endTurn() }
        startTimer = loop.schedule(at: EventLoop.now + WindowCommand.startLimit) { [unowned(unsafe) self] in
            unsafe self.checkStart()
        }
        if let seconds = settled.settings.run.exitAfter {
            loop.schedule(at: EventLoop.now + Int64(seconds * 1e9)) { [loop] in loop.stop() }
        }
        loop.run()
        finish()
        if let failure { throw failure }
    }

    private func connect() throws(ConnectionError) {
        let connection = try Connection.connect(to: settled.settings.window.display)
        self.connection = connection
        session = WindowSession(connection, settled.settings, output: output) { Instant(nanoseconds: EventLoop.now) }
        // SAFETY: see the type's comment.
        connectionWatch = loop.watch(connection.fileDescriptor, .readable) { [unowned(unsafe) self] ready in
            unsafe self.receive(ready)
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

    private func receive(_ ready: EventLoop.Interest) {
        // What came before a hang-up is read first: it may say why.
        guard !ready.isDisjoint(with: [.readable, .hungUp]) else { return }
        do throws(ConnectionError) { try connection?.readAndDispatch() } catch { fail(Failure(error)) }
    }

    private func endTurn() {
        if failure == nil, let session {
            do throws(Failure) { try session.endTurn() } catch { fail(error) }
            if session.isClosed { loop.stop() }
            if session.isRunning, let timer = startTimer {
                // An idle window is not woken for what can no longer happen.
                loop.cancel(timer)
                startTimer = nil
            }
            setAlarm(session.nextDeadline?.nanoseconds)
        }
        // The picture before its word: who reads "ready" may touch at once.
        flushConnection()
        flushOutput()
    }

    /// Wakes the loop for what comes about by time alone.
    private func setAlarm(_ due: Int64?) {
        guard due != alarm?.due else { return }
        if let alarm { loop.cancel(alarm.token) }
        alarm = due.map { due in
            // SAFETY: see the type's comment.
            (loop.schedule(at: due) { [unowned(unsafe) self] in unsafe self.alarm = nil }, due)
        }
    }

    private func flushConnection() {
        guard failure == nil, let connection, let connectionWatch else { return }
        do throws(ConnectionError) {
            let result = try connection.flush()
            loop.setInterest(result == .done ? .readable : [.readable, .writable], of: connectionWatch)
        } catch {
            fail(Failure(error))
        }
    }

    private func flushOutput() {
        output.flush()
        if output.isWaiting, outputWatch == nil {
            // The turn that follows writes.
            outputWatch = loop.watch(STDOUT_FILENO, .writable) { _ in }
        } else if !output.isWaiting, let token = outputWatch {
            loop.unwatch(token)
            outputWatch = nil
        }
    }

    // MARK: Configuration

    /// SIGHUP: the terminal is gone, or somebody asks for the configuration to be read again.
    private func hangUp() {
        if terminal.isGone {
            loop.stop()
        } else {
            reload()
        }
    }

    private func reload() {
        do throws(Failure) {
            let (adopted, needRestart) = settled.adopting(try launch.settle())
            settled = adopted
            session?.apply(adopted.settings)
            for name in needRestart {
                complain("fingerwave: \(name) stays as it is: a running window cannot change it; start it again\n")
            }
        } catch {
            complain(error.line)
            complain("fingerwave: the configuration stays as it was\n")
        }
    }

    // MARK: Control

    private func openControl() throws(Failure) {
        let options = settled.settings.control
        guard options.isOn else { return }
        guard let folder = launch.environment.runtimeDirectory, !folder.isEmpty else {
            remark("XDG_RUNTIME_DIR is not set: fingerwave ctl cannot reach this window")
            return
        }
        do throws(ControlSocket.Problem) {
            let socket =
                if let name = options.name {
                    try ControlSocket(name: name, folder: folder)
                } else {
                    try ControlSocket(base: "window", folder: folder)
                }
            remark("fingerwave ctl finds this window as \(socket.name)")
            // SAFETY: see the type's comment.
            control = ControlServer(socket, loop: loop) { [unowned(unsafe) self] (command) throws(Failure) in
                try unsafe self.obey(command)
            }
        } catch {
            switch error {
            case .taken where options.name != nil:
                throw .usage(
                    "--name cannot be \"\(options.name ?? "")\"", why: "a running fingerwave has this name",
                    remedy: "choose another, or end that one with fingerwave ctl --name \(options.name ?? "") quit")
            case .taken: complain("fingerwave: no name is left: fingerwave ctl cannot reach this window\n")
            case .refused(let why): complain("fingerwave: \(why): fingerwave ctl cannot reach this window\n")
            }
        }
    }

    /// For `--verbose`.
    private func remark(_ text: String) {
        if settled.settings.run.isVerbose { complain("fingerwave: \(text)\n") }
    }

    /// SIGUSR1.
    private func togglePause() {
        guard let session else { return }
        session.setPaused(!session.isPaused)
    }

    private func obey(_ command: ControlCommand) throws(Failure) -> [String] {
        guard let session else { return [] }
        switch command {
        case .pause: session.setPaused(true)
        case .resume: session.setPaused(false)
        case .toggle: togglePause()
        case .clear: session.clear()
        case .style(let name):
            guard try settled.set(ParsedOption("style", name, from: .control)) else {
                throw .usage("there are no styles", remedy: "see fingerwave --version")
            }
            session.apply(settled.settings)
        case .quit: loop.stop()
        case .status:
            var line = JSONLine(type: "status")
            line.add("name", control?.socket.name ?? "")
            line.add("pid", getpid())
            line.add("version", Help.version)
            line.add("command", "window")
            return session.status(line)
        }
        return []
    }

    // MARK: End

    private func finish() {
        session?.inspection?.logAll(at: Instant(nanoseconds: EventLoop.now))
        if failure == nil {
            session?.close()
            _ = try? connection?.flush()
        }
        connection?.disconnect()
        output.finish(milliseconds: 200)
        if output.droppedLines > 0 {
            complain("fingerwave: \(output.droppedLines) lines of the log were dropped: nobody read them in time\n")
        }
    }
}
