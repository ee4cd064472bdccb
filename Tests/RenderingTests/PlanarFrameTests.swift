import Pixman
import Rendering
import Testing

@Suite struct PlanarFrameTests {
    private static func frame(_ pixel: UInt32, _ size: PixelSize = PixelSize(width: 4, height: 2)) -> [UInt8] {
        let image = Image(size: size)
        image.fill(Region(size.rect), with: PremultipliedColor(argb: pixel))
        let frame = PlanarFrame(size: size)
        frame.update(from: image, in: Region(size.rect))
        return Array(frame.bytes.dropFirst(6))
    }

    /// Of BT.601 at this size; the figures are those of its limited range.
    @Test(arguments: [
        (0xff00_0000, 16, 128, 128), (0xffff_ffff, 235, 128, 128), (0xff80_8080, 126, 128, 128),
        (0xffff_0000, 81, 90, 240), (0xff00_ff00, 145, 54, 34), (0xff00_00ff, 41, 240, 110),
    ])
    func coloursOfSmallFramesAreBT601(pixel: UInt32, luma: UInt8, blue: UInt8, red: UInt8) {
        #expect(Self.frame(pixel) == [UInt8](repeating: luma, count: 8) + [blue, blue, red, red])
    }

    @Test(arguments: [
        (0xff00_0000, 16, 128, 128), (0xffff_ffff, 235, 128, 128), (0xffff_0000, 63, 102, 240),
        (0xff00_ff00, 173, 42, 26), (0xff00_00ff, 32, 240, 118),
    ])
    func coloursOfLargeFramesAreBT709(pixel: UInt32, luma: UInt8, blue: UInt8, red: UInt8) {
        let bytes = Self.frame(pixel, PixelSize(width: 1280, height: 2))
        #expect(bytes[0] == luma && bytes[2560] == blue && bytes.last == red)
    }

    /// Chroma is the mean of four pixels; what an odd size lacks is its last column and row.
    @Test func oddSizesHaveTheirLastPixelsTwice() {
        let size = PixelSize(width: 3, height: 3)
        let image = Image(size: size)
        image.fill(Region(PixelRect(x: 2, y: 2, width: 1, height: 1)), with: PremultipliedColor(argb: 0xff00_00ff))
        let frame = PlanarFrame(size: size)
        frame.update(from: image, in: Region(size.rect))
        #expect(frame.bytes.count == 6 + 9 + 2 * 4)
        #expect(Array(frame.bytes[6..<15]) == [16, 16, 16, 16, 16, 16, 16, 16, 41])
        #expect(Array(frame.bytes[15..<19]) == [128, 128, 128, 240])
    }

    /// Any regions that hold all that changes make the same frame as the whole picture does.
    @Test func aPartIsTakenOverAsInTheWhole() {
        var generator = SystemRandomNumberGenerator()
        let size = PixelSize(width: 37, height: 23)
        let image = Image(size: size)
        let partly = PlanarFrame(size: size)
        partly.update(from: image, in: Region(size.rect))
        for _ in 0..<50 {
            var damage = Region()
            for _ in 0..<3 {
                let rect = PixelRect(
                    x: Int32.random(in: -3..<37, using: &generator), y: Int32.random(in: -3..<23, using: &generator),
                    width: Int32.random(in: 1..<9, using: &generator),
                    height: Int32.random(in: 1..<9, using: &generator))
                damage.formUnion(rect)
                image.fill(
                    Region(rect),
                    with: PremultipliedColor(argb: 0xff00_0000 | UInt32.random(in: 0...0xff_ffff, using: &generator)))
            }
            partly.update(from: image, in: damage)
            let wholly = PlanarFrame(size: size)
            wholly.update(from: image, in: Region(size.rect))
            let isSame = partly.bytes == wholly.bytes
            #expect(isSame)
        }
    }

    @Test func theHeaderTellsAllThatAPlayerNeeds() {
        let header = PlanarFrame(size: PixelSize(width: 4, height: 2)).fileHeader(frames: 60000, seconds: 1001)
        #expect(header == "YUV4MPEG2 W4 H2 F60000:1001 Ip A1:1 C420jpeg XCOLORRANGE=LIMITED\n")
    }
}
