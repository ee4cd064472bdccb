import Testing
import TouchStage
import WaylandProtocols

@testable import WaylandClient

@Suite struct GlobalsTests {
    private func start(_ options: Stage.Options = Stage.Options()) throws -> (Stage, Connection, Globals) {
        let stage = try Stage(options)
        let connection = try stage.connect()
        let globals = Globals(connection)
        #expect(!globals.isComplete)
        try stage.pump(connection)
        #expect(globals.isComplete)
        return (stage, connection, globals)
    }

    private func end(_ stage: Stage, _ connection: Connection) {
        connection.disconnect()
        stage.shutDown()
    }

    @Test(arguments: [(1, 1), (4, 4), (5, 5), (6, 5)])
    func bindsWhatBothSpeakAndNoMore(offered: UInt32, bound: UInt32) throws {
        var options = Stage.Options()
        options.globals[.compositor] = offered
        let (stage, connection, globals) = try start(options)
        defer { end(stage, connection) }
        let compositor = try globals.require(WlCompositor.self, versions: 1...5)
        #expect(compositor.version == bound)
        #expect(compositor.createSurface().version == bound)
        try stage.pump(connection)
        #expect(stage.liveResources("wl_compositor").map(\.version) == [bound])
    }

    @Test func neverBindsMoreThanTheBindingsKnow() throws {
        let peer = try RawPeer()
        let globals = Globals(peer.connection)
        peer.write(RawPeer.message(2, 0, [.word(1), .string("wl_compositor"), .word(99)]))
        try peer.dispatch()
        #expect(globals.find(WlCompositor.self)?.version == 99)
        #expect(try globals.require(WlCompositor.self, versions: 1...99).version == WlCompositor.interface.version)
    }

    @Test func anAbsentGlobalAndOneThatIsTooOldAreNamed() throws {
        var options = Stage.Options()
        options.globals[.viewporter] = nil
        options.globals[.compositor] = 3
        let (stage, connection, globals) = try start(options)
        defer { end(stage, connection) }
        let absent = ConnectionError.missingGlobal(interface: "wp_viewporter", required: 1, offered: nil)
        #expect(throws: absent) { try globals.require(WpViewporter.self, versions: 1...1) }
        #expect(absent.description == "the compositor has no wp_viewporter")
        let old = ConnectionError.missingGlobal(interface: "wl_compositor", required: 4, offered: 3)
        #expect(throws: old) { try globals.require(WlCompositor.self, versions: 4...6) }
        #expect(old.description == "the compositor has wl_compositor only in version 3, version 4 is needed")
        #expect(globals.bindIfOffered(WpViewporter.self, versions: 1...1) == nil)
        #expect(globals.bindIfOffered(WlCompositor.self, versions: 4...6) == nil)
        // None of that ends the connection.
        #expect(connection.failure == nil)
        #expect(globals.bindIfOffered(WlCompositor.self, versions: 3...6)?.version == 3)
    }

    @Test func globalsComeAndGo() throws {
        let (stage, connection, globals) = try start()
        defer { end(stage, connection) }
        var changes: [String] = []
        globals.onAdded = { changes.append("+\($0.interface)") }
        globals.onRemoved = { changes.append("-\($0.interface)") }
        let output = stage.addOutput(.init(width: 800, height: 600))
        try stage.pump(connection)
        #expect(globals.all.count { $0.interface == "wl_output" } == 2)
        stage.removeOutput(output)
        try stage.pump(connection)
        #expect(changes == ["+wl_output", "-wl_output"])
        #expect(globals.all.count { $0.interface == "wl_output" } == 1)
    }

    @Test func anObjectOfAGlobalThatWentStaysAliveUntilItIsDestroyed() throws {
        let (stage, connection, globals) = try start()
        defer { end(stage, connection) }
        let found = try #require(globals.find(WlSeat.self))
        let seat = try #require(globals.bind(found, WlSeat.self, versions: 1...10))
        try stage.pump(connection)
        stage.removeSeat(stage.seat)
        try stage.pump(connection)
        #expect(globals.find(WlSeat.self) == nil && seat.isAlive)
        // Binding what is known to be gone would be a fatal error of the compositor's.
        #expect(globals.bind(found, WlSeat.self, versions: 1...10) == nil)
        seat.release()
        try stage.pump(connection)
        #expect(stage.liveResources("wl_seat").isEmpty && connection.failure == nil)
    }

    @Test func theRemovalOfAnUnknownGlobalIsNothing() throws {
        let peer = try RawPeer()
        let globals = Globals(peer.connection)
        globals.onRemoved = { _ in Issue.record("what never came cannot go") }
        peer.write(RawPeer.message(2, 1, [.word(42)]))
        #expect(peer.failure() == nil)
    }

    @Test func aHandlerMayLetGoOfTheGlobals() throws {
        let peer = try RawPeer()
        var globals: Globals? = Globals(peer.connection)
        weak let watched = globals
        var heard = 0
        globals?.onAdded = { _ in
            heard += 1
            globals = nil
        }
        for name in 1...3 {
            peer.write(RawPeer.message(2, 0, [.word(UInt32(name)), .string("wl_seat"), .word(7)]))
        }
        try peer.dispatch()
        #expect(heard == 1 && watched == nil && peer.connection.liveObjectCount == 0)
    }
}
