import CLibc
import Gestures
import Testing
import WaylandClient
import WaylandProtocols
import WaylandServer
import WaylandServerProtocols

@testable import Input

/// A seat's devices coming, going and sending, over a real connection.
struct SeatInputTests {
    // MARK: Objects and capabilities

    @Test("Each version of wl_seat is bound as it is offered, at most at 10", arguments: 1...11 as ClosedRange<UInt32>)
    func versions(offered: UInt32) throws {
        let rig = try SeatRig(seatVersions: [offered])
        let (seat, server) = try rig.seat()
        #expect(server.resource.version == min(offered, 10))
        let window = try rig.window()
        server.resource.offer([.touch, .pointer, .keyboard])
        try rig.pump()
        server.touch.sendDown(serial: 1, time: 5, surface: window.resource, id: 0, x: 1, y: 2)
        server.touch.sendShape(id: 0, major: 8, minor: 6)
        server.touch.sendFrame()
        server.touch.sendUp(serial: 2, time: 9, id: 0)
        server.touch.sendFrame()
        try rig.pump()
        #expect(rig.phases == [.began, .ended])
        #expect(rig.changes[0].contact.shape == (offered >= 6 ? Contact.Shape(major: 8, minor: 6) : nil))
        seat.remove(arrival: rig.now)
        try rig.pump()
        // Below version 3 there is no release of devices, below 5 none of the seat.
        #expect(server.touch.isAlive == (offered < 3))
        #expect(server.pointer.isAlive == (offered < 3))
        #expect(server.keyboard.isAlive == (offered < 3))
        #expect(server.resource.isAlive == (offered < 5))
        #expect(rig.connection.failure == nil)
    }

    @Test("Nothing is asked of a seat that has not said what it has")
    func nothingBeforeCapabilities() throws {
        let rig = try SeatRig()
        let (_, server) = try rig.seat()
        server.resource.sendName(name: "seat0")
        try rig.pump()
        #expect(server.touches.isEmpty && server.pointers.isEmpty && server.keyboards.isEmpty)
        server.resource.offer(.pointer)
        try rig.pump()
        #expect(server.touches.isEmpty && server.pointers.count == 1 && server.keyboards.isEmpty)
    }

    @Test("The same capabilities sent again give no second touch object: one tap stays one")
    func repeatedCapabilities() throws {
        let rig = try SeatRig()
        let (_, server) = try rig.seat()
        let window = try rig.window()
        for _ in 0..<3 {
            server.resource.offer([.touch, .pointer, .keyboard])
            try rig.pump()
        }
        #expect(server.touches.count == 1 && server.pointers.count == 1 && server.keyboards.count == 1)
        for touch in server.touches {
            touch.sendDown(serial: 1, time: 1, surface: window.resource, id: 0, x: 1, y: 1)
            touch.sendUp(serial: 2, time: 50, id: 0)
            touch.sendFrame()
        }
        try rig.pump()
        #expect(rig.phases == [.began, .ended])
    }

    @Test(
        "A touchscreen unplugged with a finger down cancels it; plugged in again it gets a new object",
        arguments: [2, 3, 10] as [UInt32])
    func unplugAndPlug(version: UInt32) throws {
        let rig = try SeatRig(seatVersions: [version])
        let (seat, server) = try rig.seat()
        let window = try rig.window()
        server.resource.offer([.touch, .pointer])
        try rig.pump()
        let first = server.touch
        first.sendDown(serial: 1, time: 1, surface: window.resource, id: 0, x: 1, y: 1)
        first.sendFrame()
        try rig.pump()
        server.resource.offer(.pointer)
        try rig.pump()
        #expect(rig.phases == [.began, .cancelled])
        #expect(first.isAlive == (version < 3), "wl_touch was not released")
        #expect(seat.liveContacts.isEmpty)
        server.resource.offer([.touch, .pointer])
        try rig.pump()
        #expect(server.touches.count == 2 && server.pointers.count == 1)
        // A compositor that cannot be told to let go of the old object sends to both.
        for touch in server.touches {
            touch.sendDown(serial: 3, time: 100, surface: window.resource, id: 0, x: 1, y: 1)
            touch.sendFrame()
        }
        try rig.pump()
        #expect(rig.phases == [.began, .cancelled, .began])
        #expect(Set(rig.changes.map(\.contact.serial)).count == 2, "a serial was used twice")
        #expect(seat.touchFaults.total == 0)
    }

    @Test("Events of a touch object that was just released are dropped")
    func eventsAfterRelease() throws {
        let rig = try SeatRig()
        let (_, server) = try rig.seat()
        let window = try rig.window()
        server.resource.offer(.touch)
        try rig.pump()
        server.resource.offer([])
        server.touch.sendDown(serial: 1, time: 1, surface: window.resource, id: 0, x: 1, y: 1)
        server.touch.sendFrame()
        try rig.pump()
        #expect(rig.frames.isEmpty && rig.raw.isEmpty)
    }

    @Test("Two seats: the same id on both is two contacts, and losing one seat leaves the other working")
    func twoSeats() throws {
        let rig = try SeatRig(seatVersions: [10, 9])
        let window = try rig.window()
        let (first, firstServer) = try rig.seat(0)
        let (second, secondServer) = try rig.seat(1)
        for server in [firstServer, secondServer] { server.resource.offer(.touch) }
        try rig.pump()
        for server in [firstServer, secondServer] {
            server.touch.sendDown(serial: 1, time: 1, surface: window.resource, id: 0, x: 1, y: 1)
            server.touch.sendFrame()
        }
        try rig.pump()
        #expect(rig.phases == [.began, .began])
        #expect(Set(rig.changes.map(\.contact.source)).count == 2)
        var removed: [Globals.Global] = []
        rig.globals.onRemoved = { removed.append($0) }
        rig.seatGlobals[1].remove()
        try rig.pump()
        #expect(removed.map(\.interface) == ["wl_seat"])
        second.remove(arrival: rig.now)
        try rig.pump()
        #expect(rig.phases == [.began, .began, .cancelled])
        firstServer.touch.sendUp(serial: 2, time: 60, id: 0)
        firstServer.touch.sendFrame()
        try rig.pump()
        #expect(rig.phases == [.began, .began, .cancelled, .ended])
        #expect(first.liveContacts.isEmpty && second.liveContacts.isEmpty)
        #expect(rig.connection.failure == nil)
    }

    @Test("A seat removed in its own contact's handler ends well")
    func removedWithinAHandler() throws {
        let rig = try SeatRig()
        let (seat, server) = try rig.seat()
        let window = try rig.window()
        server.resource.offer([.touch, .pointer])
        try rig.pump()
        var phases: [ContactFrame.Phase] = []
        seat.onFrame = { frame in
            phases += frame.changes.map(\.phase)
            seat.remove(arrival: rig.now)
        }
        server.touch.sendDown(serial: 1, time: 1, surface: window.resource, id: 0, x: 1, y: 1)
        server.touch.sendFrame()
        server.touch.sendUp(serial: 1, time: 1, id: 0)
        try rig.pump()
        #expect(phases == [.began, .cancelled])
        #expect(server.releases == 1 && rig.connection.failure == nil)
        seat.onFrame = nil
    }

    @Test("The name is the compositor's once it came, the fallback before")
    func name() throws {
        let rig = try SeatRig()
        let (seat, server) = try rig.seat()
        #expect(seat.name == "seat0")
        var changes = 0
        seat.onChange = { changes += 1 }
        server.resource.sendName(name: "kiosk")
        try rig.pump()
        #expect(seat.name == "kiosk" && changes == 1)
    }

    @Test("Removing a seat lets go of everything it held")
    func noCycles() throws {
        let rig = try SeatRig()
        weak var weakSeat: SeatInput?
        do {
            let (seat, server) = try rig.seat()
            weakSeat = seat
            server.resource.offer([.touch, .pointer, .keyboard])
            try rig.pump()
            seat.remove(arrival: rig.now)
        }
        #expect(weakSeat == nil)
        // The registry's objects and nothing else.
        #expect(rig.connection.liveObjectCount == 1)
    }

    // MARK: Touch

    @Test("All seven events reach the log as they came, and the contacts")
    func sevenEvents() throws {
        let rig = try SeatRig()
        let (_, server) = try rig.seat()
        let window = try rig.window()
        server.resource.offer(.touch)
        try rig.pump()
        let touch = server.touch
        touch.sendDown(serial: 1, time: 4_294_967_295, surface: window.resource, id: -7, x: 10.5, y: 20.25)
        touch.sendShape(id: -7, major: 12.5, minor: 8)
        touch.sendOrientation(id: -7, orientation: -45)
        touch.sendFrame()
        touch.sendMotion(time: 3, id: -7, x: 11, y: -0.5)
        touch.sendFrame()
        touch.sendUp(serial: 2, time: 4, id: -7)
        touch.sendFrame()
        touch.sendDown(serial: 3, time: 5, surface: window.resource, id: .max, x: 1, y: 1)
        touch.sendFrame()
        touch.sendCancel()
        try rig.pump()
        #expect(
            rig.raw.map(\.kind) == [
                .down(id: -7, time: .max, position: Point(x: 10.5, y: 20.25), target: window.target),
                .shape(id: -7, major: 12.5, minor: 8), .orientation(id: -7, degrees: -45), .frame,
                .motion(id: -7, time: 3, position: Point(x: 11, y: -0.5)), .frame, .up(id: -7, time: 4), .frame,
                .down(id: .max, time: 5, position: Point(x: 1, y: 1), target: window.target), .frame, .cancel,
            ])
        #expect(rig.phases == [.began, .moved, .ended, .began, .cancelled])
        let first = rig.changes[0].contact
        #expect(first.kind == .finger && first.target == window.target && first.orientation == -45)
        #expect(rig.changes[1].contact.instant - first.instant == .milliseconds(4), "the stamps' wrap is 4 ms")
    }

    @Test("A frame carries what happened together")
    func frameBatches() throws {
        let rig = try SeatRig()
        let (_, server) = try rig.seat()
        let window = try rig.window()
        server.resource.offer(.touch)
        try rig.pump()
        for id: Int32 in 0..<3 {
            server.touch.sendDown(serial: 1, time: 1, surface: window.resource, id: id, x: 1, y: 1)
        }
        try rig.pump()
        #expect(rig.frames.isEmpty)
        server.touch.sendFrame()
        try rig.pump()
        #expect(rig.frames.map(\.changes.count) == [3])
    }

    @Test("A compositor that sends no frame after up: both taps are seen, each at the end of its turn")
    func noFrameAfterUp() throws {
        let rig = try SeatRig()
        let (seat, server) = try rig.seat()
        let window = try rig.window()
        server.resource.offer(.touch)
        try rig.pump()
        for _ in 0..<2 {
            server.touch.sendDown(serial: 1, time: 1, surface: window.resource, id: 0, x: 1, y: 1)
            server.touch.sendFrame()
            server.touch.sendUp(serial: 1, time: 50, id: 0)
            try rig.pump()
            seat.endTurn(arrival: rig.now)
            rig.advance(300)
        }
        #expect(rig.phases == [.began, .ended, .began, .ended])
    }

    @Test("A compositor that never sends a frame loses nothing")
    func neverAFrame() throws {
        let rig = try SeatRig()
        let (seat, server) = try rig.seat()
        let window = try rig.window()
        server.resource.offer(.touch)
        try rig.pump()
        server.touch.sendDown(serial: 1, time: 1, surface: window.resource, id: 0, x: 1, y: 1)
        try rig.pump()
        seat.endTurn(arrival: rig.now)
        #expect(rig.phases == [.began])
        server.touch.sendUp(serial: 1, time: 50, id: 0)
        try rig.pump()
        seat.endTurn(arrival: rig.now)
        #expect(rig.phases == [.began, .ended])
    }

    @Test("Frame and cancel once per slot: the repetitions change nothing")
    func repeatedFrameAndCancel() throws {
        let rig = try SeatRig()
        let (seat, server) = try rig.seat()
        let window = try rig.window()
        server.resource.offer(.touch)
        try rig.pump()
        server.touch.sendDown(serial: 1, time: 1, surface: window.resource, id: 0, x: 1, y: 1)
        server.touch.sendDown(serial: 2, time: 1, surface: window.resource, id: 1, x: 9, y: 9)
        server.touch.sendFrame()
        server.touch.sendFrame()
        server.touch.sendCancel()
        server.touch.sendCancel()
        try rig.pump()
        #expect(rig.frames.map { $0.changes.map(\.phase) } == [[.began, .began], [.cancelled, .cancelled]])
        #expect(seat.touchFaults.repeatedCancel == 1 && seat.touchFaults.emptyFrame == 1)
    }

    @Test("Our surface is destroyed under a finger: the contact ends, and what still comes for it is harmless")
    func surfaceDestroyed() throws {
        let rig = try SeatRig()
        let (seat, server) = try rig.seat()
        let window = try rig.window()
        server.resource.offer(.touch)
        try rig.pump()
        server.touch.sendDown(serial: 1, time: 1000, surface: window.resource, id: 0, x: 1, y: 1)
        server.touch.sendFrame()
        try rig.pump()
        seat.endContacts(target: window.target, arrival: rig.now)
        rig.targets.unregister(window.surface)
        window.surface.destroy()
        #expect(rig.phases == [.began, .cancelled])
        // The up is made up by the compositor at the destruction, with a time of another clock.
        server.touch.sendUp(serial: 2, time: 0, id: 0)
        server.touch.sendFrame()
        try rig.pump()
        #expect(rig.phases == [.began, .cancelled])
        #expect(seat.touchFaults.unknownUp == 0)
        #expect(rig.connection.failure == nil)
    }

    @Test("A touch under way to a surface that we have just destroyed is counted and is no contact")
    func downOnADestroyedSurface() throws {
        let rig = try SeatRig()
        let (seat, server) = try rig.seat()
        let window = try rig.window()
        server.resource.offer(.touch)
        try rig.pump()
        server.touch.sendDown(serial: 1, time: 1, surface: window.resource, id: 0, x: 1, y: 1)
        server.touch.sendFrame()
        rig.targets.unregister(window.surface)
        window.surface.destroy()
        try rig.pump()
        server.touch.sendUp(serial: 1, time: 2, id: 0)
        server.touch.sendFrame()
        try rig.pump()
        #expect(rig.frames.isEmpty)
        #expect(seat.diagnosis.foreignDowns == 1)
        #expect(rig.raw.first?.kind == .down(id: 0, time: 1, position: Point(x: 1, y: 1), target: nil))
        #expect(seat.touchFaults.unknownUp == 0)
    }

    @Test("Touches name the surface they are on")
    func severalSurfaces() throws {
        let rig = try SeatRig()
        let (_, server) = try rig.seat()
        let first = try rig.window()
        let second = try rig.window()
        #expect(first.target != second.target)
        server.resource.offer(.touch)
        try rig.pump()
        server.touch.sendDown(serial: 1, time: 1, surface: second.resource, id: 0, x: 1, y: 1)
        server.touch.sendDown(serial: 1, time: 1, surface: first.resource, id: 1, x: 1, y: 1)
        server.touch.sendFrame()
        try rig.pump()
        #expect(rig.changes.map(\.contact.target) == [second.target, first.target])
        #expect(rig.targets.surface(of: second.target) === second.surface)
    }

    // MARK: Pointer

    @Test("A click without motion lies at the enter position, frames or not", arguments: [1, 4, 5, 10] as [UInt32])
    func click(version: UInt32) throws {
        let rig = try SeatRig(seatVersions: [version])
        let (seat, server) = try rig.seat()
        let window = try rig.window()
        server.resource.offer(.pointer)
        try rig.pump()
        server.pointer.sendEnter(serial: 1, surface: window.resource, surfaceX: 40, surfaceY: 50.5)
        server.pointer.sendFrame()
        server.pointer.sendButton(serial: 2, time: 10, button: 0x110, state: .pressed)
        server.pointer.sendFrame()
        try rig.pump()
        #expect(rig.phases == [.began])
        server.pointer.sendButton(serial: 3, time: 90, button: 0x110, state: .released)
        server.pointer.sendFrame()
        try rig.pump()
        #expect(rig.phases == [.began, .ended])
        #expect(rig.changes[0].contact.position == Point(x: 40, y: 50.5))
        #expect(rig.changes[0].contact.kind == .pointer)
        #expect(seat.liveContacts.isEmpty)
    }

    @Test("Touch and emulated pointer both delivered: one tap")
    func emulatedClick() throws {
        let rig = try SeatRig()
        let (seat, server) = try rig.seat()
        let window = try rig.window()
        server.resource.offer([.touch, .pointer])
        try rig.pump()
        server.touch.sendDown(serial: 1, time: 1, surface: window.resource, id: 0, x: 60, y: 60)
        server.touch.sendFrame()
        server.pointer.sendEnter(serial: 2, surface: window.resource, surfaceX: 60, surfaceY: 60)
        server.pointer.sendMotion(time: 1, surfaceX: 60, surfaceY: 60)
        server.pointer.sendButton(serial: 3, time: 1, button: 0x110, state: .pressed)
        try rig.pump()
        rig.advance(60)
        server.touch.sendUp(serial: 4, time: 61, id: 0)
        server.touch.sendFrame()
        server.pointer.sendButton(serial: 5, time: 61, button: 0x110, state: .released)
        try rig.pump()
        seat.endTurn(arrival: rig.now)
        #expect(rig.phases == [.began, .ended])
        #expect(rig.changes.map(\.contact.kind) == [.finger, .finger])
        #expect(seat.diagnosis.emulatedPresses == 1)
        #expect(!seat.diagnosis.looksLikeEmulationOnly)
    }

    @Test("Presses but no wl_touch event on a seat with a touchscreen: diagnosed as emulation")
    func emulationOnly() throws {
        let rig = try SeatRig()
        let (seat, server) = try rig.seat()
        let window = try rig.window()
        server.resource.offer([.touch, .pointer])
        try rig.pump()
        #expect(!seat.diagnosis.looksLikeEmulationOnly)
        server.pointer.sendEnter(serial: 1, surface: window.resource, surfaceX: 1, surfaceY: 1)
        server.pointer.sendButton(serial: 2, time: 1, button: 0x110, state: .pressed)
        try rig.pump()
        #expect(seat.diagnosis.looksLikeEmulationOnly)
        server.resource.offer(.pointer)
        try rig.pump()
        #expect(!seat.diagnosis.looksLikeEmulationOnly, "without a touchscreen a press is a mouse's")
    }

    @Test("The pointer goes with the button down: cancelled, and a new object when it returns")
    func pointerLoss() throws {
        let rig = try SeatRig()
        let (_, server) = try rig.seat()
        let window = try rig.window()
        server.resource.offer(.pointer)
        try rig.pump()
        server.pointer.sendEnter(serial: 1, surface: window.resource, surfaceX: 1, surfaceY: 1)
        server.pointer.sendButton(serial: 2, time: 1, button: 0x110, state: .pressed)
        server.pointer.sendFrame()
        server.resource.offer([])
        server.resource.offer(.pointer)
        try rig.pump()
        #expect(rig.phases == [.began, .cancelled])
        #expect(server.pointers.map(\.isAlive) == [false, true])
    }

    // MARK: Keyboard

    @Test("Presses with their symbols; held, released and repeated keys are none")
    func keys() throws {
        let rig = try SeatRig()
        let (_, server) = try rig.seat()
        let window = try rig.window()
        server.resource.offer(.keyboard)
        try rig.pump()
        let keyboard = server.keyboard
        let text = TestKeymap.text(layouts: "us,de")
        let file = TestKeymap.file(text)
        keyboard.sendKeymap(format: .xkbV1, fd: file, size: UInt32(text.count))
        close(file)
        // Code 16, as 32-bit words: q is held when the keyboard comes to us.
        keyboard.sendEnter(serial: 1, surface: window.resource, keys: [16, 0, 0, 0])
        keyboard.sendModifiers(serial: 2, modsDepressed: 0, modsLatched: 0, modsLocked: 0, group: 1)
        keyboard.sendRepeatInfo(rate: 25, delay: 400)
        keyboard.sendKey(serial: 3, time: 1, key: 16, state: .released)
        keyboard.sendKey(serial: 4, time: 2, key: 21, state: .pressed)
        keyboard.sendKey(serial: 5, time: 3, key: 21, state: .repeated)
        keyboard.sendKey(serial: 6, time: 4, key: 21, state: .released)
        keyboard.sendLeave(serial: 7, surface: window.resource)
        try rig.pump()
        #expect(rig.keys.map(\.text) == ["z"])
        #expect(rig.problems.isEmpty)
    }

    @Test("A bad keymap is reported and the keyboard goes on")
    func badKeymap() throws {
        let rig = try SeatRig()
        let (_, server) = try rig.seat()
        server.resource.offer(.keyboard)
        try rig.pump()
        let file = TestKeymap.file(Array("nonsense\0".utf8))
        server.keyboard.sendKeymap(format: .xkbV1, fd: file, size: 9)
        close(file)
        server.keyboard.sendKey(serial: 1, time: 1, key: 1, state: .pressed)
        try rig.pump()
        #expect(rig.problems == [.keymap(.notUnderstood)])
        #expect(rig.keys.map(\.command) == [.escape])
    }
}
