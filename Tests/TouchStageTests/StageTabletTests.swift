import Testing
import TouchStage
import WaylandClient
import WaylandProtocols

@Suite struct StageTabletTests {
    @Test func aPenComesWritesAndGoesInTheProtocolsOrder() throws {
        let stage = try Stage()
        let client = try TestClient(stage)
        let window = try TestWindow(client, showing: client.buffer(100, 100))
        try #require(stage.window).position = (10, 0)
        var lines: [String] = []
        let tablets = try client.bind(ZwpTabletManagerV2.self).getTabletSeat(seat: try client.bind(WlSeat.self))
        tablets.onEvent = { event in
            switch event {
            case .tabletAdded(let tablet):
                tablet.onEvent = { if case .name(let name) = $0 { lines.append("tablet \(name)") } }
            case .toolAdded(let tool):
                tool.onEvent = { event in
                    switch event {
                    case .type(let type): lines.append("type \(type.rawValue)")
                    case .done: lines.append("done")
                    case .proximityIn(_, let tablet, let surface):
                        lines.append("in \(tablet != nil) \(surface === window.surface)")
                    case .motion(let x, let y): lines.append("motion \(x) \(y)")
                    case .down: lines.append("down")
                    case .up: lines.append("up")
                    case .pressure(let pressure): lines.append("pressure \(pressure)")
                    case .tilt(let x, let y): lines.append("tilt \(x) \(y)")
                    case .proximityOut: lines.append("out")
                    case .frame(let time): lines.append("frame \(time)")
                    case .removed: lines.append("removed")
                    default: break
                    }
                }
            case .padAdded: break
            }
        }
        try client.pump()
        let script = [
            "pen-in 20 30", "pen-down", "pen-pressure 1", "pen-tilt 10 -5", "pen-move 22 31", "pen-up", "pen-out",
            "pen-move 25 31", "tool 3 added eraser", "tool 3 in 20 30", "tool 3 frame",
        ]
        for line in script { #expect(stage.perform(try #require(try StageCommand.parse(line)))) }
        stage.seat.tablets.pens[0].remove()
        try client.pump()
        let frame = "frame 1000"
        #expect(
            lines == [
                "tablet Stage tablet", "type 320", "done", "in true true", "motion 10.0 30.0", frame, "down", frame,
                "pressure 65535", frame, "tilt 10.0 -5.0", frame, "motion 12.0 31.0", frame, "up", frame, "out", frame,
                "type 321", "done", "in true true", "motion 10.0 30.0", frame, "removed",
            ])
    }

    @Test func aClientThatComesLaterHearsOfTheTabletsThatAreThere() throws {
        let stage = try Stage()
        stage.seat.tablets.addTablet()
        stage.seat.tablets.addPen(.eraser)
        let client = try TestClient(stage)
        var types: [ZwpTabletToolV2.TypeValue] = []
        let tablets = try client.bind(ZwpTabletManagerV2.self).getTabletSeat(seat: try client.bind(WlSeat.self))
        tablets.onEvent = { event in
            guard case .toolAdded(let tool) = event else { return }
            tool.onEvent = { if case .type(let type) = $0 { types.append(type) } }
        }
        try client.pump()
        #expect(types == [.eraser])
    }

    /// Version 1 has no dials: what announces them is not sent.
    @Test(arguments: [1, 2] as [UInt32])
    func whatNobodyListensForIsDestroyedAndLeavesNoHole(version: UInt32) throws {
        let stage = try Stage()
        let client = try TestClient(stage)
        let manager = try client.globals.require(ZwpTabletManagerV2.self, versions: version...version)
        let tablets = manager.getTabletSeat(seat: try client.bind(WlSeat.self))
        try client.pump()
        let alive = client.connection.liveObjectCount
        // Each announces before the client has let go of the ones before.
        let pad = stage.seat.tablets.addPad()
        stage.seat.tablets.addTablet()
        stage.seat.tablets.addPen()
        let second = stage.seat.tablets.addPad()
        try client.pump()
        #expect(stage.liveResources("zwp_tablet_v2").isEmpty)
        #expect(stage.liveResources("zwp_tablet_tool_v2").isEmpty)
        // A pad and its group announce objects themselves: they live unheard, and what they announce does not.
        for pad in [pad, second] { #expect(pad.objectCount == 2) }
        #expect(client.connection.liveObjectCount == alive + 4)
        var heard = 0
        tablets.onEvent = { _ in heard += 1 }
        stage.seat.tablets.addTablet()
        try client.pump()
        #expect(heard == 1)
        #expect(client.connection.failure == nil)
    }
}
