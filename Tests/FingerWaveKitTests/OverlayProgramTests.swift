import CLibc
import CLinuxShims
import Testing

/// `fingerwave overlay`, started as a user does, with a socket that merely listens as its compositor.
@Suite(.serialized) final class OverlayProgramTests {
    private let folder: String

    init() throws {
        var template = Array("/tmp/fingerwave-overlay-XXXXXX".utf8CString)
        folder = String(cString: try #require(mkdtemp(&template)))
    }

    deinit {
        unlink("\(folder)/compositor")
        rmdir(folder)
    }

    private func start(_ options: String...) throws -> Running {
        try Running(
            ["overlay", "--no-control"] + options,
            environment: ["XDG_RUNTIME_DIR=\(folder)", "WAYLAND_DISPLAY=compositor"])
    }

    @Test func withoutACompositorItEndsOrWaits() throws {
        let ended = try start("--no-reconnect", "--source", "-")
        #expect(ended.wait() == 2)
        #expect(ended.rest().contains("fingerwave: cannot connect: "))
        let waiting = try start("--source", "-")
        let said = try #require(waiting.line())
        #expect(said.contains("waiting for a compositor"), "\(said)")
        waiting.send(SIGTERM)
        #expect(waiting.wait() == 0)
    }

    @Test func aCompositorThatGoesIsTriedAgain() throws {
        let program = try start("--source", "-")
        #expect(program.line()?.contains("waiting for a compositor") == true)
        let compositor = fw_listen_local(folder + "/compositor", 4)
        defer { close(compositor) }
        for _ in 0..<2 {
            var waiting = pollfd(fd: compositor, events: Int16(POLLIN), revents: 0)
            #expect(poll(&waiting, 1, 60_000) == 1)
            // It goes before it has answered: no word of it, as it was not there again.
            close(fw_accept(compositor))
        }
        program.send(SIGTERM)
        #expect(program.wait() == 0)
        #expect(program.rest() == "")
    }

    @Test func aFileThatIsNotThereIsNamed() throws {
        let compositor = fw_listen_local(folder + "/compositor", 4)
        defer { close(compositor) }
        let program = try start("--source", folder + "/none")
        #expect(program.wait() == 5)
        #expect(program.rest().contains("fingerwave: cannot read \(folder)/none: "))
    }

    @Test func itsPaceIsChecked() throws {
        let fast = try start("--source", folder + "/none", "--speed=max")
        #expect(fast.wait() == 1)
        #expect(fast.rest().contains("fingerwave replay --no-window --speed=max"))
        let loop = try start("--source", "/dev/stdin", "--loop")
        #expect(loop.wait() == 1)
        #expect(loop.rest().contains("--loop needs a FILE"))
    }

    @Test func theEndOfStandardInputEndsIt() throws {
        let program = try start("--source", "-")
        #expect(program.line()?.contains("waiting for a compositor") == true)
        program.closeInput()
        #expect(program.wait() == 0)
    }
}
