import Gestures
import Ripples
import Testing
import TouchStage

@testable import WireProxy

/// The inspector above an app's windows. Without a font there is no text, but for why.
@Suite struct InspectorOfAppTests {
    private func rig() throws -> AppRig {
        var style = RippleStyle()
        style.kind = .inspect
        return try AppRig(look: AppConnection.Look(style: { [style] _ in style }))
    }

    /// The rows of the picture that differ, above `bottom`.
    private func changedRows(_ picture: Picture, from before: Picture, above bottom: Int) -> Int {
        (0..<bottom).count { y in (0..<300 as Range<Int>).contains { picture[$0, y] != before[$0, y] } }
    }

    @Test func labelsComeWithAFingerAndGoAfterIt() throws {
        let rig = try rig()
        _ = try TestAppWindow(TestApp(rig))
        let before = rig.stage.screenshot()
        try rig.touch(0, 100, 150)
        try rig.advance(milliseconds: 300)
        let said = rig.notes.filter { $0.hasPrefix("no labels are shown: ") }
        // The heading lies along the top, where no mark of this finger is.
        #expect((changedRows(rig.stage.screenshot(), from: before, above: 30) > 5) == said.isEmpty, "\(rig.notes)")
        #expect(said.count <= 1)
        try rig.lift()
        try rig.advance(milliseconds: 1500)
        #expect(rig.stage.screenshot() == before)
        rig.expectNothingLeft()
    }

    @Test func aRestingFingersLabelIsMadeAnewFiveTimesASecondAtMost() throws {
        let rig = try rig()
        _ = try TestAppWindow(TestApp(rig))
        try rig.touch(0, 100, 150)
        try rig.advance(milliseconds: 1000)
        let commits = rig.count("wl_surface", "commit", ofApp: false)
        let deadline = try #require(rig.proxy?.nextDeadline)
        #expect(deadline.nanoseconds > rig.stage.now)
        try rig.advance(milliseconds: 1000)
        // Each is a commit of the cells that have changed, of the one that asks for the next frame, and of the container.
        #expect(rig.count("wl_surface", "commit", ofApp: false) - commits < 150)
        // A finger that says nothing for ten seconds is not worth waking up for.
        try rig.advance(milliseconds: 11_000)
        try rig.runDeadlines()
        rig.stage.seat.touch.up(0)
        rig.stage.seat.touch.frame()
        try rig.pump()
        try rig.advance(milliseconds: 1500)
        rig.expectNothingLeft()
    }

    @Test func anInspectorThatComesUnderAFingerCountsIt() throws {
        let rig = try AppRig()
        let app = try TestApp(rig)
        let windows = [try TestAppWindow(app), try TestAppWindow(app)]
        try rig.touch(0, 100, 150)
        var style = RippleStyle()
        style.kind = .inspect
        rig.proxy?.set(AppConnection.Look(style: { [style] _ in style }))
        // Of the window that is touched alone.
        #expect(rig.proxy?.windows.values.compactMap { $0.inspector?.contactCount }.sorted() == [0, 1])
        _ = windows
    }

    /// Wherever it is then, nothing is to be shown of it, and nothing wakes up for it again and again.
    @Test func aTouchedWindowWhoseSizeIsNotKnownAnyMoreKeepsNobodyAwake() throws {
        let rig = try RawRig()
        try rig.bindGlobals()
        var bind = Message(2, 0, 3)
        bind.append("wp_viewporter")
        bind.append(1)
        bind.append(7)
        // A window without geometry that tells its size by a viewport.
        rig.app.send([
            bind, Message(3, 0, 8), Message(5, 2, 9, 8), Message(9, 1, 10), Message(8, 6), Message(7, 1, 11, 8),
            Message(11, 2, 300, 200), Message(8, 1, 999, 0, 0), Message(8, 6),
        ])
        try rig.pump()
        var style = RippleStyle()
        style.kind = .inspect
        rig.proxy.set(AppConnection.Look(style: { [style] _ in style }))
        rig.touch(8)
        try rig.pump()
        #expect(rig.proxy.contactCount == 1)
        for _ in 0..<3 { try rig.tick(milliseconds: 16) }
        rig.app.send([Message(11, 0), Message(8, 6)])
        try rig.pump()
        for _ in 0..<3 { try rig.tick(milliseconds: 600) }
        #expect(rig.proxy.contactCount == 1)
        #expect(rig.proxy.nextDeadline.map { $0 > rig.now } ?? true)
        rig.lift()
        try rig.pump()
    }

    @Test func anotherStyleTakesTheLabelsAway() throws {
        let rig = try rig()
        _ = try TestAppWindow(TestApp(rig))
        let before = rig.stage.screenshot()
        try rig.touch(0, 100, 150)
        try rig.advance(milliseconds: 100)
        rig.proxy?.set(AppConnection.Look())
        try rig.advance(milliseconds: 100)
        #expect(changedRows(rig.stage.screenshot(), from: before, above: 30) == 0)
        try rig.lift()
        try rig.advance(milliseconds: 1500)
        #expect(rig.stage.screenshot() == before)
        rig.expectNothingLeft()
    }
}
