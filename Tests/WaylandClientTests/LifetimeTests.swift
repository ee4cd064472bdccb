import CLibc
import CWaylandClient
import Testing
import TouchStage
import WaylandProtocols

@testable import WaylandClient

@Suite struct LifetimeTests {
    // MARK: Ends within handlers

    @Test func anObjectDestroyedInItsOwnHandlerHearsNoMore() throws {
        let peer = try RawPeer()
        let seat = peer.bind(WlSeat.self)
        let touch = seat.getTouch()
        let id = touch.objectID
        _ = try peer.connection.flush()
        _ = peer.requests()
        var frames = 0
        var freed = 0
        do {
            let witness = Witness { freed += 1 }
            touch.onEvent = { [unowned touch] _ in
                frames += 1
                touch.release()
                #expect(!touch.isAlive)
                withExtendedLifetime(witness) {}
            }
        }
        for _ in 0..<3 { peer.event(touch, 3) }
        try peer.dispatch()
        #expect(frames == 1)
        #expect(freed == 1, "the handler lives on")
        _ = try peer.connection.flush()
        #expect(peer.requests() == [.init(object: id, opcode: 0, body: [])])
        // Nor does it hear what was under way.
        peer.write(RawPeer.message(id, 3))
        peer.deleteID(id)
        try peer.dispatch()
        #expect(frames == 1 && peer.connection.failure == nil)
        #expect(seat.getTouch().objectID == id, "the number is lost")
    }

    @Test func theLastReferenceMayGoInTheHandler() throws {
        let peer = try RawPeer()
        var touch: WlTouch? = peer.touch()
        weak let watched = touch
        touch?.onEvent = { _ in
            touch?.release()
            touch = nil
        }
        peer.event(try #require(touch), 3)
        try peer.dispatch()
        #expect(watched == nil)
    }

    @Test func aHandlerMayReplaceItself() throws {
        let peer = try RawPeer()
        let touch = peer.touch()
        var heard: [String] = []
        touch.onEvent = { [unowned touch] _ in
            heard.append("first")
            touch.onEvent = { _ in heard.append("second") }
        }
        for _ in 0..<2 { peer.event(touch, 3) }
        try peer.dispatch()
        #expect(heard == ["first", "second"])
    }

    @Test(arguments: ["listening", "silent", "discarding", "destroying the others"])
    func aDestructorEventEndsItsObjectOnce(manner: String) throws {
        let peer = try RawPeer()
        let callbacks = (0..<3).map { _ in peer.surface().frame() }
        let alive = peer.connection.liveObjectCount
        var done = 0
        for callback in callbacks where manner != "silent" {
            callback.onEvent = { [unowned callback] _ in
                done += 1
                if manner == "discarding" { callback.discard() }
                if manner == "destroying the others" { for other in callbacks { other.discard() } }
            }
        }
        let ids = callbacks.map(\.objectID)
        // The second time is the compositor's mistake.
        for _ in 0..<2 { for id in ids { peer.write(RawPeer.message(id, 0, [.word(1)])) } }
        for id in ids { peer.deleteID(id) }
        try peer.dispatch()
        #expect(done == (manner == "silent" ? 0 : manner == "destroying the others" ? 1 : 3))
        #expect(callbacks.allSatisfy { !$0.isAlive })
        #expect(peer.connection.liveObjectCount == alive - 3)
    }

    // MARK: Nested dispatch

    @Test func aHandlerMayDispatch() throws {
        let peer = try RawPeer()
        defer { peer.connection.disconnect() }
        let touch = peer.touch()
        var heard: [Int32] = []
        var finished: [Int32] = []
        touch.onEvent = { event in
            guard case .up(_, _, let id) = event else { return }
            heard.append(id)
            if id == 1 { #expect(throws: Never.self) { try peer.dispatch() } }
            finished.append(id)
        }
        for id in 1...3 { peer.event(touch, 1, [.word(0), .word(0), .word(UInt32(id))]) }
        try peer.dispatch()
        #expect(heard == [1, 2, 3] && finished == [2, 3, 1])
    }

    @Test func aHandlerMayWaitForAnAnswer() throws {
        let peer = try RawPeer()
        defer { peer.connection.disconnect() }
        let touch = peer.touch()
        var answered = false
        touch.onEvent = { _ in
            let callback = peer.connection.display.sync()
            callback.onEvent = { _ in answered = true }
            peer.event(callback, 0, [.word(0)])
            #expect(throws: Never.self) { try peer.connection.wait { answered } }
            touch.release()
        }
        peer.event(touch, 3)
        try peer.dispatch()
        #expect(answered && !touch.isAlive)
    }

    // MARK: The end of the connection

    @Test(arguments: [false, true])
    func aHandlerMayDisconnect(nested: Bool) throws {
        let peer = try RawPeer()
        let connection = peer.connection
        let touch = peer.touch()
        let device = peer.dataDevice()
        let display = connection.display
        device.onEvent = { _ in Issue.record("an event came after the end") }
        var frames = 0
        var freed = 0
        do {
            let witness = Witness { freed += 1 }
            touch.onEvent = { _ in
                frames += 1
                if nested, frames == 1 {
                    #expect(throws: ConnectionError.disconnected) { try connection.readAndDispatch() }
                } else {
                    connection.disconnect()
                    #expect(connection.fileDescriptor == -1 && !display.isAlive)
                    #expect(!connection.display.sync().isAlive)
                }
                withExtendedLifetime(witness) {}
            }
        }
        for _ in 0..<3 { peer.event(touch, 3) }
        peer.event(device, 0, [.word(0xFF00_0000)])
        #expect(throws: ConnectionError.disconnected) { try connection.readAndDispatch() }
        #expect(frames == (nested ? 2 : 1))
        #expect(freed == 1 && connection.liveObjectCount == 0)
        var byte: UInt8 = 0
        while recv(peer.descriptor, &byte, 1, Int32(MSG_DONTWAIT)) == 1 {}
        #expect(recv(peer.descriptor, &byte, 1, Int32(MSG_DONTWAIT)) == 0, "the socket is still open")
        #expect(throws: ConnectionError.disconnected) { try connection.flush() }
    }

    @Test func whatAHandlerCapturedMayDisconnectAtItsEnd() throws {
        for byRequest in [false, true] {
            let peer = try RawPeer()
            let connection = peer.connection
            let touch = peer.touch()
            let others = (0..<5).map { _ in peer.surface() }
            do {
                let witness = Witness { connection.disconnect() }
                touch.onEvent = { _ in withExtendedLifetime(witness) {} }
            }
            if byRequest { touch.release() } else { touch.discard() }
            #expect(connection.failure == .disconnected)
            #expect(others.allSatisfy { !$0.isAlive } && connection.liveObjectCount == 0)
        }
    }

    @Test func whatAHandlerCapturedSpeaksAfterTheDestructor() throws {
        let peer = try RawPeer()
        let touch = peer.touch()
        let surface = peer.surface()
        let ids = [touch.objectID, surface.objectID]
        _ = try peer.connection.flush()
        _ = peer.requests()
        do {
            let witness = Witness { surface.destroy() }
            touch.onEvent = { _ in withExtendedLifetime(witness) {} }
        }
        touch.release()
        _ = try peer.connection.flush()
        #expect(peer.requests().map(\.object) == ids)
    }

    @Test func disconnectingFreesAllThatHandlersCaptured() throws {
        var freed = 0
        weak var connection: Connection?
        weak var touch: WlTouch?
        do {
            let peer = try RawPeer()
            let globals = Globals(peer.connection)
            connection = peer.connection
            let object = peer.touch()
            touch = object
            do {
                let witness = Witness { freed += 1 }
                // Cycles, as windows and seats have them.
                object.onEvent = { _ in withExtendedLifetime((witness, object, peer.connection)) {} }
                globals.onAdded = { _ in withExtendedLifetime(witness) {} }
                let callback = peer.connection.display.sync()
                callback.onEvent = { _ in withExtendedLifetime((witness, callback, globals)) {} }
            }
            peer.connection.disconnect()
            #expect(!object.isAlive && peer.connection.liveObjectCount == 0)
            object.release()
            #expect(!peer.connection.display.isAlive)
        }
        #expect(freed == 1 && touch == nil && connection == nil)
    }

    @Test func disconnectingTwiceIsOnce() throws {
        let peer = try RawPeer()
        _ = peer.surface()
        peer.connection.disconnect()
        peer.connection.disconnect()
        #expect(peer.connection.failure == .disconnected)
    }

    @Test func theReasonOfTheEndOutlivesIt() throws {
        let peer = try RawPeer()
        peer.hangUp()
        _ = peer.failure()
        peer.connection.disconnect()
        #expect(peer.connection.failure == .closed(errno: 0))
    }

    // MARK: Events for objects that have ended

    @Test(arguments: ["destroyed", "without handler"])
    func objectsInEventsThatNobodyHearsAreFreed(manner: String) throws {
        let peer = try RawPeer()
        let device = peer.dataDevice()
        var offers: [WlDataOffer] = []
        device.onEvent = { [unowned device] event in
            guard case .dataOffer(let offer) = event else { return }
            offers.append(offer)
            if manner == "destroyed" { device.release() } else { device.onEvent = nil }
        }
        let ids: [UInt32] = [0xFF00_0000, 0xFF00_0001, 0xFF00_0002]
        for id in ids { peer.event(device, 0, [.word(id)]) }
        try peer.dispatch()
        #expect(offers.map(\.objectID) == [ids[0]])
        // A number can be used anew only if libwayland's object of that number was freed.
        let second = peer.dataDevice()
        second.onEvent = { if case .dataOffer(let offer) = $0 { offers.append(offer) } }
        for id in ids.dropFirst() { peer.event(second, 0, [.word(id)]) }
        #expect(peer.failure() == nil)
        #expect(offers.map(\.objectID) == ids)
        #expect(peer.connection.liveObjects.contains { $0 === device } == (manner != "destroyed"))
    }

    @Test func anObjectThatEndedInThisDispatchArrivesAsNil() throws {
        let peer = try RawPeer()
        let device = peer.dataDevice()
        let surface = peer.surface()
        var arrived: [WlSurface?] = []
        device.onEvent = { event in
            if case .leave = event { surface.destroy() }
            if case .enter(_, let surface, _, _, let offer) = event {
                arrived.append(surface)
                #expect(offer == nil)
            }
        }
        let enter: [RawPeer.Piece] = [.word(1), .word(surface.objectID), .word(0), .word(0), .word(0)]
        peer.event(device, 1, enter)
        peer.event(device, 2)
        peer.event(device, 1, enter)
        try peer.dispatch()
        #expect(arrived.count == 2 && arrived[0] === surface && arrived[1] == nil)
    }

    @Test func anArgumentThatLibwaylandKeepsAliveIsNilAllTheSame() throws {
        // libwayland's side of it outlives its end within a dispatch.
        let peer = try RawPeer()
        let device = peer.dataDevice()
        let pointing = peer.bind(Pointing.self)
        var arrived: [Bool] = []
        pointing.onEvent = { object in
            arrived.append(object != nil)
            device.release()
        }
        for _ in 0..<2 { peer.event(pointing, 0, [.word(device.objectID)]) }
        try peer.dispatch()
        #expect(arrived == [true, false])
    }

    // MARK: The list of live objects

    @Test(arguments: 0..<20)
    func theListOfLiveObjectsIsRightAfterAnyCourse(seed: UInt64) throws {
        var random = Seeded(state: seed)
        let peer = try RawPeer()
        let compositor = peer.bind(WlCompositor.self)
        let seat = peer.bind(WlSeat.self)
        let manager = peer.bind(WlDataDeviceManager.self)
        let fixed: [Proxy] = [peer.registry, compositor, seat, manager]
        var model: [Proxy] = []
        var deleted: [UInt32] = []
        var freed = 0
        var made = 0
        func end(_ object: Proxy) {
            model.removeAll { $0 === object }
            deleted.append(object.objectID)
            switch object {
            case let object as WlSurface: object.destroy()
            case let object as WlRegion: object.destroy()
            case let object as WlTouch: object.release()
            case let object as WlDataDevice: object.release()
            default: object.discard()
            }
        }
        for _ in 0..<400 {
            switch Int.random(in: 0..<8, using: &random) {
            case 0: model.append(compositor.createSurface())
            case 1: model.append(compositor.createRegion())
            case 2: model.append(manager.getDataDevice(seat: seat))
            case 3:
                let touch = seat.getTouch()
                model.append(touch)
                made += 1
                let witness = Witness { freed += 1 }
                // Ends a random object, perhaps itself, from within.
                touch.onEvent = { _ in
                    withExtendedLifetime(witness) {}
                    if let object = model.randomElement(using: &random) { end(object) }
                }
            case 4:
                let callback = peer.connection.display.sync()
                model.append(callback)
                callback.onEvent = { [unowned callback] _ in
                    model.removeAll { $0 === callback }
                    deleted.append(callback.objectID)
                }
            case 5:
                if let object = model.randomElement(using: &random) { end(object) }
            case 6:
                for object in model.shuffled(using: &random).prefix(4) {
                    switch object {
                    case is WlTouch: peer.event(object, 3)
                    case is WlCallback: peer.event(object, 0, [.word(0)])
                    default: break
                    }
                }
                try peer.dispatch()
            default:
                _ = try peer.connection.flush()
                _ = peer.requests()
                // The compositor gives numbers back for use again.
                for id in deleted { peer.deleteID(id) }
                deleted = []
                try peer.dispatch()
            }
            let live = peer.connection.liveObjects
            #expect(live.count == peer.connection.liveObjectCount)
            #expect(Set(live.map(ObjectIdentifier.init)) == Set((fixed + model).map(ObjectIdentifier.init)))
            #expect(Set(live.map(\.objectID)).count == live.count)
            #expect(live.allSatisfy { $0.isAlive })
        }
        let liveTouches = model.count { $0 is WlTouch }
        #expect(freed == made - liveTouches)
        peer.connection.disconnect()
        #expect(freed == made && peer.connection.liveObjects.isEmpty)
    }

    // MARK: Other libraries on the same connection

    private func foreignSurface(_ compositor: WlCompositor) -> OpaquePointer {
        var argument = wl_argument(o: nil)
        return wl_proxy_marshal_array_flags(
            compositor.raw, 0, WlSurface.interface.raw, compositor.version, 0, &argument)!
    }

    @Test(arguments: [false, true])
    func anotherLibrarysObjectArrivesAsNil(listened: Bool) throws {
        let peer = try RawPeer()
        let compositor = peer.bind(WlCompositor.self)
        let foreign = foreignSurface(compositor)
        let id = wl_proxy_get_id(foreign)
        if listened {
            // Data that must not be taken for one of our objects.
            wl_proxy_add_dispatcher(foreign, { _, _, _, _, _ in 0 }, nil, UnsafeMutableRawPointer(bitPattern: 0xDEAD0))
        } else {
            wl_proxy_set_user_data(foreign, UnsafeMutableRawPointer(bitPattern: 0xDEAD0))
        }
        let touch = peer.touch()
        var downs: [(surface: WlSurface?, x: Double)] = []
        touch.onEvent = { if case .down(_, _, let surface, _, let x, _) = $0 { downs.append((surface, x)) } }
        peer.event(touch, 0, [.word(1), .word(2), .word(id), .word(3), .word(256 * 7), .word(0)])
        // An event for the object itself is its owner's.
        peer.write(RawPeer.message(id, 2, [.word(1)]))
        try peer.dispatch()
        #expect(downs.count == 1 && downs[0].surface == nil && downs[0].x == 7)
        wl_proxy_destroy(foreign)
        #expect(peer.failure() == nil)
    }

    @Test func anotherLibrarysObjectIsLentToARequest() throws {
        let peer = try RawPeer()
        let foreign = foreignSurface(peer.bind(WlCompositor.self))
        defer { wl_proxy_destroy(foreign) }
        let pointer = peer.bind(WlSeat.self).getPointer()
        let alive = peer.connection.liveObjectCount
        var kept: WlSurface?
        WlSurface.withBorrowed(foreign, of: peer.connection) { surface in
            kept = surface
            pointer.setCursor(serial: 9, surface: surface, hotspotX: 0, hotspotY: 0)
            surface.destroy()
            surface.discard()
            #expect(surface.isAlive, "what is lent was destroyed")
        }
        #expect(kept?.isAlive == false && peer.connection.liveObjectCount == alive)
        #expect(peer.failure() == nil)
        let sent = try #require(peer.requests().last)
        #expect(sent.object == pointer.objectID)
        #expect(sent.body.withUnsafeBytes { $0.load(fromByteOffset: 4, as: UInt32.self) } == wl_proxy_get_id(foreign))
        // Of another interface: nothing that could be sent.
        WlBuffer.withBorrowed(foreign, of: peer.connection) { #expect(!$0.isAlive) }
    }
}

private final class Pointing: Proxy, WaylandObject {
    static let table = InterfaceTable([
        InterfaceFacts(
            "pointing", version: 1, requests: [],
            events: [MessageFacts("at", "o", [.other(WlDataDevice.interface)])])
    ])
    static var interface: Interface { table[0] }
    var onEvent: ((WlDataDevice?) -> Void)?
    override func dropHandler() { onEvent = nil }
    override func receive(_ opcode: UInt32, _ arguments: EventArguments) {
        onEvent?(arguments.object(0, WlDataDevice.self))
    }
}
