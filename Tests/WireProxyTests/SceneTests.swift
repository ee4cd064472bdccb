import Gestures
import Testing

@testable import WireProxy

/// The model of an app's surfaces, by the app's requests alone. Surfaces are numbered from 10, wl_subsurface objects from
/// 100 + surface, xdg_surface objects from 200 + surface.
@Suite struct SceneTests {
    private var scene = Scene()

    init() {
        for surface in 10...19 as ClosedRange<UInt32> { scene.createSurface(surface) }
    }

    @discardableResult
    private mutating func window(_ surface: UInt32) -> [Scene.Change] {
        scene.beginXdgSurface(200 + surface, of: surface)
        return scene.beginRoot(200 + surface, role: 300 + surface)
    }

    @discardableResult
    private mutating func subsurface(_ surface: UInt32, on parent: UInt32, at x: Int32 = 0, _ y: Int32 = 0) -> [Scene
        .Change]
    {
        let changes = scene.beginSubsurface(100 + surface, of: surface, on: parent)
        scene.setPosition(x, y, of: 100 + surface)
        return changes
    }

    @discardableResult
    private mutating func show(_ surface: UInt32, _ width: Int32, _ height: Int32) -> [Scene.Change] {
        scene.beginBuffer(500 + surface, width: width, height: height)
        scene.attach(500 + surface, to: surface)
        return scene.commit(surface)
    }

    private func place(_ surface: UInt32) -> String {
        scene.root(of: surface).map { "\($0.root) \(Int($0.offset.x)),\(Int($0.offset.y))" } ?? "nowhere"
    }

    // MARK: Roles

    @Test mutating func aSurfaceIsARootOnceItHasARole() {
        #expect(place(10) == "nowhere")
        #expect(window(10) == [.rootBegan(10)])
        #expect(place(10) == "10 0,0")
        #expect(place(99) == "nowhere")
    }

    @Test mutating func aRootThatGetsItsRoleAgainIsNoSecondRoot() {
        window(10)
        show(10, 30, 20)
        #expect(scene.endRole(310) == [.hidden] && scene.endRole(310) == [])
        scene.endXdgSurface(210)
        scene.beginXdgSurface(410, of: 10)
        #expect(scene.beginRoot(410, role: 510) == [])
        #expect(scene.destroySurface(10) == [.rootEnded(10)])
    }

    @Test mutating func theSameNumberMayBeANewSurface() {
        window(10)
        show(10, 30, 20)
        #expect(scene.destroySurface(10) == [.rootEnded(10)])
        scene.createSurface(10)
        #expect(place(10) == "nowhere" && scene.size(of: 10) == nil)
        #expect(window(10) == [.rootBegan(10)])
    }

    @Test mutating func aSurfaceWithoutAnXdgSurfaceMayBeARoot() {
        #expect(scene.beginRoot(ofSurface: 10, role: 5) == [.rootBegan(10)])
        #expect(scene.beginRoot(ofSurface: 10, role: 6) == [])
        #expect(place(10) == "10 0,0" && scene.bounds(of: 10) == nil)
        #expect(show(10, 30, 20) == [.changed(root: 10)])
        #expect(scene.beginRoot(ofSurface: 77, role: 7) == [])
        #expect(scene.destroySurface(10) == [.rootEnded(10)])
    }

    @Test mutating func whatIsNoRootEndsQuietly() {
        #expect(scene.destroySurface(10) == [] && scene.destroySurface(10) == [] && scene.destroySurface(77) == [])
        #expect(scene.beginRoot(299, role: 5) == [] && scene.commit(77) == [])
    }

    // MARK: Sizes

    @Test mutating func theSizeHoldsFromTheCommitOn() {
        window(10)
        scene.beginBuffer(500, width: 300, height: 200)
        scene.attach(500, to: 10)
        #expect(scene.size(of: 10) == nil)
        #expect(scene.commit(10) == [.changed(root: 10)])
        #expect(scene.size(of: 10) == Size(width: 300, height: 200))
        #expect(scene.commit(10) == [], "nothing has changed")
        // The next buffer of the same size changes nothing either.
        #expect(show(10, 300, 200) == [])
        scene.attach(0, to: 10)
        #expect(scene.commit(10) == [.hidden, .changed(root: 10)] && scene.size(of: 10) == nil)
    }

    @Test mutating func aBufferThatIsDestroyedAfterItsAttachCounts() {
        scene.beginBuffer(500, width: 30, height: 20)
        scene.attach(500, to: 10)
        scene.endBuffer(500)
        _ = scene.commit(10)
        #expect(scene.size(of: 10) == Size(width: 30, height: 20))
        scene.attach(500, to: 10)
        _ = scene.commit(10)
        #expect(scene.size(of: 10) == nil, "no such buffer any more")
    }

    @Test mutating func scaleAndTransformDecide() {
        show(10, 300, 200)
        scene.setBufferScale(2, of: 10)
        scene.setBufferTransform(1, of: 10)
        #expect(scene.size(of: 10) == Size(width: 300, height: 200) && scene.bufferScale(of: 10) == 1)
        _ = scene.commit(10)
        #expect(scene.size(of: 10) == Size(width: 100, height: 150) && scene.bufferScale(of: 10) == 2)
        for (transform, isTurned) in [(0, false), (2, false), (4, false), (6, false), (3, true), (5, true), (7, true)] {
            scene.setBufferTransform(UInt32(transform), of: 10)
            _ = scene.commit(10)
            #expect((scene.size(of: 10)?.width == 100) == isTurned, "transform \(transform)")
        }
        scene.setBufferTransform(0, of: 10)
        for scale in [0, -1, .min] as [Int32] {
            scene.setBufferScale(scale, of: 10)
            _ = scene.commit(10)
            #expect(scene.bufferScale(of: 10) == 1 && scene.size(of: 10)?.width == 300)
        }
        scene.setBufferScale(.max, of: 10)
        _ = scene.commit(10)
        #expect(scene.bufferScale(of: 10) == 10)
    }

    @Test mutating func aViewportDecidesBeforeTheBuffer() {
        show(10, 300, 200)
        scene.beginViewport(700, of: 10)
        scene.setSource(50, 40, of: 700)
        #expect(scene.size(of: 10)?.width == 300)
        _ = scene.commit(10)
        #expect(scene.size(of: 10) == Size(width: 50, height: 40))
        scene.setDestination(160, 90, of: 700)
        _ = scene.commit(10)
        #expect(scene.size(of: 10) == Size(width: 160, height: 90))
        scene.setDestination(-1, -1, of: 700)
        _ = scene.commit(10)
        #expect(scene.size(of: 10) == Size(width: 50, height: 40))
        scene.setDestination(7, 7, of: 700)
        scene.endViewport(700)
        #expect(scene.size(of: 10) == Size(width: 50, height: 40))
        _ = scene.commit(10)
        #expect(scene.size(of: 10) == Size(width: 300, height: 200))
        scene.setDestination(7, 7, of: 700)
        _ = scene.commit(10)
        #expect(scene.size(of: 10) == Size(width: 300, height: 200), "the viewport is gone")
    }

    @Test mutating func dmabufsAreKnownWhicheverWayTheyAreMade() {
        scene.expectBuffer(of: 600, width: 64, height: 48)
        scene.receiveBuffer(0xff00_0001, of: 600)
        scene.attach(0xff00_0001, to: 10)
        _ = scene.commit(10)
        #expect(scene.size(of: 10) == Size(width: 64, height: 48))
        // Params are good for one buffer.
        scene.receiveBuffer(0xff00_0001, of: 600)
        scene.attach(0xff00_0001, to: 10)
        _ = scene.commit(10)
        #expect(scene.size(of: 10) == nil)
    }

    @Test mutating func aBufferOfNoPossibleSizeIsUnknown() {
        for (width, height) in [(0, 5), (5, 0), (-1, 5), (5, -1)] as [(Int32, Int32)] {
            show(10, width, height)
            #expect(scene.size(of: 10) == nil)
        }
    }

    @Test mutating func theFractionalScaleCountsWithAViewportAlone() {
        window(10)
        scene.beginFractionalScale(800, of: 10)
        #expect(scene.preferScale(180, by: 800) == [.changed(root: 10)])
        #expect(scene.fractionalScale120(of: 10) == nil, "the app has no viewport and draws at a whole scale")
        scene.beginViewport(700, of: 10)
        scene.setDestination(200, 100, of: 700)
        _ = show(10, 300, 150)
        #expect(scene.fractionalScale120(of: 10) == 180)
        for (scale, expected) in [(1, 60), (4000, 1200), (.max, 1200)] as [(UInt32, Int32)] {
            _ = scene.preferScale(scale, by: 800)
            #expect(scene.fractionalScale120(of: 10) == expected)
        }
        scene.endFractionalScale(800)
        #expect(scene.preferScale(120, by: 800) == [] && scene.preferScale(120, by: 5) == [])
    }

    // MARK: Geometry

    private static let open = 1e5

    @Test mutating func geometryHoldsFromTheCommitOnAndEndsWithTheRoleObject() {
        window(10)
        show(10, 30, 20)
        let all = Rect(x: 0, y: 0, width: 30, height: 20)
        scene.setGeometry(Rect(x: 5, y: 5, width: 20, height: 10), of: 210)
        #expect(scene.bounds(of: 10) == all)
        #expect(scene.commit(10) == [.changed(root: 10)])
        #expect(scene.bounds(of: 10) == Rect(x: -Self.open, y: -Self.open, width: 2 * Self.open, height: 2 * Self.open))
        scene.setGeometry(Rect(x: 5, y: 5, width: 20, height: 10), of: 210)
        #expect(scene.commit(10) == [])
        // The compositor refuses it.
        scene.setGeometry(Rect(x: 0, y: 0, width: 0, height: 20), of: 210)
        #expect(scene.commit(10) == [])
        scene.endXdgSurface(210)
        scene.beginXdgSurface(410, of: 10)
        _ = scene.commit(10)
        #expect(scene.bounds(of: 10) == all, "a new xdg_surface has none")
        scene.setGeometry(all, of: 999)
    }

    /// Left, top, right and bottom; nil for one that anything may hang over.
    private func edges(_ bounds: Rect?) -> [Double?] {
        guard let bounds else { return [] }
        return [bounds.x, bounds.y, bounds.maxX, bounds.maxY].map { abs($0) == Self.open ? nil : $0 }
    }

    @Test mutating func whatHangsOverAnEdgeBeyondWhichTheGeometryReachesWouldMoveIt() {
        window(10)
        show(10, 400, 300)
        for (geometry, expected) in [
            (Rect(x: -50, y: -50, width: 500, height: 400), [0, 0, 400, 300]),
            (Rect(x: 0, y: 0, width: 400, height: 300), [nil, nil, nil, nil]),
            (Rect(x: -1, y: 0, width: 401, height: 300), [0, nil, nil, nil]),
            (Rect(x: 0, y: 10, width: 401, height: 290), [nil, nil, 400, nil]),
            (Rect(x: 20, y: -9, width: 300, height: 400), [nil, 0, nil, 300]),
        ] as [(Rect, [Double?])] {
            scene.setGeometry(geometry, of: 210)
            _ = scene.commit(10)
            #expect(edges(scene.bounds(of: 10)) == expected, "\(geometry)")
        }
        // Of a buffer whose size is not seen there is the geometry alone.
        scene.attach(9999, to: 10)
        _ = scene.commit(10)
        #expect(scene.bounds(of: 10) == Rect(x: 20, y: -9, width: 300, height: 400))
    }

    @Test mutating func theBoxIsAroundAllThatIsShown() {
        window(10)
        show(10, 300, 200)
        subsurface(11, on: 10, at: -20, 50)
        subsurface(12, on: 11, at: 300, 160)
        show(12, 40, 40)
        show(11, 30, 30)
        #expect(scene.bounds(of: 10) == Rect(x: 0, y: 0, width: 300, height: 200))
        #expect(scene.commit(10) == [.changed(root: 10)])
        #expect(scene.bounds(of: 10) == Rect(x: -20, y: 0, width: 340, height: 250))
        // Moved within the box, it is the same.
        scene.setPosition(-20, 60, of: 111)
        scene.setPosition(300, 150, of: 112)
        #expect(scene.commit(11) == [] && scene.commit(10) == [])
        // What is not shown counts for nothing, nor does what hangs on it.
        scene.attach(0, to: 11)
        _ = scene.commit(11)
        #expect(scene.commit(10) == [.hidden, .changed(root: 10)])
        #expect(scene.bounds(of: 10) == Rect(x: 0, y: 0, width: 300, height: 200))
        show(11, 30, 30)
        #expect(scene.commit(10) == [.changed(root: 10)])
        #expect(scene.destroySubsurface(111) == [.hidden, .changed(root: 10)])
        #expect(scene.bounds(of: 10) == Rect(x: 0, y: 0, width: 300, height: 200))
    }

    // MARK: Subsurfaces

    @Test mutating func offsetsAddUpAndHoldFromTheParentsCommitOn() {
        window(10)
        subsurface(11, on: 10, at: 5, 7)
        subsurface(12, on: 11, at: -3, 20)
        #expect(place(12) == "10 0,0")
        _ = scene.commit(12)
        _ = scene.commit(11)
        #expect(place(12) == "10 0,0", "what it hangs on waits for its own parent")
        // After the commit it is for the next.
        scene.setPosition(100, 100, of: 112)
        _ = scene.commit(10)
        #expect(place(12) == "10 2,27" && place(11) == "10 5,7")
        scene.setPosition(1, 1, of: 111)
        scene.setPosition(2, 2, of: 111)
        _ = scene.commit(10)
        #expect(place(12) == "10 -1,22")
    }

    @Test mutating func aSubsurfaceThatIsNotSynchronizedWaitsForNothing() {
        window(10)
        show(10, 30, 20)
        subsurface(11, on: 10)
        subsurface(12, on: 11)
        #expect(show(11, 5, 5) == [] && scene.size(of: 11) == nil)
        _ = show(12, 6, 6)
        // What was kept back comes at once, with all that waited for it.
        #expect(scene.setSynchronized(false, 111) == [])
        #expect(scene.size(of: 11)?.width == 5 && scene.size(of: 12)?.width == 6)
        show(11, 7, 7)
        show(12, 8, 8)
        #expect(scene.size(of: 11)?.width == 7 && scene.size(of: 12)?.width == 6)
        _ = scene.commit(11)
        #expect(scene.size(of: 12)?.width == 8)
        // Below one that is synchronised, nothing else counts.
        _ = scene.setSynchronized(false, 112)
        _ = scene.setSynchronized(true, 111)
        show(12, 9, 9)
        #expect(scene.size(of: 12)?.width == 8)
        _ = scene.setSynchronized(false, 111)
        #expect(scene.size(of: 12)?.width == 9)
        #expect(scene.setSynchronized(true, 99) == [])
    }

    private func isShown(_ surface: UInt32) -> Bool { scene.shownRoot(of: surface) != nil }

    @Test mutating func whatIsShownHangsOnWhatIsShown() {
        window(10)
        subsurface(11, on: 10)
        subsurface(12, on: 11)
        _ = (scene.setSynchronized(false, 111), scene.setSynchronized(false, 112))
        show(12, 5, 5)
        show(11, 5, 5)
        #expect(!isShown(12) && scene.root(of: 12)?.root == 10)
        show(10, 30, 20)
        #expect(isShown(10) && isShown(11) && isShown(12))
        scene.attach(0, to: 11)
        #expect(isShown(11) && !scene.moves(byCommitOf: 10) && scene.moves(byCommitOf: 11))
        #expect(scene.commit(11) == [.hidden])
        #expect(isShown(10) && !isShown(11) && !isShown(12))
        show(11, 5, 5)
        #expect(isShown(12))
        #expect(scene.endRole(310) == [.hidden])
        #expect(!isShown(10) && !isShown(12))
    }

    @Test mutating func onlyACommitThatMovesSomethingMoves() {
        window(10)
        show(10, 30, 20)
        subsurface(11, on: 10, at: 3, 3)
        #expect(scene.moves(byCommitOf: 10))
        _ = show(11, 5, 5)
        _ = scene.commit(10)
        #expect(!scene.moves(byCommitOf: 10) && !scene.moves(byCommitOf: 11) && !scene.moves(byCommitOf: 99))
        scene.setPosition(3, 3, of: 111)
        _ = show(11, 6, 6)
        #expect(!scene.moves(byCommitOf: 10), "where it is already")
        scene.attach(0, to: 11)
        _ = scene.commit(11)
        #expect(scene.moves(byCommitOf: 10))
    }

    @Test mutating func aSubsurfaceOfNothingIsNowhere() {
        subsurface(12, on: 11)
        #expect(place(12) == "nowhere")
        // The window comes later than what is on it.
        subsurface(11, on: 10)
        #expect(window(10) == [.rootBegan(10)])
        #expect(place(12) == "10 0,0")
        #expect(scene.beginSubsurface(150, of: 10, on: 10) == [] && scene.beginSubsurface(151, of: 77, on: 10) == [])
        #expect(scene.beginSubsurface(152, of: 13, on: 77) == [] && place(13) == "nowhere")
    }

    @Test mutating func endsComeInAnyOrder() {
        window(10)
        subsurface(11, on: 10)
        subsurface(12, on: 11)
        _ = scene.destroySubsurface(111)
        #expect(place(11) == "nowhere" && place(12) == "nowhere")
        // Again, as another object and elsewhere.
        #expect(scene.beginSubsurface(160, of: 11, on: 10) == [.restacked(root: 10, above: 11)])
        #expect(place(12) == "10 0,0")
        // The parent first.
        _ = scene.destroySurface(11)
        #expect(place(12) == "nowhere")
        _ = scene.destroySubsurface(112)
        _ = scene.destroySubsurface(160)
        scene.setPosition(1, 1, of: 160)
        #expect(scene.place(160, nextTo: 10, isAbove: true) == [])
    }

    @Test mutating func aSurfaceMayGoBeforeItsSubsurface() {
        window(10)
        subsurface(11, on: 10)
        subsurface(12, on: 10)
        _ = scene.destroySurface(12)
        // What is left is still restacked, and above the right one.
        #expect(scene.place(111, nextTo: 10, isAbove: true) == [.restacked(root: 10, above: 11)])
        #expect(subsurface(13, on: 10) == [.restacked(root: 10, above: 13)])
        _ = scene.destroySubsurface(112)
        #expect(scene.place(113, nextTo: 11, isAbove: false) == [.restacked(root: 10, above: 11)])
    }

    @Test mutating func theNumbersOfWhatHasGoneAreUsedAgain() {
        window(10)
        subsurface(11, on: 10)
        subsurface(12, on: 10)
        _ = scene.destroySurface(12)
        scene.createSurface(12)
        // The number of the subsurface that went with its surface, on another parent.
        #expect(scene.beginSubsurface(112, of: 12, on: 11) == [])
        #expect(scene.place(111, nextTo: 10, isAbove: true) == [.restacked(root: 10, above: 11)])
    }

    // MARK: Stacking

    @Test mutating func theTopmostIsKnownInTheOrderOfTheRequests() {
        window(10)
        #expect(subsurface(11, on: 10) == [.restacked(root: 10, above: 11)])
        #expect(subsurface(12, on: 10) == [.restacked(root: 10, above: 12)])
        // Of a child that is no child of the root's.
        #expect(subsurface(13, on: 12) == [])
        #expect(scene.place(111, nextTo: 12, isAbove: true) == [.restacked(root: 10, above: 11)])
        #expect(scene.place(112, nextTo: 11, isAbove: true) == [.restacked(root: 10, above: 12)])
        #expect(scene.place(112, nextTo: 11, isAbove: false) == [.restacked(root: 10, above: 11)])
        // No commit was needed for any of it: the compositor applies ours with theirs.
    }

    @Test mutating func belowTheRootIsNotOnTop() {
        window(10)
        subsurface(11, on: 10)
        // Alone, and below: what is on top is the root itself.
        #expect(scene.place(111, nextTo: 10, isAbove: false) == [.restacked(root: 10, above: 10)])
        subsurface(12, on: 10)
        #expect(scene.place(112, nextTo: 10, isAbove: true) == [.restacked(root: 10, above: 12)])
        // 11, root, 12; then all below: 12, 11, root
        #expect(scene.place(112, nextTo: 11, isAbove: false) == [.restacked(root: 10, above: 10)])
        #expect(scene.place(111, nextTo: 10, isAbove: true) == [.restacked(root: 10, above: 11)])
    }

    @Test mutating func placingNextToAStrangerChangesNothing() {
        window(10)
        subsurface(11, on: 10)
        subsurface(12, on: 10)
        for stranger in [13, 77, 0, 11] as [UInt32] {
            #expect(scene.place(111, nextTo: stranger, isAbove: true) == [], "\(stranger)")
        }
        #expect(scene.place(112, nextTo: 11, isAbove: true) == [.restacked(root: 10, above: 12)])
    }

    // MARK: A broken app

    @Test mutating func aCircleEnds() {
        subsurface(11, on: 12)
        subsurface(12, on: 11)
        #expect(place(11) == "nowhere" && place(12) == "nowhere")
        _ = scene.commit(11)
        _ = scene.commit(12)
        for id in [111, 112] as [UInt32] { _ = scene.setSynchronized(false, id) }
        show(11, 5, 5)
        show(12, 5, 5)
        _ = scene.moves(byCommitOf: 11)
        _ = scene.destroySurface(11)
        #expect(place(12) == "nowhere")
    }

    @Test mutating func offsetsOfAnySizeAddUp() {
        window(10)
        for surface in 11...19 as ClosedRange<UInt32> { subsurface(surface, on: surface - 1, at: .max, .min) }
        for surface in (10...19 as ClosedRange<UInt32>).reversed() { _ = scene.commit(surface) }
        #expect(scene.root(of: 19)?.offset.x == 9 * Double(Int32.max))
    }
}
