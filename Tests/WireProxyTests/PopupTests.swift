import Gestures
import Testing

@testable import Ripples
@testable import WireProxy

/// Marks and waves where popups lie: these are above all that is shown on their parent's window.
@Suite struct PopupTests {
    /// Window 10 of 300x200 and a popup 11 of 100x80; xdg_surface objects from 200 + surface, roles from 300 + surface.
    private func scene(parent: Rect? = nil, popup: Rect? = nil) -> Scene {
        var scene = Scene()
        for (surface, width, height) in [(10, 300, 200), (11, 100, 80), (12, 50, 40)] as [(UInt32, Int32, Int32)] {
            scene.createSurface(surface)
            scene.beginXdgSurface(200 + surface, of: surface)
            scene.beginBuffer(500 + surface, width: width, height: height)
            scene.attach(500 + surface, to: surface)
        }
        _ = scene.beginRoot(210, role: 310)
        if let parent { scene.setGeometry(parent, of: 210) }
        _ = scene.commit(10)
        _ = scene.beginPopup(211, role: 311, parent: 210)
        scene.placePopup(311, 150, 60)
        if let popup { scene.setGeometry(popup, of: 211) }
        return scene
    }

    private func place(_ scene: Scene, _ root: UInt32 = 11) -> String {
        scene.place(of: root).map { "\($0.top) \(Int($0.offset.x)),\(Int($0.offset.y))" } ?? "nowhere"
    }

    @Test func aPopupIsWhereItIsFromItsCommitOn() {
        var scene = scene()
        #expect(place(scene) == "nowhere" && place(scene, 10) == "10 0,0" && place(scene, 99) == "nowhere")
        #expect(scene.commit(11) == [.changed(root: 11)])
        #expect(place(scene) == "10 150,60")
        #expect(scene.bounds(of: 11) == Rect(x: 0, y: 0, width: 100, height: 80))
        // Moved with xdg_popup.reposition.
        scene.placePopup(311, 10, 20)
        #expect(place(scene) == "10 150,60")
        #expect(scene.commit(11) == [.changed(root: 11)])
        #expect(place(scene) == "10 10,20")
    }

    /// Both windows' corners are where their geometry says, and shadows are none of the window.
    @Test func windowsAreWhereTheirGeometryIs() {
        var scene = scene(
            parent: Rect(x: 20, y: 30, width: 260, height: 150), popup: Rect(x: 5, y: 6, width: 90, height: 700))
        _ = scene.commit(11)
        // 20 + 150 - 5, 30 + 60 - 6
        #expect(place(scene) == "10 165,84")
        #expect(scene.bounds(of: 11) == Rect(x: 5, y: 6, width: 90, height: 74))
    }

    @Test func popupsOfPopupsAddUp() {
        var scene = scene()
        _ = scene.commit(11)
        _ = scene.beginPopup(212, role: 312, parent: 211)
        scene.placePopup(312, 80, 10)
        _ = scene.commit(12)
        #expect(place(scene, 12) == "10 230,70")
        #expect(scene.endRole(312) == [.hidden])
        #expect(place(scene, 12) == "12 0,0")
        // The numbers are used again; this one has no parent that is known.
        _ = scene.destroySurface(12)
        scene.createSurface(12)
        scene.beginXdgSurface(212, of: 12)
        _ = scene.beginPopup(212, role: 312, parent: 0)
        scene.placePopup(312, 80, 10)
        _ = scene.commit(12)
        #expect(place(scene, 12) == "12 0,0")
        _ = scene.destroySurface(10)
        #expect(place(scene) == "11 0,0")
        _ = scene.destroySurface(11)
        _ = scene.destroySurface(12)
        #expect(!scene.hasPopups)
    }

    @Test func layerShellTellsTheParentLater() {
        var scene = scene()
        scene.createSurface(20)
        _ = scene.beginRoot(ofSurface: 20, role: 320)
        scene.beginBuffer(9, width: 400, height: 30)
        scene.attach(9, to: 20)
        _ = scene.commit(20)
        _ = scene.beginPopup(212, role: 312, parent: 0)
        scene.setParent(320, ofPopup: 312)
        scene.placePopup(312, 40, 30)
        _ = scene.commit(12)
        #expect(place(scene, 12) == "20 40,30")
    }

    /// Nobody may make it; a broken app must not hang us.
    @Test func aCircleEnds() {
        var scene = scene()
        _ = scene.beginPopup(212, role: 312, parent: 211)
        scene.placePopup(312, 1, 1)
        scene.setParent(312, ofPopup: 311)
        _ = scene.commit(11)
        _ = scene.commit(12)
        #expect(place(scene) == "nowhere" && place(scene, 12) == "nowhere")
    }

    // MARK: Marks

    /// A window 7 (xdg_surface 8) with a finger at 100, 80, and the popup 11 (12, 13) that it has opened at 60, 50.
    private func rigWithPopup() throws -> RawRig {
        let rig = try RawRig()
        try rig.bindGlobals()
        rig.window(7)
        try rig.pump()
        rig.touch(7)
        try rig.pump()
        #expect(rig.proxy.windows[7]?.overlay.isShown == true)
        // xdg_wm_base.create_positioner, get_xdg_surface; xdg_surface.get_popup
        rig.app.send([
            Message(5, 1, 10), Message(3, 0, 11), Message(5, 2, 12, 11), Message(12, 2, 13, 8, 10), Message(11, 6),
        ])
        try rig.pump()
        rig.compositor.send([Message(13 + RawRig.base, 0, 60, 50, 120, 90), Message(12 + RawRig.base, 0, 1)])
        try rig.pump()
        rig.app.send([Message(12, 3, 0, 0, 120, 90), Message(11, 1, 999, 0, 0), Message(11, 6)])
        try rig.pump()
        return rig
    }

    private func tick(_ rig: RawRig, _ count: Int = 3) throws {
        for _ in 0..<count { try rig.tick(milliseconds: 16) }
    }

    private func shown(_ rig: RawRig) -> [UInt32] {
        rig.proxy.windows.filter { $0.value.overlay.isShown }.keys.sorted()
    }

    private func move(_ rig: RawRig, _ x: UInt32, _ y: UInt32, at time: UInt32) throws {
        rig.compositor.send([
            Message(6 + RawRig.base, 2, time, 0, x << 8, y << 8), Message(6 + RawRig.base, 3),
        ])
        try rig.pump()
        try tick(rig)
    }

    @Test func aFingersMarkIsShownOnThePopupThatItHasOpened() throws {
        let rig = try rigWithPopup()
        try tick(rig)
        #expect(shown(rig) == [7, 11])
        // Beside the popup.
        try move(rig, 20, 20, at: 1010)
        #expect(shown(rig) == [7])
        // Partly on it.
        try move(rig, 100, 150, at: 1020)
        #expect(shown(rig) == [7, 11])
        // The popup goes before the finger does.
        rig.app.send([Message(13, 0), Message(12, 0), Message(11, 0)])
        try rig.pump()
        try tick(rig)
        #expect(shown(rig) == [7])
        rig.lift()
        try rig.pump()
        try tick(rig, 120)
        #expect(shown(rig) == [] && rig.proxy.nextDeadline == nil)
        #expect(rig.violations == [] && rig.notes == [])
    }

    @Test func theWaveOfATapRunsToItsEndOnBoth() throws {
        let rig = try rigWithPopup()
        rig.lift()
        try rig.pump()
        try tick(rig, 30)
        #expect(shown(rig) == [7, 11])
        try tick(rig, 90)
        #expect(shown(rig) == [] && rig.proxy.nextDeadline == nil)
        #expect(rig.violations == [])
    }

    /// Its wave reaches beyond the popup, and is seen there on the window below.
    @Test func aTouchOnThePopupIsShownOnTheWindowBelow() throws {
        let rig = try rigWithPopup()
        rig.lift()
        try rig.pump()
        try tick(rig, 120)
        rig.touch(11, 3, 5, 5)
        try rig.pump()
        try tick(rig)
        #expect(shown(rig) == [7, 11])
        // With the popup it is gone everywhere.
        rig.app.send([Message(13, 0), Message(12, 0), Message(11, 0)])
        try rig.pump()
        try tick(rig, 5)
        #expect(shown(rig) == [] && rig.proxy.contactCount == 0)
        #expect(rig.violations == [] && rig.notes == [])
    }

    /// As that of a tap which chooses from a menu.
    @Test func theWaveOfATapThatClosesThePopupGoesOnBelow() throws {
        let rig = try rigWithPopup()
        rig.lift()
        try rig.pump()
        try tick(rig, 120)
        rig.touch(11, 3, 50, 40)
        try rig.pump()
        try tick(rig)
        rig.lift(3)
        try rig.pump()
        rig.app.send([Message(13, 0), Message(12, 0), Message(11, 0)])
        try rig.pump()
        try tick(rig, 10)
        #expect(shown(rig) == [7])
        let wave = try #require(rig.proxy.windows[7]?.ripples.ripples.last)
        #expect(wave.center == Point(x: 110, y: 90) && !wave.isHeld)
        try tick(rig, 90)
        #expect(shown(rig) == [] && rig.proxy.nextDeadline == nil && rig.violations == [])
    }

    @Test func pausingTakesItFromThePopupToo() throws {
        let rig = try rigWithPopup()
        try tick(rig)
        rig.proxy.setPaused(true)
        try rig.pump()
        try tick(rig)
        #expect(shown(rig) == [])
    }
}
