internal import CLibc
internal import CLinuxShims
internal import EventLoop
internal import Recording

/// Settings of a command that runs on, and can be told other things meanwhile.
package protocol RunningSettings: OptionGroup {
    var run: RunOptions { get }
    var control: ControlOptions { get }
}

/// What a running command is told from outside: by `fingerwave ctl`, by signals, by its configuration files once they are
/// read again. The command does what is asked; this knows who may ask what, and how.
///
/// Handlers refer to it unowned: they run within the loop, which its owner leaves before it lets go of this.
final class Steering<Settings: RunningSettings> {
    /// What the command does when it is told to.
    struct Actions {
        var apply: (Settings) -> Void = { _ in }
        var isPaused: () -> Bool = { false }
        var setPaused: (Bool) -> Void = { _ in }
        var clear: () -> Void = {}
        var quit: () -> Void = {}
        /// The line, with what concerns the command, and what follows it.
        var status: (JSONLine) -> [String] = { [$0.line] }
    }

    private(set) var settled: Settled<Settings>
    var actions = Actions()
    private let launch: Launch
    /// As `ctl status` and messages name it.
    private let command: String
    private let loop: EventLoop
    private let terminal = Terminal()
    private var control: ControlServer?

    /// Reads the configuration files.
    init(_ launch: Launch, command: String, loop: EventLoop) throws(Failure) {
        self.launch = launch
        self.command = command
        self.loop = loop
        settled = try launch.settle()
    }

    var settings: Settings { settled.settings }

    /// Begins to listen: to signals, and to `fingerwave ctl`.
    func begin() throws(Failure) {
        // SAFETY: see the type's comment.
        try loop.listen(to: SIGHUP) { [unowned(unsafe) self] _, _ in unsafe self.hangUp() }
        try loop.listen(to: SIGUSR1) { [unowned(unsafe) self] _, _ in unsafe self.togglePause() }
        for note in settled.notes { remark(note) }
        try openControl()
    }

    /// Nobody finds it any more.
    func end() { control = nil }

    /// For `--verbose`.
    func remark(_ text: String) {
        if settings.run.isVerbose { complain("fingerwave: \(text)\n") }
    }

    // MARK: Configuration

    /// SIGHUP: the terminal is gone, or somebody asks for the configuration to be read again.
    private func hangUp() {
        // Where it was ignored, as by nohup, a terminal that goes is none of our business.
        if terminal.isGone, fw_is_ignored(SIGHUP) == 0 { actions.quit() } else { reload() }
    }

    private func reload() {
        do throws(Failure) {
            let (adopted, needRestart) = settled.adopting(try launch.settle())
            settled = adopted
            actions.apply(adopted.settings)
            for name in needRestart {
                complain("fingerwave: \(name) stays as it is: it cannot change while running; start fingerwave again\n")
            }
        } catch {
            complain(error.line)
            complain("fingerwave: the configuration stays as it was\n")
        }
    }

    // MARK: Control

    private func openControl() throws(Failure) {
        let options = settings.control
        guard options.isOn else { return }
        guard let folder = launch.environment.runtimeDirectory, !folder.isEmpty else {
            return remark("XDG_RUNTIME_DIR is not set: fingerwave ctl cannot reach this \(command)")
        }
        do throws(ControlSocket.Problem) {
            let socket =
                if let name = options.name {
                    try ControlSocket(name: name, folder: folder)
                } else {
                    try ControlSocket(base: command, folder: folder)
                }
            remark("fingerwave ctl finds this \(command) as \(socket.name)")
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
            case .taken: complain("fingerwave: no name is left: fingerwave ctl cannot reach this \(command)\n")
            case .refused(let why): complain("fingerwave: \(why): fingerwave ctl cannot reach this \(command)\n")
            }
        }
    }

    /// SIGUSR1.
    private func togglePause() { actions.setPaused(!actions.isPaused()) }

    private func obey(_ order: ControlCommand) throws(Failure) -> [String] {
        switch order {
        case .pause: actions.setPaused(true)
        case .resume: actions.setPaused(false)
        case .toggle: togglePause()
        case .clear: actions.clear()
        case .style(let name):
            try settled.set(ParsedOption("style", name, from: .control))
            actions.apply(settings)
        case .quit: actions.quit()
        case .status:
            var line = JSONLine(type: "status")
            line.add("name", control?.socket.name ?? "")
            line.add("pid", getpid())
            line.add("version", Help.version)
            line.add("command", command)
            return actions.status(line)
        }
        return []
    }
}
