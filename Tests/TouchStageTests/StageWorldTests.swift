import Testing
import TouchStage
import WaylandClient
import WaylandProtocols

/// Globals, outputs, frames, windows and faults.
@Suite struct StageWorldTests {
    @Test func globalsComeInTheVersionsAskedForOrNotAtAll() throws {
        var options = Stage.Options()
        options.globals[.compositor] = 4
        options.globals[.viewporter] = nil
        options.seats = []
        options.outputs = []
        let stage = try Stage(options)
        let client = try TestClient(stage)
        let offered = Dictionary(uniqueKeysWithValues: client.globals.all.map { ($0.interface, $0.version) })
        #expect(offered["wl_compositor"] == 4 && offered["wl_seat"] == nil && offered["wl_output"] == nil)
        for global in StageGlobal.allCases where global != .compositor {
            #expect(offered[global.rawValue] == (global == .viewporter ? nil : global.newestVersion))
        }
        #expect(stage.offer(.viewporter, version: 1) && !stage.offer(.viewporter, version: 1))
        stage.withdraw(.shm)
        try client.pump()
        #expect(client.globals.find(WpViewporter.self) != nil && client.globals.find(WlShm.self) == nil)
    }

    @Test func outputsTellTheirStateAndItsChanges() throws {
        var options = Stage.Options()
        options.outputs = [StageOutput.State(name: "A", width: 300, height: 200, scale: 1.5, transform: ._270)]
        options.outputs[0].physicalWidth = 150
        let stage = try Stage(options)
        let client = try TestClient(stage)
        let output = try client.bind(WlOutput.self)
        let description = try client.bind(ZxdgOutputManagerV1.self).getXdgOutput(output: output)
        var lines: [String] = []
        output.onEvent = { event in
            switch event {
            case .geometry(_, _, let width, _, _, _, _, let transform):
                lines.append("geometry \(width)mm \(transform.rawValue)")
            case .mode(_, let width, let height, let refresh): lines.append("mode \(width)x\(height) \(refresh)")
            case .scale(let factor): lines.append("scale \(factor)")
            case .name(let name): lines.append("name \(name)")
            case .done: lines.append("done")
            case .description: break
            }
        }
        description.onEvent = {
            if case .logicalSize(let width, let height) = $0 { lines.append("logical \(width)x\(height)") }
        }
        try client.pump()
        #expect(
            lines.sorted()
                == ["done", "done", "geometry 150mm 3", "logical 133x200", "mode 300x200 60000", "name A", "scale 2"])
        lines = []
        stage.output.state.scale = 1
        try client.pump()
        #expect(lines.contains("scale 1") && lines.contains("logical 200x300") && lines.last == "done")
    }

    @Test func outputsOfOlderVersionsSayLess() throws {
        for (version, count) in [(1, 2), (2, 4), (3, 4), (4, 6)] as [(UInt32, Int)] {
            var options = Stage.Options()
            options.outputVersion = version
            let stage = try Stage(options)
            let client = try TestClient(stage)
            let output = try client.bind(WlOutput.self)
            var events = 0
            output.onEvent = { _ in events += 1 }
            try client.pump()
            #expect(output.version == version && events == count)
        }
    }

    @Test func surfacesLearnTheirOutputsAndScales() throws {
        var options = Stage.Options()
        options.outputs = [
            StageOutput.State(name: "A", width: 100, height: 100),
            StageOutput.State(name: "B", width: 200, height: 200, scale: 1.5, transform: ._90, x: 100),
        ]
        let stage = try Stage(options)
        let client = try TestClient(stage)
        let outputs = client.globals.all.filter { $0.interface == "wl_output" }
            .compactMap { client.globals.bind($0, WlOutput.self, versions: 1...4) }
        let window = try TestWindow(client)
        var lines: [String] = []
        window.surface.onEvent = { event in
            switch event {
            case .enter(let output): lines.append("enter \(output === outputs[0] ? "A" : "B")")
            case .leave(let output): lines.append("leave \(output === outputs[0] ? "A" : "B")")
            case .preferredBufferScale(let factor): lines.append("scale \(factor)")
            case .preferredBufferTransform(let transform): lines.append("transform \(transform.rawValue)")
            }
        }
        let fractional = try client.bind(WpFractionalScaleManagerV1.self).getFractionalScale(surface: window.surface)
        fractional.onEvent = { if case .preferredScale(let scale) = $0 { lines.append("fraction \(scale)") } }
        window.surface.commit()
        try client.pump()
        window.show(client.buffer(50, 50))
        try client.pump()
        #expect(lines == ["fraction 120", "enter A", "fraction 120", "scale 1", "transform 0"])
        lines = []
        try #require(stage.window).position = (90, 0)
        window.surface.commit()
        try client.pump()
        #expect(lines == ["enter B", "fraction 180", "scale 2", "transform 1"])
        lines = []
        stage.removeOutput(stage.outputs[1])
        try client.pump()
        #expect(lines.first == "leave B")
        #expect(client.globals.all.filter { $0.interface == "wl_output" }.count == 1)
    }

    @Test func frameCallbacksAndFeedbackWaitForTheTest() throws {
        let stage = try Stage()
        let client = try TestClient(stage)
        let window = try TestWindow(client, showing: client.buffer(10, 10))
        let presentation = try client.bind(WpPresentation.self)
        var lines: [String] = []
        func ask(_ name: String) {
            window.surface.frame().onEvent = { if case .done(let time) = $0 { lines.append("\(name) \(time)") } }
            presentation.feedback(surface: window.surface).onEvent = { event in
                switch event {
                case .presented(_, let seconds, let nanoseconds, let refresh, _, _, _):
                    lines.append("\(name) shown \(seconds).\(nanoseconds) \(refresh)")
                case .discarded: lines.append("\(name) discarded")
                default: break
                }
            }
        }
        ask("a")
        try client.pump()
        #expect(stage.fireFrameCallbacks() == 0, "answered before the commit")
        window.show(client.buffer(10, 10))
        ask("b")
        window.show(client.buffer(10, 10))
        try client.pump()
        #expect(lines == ["a discarded"])
        lines = []
        stage.advance(milliseconds: 500)
        stage.window?.surface.isHidden = true
        #expect(stage.fireFrameCallbacks() == 0)
        stage.window?.surface.isHidden = false
        #expect(stage.fireFrameCallbacks(time: 77) == 2)
        try client.pump()
        #expect(lines == ["a 77", "b 77", "b shown 1.500000000 16666666"])
        #expect(stage.liveResources("wl_callback").isEmpty)
    }

    @Test func automaticFramesFollowTheClock() throws {
        var options = Stage.Options()
        options.frames = .automatic(hertz: 100)
        let stage = try Stage(options)
        let client = try TestClient(stage)
        let window = try TestWindow(client, showing: client.buffer(10, 10))
        var times: [UInt32] = []
        func draw() {
            window.surface.frame().onEvent = { event in
                if case .done(let time) = event { times.append(time) }
                draw()
            }
            window.surface.commit()
        }
        draw()
        for _ in 0..<10 {
            try client.pump()
            stage.advance(milliseconds: 4)
        }
        try client.pump()
        #expect(times == [1010, 1020, 1030, 1040])
        #expect(stage.nextFrame == 1_050_000_000)
    }

    @Test func windowsAskAndAreAnswered() throws {
        var options = Stage.Options()
        options.outputs = [StageOutput.State(width: 300, height: 200)]
        options.windowSize = (120, 90)
        let stage = try Stage(options)
        let client = try TestClient(stage)
        let window = try TestWindow(client)
        let decoration = try client.bind(ZxdgDecorationManagerV1.self).getToplevelDecoration(toplevel: window.toplevel)
        var modes: [ZxdgToplevelDecorationV1.Mode] = []
        decoration.onEvent = { if case .configure(let mode) = $0 { modes.append(mode) } }
        window.toplevel.setTitle(title: "Title")
        window.toplevel.setAppId(appId: "app")
        window.toplevel.setMinSize(width: 10, height: 20)
        window.surface.commit()
        try client.pump()
        #expect(modes == [.serverSide])
        #expect(window.configures.last?.width == 120 && window.configures.last?.states == [4])
        window.show(client.buffer(120, 90))
        window.toplevel.setFullscreen(output: nil)
        try client.pump()
        #expect(window.configures.last?.width == 300 && window.configures.last?.states == [2, 4])
        window.toplevel.unsetFullscreen()
        window.toplevel.setMaximized()
        window.toplevel.setMinimized()
        try client.pump()
        #expect(window.configures.last?.height == 200 && window.configures.last?.states == [1, 4])
        let seen = try #require(stage.window)
        #expect(seen.title == "Title" && seen.appID == "app" && seen.minimumSize == (10, 20))
        #expect(seen.minimizeRequests == 1 && seen.wantsMaximized && !seen.wantsFullscreen)
        seen.close()
        try client.pump()
        #expect(window.isClosed)
        stage.ping()
        #expect(stage.unansweredPings.count == 1)
        try client.pump()
        #expect(stage.unansweredPings.isEmpty)
    }

    @Test func aWindowWithoutContentStartsOver() throws {
        let stage = try Stage()
        let client = try TestClient(stage)
        let window = try TestWindow(client, showing: client.buffer(10, 10))
        window.surface.attach(buffer: nil, x: 0, y: 0)
        window.surface.commit()
        try client.pump()
        #expect(stage.window?.isMapped == false && window.serials.count == 1)
        window.surface.commit()
        try client.pump()
        #expect(window.serials.count == 2)
        window.show(client.buffer(10, 10))
        try client.pump()
        #expect(stage.window?.isMapped == true && stage.violations.isEmpty)
    }

    @Test func theJournalKeepsTheOrder() throws {
        let stage = try Stage()
        let client = try TestClient(stage)
        let window = try TestWindow(client, showing: client.buffer(10, 10))
        stage.keepsJournal = true
        _ = window.surface.frame()
        window.surface.commit()
        try client.pump()
        stage.fireFrameCallbacks(time: 5)
        try client.pump()
        let id = window.surface.objectID
        #expect(
            stage.journal.map(\.description).filter { !$0.hasPrefix("wl_display") }
                == ["wl_surface#\(id).frame", "wl_surface#\(id).commit", stage.journal[2].description])
        #expect(stage.journal[2].name == "done" && !stage.journal[2].isRequest)
    }

    @Test func aKilledClientAndNonsenseEndTheConnection() throws {
        let stage = try Stage()
        let first = try TestClient(stage)
        stage.clients[0].kill()
        #expect(throws: ConnectionError.closed(errno: 0)) { try first.pump() }
        let second = try TestClient(stage)
        // An event for an object that the client never made.
        stage.clients[0].write(rawBytes: [0xE8, 3, 0, 0, 9, 0, 8, 0])
        stage.clients[0].write(rawBytes: [1, 0, 0, 0, 0xFF, 0xFF, 3, 0])
        #expect(throws: ConnectionError.self) { try second.pump() }
        #expect(stage.endedClients.count >= 1)
    }

    @Test func aStageGoesWithItsClientsStillConnected() throws {
        var stage: Stage? = try Stage()
        let connection = try #require(try stage?.connect())
        let globals = Globals(connection)
        try stage?.pump(connection)
        let compositor = try globals.require(WlCompositor.self, versions: 1...6)
        _ = compositor.createSurface()
        try stage?.pump(connection)
        weak let watched = stage
        stage = nil
        #expect(watched == nil, "the stage keeps itself alive")
        #expect(throws: ConnectionError.self) { try connection.readAndDispatch() }
        connection.disconnect()
    }

    /// Windows, layers, subsurfaces and their pixels: once the client has destroyed them, and with the stage itself.
    @Test(arguments: [true, false]) func whatHasGoneIsNotKept(byClient: Bool) throws {
        weak var surface: StageSurface?
        weak var window: StageWindow?
        weak var layer: StageLayerSurface?
        weak var child: StageSurface?
        weak var buffer: StageBuffer?
        do {
            let stage = try Stage()
            var client: TestClient? = try TestClient(stage)
            if let client {
                let pixels = client.buffer(8, 8)
                let shown = try TestWindow(client, showing: pixels)
                let other = client.compositor.createSurface()
                let third = client.compositor.createSurface()
                _ = try client.bind(WlSubcompositor.self).getSubsurface(surface: other, parent: shown.surface)
                _ = try client.bind(ZwlrLayerShellV1.self).getLayerSurface(
                    surface: third, output: nil, layer: .top, namespace: "test")
                other.commit()
                shown.surface.commit()
                try client.pump()
                window = stage.windows.first
                surface = window?.surface
                layer = stage.layers.first
                buffer = surface?.buffer
                child = surface?.stack.last
                #expect(window != nil && surface != nil && layer != nil && buffer != nil && child !== surface)
            }
            if byClient {
                client = nil
                stage.turn()
                #expect(stage.surfaces.isEmpty)
                #expect(window == nil && surface == nil && layer == nil && buffer == nil && child == nil)
            }
        }
        #expect(window == nil && surface == nil && layer == nil && buffer == nil && child == nil)
    }

    @Test func leakedDescriptorsAreFound() throws {
        let before = OpenDescriptors()
        let stage = try Stage()
        let descriptor = stage.connectClient()
        let opened = OpenDescriptors().opened(since: before)
        #expect(opened[descriptor]?.hasPrefix("socket:") == true)
        let connection = try Connection.connect(fileDescriptor: descriptor)
        connection.disconnect()
        #expect(OpenDescriptors.count(sameFileAs: -1) == 0)
    }
}
