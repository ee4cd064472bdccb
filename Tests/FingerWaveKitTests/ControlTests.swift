import CLibc
import CLinuxShims
import EventLoop
import Foundation
import Recording
import Testing

@testable import FingerWaveKit

/// A control server on a loop of this thread, turned by hand.
private final class ControlRig {
    let folder: TestFolder
    let loop = EventLoop()
    let server: ControlServer
    private(set) var obeyed: [ControlCommand] = []

    init(status: [String] = ["{\"type\":\"status\",\"name\":\"window\"}\n"]) throws {
        let folder = try TestFolder()
        self.folder = folder
        var take: (ControlCommand) -> Void = { _ in }
        server = ControlServer(try ControlSocket(name: "window", folder: folder.path), loop: loop) {
            (command) throws(Failure) in
            take(command)
            if case .style(let name) = command, name != "wave" {
                throw .usage("no style \(name)", why: "there is wave", remedy: "choose it")
            }
            return command == .status ? status : []
        }
        take = { [unowned self] in self.obeyed.append($0) }
    }

    /// Until nothing is ready any more.
    func settle() { for _ in 0..<50 { loop.turn(wait: false) } }

    func connect() throws -> RawClient { try RawClient(server.socket.path) }
}

/// The other end, without any manners.
private final class RawClient {
    let descriptor: Int32

    init(_ path: String) throws {
        descriptor = fw_connect_local(path)
        #expect(descriptor >= 0, "\(errorText(fw_errno()))")
        #expect(fw_set_nonblocking(descriptor, 1) == 0)
    }

    deinit { _ = close(descriptor) }

    /// Returns how much was taken.
    @discardableResult
    func send(_ text: String) -> Int {
        let bytes = Array(text.utf8)
        return fw_send(descriptor, bytes, bytes.count)
    }

    /// What there is to read now; nil once the server hung up and all was read.
    func receive() -> String? {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(descriptor, &buffer, buffer.count)
        if count > 0 { return String(decoding: buffer[..<count], as: UTF8.self) }
        return count == 0 || fw_errno() == ECONNRESET ? nil : ""
    }
}

@Suite struct ControlServerTests {
    @Test func answersALineWithLinesAndDone() throws {
        let rig = try ControlRig()
        let client = try rig.connect()
        client.send("status\n")
        rig.settle()
        #expect(
            client.receive() == "{\"type\":\"status\",\"name\":\"window\"}\n"
                + "{\"type\":\"done\",\"command\":\"status\"}\n")
        client.send("pause\nresume\r\n  style   wave \n")
        rig.settle()
        #expect(rig.obeyed == [.status, .pause, .resume, .style("wave")])
        #expect(rig.server.clientCount == 1)
    }

    @Test func refusesWithItsReason() throws {
        let rig = try ControlRig()
        let client = try rig.connect()
        client.send("style wve\npuase\n\nstatus now\n")
        rig.settle()
        let lines = try #require(client.receive()).split(separator: "\n").map(String.init)
        #expect(lines.count == 4 && lines.allSatisfy { $0.hasPrefix("{\"type\":\"error\",") }, "\(lines)")
        #expect(lines[0].contains("\"what\":\"no style wve\",\"why\":\"there is wave\""))
        #expect(lines[1].contains("did you mean pause?"))
    }

    @Test func aLineInPiecesIsOneAndTheLastNeedsNoEnd() throws {
        let rig = try ControlRig()
        let client = try rig.connect()
        for piece in ["pa", "u", "se\ncle", "ar"] {
            client.send(piece)
            rig.settle()
        }
        #expect(rig.obeyed == [.pause])
        #expect(shutdown(client.descriptor, Int32(SHUT_WR)) == 0)
        rig.settle()
        #expect(rig.obeyed == [.pause, .clear])
        #expect(client.receive()?.hasSuffix("\"clear\"}\n") == true && client.receive() == nil)
        #expect(rig.server.clientCount == 0)
    }

    @Test func aLineWithoutEndIsNotKept() throws {
        let rig = try ControlRig()
        let client = try rig.connect()
        let megabyte = String(repeating: "x", count: 1 << 20)
        for _ in 0..<100 {
            client.send(megabyte)
            rig.settle()
        }
        let text = client.receive()
        #expect(text?.contains("the line is too long") == true)
        #expect(client.receive() == nil && rig.server.clientCount == 0)
    }

    @Test func whoNeverReadsIsNotListenedTo() throws {
        let long = (0..<20).map { _ in "{\"type\":\"status\",\"x\":\"" + String(repeating: "y", count: 4000) + "\"}\n" }
        let rig = try ControlRig(status: long)
        let client = try rig.connect()
        for _ in 0..<1000 {
            client.send("status\n")
            rig.settle()
        }
        // As many as the socket's buffer takes, and no more than one answer kept.
        #expect(rig.obeyed.count < 20, "\(rig.obeyed.count)")
        let other = try rig.connect()
        other.send("pause\n")
        rig.settle()
        #expect(rig.obeyed.last == .pause)
        // Once it reads, it gets whole answers.
        var text = ""
        while let piece = client.receive(), text.utf8.count < 200_000 {
            text += piece
            rig.settle()
        }
        #expect(text.split(separator: "\n").dropLast().allSatisfy { (try? JSONFields(String($0))) != nil })
        #expect(text.contains("\"done\""))
    }

    @Test func whoGoesInTheMiddleOfAnAnswerIsForgotten() throws {
        let rig = try ControlRig(status: [String(repeating: "z", count: 1 << 20) + "\n"])
        do {
            let client = try rig.connect()
            client.send("status\nstatus\n")
            rig.settle()
            #expect(rig.server.clientCount == 1)
        }
        rig.settle()
        #expect(rig.server.clientCount == 0)
    }

    @Test func aHundredConnectionsLetTheNextOneThrough() throws {
        let rig = try ControlRig()
        var crowd: [RawClient] = []
        for _ in 0..<100 {
            crowd.append(try rig.connect())
            rig.settle()
        }
        #expect(rig.server.clientCount == ControlServer.mostClients)
        let client = try rig.connect()
        client.send("pause\n")
        rig.settle()
        #expect(rig.obeyed == [.pause] && client.receive()?.contains("done") == true)
        #expect(crowd[0].receive() == nil)
        crowd = []
        rig.settle()
        #expect(rig.server.clientCount == 1)
    }

    @Test func oneConnectionGetsABoundedNumberOfAnswers() throws {
        let rig = try ControlRig()
        let client = try rig.connect()
        for _ in 0..<300 {
            client.send("clear\n")
            rig.settle()
            _ = client.receive()
        }
        #expect(rig.obeyed.count == ControlServer.mostLines && rig.server.clientCount == 0)
    }

    @Test func withoutClientsNothingIsScheduled() throws {
        let rig = try ControlRig()
        #expect(rig.loop.nextDue == nil)
        do {
            let client = try rig.connect()
            rig.settle()
            let due = try #require(rig.loop.nextDue)
            #expect(due - EventLoop.now <= ControlServer.patience && due > EventLoop.now)
            client.send("status\n")
            rig.settle()
            #expect(rig.loop.nextDue! > due, "a client that says something has its time anew")
        }
        rig.settle()
        #expect(rig.loop.nextDue == nil)
    }

    @Test func anyBytesAreAnsweredOrRefused() throws {
        let rig = try ControlRig()
        var state: UInt64 = 7
        for _ in 0..<200 {
            let client = try rig.connect()
            var bytes: [UInt8] = []
            for _ in 0..<64 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                bytes.append(state >> 60 == 0 ? 0x0A : UInt8(truncatingIfNeeded: state >> 33))
            }
            _ = fw_send(client.descriptor, bytes, bytes.count)
            _ = shutdown(client.descriptor, Int32(SHUT_WR))
            rig.settle()
            let lines = (client.receive() ?? "").split(separator: "\n")
            #expect(!lines.isEmpty && lines.allSatisfy { (try? JSONFields(String($0))) != nil })
        }
        #expect(rig.server.clientCount == 0)
    }
}

@Suite struct ControlSocketTests {
    let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func mode(_ path: String) -> mode_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
    }

    @Test func onlyItsOwnerCanConnect() throws {
        let socket = try ControlSocket(name: "a", folder: folder.path)
        #expect(socket.path == "\(folder.path)/fingerwave-a.socket")
        #expect(mode(socket.path) == 0o600)
        #expect(mode("\(folder.path)/fingerwave-a.lock") == 0o600)
    }

    @Test func leavesNothingBehind() throws {
        var socket: ControlSocket? = try ControlSocket(name: "a", folder: folder.path)
        #expect(socket != nil)
        socket = nil
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test func aLivingOneIsNotDisturbed() throws {
        let socket = try ControlSocket(name: "a", folder: folder.path)
        for _ in 0..<3 {
            #expect(throws: ControlSocket.Problem.taken) { try ControlSocket(name: "a", folder: folder.path) }
        }
        let client = fw_connect_local(socket.path)
        #expect(client >= 0)
        #expect(close(client) == 0)
    }

    @Test func theNextFreeNameIsTaken() throws {
        let first = try ControlSocket(base: "window", folder: folder.path)
        var second: ControlSocket? = try ControlSocket(base: "window", folder: folder.path)
        let third = try ControlSocket(base: "window", folder: folder.path)
        #expect([first.name, second?.name, third.name] == ["window", "window-2", "window-3"])
        second = nil
        #expect(try ControlSocket(base: "window", folder: folder.path).name == "window-2")
    }

    /// What a killed process leaves: both files, and nobody who holds the lock.
    @Test func aStaleOneIsReplaced() throws {
        let path = "\(folder.path)/fingerwave-window.socket"
        let stale = fw_listen_local(path, 1)
        #expect(stale >= 0)
        #expect(close(stale) == 0)
        try folder.write("fingerwave-window.lock", "")
        #expect(fw_connect_local(path) < 0 && fw_errno() == ECONNREFUSED)
        let socket = try ControlSocket(base: "window", folder: folder.path)
        #expect(socket.name == "window")
        let client = fw_connect_local(path)
        #expect(client >= 0)
        #expect(close(client) == 0)
    }

    @Test func whatCannotBeIsSaid() throws {
        func problem(_ folder: String) -> ControlSocket.Problem? {
            do throws(ControlSocket.Problem) {
                _ = try ControlSocket(name: "a", folder: folder)
                return nil
            } catch {
                return error
            }
        }
        #expect(problem("/nonexistent") == .refused("/nonexistent/fingerwave-a.lock: No such file or directory"))
        let deep = folder.path + "/" + String(repeating: "d", count: 100)
        try FileManager.default.createDirectory(atPath: deep, withIntermediateDirectories: true)
        #expect(problem(deep) == .refused("\(deep)/fingerwave-a.socket: File name too long"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: deep).isEmpty)
    }

    /// A link to somebody's file is not followed.
    @Test func aLinkInTheLocksPlaceIsRefused() throws {
        let victim = try folder.write("victim", "text")
        #expect(symlink(victim, "\(folder.path)/fingerwave-a.lock") == 0)
        #expect(throws: ControlSocket.Problem.self) { try ControlSocket(name: "a", folder: folder.path) }
    }

    @Test(arguments: [
        ("window", true), ("kiosk_1.left", true), ("_", true), ("", false), (".", false), ("..", false), ("a/b", false),
        ("-a", false), ("ä", false), ("a b", false), (String(repeating: "a", count: 40), true),
        (String(repeating: "a", count: 41), false),
    ])
    func namesAreSafeInPaths(name: String, isValid: Bool) {
        #expect(InstanceName.isValid(name) == isValid)
        #expect((InstanceName.name(ofFile: "fingerwave-\(name).socket") == name) == isValid)
    }

    @Test func onlySocketsAreNames() {
        for file in ["fingerwave-a.lock", "fingerwave-.socket", "a.socket", "fingerwave-a.socketx"] {
            #expect(InstanceName.name(ofFile: file) == nil, "\(file)")
        }
    }
}

/// `fingerwave ctl` against servers that run in a thread of their own.
@Suite struct CtlCommandTests {
    private final class Running: @unchecked Sendable {
        private let thread: Thread
        private let done = DispatchSemaphore(value: 0)

        /// Ends with `quit`.
        init(_ name: String, _ folder: String) throws {
            let ready = DispatchSemaphore(value: 0)
            let done = done
            thread = Thread {
                let loop = EventLoop()
                if let socket = try? ControlSocket(name: name, folder: folder) {
                    let server = ControlServer(socket, loop: loop) { (command) throws(Failure) in
                        if command == .quit { loop.stop() }
                        if case .style(let style) = command { throw .usage("no style \(style)", remedy: "look") }
                        guard command == .status else { return [] }
                        var line = JSONLine(type: "status")
                        line.add("name", name)
                        line.add("pid", 77)
                        line.add("paused", true)
                        var seat = JSONLine(type: "seat")
                        seat.add("name", "a\"b")
                        seat.add("touch", true)
                        return [line.line, seat.line]
                    }
                    ready.signal()
                    loop.run()
                    withExtendedLifetime(server) {}
                } else {
                    ready.signal()
                }
                done.signal()
            }
            thread.start()
            ready.wait()
        }

        func join() { done.wait() }
    }

    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func ctl(_ words: String..., name: String? = nil, json: Bool = false) throws(Failure) -> String {
        var options = CtlOptions()
        options.name = name
        options.json = json
        return try CtlCommand(options: options, environment: Environment(runtimeDirectory: folder.path)).run(words)
    }

    private func failure(_ words: String..., name: String? = nil) -> Failure? {
        var options = CtlOptions()
        options.name = name
        do throws(Failure) {
            _ = try CtlCommand(options: options, environment: Environment(runtimeDirectory: folder.path)).run(words)
            return nil
        } catch {
            return error
        }
    }

    @Test func theOnlyOneNeedsNoName() throws {
        let running = try Running("left", folder.path)
        #expect(try ctl("pause") == "")
        #expect(
            try ctl("status") == """
                name          left
                pid           77
                paused        yes
                seat          name a"b, touch yes

                """)
        #expect(
            try ctl("status", json: true) == #"{"type":"status","name":"left","pid":77,"paused":true}"# + "\n"
                + #"{"type":"seat","name":"a\"b","touch":true}"# + "\n" + #"{"type":"done","command":"status"}"# + "\n")
        #expect(try ctl("list") == "left  pid 77  paused\n")
        let refused = failure("style", "x")
        #expect(refused?.line == "fingerwave: no style x; look\n" && refused?.code == .usage)
        #expect(try ctl("quit") == "")
        running.join()
        #expect(failure("status")?.code == .noAnswer)
        #expect(try ctl("list") == "")
    }

    @Test func severalAreToldApart() throws {
        let left = try Running("left", folder.path)
        let right = try Running("right", folder.path)
        let failure = failure("pause")
        #expect(failure?.line == "fingerwave: several run: they are left, right; say which with --name\n")
        #expect(failure?.code == .usage)
        #expect(try ctl("quit", name: "left") == "")
        left.join()
        #expect(self.failure("pause", name: "left")?.code == .noAnswer)
        #expect(try ctl("quit") == "")
        right.join()
    }

    @Test func aStaleSocketIsNobody() throws {
        let stale = fw_listen_local("\(folder.path)/fingerwave-window.socket", 1)
        #expect(close(stale) == 0)
        #expect(failure("status")?.code == .noAnswer && failure("status", name: "window")?.code == .noAnswer)
        #expect(try ctl("list") == "")
    }

    @Test func whatIsNoCommandIsSaidBeforeAnythingIsAsked() {
        #expect(failure("puase")?.line == "fingerwave: unknown command puase; did you mean pause?\n")
        #expect(failure("pause", "now")?.code == .usage)
        #expect(failure("style")?.code == .usage)
        #expect(failure()?.code == .usage)
        // What follows would be another command.
        #expect(failure("style", "wave\nquit")?.what == "a command is one line")
    }

    /// Somebody who accepts and says nothing holds the client for its patience only.
    @Test func whoDoesNotAnswerIsSaid() throws {
        let silent = fw_listen_local("\(folder.path)/fingerwave-x.socket", 4)
        defer { _ = close(silent) }
        #expect(throws: ControlClient.Problem.noAnswer("it does not answer")) {
            try ControlClient.ask("status", name: "x", folder: folder.path, patience: 20)
        }
    }
}
