import Gestures
import Testing
import TouchStage
import WaylandClient
import WaylandProtocols

@testable import WireProxy

/// An app asks the compositor to move its window by a touch. Weston says nothing more of that touch then.
@Suite struct HandOverTests {
    /// A finger is down, and the app has asked for its window to be moved by it.
    private func movingRig() throws -> AppRig {
        let rig = try AppRig()
        let app = try TestApp(rig)
        let window = try TestAppWindow(app)
        try rig.touch(0, 100, 80)
        window.toplevel.move(seat: app.seat, serial: app.serial)
        try rig.pump()
        return rig
    }

    private func cancelled(_ rig: AppRig) -> Int {
        rig.gestures.count { if case .contactCancelled = $0 { true } else { false } }
    }

    @Test(arguments: [false, true])
    func aTouchOfWhichNothingIsHeardAnyMoreIsOver(isResize: Bool) throws {
        let rig = try AppRig()
        let app = try TestApp(rig)
        let window = try TestAppWindow(app)
        try rig.touch(5, 250, 150)
        try rig.touch(0, 100, 80)
        if isResize {
            window.toplevel.resize(seat: app.seat, serial: app.serial, edges: .topLeft)
        } else {
            window.toplevel.move(seat: app.seat, serial: app.serial)
        }
        try rig.pump()
        try rig.advance(milliseconds: 280)
        #expect(cancelled(rig) == 0 && rig.proxy?.contactCount == 2)
        try rig.advance(milliseconds: 40)
        #expect(cancelled(rig) == 2 && rig.proxy?.contactCount == 0)
        try rig.advance(milliseconds: 600)
        rig.expectNothingLeft()

        // The same number comes down again after the move.
        try rig.touch(0, 60, 60)
        #expect(rig.proxy?.contactCount == 1 && !rig.mappedOwn.isEmpty)
        try rig.lift(0)
        #expect(rig.gestures.contains { if case .tap = $0 { true } else { false } })
    }

    @Test func itIsKnownWithoutAFrameCallback() throws {
        let rig = try movingRig()
        try rig.runDeadlines()
        #expect(cancelled(rig) == 1 && rig.proxy?.contactCount == 0)
    }

    @Test func framesAloneTellOfNoTouch() throws {
        let rig = try movingRig()
        for _ in 0..<20 {
            rig.stage.seat.touch.frame()
            try rig.advance(milliseconds: 16)
        }
        #expect(cancelled(rig) == 1 && rig.proxy?.contactCount == 0)
    }

    @Test func aCompositorThatRefusesGoesOnAndSoDoesTheMark() throws {
        let rig = try movingRig()
        try rig.advance(milliseconds: 200)
        try rig.move(0, 120, 90)
        try rig.advance(milliseconds: 2000)
        #expect(cancelled(rig) == 0 && rig.proxy?.contactCount == 1 && !rig.mappedOwn.isEmpty)
        try rig.lift(0)
        #expect(rig.proxy?.contactCount == 0)
    }

    @Test func whatACompositorSaysLateIsNoFault() throws {
        let rig = try movingRig()
        try rig.advance(milliseconds: 400)
        try rig.move(0, 120, 90)
        try rig.lift(0)
        #expect(rig.proxy?.watch?.seats.first?.contacts.touchFaults == FaultCounters())
        try rig.advance(milliseconds: 1600)
        rig.expectNothingLeft()
    }

    @Test func aSerialThatIsNoTouchOfItsOwnMeansNothing() throws {
        let rig = try AppRig()
        let app = try TestApp(rig)
        let window = try TestAppWindow(app)
        try rig.touch(0, 100, 80)
        let first = app.serial
        try rig.lift(0)
        try rig.touch(0, 100, 80)
        window.toplevel.move(seat: app.seat, serial: first)
        try rig.pump()
        try rig.advance(milliseconds: 2000)
        #expect(cancelled(rig) == 0 && rig.proxy?.contactCount == 1)
    }
}
