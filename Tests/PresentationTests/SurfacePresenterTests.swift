import Gestures
import Pixman
import Ripples
import Testing
import TouchStage
import WaylandProtocols

@testable import Presentation

@Suite struct SurfacePresenterTests {
    private func disc(_ x: Double, _ y: Double, _ radius: Double = 10) -> Shape {
        .disc(
            Disc(
                center: Point(x: x, y: y), radius: radius, fill: Color(red: 255, green: 255, blue: 255, alpha: 153),
                outline: Color(red: 0, green: 0, blue: 0, alpha: 230), outlineWidth: 1.5))
    }

    // MARK: When frames are drawn

    @Test func theFirstConfigureBringsTheFirstFrame() throws {
        let rig = try PresenterRig()
        #expect(rig.shown.contentCount == 1)
        #expect(rig.picture == rig.expected)
        #expect(rig.shown.size == (120, 80))
        #expect(rig.stage.violations == [])
    }

    @Test func nothingIsSentWhileNothingChanges() throws {
        let rig = try PresenterRig()
        #expect(rig.shown.waitingFrameCallbacks == 0)
        rig.stage.keepsJournal = true
        for _ in 0..<10 {
            rig.stage.advance(milliseconds: 100)
            try rig.pump()
        }
        #expect(rig.stage.journal == [])
    }

    @Test func aHeldMarkCostsNoFrameAfterItsOwn() throws {
        let rig = try PresenterRig(.with { $0.frames = .automatic(hertz: 60) })
        rig.presenter.shapes = [disc(50, 40)]
        try rig.pump()
        rig.stage.advance(milliseconds: 20)
        try rig.pump()
        rig.stage.keepsJournal = true
        for _ in 0..<10 {
            rig.stage.advance(milliseconds: 20)
            try rig.pump()
        }
        #expect(rig.stage.journal == [])
        #expect(rig.frames.count == 1)
    }

    @Test func aFrameIsAskedForBeforeTheCommitAndDrawnWhenItComes() throws {
        let rig = try PresenterRig()
        rig.presenter.shapes = [disc(50, 40)]
        try rig.pump()
        #expect(rig.shown.waitingFrameCallbacks == 1)
        let commits = rig.shown.commitCount
        rig.presenter.shapes = [disc(50, 40, 12)]
        try rig.pump()
        rig.presenter.shapes = [disc(50, 40, 14)]
        try rig.pump()
        #expect(rig.shown.commitCount == commits)
        rig.stage.fireFrameCallbacks(time: 77)
        try rig.pump()
        #expect(rig.frames == [77])
        #expect(rig.shown.commitCount == commits + 1)
        #expect(rig.picture == rig.expected)
        #expect(rig.stage.violations == [])
    }

    @Test func theLastRippleGoesWithoutAskingForAnotherFrame() throws {
        let rig = try PresenterRig()
        rig.presenter.shapes = [disc(50, 40)]
        try rig.pump()
        rig.presenter.shapes = []
        rig.stage.fireFrameCallbacks()
        try rig.pump()
        #expect(rig.picture == rig.expected)
        #expect(rig.shown.waitingFrameCallbacks == 0)
    }

    @Test func aFrameDamagesOnlyWhatChanged() throws {
        let rig = try PresenterRig()
        rig.presenter.shapes = [disc(50, 40)]
        try rig.pump()
        #expect(rig.shown.damage == [StageRect(x: 38, y: 28, width: 24, height: 24)])
    }

    @Test func aHiddenSurfaceIsNotDrawnAndLosesNothing() throws {
        let rig = try PresenterRig()
        rig.presenter.shapes = [disc(50, 40)]
        try rig.pump()
        rig.shown.isHidden = true
        rig.stage.keepsJournal = true
        for step in 0..<50 {
            rig.stage.advance(milliseconds: 16)
            rig.presenter.shapes = [disc(50, 40, 10 + Double(step))]
            rig.stage.fireFrameCallbacks()
            try rig.pump()
        }
        #expect(rig.stage.journal == [])
        rig.shown.isHidden = false
        rig.stage.fireFrameCallbacks()
        try rig.pump()
        #expect(rig.picture == rig.expected)
    }

    @Test func anAnimationGoesOnWhileNothingOfItIsSeen() throws {
        let rig = try PresenterRig()
        rig.presenter.wantsFrames = true
        rig.presenter.shapes = [disc(-40, 40)]
        try rig.pump()
        let contents = rig.shown.contentCount
        for step in 1...6 {
            #expect(rig.shown.waitingFrameCallbacks == 1)
            rig.presenter.shapes = [disc(-40, 40, 10 + Double(step))]
            rig.stage.fireFrameCallbacks()
            try rig.pump()
        }
        #expect(rig.shown.contentCount == contents)
        rig.presenter.shapes = [disc(-40, 40, 60)]
        rig.stage.fireFrameCallbacks()
        try rig.pump()
        #expect(rig.picture == rig.expected)
        rig.presenter.wantsFrames = false
        rig.presenter.shapes = []
        rig.stage.fireFrameCallbacks()
        try rig.pump()
        #expect(rig.shown.waitingFrameCallbacks == 0)
    }

    @Test func anAcknowledgedConfigureOfTheSameSizeIsCommittedThoughAFrameIsOutstanding() throws {
        let rig = try PresenterRig()
        rig.presenter.shapes = [disc(50, 40)]
        try rig.pump()
        let commits = rig.shown.commitCount
        try rig.configure(120, 80)
        #expect(rig.shown.commitCount == commits + 1)
        #expect(rig.shown.waitingFrameCallbacks == 1)
        #expect(rig.stage.violations == [])
    }

    @Test func aConfigureIsCommittedThoughOnlyTheWayToScaleHasChanged() throws {
        // The stage tells a fractional scale of 1 once it has seen the first frame, drawn at an integer scale of 1.
        let rig = try PresenterRig()
        #expect(rig.presenter.geometry?.scale == .fractional(120))
        #expect(rig.shown.viewportDestination.map { [$0.width, $0.height] } == [120, 80])
        let commits = rig.shown.commitCount
        try rig.configure(120, 80)
        #expect(rig.shown.commitCount == commits + 1)
        #expect(rig.shown.contentCount == 1)
    }

    @Test func anotherSizeInTheSamePixelsIsCommittedWithoutANewFrame() throws {
        let rig = try PresenterRig(.with { $0.outputs[0].scale = 0.5 }, size: (101, 81))
        let contents = rig.shown.contentCount
        try rig.configure(102, 82)
        #expect(rig.shown.size == (102, 82))
        #expect(rig.shown.contentCount == contents)
        #expect(rig.shown.opaqueRegion?.contains(x: 101, y: 81) == true)
    }

    // MARK: Buffers

    @Test func whenAllBuffersAreHeldTheFrameWaitsForARelease() throws {
        let rig = try PresenterRig(.with { $0.releases = .manual })
        for step in 0..<2 {
            rig.presenter.shapes = [disc(50, 40, 10 + Double(step))]
            try rig.pump()
            rig.stage.fireFrameCallbacks()
        }
        #expect(rig.presenter.waitingForReleaseSince == nil)
        rig.presenter.shapes = [disc(70, 40)]
        rig.now = .milliseconds(100)
        try rig.pump()
        rig.now = .milliseconds(200)
        try rig.pump()
        #expect(rig.presenter.waitingForReleaseSince == .milliseconds(100))
        #expect(rig.stage.buffers.count == 3)
        #expect(rig.picture != rig.expected)

        rig.stage.keepsJournal = true
        try rig.pump()
        #expect(rig.stage.journal == [])
        let commits = rig.shown.commitCount
        try rig.configure(120, 80)
        #expect(rig.shown.commitCount == commits + 1)
        rig.stage.fireFrameCallbacks()
        rig.stage.releaseBuffers()
        try rig.pump()
        #expect(rig.presenter.waitingForReleaseSince == nil)
        #expect(rig.picture == rig.expected)
        #expect(rig.stage.violations == [])
    }

    @Test func whatNeedsNoBufferAnyMoreWaitsForNone() throws {
        let rig = try PresenterRig(.with { $0.releases = .manual })
        for step in 0..<2 {
            rig.presenter.shapes = [disc(50, 40, 10 + Double(step))]
            try rig.pump()
            rig.stage.fireFrameCallbacks()
        }
        let shown = rig.presenter.shapes
        rig.presenter.shapes = []
        try rig.pump()
        #expect(rig.presenter.waitingForReleaseSince != nil)
        rig.presenter.shapes = shown
        try rig.pump()
        #expect(rig.presenter.waitingForReleaseSince == nil)
    }

    @Test(arguments: [0, 1, 2])
    func aResizeStormEndsAtTheRightSizeWithBoundedMemory(policy: Int) throws {
        let rig = try PresenterRig(.with { $0.releases = [.whenReplaced, .atOnce, .manual][policy] })
        var most = 0
        var size: (width: Int32, height: Int32) = (0, 0)
        rig.presenter.shapes = [disc(30, 30)]
        for step in Int32(0)..<100 {
            size = (60 + step * 7 % 90, 40 + step * 5 % 70)
            rig.stage.window!.configure(width: size.width, height: size.height)
            try rig.pump()
            if step % 3 == 0 { rig.stage.fireFrameCallbacks() }
            if step % 5 == 0, policy == 2 { rig.stage.releaseBuffers() }
            most = max(most, rig.stage.buffers.count)
        }
        for _ in 0..<3 {
            rig.stage.fireFrameCallbacks()
            if policy == 2 { rig.stage.releaseBuffers() }
            try rig.pump()
        }
        #expect(most <= 3)
        #expect(rig.shown.size == size)
        #expect(rig.picture == rig.expected)
        #expect(rig.stage.violations == [])
    }

    @Test func destroyingFreesHeldBuffersAtTheirRelease() throws {
        let rig = try PresenterRig(.with { $0.releases = .manual })
        rig.presenter.shapes = [disc(50, 40)]
        try rig.pump()
        rig.presenter.destroy()
        try rig.pump()
        #expect(rig.stage.liveResources("wl_buffer").count == 2)
        #expect(rig.stage.liveResources("wp_viewport").isEmpty)
        rig.presenter.shapes = []
        rig.stage.fireFrameCallbacks()
        rig.stage.releaseBuffers(includingShown: true)
        try rig.pump()
        #expect(rig.stage.liveResources("wl_buffer").isEmpty)
        #expect(rig.frames == [])
        #expect(rig.stage.violations == [])
    }

    // MARK: Scale and state

    @Test(arguments: [1, 1.25, 1.5, 2, 3], [true, false])
    func everyScaleIsDrawnInItsOwnPixels(scale: Double, hasViewport: Bool) throws {
        let rig = try PresenterRig(
            .with {
                $0.outputs[0].scale = scale
                if !hasViewport { $0.globals[.viewporter] = nil }
            }, size: (101, 67))
        rig.presenter.shapes = [disc(50, 40), disc(0, 0, 20)]
        try rig.pump()
        rig.presenter.shapes[0] = disc(53.3, 40)
        rig.stage.fireFrameCallbacks()
        try rig.pump()
        let factor = hasViewport ? scale : scale.rounded(.up)
        #expect(rig.shown.size == (101, 67))
        #expect(rig.picture?.size.width == Int32((101 * factor).rounded()))
        #expect(rig.shown.bufferScale == (hasViewport ? 1 : Int32(factor)))
        #expect(rig.picture == rig.expected)
        #expect(rig.stage.violations == [])
    }

    @Test func aScaleThatChangesRepaintsTheWhole() throws {
        let rig = try PresenterRig()
        rig.presenter.shapes = [disc(50, 40)]
        for scale in [1.5, 2, 1, 3, 1.25] {
            rig.stage.output.state.scale = scale
            try rig.pump()
            rig.stage.fireFrameCallbacks()
            try rig.pump()
            #expect(rig.shown.size == (120, 80))
            #expect(rig.picture?.size.width == Int32((120 * scale).rounded()))
            #expect(rig.picture == rig.expected)
        }
        #expect(rig.stage.violations == [])
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt32])
    func everyVersionOfTheSurfaceIsServed(version: UInt32) throws {
        let rig = try PresenterRig(
            .with {
                $0.globals[.compositor] = version
                $0.globals[.fractionalScale] = nil
                $0.outputs[0].scale = 2
            }, size: (61, 43))
        // Below version 6 the owner looks at the outputs.
        rig.presenter.setOutputScale(2)
        try rig.pump()
        for step in 0..<5 {
            rig.presenter.shapes = [disc(20.3 + Double(step) * 5.1, 20.7, 7)]
            rig.stage.fireFrameCallbacks()
            try rig.pump()
            #expect(rig.picture == rig.expected)
        }
        #expect(rig.shown.bufferScale == (version >= 3 ? 2 : 1))
        #expect(rig.shown.size == (61, 43))
        #expect(rig.stage.violations == [])
    }

    @Test func fractionalDamageInSurfaceCoordinatesCoversWhatChanged() throws {
        let rig = try PresenterRig(
            .with {
                $0.globals[.compositor] = 3
                $0.outputs[0].scale = 1.25
            }, size: (61, 43))
        for step in 0..<8 {
            rig.presenter.shapes = [disc(20.3 + Double(step) * 3.1, 20.7, 7)]
            rig.stage.fireFrameCallbacks()
            try rig.pump()
            #expect(rig.picture == rig.expected)
        }
        #expect(rig.picture?.size.width == 76)
        #expect(rig.stage.violations == [])
    }

    @Test(arguments: [WlOutput.Transform.normal, ._90, ._180, ._270, .flipped, .flipped90, .flipped180, .flipped270])
    func anOutputsTransformLeavesTheContentUpright(transform: WlOutput.Transform) throws {
        let rig = try PresenterRig(.with { $0.outputs[0].transform = transform })
        rig.presenter.shapes = [disc(20, 20)]
        try rig.pump()
        #expect(rig.shown.bufferTransform == .normal)
        #expect(rig.shown.size == (120, 80))
        #expect(rig.picture == rig.expected)
        #expect(rig.stage.violations == [])
    }

    @Test func anOpaqueBackgroundIsDeclaredAndFollowsTheSize() throws {
        let rig = try PresenterRig()
        #expect(rig.shown.opaqueRegion?.contains(x: 119, y: 79) == true)
        try rig.configure(200, 100)
        #expect(rig.shown.opaqueRegion?.contains(x: 199, y: 99) == true)
        rig.presenter.setBackground(Color(red: 0, green: 0, blue: 0, alpha: 100))
        try rig.pump()
        #expect(rig.shown.opaqueRegion == nil)
    }

    @Test func aTranslucentBackgroundIsNotDeclaredOpaque() throws {
        let rig = try PresenterRig(background: .clear)
        rig.presenter.shapes = [disc(50, 40)]
        try rig.pump()
        #expect(rig.shown.opaqueRegion == nil)
        #expect(rig.picture == rig.expected)
    }

    // MARK: All together

    @Test(arguments: 0..<6 as Range<UInt64>)
    func anySequenceOnTheStageShowsAFullRepaintAndBreaksNoRule(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let rig = try PresenterRig(
            .with {
                $0.releases = [.manual, .whenReplaced, .atOnce][Int(seed % 3)]
                $0.globals[.compositor] = seed % 2 == 0 ? 6 : 3
            }, size: (60, 40))
        for _ in 0..<80 {
            switch Int.random(in: 0..<12, using: &random) {
            case 0..<4: rig.presenter.shapes.append(random.shape(width: 60, height: 40, radii: 0...25))
            case 4..<6: if !rig.presenter.shapes.isEmpty { rig.presenter.shapes.removeFirst() }
            case 6..<9:
                for index in rig.presenter.shapes.indices { rig.presenter.shapes[index].grow(by: 1) }
            case 9: rig.stage.output.state.scale = [1, 1.25, 1.5, 2].randomElement(using: &random)!
            case 10 where random.chance(0.5):
                rig.stage.window!.configure(
                    width: Int32.random(in: 1...90, using: &random), height: Int32.random(in: 1...60, using: &random))
            default: break
            }
            if random.chance(0.5) { rig.stage.fireFrameCallbacks() }
            if random.chance(0.4) { rig.stage.releaseBuffers(includingShown: random.chance(0.2)) }
            try rig.pump()
        }
        for _ in 0..<4 {
            rig.stage.fireFrameCallbacks()
            rig.stage.releaseBuffers()
            try rig.pump()
        }
        #expect(rig.picture == rig.expected)
        #expect(rig.errors == [])
        #expect(rig.stage.violations == [])
    }
}
