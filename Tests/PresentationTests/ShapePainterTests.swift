import Gestures
import Pixman
import Ripples
import Testing

@testable import Presentation

@Suite struct ShapePainterTests {
    private let dark = PremultipliedColor(argb: 0xff20_3040)

    /// The part of a pixel that a circle covers, by adding up many thin strips.
    private func coverage(x: Int, y: Int, centerX: Double, centerY: Double, radius: Double) -> Double {
        let distance = Point(x: Double(x) + 0.5, y: Double(y) + 0.5).distance(to: Point(x: centerX, y: centerY))
        if distance < radius - 0.75 { return 1 }
        if distance > radius + 0.75 { return 0 }
        let strips = 200
        var sum = 0.0
        for strip in 0..<strips {
            let distance = Double(y) + (Double(strip) + 0.5) / Double(strips) - centerY
            guard abs(distance) < radius else { continue }
            let half = (radius * radius - distance * distance).squareRoot()
            sum += max(0, min(Double(x + 1), centerX + half) - max(Double(x), centerX - half))
        }
        return sum / Double(strips)
    }

    /// The largest difference of any channel, in 1/255, from what real numbers give, and the mean of each pixel's largest
    /// where an edge crosses it.
    private func error(
        of shape: Disc, scale: Double, width: Int32, height: Int32, background: PremultipliedColor
    ) -> (largest: Double, mean: Double) {
        let image = Image(width: width, height: height)
        image.scribble()
        ShapePainter().paint(
            [.disc(shape)], on: image, region: Region(image.size.rect), background: background, scale: scale)
        let channels = { (color: Color) -> [Double] in
            let alpha = Double(color.alpha) / 255
            return [255 * alpha, Double(color.red) * alpha, Double(color.green) * alpha, Double(color.blue) * alpha]
        }
        let fill = channels(shape.fill)
        let outline = channels(shape.outline)
        let ground = [background.alpha, background.red, background.green, background.blue].map(Double.init)
        let centerX = shape.center.x * scale
        let centerY = shape.center.y * scale
        let inner = shape.radius * scale
        let outer = inner + shape.outlineWidth * scale
        var largest = 0.0
        var sum = 0.0
        var count = 0
        for y in 0..<Int(height) {
            for x in 0..<Int(width) {
                let inside = coverage(x: x, y: y, centerX: centerX, centerY: centerY, radius: inner)
                let all = coverage(x: x, y: y, centerX: centerX, centerY: centerY, radius: outer)
                let pixel = image.pixel(x: Int32(x), y: Int32(y))
                var difference = 0.0
                let alpha = (fill[0] * inside + outline[0] * (all - inside)) / 255
                for channel in 0..<4 {
                    let drawn = Double((pixel >> (24 - 8 * UInt32(channel))) & 255)
                    let laid = fill[channel] * inside + outline[channel] * (all - inside)
                    difference = max(difference, abs(drawn - (laid + ground[channel] * (1 - alpha))))
                }
                largest = max(largest, difference)
                if all > 0, all < 1 || inside > 0, inside < 1 {
                    sum += difference
                    count += 1
                }
            }
        }
        return (largest, sum / Double(max(1, count)))
    }

    @Test(arguments: [0.2, 0.5, 0.9, 1.3, 2.5, 5, 15, 40.4, 75])
    func edgesAreWithinRoundingOfTheCoveredArea(radius: Double) {
        var random = SeededGenerator(seed: UInt64(radius * 10))
        for outlineWidth in [0, 0.3, 1.5, 6] {
            var shape = random.disc(width: 1, height: 1)
            shape.radius = radius
            shape.outlineWidth = outlineWidth
            let reach = radius + outlineWidth + 2
            shape.center = Point(
                x: reach + Double.random(in: 0..<1, using: &random), y: reach + Double.random(in: 0..<1, using: &random)
            )
            let side = Int32(2 * reach + 2)
            let error = error(of: shape, scale: 1, width: side, height: side, background: dark)
            // Once rounded in the tile, once in pixman's OVER.
            #expect(error.largest < 1.6, "\(shape)")
            #expect(error.mean < 0.75, "\(shape)")
        }
    }

    @Test(arguments: [1, 1.25, 1.5, 2, 3])
    func theScaleMovesAndGrowsTheShape(scale: Double) {
        let shape = Disc(
            center: Point(x: 20.3, y: 19.8), radius: 15, fill: Color(red: 255, green: 255, blue: 255, alpha: 153),
            outline: Color(red: 0, green: 0, blue: 0, alpha: 230), outlineWidth: 1.5)
        let side = Int32(40 * scale)
        let error = error(of: shape, scale: scale, width: side, height: side, background: dark)
        #expect(error.largest < 1.6)
    }

    @Test func aDiscManyTimesTheScreenKeepsItsEdge() {
        for radius in [5_000.0, 100_000.0] {
            let shape = Disc(
                center: Point(x: 20.25 + radius, y: 30.5), radius: radius,
                fill: Color(red: 255, green: 255, blue: 255, alpha: 255), outline: .black, outlineWidth: 2)
            #expect(error(of: shape, scale: 1, width: 40, height: 60, background: dark).largest < 1.6)
        }
    }

    @Test func aRingWithoutFillLeavesItsMiddleAlone() {
        let shape = Disc(
            center: Point(x: 20, y: 20), radius: 10, fill: .clear, outline: .black, outlineWidth: 3)
        let image = Image(width: 40, height: 40)
        ShapePainter().paint([.disc(shape)], on: image, region: Region(image.size.rect), background: dark, scale: 1)
        #expect(image.pixel(x: 20, y: 20) == dark.argb)
        #expect(image.pixel(x: 31, y: 20) == 0xff00_0000)
    }

    @Test func drawingInPartsGivesTheSamePixelsAsDrawingAtOnce() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<12 {
            let size = PixelSize(width: Int32.random(in: 1...600, using: &random), height: 40)
            let scale = [1, 1.25, 1.5, 2, 3].randomElement(using: &random)!
            let background = PremultipliedColor(random.color())
            let shapes = (0..<5).map { _ in
                random.shape(width: Double(size.width) / scale, height: Double(size.height) / scale)
            }
            let image = Image(size: size)
            image.scribble()
            var rest = Region(size.rect)
            while !rest.isEmpty {
                var part = Region()
                for _ in 0..<3 {
                    part.formUnion(
                        PixelRect(
                            x: Int32.random(in: -5...size.width, using: &random),
                            y: Int32.random(in: -5...40, using: &random),
                            width: Int32.random(in: 1...200, using: &random),
                            height: Int32.random(in: 1...30, using: &random)))
                }
                ShapePainter().paint(shapes, on: image, region: part, background: background, scale: scale)
                rest.subtract(part)
            }
            #expect(image.pixels == fullRepaint(shapes, size: size, scale: scale, background: background))
        }
    }

    @Test func theOriginShiftsTheLogicalCoordinates() {
        let shape = Disc(center: Point(x: 30, y: 25), radius: 8, fill: .white, outline: .black, outlineWidth: 1)
        var moved = shape
        moved.center = Point(x: 10, y: 12)
        let image = Image(width: 40, height: 40)
        ShapePainter().paint(
            [.disc(shape)], on: image, region: Region(image.size.rect), background: dark, scale: 1.5,
            origin: Point(x: 20, y: 13))
        #expect(image.pixels == fullRepaint([.disc(moved)], size: image.size, scale: 1.5, background: dark))
    }

    @Test func nothingIsDrawnOutsideTheRegion() {
        let image = Image(width: 50, height: 50)
        image.scribble()
        let before = image.pixels
        let shape = Disc(center: Point(x: 25, y: 25), radius: 30, fill: .white, outline: .black, outlineWidth: 1)
        let part = PixelRect(x: 10, y: 20, width: 7, height: 9)
        ShapePainter().paint([.disc(shape)], on: image, region: Region(part), background: dark, scale: 1)
        for (index, pixel) in image.pixels.words.enumerated() {
            let isInside = (10..<17).contains(index % 50) && (20..<29).contains(index / 50)
            #expect(isInside || pixel == before.words[index])
        }
    }

    @Test func clearGroundIsLeftAloneWhenItIsKnownToBeClear() {
        let shape = Disc(center: Point(x: 20, y: 20), radius: 9, fill: .white, outline: .black, outlineWidth: 1)
        let image = Image(width: 40, height: 40)
        ShapePainter().paint(
            [.disc(shape)], on: image, region: Region(image.size.rect), background: .clear, scale: 1,
            groundIsClear: true)
        #expect(image.pixels == fullRepaint([.disc(shape)], size: image.size, scale: 1, background: .clear))
    }

    @Test func numbersThatMakeNoSenseDrawNothing() {
        let good = Disc(center: Point(x: 5, y: 5), radius: 3, fill: .white, outline: .black, outlineWidth: 1)
        var shapes = [good, good, good, good, good, good]
        shapes[0].center.x = .nan
        shapes[1].center.y = .infinity
        shapes[2].radius = .nan
        shapes[3].radius = 1e30
        shapes[4].radius = -7
        shapes[4].outlineWidth = 0
        shapes[5].outlineWidth = .infinity
        let size = PixelSize(width: 10, height: 10)
        #expect(
            fullRepaint(shapes.map { .disc($0) }, size: size, scale: 1, background: dark)
                == fullRepaint([], size: size, scale: 1, background: dark))
    }
}
