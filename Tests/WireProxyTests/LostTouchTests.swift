import Gestures
import Testing

@testable import WireProxy

/// Touches whose surface goes, moves or is hidden under the finger, and those of which another wl_touch or nobody speaks.
@Suite struct LostTouchTests {
    private static let base = RawRig.base

    /// What was told of touches.
    private final class Told {
        var places: [Point] = []
    }

    /// A window: surface 7, xdg_surface 8, xdg_toplevel 9; the app's wl_touch is 6 of wl_seat 4.
    private func windowRig(_ more: [(name: String, version: UInt32)] = []) throws -> RawRig {
        var manners = RawRig.Manners()
        manners.globals += more
        let rig = try RawRig(manners)
        try rig.bindGlobals()
        rig.window(7)
        try rig.pump()
        return rig
    }

    private func bind(_ rig: RawRig, _ name: String, _ id: UInt32) {
        var bind = Message(2, 0, UInt32(rig.manners.globals.firstIndex { $0.name == name } ?? 0))
        bind.append(name)
        bind.append(1)
        bind.append(id)
        rig.app.send([bind])
    }

    private func say(_ rig: RawRig, _ messages: Message...) throws {
        rig.compositor.send(messages)
        try rig.pump()
    }

    private func ask(_ rig: RawRig, _ messages: Message...) throws {
        rig.app.send(messages)
        try rig.pump()
    }

    private func down(_ touch: UInt32, _ surface: UInt32 = 7, at time: UInt32 = 1000) -> Message {
        Message(touch + Self.base, 0, 9, time, surface + Self.base, 0, 10 << 8, 10 << 8)
    }

    private func motion(_ touch: UInt32, _ x: UInt32 = 10, at time: UInt32 = 1005) -> Message {
        Message(touch + Self.base, 2, time, 0, x << 8, 10 << 8)
    }

    private func up(_ touch: UInt32, at time: UInt32 = 1010) -> Message { Message(touch + Self.base, 1, 9, time, 0) }

    private func frame(_ touch: UInt32) -> Message { Message(touch + Self.base, 3) }

    private func expectNoFault(_ rig: RawRig, _ location: SourceLocation = #_sourceLocation) {
        #expect(rig.proxy.seats.first?.touchFaults == FaultCounters(), sourceLocation: location)
    }

    // MARK: Objects

    /// Apps need not release the wl_touch of a touchscreen that went, and before version 3 cannot.
    @Test func theWlTouchThatSpeaksIsHeard() throws {
        let rig = try windowRig()
        try say(rig, Message(4 + Self.base, 0, 1), Message(4 + Self.base, 0, 5))
        try ask(rig, Message(4, 2, 10))
        try say(rig, down(10), frame(10))
        #expect(rig.proxy.contactCount == 1)
        try say(rig, motion(10, 20), frame(10), up(10), frame(10))
        #expect(rig.proxy.contactCount == 0)
        expectNoFault(rig)
    }

    @Test func ofTwoThatSpeakOneIsHeard() throws {
        let rig = try windowRig()
        try ask(rig, Message(4, 2, 10))
        var time: UInt32 = 1000
        for (first, second) in [(6, 10), (6, 10), (10, 6), (10, 6)] as [(UInt32, UInt32)] {
            try say(rig, down(first, at: time), down(second, at: time), frame(first), frame(second))
            #expect(rig.proxy.contactCount == 1)
            time += 10
            try say(rig, motion(first, at: time), motion(second, at: time), frame(first), frame(second))
            time += 10
            try say(rig, up(first, at: time), up(second, at: time), frame(first), frame(second))
            #expect(rig.proxy.contactCount == 0)
        }
        expectNoFault(rig)
    }

    @Test func theOtherWlTouchGoesOnAboutTheFinger() throws {
        let rig = try windowRig()
        try ask(rig, Message(4, 2, 10))
        try say(rig, down(6), down(10), frame(6), frame(10))
        // wl_touch.release
        try ask(rig, Message(6, 0))
        #expect(rig.proxy.contactCount == 1)
        try say(rig, motion(10, 30), frame(10))
        #expect(rig.proxy.contactCount == 1)
        try ask(rig, Message(10, 0))
        #expect(rig.proxy.contactCount == 0)
        expectNoFault(rig)
    }

    /// wl_registry.global_remove ends what is down on the seat, though the app keeps its wl_touch for ever.
    @Test func whatIsDownOnASeatThatGoesEnds() throws {
        let rig = try windowRig()
        let seat = UInt32(rig.manners.globals.firstIndex { $0.name == "wl_seat" } ?? 0)
        // wl_seat.release says nothing about the wl_touch.
        try ask(rig, Message(4, 3))
        try say(rig, down(6), frame(6))
        #expect(rig.proxy.contactCount == 1)
        // Another global's end is none of it.
        try say(rig, Message(2 + Self.base, 1, seat + 40))
        #expect(rig.proxy.contactCount == 1)
        try say(rig, Message(2 + Self.base, 1, seat))
        #expect(rig.proxy.contactCount == 0)
        expectNoFault(rig)
        // The next has its number.
        bind(rig, "wl_seat", 10)
        try ask(rig, Message(10, 2, 11))
        try say(rig, down(11), frame(11))
        #expect(rig.proxy.contactCount == 1)
        try say(rig, up(11), frame(11))
        #expect(rig.proxy.contactCount == 0)
        expectNoFault(rig)
    }

    // MARK: Drags

    /// Sway and weston say nothing more of a touch that drags something.
    @Test func aTouchThatDragsIsTakenOverUnlessItIsHeardOf() throws {
        let rig = try windowRig([("wl_data_device_manager", 1)])
        bind(rig, "wl_data_device_manager", 10)
        // wl_data_device_manager.get_data_device
        try ask(rig, Message(10, 1, 11, 4))
        try say(rig, down(6), frame(6))
        // wl_data_device.start_drag
        try ask(rig, Message(11, 0, 0, 7, 0, 9))
        rig.now = rig.now + .milliseconds(290)
        try rig.pump()
        #expect(rig.proxy.contactCount == 1)
        rig.now = rig.now + .milliseconds(20)
        try rig.pump()
        #expect(rig.proxy.contactCount == 0)
        // It was not after all.
        try say(rig, motion(6, 40), frame(6))
        #expect(rig.proxy.contactCount == 1)
        try say(rig, motion(6, 41), frame(6), up(6), frame(6))
        #expect(rig.proxy.contactCount == 0)
        expectNoFault(rig)
    }

    // MARK: Surfaces

    /// A subsurface: surface 11, wl_subsurface 12, at 100, 100.
    private func childRig() throws -> RawRig {
        let rig = try windowRig()
        bind(rig, "wl_subcompositor", 10)
        try ask(
            rig, Message(3, 0, 11), Message(10, 1, 12, 11, 7), Message(12, 1, 100, 100), Message(11, 1, 999, 0, 0),
            Message(11, 6), Message(7, 6))
        return rig
    }

    @Test func aTouchIsWhereItsSubsurfaceIsNow() throws {
        let rig = try childRig()
        let told = Told()
        rig.proxy.reports.onRaw = { event, _ in
            switch event.kind {
            case .down(_, _, let place, _), .motion(_, _, let place): told.places.append(place)
            default: break
            }
        }
        try say(rig, down(6, 11), frame(6))
        // It counts with the parent's commit.
        try ask(rig, Message(12, 1, 200, 150))
        try say(rig, motion(6), frame(6))
        try ask(rig, Message(7, 6))
        try say(rig, motion(6), frame(6))
        #expect(told.places == [Point(x: 110, y: 110), Point(x: 110, y: 110), Point(x: 210, y: 160)])
    }

    /// Weston, mutter and KWin send no up.
    @Test(arguments: [11, 12] as [UInt32]) func aTouchGoesWithItsSubsurface(destroyed: UInt32) throws {
        let rig = try childRig()
        try say(rig, down(6, 11), frame(6))
        try ask(rig, Message(destroyed, 0))
        #expect(rig.proxy.contactCount == 0)
        // Others send what is left.
        try say(rig, motion(6, 20), frame(6), up(6), frame(6))
        #expect(rig.proxy.contactCount == 0)
        expectNoFault(rig)
    }

    @Test func aTouchStaysWhenAnotherSubsurfaceGoes() throws {
        let rig = try childRig()
        try say(rig, down(6), frame(6))
        try ask(rig, Message(12, 0), Message(11, 0))
        #expect(rig.proxy.contactCount == 1)
    }

    /// By a commit without a buffer, or with its role. Weston sends no up.
    @Test(arguments: [true, false]) func aTouchGoesWithWhatIsShown(byCommit: Bool) throws {
        let rig = try windowRig()
        try say(rig, down(6), frame(6))
        if byCommit {
            try ask(rig, Message(7, 1, 0, 0, 0))
            #expect(rig.proxy.contactCount == 1)
            try ask(rig, Message(7, 6))
        } else {
            try ask(rig, Message(9, 0), Message(8, 0))
        }
        #expect(rig.proxy.contactCount == 0)
        expectNoFault(rig)
    }

    /// A commit of no buffer, and with its parent where it waits for that.
    @Test(arguments: [true, false]) func aTouchGoesWithWhatIsShownOfASubsurface(isSynchronized: Bool) throws {
        let rig = try childRig()
        // wl_subsurface.set_desync
        if !isSynchronized { try ask(rig, Message(12, 5)) }
        try say(rig, down(6, 11), frame(6))
        try ask(rig, Message(11, 1, 0, 0, 0), Message(11, 6))
        #expect(rig.proxy.contactCount == (isSynchronized ? 1 : 0))
        try ask(rig, Message(7, 6))
        #expect(rig.proxy.contactCount == 0)
        // A touch that was on its way when it went is none.
        try say(rig, down(6, 11, at: 1100), frame(6))
        #expect(rig.proxy.contactCount == 0 && rig.notes == [])
        try say(rig, up(6, at: 1110), frame(6))
        try ask(rig, Message(11, 1, 999, 0, 0), Message(11, 6), Message(7, 6))
        try say(rig, down(6, 11, at: 1200), frame(6))
        #expect(rig.proxy.contactCount == 1)
        expectNoFault(rig)
    }

    @Test func aTouchGoesWithWhatItsSubsurfaceHangsOn() throws {
        let rig = try childRig()
        // On the subsurface another, 13 with 14; both set_desync.
        try ask(
            rig, Message(3, 0, 13), Message(10, 1, 14, 13, 11), Message(13, 1, 999, 0, 0), Message(12, 5),
            Message(14, 5), Message(13, 6), Message(11, 6), Message(7, 6))
        try say(rig, down(6, 13), frame(6))
        #expect(rig.proxy.contactCount == 1)
        try ask(rig, Message(11, 1, 0, 0, 0), Message(11, 6))
        #expect(rig.proxy.contactCount == 0)
        expectNoFault(rig)
    }

    @Test func aTouchThatIsLostDoesNotKeepTheOtherWlTouchFromBeingHeard() throws {
        let rig = try childRig()
        try ask(rig, Message(4, 2, 13))
        try say(rig, down(6, 11), frame(6))
        try ask(rig, Message(12, 0))
        #expect(rig.proxy.contactCount == 0)
        // The touchscreen is pulled out without a word, and the next one speaks to the newer one alone.
        try say(rig, down(13, at: 2000), frame(13))
        #expect(rig.proxy.contactCount == 1)
        try say(rig, up(13, at: 2010), frame(13))
        #expect(rig.proxy.contactCount == 0)
        expectNoFault(rig)
    }

    @Test func aWindowThatGoesDoesNotKeepTheOtherWlTouchFromBeingHeard() throws {
        let rig = try windowRig()
        try ask(rig, Message(4, 2, 10))
        try say(rig, down(6), frame(6))
        try ask(rig, Message(9, 0), Message(8, 0), Message(7, 0))
        rig.window(11)
        try say(rig, down(10, 11, at: 2000), frame(10))
        #expect(rig.proxy.contactCount == 1)
        expectNoFault(rig)
    }

    @Test func anotherWlTouchThatWasNotToldOfAFingerKeepsNoMark() throws {
        let rig = try windowRig()
        try say(rig, down(6), frame(6))
        try ask(rig, Message(4, 2, 10), Message(4, 2, 11))
        try ask(rig, Message(6, 0))
        #expect(rig.proxy.contactCount == 0)
        // Some tell it all the same what becomes of the finger.
        try say(rig, motion(10, 20), frame(10))
        #expect(rig.proxy.contactCount == 1)
        try say(rig, up(10), frame(10))
        #expect(rig.proxy.contactCount == 0)
        expectNoFault(rig)
    }

    @Test func theOneThatWasToldGoesOn() throws {
        let rig = try windowRig()
        try ask(rig, Message(4, 2, 10), Message(4, 2, 11))
        // 10 is of before the touchscreen came again.
        try say(rig, down(6), down(11), frame(6), frame(11))
        try ask(rig, Message(6, 0))
        #expect(rig.proxy.contactCount == 1)
        try say(rig, motion(11, 20), frame(11), up(11), frame(11))
        #expect(rig.proxy.contactCount == 0)
        expectNoFault(rig)
    }

    /// As weston 8 and kiosks of its time have it.
    @Test(arguments: [1, 2] as [UInt16]) func aTouchThatMovesAWlShellWindowIsTakenOver(request: UInt16) throws {
        var manners = RawRig.Manners()
        manners.globals.append(("wl_shell", 1))
        let rig = try RawRig(manners)
        try rig.bindGlobals()
        bind(rig, "wl_shell", 7)
        bind(rig, "wp_viewporter", 8)
        // Its size is told by a viewport.
        try ask(
            rig, Message(3, 0, 9), Message(7, 0, 10, 9), Message(8, 1, 11, 9), Message(11, 2, 300, 200),
            Message(9, 1, 999, 0, 0), Message(9, 6))
        try say(rig, down(6, 9), frame(6))
        #expect(rig.proxy.contactCount == 1)
        // wl_shell_surface.move or resize
        try ask(rig, request == 1 ? Message(10, 1, 4, 9) : Message(10, 2, 4, 9, 10))
        rig.now = rig.now + .milliseconds(310)
        try rig.pump()
        #expect(rig.proxy.contactCount == 0)
    }

    // MARK: Numbers that are used again

    @Test func anOutputThatADestroyedSurfaceCameOntoIsNotThatOfTheNext() throws {
        let rig = try windowRig([("wl_output", 4)])
        bind(rig, "wl_output", 10)
        try ask(rig, Message(3, 0, 11))
        // wl_output.scale
        try say(rig, Message(10 + Self.base, 3, 3))
        try ask(rig, Message(11, 0))
        // wl_surface.enter, which was on its way
        try say(rig, Message(11 + Self.base, 0, 10 + Self.base))
        try ask(rig, Message(3, 0, 11))
        #expect(rig.proxy.outputs.scale(of: 11) == 1)
        try say(rig, Message(11 + Self.base, 0, 10 + Self.base))
        #expect(rig.proxy.outputs.scale(of: 11) == 3)
    }

    @Test func aViewportOfADestroyedSurfaceIsNotThatOfTheNext() {
        var scene = Scene()
        scene.createSurface(1)
        scene.beginViewport(5, of: 1)
        _ = scene.destroySurface(1)
        scene.createSurface(1)
        scene.beginViewport(6, of: 1)
        scene.setDestination(300, 200, of: 6)
        scene.endViewport(5)
        _ = scene.commit(1)
        #expect(scene.size(of: 1) == Size(width: 300, height: 200))
    }

    @Test func aGlobalWithTheNumberOfAHiddenOneIsTakenAway() throws {
        let rig = try windowRig()
        _ = rig.app.takeMessages()
        func global(_ name: String) -> Message {
            var event = Message(2 + Self.base, 0, 50)
            event.append(name)
            event.append(1)
            return event
        }
        try say(rig, global("nobody_knows_it"), Message(2 + Self.base, 1, 50))
        #expect(rig.app.takeMessages().isEmpty)
        try say(rig, global("wl_output"), Message(2 + Self.base, 1, 50))
        #expect(rig.app.takeMessages().map(\.opcode) == [0, 1])
    }
}
