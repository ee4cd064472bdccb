import CLibc
import Testing
import TouchStage
import WaylandProtocols

@testable import WaylandClient

@Suite struct ProtocolErrorTests {
    private func error(_ interface: String?, _ id: UInt32, _ code: UInt32, _ text: String) -> ConnectionError {
        .protocolError(ProtocolError(interface: interface, objectID: id, code: code, text: text))
    }

    @Test(arguments: [
        "plain words", "", "one: two: three", "error 5: within", "first line\nsecond line", "ends so\n", "100% %s %n",
        "ä€😀",
        "[destroyed object]: error 1: not really", String(repeating: "long ", count: 800),
    ])
    func carriesInterfaceObjectCodeAndText(text: String) throws {
        let peer = try RawPeer()
        let surface = peer.surface()
        peer.error(about: surface.objectID, code: 4, text)
        // libwayland's own line end cannot be told from one at the end of the text.
        let expected = text.hasSuffix("\n") ? String(text.dropLast()) : text
        #expect(peer.failure() == error("wl_surface", surface.objectID, 4, expected))
    }

    @Test func textThatIsNoUnicodeIsRepaired() throws {
        let peer = try RawPeer()
        peer.write(
            RawPeer.message(1, 0, [.word(peer.surface().objectID), .word(1), .bytes([0x61, 0xFF, 0x62, 0])]))
        guard case .protocolError(let error) = peer.failure() else {
            Issue.record("no protocol error")
            return
        }
        #expect(error.text == "a\u{FFFD}b")
    }

    @Test(arguments: [0, 1, 2, 3, 4, UInt32.max])
    func ofTheDisplayIsAProtocolErrorWhateverItsCode(code: UInt32) throws {
        let peer = try RawPeer()
        peer.error(about: 1, code: code, "invalid arguments")
        #expect(peer.failure() == error("wl_display", 1, code, "invalid arguments"))
    }

    @Test(arguments: [false, true])
    func aboutAnObjectThatIsGoneKeepsCodeAndText(numberIsGone: Bool) throws {
        let peer = try RawPeer()
        let surface = peer.surface()
        let id = surface.objectID
        surface.destroy()
        if numberIsGone {
            // A number that was given back is unknown altogether: libwayland calls the message invalid.
            peer.deleteID(id)
            try peer.dispatch()
            peer.error(about: id, code: 3, "too late")
            #expect(peer.failure() == .malformed(text: "unknown object (\(id)), message error(ous)"))
        } else {
            peer.error(about: id, code: 3, "too late")
            #expect(peer.failure() == error(nil, 0, 3, "too late"))
        }
    }

    @Test func isReadBeforeTheHangUpIsBelieved() throws {
        let peer = try RawPeer()
        let surface = peer.surface()
        _ = try peer.connection.flush()
        // Requests that the compositor never reads make its close a reset.
        surface.commit()
        _ = try peer.connection.flush()
        peer.error(about: surface.objectID, code: 2, "why")
        peer.hangUp()
        surface.commit()
        #expect(peer.failure() == error("wl_surface", surface.objectID, 2, "why"))
    }

    @Test func isNotLostWhenTheClientGoesOnSendingAfterTheHangUp() throws {
        let peer = try RawPeer()
        let surface = peer.surface()
        let id = surface.objectID
        _ = try peer.connection.flush()
        peer.error(about: id, code: 2, "why")
        peer.hangUp()
        var last: WlCallback?
        for _ in 0..<5000 { last = surface.frame() }
        #expect(peer.connection.failure == nil, "the requests' own failure hides the compositor's words")
        #expect(last?.isAlive == false, "an object was made that no compositor will know")
        #expect(peer.failure() == error("wl_surface", id, 2, "why"))
    }

    @Test func eventsBeforeTheHangUpAreDelivered() throws {
        let peer = try RawPeer()
        let touch = peer.touch()
        var frames = 0
        touch.onEvent = { if case .frame = $0 { frames += 1 } }
        // More than libwayland reads at a time.
        let frame = RawPeer.message(touch.objectID, 3)
        peer.write([UInt8]((0..<2000).map { _ in frame }.joined()))
        peer.hangUp()
        #expect(peer.failure() == .closed(errno: 0))
        #expect(frames == 2000)
    }

    @Test func comesFromARealCompositorToo() throws {
        let stage = try Stage()
        let connection = try stage.connect()
        defer {
            connection.disconnect()
            stage.shutDown()
        }
        let globals = Globals(connection)
        try stage.pump(connection)
        let surface = try globals.require(WlCompositor.self, versions: 1...6).createSurface()
        try stage.pump(connection)
        stage.surfaces[0].resource.postError(code: 1, "of: its\nown")
        let expected = error("wl_surface", surface.objectID, 1, "of: its\nown")
        #expect(throws: expected) { try stage.pump(connection) }
        #expect(throws: expected) { try connection.flush() }
        #expect(throws: expected) { try connection.dispatchPending() }
        #expect(expected.description == "protocol error 1 on wl_surface#\(surface.objectID): of: its own")
    }

    @Test func aCompositorThatDiesIsAClosedConnection() throws {
        let stage = try Stage()
        let connection = try stage.connect()
        defer { connection.disconnect() }
        try stage.pump(connection)
        stage.shutDown()
        #expect(throws: ConnectionError.closed(errno: 0)) { try connection.wait { false } }
    }

    @Test func controlCharactersDoNotReachTheTerminal() {
        let text = error("wl_surface", 3, 1, "\u{1B}[31mred\nnext\tcolumn\u{7F}").description
        #expect(text == "protocol error 1 on wl_surface#3:  [31mred next column ")
    }
}
