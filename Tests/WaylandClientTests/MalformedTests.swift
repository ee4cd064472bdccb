import CLibc
import Testing
import TouchStage
import WaylandProtocols

@testable import WaylandClient

/// Bytes that no compositor should send. libwayland finds them; nothing may crash, and the error must say what it was.
@Suite struct MalformedTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var name: String
        var expected: String
        var bytes: @Sendable (RawPeer) -> [UInt8]
        var testDescription: String { name }
    }

    static let cases: [Case] = [
        Case(name: "unknown opcode", expected: "has no event 9") { RawPeer.message($0.registry.objectID, 9) },
        Case(name: "header alone too short", expected: "invalid header") {
            RawPeer.message($0.registry.objectID, 0, size: 4)
        },
        Case(name: "argument missing", expected: "message too short") {
            RawPeer.message($0.registry.objectID, 0, [.word(1)])
        },
        Case(name: "string beyond the message", expected: "message too short") {
            RawPeer.message($0.registry.objectID, 0, [.word(1), .word(400), .word(0x6161_6161), .word(1)])
        },
        Case(name: "string length near 2^32", expected: "message too short") {
            RawPeer.message($0.registry.objectID, 0, [.word(1), .word(.max), .word(0x6161_6161), .word(1)])
        },
        Case(name: "string without NUL", expected: "string not nul-terminated") {
            RawPeer.message($0.registry.objectID, 0, [.word(1), .bytes(Array("wl_seat!".utf8)), .word(1)])
        },
        Case(name: "null string", expected: "NULL string") {
            RawPeer.message($0.registry.objectID, 0, [.word(1), .word(0), .word(1)])
        },
        Case(name: "array beyond the message", expected: "message too short") {
            let keyboard = $0.bind(WlSeat.self).getKeyboard()
            return RawPeer.message(keyboard.objectID, 1, [.word(1), .word($0.surface().objectID), .word(.max)])
        },
        Case(name: "unknown object", expected: "unknown object (777)") {
            RawPeer.message($0.surface().objectID, 0, [.word(777)])
        },
        Case(name: "object of another interface", expected: "invalid object") {
            RawPeer.message($0.surface().objectID, 0, [.word($0.registry.objectID)])
        },
        Case(name: "null object", expected: "NULL object") { RawPeer.message($0.surface().objectID, 0, [.word(0)]) },
        Case(name: "new object with a client's number", expected: "not a valid new object id") {
            RawPeer.message($0.dataDevice().objectID, 0, [.word($0.registry.objectID)])
        },
        Case(name: "new object with a wild number", expected: "object number out of range") {
            RawPeer.message($0.dataDevice().objectID, 0, [.word(.max)])
        },
        Case(name: "null new object", expected: "NULL new ID") {
            RawPeer.message($0.dataDevice().objectID, 0, [.word(0)])
        },
        Case(name: "descriptor missing", expected: "file descriptor expected") {
            RawPeer.message($0.bind(WlSeat.self).getKeyboard().objectID, 0, [.word(1), .word(10)])
        },
        Case(name: "longer than any message", expected: "longer than 4096 bytes") {
            RawPeer.message($0.registry.objectID, 0, size: 0xFFFC) + [UInt8](repeating: 0x61, count: 5000)
        },
        Case(name: "error about an unknown object", expected: "unknown object (777)") { _ in
            RawPeer.message(1, 0, [.word(777), .word(1), .string("words")])
        },
        Case(name: "text of another protocol", expected: "longer than 4096 bytes") { _ in
            Array(String(repeating: "HTTP/1.1 400 Bad Request\r\n", count: 200).utf8)
        },
    ]

    @Test(arguments: cases)
    func isAnErrorThatSaysWhatWasWrong(_ wrong: Case) throws {
        // A number from an earlier call must not be taken for this error's.
        for stale in [0, EAGAIN, EPROTO, EPIPE] {
            let peer = try RawPeer()
            let bytes = wrong.bytes(peer)
            peer.write(bytes)
            setErrno(stale)
            let failure = peer.failure()
            guard case .malformed(let text) = failure else {
                Issue.record("\(String(describing: failure))")
                return
            }
            #expect(text.contains(wrong.expected), "\(text)")
            #expect(!text.contains("\n"))
            // From here on everything is inert.
            let surface = peer.surface()
            surface.commit()
            #expect(!surface.isAlive && peer.failure() == failure)
        }
    }

    @Test(arguments: [0, 9999, 0xFF00_0005, UInt32.max])
    func eventsForObjectsThatWereNeverMadeAreDropped(id: UInt32) throws {
        let peer = try RawPeer()
        let globals = Globals(peer.connection)
        peer.write(RawPeer.message(id, 3, [.word(1)]))
        peer.write(RawPeer.message(2, 0, [.word(1), .string("wl_seat"), .word(7)]))
        try peer.dispatch()
        #expect(globals.find(WlSeat.self)?.version == 7)
    }

    @Test func numbersThatAreGivenBackWronglyDoNoHarm() throws {
        let peer = try RawPeer()
        let surface = peer.surface()
        for id in [0, 9999, surface.objectID, 1, UInt32.max] { peer.deleteID(id) }
        try peer.dispatch()
        surface.commit()
        surface.destroy()
        _ = peer.surface()
        #expect(peer.failure() == nil)
    }

    @Test func aMessageThatStopsInTheMiddleIsAClosedConnection() throws {
        let peer = try RawPeer()
        let whole = RawPeer.message(peer.registry.objectID, 0, [.word(1), .string("wl_seat"), .word(7)])
        for length in 1..<whole.count {
            let peer = try RawPeer()
            let globals = Globals(peer.connection)
            peer.write(Array(whole[..<length]))
            #expect(peer.failure() == nil)
            peer.hangUp()
            #expect(peer.failure() == .closed(errno: 0))
            #expect(globals.all.isEmpty)
        }
    }

    @Test func aMessageInSinglePiecesArrivesWhole() throws {
        let peer = try RawPeer()
        let globals = Globals(peer.connection)
        for byte in RawPeer.message(2, 0, [.word(1), .string("wl_seat"), .word(7)]) {
            peer.write([byte])
            try peer.dispatch()
        }
        #expect(globals.find(WlSeat.self)?.version == 7)
    }

    @Test(.enabled(if: sysconf(Int32(_SC_OPEN_MAX)) > 3000, "needs many descriptors"))
    func moreDescriptorsThanAnybodyAskedForAreAnError() throws {
        let peer = try RawPeer()
        let canary = try Canary()
        _ = peer.registry
        var failure: ConnectionError?
        for _ in 0..<40 where failure == nil {
            peer.write(
                RawPeer.message(peer.registry.objectID, 1, [.word(0)]),
                descriptors: [Int32](repeating: canary.writer, count: 28))
            failure = peer.failure()
        }
        #expect(failure == .malformed(text: "longer than 4096 bytes, or too many descriptors"))
        peer.connection.disconnect()
        #expect(canary.isLast(), "descriptors leak")
    }

    @Test func descriptorsThatNoMessageAskedForAreClosedAtTheEnd() throws {
        let peer = try RawPeer()
        let canary = try Canary()
        peer.write(
            RawPeer.message(peer.registry.objectID, 1, [.word(0)]),
            descriptors: [Int32](repeating: canary.writer, count: 28))
        try peer.dispatch()
        peer.connection.disconnect()
        #expect(canary.isLast(), "descriptors leak")
    }

    @Test(arguments: 0..<8)
    func randomDamageNeverCrashes(seed: UInt64) throws {
        var random = Seeded(state: seed)
        var outcomes: Set<String> = []
        for _ in 0..<250 {
            let peer = try RawPeer()
            let surface = peer.surface()
            let keyboard = peer.bind(WlSeat.self).getKeyboard()
            let touch = peer.touch()
            let device = peer.dataDevice()
            touch.onEvent = { _ in }
            keyboard.onEvent = { _ in }
            device.onEvent = { _ in }
            if Bool.random(using: &random) { keyboard.release() }
            let canary = try Canary()
            var stream: [UInt8] = []
            let ids: [UInt32] = [surface.objectID, touch.objectID, keyboard.objectID, device.objectID, 1, 2, 3, 5]
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let pieces = (0..<Int.random(in: 0...6, using: &random)).map { _ -> RawPeer.Piece in
                    switch Int.random(in: 0..<5, using: &random) {
                    case 0: .string("wl_seat")
                    case 1: .bytes([1, 2, 3])
                    case 2: .word(ids.randomElement(using: &random)!)
                    case 3: .word(0xFF00_0000 + UInt32.random(in: 0..<3, using: &random))
                    default: .word(UInt32.random(in: 0...UInt32.max, using: &random))
                    }
                }
                let opcode = UInt16.random(in: 0..<8, using: &random)
                stream += RawPeer.message(ids.randomElement(using: &random)!, opcode, pieces)
            }
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                stream[Int.random(in: 0..<stream.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            peer.write(stream, descriptors: Bool.random(using: &random) ? [canary.writer] : [])
            let failure = peer.failure()
            switch failure {
            case nil: outcomes.insert("none")
            case .malformed: outcomes.insert("malformed")
            case .protocolError: outcomes.insert("protocol error")
            default: Issue.record("\(String(describing: failure))")
            }
            peer.connection.disconnect()
            #expect(peer.connection.liveObjectCount == 0)
            #expect(canary.isLast(), "descriptors leak")
        }
        // A damaged stream that never breaks anything would prove nothing.
        #expect(outcomes.isSuperset(of: ["none", "malformed"]), "\(outcomes)")
    }
}

extension RawPeer {
    func dataDevice() -> WlDataDevice {
        bind(WlDataDeviceManager.self).getDataDevice(seat: bind(WlSeat.self))
    }
}

private func setErrno(_ number: Int32) { __errno_location().pointee = number }
