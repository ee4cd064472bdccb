import CLibc
import CLinuxShims
import Testing
import TouchStage
import WaylandProtocols

@testable import WaylandClient

private func failure(_ body: () throws(ConnectionError) -> Connection) -> ConnectionError? {
    do throws(ConnectionError) {
        try body().disconnect()
        return nil
    } catch {
        return error
    }
}

private func folder() -> String {
    var template = Array("/tmp/waylandXXXXXX".utf8CString)
    return template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)) }
}

private func shell(_ command: String) -> Bool { system(command) == 0 }

/// The environment belongs to the whole process, so each of these runs in one of its own.
@Suite struct ConnectByEnvironmentTests {
    @Test func withoutARuntimeDirectoryTheDisplayIsNamed() async {
        await #expect(processExitsWith: .success) {
            unsetenv("WAYLAND_SOCKET")
            unsetenv("XDG_RUNTIME_DIR")
            unsetenv("WAYLAND_DISPLAY")
            #expect(
                failure { () throws(ConnectionError) in try Connection.connect() }
                    == .noRuntimeDirectory(display: "wayland-0"))
            setenv("WAYLAND_DISPLAY", "wayland-7", 1)
            #expect(
                failure { () throws(ConnectionError) in try Connection.connect() }
                    == .noRuntimeDirectory(display: "wayland-7"))
            setenv("XDG_RUNTIME_DIR", "", 1)
            #expect(
                failure { () throws(ConnectionError) in try Connection.connect(to: "other") }
                    == .noRuntimeDirectory(display: "other"))
        }
    }

    @Test func theSocketThatWasTriedIsNamedWithTheReason() async {
        await #expect(processExitsWith: .success) {
            let folder = folder()
            defer { _ = shell("rm -r \(folder)") }
            unsetenv("WAYLAND_SOCKET")
            unsetenv("WAYLAND_DISPLAY")
            setenv("XDG_RUNTIME_DIR", folder, 1)
            #expect(
                failure { () throws(ConnectionError) in try Connection.connect() }
                    == .unreachable(path: "\(folder)/wayland-0", errno: ENOENT))
            // As if it were not there: a name has letters.
            setenv("WAYLAND_DISPLAY", "", 1)
            #expect(
                failure { () throws(ConnectionError) in try Connection.connect() }
                    == .unreachable(path: "\(folder)/wayland-0", errno: ENOENT))
            // A file that nobody listens behind, as a compositor that was killed leaves one.
            _ = shell("touch \(folder)/dead")
            setenv("WAYLAND_DISPLAY", "\(folder)/dead", 1)
            #expect(
                failure { () throws(ConnectionError) in try Connection.connect() }
                    == .unreachable(path: "\(folder)/dead", errno: ECONNREFUSED))
            let long = "/" + String(repeating: "x", count: 200)
            #expect(
                failure { () throws(ConnectionError) in try Connection.connect(to: long) }
                    == .unreachable(path: long, errno: ENAMETOOLONG))
            let text = ConnectionError.unreachable(path: "/run/wayland-0", errno: ENOENT).description
            #expect(text == "no compositor at /run/wayland-0: No such file or directory")
        }
    }

    @Test func aDisplayIsFoundByNameByVariableAndByPath() async {
        await #expect(processExitsWith: .success) {
            let folder = folder()
            defer { _ = shell("rm -r \(folder)") }
            unsetenv("WAYLAND_SOCKET")
            setenv("XDG_RUNTIME_DIR", folder, 1)
            let stage = try Stage()
            let name = try stage.listen(name: "wayland-5")
            setenv("WAYLAND_DISPLAY", name, 1)
            for asked in [nil, name, "\(folder)/\(name)"] {
                let connection = try Connection.connect(to: asked)
                #expect(connection.path == "\(folder)/wayland-5")
                let globals = Globals(connection)
                try stage.pump(connection)
                #expect(globals.find(WlSeat.self) != nil)
                connection.disconnect()
            }
        }
    }

    @Test(arguments: ["", "words", "3x", "-1", "9999", "99999999999"])
    func aBadSocketVariableIsQuoted(value: String) async {
        await #expect(processExitsWith: .success) { [value] in
            setenv("WAYLAND_SOCKET", value, 1)
            #expect(failure { () throws(ConnectionError) in try Connection.connect() } == .badSocketVariable(value))
        }
    }

    @Test func aSocketVariableThatNamesAnotherKindOfFileIsRefused() async {
        await #expect(processExitsWith: .success) {
            var ends: [Int32] = [0, 0]
            try #require(pipe(&ends) == 0)
            setenv("WAYLAND_SOCKET", "\(ends[0])", 1)
            #expect(
                failure { () throws(ConnectionError) in try Connection.connect() } == .badSocketVariable("\(ends[0])"))
        }
    }

    @Test func theSocketVariableIsUsedUpAndNotInherited() async {
        await #expect(processExitsWith: .success) {
            let stage = try Stage()
            // A copy, for descriptors that a parent hands down are not closed on exec.
            let descriptor = dup(stage.connectClient())
            setenv("WAYLAND_SOCKET", "\(descriptor)", 1)
            #expect(shell("test -e /proc/self/fd/\(descriptor)"), "the test's descriptor is not handed down at all")
            let connection = try Connection.connect()
            #expect(connection.fileDescriptor == descriptor && connection.path == nil)
            #expect(getenv("WAYLAND_SOCKET") == nil)
            #expect(shell("test -z \"${WAYLAND_SOCKET+set}\" && ! test -e /proc/self/fd/\(descriptor)"))
            let globals = Globals(connection)
            try stage.pump(connection)
            #expect(globals.isComplete)
            connection.disconnect()
        }
    }

    @Test func aNameIsHeededAlthoughASocketIsHandedDown() async {
        await #expect(processExitsWith: .success) {
            let folder = folder()
            defer { _ = shell("rm -r \(folder)") }
            setenv("XDG_RUNTIME_DIR", folder, 1)
            var ends: [Int32] = [0, 0]
            try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
            setenv("WAYLAND_SOCKET", "\(ends[0])", 1)
            let stage = try Stage()
            let name = try stage.listen(name: "wayland-3")
            let connection = try Connection.connect(to: name)
            #expect(connection.path == "\(folder)/wayland-3" && connection.fileDescriptor != ends[0])
            let globals = Globals(connection)
            try stage.pump(connection)
            #expect(globals.isComplete, "the connection went elsewhere")
            #expect(getenv("WAYLAND_SOCKET") != nil)
            connection.disconnect()
        }
    }
}

@Suite struct ConnectByDescriptorTests {
    @Test func whatIsNoSocketIsRefusedAndClosed() throws {
        #expect(
            failure { () throws(ConnectionError) in try Connection.connect(fileDescriptor: -1) }
                == .unreachable(path: "descriptor -1", errno: EBADF))
        let canary = try Canary()
        let copy = dup(canary.writer)
        #expect(
            failure { () throws(ConnectionError) in try Connection.connect(fileDescriptor: copy) }
                == .unreachable(path: "descriptor \(copy)", errno: ENOTSOCK))
        #expect(canary.isLast(), "the descriptor that was handed over leaks")
    }

    @Test func theSocketClosesWithTheConnection() throws {
        let peer = try RawPeer()
        #expect(peer.connection.fileDescriptor >= 0)
        // Another program may have it, too: the end is told all the same.
        let copy = dup(peer.connection.fileDescriptor)
        defer { close(copy) }
        #expect(OpenDescriptors.count(sameFileAs: copy) == 2)
        peer.connection.disconnect()
        #expect(peer.connection.fileDescriptor == -1 && OpenDescriptors.count(sameFileAs: copy) == 1)
        var byte: UInt8 = 0
        #expect(recv(peer.descriptor, &byte, 1, Int32(MSG_DONTWAIT)) == 0)
    }

    @Test(arguments: [false, true])
    func aSocketThatHangsUpAtOnceIsAClosedConnection(afterRequests: Bool) throws {
        let peer = try RawPeer()
        peer.hangUp()
        if afterRequests { _ = peer.surface() }
        #expect(peer.failure() == .closed(errno: 0))
        #expect(peer.connection.failure == .closed(errno: 0))
        #expect(throws: ConnectionError.closed(errno: 0)) { try peer.connection.wait { false } }
        #expect(throws: ConnectionError.closed(errno: 0)) { try peer.connection.flush() }
    }

    @Test func waitingEndsWithTheErrorAndNotWithTime() throws {
        let peer = try RawPeer()
        let globals = Globals(peer.connection)
        peer.hangUp()
        #expect(throws: ConnectionError.closed(errno: 0)) { try peer.connection.wait { globals.isComplete } }
    }

    @Test func waitingEndsWhenTheTimeIsOver() throws {
        let peer = try RawPeer()
        #expect(try !peer.connection.wait(milliseconds: 0) { false })
        #expect(try peer.connection.wait(milliseconds: 0) { true })
    }
}
