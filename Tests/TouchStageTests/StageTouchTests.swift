import Testing
import TouchStage
import WaylandClient
import WaylandProtocols

/// The touch screen of the stage, as a client sees it.
@Suite struct StageTouchTests {
    /// Everything that a wl_touch was told, as text.
    private final class Log {
        var lines: [String] = []
        let touch: WlTouch

        init(_ touch: WlTouch) {
            self.touch = touch
            touch.onEvent = { [unowned self] event in
                switch event {
                case .down(_, let time, let surface, let id, let x, let y):
                    lines.append("down \(id) \(x) \(y) t\(time) s\(surface?.objectID ?? 0)")
                case .up(_, let time, let id): lines.append("up \(id) t\(time)")
                case .motion(let time, let id, let x, let y): lines.append("motion \(id) \(x) \(y) t\(time)")
                case .frame: lines.append("frame")
                case .cancel: lines.append("cancel")
                case .shape(let id, let major, let minor): lines.append("shape \(id) \(major) \(minor)")
                case .orientation(let id, let degrees): lines.append("orientation \(id) \(degrees)")
                }
            }
        }

        func take() -> [String] {
            defer { lines = [] }
            return lines
        }
    }

    private func stage(seat version: UInt32 = 10) throws -> (Stage, TestClient, TestWindow, Log) {
        var options = Stage.Options()
        options.seats = [Stage.SeatOptions(version: version, capabilities: [.touch])]
        let stage = try Stage(options)
        let client = try TestClient(stage)
        let window = try TestWindow(client, showing: client.buffer(100, 100))
        let log = Log(try client.bind(WlSeat.self).getTouch())
        try client.pump()
        return (stage, client, window, log)
    }

    @Test func allEventsArriveInOrderAndInSurfacePixels() throws {
        let (stage, client, window, log) = try stage()
        try #require(stage.window).position = (10, 20)
        let touch = stage.seat.touch
        #expect(touch.down(-3, x: 15.5, y: 30, time: 7) === stage.window?.surface)
        touch.shape(-3, major: 9, minor: 4.5)
        touch.orientation(-3, degrees: -45)
        touch.frame()
        touch.motion(-3, x: 5, y: 300, time: 8)
        touch.frame()
        touch.up(-3, time: 9)
        touch.frame()
        touch.down(4, x: 1, y: 2, time: 10, on: stage.window?.surface)
        touch.motion(4, x: 2, y: 3, time: 11)
        touch.cancel()
        try client.pump()
        let id = window.surface.objectID
        #expect(
            log.take() == [
                "down -3 5.5 10.0 t7 s\(id)", "shape -3 9.0 4.5", "orientation -3 -45.0", "frame",
                "motion -3 -5.0 280.0 t8", "frame", "up -3 t9", "frame", "down 4 1.0 2.0 t10 s\(id)",
                "motion 4 2.0 3.0 t11", "cancel",
            ])
        #expect(touch.contacts.isEmpty)
    }

    @Test func everyVersionGetsWhatItKnows() throws {
        for version: UInt32 in 1...10 {
            let (stage, client, window, log) = try stage(seat: version)
            #expect(log.touch.version == version)
            stage.seat.touch.down(0, x: 1, y: 1)
            stage.seat.touch.shape(0, major: 3, minor: 2)
            stage.seat.touch.orientation(0, degrees: 10)
            stage.seat.touch.up(0)
            stage.seat.touch.frame()
            try client.pump()
            #expect(log.take().count == (version >= 6 ? 5 : 3))
            #expect(client.connection.failure == nil)
            _ = window
        }
    }

    @Test func aTouchBesideEverySurfaceIsNotSent() throws {
        let (stage, client, window, log) = try stage()
        let touch = stage.seat.touch
        // Nor is anything of it until it comes down anew, wherever it goes.
        for end in [{ touch.up(0) }, { touch.cancel() }] {
            #expect(touch.down(0, x: 150, y: 1) == nil)
            #expect(touch.contactsOnNothing == [0] && touch.contacts.isEmpty)
            touch.shape(0, major: 3, minor: 2)
            touch.orientation(0, degrees: 10)
            touch.frame()
            touch.motion(0, x: 50, y: 50)
            touch.frame()
            end()
            #expect(touch.contactsOnNothing.isEmpty)
        }
        touch.frame()
        try client.pump()
        #expect(log.take() == ["frame"], "the one that ends nothing is sent as it was called for")
        touch.down(0, x: 150, y: 1)
        touch.down(1, x: 10, y: 10, time: 1)
        touch.motion(0, x: 20, y: 20)
        touch.frame()
        touch.up(0)
        touch.frame()
        touch.cancel()
        try client.pump()
        #expect(log.take() == ["down 1 10.0 10.0 t1 s\(window.surface.objectID)", "frame", "cancel"])
    }

    @Test func theInputRegionLetsTouchesThrough() throws {
        let (stage, client, window, log) = try stage()
        let region = client.compositor.createRegion()
        region.add(x: 0, y: 0, width: 50, height: 50)
        region.subtract(x: 10, y: 10, width: 10, height: 10)
        window.surface.setInputRegion(region: region)
        window.surface.commit()
        try client.pump()
        let touch = stage.seat.touch
        #expect(touch.down(0, x: 5, y: 5) != nil)
        #expect(touch.down(1, x: 15, y: 15) == nil)
        #expect(touch.down(2, x: 60, y: 60) == nil)
        let empty = client.compositor.createRegion()
        window.surface.setInputRegion(region: empty)
        window.surface.commit()
        try client.pump()
        #expect(touch.down(3, x: 5, y: 5) == nil)
        #expect(stage.window?.surface.inputRegion?.isEmpty == true)
        #expect(log.take().count == 1)
    }

    @Test func theFaultsOfCompositorsCanBeActed() throws {
        let (stage, client, window, log) = try stage()
        let touch = stage.seat.touch
        touch.motion(5, x: 1, y: 2, time: 1)
        touch.up(6, time: 2)
        touch.frame()
        touch.frame()
        touch.cancel()
        touch.cancel()
        touch.down(0, x: 1, y: 1, time: 3)
        touch.down(0, x: 2, y: 2, time: 4)
        try client.pump()
        let id = window.surface.objectID
        #expect(
            log.take() == [
                "motion 5 1.0 2.0 t1", "up 6 t2", "frame", "frame", "cancel", "cancel", "down 0 1.0 1.0 t3 s\(id)",
                "down 0 2.0 2.0 t4 s\(id)",
            ])
    }

    @Test func aLostCapabilityLeavesTheFingerUnheardOf() throws {
        let (stage, client, window, log) = try stage()
        let seat = try client.bind(WlSeat.self)
        var capabilities: [WlSeat.Capability] = []
        seat.onEvent = { if case .capabilities(let now) = $0 { capabilities.append(now) } }
        try client.pump()
        let touch = stage.seat.touch
        touch.down(0, x: 1, y: 1)
        stage.seat.capabilities = []
        touch.up(0)
        stage.seat.sendCapabilities()
        stage.seat.capabilities = [.touch]
        touch.down(1, x: 1, y: 1)
        try client.pump()
        #expect(capabilities == [[.touch], [], [], [.touch]])
        #expect(log.take().count == 1)
        let second = Log(seat.getTouch())
        try client.pump()
        touch.down(2, x: 1, y: 1)
        try client.pump()
        #expect(log.take().isEmpty && second.take().count == 1)
        #expect(stage.seat.touch.objects.count == 2)
        _ = window
    }

    @Test func aDestroyedSurfaceEndsWhatIsSentForItsFingers() throws {
        let (stage, client, window, log) = try stage()
        var current: TestWindow? = window
        _ = consume window
        stage.seat.touch.down(0, x: 1, y: 1)
        try client.pump()
        current = nil
        try client.pump()
        stage.seat.touch.motion(0, x: 2, y: 2)
        stage.seat.touch.frame()
        stage.seat.touch.up(0)
        stage.seat.touch.frame()
        try client.pump()
        // The frame that ends the first event, and no other.
        #expect(log.take().count == 2)
        #expect(current == nil && stage.surfaces.isEmpty)
    }

    @Test func twoSeatsAndTwoClientsAreKeptApart() throws {
        let stage = try Stage()
        let second = stage.addSeat(Stage.SeatOptions(name: "seat1", capabilities: [.touch]))
        let clients = [try TestClient(stage), try TestClient(stage)]
        var windows: [TestWindow] = []
        var logs: [[Log]] = []
        for client in clients {
            windows.append(try TestWindow(client, showing: client.buffer(50, 50)))
            let seats = client.globals.all.filter { $0.interface == "wl_seat" }
            #expect(seats.count == 2)
            logs.append(
                seats.compactMap { client.globals.bind($0, WlSeat.self, versions: 1...10) }.map { Log($0.getTouch()) })
            try client.pump()
        }
        stage.windows[0].position = (0, 0)
        stage.windows[1].position = (100, 0)
        stage.seat.touch.down(0, x: 1, y: 1)
        second.touch.down(0, x: 101, y: 1)
        second.touch.frame()
        for client in clients { try client.pump() }
        #expect(logs.map { $0.map { $0.take().count } } == [[1, 0], [0, 2]])
        stage.removeSeat(second)
        for client in clients { try client.pump() }
        #expect(clients[0].globals.all.filter { $0.interface == "wl_seat" }.count == 1)
        _ = windows
    }
}
