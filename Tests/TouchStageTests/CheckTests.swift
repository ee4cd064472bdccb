import Testing
import TouchStage
import WaylandClient
import WaylandProtocols

/// Each check of the stage: a client that breaks the rule is caught, one that keeps it is not.
@Suite struct CheckTests {
    private func kinds(_ stage: Stage) -> [Violation.Kind] { stage.violations.map(\.kind) }

    // MARK: Buffers

    @Test func attachingAHeldBufferIsCaught() throws {
        let stage = try Stage()
        let client = try TestClient(stage)
        let buffer = client.buffer(20, 10)
        let window = try TestWindow(client, showing: buffer)
        #expect(stage.violations.isEmpty)
        window.show(buffer)
        try client.pump()
        #expect(kinds(stage) == [.heldBufferAttached])
    }

    @Test func aBufferIsFreeAfterItsRelease() throws {
        let stage = try Stage()
        let client = try TestClient(stage)
        let buffers = [client.buffer(20, 10), client.buffer(20, 10)]
        let window = try TestWindow(client, showing: buffers[0])
        window.show(buffers[1])
        try client.pump()
        #expect(buffers.map(\.releases) == [1, 0])
        buffers[0][3, 3] = 0xFF00_0000
        window.show(buffers[0])
        try client.pump()
        #expect(buffers.map(\.releases) == [1, 1])
        #expect(stage.violations.isEmpty)
    }

    @Test func writingIntoAHeldBufferIsCaughtAtWhicheverEnd() throws {
        for end in 0..<4 {
            var options = Stage.Options()
            options.releases = .manual
            let stage = try Stage(options)
            let client = try TestClient(stage)
            let buffer = client.buffer(20, 10)
            let window = try TestWindow(client, showing: buffer)
            buffer[7, 2] = 0xFF12_3456
            switch end {
            case 0: stage.releaseBuffers(includingShown: true)
            case 1: window.show(client.buffer(20, 10))
            case 2: stage.fireFrameCallbacks()
            default: _ = stage.screenshot()
            }
            try client.pump()
            #expect(kinds(stage) == [.heldBufferWritten], "not caught at end \(end)")
            #expect(stage.violations.first?.text.contains("1x1 px at (7, 2)") == true)
        }
    }

    @Test func writingAfterTheReleaseIsFine() throws {
        var options = Stage.Options()
        options.releases = .atOnce
        let stage = try Stage(options)
        let client = try TestClient(stage)
        let buffer = client.buffer(20, 10)
        let window = try TestWindow(client, showing: buffer)
        #expect(buffer.releases == 1)
        buffer[7, 2] = 0xFF12_3456
        window.show(buffer)
        try client.pump()
        #expect(buffer.releases == 2)
        #expect(stage.violations.isEmpty)
        #expect(stage.screenshot()[7, 2] == 0xFF12_3456)
    }

    @Test func aDestroyedBufferIsStillWatchedWhileItIsShown() throws {
        let stage = try Stage()
        let client = try TestClient(stage)
        let buffer = client.buffer(20, 10)
        let window = try TestWindow(client, showing: buffer)
        buffer.object.destroy()
        try client.pump()
        #expect(stage.violations.isEmpty)
        buffer[0, 0] = 0
        window.show(client.buffer(20, 10))
        try client.pump()
        #expect(kinds(stage) == [.heldBufferWritten])
        #expect(stage.buffers.count == 1)
    }

    // MARK: Damage

    @Test func pixelsThatChangeOutsideOfTheDamageAreCaught() throws {
        let stage = try Stage()
        let client = try TestClient(stage)
        let window = try TestWindow(client, showing: client.buffer(20, 10))
        let next = client.buffer(20, 10)
        next[5, 5] = 0xFF00_0000
        next[12, 7] = 0xFF00_0000
        window.surface.attach(buffer: next.object, x: 0, y: 0)
        window.surface.damageBuffer(x: 4, y: 4, width: 3, height: 3)
        window.surface.commit()
        try client.pump()
        #expect(kinds(stage) == [.undamagedChange])
        #expect(stage.violations.first?.text.contains("1x1 buffer px at (12, 7)") == true)
    }

    @Test func damageThatCoversTheChangeIsEnough() throws {
        let stage = try Stage()
        let client = try TestClient(stage)
        let window = try TestWindow(client, showing: client.buffer(20, 10))
        let next = client.buffer(20, 10)
        next[5, 5] = 0xFF00_0000
        next[12, 7] = 0xFF00_0000
        window.surface.attach(buffer: next.object, x: 0, y: 0)
        window.surface.damageBuffer(x: 5, y: 5, width: 1, height: 1)
        window.surface.damage(x: 12, y: 7, width: .max, height: .max)
        window.surface.commit()
        try client.pump()
        #expect(stage.violations.isEmpty)
        #expect(stage.window?.surface.damage.count == 2)
    }

    @Test func firstContentWithoutAnyDamageIsCaught() throws {
        let stage = try Stage()
        let client = try TestClient(stage)
        let window = try TestWindow(client)
        window.surface.commit()
        try client.pump()
        let buffer = client.buffer(20, 10)
        window.surface.attach(buffer: buffer.object, x: 0, y: 0)
        window.surface.commit()
        try client.pump()
        #expect(kinds(stage) == [.undamagedChange])
    }

    @Test func surfaceDamageIsTurnedAndScaledIntoTheBuffer() throws {
        // A 30x20 surface at scale 2, turned by 90 degrees: a buffer of 40x60. The surface's pixel (3, 1) is the buffer's
        // square at (2, 52): x is twice the surface's y, y is counted from the surface's right edge.
        for isCovered in [true, false] {
            let stage = try Stage()
            let client = try TestClient(stage)
            let window = try TestWindow(client)
            window.surface.commit()
            try client.pump()
            window.surface.setBufferScale(scale: 2)
            window.surface.setBufferTransform(transform: ._90)
            window.show(client.buffer(40, 60))
            let next = client.buffer(40, 60)
            next[2, 52] = 0xFF00_0000
            next[3, 53] = 0xFF00_0000
            window.surface.attach(buffer: next.object, x: 0, y: 0)
            window.surface.damage(x: isCovered ? 3 : 4, y: 1, width: 1, height: 1)
            window.surface.commit()
            try client.pump()
            #expect(kinds(stage) == (isCovered ? [] : [.undamagedChange]))
        }
    }

    // MARK: Configures

    @Test func aBufferBeforeTheFirstConfigureEndsTheClient() throws {
        for commitsFirst in [false, true] {
            let stage = try Stage()
            let client = try TestClient(stage)
            let window = try TestWindow(client)
            window.acknowledges = false
            if commitsFirst {
                window.surface.commit()
                try client.pump()
                #expect(window.serials.count == 1)
            }
            window.show(client.buffer(20, 10))
            #expect(throws: ConnectionError.self) { try client.pump() }
            #expect(kinds(stage) == [.bufferBeforeConfigure])
            guard case .protocolError(let error) = client.connection.failure else {
                Issue.record("no protocol error but \(String(describing: client.connection.failure))")
                return
            }
            #expect(error.interface == "xdg_surface" && error.code == XdgSurface.Error.unconfiguredBuffer.rawValue)
        }
    }

    @Test func offendersMayLiveOnForTheTestsSake() throws {
        var options = Stage.Options()
        options.endsOffenders = false
        let stage = try Stage(options)
        let client = try TestClient(stage)
        let window = try TestWindow(client)
        window.show(client.buffer(20, 10))
        try client.pump()
        #expect(kinds(stage) == [.bufferBeforeConfigure])
        #expect(client.connection.failure == nil)
    }

    @Test func acknowledgingAnUnknownConfigureIsCaught() throws {
        let stage = try Stage()
        let client = try TestClient(stage)
        let window = try TestWindow(client, showing: client.buffer(20, 10))
        window.xdgSurface.ackConfigure(serial: 123_456)
        #expect(throws: ConnectionError.self) { try client.pump() }
        #expect(kinds(stage) == [.unknownConfigureSerial])
    }

    @Test func acknowledgingAnOlderConfigureAfterANewerIsCaught() throws {
        let stage = try Stage()
        let client = try TestClient(stage)
        let window = try TestWindow(client, showing: client.buffer(20, 10))
        window.acknowledges = false
        let older = try #require(stage.window).configure(width: 30, height: 30)
        let newer = try #require(stage.window).configure(width: 40, height: 40)
        try client.pump()
        window.xdgSurface.ackConfigure(serial: newer)
        try client.pump()
        #expect(stage.violations.isEmpty)
        #expect(stage.window?.configures.current?.width == 40)
        window.xdgSurface.ackConfigure(serial: older)
        #expect(throws: ConnectionError.self) { try client.pump() }
        #expect(kinds(stage) == [.staleConfigureSerial])
    }

    @Test func skippingOlderConfiguresIsFine() throws {
        let stage = try Stage()
        let client = try TestClient(stage)
        let window = try TestWindow(client, showing: client.buffer(20, 10))
        window.acknowledges = false
        try #require(stage.window).configure(width: 30, height: 30)
        let newer = try #require(stage.window).configure(width: 40, height: 40)
        try client.pump()
        window.xdgSurface.ackConfigure(serial: newer)
        window.show(client.buffer(40, 40))
        try client.pump()
        #expect(stage.violations.isEmpty)
    }

    @Test func aMaximisedWindowOfAnotherSizeIsCaught() throws {
        for size: Int32 in [40, 39] {
            let stage = try Stage()
            let client = try TestClient(stage)
            let window = try TestWindow(client, showing: client.buffer(20, 10))
            try #require(stage.window).configure(width: 40, height: 40, states: [.maximized])
            try client.pump()
            window.show(client.buffer(size, size))
            try client.pump()
            #expect(kinds(stage) == (size == 40 ? [] : [.configuredSizeIgnored]))
        }
    }

    @Test func aDelayedConfigureComesWhenTheTestSaysSo() throws {
        var options = Stage.Options()
        options.configures = .manual
        let stage = try Stage(options)
        let client = try TestClient(stage)
        let window = try TestWindow(client)
        window.surface.commit()
        try client.pump()
        #expect(window.serials.isEmpty)
        try #require(stage.window).configure(width: 50, height: 40, states: [.activated])
        try client.pump()
        #expect(window.configures.last?.width == 50 && window.configures.last?.states == [4])
        window.show(client.buffer(50, 40))
        try client.pump()
        #expect(stage.violations.isEmpty && stage.window?.isMapped == true)
    }

    // MARK: Objects

    @Test func requestsOnDestroyedObjectsAreCaught() throws {
        let stage = try Stage()
        let client = try TestClient(stage)
        // The client's runtime refuses to use a destroyed object, so this one is spelled by hand: a commit for an id that
        // was never made.
        let descriptor = client.connection.fileDescriptor
        let message: [UInt32] = [4000, 8 << 16 | 6]
        let sent = message.withUnsafeBytes { rawWrite(descriptor, $0) }
        #expect(sent == 8)
        #expect(throws: ConnectionError.self) { try client.pump() }
        #expect(kinds(stage) == [.brokenRequest])
        #expect(stage.violations.first?.text.contains("invalid object 4000") == true)
    }

    @Test func objectsLeftAtTheEndAreCounted() throws {
        let stage = try Stage()
        let client = try TestClient(stage)
        let surfaces = (0..<3).map { _ in client.compositor.createSurface() }
        let region = client.compositor.createRegion()
        try client.pump()
        #expect(stage.liveResources("wl_surface").count == 3)
        surfaces[0].destroy()
        region.destroy()
        try client.pump()
        #expect(stage.liveResourceCounts["wl_surface"] == 2 && stage.liveResourceCounts["wl_region"] == nil)
        client.connection.disconnect()
        stage.turn()
        #expect(stage.endedClients.count == 1)
        #expect(stage.endedClients.first?.leftBehind["wl_surface"] == 2)
    }

    @Test func aTouchObjectOfASeatThatNeverHadOneIsCaught() throws {
        for hasTouch in [true, false] {
            var options = Stage.Options()
            options.seats = [Stage.SeatOptions(capabilities: hasTouch ? [.touch] : [.pointer])]
            let stage = try Stage(options)
            let client = try TestClient(stage)
            let seat = try client.bind(WlSeat.self)
            _ = seat.getTouch()
            if hasTouch {
                try client.pump()
            } else {
                #expect(throws: ConnectionError.self) { try client.pump() }
            }
            #expect(kinds(stage) == (hasTouch ? [] : [.missingCapability]))
        }
    }

    @Test func aTouchObjectAskedForAfterTheLossIsARaceAndStaysMute() throws {
        let stage = try Stage()
        let client = try TestClient(stage)
        let window = try TestWindow(client, showing: client.buffer(20, 10))
        let seat = try client.bind(WlSeat.self)
        try client.pump()
        stage.seat.capabilities = [.pointer]
        let touch = seat.getTouch()
        try client.pump()
        var events = 0
        touch.onEvent = { _ in events += 1 }
        stage.seat.capabilities = [.pointer, .touch]
        try client.pump()
        stage.seat.touch.down(0, x: 5, y: 5)
        try client.pump()
        #expect(stage.violations.isEmpty && events == 0)
        _ = window
    }

    // MARK: Rules of the protocol

    @Test func otherRulesAreNamed() throws {
        let rules: [(String, (TestClient) throws -> Void)] = [
            ("scale 0", { $0.compositor.createSurface().setBufferScale(scale: 0) }),
            ("transform 8", { $0.compositor.createSurface().setBufferTransform(transform: .init(rawValue: 8)) }),
            ("offset", { $0.compositor.createSurface().attach(buffer: nil, x: 1, y: 0) }),
            (
                "odd size at scale 2",
                {
                    let surface = $0.compositor.createSurface()
                    surface.setBufferScale(scale: 2)
                    surface.attach(buffer: $0.buffer(21, 10).object, x: 0, y: 0)
                    surface.damage(x: 0, y: 0, width: 100, height: 100)
                    surface.commit()
                }
            ),
            (
                "two viewports",
                {
                    let surface = $0.compositor.createSurface()
                    let viewporter = try $0.bind(WpViewporter.self)
                    _ = viewporter.getViewport(surface: surface)
                    _ = viewporter.getViewport(surface: surface)
                }
            ),
            (
                "empty destination",
                {
                    let surface = $0.compositor.createSurface()
                    try $0.bind(WpViewporter.self).getViewport(surface: surface).setDestination(width: 0, height: 5)
                }
            ),
            (
                "source outside of the buffer",
                {
                    let surface = $0.compositor.createSurface()
                    let viewport = try $0.bind(WpViewporter.self).getViewport(surface: surface)
                    viewport.setSource(x: 10, y: 0, width: 11, height: 10)
                    surface.attach(buffer: $0.buffer(20, 10).object, x: 0, y: 0)
                    surface.damage(x: 0, y: 0, width: 100, height: 100)
                    surface.commit()
                }
            ),
            (
                "surface destroyed before its window",
                {
                    let surface = $0.compositor.createSurface()
                    let xdgSurface = $0.windowManager!.getXdgSurface(surface: surface)
                    _ = xdgSurface.getToplevel()
                    surface.destroy()
                }
            ),
            (
                "layer surface without a size",
                {
                    let surface = $0.compositor.createSurface()
                    let shell = try $0.bind(ZwlrLayerShellV1.self)
                    _ = shell.getLayerSurface(surface: surface, output: nil, layer: .overlay, namespace: "")
                    surface.commit()
                }
            ),
            ("unknown format", { _ = TestBuffer($0.shm, 4, 4, 0, format: .rgb565) }),
        ]
        for (name, crime) in rules {
            let stage = try Stage()
            let client = try TestClient(stage)
            try crime(client)
            #expect(throws: ConnectionError.self, "\(name)") { try client.pump() }
            #expect(kinds(stage) == [.protocolRule], "\(name)")
            #expect(stage.postedErrors.count == 1, "\(name)")
        }
    }

    @Test func aClientThatAnswersWithoutEndIsCutShort() throws {
        let stage = try Stage()
        let client = try TestClient(stage)
        func ask() {
            client.connection.display.sync().onEvent = { _ in ask() }
        }
        ask()
        try client.pump()
        #expect(kinds(stage) == [.neverQuiet])
    }
}
