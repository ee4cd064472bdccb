import CLibc
import Gestures
import Pixman
import Ripples
import Testing
import TouchStage

@testable import Presentation

/// Pictures of the default look. FINGERWAVE_UPDATE_GOLDEN=1 writes them anew; look at them before you commit them.
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
}
