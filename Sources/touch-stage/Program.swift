internal import CLibc
internal import CLinuxShims
internal import EventLoop
internal import TouchStage
internal import WaylandServer

/// A stage in real time, with a program on it and a script to touch it by.
final class Program {
    private let arguments: Arguments
    private let stage: Stage
    private let loop = EventLoop()
    private var child: Child?
    private var script: Script?
    private var waiting = Waiting.nothing
    /// When the last sleep was over: the next counts from there, so that their being late does not add up.
    private var rested: Int64 = 0
    /// ns; what took longer was no lateness. Our choice.
    private static let lateness: Int64 = 20_000_000
    private var status: Int32 = 0
    private var isFinished = false
    private var frameTimer: EventLoop.Token?
    private var inputWatch: EventLoop.Token?
    private var lastPicture: Picture?
    /// A private runtime folder that was made here and goes with the program.
    private var folder: String?

    private enum Waiting {
        case nothing
        case until(Int64)
        /// For the answers to pings, until the deadline.
        case pong(Script.Line, deadline: Int64)
        case window(Script.Line, deadline: Int64)
    }

    static let ownFailure: Int32 = 125
    /// Commands of standard input that are kept.
    private static let mostWaiting = 10_000

    init(_ arguments: Arguments) throws(Server.Failure) {
        self.arguments = arguments
        stage = try Stage(arguments.stage)
    }

    /// Runs to the end. Returns the exit status.
    func run() -> Int32 {
        guard prepare() else { return cleanUp(Program.ownFailure) }
        stage.onViolation = { violation in complain("the client broke a rule: \(violation)") }
        if arguments.screenshot != nil { stage.onClientEnd = { [unowned self] in keepPicture() } }
        followClock()
        _ = loop.watch(stage.fileDescriptor, .readable) { [unowned self] _ in
            followClock()
            stage.turn()
        }
        for (signal, code) in [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)]
        where fw_is_ignored(signal) == 0 {
            guard loop.onSignal(signal, { [unowned self] _ in finish(code) }) else { return cleanUp(deaf()) }
        }
        guard loop.onSignal(SIGCHLD, { [unowned self] _ in watchChild() }) else { return cleanUp(deaf()) }
        if let seconds = arguments.exitAfter {
            loop.schedule(at: EventLoop.now + Int64(seconds * 1e9)) { [unowned self] in endInTime(seconds) }
        }
        guard startChild() else { return cleanUp(status) }
        loop.afterTurn { [unowned self] in turn() }
        loop.run()
        return cleanUp(status)
    }

    // MARK: Setting up

    private func deaf() -> Int32 {
        complain("cannot listen to signals; let it open more files (ulimit -n)")
        return Program.ownFailure
    }

    private func prepare() -> Bool {
        do {
            if let path = arguments.script {
                if path == "-" { followInput() } else { script = try Script(path: path) }
            }
        } catch {
            complain(error.text)
            return false
        }
        guard findFolder() else { return false }
        let name: String
        do {
            name = try stage.listen(name: arguments.socket)
        } catch {
            guard case .socket(let socket, let number) = error else { return false }
            complain(
                "cannot listen on \(named(socket)): \(SystemError(number: number).text); "
                    + "give another --socket or see that XDG_RUNTIME_DIR is yours to write")
            return false
        }
        unsafe setenv("WAYLAND_DISPLAY", name, 1)
        unsafe unsetenv("WAYLAND_SOCKET")
        if arguments.child.isEmpty {
            // SAFETY: the string is copied into the line before anything may change the environment.
            let place = unsafe getenv("XDG_RUNTIME_DIR").map { unsafe String(cString: $0) } ?? ""
            return say("XDG_RUNTIME_DIR=\(place) WAYLAND_DISPLAY=\(name)")
        }
        return true
    }

    /// libwayland's own words for one that cannot be used are about something else.
    private func findFolder() -> Bool {
        // SAFETY: the variable's text is copied before anything may change it.
        let path = unsafe getenv("XDG_RUNTIME_DIR").map { unsafe String(cString: $0) } ?? ""
        if path.isEmpty { return makeFolder() }
        let isNeeded = arguments.socket?.hasPrefix("/") != true
        guard isNeeded, unsafe access(path + "/", W_OK | X_OK) != 0 else { return true }
        complain(
            "cannot make a socket in XDG_RUNTIME_DIR, \(path): \(SystemError(number: fw_errno()).text); "
                + "set it to a folder that is yours, or leave it out")
        return false
    }

    private func makeFolder() -> Bool {
        var template = Array("/tmp/touch-stage-XXXXXX".utf8CString)
        // SAFETY: mkdtemp writes within the template, which outlives the copy.
        guard let made = unsafe mkdtemp(&template) else {
            complain(
                "cannot make a folder for the socket: \(SystemError(number: fw_errno()).text); set XDG_RUNTIME_DIR")
            return false
        }
        let path = unsafe String(cString: made)
        folder = path
        unsafe setenv("XDG_RUNTIME_DIR", path, 1)
        return true
    }

    private func followInput() {
        script = Script(name: "input")
        watchInput()
    }

    private func watchInput() { inputWatch = loop.watch(0, .readable) { [unowned self] _ in readInput() } }

    private func unwatchInput() {
        if let inputWatch { loop.unwatch(inputWatch) }
        inputWatch = nil
    }

    private func readInput() {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let length = unsafe bytes.withUnsafeMutableBytes { unsafe read(0, $0.baseAddress, $0.count) }
        let number = fw_errno()
        if length < 0, number == EAGAIN || number == EINTR { return }
        do throws(Script.ReadError) {
            if length > 0 {
                try script?.add(bytes[..<length])
                // Who writes faster than it is played waits.
                if script?.waitingCount ?? 0 > Program.mostWaiting { unwatchInput() }
            } else {
                unwatchInput()
                if length < 0 {
                    throw Script.ReadError(text: "cannot read the input: \(SystemError(number: number).text)")
                }
                try script?.finish()
            }
        } catch {
            complain(error.text)
            finish(Program.ownFailure)
        }
    }

    private func startChild() -> Bool {
        guard !arguments.child.isEmpty else { return true }
        switch Child.start(arguments.child, hasInput: arguments.script != "-") {
        case .success(let started):
            child = started
            return true
        case .failure(let error):
            complain("cannot start \(named(arguments.child[0])): \(error.text); give a program after --")
            status = error.number == ENOENT ? 127 : 126
            return false
        }
    }

    // MARK: Turns

    private func followClock() { stage.advance(nanoseconds: EventLoop.now - stage.now) }

    private func turn() {
        followClock()
        stage.turn()
        if !isFinished { playScript() }
        // Requests are for the next turn: handled here, nobody would look whether the script waited for them.
        stage.flush()
        if frameTimer == nil, stage.hasWaitingFrames, let due = stage.nextFrame {
            frameTimer = loop.schedule(at: due) { [unowned self] in frameTimer = nil }
        }
    }

    private func wait(_ next: Waiting, until deadline: Int64) {
        waiting = next
        loop.schedule(at: deadline) {}
    }

    private func playScript() {
        while !isFinished {
            guard isWaitOver() else { return }
            guard let line = script?.next() else {
                if script?.isComplete == true { return finish(0) }
                if arguments.script == "-", inputWatch == nil { watchInput() }
                return
            }
            play(line)
        }
    }

    private func play(_ line: Script.Line) {
        if stage.perform(line.command) { return tellOfNothing(line) }
        let now = EventLoop.now
        switch line.command {
        case .sleep(let milliseconds):
            let isLate = (0...Program.lateness).contains(now - rested)
            let due = (isLate ? rested : now) + Int64(milliseconds) * 1_000_000
            rested = due
            wait(.until(due), until: due)
        case .sync:
            stage.ping()
            wait(.pong(line, deadline: now + 2_000_000_000), until: now + 2_000_000_000)
        case .waitWindow: wait(.window(line, deadline: now + 10_000_000_000), until: now + 10_000_000_000)
        case .screenshot(let path): if !write(stage.screenshot(), path) { finish(Program.ownFailure) }
        case .quit: finish(0)
        default: fail(line, "there is no seat (--without wl_seat)")
        }
    }

    /// A finger that nobody hears of is hardly what the script is for.
    private func tellOfNothing(_ line: Script.Line) {
        guard case .down(let id, _, _) = line.command, stage.seats.first?.touch.contactsOnNothing.contains(id) == true
        else { return }
        complain("\(script?.place(line) ?? ""): finger \(id) touches no window, so nobody hears of it")
    }

    /// Whether the script may go on.
    private func isWaitOver() -> Bool {
        let now = EventLoop.now
        switch waiting {
        case .nothing: return true
        case .until(let due):
            guard now >= due else { return false }
            waiting = .nothing
        case .pong(let line, let deadline):
            if stage.unansweredPings.isEmpty {
                // What the ping's events led to is drawn at the next refresh; the one after it is sure to show it.
                wait(.until(now + 2 * 16_666_667), until: now + 2 * 16_666_667)
                return false
            }
            guard now >= deadline else { return false }
            fail(line, "the client did not answer a ping within 2 s")
        case .window(let line, let deadline):
            if stage.windows.contains(where: \.isMapped) || stage.layers.contains(where: \.isMapped) {
                waiting = .nothing
            } else {
                guard now >= deadline else { return false }
                fail(line, "no window was shown within 10 s")
            }
        }
        return !isFinished
    }

    private var isScriptDone: Bool {
        guard let script else { return true }
        guard case .nothing = waiting else { return false }
        return script.isComplete && script.waitingCount == 0
    }

    private func fail(_ line: Script.Line, _ reason: String) {
        complain("\(script?.place(line) ?? ""): \(reason)")
        finish(Program.ownFailure)
    }

    private func watchChild() {
        guard let code = child?.poll() else { return }
        child = nil
        stage.turn()
        if code != 0 {
            complain(
                "\(arguments.child[0]) ended with status \(code)" + (code > 128 ? ", by signal \(code - 128)" : ""))
            finish(code)
        } else if !isScriptDone {
            complain("\(arguments.child[0]) ended before the script did; make the script shorter or the program stay")
            finish(Program.ownFailure)
        } else {
            finish(0)
        }
    }

    // MARK: The end

    /// What waits on standard input may come or not; a line that waits for something has not got it.
    private func endInTime(_ seconds: Double) {
        var isStuck = (script?.waitingCount ?? 0) > 0
        if case .nothing = waiting {} else { isStuck = true }
        guard isStuck else { return finish(0) }
        complain("--exit-after \(seconds) came before the script was done; make it longer, or see what it waits for")
        finish(Program.ownFailure)
    }

    private func finish(_ code: Int32) {
        guard !isFinished else { return }
        isFinished = true
        status = code
        loop.stop()
    }

    private func keepPicture() {
        if stage.windows.contains(where: \.isMapped) || stage.layers.contains(where: \.isMapped) {
            lastPicture = stage.screenshot()
        }
    }

    /// False when that cannot be, which is said.
    private func write(_ picture: Picture, _ path: String) -> Bool {
        if arguments.isScript(path) {
            complain("cannot write a screenshot to \(path): it is the script; give another file")
            return false
        }
        guard picture.width > 0 else {
            complain("cannot make a screenshot: there is no screen (--without wl_output)")
            return false
        }
        do {
            try picture.write(png: path)
        } catch {
            complain(
                "cannot write a screenshot to \(named(error.path)): \(error.reason); "
                    + "give a file in a folder that is yours")
            return false
        }
        return true
    }

    private func cleanUp(_ code: Int32) -> Int32 {
        var code = code
        if let path = arguments.screenshot, code != Program.ownFailure, code < 126 || code > 127 {
            keepPicture()
            if !write(lastPicture ?? stage.screenshot(), path) { code = Program.ownFailure }
        }
        stage.checkHeldBuffers()
        stage.onClientEnd = nil
        child?.end()
        stage.shutDown()
        if let folder { unsafe rmdir(folder) }
        if arguments.checks, code == 0, !stage.violations.isEmpty { return 124 }
        return code
    }
}
