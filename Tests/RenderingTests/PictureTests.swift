import CLibc
import Gestures
import PNGFiles
import Pixman
import Ripples
import Testing

@testable import Rendering

@Suite struct PictureTests {
    private static let size = PixelSize(width: 60, height: 40)

    /// Where each pixel tells its place.
    private static var ground: Image {
        let image = Image(size: size)
        image.withPixels { pixels in
            for index in 0..<60 * 40 {
                pixels[index] = 0xff00_0000 | UInt32(index % 60) << 16 | UInt32(index / 60) << 8
            }
        }
        return image
    }

    private static func disc(_ x: Double) -> Shape {
        .disc(Disc(center: Point(x: x, y: 20), radius: 8, fill: Color.white.fading(to: 0.5)))
    }

    @Test func aFramePaintsWhatChangesAndNothingElse() {
        let canvas = FrameCanvas(size: Self.size, scale: 1, background: .black, ground: Self.ground)
        #expect(canvas.show([]) == Region(Self.size.rect))
        #expect(canvas.show([]).isEmpty)
        let damage = canvas.show([Self.disc(20)])
        #expect(!damage.isEmpty && damage.bounds.width < 20)
        for x in [30.0, 40, 41] {
            _ = canvas.show([Self.disc(x), Self.disc(x / 2)])
            let fresh = FrameCanvas(size: Self.size, scale: 1, background: .black, ground: Self.ground)
            _ = fresh.show([Self.disc(x), Self.disc(x / 2)])
            #expect((canvas.image.allPixels == fresh.image.allPixels) as Bool)
        }
        _ = canvas.show([])
        #expect((canvas.image.allPixels == Self.ground.allPixels) as Bool)
    }

    @Test func aStraightFrameFollowsItsRegion() {
        let image = Image(size: Self.size)
        image.fill(Region(Self.size.rect), with: PremultipliedColor(straightRed: 200, green: 100, blue: 50, alpha: 128))
        let frame = StraightFrame(size: Self.size)
        frame.update(from: image, in: Region(PixelRect(x: -5, y: 0, width: 10, height: 1)))
        #expect(frame.pixels[5] == 0 && frame.pixels[60] == 0)
        // As near as eight bits let it be.
        #expect([0x80c7_6432, 0x80c8_6432, 0x80c7_6332].contains(frame.pixels[4]))
        #expect(frame.pixels[4] == PremultipliedColor(argb: image.pixel(x: 0, y: 0)).straight)
    }

    // MARK: Grounds

    @Test func aGroundCoversAndIsCut() {
        // Twice as large, and higher than it must be: cut above and below.
        let source = Image(size: PixelSize(width: 120, height: 200))
        for y in 0..<200 {
            let color = PremultipliedColor(argb: 0xff00_0000 | UInt32(y))
            source.fill(Region(PixelRect(x: 0, y: Int32(y), width: 120, height: 1)), with: color)
        }
        let covered = source.covering(Self.size)
        #expect(covered.size == Self.size)
        for y: Int32 in [0, 20, 39] {
            let expected = 60.5 + 2 * Double(y)
            for x: Int32 in [0, 30, 59] {
                #expect(abs(Double(covered.pixel(x: x, y: y) & 0xff) - expected) <= 1.5, "\(x), \(y)")
            }
        }
        // The source serves again, as it was.
        #expect(source.pixel(x: 0, y: 7) == 0xff00_0007)
        #expect(source.covering(PixelSize(width: 120, height: 200)).allPixels == source.allPixels)
    }

    // MARK: Files

    @Test func pngFilesAreReadBackAsTheyWere() throws {
        let pixels: [UInt32] = [0xffff_ffff, 0xff01_0203, 0, 0x8040_2010, 0xff00_00ff, 0x0100_0001]
        let picture = PNGPicture(width: 3, height: 2, pixels: pixels)
        let path = "/tmp/fingerwave-test-\(getpid())-picture.png"
        defer { _ = unlink(path) }
        let bytes = try picture.encoded()
        let file = try #require(fopen(path, "w"))
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
        let read = try PNGPicture(path: path)
        #expect(read.width == 3 && read.height == 2 && read.pixels == pixels)
        #expect(try bytes == PNGPicture(width: 3, height: 2, pixels: pixels).encoded())
        // Nothing in it tells when it was made.
        #expect(!String(decoding: bytes, as: UTF8.self).contains("tIME"))
        #expect(throws: PNGError.self) { try PNGPicture(path: path, mostPixels: 5) }
        #expect(throws: PNGError.self) { try PNGPicture(path: "/dev/null") }
    }

    #if WEBP
        @Test func animationsOfTheSameFramesAreTheSameBytes() throws {
            func animation() throws -> [UInt8] {
                let animation = try AnimatedWebP(size: Self.size)
                let frame = StraightFrame(size: Self.size)
                let canvas = FrameCanvas(size: Self.size, scale: 1, background: .black)
                for step in 0..<5 {
                    frame.update(from: canvas.image, in: canvas.show([Self.disc(10 + 5 * Double(step))]))
                    try animation.add(frame, at: Int32(step) * 40)
                }
                return try animation.finish(at: 200)
            }
            let bytes = try animation()
            #expect(try bytes == animation())
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(bytes.starts(with: Array("RIFF".utf8)) && text.split(separator: "ANMF").count == 6)
            #expect(throws: RenderingError.self) { try AnimatedWebP(size: PixelSize(width: 20_000, height: 10)) }
        }
    #endif

    @Test func tilesFillTheirSheet() {
        let layout = SheetLayout(columns: 3, rows: 2, tile: PixelSize(width: 10, height: 5), gap: 1)
        #expect(layout.size == PixelSize(width: 34, height: 13))
        #expect(layout.place(0) == PixelRect(x: 1, y: 1, width: 10, height: 5))
        #expect(layout.place(5) == PixelRect(x: 23, y: 7, width: 10, height: 5))
    }
}
