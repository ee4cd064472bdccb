import Testing
import TouchStage
import WaylandClient
import WaylandProtocols

@testable import WireProxy

/// The same app twice, with us between and without: neither it nor the compositor sees a difference in what is the app's.
@Suite struct TransparencyTests {
    /// What an app did and saw, and what the compositor saw of it.
    private struct Run: Equatable {
        var app: [String]
        var compositor: [String]
    }

    private func run(isDirect: Bool, _ options: Stage.Options = Stage.Options()) throws -> Run {
        let rig = try AppRig(options, isDirect: isDirect)
        let app = try TestApp(rig)
        let window = try TestAppWindow(app)
        let subcompositor = try rig.bind(WlSubcompositor.self)
        let child = app.surface()
        let role = subcompositor.getSubsurface(surface: child, parent: window.surface)
        role.setPosition(x: 40, y: 40)
        app.show(child, 50, 50, 0xFF80_8000)
        app.commit(window.surface)
        try rig.pump()
        try rig.touch(0, 60, 60)
        try rig.touch(1, 200, 150)
        for step in 0..<10 {
            rig.stage.seat.touch.motion(1, x: 200 + Double(step), y: 150)
            rig.stage.seat.touch.frame()
            let callback = window.surface.frame()
            callback.onEvent = { [weak app] _ in app?.note("frame") }
            app.commit(window.surface)
            try rig.pump()
            try rig.advance(milliseconds: 16)
        }
        role.placeBelow(sibling: window.surface)
        app.show(window.surface, 250, 180, 0xFF11_2233)
        try rig.lift(0)
        rig.stage.seat.touch.cancel()
        try rig.advance(milliseconds: 500)
        let callback = rig.connection.display.sync()
        callback.onEvent = { [weak app] _ in app?.note("sync") }
        try rig.pump()
        rig.stage.ping()
        try rig.pump()
        #expect(rig.stage.unansweredPings.isEmpty)
        role.destroy()
        child.destroy()
        try window.destroy()
        try rig.advance(milliseconds: 100)
        #expect(rig.stage.violations == [] && rig.stage.postedErrors == [])
        let offset: UInt32 = isDirect ? 0 : AppRig.lastOwn - 1
        let compositor: [String] = rig.stage.journal.compactMap { entry in
            // The display is ours too.
            guard entry.objectID > offset + 1 else { return nil }
            let id = entry.objectID < 0xff00_0000 ? entry.objectID - offset : entry.objectID
            return "\(entry.isRequest ? "->" : "<-") \(entry.interface)#\(id).\(entry.name)"
        }
        return Run(app: app.log, compositor: compositor)
    }

    @Test func theAppSeesTheSameAndDoesTheSame() throws {
        let direct = try run(isDirect: true)
        let between = try run(isDirect: false)
        #expect(direct.app.count > 60 && direct.compositor.count > 100)
        #expect(between.app == direct.app)
        #expect(between.compositor == direct.compositor)
    }

    @Test func soItDoesOnCompositorsThatLackWhatDrawingTakes() throws {
        for missing in [StageGlobal.viewporter, .fractionalScale] {
            let options = Stage.Options.with { $0.globals[missing] = nil }
            #expect(try run(isDirect: false, options) == run(isDirect: true, options))
        }
    }
}
