import Gestures
import Ripples
import Testing
import TouchStage
import WaylandClient
import WaylandProtocols

@testable import WireProxy

/// How large a millimetre is for an app's windows, by the outputs that the app knows.
@Suite struct MillimetreTests {
    /// What the last windows and recognizers were told.
    private final class Told {
        var styles: [Double?] = []
        var gestures: [Double?] = []
    }

    private let told = Told()

    private var look: AppConnection.Look {
        AppConnection.Look(
            style: { [told] in
                told.styles.append($0)
                return RippleStyle()
            },
            gestures: { [told] in
                told.gestures.append($0)
                return GestureConfiguration()
            })
    }

    private func rig(scale: Double = 1, millimetres: Int32 = 120) throws -> AppRig {
        var output = StageOutput.State(width: 960, height: 600, scale: scale)
        output.physicalWidth = millimetres
        output.physicalHeight = millimetres * 5 / 8
        return try AppRig(.with { $0.outputs = [output] }, look: look)
    }

    @Test func theOutputsSizeCounts() throws {
        let rig = try rig()
        let output = try rig.bind(WlOutput.self)
        let app = try TestApp(rig)
        _ = try TestAppWindow(app)
        #expect(told.styles.last == 8)
        told.gestures.removeAll()
        try rig.touch(0, 100, 80)
        #expect(told.gestures.last == 8)
        // A second finger on the same output tells nobody anything.
        told.gestures.removeAll()
        try rig.touch(1, 200, 80)
        #expect(told.gestures.isEmpty)
        output.release()
        try rig.pump()
        #expect(told.styles.last == .some(nil))
    }

    @Test func itsScaleCounts() throws {
        let rig = try rig(scale: 2)
        _ = try rig.bind(WlOutput.self)
        _ = try TestAppWindow(TestApp(rig))
        #expect(told.styles.last == 4)
    }

    @Test func aFractionalScaleCountsBeforeTheOutputsOwn() throws {
        let rig = try rig(scale: 1.5)
        _ = try rig.bind(WlOutput.self)
        let scales = try rig.bind(WpFractionalScaleManagerV1.self)
        let window = try TestAppWindow(TestApp(rig))
        #expect(told.styles.last == 4, "wl_output.scale is 2 there")
        _ = scales.getFractionalScale(surface: window.surface)
        try rig.pump()
        let style = try #require(told.styles.last ?? nil)
        #expect(abs(style - 8 / 1.5) < 1e-9)
    }

    @Test func anOutputWithoutASizeTellsNothing() throws {
        let rig = try rig(millimetres: 0)
        _ = try rig.bind(WlOutput.self)
        _ = try TestAppWindow(TestApp(rig))
        #expect(told.styles.last == .some(nil))
        try rig.touch(0, 100, 80)
        #expect(told.gestures.allSatisfy { $0 == nil })
    }

    @Test func anAppThatKnowsNoOutputTellsNothing() throws {
        let rig = try rig()
        _ = try TestAppWindow(TestApp(rig))
        #expect(told.styles.allSatisfy { $0 == nil } && !told.styles.isEmpty)
    }

    @Test func aWindowThatLeavesItsOutputHasTheOther() throws {
        let rig = try rig()
        var other = StageOutput.State(name: "STAGE-2", width: 960, height: 600, x: 960)
        other.physicalWidth = 240
        let second = rig.stage.addOutput(other)
        try rig.pump()
        let outputs = rig.globals.all.filter { $0.interface == "wl_output" }
        #expect(outputs.count == 2)
        for global in outputs { _ = rig.globals.bind(global, WlOutput.self, versions: 1...4) }
        let window = try TestAppWindow(TestApp(rig))
        #expect(told.styles.last == 8)
        let surface = try #require(rig.apps.first)
        surface.enter(second)
        surface.leave(rig.stage.outputs[0])
        try rig.pump()
        #expect(told.styles.last == 4)
        withExtendedLifetime(window) {}
    }
}
