import CLibc
import Gestures
import Pixman
import Ripples
import Testing
import TouchStage

@testable import Presentation

/// Pictures of all looks. FINGERWAVE_UPDATE_GOLDEN=1 writes them anew; look at them before you commit them.
@Suite struct GoldenTests {
    private static let folder = #filePath.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/Golden"

    private func expectGolden(_ name: String, _ pixels: Pixels) throws {
        let path = "\(GoldenTests.folder)/\(name).png"
        let drawn = Picture(width: Int(pixels.size.width), height: Int(pixels.size.height), pixels: pixels.words)
        if getenv("FINGERWAVE_UPDATE_GOLDEN") != nil { try drawn.write(png: path) }
        #expect(try Picture(png: path) == drawn, "\(path) shows something else")
    }

    private var shapes: [Shape] {
        var controller = RippleController()
        var shapes: [Shape] = []
        for step in 0..<6 {
            controller.clear()
            controller.advance(to: .milliseconds(0))
            controller.show(at: Point(x: 40.25 + Double(step) * 45, y: 90.5 + Double(step % 2) * 20))
            controller.advance(to: .milliseconds(0))
            controller.advance(to: .milliseconds(Int64(step) * 160))
            shapes += controller.shapes
        }
        return shapes
    }

    @Test(arguments: [1, 1.5, 2])
    func theWaveOnAMiddlingGround(scale: Double) throws {
        try expectGolden(
            "wave-\(Int(scale * 100))",
            fullRepaint(
                shapes, size: PixelSize(width: Int32(320 * scale), height: Int32(200 * scale)), scale: scale,
                background: PremultipliedColor(argb: 0xff5a_6b7c)))
    }

    @Test func theWaveOnWhite() throws {
        try expectGolden(
            "wave-white",
            fullRepaint(
                shapes, size: PixelSize(width: 320, height: 200), scale: 1,
                background: PremultipliedColor(argb: 0xffff_ffff)))
    }

    /// A cell for each thing that can happen, on dark and on white.
    private func expectSheet(_ name: String, _ style: RippleStyle, scale: Double = 0.5) throws {
        let cell = StyleScenes.cell
        let size = PixelSize(width: Int32(cell.width * scale), height: Int32(cell.height * scale))
        let image = Image(width: size.width * Int32(StyleScenes.all.count), height: 2 * size.height)
        let painter = ShapePainter()
        for (row, ground) in ([0xff20_2830, 0xffff_ffff] as [UInt32]).enumerated() {
            for (column, act) in StyleScenes.all.enumerated() {
                var scene = StyleScene(style, surfaceSize: cell)
                act(&scene)
                let part = PixelRect(
                    x: Int32(column) * size.width, y: Int32(row) * size.height, width: size.width, height: size.height)
                painter.paint(
                    scene.controller.shapes, on: image, region: Region(part),
                    background: PremultipliedColor(argb: ground), scale: scale,
                    origin: Point(x: -Double(column) * cell.width, y: -Double(row) * cell.height))
            }
        }
        try expectGolden(name, image.pixels)
    }

    @Test(arguments: RippleStyle.Kind.allCases)
    func aSheetOfEachStyle(kind: RippleStyle.Kind) throws {
        var style = RippleStyle()
        style.kind = kind
        try expectSheet("style-\(kind.name)", style)
    }

    @Test(arguments: [RippleStyle.Kind.wave, .rings, .trail])
    func aSheetWithHighContrast(kind: RippleStyle.Kind) throws {
        var style = RippleStyle()
        style.kind = kind
        style.highContrast = true
        try expectSheet("contrast-\(kind.name)", style)
    }

    @Test func aSheetOfFingers() throws {
        var style = RippleStyle()
        style.colorByFinger = true
        var scene = StyleScene(style)
        for finger in 0..<12 { _ = scene.down(40 + Double(finger % 6) * 80, 60 + Double(finger / 6) * 90) }
        scene.wait(600)
        let shapes = scene.controller.shapes
        var words: [UInt32] = []
        for ground: UInt32 in [0xff20_2830, 0xffff_ffff] {
            words +=
                fullRepaint(
                    shapes, size: PixelSize(width: 480, height: 200), scale: 1,
                    background: PremultipliedColor(argb: ground)
                ).words
        }
        try expectGolden("fingers", Pixels(size: PixelSize(width: 480, height: 400), words: words))
    }
}
