import Gestures
import Testing
import TouchStage
import WaylandProtocols

@testable import Ripples
@testable import WireProxy

@Suite struct TouchBacklogTests {
    private typealias Dice = RandomMessageTests.Dice

    /// A window that a finger rests on, with a picture on its way.
    private func touched(listens: Bool = false) throws -> (rig: AppRig, window: TestAppWindow) {
        let rig = try AppRig(listens: listens)
        let window = try TestAppWindow(TestApp(rig))
        try rig.touch(0, 100, 100)
        let now = Instant(nanoseconds: rig.stage.now)
        try #require(rig.proxy?.windows.values.first?.overlay.isWaiting(at: now) == true)
        return (rig, window)
    }

    /// Where the proxy has the fingers now.
    private func places(_ rig: AppRig) -> [Double] {
        rig.proxy?.windows.values.first?.ripples.ripples.map { $0.center.x } ?? []
    }

    @Test func movesWaitUntilTheNextPictureCanBeShown() throws {
        let (rig, _) = try touched()
        for step in 1...4 { try rig.move(0, 100 + Double(step), 100) }
        #expect(rig.proxy?.backlog.count == 8 && places(rig) == [100])
        #expect(try #require(rig.proxy?.nextDeadline) > Instant(nanoseconds: rig.stage.now))
        rig.stage.fireFrameCallbacks()
        try rig.pump()
        #expect(rig.proxy?.backlog.isEmpty == true)
        #expect(places(rig) == [104])
    }

    @Test func nothingWaitsWhereItIsListenedTo() throws {
        let (rig, _) = try touched(listens: true)
        let before = rig.gestures.count
        try rig.move(0, 101, 100)
        #expect(rig.proxy?.backlog.isEmpty == true && rig.gestures.count == before + 1)
    }

    @Test func nothingWaitsForAPictureThatNobodyHasAskedFor() throws {
        let (rig, _) = try touched()
        try rig.advance(milliseconds: 1600)
        try #require(rig.proxy?.windows.values.first?.overlay.deadline == nil)
        try rig.move(0, 101, 100)
        #expect(rig.proxy?.backlog.isEmpty == true && places(rig) == [101])
    }

    @Test func whatElseHappensFindsTheFingerWhereItIs() throws {
        var (rig, window) = try touched()
        try rig.move(0, 140, 100)
        try #require(rig.proxy?.backlog.isEmpty == false)
        try rig.lift(0)
        #expect(rig.proxy?.backlog.isEmpty == true && places(rig) == [140])

        (rig, window) = try touched()
        try rig.move(0, 140, 100)
        rig.proxy?.set(AppConnection.Look())
        #expect(rig.proxy?.backlog.isEmpty == true && places(rig) == [140])

        (rig, window) = try touched()
        try rig.move(0, 140, 100)
        #expect(rig.proxy?.contactCount == 1 && rig.proxy?.backlog.isEmpty == true)

        (rig, window) = try touched()
        try rig.move(0, 140, 100)
        window.app.touch.release()
        try rig.pump()
        #expect(rig.proxy?.backlog.isEmpty == true && rig.proxy?.contactCount == 0)
    }

    /// A finger was where its subsurface was then, not where that is when it is heard of.
    @Test(arguments: ["moves", "goes"]) func aSubsurfaceUnderAFingerThat(does what: String) throws {
        let rig = try AppRig(listens: false)
        let app = try TestApp(rig)
        let window = try TestAppWindow(app)
        let child = app.surface()
        let role = try rig.bind(WlSubcompositor.self).getSubsurface(surface: child, parent: window.surface)
        role.setPosition(x: 50, y: 50)
        app.show(child, 100, 100, 0xFF80_8080)
        app.commit(window.surface)
        try rig.pump()
        try rig.touch(0, 100, 100)
        try rig.move(0, 110, 100)
        try #require(rig.proxy?.backlog.isEmpty == false && places(rig) == [100])
        if what == "moves" { role.setPosition(x: 70, y: 50) } else { role.destroy() }
        app.commit(window.surface)
        try rig.pump()
        #expect(places(rig) == [110])
        #expect(rig.proxy?.contactCount == (what == "moves" ? 1 : 0))
        #expect(rig.proxy?.seats.first?.touchFaults == FaultCounters())
    }

    @Test func anAppThatDrawsLetsMovesWait() throws {
        let (rig, window) = try touched()
        try rig.move(0, 140, 100)
        window.app.show(window.surface, 300, 200, TestAppWindow.color)
        try rig.pump()
        #expect(rig.proxy?.backlog.isEmpty == false && places(rig) == [100])
    }

    @Test func aCompositorThatAsksForNoPictureIsHeardAllTheSame() throws {
        let (rig, _) = try touched()
        for step in 1...200 { try rig.move(0, 100 + Double(step % 50), 100) }
        #expect(try #require(rig.proxy?.backlog.count) <= 64)
        try rig.move(0, 177, 100)
        rig.stage.advance(milliseconds: 501)
        try rig.pump()
        #expect(rig.proxy?.backlog.isEmpty == true && places(rig) == [177])
    }

    /// What is seen after each step of a random script, and how many events waited at most.
    private func pictures(seed: UInt64, listens: Bool) throws -> (pictures: [[UInt32]], waited: Int) {
        var dice = Dice(state: seed)
        var style = RippleStyle()
        if seed % 2 == 0 { style.kind = .trail }
        let rig = try AppRig(look: AppConnection.Look(style: { [style] _ in style }), listens: listens)
        let window = try TestAppWindow(TestApp(rig))
        var pictures: [[UInt32]] = []
        var waited = 0
        for _ in 0..<60 {
            let id = Int32(dice.roll(2))
            let (x, y) = (Double(20 + dice.roll(260)), Double(20 + dice.roll(160)))
            switch dice.roll(16) {
            case 0: rig.stage.seat.touch.down(id, x: x, y: y)
            case 1: rig.stage.seat.touch.up(id)
            case 2 where dice.roll(4) == 0: rig.stage.seat.touch.cancel()
            case 3...5: rig.stage.fireFrameCallbacks()
            default: rig.stage.seat.touch.motion(id, x: x, y: y)
            }
            // Some compositors send no frames.
            if seed % 3 != 0 { rig.stage.seat.touch.frame() }
            try rig.pump()
            waited = max(waited, rig.proxy?.backlog.count ?? 0)
            rig.stage.advance(milliseconds: Int64(dice.roll(12)))
            try rig.pump()
            pictures.append(rig.stage.screenshot().pixels)
        }
        #expect(rig.stage.violations == [])
        _ = window
        return (pictures, waited)
    }

    @Test(arguments: 0..<6) func whatIsSeenIsTheSameAsWhereNothingWaits(seed: UInt64) throws {
        let lazy = try pictures(seed: seed, listens: false)
        let eager = try pictures(seed: seed, listens: true)
        #expect(lazy.waited > 2 && eager.waited == 0)
        let other = zip(lazy.pictures, eager.pictures).enumerated().first { $0.element.0 != $0.element.1 }?.offset
        #expect(other == nil, "the picture after this step")
        #expect(Set(eager.pictures).count > 3)
    }
}
