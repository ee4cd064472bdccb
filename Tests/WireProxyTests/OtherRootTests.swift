import Gestures
import Testing
import TouchStage
import WaylandClient
import WaylandProtocols

@testable import WireProxy

/// What an app shows that is no xdg window: a bar or keyboard by layer-shell, and a surface of a kind that is not known.
@Suite struct OtherRootTests {
    @Test func whatLayerShellShowsHasWaves() throws {
        let rig = try AppRig()
        let app = try TestApp(rig)
        let shell = try rig.bind(ZwlrLayerShellV1.self)
        let surface = app.surface()
        let layer = shell.getLayerSurface(surface: surface, output: nil, layer: .top, namespace: "keyboard")
        layer.onEvent = { [layer] event in
            if case .configure(let serial, _, _) = event { layer.ackConfigure(serial: serial) }
        }
        layer.setSize(width: 300, height: 200)
        layer.setAnchor(anchor: [.top, .left])
        app.commit(surface)
        try rig.pump()
        app.show(surface, 300, 200, TestAppWindow.color)
        try rig.pump()
        #expect(rig.proxy?.windowCount == 1)
        let before = rig.stage.screenshot()
        #expect(before[150, 100] == TestAppWindow.color)

        try rig.touch(0, 100, 80)
        let held = try #require(rig.stage.screenshot().difference(from: before))
        #expect(abs(held.x - 100) <= 1 && abs(held.y - 80) <= 1, "\(held)")
        try rig.lift()
        try rig.advance(milliseconds: 1200)
        #expect(rig.stage.screenshot() == before)
        rig.expectNothingLeft()

        layer.destroy()
        surface.destroy()
        try rig.pump()
        #expect(rig.proxy?.windowCount == 0 && rig.notes == [])
        #expect(rig.stage.violations == [])
    }

    @Test func aTouchOnWhatIsNoKnownWindowIsSaidOnce() throws {
        let rig = try AppRig()
        let app = try TestApp(rig)
        _ = try TestAppWindow(app)
        let other = app.surface()
        try rig.pump()
        let stray = try #require(rig.apps.last)
        try rig.touch(0, 10, 10)
        try rig.lift(0)
        #expect(rig.notes == [])
        for _ in 0..<2 {
            try rig.touch(1, 10, 10, on: stray)
            try rig.lift(1)
        }
        #expect(rig.notes == ["no waves on a window: what was touched is of a kind that gets none"])
        // One that is gone when the touch comes is nothing to be said.
        let again = try AppRig()
        let second = try TestApp(again)
        let gone = second.surface()
        try again.pump()
        let late = try #require(again.apps.last)
        again.stage.seat.touch.down(0, x: 1, y: 1, on: late)
        gone.destroy()
        try again.pump()
        #expect(again.notes == [])
        _ = other
    }
}
