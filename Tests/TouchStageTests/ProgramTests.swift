import CLibc
import Testing
import TouchStage

/// The touch-stage program, started as a user does. It lies beside the tests' own program.
@Suite final class ProgramTests {
    private let folder: String

    init() throws {
        var template = Array("/tmp/touch-stage-test-XXXXXX".utf8CString)
        folder = String(cString: try #require(mkdtemp(&template)))
    }

    deinit { rmdir(folder) }

    private func run(_ arguments: [String], input: String = "", runtime: Bool = true) throws -> Finished {
        try Finished(
            "touch-stage", arguments, input: input, folder: folder,
            environment: runtime ? ["XDG_RUNTIME_DIR=\(folder)"] : [])
    }

    @Test func helpAndVersion() throws {
        let help = try run(["--help"])
        #expect(help.status == 0 && help.output.hasPrefix("usage: touch-stage") && help.errors.isEmpty)
        for name in ["--size", "--check", "wait-window", "124", "127"] { #expect(help.output.contains(name)) }
    }

    @Test(arguments: [
        (["--szie", "1x1"], "touch-stage: unknown option --szie: did you mean --size?"),
        (["--size", "0x10"], "touch-stage: --size: \"0x10\" is not WxH"),
        (["--scale"], "touch-stage: --scale: a value is missing"),
        (["--scale=none"], "touch-stage: --scale: \"none\" is no number"),
        (["--check=1"], "touch-stage: --check takes no value"),
        (["--transform", "45"], "touch-stage: --transform: \"45\" is no transform"),
        (["--offer", "wl_shm=9"], "touch-stage: --offer: wl_shm is known up to version 2"),
        (["--without", "wl_nothing"], "touch-stage: --without: there is no global \"wl_nothing\" here"),
        (["--help=1"], "touch-stage: --help takes no value"),
        (["--socket", ""], "touch-stage: --socket: \"\" is no name"),
        (["--socket=", "--exit-after", "0"], "touch-stage: --socket: \"\" is no name"),
        (["--script", "absent.txt"], "touch-stage: absent.txt: No such file or directory;"),
        (["--script", "."], "touch-stage: .: Is a directory;"), (["--script", ""], "touch-stage: \"\": No such file"),
        (["--script", "/dev/zero"], "touch-stage: /dev/zero:1: a line longer than 4096 bytes"),
        (
            ["--exit-after", "0", "--without", "wl_output", "--screenshot", "x.png"],
            "touch-stage: cannot make a screenshot: there is no screen"
        ),
        (
            ["--exit-after", "0", "--screenshot", "absent/x.png"],
            "touch-stage: cannot write a screenshot to absent/x.png:"
        ),
    ])
    func faultsOfTheCommandLineEndWith125(_ arguments: [String], _ text: String) throws {
        let result = try run(arguments)
        #expect(result.status == 125)
        #expect(result.errors.hasPrefix(text), "\(result.errors)")
    }

    /// Once for each, whatever it does then; the client has broken no rule.
    @Test func aFingerBesideEveryWindowIsTold() throws {
        let script = "# nobody is there\ndown 7 5 5\nframe\nmove 7 6 6\nframe\nup 7\nframe\n"
        let result = try run(["--check", "--script", "-"], input: script)
        #expect(result.status == 0)
        #expect(result.errors == "touch-stage: input:2: finger 7 touches no window, so nobody hears of it\n")
    }

    @Test func whatCannotBePrintedIsSaid() throws {
        for (redirection, why) in [(">/dev/full", "No space left on device"), (">&-", "Bad file descriptor")] {
            for words in ["--help", "--version", "--exit-after 0"] {
                let result = try run(["--", "sh", "-c", "exec \"$0\" \(words) \(redirection)", program])
                #expect(
                    result.status == 125
                        && result.errors.hasPrefix("touch-stage: cannot write standard output: \(why); "), "\(result)")
            }
        }
    }

    /// Of this build.
    private var program: String { Finished.folder + "/touch-stage" }

    @Test func aScriptIsNoPlaceForAPicture() throws {
        let path = folder + "/script"
        defer { unlink(path) }
        let text = "screenshot ./script\n"
        let file = try #require(fopen(path, "w"))
        fputs(text, file)
        fclose(file)
        for words in [[], ["--exit-after", "0", "--screenshot", path]] {
            let result = try run(["--script", "script"] + words)
            #expect(result.status == 125 && result.errors.contains("it is the script; give another file"), "\(result)")
        }
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_size == text.utf8.count)
    }

    @Test func aRuntimeFolderThatCannotBeUsedIsNamed() throws {
        for (path, why) in [("/nonexistent", "No such file or directory"), ("/dev/null", "Not a directory")] {
            let result = try Finished(
                "touch-stage", ["--exit-after", "0"], input: "", folder: folder,
                environment: ["XDG_RUNTIME_DIR=\(path)"])
            #expect(result.status == 125)
            #expect(
                result.errors.hasPrefix("touch-stage: cannot make a socket in XDG_RUNTIME_DIR, \(path): \(why);"),
                "\(result)")
        }
        let empty = try Finished(
            "touch-stage", ["--exit-after", "0"], input: "", folder: folder, environment: ["XDG_RUNTIME_DIR="])
        #expect(empty.status == 0 && empty.output.hasPrefix("XDG_RUNTIME_DIR=/tmp/touch-stage-"), "\(empty)")
    }

    @Test func aFileIsNoSocket() throws {
        let path = folder + "/precious"
        defer { unlink(path) }
        let file = try #require(fopen(path, "w"))
        fclose(file)
        for name in ["precious", path] {
            let result = try run(["--exit-after", "0", "--socket", name])
            #expect(result.status == 125, "\(result)")
            #expect(result.errors.hasPrefix("touch-stage: cannot listen on \(name): File exists;"), "\(result)")
            #expect(access(path, F_OK) == 0)
        }
    }

    /// Nothing is done twice, left out or kept in memory.
    @Test func aLongScriptIsPlayedAsItComes() throws {
        let frames = String(repeating: "frame\n", count: 400_000)
        for words in [["--script", "-"], ["--script", "/proc/self/fd/0"]] {
            let result = try run(words, input: frames + "screenshot absent/x.png\n" + frames)
            #expect(result.status == 125 && result.errors.contains("absent/x.png: No such file"), "\(result)")
        }
    }

    @Test func aFaultInTheScriptNamesItsLine() throws {
        let result = try run(["--script", "-"], input: "frame\n\nbogus\n")
        #expect(result.status == 125)
        #expect(result.errors.hasPrefix("touch-stage: input:3: unknown command \"bogus\""), "\(result.errors)")
        let odd = try run(["--script", "-"], input: "fr\u{1}\u{1B}[2J\n")
        #expect(odd.errors.hasPrefix("touch-stage: input:1: unknown command \"fr??[2J\";"), "\(odd.errors)")
    }

    /// A client that never comes is no success.
    @Test func theTimeMayEndBeforeTheScript() throws {
        for rest in ["", "frame\n"] {
            let result = try run(["--script", "-", "--exit-after", "0.1"], input: "wait-window\n" + rest)
            #expect(result.status == 125, "\(result)")
            #expect(
                result.errors.hasPrefix("touch-stage: --exit-after 0.1 came before the script was done;"), "\(result)")
        }
        #expect(try run(["--script", "-", "--exit-after", "0.1"], input: "frame\n").status == 0)
    }

    @Test func theProgramsStatusIsHandedOn() throws {
        let failed = try run(["--", "sh", "-c", "exit 7"])
        #expect(failed.status == 7 && failed.errors.contains("sh ended with status 7"))
        #expect(try run(["--", "sh", "-c", "exit 0"]).status == 0)
        #expect(try run(["--", "/nowhere/program"]).status == 127)
        #expect(try run(["--", "/dev/null"]).status == 126)
        #expect(try run(["--", "sh", "-c", "kill -9 $$"]).status == 137)
    }

    /// As every program: no crash is told of.
    @Test(arguments: [SIGQUIT, SIGABRT, SIGSEGV]) func aSignalFromOutsideIsNoCrash(number: Int32) throws {
        let result = try run(["--", "sh", "-c", "kill -\(number) $PPID; sleep 20"])
        #expect(result.status == 128 + number && result.errors.isEmpty, "\(result)")
        for name in ["wayland-0", "wayland-0.lock"] { unlink("\(folder)/\(name)") }
    }

    @Test func theProgramFindsTheSocketAndAPrivateFolderWhenThereIsNone() throws {
        for hasFolder in [true, false] {
            let result = try run(
                [
                    "--socket", "stage-test", "--", "sh", "-c",
                    "echo $XDG_RUNTIME_DIR; test -S $XDG_RUNTIME_DIR/$WAYLAND_DISPLAY",
                ],
                runtime: hasFolder)
            #expect(result.status == 0)
            let path = String(result.output.prefix { $0 != "\n" })
            #expect((path == folder) == hasFolder)
            let rest = hasFolder ? "\(path)/stage-test" : path
            #expect(!rest.isEmpty && access(rest, F_OK) != 0, "\(rest) was left behind")
        }
    }

    @Test func theScriptsEndEndsTheProgram() throws {
        let result = try run(
            ["--script", "-", "--", "sh", "-c", "sleep 60"], input: "sleep 10\nscreenshot none.png\nquit\n")
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
        unlink("\(folder)/none.png")
        let early = try run(["--script", "-", "--", "true"], input: "sleep 60000\n")
        #expect(early.status == 125 && early.errors.contains("true ended before the script did"))
    }

    @Test func theScreenshotIsTheScreen() throws {
        let path = folder + "/screen.png"
        defer { unlink(path) }
        let result = try run([
            "--size", "60x40", "--transform", "90", "--exit-after", "0", "--screenshot", path,
        ])
        #expect(result.status == 0)
        #expect(result.output.contains("WAYLAND_DISPLAY=wayland-"))
        let picture = try Picture(png: path)
        #expect(picture == Picture(width: 40, height: 60, fill: 0xFF00_0000))
    }
}
