import Gestures
import Testing
import TouchStage
import WaylandClient
import WaylandProtocols

@testable import WireProxy

/// Pens that an app is told of.
@Suite struct PenOfAppTests {
    /// An app that takes pens, with a window, and a tablet with a pen.
    private final class Desk {
        let rig: AppRig
        let app: TestApp
        let manager: ZwpTabletManagerV2
        let pens: AppPens
        let window: TestAppWindow
        let tablet: StageTablet
        let pen: StagePen

        init() throws {
            rig = try AppRig()
            app = try TestApp(rig)
            manager = try rig.bind(ZwpTabletManagerV2.self)
            tablet = rig.stage.seat.tablets.addTablet()
            pen = rig.stage.seat.tablets.addPen(.eraser)
            pens = AppPens(manager.getTabletSeat(seat: app.seat))
            window = try TestAppWindow(app)
        }

        func come(_ x: Double = 100, _ y: Double = 80) throws {
            pen.proximityIn(tablet, x: x, y: y)
            pen.frame(time: 1)
            try rig.pump()
        }

        func say(_ events: () -> Void) throws {
            events()
            pen.frame(time: 2)
            try rig.pump()
        }

        var kinds: [String] { rig.tools.map { $0.text } }
    }

    /// What an app makes of the tablets of a seat.
    private final class AppPens {
        let seat: ZwpTabletSeatV2
        private(set) var tools: [ZwpTabletToolV2] = []
        private(set) var tablets: [ZwpTabletV2] = []
        /// Of the last that a tool did.
        private(set) var serial: UInt32 = 0

        init(_ seat: ZwpTabletSeatV2) {
            self.seat = seat
            seat.onEvent = { [unowned self] event in
                switch event {
                case .toolAdded(let tool):
                    tools.append(tool)
                    tool.onEvent = { [unowned self] event in
                        if case .down(let serial) = event { self.serial = serial }
                    }
                case .tabletAdded(let tablet): tablets.append(tablet)
                case .padAdded: break
                }
            }
        }
    }

    @Test func aStrokeIsMarkedAndSaid() throws {
        let desk = try Desk()
        let before = desk.rig.stage.screenshot()
        try desk.come()
        #expect(desk.kinds.first == "added")
        try desk.say {
            desk.pen.pressure(32768)
            desk.pen.down()
        }
        let mark = try #require(desk.rig.stage.screenshot().difference(from: before))
        #expect(abs(mark.x - 100) <= 2 && abs(mark.y - 80) <= 2, "\(mark)")
        #expect(desk.rig.proxy?.contactCount == 1)
        let began = desk.rig.gestures.compactMap { if case .contactBegan(let contact) = $0 { contact } else { nil } }
        #expect(began.map { $0.kind } == [.stylus] && abs((began.first?.pressure ?? 0) - 0.5) < 0.01)
        try desk.say { desk.pen.up() }
        try desk.say { desk.pen.proximityOut() }
        #expect(desk.rig.tools.allSatisfy { $0.type == .eraser && $0.tool == 1 && $0.seat == "seat0" })
        try desk.rig.advance(milliseconds: 1500)
        #expect(desk.rig.stage.screenshot() == before)
        desk.rig.expectNothingLeft()
        #expect(desk.rig.gestures.contains { if case .tap = $0 { true } else { false } })
    }

    @Test func aPenOnASubsurfaceIsWhereItLies() throws {
        let desk = try Desk()
        let subcompositor = try desk.rig.bind(WlSubcompositor.self)
        let child = desk.app.surface()
        let role = subcompositor.getSubsurface(surface: child, parent: desk.window.surface)
        role.setPosition(x: 60, y: 40)
        role.setDesync()
        desk.app.show(child, 100, 100, 0xFF80_8080)
        desk.app.commit(desk.window.surface)
        try desk.rig.pump()
        let before = desk.rig.stage.screenshot()
        try desk.come(100, 80)
        try desk.say { desk.pen.down() }
        let mark = try #require(desk.rig.stage.screenshot().difference(from: before))
        #expect(abs(mark.x - 100) <= 2 && abs(mark.y - 80) <= 2, "\(mark)")
        try desk.say { desk.pen.motion(x: 110, y: 90) }
        #expect(desk.kinds.last { $0.hasPrefix("motion") }?.contains("110.0") == true, "\(desk.kinds)")
    }

    @Test func aTabletThatIsPulledOutTakesItsStrokeAlong() throws {
        let desk = try Desk()
        try desk.come()
        try desk.say { desk.pen.down() }
        #expect(desk.rig.proxy?.contactCount == 1)
        desk.tablet.remove()
        try desk.rig.pump()
        #expect(desk.rig.proxy?.contactCount == 0)
        #expect(desk.rig.gestures.contains { if case .contactCancelled = $0 { true } else { false } })
    }

    @Test(arguments: ["tool", "tablets"]) func anAppThatLetsGoOfIts(what: String) throws {
        let desk = try Desk()
        try desk.come()
        try desk.say { desk.pen.down() }
        #expect(desk.rig.proxy?.contactCount == 1)
        if what == "tool" {
            desk.pens.tools.first?.destroy()
        } else {
            // The tools that came by it live on, and are heard.
            desk.pens.seat.destroy()
            try desk.rig.pump()
            #expect(desk.rig.proxy?.contactCount == 1)
            try desk.say { desk.pen.up() }
            #expect(desk.rig.gestures.contains { if case .tap = $0 { true } else { false } })
            try desk.say { desk.pen.down() }
            #expect(desk.rig.proxy?.contactCount == 1)
            desk.pens.tools.first?.destroy()
        }
        try desk.rig.pump()
        #expect(desk.rig.proxy?.contactCount == 0)
        #expect(desk.rig.notes == [] && desk.rig.stage.violations == [])
        // Who asks again is heard.
        let others = AppPens(desk.manager.getTabletSeat(seat: desk.app.seat))
        try desk.rig.pump()
        try desk.say { desk.pen.proximityOut() }
        try desk.come()
        try desk.say { desk.pen.down() }
        #expect(desk.rig.proxy?.contactCount == 1)
        _ = others
    }

    @Test func aPenThatMovesTheWindowIsTakenOverUnlessItIsHeardOf() throws {
        let desk = try Desk()
        try desk.come()
        try desk.say { desk.pen.down() }
        desk.window.toplevel.move(seat: desk.app.seat, serial: desk.pens.serial)
        try desk.rig.pump()
        try desk.rig.advance(milliseconds: 280)
        #expect(desk.rig.proxy?.contactCount == 1)
        try desk.rig.advance(milliseconds: 40)
        #expect(desk.rig.proxy?.contactCount == 0)
        try desk.rig.advance(milliseconds: 600)
        desk.rig.expectNothingLeft()
        // It was not after all.
        try desk.say { desk.pen.motion(x: 120, y: 90) }
        #expect(desk.rig.proxy?.contactCount == 1 && !desk.rig.mappedOwn.isEmpty)
        try desk.say { desk.pen.up() }
        #expect(desk.rig.proxy?.contactCount == 0)
        // It is no matter of another serial.
        try desk.say { desk.pen.down() }
        desk.window.toplevel.move(seat: desk.app.seat, serial: desk.pens.serial &- 1)
        try desk.rig.pump()
        try desk.rig.advance(milliseconds: 1000)
        #expect(desk.rig.proxy?.contactCount == 1)
    }

    @Test func aPenGoesWithTheSubsurfaceThatItIsOn() throws {
        let desk = try Desk()
        let subcompositor = try desk.rig.bind(WlSubcompositor.self)
        let child = desk.app.surface()
        let role = subcompositor.getSubsurface(surface: child, parent: desk.window.surface)
        desk.app.show(child, 100, 100, 0xFF80_8080)
        desk.app.commit(desk.window.surface)
        try desk.rig.pump()
        try desk.come(50, 50)
        try desk.say { desk.pen.down() }
        #expect(desk.rig.proxy?.contactCount == 1)
        role.destroy()
        try desk.rig.pump()
        #expect(desk.rig.proxy?.contactCount == 0)
        try desk.rig.advance(milliseconds: 600)
        desk.rig.expectNothingLeft()
    }

    @Test func askingTwiceCountsOnce() throws {
        let desk = try Desk()
        let others = AppPens(desk.manager.getTabletSeat(seat: desk.app.seat))
        try desk.rig.pump()
        #expect(others.tools.count == 1)
        try desk.come()
        try desk.say { desk.pen.down() }
        #expect(desk.rig.proxy?.contactCount == 1)
        #expect(desk.kinds.count { $0 == "down" } == 1)
        // The other one is listened to when the app has let go of all of the first.
        desk.pens.seat.destroy()
        for tool in desk.pens.tools { tool.destroy() }
        try desk.rig.pump()
        #expect(desk.rig.proxy?.contactCount == 0)
        try desk.say { desk.pen.up() }
        try desk.say { desk.pen.proximityOut() }
        try desk.come()
        try desk.say { desk.pen.down() }
        #expect(desk.rig.proxy?.contactCount == 1)
    }
}
