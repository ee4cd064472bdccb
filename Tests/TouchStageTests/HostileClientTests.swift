import CLibc
import CLinuxShims
import Testing
import TouchStage
import WaylandClient
import WaylandProtocols

/// No number a client can send ends the stage.
@Suite struct HostileClientTests {
    private static let extremes: [Int32] = [.min, .min + 1, -2, -1, 0, 1, 2, 7, 32768, 65536, .max - 1, .max]

    private func stage() throws -> (Stage, TestClient) {
        var options = Stage.Options()
        // The rules would end most of these clients at their first request, and nothing behind it would be reached.
        options.endsOffenders = false
        options.outputs[0].scale = 1.5
        let stage = try Stage(options)
        return (stage, try TestClient(stage))
    }

    /// Brings what was committed through all that looks at it.
    private func look(_ stage: Stage, _ client: TestClient) throws {
        try client.pump()
        _ = stage.screenshot()
        stage.seat.touch.down(1, x: 3, y: 3)
        stage.seat.touch.motion(1, x: 4, y: 4)
        stage.seat.touch.up(1)
        stage.seat.pointer.motion(x: 5, y: 5)
        stage.fireFrameCallbacks()
        try client.pump()
    }

    @Test func extremeNumbersOfSurfacesAreSurvived() throws {
        for a in Self.extremes {
            let (stage, client) = try stage()
            let window = try TestWindow(client, showing: client.buffer(16, 8))
            let viewport = try client.bind(WpViewporter.self).getViewport(surface: window.surface)
            let child = client.compositor.createSurface()
            let role = try client.bind(WlSubcompositor.self).getSubsurface(surface: child, parent: window.surface)
            for b in Self.extremes {
                let region = client.compositor.createRegion()
                region.add(x: a, y: b, width: b, height: a)
                region.subtract(x: b, y: a, width: a, height: b)
                window.surface.setInputRegion(region: region)
                window.surface.damage(x: a, y: b, width: a, height: b)
                window.surface.damageBuffer(x: b, y: a, width: b, height: a)
                window.surface.setBufferScale(scale: a)
                window.surface.setBufferTransform(transform: WlOutput.Transform(rawValue: UInt32(bitPattern: b)))
                window.xdgSurface.setWindowGeometry(x: a, y: b, width: b, height: a)
                window.toplevel.setMinSize(width: a, height: b)
                viewport.setDestination(width: a, height: b)
                viewport.setSource(x: Double(a), y: Double(b), width: Double(b), height: Double(a))
                role.setPosition(x: a, y: b)
                let buffer = client.buffer(16, 8)
                child.attach(buffer: buffer.object, x: 0, y: 0)
                child.damage(x: 0, y: 0, width: a, height: b)
                child.commit()
                window.show(client.buffer(16, 8))
                try look(stage, client)
                _ = stage.window?.surface.inputRegion?.isEmpty
            }
        }
    }

    @Test func extremeNumbersOfLayersAreSurvived() throws {
        for a in Self.extremes {
            let (stage, client) = try stage()
            let shell = try client.bind(ZwlrLayerShellV1.self)
            let surface = client.compositor.createSurface()
            let layer = shell.getLayerSurface(surface: surface, output: nil, layer: .top, namespace: "")
            for b in Self.extremes {
                layer.setSize(width: UInt32(bitPattern: a), height: UInt32(bitPattern: b))
                layer.setAnchor(anchor: ZwlrLayerSurfaceV1.Anchor(rawValue: UInt32(bitPattern: b)))
                layer.setAnchor(anchor: ZwlrLayerSurfaceV1.Anchor(rawValue: UInt32(bitPattern: b) & 15))
                layer.setMargin(top: a, right: b, bottom: b, left: a)
                layer.setExclusiveZone(zone: a)
                layer.ackConfigure(serial: UInt32(bitPattern: b))
                let buffer = client.buffer(8, 8)
                surface.attach(buffer: buffer.object, x: 0, y: 0)
                surface.commit()
                try look(stage, client)
                stage.layers.first?.configureAsAsked()
            }
        }
    }

    @Test func extremeNumbersOfMemoryAreSurvived() throws {
        let (stage, client) = try stage()
        let file = fw_memfd("hostile")
        ftruncate(file, 200_000)
        defer { close(file) }
        for a in Self.extremes {
            let pool = client.shm.createPool(fd: file, size: a)
            try client.pump()
            pool.resize(size: a)
            let good = client.shm.createPool(fd: file, size: 200_000)
            for b in Self.extremes {
                for format in [WlShm.Format.argb8888, .xrgb8888, .nv12] {
                    for (offset, width, height, stride) in [
                        (0, a, b, a), (b, a, 1, b), (a, 1, b, 4), (0, 40000, 1, 160_000),
                    ] {
                        let buffer = good.createBuffer(
                            offset: Int32(offset), width: width, height: height, stride: Int32(stride), format: format)
                        let surface = client.compositor.createSurface()
                        surface.attach(buffer: buffer, x: 0, y: 0)
                        surface.damage(x: 0, y: 0, width: 1, height: 1)
                        surface.commit()
                        surface.destroy()
                        buffer.destroy()
                    }
                    try client.pump()
                }
            }
            good.destroy()
        }
        _ = stage.screenshot()
        #expect(client.connection.failure == nil)
    }

    @Test func aFileThatShrinksUnderTheStageIsSurvived() throws {
        let (stage, client) = try stage()
        let file = fw_memfd("shrinks")
        defer { close(file) }
        ftruncate(file, 4096)
        let pool = client.shm.createPool(fd: file, size: 4096)
        let buffer = pool.createBuffer(offset: 0, width: 32, height: 32, stride: 128, format: .argb8888)
        let window = try TestWindow(client)
        window.surface.commit()
        try client.pump()
        window.surface.attach(buffer: buffer, x: 0, y: 0)
        window.surface.damage(x: 0, y: 0, width: 32, height: 32)
        window.surface.commit()
        try client.pump()
        ftruncate(file, 0)
        try look(stage, client)
        #expect(stage.window?.isMapped == true)
        #expect(client.connection.failure == nil)
    }

    @Test func descriptorsThatAreNoMemoryAreRefused() throws {
        for name in ["/proc", "/dev/null"] {
            let stage = try Stage()
            let client = try TestClient(stage)
            let file = name == "/proc" ? dirfd(opendir(name)) : fileno(fopen(name, "r+"))
            defer { close(file) }
            _ = client.shm.createPool(fd: file, size: 64)
            #expect(throws: ConnectionError.self) { try client.pump() }
            #expect(stage.violations.map(\.kind) == [.protocolRule])
        }
    }
}
