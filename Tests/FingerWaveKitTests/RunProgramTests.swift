import CLibc
import CLinuxShims
import Testing

/// `fingerwave run`, started as a user does, with a socket that merely listens as its compositor.
@Suite(.serialized) final class RunProgramTests {
    private let folder: String
    private let compositor: Int32

    init() throws {
        var template = Array("/tmp/fingerwave-run-XXXXXX".utf8CString)
        folder = String(cString: try #require(mkdtemp(&template)))
        compositor = fw_listen_local(folder + "/compositor", 16)
        try #require(compositor >= 0)
    }

    deinit {
        close(compositor)
        for name in names { unlink("\(folder)/\(name)") }
        rmdir(folder)
    }

    /// What is in the runtime folder.
    private var names: [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }

    /// The next connection to the compositor, which is waited for; -1 when none comes.
    private func acceptLink() -> Int32 {
        var waiting = pollfd(fd: compositor, events: Int16(POLLIN), revents: 0)
        return poll(&waiting, 1, 10_000) == 1 ? accept(compositor, nil, nil) : -1
    }

    private func start(
        _ script: String, display: String = "compositor", _ options: [String] = []
    ) throws -> Running {
        try Running(
            ["run", "--no-control"] + options + ["--", "sh", "-c", script],
            environment: ["XDG_RUNTIME_DIR=\(folder)", "WAYLAND_DISPLAY=\(display)", "WAYLAND_SOCKET=9", "A=b=c"])
    }

    private func run(
        _ script: String, display: String = "compositor", _ options: [String] = []
    ) throws -> (status: Int32, output: String) {
        let program = try start(script, display: display, options)
        return (program.wait(), program.rest())
    }

    @Test(arguments: [("exit 0", 0), ("exit 7", 7), ("kill -15 $$", 143), ("kill -9 $$", 137)] as [(String, Int32)])
    func theAppsStatusIsHandedOn(script: String, status: Int32) throws {
        #expect(try run(script).status == status)
        #expect(names == ["compositor"])
    }

    @Test func theDisplayIsLockedPrivateAndGoneAtTheEnd() throws {
        let result = try run(
            """
            echo $WAYLAND_DISPLAY ${WAYLAND_SOCKET-none} $A; cd $XDG_RUNTIME_DIR; stat -c '%a %F' $WAYLAND_DISPLAY
            echo wayland*; flock -n wayland-1.lock echo free
            """)
        #expect(
            result.output == "wayland-1 none b=c\n700 socket\nwayland-1 wayland-1.lock\n", "\(result.output)")
        #expect(names == ["compositor"])
    }

    @Test func aDeadSocketIsReplacedAndALiveOneIsNot() throws {
        close(fw_listen_local(folder + "/wayland-1", 16))
        #expect(try run("echo $WAYLAND_DISPLAY").output == "wayland-1\n")
        // Without a lock, as some compositors are.
        let live = fw_listen_local(folder + "/wayland-1", 16)
        defer { close(live) }
        #expect(try run("echo $WAYLAND_DISPLAY").output == "wayland-2\n")
        #expect(names.contains("wayland-1"))
        // With a lock, and not listening yet.
        let lock = fw_lock_file(folder + "/wayland-2.lock")
        defer { close(lock) }
        #expect(try run("echo $WAYLAND_DISPLAY").output == "wayland-3\n")
        #expect(names.contains("wayland-2.lock"))
    }

    @Test func twoRunsHaveADisplayEach() throws {
        let first = try start("echo $WAYLAND_DISPLAY; read line")
        #expect(first.line() == "wayland-1")
        #expect(try run("echo $WAYLAND_DISPLAY").output == "wayland-2\n")
        first.closeInput()
        _ = first.wait()
        #expect(names == ["compositor"])
    }

    @Test(arguments: [SIGTERM, SIGINT, SIGQUIT, SIGUSR2]) func signalsReachTheApp(number: Int32) throws {
        let program = try start("sleep 100 & trap 'kill $!; exit 9' \(number); echo up; wait")
        #expect(program.line() == "up")
        program.send(number)
        #expect(program.wait() == 9)
        #expect(names == ["compositor"])
    }

    @Test func theAppIsToldToEndAfterItsTime() throws {
        // Long enough for a shell to be there on a busy machine.
        let result = try run("sleep 100 & trap 'kill $!; echo told; exit 9' TERM; wait", ["--exit-after", "2"])
        #expect(result.status == 9 && result.output == "told\n", "\(result)")
        #expect(try run("exec sleep 100", ["--exit-after", "0"]).status == 143)
        // One that ends by itself is not waited for.
        #expect(try run("exit 4", ["--exit-after", "3600"]).status == 4)
    }

    @Test func theAppHasTheStandardDescriptorsAndNoOther() throws {
        let result = try run("ls /proc/self/fd")
        // The fourth is the folder that ls reads.
        #expect(result.output == "0\n1\n2\n3\n", "\(result.output)")
    }

    @Test func theAppHasTheSignalsAsTheyAreByDefault() throws {
        let result = try run("grep -E 'SigBlk|SigIgn' /proc/self/status")
        let words = result.output.split { $0 == "\n" || $0 == "\t" }
        #expect(words.count == 4 && words[1] == "0000000000000000", "\(result.output)")
        // What whoever started us ignores stays ignored, but a broken pipe ends the app.
        let ignored = words.count == 4 ? UInt64(words[3], radix: 16) : nil
        #expect(ignored.map { $0 & (1 << UInt64(SIGPIPE - 1)) } == 0, "\(result.output)")
    }

    @Test func withoutACompositorNothingIsStarted() throws {
        let result = try run("echo started", display: "nobody")
        #expect(result.status == 2)
        #expect(
            result.output.hasPrefix("fingerwave: cannot connect: no compositor at \(folder)/nobody: No such file"),
            "\(result.output)")
        #expect(names == ["compositor"])
    }

    @Test func anAppThatCannotBeStartedIsNamed() throws {
        let program = try Running(
            ["run", "--", "/nowhere/app"], environment: ["XDG_RUNTIME_DIR=\(folder)", "WAYLAND_DISPLAY=compositor"])
        #expect(program.wait() != 0)
        #expect(
            program.rest()
                == "fingerwave: cannot start /nowhere/app: No such file or directory; install it, or give the path to it\n"
        )
        #expect(names == ["compositor"])
    }

    @Test func aConnectionGoesToTheCompositorAndEndsWithIt() throws {
        let program = try start("echo $WAYLAND_DISPLAY; read line; exit 3")
        let name = try #require(program.line())
        // What looked whether we are there.
        close(acceptLink())
        let app = fw_connect_local("\(folder)/\(name)")
        try #require(app >= 0)
        let link = acceptLink()
        try #require(link >= 0)
        var bytes = [UInt8](repeating: 0, count: 12)
        #expect(recv(link, &bytes, 12, Int32(MSG_WAITALL)) == 12)
        // wl_display.get_registry, number 2
        #expect(bytes == [1, 0, 0, 0, 1, 0, 12, 0, 2, 0, 0, 0])
        close(link)
        var waiting = pollfd(fd: app, events: Int16(POLLIN), revents: 0)
        #expect(poll(&waiting, 1, 10_000) == 1 && recv(app, &bytes, 1, 0) == 0, "the app is not told of the end")
        close(app)
        program.closeInput()
        #expect(program.rest() == "fingerwave: the compositor closed the connection\n")
        #expect(program.wait() == 3)
    }

    @Test func whatTheAppLeavesBehindMayConnectYet() throws {
        let script = "exec 3<&0; (while kill -0 $$ 2>&-; do :; done; echo alone; read line <&3) & exit 5"
        let program = try start(script)
        #expect(program.line() == "alone")
        close(acceptLink())
        let app = fw_connect_local(folder + "/wayland-1")
        #expect(app >= 0, "the display has gone with the app")
        let link = acceptLink()
        #expect(link >= 0)
        // What is connected goes on, though all processes have ended.
        program.closeInput()
        close(app)
        close(link)
        #expect(program.wait() == 5)
        #expect(names == ["compositor"])
    }

    @Test func aSocketThatIsHandedToUsIsNotHandedOn() throws {
        let program = try Running(
            ["run", "--no-control", "--", "ls", "/proc/self/fd"],
            environment: ["XDG_RUNTIME_DIR=\(folder)", "WAYLAND_DISPLAY=compositor", "WAYLAND_SOCKET=9"],
            redirections: "9</dev/null")
        #expect(program.rest() == "0\n1\n2\n3\n")
        #expect(program.wait() == 0)
    }

    @Test func aFolderWithTheDisplaysNameIsPassedOver() throws {
        #expect(mkdir(folder + "/wayland-1", 0o700) == 0 && mkdir(folder + "/wayland-2.lock", 0o700) == 0)
        defer {
            rmdir(folder + "/wayland-1")
            rmdir(folder + "/wayland-2.lock")
        }
        #expect(try run("echo $WAYLAND_DISPLAY").output == "wayland-3\n")
        #expect(names == ["compositor", "wayland-1", "wayland-2.lock"])
    }

    @Test func aRuntimeFolderThatDoesNotDoIsNamed() throws {
        func said(_ runtime: [String]) throws -> String {
            let program = try Running(
                ["run", "--no-control", "--", "true"], environment: runtime + ["WAYLAND_DISPLAY=\(folder)/compositor"])
            #expect(program.wait() == 2)
            return program.rest()
        }
        #expect(try said([]).hasPrefix("fingerwave: cannot make a display for the app: XDG_RUNTIME_DIR is not set;"))
        #expect(try said(["XDG_RUNTIME_DIR=run"]).contains(#"XDG_RUNTIME_DIR is "run", which does not begin with /;"#))
        let long = folder + "/" + String(repeating: "a", count: 90)
        #expect(mkdir(long, 0o700) == 0)
        defer { rmdir(long) }
        #expect(try said(["XDG_RUNTIME_DIR=\(long)"]).contains("/wayland-1: File name too long;"))
        #expect(access(long + "/wayland-1.lock", F_OK) != 0, "a lock stays behind")
    }

    @Test func withoutADescriptorForSignalsNothingIsStarted() throws {
        // The display and its lock take the two that are left.
        let program = try Running(
            ["run", "--no-control", "--", "true"],
            environment: ["XDG_RUNTIME_DIR=\(folder)", "WAYLAND_DISPLAY=compositor"], mostFiles: 5)
        let said = program.rest()
        #expect(
            said == "fingerwave: cannot listen to signals: Too many open files; let it open more files (ulimit -n)\n")
        #expect(program.wait() == 2)
        #expect(names == ["compositor"])
    }

    @Test func connectionsWaitForDescriptors() throws {
        let program = try Running(
            ["run", "--no-control", "--", "sh", "-c", "echo up; read line"],
            environment: ["XDG_RUNTIME_DIR=\(folder)", "WAYLAND_DISPLAY=compositor"], mostFiles: 16)
        #expect(program.line() == "up")
        close(acceptLink())
        let apps = (0..<10).map { _ in fw_connect_local(folder + "/wayland-1") }
        #expect(apps.allSatisfy { $0 >= 0 })
        let line = program.line() ?? ""
        #expect(line.hasPrefix("fingerwave: connections of the app wait: "), "\(line)")
        // The compositor ends what is served, and what waits is.
        for _ in apps {
            let link = acceptLink()
            #expect(link >= 0)
            close(link)
        }
        for app in apps { close(app) }
        program.closeInput()
        // Once for all of them.
        #expect(program.rest() == "fingerwave: the compositor closed the connection\n")
        #expect(program.wait() == 1)
    }

    @Test func linesThatNobodyReadInTimeAreCountedAtTheEnd() throws {
        let program = try start("echo $WAYLAND_DISPLAY; read line; exit 5", ["--log=json"])
        let name = try #require(program.line())
        close(acceptLink())
        let app = fw_connect_local("\(folder)/\(name)")
        let link = acceptLink()
        try #require(app >= 0 && link >= 0)
        func send(_ socket: Int32, _ words: [UInt32]) {
            let count = words.withUnsafeBytes { fw_send(socket, $0.baseAddress, $0.count) }
            #expect(count == 4 * words.count)
        }
        func receive(_ socket: Int32, count: Int) {
            var bytes = [UInt8](repeating: 0, count: count)
            #expect(recv(socket, &bytes, count, Int32(MSG_WAITALL)) == count)
        }
        receive(link, count: 12 * 768)
        send(link, (3...769 as ClosedRange<UInt32>).flatMap { [1, 12 << 16 | 1, $0] })
        // wl_display.get_registry 2; wl_registry.bind of wl_seat as 3; wl_seat.get_touch 4
        send(app, [1, 12 << 16 | 1, 2])
        let seat = Array("wl_seat\0".utf8).withUnsafeBytes { Array($0.bindMemory(to: UInt32.self)) }
        send(app, [2, 32 << 16, 1, 8] + seat + [7, 3])
        send(app, [3, 12 << 16 | 2, 4])
        receive(link, count: 12 + 32 + 12)
        // More wl_touch.motion than the queue of lines and the pipe together hold.
        for round in 0..<25 as Range<UInt32> {
            for time in 0..<1000 as Range<UInt32> {
                send(link, [4 + 768, 24 << 16 | 2, 1000 * round + time, 7, 25600, 12800])
            }
            receive(app, count: 24 * 1000)
        }
        close(link)
        close(app)
        program.closeInput()
        let rest = program.rest()
        #expect(program.wait() == 5)
        let last = rest.split(separator: "\n").last ?? ""
        #expect(last.hasPrefix("fingerwave: ") && last.hasSuffix("dropped: nobody read them in time"), "\(last)")
        #expect(rest.hasPrefix(#"{"type":"motion""#))
    }
}

/// A program of this build that runs.
final class Running {
    private let process: pid_t
    private var input: Int32
    private let output: Int32
    private var status: Int32?

    struct StartError: Error {
        var number: Int32
    }

    /// It sees the variables given, PATH, and no others; what it writes, errors too, is read by ``line()`` and ``rest()``.
    ///
    /// - Parameters:
    ///   - largestFile: units of 512 bytes that no file of its may go beyond.
    ///   - mostFiles: how many descriptors it may have.
    ///   - redirections: a shell's, which it is started with.
    ///   - isHeld: as by nohup.
    init(
        _ arguments: [String], environment: [String], largestFile: Int? = nil, mostFiles: Int? = nil,
        redirections: String? = nil, isHeld: Bool = false
    ) throws {
        var link = [UInt8](repeating: 0, count: 4096)
        let length = link.withUnsafeMutableBytes { readlink("/proc/self/exe", $0.baseAddress!, $0.count) }
        let own = String(decoding: link[..<max(0, length)], as: UTF8.self)
        let folder = own.split(separator: "/").dropLast().map { "/\($0)" }.joined()
        let isDirect = largestFile == nil && mostFiles == nil && redirections == nil && !isHeld
        let program = isDirect ? folder + "/fingerwave" : "/bin/sh"
        let limits =
            (largestFile.map { "ulimit -f \($0); " } ?? "") + (mostFiles.map { "ulimit -n \($0); " } ?? "")
            + (isHeld ? "trap '' HUP; " : "")
        let line = limits + "exec \"$0\" \"$@\" \(redirections ?? "")"
        let shell = isDirect ? [] : ["-c", line, folder + "/fingerwave"]
        var toProgram: [Int32] = [-1, -1]
        var fromProgram: [Int32] = [-1, -1]
        guard pipe(&toProgram) == 0, pipe(&fromProgram) == 0 else { throw StartError(number: fw_errno()) }
        // Another test's child that had the other end would keep this one from ever seeing an end of file.
        for descriptor in toProgram + fromProgram { _ = fw_set_cloexec(descriptor) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, file) in [toProgram[0], fromProgram[1], fromProgram[1]].enumerated() {
            posix_spawn_file_actions_adddup2(&actions, file, Int32(number))
        }
        // The tests' own descriptors are no business of the program's.
        posix_spawn_file_actions_addclosefrom_np(&actions, 3)
        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        var words = ([program] + shell + arguments).map { strdup($0) } + [nil]
        var variables = (environment + ["PATH=\(path)"]).map { strdup($0) } + [nil]
        defer { for word in words + variables { free(word) } }
        var process: pid_t = 0
        // Nor are the signals that another test's loop listens to, on whichever thread this is.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        // Nor are those that another test's code has made the whole process deaf to, or whoever runs the tests, as a script
        // does in its background.
        var ignored = sigset_t()
        sigemptyset(&ignored)
        for number in [SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGXFSZ] { sigaddset(&ignored, number) }
        posix_spawnattr_setsigdefault(&attributes, &ignored)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let error = posix_spawn(&process, program, &actions, &attributes, &words, &variables)
        close(toProgram[0])
        close(fromProgram[1])
        (self.process, input, output) = (process, toProgram[1], fromProgram[0])
        guard error == 0 else { throw StartError(number: error) }
    }

    deinit {
        if status == nil, process > 0 {
            kill(process, SIGKILL)
            waitpid(process, nil, 0)
        }
        closeInput()
        close(output)
    }

    func say(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(input, bytes, bytes.count)
    }

    func closeInput() {
        if input >= 0 { close(input) }
        input = -1
    }

    func send(_ signal: Int32) { kill(process, signal) }

    func wait() -> Int32 {
        var code: Int32 = 0
        while waitpid(process, &code, 0) < 0, fw_errno() == EINTR {}
        status = fw_exit_code(code)
        return fw_exit_code(code)
    }

    /// The next line, without its end; nil when there is none.
    func line() -> String? {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while read(output, &byte, 1) == 1 {
            if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
        return nil
    }

    func rest() -> String {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while read(output, &byte, 1) == 1 { bytes.append(byte) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
