import CLibc
import Testing
import TouchStage
import WaylandClient
import WaylandProtocols

/// Reading back what the stage shows.
@Suite struct PixelTests {
    private static let red: UInt32 = 0xFFFF_0000
    private static let blue: UInt32 = 0xFF00_00FF
    private static let black: UInt32 = 0xFF00_0000

    private func stage(
        width: Int32 = 40, height: Int32 = 30, scale: Double = 1, transform: WlOutput.Transform = .normal
    ) throws -> (Stage, TestClient) {
        var options = Stage.Options()
        options.outputs = [StageOutput.State(width: width, height: height, scale: scale, transform: transform)]
        let stage = try Stage(options)
        return (stage, try TestClient(stage))
    }

    @Test func aWindowStandsWhereItStands() throws {
        let (stage, client) = try stage()
        let window = try TestWindow(client, showing: client.buffer(10, 8, Self.red))
        try #require(stage.window).position = (5, 6)
        let picture = stage.screenshot()
        #expect(picture.width == 40 && picture.height == 30)
        for (x, y, isInside) in [(5, 6, true), (14, 13, true), (4, 6, false), (15, 13, false), (5, 5, false)] {
            #expect(picture[x, y] == (isInside ? Self.red : Self.black), "at \(x), \(y)")
        }
        window.surface.attach(buffer: nil, x: 0, y: 0)
        window.surface.commit()
        try client.pump()
        #expect(stage.screenshot() == Picture(width: 40, height: 30, fill: Self.black))
    }

    @Test func translucentPixelsAreBlendedOverWhatIsBelow() throws {
        let (stage, client) = try stage()
        let lower = try TestWindow(client, showing: client.buffer(20, 20, Self.red))
        // Half-transparent blue, premultiplied.
        let upper = try TestWindow(client, showing: client.buffer(10, 10, 0x8000_0080))
        #expect(Picture.distance(stage.screenshot()[5, 5], 0xFF7F_0080) <= 1)
        #expect(stage.screenshot()[15, 15] == Self.red)
        _ = (lower, upper)
    }

    /// A buffer of 2x1 upright pixels, red to the left and blue to the right, for each transform that the client may have
    /// applied: wl_output.transform says that 90 turns counter-clockwise, and that flipped turns over a vertical axis first.
    @Test func bufferTransformsAreUndone() throws {
        let turned: [(WlOutput.Transform, Int32, Int32, [UInt32])] = [
            (.normal, 2, 1, [Self.red, Self.blue]),
            // Turned counter-clockwise, what was left is at the bottom.
            (._90, 1, 2, [Self.blue, Self.red]),
            (._180, 2, 1, [Self.blue, Self.red]),
            (._270, 1, 2, [Self.red, Self.blue]),
            (.flipped, 2, 1, [Self.blue, Self.red]),
            (.flipped90, 1, 2, [Self.red, Self.blue]),
            (.flipped180, 2, 1, [Self.red, Self.blue]),
            (.flipped270, 1, 2, [Self.blue, Self.red]),
        ]
        for (transform, width, height, pixels) in turned {
            let (stage, client) = try stage()
            let window = try TestWindow(client)
            window.surface.commit()
            try client.pump()
            let buffer = client.buffer(width, height)
            for (index, pixel) in pixels.enumerated() { buffer.pixels[index] = pixel }
            window.surface.setBufferTransform(transform: transform)
            window.show(buffer)
            try client.pump()
            let picture = stage.screenshot()
            #expect(
                [picture[0, 0], picture[1, 0], picture[2, 0], picture[0, 1]]
                    == [Self.red, Self.blue, Self.black, Self.black], "transform \(transform.rawValue)")
        }
    }

    @Test func turnsAndFlipsOfALargerBufferKeepEveryCorner() throws {
        // Upright 3x2; each of the six pixels has its own colour.
        let upright: [[UInt32]] = [[0xFF00_0001, 0xFF00_0002, 0xFF00_0003], [0xFF00_0004, 0xFF00_0005, 0xFF00_0006]]
        func flip(_ rows: [[UInt32]]) -> [[UInt32]] { rows.map { $0.reversed() } }
        func turn(_ rows: [[UInt32]]) -> [[UInt32]] {
            // Counter-clockwise: the last column becomes the first row.
            (0..<rows[0].count).reversed().map { column in rows.map { $0[column] } }
        }
        for number: UInt32 in 0..<8 {
            var rows = number >= 4 ? flip(upright) : upright
            for _ in 0..<(number % 4) { rows = turn(rows) }
            let (stage, client) = try stage()
            let window = try TestWindow(client)
            window.surface.commit()
            try client.pump()
            let buffer = client.buffer(Int32(rows[0].count), Int32(rows.count))
            for (index, pixel) in rows.flatMap({ $0 }).enumerated() { buffer.pixels[index] = pixel }
            window.surface.setBufferTransform(transform: WlOutput.Transform(rawValue: number))
            window.show(buffer)
            try client.pump()
            let picture = stage.screenshot()
            for y in 0..<2 { for x in 0..<3 { #expect(picture[x, y] == upright[y][x], "transform \(number)") } }
        }
    }

    @Test func scaledBuffersAreSharpOnScaledOutputs() throws {
        let (stage, client) = try stage(width: 80, height: 60, scale: 2)
        let window = try TestWindow(client)
        window.surface.commit()
        try client.pump()
        let buffer = client.buffer(20, 10, Self.red)
        buffer[3, 1] = Self.blue
        window.surface.setBufferScale(scale: 2)
        window.show(buffer)
        try client.pump()
        #expect(stage.window?.surface.size.width == 10)
        let picture = stage.screenshot()
        #expect(picture.width == 80)
        #expect(picture[3, 1] == Self.blue && picture[2, 1] == Self.red && picture[20, 5] == Self.black)
        let unscaled = try TestWindow(client, showing: client.buffer(4, 4, Self.blue))
        #expect(stage.screenshot()[7, 7] == Self.blue && stage.screenshot()[8, 8] == Self.red)
        _ = unscaled
    }

    @Test func aFractionalBufferInAViewportIsShownPixelForPixel() throws {
        let (stage, client) = try stage(width: 500, height: 250, scale: 1.25)
        let window = try TestWindow(client)
        let viewport = try client.bind(WpViewporter.self).getViewport(surface: window.surface)
        window.surface.commit()
        try client.pump()
        // 400x200 logical px are 500x250 of the output.
        let buffer = client.buffer(500, 250)
        for index in buffer.pixels.indices { buffer.pixels[index] = 0xFF00_0000 | UInt32(index) }
        viewport.setDestination(width: 400, height: 200)
        window.show(buffer)
        try client.pump()
        #expect(stage.window?.surface.size.height == 200)
        #expect(stage.screenshot() == Picture(width: 500, height: 250, pixels: Array(buffer.pixels)))
    }

    @Test func whatIsShownHasTheScaleThatClientsAreTold() throws {
        let (stage, client) = try stage(width: 1370, height: 40, scale: 1.37)
        #expect(stage.output.state.scale == 164.0 / 120)
        stage.output.state.scale = 1.37
        #expect(stage.output.state.scale == 164.0 / 120)
        let window = try TestWindow(client, showing: client.buffer(800, 20, Self.red))
        // Two surfaces side by side, of as many px as the client was told: 730 logical px end at 997.67 of the screen's.
        var children: [(WlSurface, WlSubsurface, WpViewport)] = []
        for (x, pixels) in [(690, 943..<998), (730, 998..<1052)] as [(Int32, Range<Int32>)] {
            let surface = client.compositor.createSurface()
            let role = try client.bind(WlSubcompositor.self).getSubsurface(surface: surface, parent: window.surface)
            role.setPosition(x: x, y: 0)
            let viewport = try client.bind(WpViewporter.self).getViewport(surface: surface)
            viewport.setDestination(width: 40, height: 20)
            let buffer = client.buffer(Int32(pixels.count), 27, Self.blue)
            for row in 0..<27 {
                buffer.pixels[row * pixels.count] = Self.red
                buffer.pixels[(row + 1) * pixels.count - 1] = Self.red
            }
            surface.attach(buffer: buffer.object, x: 0, y: 0)
            surface.damage(x: 0, y: 0, width: 40, height: 20)
            surface.commit()
            children.append((surface, role, viewport))
        }
        window.surface.commit()
        try client.pump()
        let picture = stage.screenshot()
        let edges = (943..<1052).filter { picture[$0, 5] == Self.red }
        #expect(edges == [943, 997, 998, 1051])
    }

    @Test func theViewportsSourceIsCutOut() throws {
        let (stage, client) = try stage()
        let window = try TestWindow(client)
        let viewport = try client.bind(WpViewporter.self).getViewport(surface: window.surface)
        window.surface.commit()
        try client.pump()
        let buffer = client.buffer(20, 20, Self.red)
        buffer[5, 5] = Self.blue
        viewport.setSource(x: 5, y: 5, width: 2, height: 2)
        viewport.setDestination(width: 4, height: 4)
        window.show(buffer)
        try client.pump()
        let picture = stage.screenshot()
        #expect(picture[0, 0] == Self.blue && picture[1, 1] == Self.blue && picture[2, 2] == Self.red)
        #expect(picture[3, 3] == Self.red && picture[4, 4] == Self.black)
    }

    @Test func aTurnedOutputIsShownUpright() throws {
        let (stage, client) = try stage(transform: ._90)
        #expect(stage.output.logicalSize == (30, 40))
        let window = try TestWindow(client, showing: client.buffer(30, 2, Self.red))
        let picture = stage.screenshot()
        #expect(picture.width == 30 && picture.height == 40)
        #expect(picture[29, 1] == Self.red && picture[0, 2] == Self.black)
        _ = window
    }

    @Test func subsurfacesMoveAndStackWithTheirParentsCommit() throws {
        let (stage, client) = try stage()
        let window = try TestWindow(client, showing: client.buffer(20, 20, Self.red))
        let child = client.compositor.createSurface()
        let role = try client.bind(WlSubcompositor.self).getSubsurface(surface: child, parent: window.surface)
        role.setPosition(x: 3, y: 4)
        let buffer = client.buffer(5, 5, Self.blue)
        child.attach(buffer: buffer.object, x: 0, y: 0)
        child.damage(x: 0, y: 0, width: 5, height: 5)
        child.commit()
        try client.pump()
        #expect(stage.screenshot()[3, 4] == Self.red, "a synchronised subsurface was shown before its parent's commit")
        window.surface.commit()
        try client.pump()
        #expect(stage.screenshot()[3, 4] == Self.blue && stage.screenshot()[2, 4] == Self.red)
        #expect(stage.seat.touch.down(0, x: 4, y: 5)?.resource.objectID == child.objectID)
        role.placeBelow(sibling: window.surface)
        try client.pump()
        #expect(stage.screenshot()[3, 4] == Self.blue)
        window.surface.commit()
        try client.pump()
        #expect(stage.screenshot()[3, 4] == Self.red)
        role.placeAbove(sibling: window.surface)
        role.setDesync()
        window.surface.commit()
        let next = client.buffer(5, 5, Self.black)
        child.attach(buffer: next.object, x: 0, y: 0)
        child.damage(x: 0, y: 0, width: 5, height: 5)
        child.commit()
        try client.pump()
        #expect(stage.screenshot()[3, 4] == Self.black)
        role.destroy()
        try client.pump()
        #expect(stage.screenshot()[3, 4] == Self.red)
        #expect(stage.violations.isEmpty)
    }

    @Test func layerSurfacesStandAtTheirEdges() throws {
        let (stage, client) = try stage()
        let window = try TestWindow(client, showing: client.buffer(40, 30, Self.red))
        let shell = try client.bind(ZwlrLayerShellV1.self)
        let surface = client.compositor.createSurface()
        let layer = shell.getLayerSurface(surface: surface, output: nil, layer: .overlay, namespace: "bar")
        layer.setAnchor(anchor: [.left, .right, .bottom])
        layer.setSize(width: 0, height: 4)
        layer.setMargin(top: 0, right: 1, bottom: 2, left: 3)
        var asked: (UInt32, UInt32) = (0, 0)
        layer.onEvent = { event in
            guard case .configure(let serial, let width, let height) = event else { return }
            asked = (width, height)
            layer.ackConfigure(serial: serial)
        }
        surface.commit()
        try client.pump()
        #expect(asked == (36, 4))
        let buffer = client.buffer(36, 4, Self.blue)
        surface.attach(buffer: buffer.object, x: 0, y: 0)
        surface.damage(x: 0, y: 0, width: 36, height: 4)
        surface.commit()
        try client.pump()
        let picture = stage.screenshot()
        for (x, y, isInside) in [(3, 24, true), (38, 27, true), (2, 24, false), (39, 27, false), (3, 28, false)] {
            #expect(picture[x, y] == (isInside ? Self.blue : Self.red), "at \(x), \(y)")
        }
        #expect(stage.layers.first?.namespace == "bar" && stage.violations.isEmpty)
        _ = window
    }

    @Test func singlePixelsFillAViewport() throws {
        let (stage, client) = try stage()
        let window = try TestWindow(client)
        let viewport = try client.bind(WpViewporter.self).getViewport(surface: window.surface)
        let manager = try client.bind(WpSinglePixelBufferManagerV1.self)
        window.surface.commit()
        try client.pump()
        let buffer = manager.createU32RgbaBuffer(r: 0, g: .max, b: 0, a: .max)
        viewport.setDestination(width: 7, height: 5)
        window.surface.attach(buffer: buffer, x: 0, y: 0)
        window.surface.damageBuffer(x: 0, y: 0, width: 1, height: 1)
        window.surface.commit()
        try client.pump()
        #expect(stage.screenshot()[6, 4] == 0xFF00_FF00 && stage.screenshot()[7, 4] == Self.black)
    }

    @Test func otherFormatsAreRead() throws {
        var options = Stage.Options()
        options.extraFormats = [.xbgr8888]
        let stage = try Stage(options)
        let client = try TestClient(stage)
        for (format, pixel, seen) in [
            (WlShm.Format.xrgb8888, 0x0011_2233 as UInt32, 0xFF11_2233 as UInt32),
            (.xbgr8888, 0x0033_2211, 0xFF11_2233),
        ] {
            let window = try TestWindow(client, showing: TestBuffer(client.shm, 6, 6, pixel, format: format))
            #expect(stage.screenshot()[5, 5] == seen)
            _ = window
        }
    }

    @Test func picturesSurviveAFile() throws {
        var picture = Picture(width: 5, height: 3, fill: Self.red)
        picture[1, 1] = Self.blue
        picture[4, 2] = 0x8040_2010
        picture[0, 0] = 0
        var template = Array("/tmp/touch-stage-XXXXXX".utf8CString)
        let folder = String(cString: mkdtemp(&template))
        let path = folder + "/picture.png"
        defer {
            unlink(path)
            rmdir(folder)
        }
        try picture.write(png: path)
        let read = try Picture(png: path)
        #expect(read.countDifferences(picture, tolerance: 1) == 0)
        #expect(read[1, 1] == Self.blue && read[0, 0] == 0)
        #expect(picture.boundsOfDifferences(Picture(width: 5, height: 3, fill: Self.red))?.width == 5)
        #expect(throws: PictureError.self) { try Picture(png: folder + "/absent.png") }
        #expect(throws: PictureError.self) { try picture.write(png: folder + "/absent/picture.png") }
        // Whatever cannot be written to is left.
        let full = folder + "/full"
        defer { unlink(full) }
        try #require(symlink("/dev/full", full) == 0)
        let error = #expect(throws: PictureError.self) { try picture.write(png: full) }
        #expect(error?.description == "\(full): No space left on device")
        #expect(access(full, F_OK) == 0)
    }
}
