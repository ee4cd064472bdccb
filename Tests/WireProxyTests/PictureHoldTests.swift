import Gestures
import Testing
import WaylandClient
import WaylandProtocols

@testable import WireProxy

@Suite struct PictureHoldTests {
    private static let frame: Int64 = 16_000_000

    /// Pictures and commits of an app, frame by frame; how many pictures waited.
    private func waits(
        _ hold: inout PictureHold, frames: Int, from start: Int64 = 0, commits: Bool, isLate: Bool
    ) -> Int {
        var waits = 0
        for number in 0..<frames {
            let now = Instant(nanoseconds: start + Int64(number) * PictureHoldTests.frame)
            hold.advance(to: now)
            hold.begin(at: now)
            if hold.deadline != nil { waits += 1 }
            if isLate { hold.advance(to: now + 5_000_000) }
            if commits {
                hold.noteCommit()
                hold.end()
            }
        }
        return waits
    }

    @Test func picturesWaitForAnAppThatDrawsEachFrameAndForNoOther() {
        var hold = PictureHold()
        // The first one does not: nobody knows yet.
        #expect(waits(&hold, frames: 10, commits: true, isLate: false) == 9)
        var alone = PictureHold()
        #expect(waits(&alone, frames: 10, commits: false, isLate: false) == 0)
    }

    @Test func aPictureAfterAPauseGoesAtOnce() {
        var hold = PictureHold()
        _ = waits(&hold, frames: 5, commits: true, isLate: false)
        hold.begin(at: Instant(nanoseconds: 1_000_000_000))
        #expect(hold.deadline == nil)
    }

    @Test func whoWaitsInVainDoesNotWaitAgainSoon() {
        var hold = PictureHold()
        #expect(waits(&hold, frames: 50, commits: true, isLate: true) == 1)
        #expect(waits(&hold, frames: 50, from: 50 * PictureHoldTests.frame, commits: true, isLate: false) > 30)
    }

    @Test func noPictureWaitsLongerThanAQuarterOfAFrame() throws {
        var hold = PictureHold()
        _ = waits(&hold, frames: 2, commits: true, isLate: false)
        let now = Instant(nanoseconds: 2 * PictureHoldTests.frame)
        hold.begin(at: now)
        let deadline = try #require(hold.deadline)
        #expect(deadline - now <= 1_000_000_000 / 120 / 4)
        hold.advance(to: deadline)
        #expect(hold.deadline == nil)
    }

    /// What the compositor gets, as it gets it: the picture of a finger's motion right before the app's own.
    @Test func aPictureGoesOutWithTheAppsOwn() throws {
        let rig = try AppRig()
        let app = try TestApp(rig)
        let window = try TestAppWindow(app)
        let proxy = try #require(rig.proxy)
        try rig.touch(0, 60, 60)
        for step in 1...3 {
            rig.stage.seat.touch.motion(0, x: 60 + Double(step) * 9, y: 60)
            rig.stage.seat.touch.frame()
            rig.stage.advance(milliseconds: 16)
            rig.stage.fireFrameCallbacks()
            try rig.pump()
            if step > 1 { #expect(proxy.isHoldingPicture && !proxy.forwarder.toCompositor.isEmpty) }
            let journal = rig.stage.journal.count
            window.surface.damage(x: 0, y: 0, width: 1, height: 1)
            app.commit(window.surface)
            try rig.pump()
            let commits = rig.stage.journal[journal...].filter { $0.isRequest && $0.name == "commit" }
            if step > 1 { #expect(commits.count > 2 && commits.last.map { $0.objectID > AppRig.lastOwn } == true) }
            #expect(!proxy.isHoldingPicture && proxy.forwarder.toCompositor.isEmpty)
        }
        // The app has stopped: the picture goes out all the same, in time.
        rig.stage.seat.touch.motion(0, x: 110, y: 60)
        rig.stage.seat.touch.frame()
        rig.stage.advance(milliseconds: 16)
        rig.stage.fireFrameCallbacks()
        try rig.pump()
        let deadline = try #require(proxy.nextDeadline)
        #expect(proxy.isHoldingPicture && deadline.nanoseconds - rig.stage.now <= 2_000_000)
        rig.stage.advance(nanoseconds: deadline.nanoseconds - rig.stage.now)
        try rig.pump()
        #expect(!proxy.isHoldingPicture && proxy.forwarder.toCompositor.isEmpty)
    }
}
