import Gestures
import Testing
import WaylandClient
import WaylandProtocols
import WaylandServer
import WaylandServerProtocols

@testable import Input

/// A seat's tablets over a real connection.
struct TabletInputTests {
    /// A compositor with a tablet, and FingerWave's seat as its client.
    private final class Desk {
        let rig: SeatRig
        let seat: SeatInput
        let server: ServerSeat
        let window: Window
        private(set) var tabletSeat: ZwpTabletSeatV2Resource?
        private(set) var tools: [RawToolEvent] = []
        private(set) var cursors: [UInt32] = []

        init(version: UInt32 = 2, hasShapes: Bool = false) throws {
            rig = try SeatRig(hasShapes: hasShapes)
            var offered: ZwpTabletSeatV2Resource?
            rig.server.addGlobal(ZwpTabletManagerV2Resource.self, version: version) { manager in
                manager.onRequest = { request in
                    if case .getTabletSeat(let tablets, _) = request { offered = tablets }
                }
            }
            try rig.pump()
            let manager = try rig.globals.require(ZwpTabletManagerV2.self, versions: 1...2)
            let shapes = rig.globals.bindIfOffered(WpCursorShapeManagerV1.self, versions: 1...1)
            let cursors = shapes.map { Cursors(shapes: $0, compositor: nil, shm: nil) }
            (seat, server) = try rig.seat(tablets: manager, cursors: cursors)
            window = try rig.window()
            tabletSeat = offered
            seat.onTool = { [unowned self] in tools.append($0) }
        }

        func addTablet() throws -> ZwpTabletV2Resource {
            let tablet = try #require(tabletSeat?.sendTabletAdded())
            tablet.sendName(name: "tablet")
            tablet.sendDone()
            return tablet
        }

        func addTool(_ type: ZwpTabletToolV2.TypeValue = .pen) throws -> ZwpTabletToolV2Resource {
            let tool = try #require(tabletSeat?.sendToolAdded())
            tool.onRequest = { [unowned self] request in
                if case .setCursor(let serial, _, _, _) = request { cursors.append(serial) }
            }
            tool.sendType(toolType: type)
            tool.sendCapability(capability: .pressure)
            tool.sendDone()
            return tool
        }

        func come(_ tool: ZwpTabletToolV2Resource, _ tablet: ZwpTabletV2Resource, serial: UInt32 = 5) {
            tool.sendProximityIn(serial: serial, tablet: tablet, surface: window.resource)
            tool.sendMotion(x: 30.5, y: 40)
            tool.sendFrame(time: 10)
        }
    }

    @Test("Both versions work, and everything a pen says reaches the log as it came", arguments: [1, 2] as [UInt32])
    func raw(version: UInt32) throws {
        let desk = try Desk(version: version)
        let tablet = try desk.addTablet()
        let tool = try desk.addTool(.eraser)
        desk.come(tool, tablet)
        tool.sendDown(serial: 6)
        tool.sendPressure(pressure: 65_535)
        tool.sendDistance(distance: 0)
        tool.sendTilt(tiltX: 12.5, tiltY: -3)
        tool.sendRotation(degrees: 90)
        tool.sendSlider(position: -7)
        tool.sendWheel(degrees: 15, clicks: 1)
        tool.sendButton(serial: 7, button: 0x14B, state: .pressed)
        tool.sendFrame(time: 20)
        tool.sendUp()
        tool.sendFrame(time: 90)
        tool.sendProximityOut()
        tool.sendFrame(time: 95)
        try desk.rig.pump()
        #expect(
            desk.tools.map(\.kind) == [
                .added, .proximityIn(target: desk.window.target), .motion(Point(x: 30.5, y: 40)), .frame(time: 10),
                .down, .pressure(65_535), .distance(0), .tilt(Contact.Tilt(x: 12.5, y: -3)), .rotation(90),
                .slider(-7), .wheel(degrees: 15, clicks: 1), .button(0x14B, isPressed: true), .frame(time: 20), .up,
                .frame(time: 90), .proximityOut, .frame(time: 95),
            ])
        #expect(desk.tools.allSatisfy { $0.tool == 1 && $0.type == .eraser })
        #expect(desk.rig.phases == [.began, .ended])
        #expect(desk.rig.changes[0].contact.kind == .stylus)
        #expect(desk.rig.changes[0].contact.pressure == 1)
        #expect(desk.rig.connection.failure == nil)
    }

    @Test("A tool that is removed ends its contact as cancelled, and its object")
    func toolRemoved() throws {
        let desk = try Desk()
        let tablet = try desk.addTablet()
        let tool = try desk.addTool()
        desk.come(tool, tablet)
        tool.sendDown(serial: 6)
        tool.sendFrame(time: 20)
        tool.sendRemoved()
        try desk.rig.pump()
        #expect(desk.rig.phases == [.began, .cancelled])
        #expect(desk.tools.last?.kind == .removed)
        #expect(!tool.isAlive)
        // Its number is not used for another.
        _ = try desk.addTool()
        try desk.rig.pump()
        #expect(desk.tools.last?.tool == 2)
    }

    @Test("A tablet that is pulled out cancels the pen that it saw, and no other")
    func tabletRemoved() throws {
        let desk = try Desk()
        let tablets = [try desk.addTablet(), try desk.addTablet()]
        let tools = [try desk.addTool(), try desk.addTool()]
        for (tool, tablet) in zip(tools, tablets) {
            desk.come(tool, tablet)
            tool.sendDown(serial: 6)
            tool.sendFrame(time: 20)
        }
        tablets[0].sendRemoved()
        try desk.rig.pump()
        #expect(desk.rig.phases == [.began, .began, .cancelled])
        #expect(desk.rig.changes.last?.contact.id == 1)
        #expect(!tablets[0].isAlive && tablets[1].isAlive && tools[0].isAlive)
        // The pen goes on with the next tablet.
        desk.come(tools[0], tablets[1])
        tools[0].sendDown(serial: 9)
        tools[0].sendFrame(time: 40)
        try desk.rig.pump()
        #expect(desk.rig.phases.last == .began)
    }

    @Test("The pen's image is a crosshair, set with the serial of each proximity_in")
    func cursor() throws {
        let desk = try Desk(hasShapes: true)
        let tablet = try desk.addTablet()
        let tool = try desk.addTool()
        try desk.rig.pump()
        #expect(desk.rig.shapesSet.isEmpty)
        desk.come(tool, tablet, serial: 71)
        try desk.rig.pump()
        #expect(desk.rig.shapesSet.map(\.serial) == [71])
        #expect(desk.rig.shapesSet.map(\.shape) == [.crosshair])
        tool.sendRemoved()
        try desk.rig.pump()
        #expect(desk.rig.shapeDevices.map(\.isAlive) == [false])
    }

    @Test("A pad and all that it announces is let go, and what comes after it still works")
    func pad() throws {
        let desk = try Desk()
        let pad = try #require(desk.tabletSeat?.sendPadAdded())
        let group = try #require(pad.sendGroup())
        let ring = try #require(group.sendRing())
        let strip = try #require(group.sendStrip())
        let dial = try #require(group.sendDial())
        group.sendDone()
        pad.sendDone()
        // Under way while the client lets the pad go.
        let tablet = try desk.addTablet()
        let tool = try desk.addTool()
        desk.come(tool, tablet)
        try desk.rig.pump()
        for object in [pad, group, ring, strip, dial] as [Resource] { #expect(!object.isAlive) }
        #expect(desk.rig.frames.map { $0.hover?.phase } == [.began])
        #expect(desk.rig.connection.failure == nil)
    }

    @Test("Removing the seat ends the pens' contacts and all their objects")
    func seatRemoved() throws {
        let desk = try Desk()
        let tablet = try desk.addTablet()
        let tools = [try desk.addTool(), try desk.addTool()]
        let pad = try #require(desk.tabletSeat?.sendPadAdded())
        desk.come(tools[0], tablet)
        tools[0].sendDown(serial: 6)
        tools[0].sendFrame(time: 20)
        desk.come(tools[1], tablet)
        try desk.rig.pump()
        #expect(desk.seat.liveContacts.count == 1)
        desk.seat.remove(arrival: desk.rig.now)
        try desk.rig.pump()
        #expect(desk.rig.phases == [.began, .cancelled])
        #expect(desk.rig.frames.last?.hover?.phase == .ended)
        #expect(desk.seat.liveContacts.isEmpty)
        for object in [tablet, tools[0], tools[1], pad, desk.tabletSeat!] as [Resource] { #expect(!object.isAlive) }
        #expect(desk.rig.connection.failure == nil)
    }

    @Test("The seat's emulated presses while a pen is down, and just after, are no taps")
    func emulation() throws {
        let desk = try Desk()
        desk.server.resource.offer(.pointer)
        let tablet = try desk.addTablet()
        let tool = try desk.addTool()
        try desk.rig.pump()
        let pointer = desk.server.pointer
        pointer.sendEnter(serial: 1, surface: desk.window.resource, surfaceX: 30, surfaceY: 40)
        pointer.sendFrame()
        desk.come(tool, tablet)
        tool.sendDown(serial: 6)
        tool.sendFrame(time: 20)
        for state in [WlPointer.ButtonState.pressed, .released] {
            pointer.sendButton(serial: 2, time: 21, button: 0x110, state: state)
            pointer.sendFrame()
        }
        tool.sendUp()
        tool.sendFrame(time: 60)
        for state in [WlPointer.ButtonState.pressed, .released] {
            pointer.sendButton(serial: 2, time: 61, button: 0x110, state: state)
            pointer.sendFrame()
        }
        try desk.rig.pump()
        #expect(desk.rig.changes.map(\.contact.kind) == [.stylus, .stylus])
        #expect(desk.seat.diagnosis.emulatedPresses == 2)
    }

    @Test("A press that came first is taken back when the pen comes down there")
    func pressFirst() throws {
        let desk = try Desk()
        desk.server.resource.offer(.pointer)
        let tablet = try desk.addTablet()
        let tool = try desk.addTool()
        try desk.rig.pump()
        desk.come(tool, tablet)
        let pointer = desk.server.pointer
        pointer.sendEnter(serial: 1, surface: desk.window.resource, surfaceX: 30, surfaceY: 40)
        pointer.sendButton(serial: 2, time: 19, button: 0x110, state: .pressed)
        pointer.sendFrame()
        tool.sendDown(serial: 6)
        tool.sendFrame(time: 20)
        try desk.rig.pump()
        #expect(desk.rig.phases == [.began, .cancelled, .began])
        #expect(desk.rig.changes.map(\.contact.kind) == [.pointer, .pointer, .stylus])
    }
}
