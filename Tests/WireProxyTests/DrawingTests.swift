import Gestures
import Testing
import TouchStage
import WaylandClient
import WaylandProtocols

@testable import WireProxy

/// What is drawn above an app's windows: a real client, and a stage as its compositor.
@Suite struct DrawingTests {
    // MARK: Fingers

    @Test func aFingerIsMarkedWhereItIsAndNothingStaysAfterItsWave() throws {
        let rig = try AppRig()
        let app = try TestApp(rig)
        _ = try TestAppWindow(app)
        let before = rig.stage.screenshot()
        #expect(before[150, 100] == TestAppWindow.color)
        rig.expectNothingLeft()

        try rig.touch(0, 100, 80)
        let held = try #require(rig.stage.screenshot().difference(from: before))
        #expect(abs(held.x - 100) <= 1 && abs(held.y - 80) <= 1, "\(held)")
        #expect((28...40).contains(held.width) && (28...40).contains(held.height), "\(held)")

        try rig.lift()
        try rig.advance(milliseconds: 500)
        let wave = try #require(rig.stage.screenshot().difference(from: before))
        #expect(abs(wave.x - 100) <= 1 && abs(wave.y - 80) <= 1, "\(wave)")
        #expect(wave.width > held.width + 20)

        try rig.advance(milliseconds: 700)
        #expect(rig.stage.screenshot() == before)
        rig.expectNothingLeft()
        #expect(rig.gestures.contains { if case .tap = $0 { true } else { false } })
    }

    @Test func nothingHappensWhileNobodyTouches() throws {
        let rig = try AppRig()
        let app = try TestApp(rig)
        _ = try TestAppWindow(app)
        let journal = rig.stage.journal.count
        try rig.advance(milliseconds: 500)
        #expect(rig.stage.journal.count == journal && rig.notes == [])
    }

    @Test(arguments: [(100, 80), (298, 198)] as [(Double, Double)])
    func theNextPictureIsAskedForWhereTheFingerIs(x: Double, y: Double) throws {
        let rig = try AppRig()
        let app = try TestApp(rig)
        _ = try TestAppWindow(app)
        try rig.touch(0, x, y)
        let asking = rig.own.filter { $0.waitingFrameCallbacks > 0 }
        // A cell, which is on our container: that one's own place is the window's corner, which may be off the screen.
        let surface = try #require(asking.count == 1 ? asking.first : nil)
        guard case .subsurface(let role) = surface.role, let container = role.parent else {
            return #expect(Bool(false), "no subsurface")
        }
        #expect(container.resource.objectID <= AppRig.lastOwn)
        let (left, top) = (Double(role.position.x), Double(role.position.y))
        let (right, bottom) = (left + Double(surface.size.width), top + Double(surface.size.height))
        #expect((left..<right).contains(x) && (top..<bottom).contains(y), "\(role.position)")
    }

    @Test func twoFingersAndTheirMotion() throws {
        let rig = try AppRig()
        let app = try TestApp(rig)
        _ = try TestAppWindow(app)
        let before = rig.stage.screenshot()
        try rig.touch(0, 50, 60)
        try rig.touch(7, 250, 140)
        try rig.advance(milliseconds: 16)
        let both = try #require(rig.stage.screenshot().difference(from: before))
        #expect(abs(both.x - 150) <= 1 && abs(both.y - 100) <= 1, "\(both)")

        for step in 1...20 {
            rig.stage.seat.touch.motion(0, x: 50 + Double(step) * 5, y: 60 + Double(step) * 4)
            rig.stage.seat.touch.frame()
            try rig.advance(milliseconds: 16)
        }
        rig.stage.seat.touch.up(7)
        rig.stage.seat.touch.frame()
        try rig.advance(milliseconds: 400)
        let moved = try #require(rig.stage.screenshot().difference(from: before))
        #expect(abs(moved.x - 150) <= 1 && abs(moved.y - 140) <= 1, "\(moved)")
        try rig.lift()
        try rig.advance(milliseconds: 1300)
        #expect(rig.stage.screenshot() == before)
        rig.expectNothingLeft()
    }

    @Test(arguments: [(150, 100), (123.4, 98.7), (160.5, 91.02)] as [(Double, Double)])
    func aWaveTakesOneCellWhereverItBegins(x: Double, y: Double) throws {
        let rig = try AppRig()
        let app = try TestApp(rig)
        _ = try TestAppWindow(app)
        try rig.touch(0, x, y)
        try rig.lift()
        for _ in 0..<62 {
            #expect(rig.cells.count { $0.width > 1 } == 1, "\(rig.cells)")
            try rig.advance(milliseconds: 16)
        }
        try rig.advance(milliseconds: 100)
        rig.expectNothingLeft()
    }

    @Test func aFingerThatScrollsTakesOneColumnOfCells() throws {
        let rig = try AppRig()
        let app = try TestApp(rig)
        _ = try TestAppWindow(app, 300, 900)
        try rig.touch(0, 97, 850)
        var places: Set<Int32> = []
        for step in 1...80 {
            rig.stage.seat.touch.motion(0, x: 97, y: 850 - Double(step) * 10)
            rig.stage.seat.touch.frame()
            try rig.advance(milliseconds: 8)
            for cell in rig.cells where cell.width > 1 { places.insert(cell.x) }
        }
        #expect(places.count == 1, "\(places)")
        // Where the window has no geometry of its own nothing hangs over its edge.
        #expect(rig.cells.allSatisfy { $0.y >= 0 })
    }

    @Test func aFingerThatRestsHasAnArcThatGrowsUntilItHasPressedForLong() throws {
        let rig = try AppRig()
        let app = try TestApp(rig)
        _ = try TestAppWindow(app)
        try rig.touch(0, 150, 100)
        try rig.advance(milliseconds: 144)
        let resting = rig.stage.screenshot()
        var pictures = [resting]
        for _ in 0..<20 {
            try rig.advance(milliseconds: 16)
            let picture = rig.stage.screenshot()
            if picture != pictures.last { pictures.append(picture) }
        }
        // 150 ms after the touch it begins, 500 ms after it it is full.
        #expect(pictures.count >= 19, "\(pictures.count) pictures")
        try rig.advance(milliseconds: 200)
        let pressed = rig.stage.screenshot()
        try rig.advance(milliseconds: 200)
        #expect(pressed != resting && rig.stage.screenshot() == pressed && rig.proxy?.nextDeadline == nil)
    }

    @Test func withoutACompositorThatAsksTheArcBeginsInItsTime() throws {
        let rig = try AppRig()
        let app = try TestApp(rig)
        _ = try TestAppWindow(app)
        try rig.touch(0, 150, 100)
        try rig.advance(milliseconds: 48)
        let began = rig.stage.now
        let deadline = try #require(rig.proxy?.nextDeadline)
        #expect(deadline.nanoseconds - began <= 150_000_000)
    }

    @Test func aMotionThatComesWhileTheCompositorIsBusyIsShownLater() throws {
        let rig = try AppRig(.with { $0.releases = .manual })
        let app = try TestApp(rig)
        _ = try TestAppWindow(app)
        let before = rig.stage.screenshot()
        try rig.touch(0, 60, 60)
        // All buffers of the cell are in use, and the finger moves on within it.
        for x in [62, 64, 66, 68, 70] {
            rig.stage.seat.touch.motion(0, x: Double(x), y: 60)
            rig.stage.seat.touch.frame()
            try rig.advance(milliseconds: 16)
        }
        rig.stage.releaseBuffers()
        try rig.advance(milliseconds: 600)
        let last = try #require(rig.stage.screenshot().difference(from: before))
        #expect(abs(last.x - 70) <= 1, "the last place was never shown: \(last)")
    }

    @Test func compositorsWithoutFramesShowFingersToo() throws {
        let rig = try AppRig()
        let app = try TestApp(rig)
        _ = try TestAppWindow(app)
        let before = rig.stage.screenshot()
        rig.stage.seat.touch.down(0, x: 100, y: 80)
        try rig.pump()
        #expect(rig.stage.screenshot() != before)
        rig.stage.seat.touch.up(0)
        try rig.pump()
        try rig.advance(milliseconds: 1300)
        #expect(rig.stage.screenshot() == before)
        rig.expectNothingLeft()
    }

    @Test func aCancelTakesTheMarkAway() throws {
        let rig = try AppRig()
        let app = try TestApp(rig)
        _ = try TestAppWindow(app)
        let before = rig.stage.screenshot()
        try rig.touch(0, 100, 80)
        rig.stage.seat.touch.cancel()
        try rig.advance(milliseconds: 700)
        #expect(rig.stage.screenshot() == before)
        rig.expectNothingLeft()
    }

    @Test func aFingerOfALostTouchscreenIsTakenAway() throws {
        let rig = try AppRig()
        let app = try TestApp(rig)
        _ = try TestAppWindow(app)
        let before = rig.stage.screenshot()
        try rig.touch(0, 100, 80)
        rig.stage.seat.capabilities = [.pointer]
        try rig.advance(milliseconds: 700)
        #expect(rig.stage.screenshot() == before)
        rig.expectNothingLeft()
        // And it comes back.
        rig.stage.seat.capabilities = [.pointer, .touch]
        try rig.pump()
        app.touch.release()
        let touch = app.seat.getTouch()
        try rig.pump()
        try rig.touch(0, 60, 60)
        #expect(rig.stage.screenshot() != before)
        touch.release()
        try rig.advance(milliseconds: 700)
        #expect(rig.stage.screenshot() == before)
        rig.expectNothingLeft()
    }

    @Test func twoTouchObjectsOfOneAppCountOnce() throws {
        let rig = try AppRig()
        let app = try TestApp(rig)
        _ = try TestAppWindow(app)
        let second = app.seat.getTouch()
        let secondSeat = try rig.bind(WlSeat.self)
        let third = secondSeat.getTouch()
        var heard = 0
        second.onEvent = { _ in heard += 1 }
        third.onEvent = { _ in heard += 1 }
        try rig.pump()
        try rig.touch(0, 100, 80)
        #expect(heard == 4)
        #expect(rig.raw.count == 2, "\(rig.raw)")
        // The one that is listened to goes, with a finger down: the next is.
        app.touch.release()
        try rig.pump()
        try rig.touch(1, 30, 30)
        try rig.lift(1)
        try rig.lift(0)
        #expect(rig.raw.count == 8, "\(rig.raw)")
        try rig.advance(milliseconds: 1300)
        rig.expectNothingLeft()
    }

    @Test func clicksCountWhenAskedFor() throws {
        for takesPointer in [true, false] {
            let rig = try AppRig(takesPointer: takesPointer)
            let app = try TestApp(rig)
            let pointer = app.seat.getPointer()
            _ = try TestAppWindow(app)
            let before = rig.stage.screenshot()
            var told: [Size] = []
            rig.proxy?.reports.onTouchedWindow = { _, size, _ in told.append(size) }
            defer { #expect(told == (takesPointer ? [Size(width: 300, height: 200)] : [])) }
            rig.stage.seat.pointer.motion(x: 100, y: 80)
            rig.stage.seat.pointer.button(0x110, pressed: true)
            rig.stage.seat.pointer.frame()
            try rig.pump()
            #expect((rig.stage.screenshot() != before) == takesPointer)
            rig.stage.seat.pointer.button(0x110, pressed: false)
            rig.stage.seat.pointer.frame()
            try rig.pump()
            try rig.advance(milliseconds: 1300)
            #expect(rig.stage.screenshot() == before)
            rig.expectNothingLeft()
            pointer.release()
        }
    }

    @Test func aPressGoesWithTheSubsurfaceThatItIsOn() throws {
        let rig = try AppRig(takesPointer: true)
        let app = try TestApp(rig)
        let pointer = app.seat.getPointer()
        let window = try TestAppWindow(app)
        let child = app.surface()
        let role = try rig.bind(WlSubcompositor.self).getSubsurface(surface: child, parent: window.surface)
        role.setDesync()
        app.show(child, 100, 100, 0xFF80_8080)
        app.commit(window.surface)
        try rig.pump()
        rig.stage.seat.pointer.motion(x: 50, y: 50)
        rig.stage.seat.pointer.button(0x110, pressed: true)
        rig.stage.seat.pointer.frame()
        try rig.pump()
        #expect(rig.proxy?.contactCount == 1)
        child.attach(buffer: nil, x: 0, y: 0)
        app.commit(child)
        try rig.passRequests()
        #expect(rig.proxy?.contactCount == 0)
        try rig.advance(milliseconds: 600)
        rig.expectNothingLeft()
        pointer.release()
    }

    // MARK: The app's own

    @Test func noSurfaceOfTheAppIsEverCommittedByUs() throws {
        let rig = try AppRig()
        let app = try TestApp(rig)
        let window = try TestAppWindow(app)
        for index in 0..<4 {
            try rig.touch(0, 40 + Double(index) * 60, 80)
            app.show(window.surface, 300, 200, 0xFF40_2010)
            try rig.advance(milliseconds: 48)
            try rig.lift()
        }
        app.show(window.surface, 200, 100, 0xFF40_2010)
        try rig.advance(milliseconds: 1300)
        #expect(rig.count("wl_surface", "commit", ofApp: true) == app.commits)
        #expect(rig.count("wl_surface", "commit", ofApp: false) > 10)
        #expect(rig.stage.violations == [])
    }

    @Test func oursStayAboveTheAppsSubsurfacesHoweverItRestacksThem() throws {
        let rig = try AppRig()
        let app = try TestApp(rig)
        let window = try TestAppWindow(app)
        let subcompositor = try rig.bind(WlSubcompositor.self)
        func isOnTop() -> Bool {
            guard let root = rig.stage.window?.surface, let top = root.stack.last else { return false }
            return top.resource.objectID <= AppRig.lastOwn
        }
        func child() -> (WlSurface, WlSubsurface) {
            let surface = app.surface()
            let role = subcompositor.getSubsurface(surface: surface, parent: window.surface)
            role.setDesync()
            role.setPosition(x: 20, y: 20)
            app.show(surface, 100, 100, 0xFF70_7070)
            app.commit(window.surface)
            return (surface, role)
        }
        let (a, roleA) = child()
        try rig.pump()
        #expect(isOnTop())
        let (b, roleB) = child()
        try rig.pump()
        #expect(isOnTop())
        let steps: [(String, () -> Void)] = [
            ("A above B", { roleA.placeAbove(sibling: b) }),
            ("B above A", { roleB.placeAbove(sibling: a) }),
            ("B below the root", { roleB.placeBelow(sibling: window.surface) }),
            ("A below the root", { roleA.placeBelow(sibling: window.surface) }),
            ("B above the root", { roleB.placeAbove(sibling: window.surface) }),
            (
                "A above B, then below",
                {
                    roleA.placeAbove(sibling: b); roleA.placeBelow(sibling: b)
                }
            ),
        ]
        for (name, step) in steps {
            step()
            app.commit(window.surface)
            try rig.pump()
            #expect(isOnTop(), "\(name)")
        }
        try rig.touch(0, 60, 60)
        let shown = rig.stage.screenshot()
        try rig.lift()
        try rig.advance(milliseconds: 1300)
        #expect(
            shown.difference(from: rig.stage.screenshot()).map { abs($0.x - 60) <= 1 && abs($0.y - 60) <= 1 } == true)
        roleB.destroy()
        b.destroy()
        a.destroy()
        app.commit(window.surface)
        try rig.pump()
        #expect(isOnTop() && rig.stage.violations == [])
        #expect(rig.count("wl_surface", "commit", ofApp: true) == app.commits)
        rig.expectNothingLeft()
    }

    @Test func aTouchOnAnAppsSubsurfaceIsMarkedWhereItIsInTheWindow() throws {
        let rig = try AppRig()
        let app = try TestApp(rig)
        let window = try TestAppWindow(app)
        let subcompositor = try rig.bind(WlSubcompositor.self)
        let outer = app.surface()
        let inner = app.surface()
        let outerRole = subcompositor.getSubsurface(surface: outer, parent: window.surface)
        let innerRole = subcompositor.getSubsurface(surface: inner, parent: outer)
        outerRole.setPosition(x: 100, y: 50)
        innerRole.setPosition(x: 30, y: 20)
        app.show(inner, 80, 80, 0xFF00_8000)
        app.show(outer, 150, 120, 0xFF80_0000)
        app.commit(window.surface)
        try rig.pump()
        let before = rig.stage.screenshot()
        #expect(before[170, 110] == 0xFF00_8000)
        try rig.touch(0, 170, 110)
        #expect(app.log.last { $0.hasPrefix("down") } == "down 0 40.0 40.0")
        let mark = try #require(rig.stage.screenshot().difference(from: before))
        #expect(abs(mark.x - 170) <= 1 && abs(mark.y - 110) <= 1, "\(mark)")
        rig.stage.seat.touch.motion(0, x: 200, y: 130)
        rig.stage.seat.touch.frame()
        try rig.advance(milliseconds: 32)
        let moved = try #require(rig.stage.screenshot().difference(from: before))
        #expect(abs(moved.x - 200) <= 1 && abs(moved.y - 130) <= 1, "\(moved)")
    }

    @Test func popupsGetTheirOwn() throws {
        let rig = try AppRig()
        let app = try TestApp(rig)
        let window = try TestAppWindow(app)
        let positioner = app.shell.createPositioner()
        positioner.setSize(width: 100, height: 80)
        positioner.setAnchorRect(x: 0, y: 0, width: 10, height: 10)
        let surface = app.surface()
        let xdgSurface = app.shell.getXdgSurface(surface: surface)
        let popup = xdgSurface.getPopup(parent: window.xdgSurface, positioner: positioner)
        app.commit(surface)
        try rig.pump()
        app.show(surface, 100, 80, 0xFF60_6000)
        try rig.pump()
        let shown = try #require(rig.apps.first { if case .popup = $0.role { true } else { false } })
        #expect(shown.stack.contains { $0.resource.objectID <= AppRig.lastOwn }, "nothing of ours hangs on the popup")
        try rig.touch(0, 50, 40, on: shown)
        #expect(!rig.mappedOwn.isEmpty)
        let windowStack = try #require(rig.stage.window).surface.stack
        #expect(
            windowStack.allSatisfy { $0.resource.objectID > AppRig.lastOwn || $0.picture == nil }, "on the window too")
        // It goes, with the finger down.
        popup.destroy()
        xdgSurface.destroy()
        surface.destroy()
        try rig.advance(milliseconds: 100)
        rig.expectNothingLeft()
    }

    // MARK: Windows

    @Test func aWindowAtScaleTwoGetsSharpMarks() throws {
        for hasViewports in [true, false] {
            let rig = try AppRig(.with { if !hasViewports { $0.globals[.viewporter] = nil } })
            let app = try TestApp(rig)
            _ = try TestAppWindow(app, 600, 400) { $0.surface.setBufferScale(scale: 2) }
            let before = rig.stage.screenshot()
            try rig.touch(0, 100, 80)
            let mark = try #require(rig.stage.screenshot().difference(from: before))
            #expect(abs(mark.x - 100) <= 1 && abs(mark.y - 80) <= 1, "\(mark)")
            let cell = try #require(rig.mappedOwn.first { $0.size.width > 1 })
            #expect(cell.picture.map { Double($0.width) } == Double(cell.size.width) * 2)
            try rig.lift()
            try rig.advance(milliseconds: 1300)
            rig.expectNothingLeft()
        }
    }

    /// As chromium does: its buffers have the output's pixels, and a viewport instead of a scale.
    @Test func anAppThatStretchesItsBuffersByAViewportGetsSharpMarks() throws {
        let rig = try AppRig(.with { $0.outputs = [StageOutput.State(width: 1000, height: 800, scale: 2)] })
        let output = try rig.bind(WlOutput.self)
        let app = try TestApp(rig)
        let viewporter = try rig.bind(WpViewporter.self)
        _ = try TestAppWindow(app, 600, 400) { window in
            viewporter.getViewport(surface: window.surface).setDestination(width: 300, height: 200)
        }
        func widths() throws -> (picture: Double, cell: Double) {
            let cell = try #require(rig.mappedOwn.first { $0.size.width > 1 })
            return (Double(cell.picture?.width ?? 0), Double(cell.size.width))
        }
        var told: [Double] = []
        rig.proxy?.reports.onTouchedWindow = { _, size, scale in
            #expect(size == Size(width: 300, height: 200))
            told.append(scale)
        }
        try rig.touch(0, 100, 80)
        var (picture, cell) = try widths()
        #expect(picture == cell * 2)
        // Another scale under a resting finger: what is shown is shown anew.
        rig.stage.output.state.scale = 3
        try rig.pump()
        (picture, cell) = try widths()
        #expect(picture == cell * 3)
        #expect(told.first == 2 && told.last == 3)
        try rig.lift()
        try rig.advance(milliseconds: 1300)
        rig.expectNothingLeft()
        output.release()
    }

    /// Windows of sizes that are no whole number of buffer px; and a scale at which 180 px times the scale is a little more
    /// than 243. A mark near the corner is the same as in a window that is larger.
    @Test(
        arguments: [(1.25, 321, 243), (1.75, 321, 241), (1.2, 323, 241), (1.35, 320, 240)] as [(Double, Int32, Int32)])
    func marksAreSharpUpToTheEdgeOfAWindowThatEndsWithinAPixel(scale: Double, width: Int32, height: Int32) throws {
        let place = (Double(width) - 21, Double(height) - 21)
        func picture(_ width: Int32, _ height: Int32) throws -> Picture {
            let rig = try AppRig(.with { $0.outputs = [StageOutput.State(width: 1000, height: 800, scale: scale)] })
            let app = try TestApp(rig)
            let viewporter = try rig.bind(WpViewporter.self)
            let scales = try rig.bind(WpFractionalScaleManagerV1.self)
            _ = try TestAppWindow(app, 10, 10) { window in
                _ = scales.getFractionalScale(surface: window.surface)
                viewporter.getViewport(surface: window.surface).setDestination(width: width, height: height)
            }
            try rig.pump()
            try rig.touch(0, place.0, place.1)
            let picture = rig.stage.screenshot()
            try rig.lift()
            try rig.advance(milliseconds: 1300)
            rig.expectNothingLeft()
            return picture
        }
        let (cut, whole) = (try picture(width, height), try picture(480, 400))
        var different = 0
        for y in Int((place.1 - 19) * scale)..<Int((place.1 + 19) * scale) {
            for x in Int((place.0 - 19) * scale)..<Int((place.0 + 19) * scale) where cut[x, y] != whole[x, y] {
                different += 1
            }
        }
        #expect(different == 0)
    }

    @Test func aWindowAtAFractionalScaleToo() throws {
        let rig = try AppRig(.with { $0.outputs = [StageOutput.State(width: 900, height: 600, scale: 1.5)] })
        let app = try TestApp(rig)
        let viewporter = try rig.bind(WpViewporter.self)
        let scales = try rig.bind(WpFractionalScaleManagerV1.self)
        _ = try TestAppWindow(app, 450, 300) { window in
            _ = scales.getFractionalScale(surface: window.surface)
            viewporter.getViewport(surface: window.surface).setDestination(width: 300, height: 200)
        }
        try rig.pump()
        let before = rig.stage.screenshot()
        try rig.touch(0, 100, 80)
        let mark = try #require(rig.stage.screenshot().difference(from: before))
        #expect(abs(mark.x - 150) <= 1.5 && abs(mark.y - 120) <= 1.5, "\(mark)")
        let cell = try #require(rig.mappedOwn.first { $0.size.width > 1 })
        #expect(cell.picture.map { Double($0.width) } == Double(cell.size.width) * 1.5)
        try rig.lift()
        try rig.advance(milliseconds: 1300)
        rig.expectNothingLeft()
    }

    @Test func oldCompositorsAreAskedForNothingNew() throws {
        for version in 1...6 as ClosedRange<UInt32> {
            let rig = try AppRig(
                .with {
                    $0.globals[.compositor] = version
                    $0.globals[.viewporter] = nil
                    $0.globals[.fractionalScale] = nil
                })
            let app = try TestApp(rig)
            _ = try TestAppWindow(app)
            let before = rig.stage.screenshot()
            try rig.touch(0, 100, 80)
            #expect(rig.stage.screenshot() != before, "version \(version)")
            try rig.lift()
            try rig.advance(milliseconds: 1300)
            #expect(rig.stage.screenshot() == before && rig.stage.postedErrors.isEmpty, "version \(version)")
            rig.expectNothingLeft()
        }
    }

    @Test func nothingOfOursLiesBeyondAWindowWithoutGeometry() throws {
        let rig = try AppRig()
        let app = try TestApp(rig)
        let window = try TestAppWindow(app, 310, 205)
        for (x, y) in [(2, 2), (308, 203), (2, 203), (308, 2), (155, 1)] {
            try rig.touch(0, Double(x), Double(y))
            try rig.advance(milliseconds: 32)
            try rig.lift()
            for _ in 0..<20 {
                try rig.advance(milliseconds: 48)
                for cell in rig.cells {
                    #expect(
                        cell.x >= 0 && cell.y >= 0 && cell.x + cell.width <= 310 && cell.y + cell.height <= 205,
                        "\(cell) at (\(x), \(y))")
                }
            }
        }
        // It becomes smaller while a finger is down: nothing of ours is ever beyond it.
        try rig.touch(0, 200, 150)
        #expect(!rig.cells.isEmpty)
        var worst: Int32 = 0
        rig.stage.onCommit = { _ in
            guard let root = rig.stage.window?.surface, root.size.width > 0 else { return }
            for cell in rig.cells { worst = max(worst, cell.x + cell.width - root.size.width) }
        }
        app.show(window.surface, 180, 100, TestAppWindow.color)
        try rig.advance(milliseconds: 100)
        #expect(worst <= 0, "\(worst) px beyond the window")
        rig.stage.onCommit = nil
        try rig.lift()
        try rig.advance(milliseconds: 1300)
        rig.expectNothingLeft()
    }

    @Test func wavesMayHangOverTheEdgeOfAWindowThatSaysWhereItIs() throws {
        let rig = try AppRig()
        let app = try TestApp(rig)
        // 20 px of shadow on each side.
        _ = try TestAppWindow(app, 300, 200) { $0.xdgSurface.setWindowGeometry(x: 20, y: 20, width: 260, height: 160) }
        let before = rig.stage.screenshot()
        // The window's corner is at (0, 0) of the screen: its surface begins at (-20, -20).
        try rig.touch(0, 100, 80)
        #expect(app.log.last { $0.hasPrefix("down") } == "down 0 120.0 100.0")
        let mark = try #require(rig.stage.screenshot().difference(from: before))
        #expect(abs(mark.x - 100) <= 1 && abs(mark.y - 80) <= 1, "\(mark)")
        try rig.lift()
        try rig.touch(1, 275, 80)
        try rig.advance(milliseconds: 16)
        #expect(rig.cells.contains { $0.x + $0.width > 300 })
        try rig.lift(1)
        try rig.advance(milliseconds: 1300)
        rig.expectNothingLeft()
    }

    /// By xdg-shell a window ends where the box around its surfaces does, ours among them.
    @Test func nothingOfOursReachesWhereAGeometryBeyondTheSurfaceDoes() throws {
        let rig = try AppRig()
        let app = try TestApp(rig)
        _ = try TestAppWindow(app, 300, 200) { window in
            window.xdgSurface.setWindowGeometry(x: -50, y: -50, width: 400, height: 200)
        }
        let root = try #require(rig.stage.window?.surface)
        for (x, y) in [(2, 2), (298, 140), (2, 140), (298, 2), (150, 198)] {
            rig.stage.seat.touch.down(0, x: Double(x), y: Double(y), on: root)
            rig.stage.seat.touch.frame()
            try rig.pump()
            try rig.lift()
            #expect(!rig.cells.isEmpty)
            for _ in 0..<20 {
                try rig.advance(milliseconds: 48)
                for cell in rig.cells {
                    #expect(cell.x >= 0 && cell.y >= 0 && cell.x + cell.width <= 300, "\(cell) at (\(x), \(y))")
                }
                // The window's lower edge is within the surface: there waves may hang over.
                if y == 198, rig.cells.contains(where: { $0.y + $0.height > 200 }) { return }
            }
        }
        Issue.record("no wave hangs over the lower edge")
    }

    @Test func aTouchOnASubsurfaceThatHangsOverItsWindowIsMarked() throws {
        let rig = try AppRig()
        let app = try TestApp(rig)
        let window = try TestAppWindow(app, 300, 200)
        let child = app.surface()
        let role = try rig.bind(WlSubcompositor.self).getSubsurface(surface: child, parent: window.surface)
        role.setPosition(x: 250, y: 50)
        role.setDesync()
        app.show(child, 150, 100, 0xFF80_8080)
        app.commit(window.surface)
        try rig.pump()
        let before = rig.stage.screenshot()
        try rig.touch(0, 350, 100)
        let mark = try #require(rig.stage.screenshot().difference(from: before))
        #expect(abs(mark.x - 350) <= 1 && abs(mark.y - 100) <= 1, "\(mark)")
        #expect(!rig.cells.contains { $0.x + $0.width > 400 || $0.y < 0 || $0.y + $0.height > 200 })
        // It becomes narrower while a finger is down: nothing of ours is ever beyond it.
        var worst: Int32 = 0
        rig.stage.onCommit = { _ in
            let right = rig.apps.filter { $0.picture != nil && $0.size.width == 80 }.isEmpty ? 400 : 330 as Int32
            for cell in rig.cells { worst = max(worst, cell.x + cell.width - right) }
        }
        app.show(child, 80, 100, 0xFF80_8080)
        try rig.advance(milliseconds: 100)
        #expect(worst <= 0, "\(worst) px beyond the window")
        rig.stage.onCommit = nil
        try rig.lift()
        try rig.advance(milliseconds: 1300)
        rig.expectNothingLeft()
    }

    /// Some compositors answer no frame callback of what they do not show.
    @Test func callbacksThatNobodyAnswersKeepNoNumbers() throws {
        let rig = try RawRig()
        try rig.bindGlobals()
        rig.window(7)
        try rig.pump()
        var free: [Int] = []
        for touch in 0..<40 as Range<UInt32> {
            rig.touch(7, 0, 20 + touch * 5)
            try rig.pump()
            rig.lift()
            for _ in 0..<8 {
                rig.now = rig.now + .milliseconds(501)
                try rig.pump()
            }
            free.append(rig.proxy.objects.available)
        }
        #expect(free.last == free[1], "\(free)")
        #expect(rig.violations == [])
    }

    @Test func aResizeWithAFingerDownKeepsTheMark() throws {
        let rig = try AppRig()
        let app = try TestApp(rig)
        let window = try TestAppWindow(app)
        try rig.touch(0, 100, 80)
        for width in stride(from: Int32(290), through: 220, by: -10) {
            app.show(window.surface, width, 190, TestAppWindow.color)
            // No frame is seen without.
            try rig.passRequests()
            #expect(
                rig.mappedOwn.contains { $0.size.width > 1 }, "the mark is gone while the window is \(width) px wide")
            try rig.pump()
            try rig.advance(milliseconds: 16)
        }
        let shown = rig.stage.screenshot()
        try rig.lift()
        try rig.advance(milliseconds: 1300)
        let mark = try #require(shown.difference(from: rig.stage.screenshot()))
        #expect(abs(mark.x - 100) <= 1 && abs(mark.y - 80) <= 1)
        rig.expectNothingLeft()
    }

    @Test func aWindowThatIsMadeAgainOnItsSurfaceIsMarkedAgain() throws {
        let rig = try AppRig()
        let app = try TestApp(rig)
        let window = try TestAppWindow(app)
        for _ in 0..<3 {
            try rig.touch(0, 100, 80)
            try window.close()
            try rig.advance(milliseconds: 600, fires: false)
            try rig.runDeadlines()
            rig.stage.seat.touch.up(0)
            try window.reopen()
            try rig.advance(milliseconds: 1300)
            rig.expectNothingLeft()
            let before = rig.stage.screenshot()
            try rig.touch(1, 60, 60)
            let mark = try #require(rig.stage.screenshot().difference(from: before))
            #expect(abs(mark.x - 60) <= 1 && abs(mark.y - 60) <= 1, "\(mark)")
            try rig.lift(1)
            try rig.advance(milliseconds: 1300)
            rig.expectNothingLeft()
        }
        #expect(rig.count("wl_surface", "commit", ofApp: true) == app.commits)
    }

    @Test func aWindowThatGoesWithAFingerDownTakesAllOfOursAlong() throws {
        let rig = try AppRig()
        let app = try TestApp(rig)
        let baseline = rig.stage.liveResourceCounts
        let window = try TestAppWindow(app)
        try rig.touch(0, 100, 80)
        try window.destroy()
        #expect(rig.own.isEmpty && rig.stage.violations == [] && rig.proxy?.nextDeadline == nil)
        rig.stage.seat.touch.up(0)
        try rig.pump()
        rig.stage.releaseBuffers(includingShown: true)
        try rig.pump()
        // The app's own buffer is its own affair.
        let counts = rig.stage.liveResourceCounts
        // Frame callbacks end with their surface on other compositors; on the stage they wait.
        for (interface, count) in counts where interface != "wl_buffer" && interface != "wl_callback" {
            #expect(count == baseline[interface] ?? 0, "\(interface)")
        }
        #expect(rig.stage.liveResources("wl_buffer").allSatisfy { $0.objectID > AppRig.lastOwn })
    }

    @Test func twoWindowsAreMarkedEachOnItsOwn() throws {
        let rig = try AppRig()
        let app = try TestApp(rig)
        let windows = [try TestAppWindow(app), try TestAppWindow(app)]
        let roots = rig.stage.windows.map(\.surface)
        for root in roots {
            try rig.touch(0, 100, 80, on: root)
            for other in roots {
                let isMarked = other.stack.contains { $0.resource.objectID <= AppRig.lastOwn && $0.picture != nil }
                #expect(isMarked == (other === root))
            }
            try rig.lift()
            try rig.advance(milliseconds: 1300)
            rig.expectNothingLeft()
        }
        for window in windows { try window.destroy() }
        #expect(rig.own.isEmpty)
    }

    @Test func twoHundredWindowsComeAndGo() throws {
        let rig = try AppRig()
        let app = try TestApp(rig)
        for index in 0..<200 {
            let window = try TestAppWindow(app, 40, 30)
            if index % 10 == 0 {
                try rig.touch(0, 20, 15)
                try rig.lift()
            }
            try window.destroy()
        }
        #expect(rig.own.isEmpty && rig.notes == [] && rig.stage.violations == [])
        let window = try TestAppWindow(app)
        try rig.touch(0, 100, 80)
        #expect(!rig.mappedOwn.isEmpty)
        try window.destroy()
    }

    @Test func moreWindowsThanThereAreNumbersForGoWithoutMarks() throws {
        let rig = try AppRig()
        let app = try TestApp(rig)
        var windows: [TestAppWindow] = []
        for _ in 0..<300 { windows.append(try TestAppWindow(app, 4, 4)) }
        #expect(rig.stage.windows.count == 300 && rig.stage.violations == [])
        for root in [rig.stage.windows.first, rig.stage.windows.last].compactMap(\.?.surface) {
            try rig.touch(0, 2, 2, on: root)
            try rig.lift()
            try rig.advance(milliseconds: 1300)
        }
        rig.expectNothingLeft()
        // The numbers of some are given back, and the one that got none is marked.
        let last = try #require(rig.stage.windows.last?.surface)
        let isMarked = { last.stack.contains { $0.resource.objectID <= AppRig.lastOwn && $0.picture != nil } }
        try rig.touch(0, 2, 2, on: last)
        #expect(!isMarked())
        try rig.lift()
        for window in windows.dropLast() { try window.destroy() }
        app.commit(windows[windows.count - 1].surface)
        try rig.pump()
        try rig.touch(0, 2, 2, on: last)
        #expect(isMarked())
        try rig.lift()
        try windows[windows.count - 1].destroy()
        #expect(rig.own.isEmpty)
        // The numbers have come back.
        _ = try TestAppWindow(app)
        try rig.touch(0, 100, 80)
        #expect(!rig.mappedOwn.isEmpty && rig.stage.violations == [])
    }

    // MARK: Control

    @Test func pauseAndClearTakeEverythingAway() throws {
        let rig = try AppRig()
        let app = try TestApp(rig)
        _ = try TestAppWindow(app)
        let proxy = try #require(rig.proxy)
        try rig.touch(0, 100, 80)
        proxy.setPaused(true)
        try rig.advance(milliseconds: 100)
        #expect(rig.mappedOwn.isEmpty)
        proxy.setPaused(false)
        // A finger that was down then has no mark; the next one has.
        try rig.touch(1, 60, 60)
        #expect(!rig.mappedOwn.isEmpty)
        proxy.clear()
        try rig.advance(milliseconds: 100)
        #expect(rig.mappedOwn.isEmpty)
        try rig.lift()
        try rig.lift(1)
        try rig.advance(milliseconds: 1300)
        rig.expectNothingLeft()
    }

    @Test func withoutDrawingNothingOfOursIsMade() throws {
        let rig = try AppRig(draws: false)
        let app = try TestApp(rig)
        _ = try TestAppWindow(app)
        try rig.touch(0, 100, 80)
        #expect(rig.own.isEmpty && rig.stage.violations == [])
        // Who asks is told all the same.
        #expect(rig.raw.count == 2 && rig.gestures.count == 1 && rig.proxy?.contactCount == 1)
        #expect(rig.proxy?.windowCount == 1)
    }

    @Test func withoutDrawingNothingWakesAProxyThatNobodyListensTo() throws {
        let rig = try AppRig(draws: false, listens: false)
        let window = try TestAppWindow(TestApp(rig))
        try rig.touch(0, 100, 80)
        #expect(rig.proxy?.nextDeadline == nil && rig.proxy?.contactCount == 1)
        _ = window
    }
}
