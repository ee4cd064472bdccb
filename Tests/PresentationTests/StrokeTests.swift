import Gestures
import Pixman
import Ripples
import Testing

@testable import Presentation

@Suite struct StrokeTests {
    private let half = Color(red: 255, green: 255, blue: 255, alpha: 128)

    private func picture(_ shapes: [Shape], _ side: Int32 = 60, scale: Double = 1) -> Pixels {
        fullRepaint(shapes, size: PixelSize(width: side, height: side), scale: scale, background: .clear)
    }

    private func alpha(_ pixels: Pixels, _ x: Int32, _ y: Int32) -> Int { Int(pixels[x, y] >> 24) }

    @Test func aLineOnWholePixelsHasSharpEdges() {
        let line = Stroke([Point(x: 10, y: 20), Point(x: 40, y: 20)], radius: 2, color: .white)
        let pixels = picture([.stroke(line)])
        #expect((16..<25).map { alpha(pixels, 25, $0) } == [0, 0, 255, 255, 255, 255, 0, 0, 0])
        #expect(alpha(pixels, 6, 19) == 0 && alpha(pixels, 43, 19) == 0, "round ends reach no farther than the radius")
    }

    @Test func theOutlineLiesOutsideTheFillOnly() {
        let line = Stroke(
            [Point(x: 10, y: 20), Point(x: 40, y: 20)], radius: 2, color: half, outline: .black, outlineWidth: 1)
        let pixels = picture([.stroke(line)])
        #expect((16..<25).map { alpha(pixels, 25, $0) } == [0, 255, 128, 128, 128, 128, 255, 0, 0])
    }

    @Test func jointsAndCrossingsAreNoDarker() {
        let line = Stroke(
            [Point(x: 10, y: 10), Point(x: 50, y: 50), Point(x: 50, y: 10), Point(x: 10, y: 50)], closed: true,
            radius: 3, color: half, outline: half, outlineWidth: 2)
        for pixel in picture([.stroke(line)]).words { #expect(pixel >> 24 <= 128) }
    }

    /// An arrow's head is drawn without lifting the pen.
    @Test(arguments: [0.5, 1]) func aWayBackOverTheSamePieceAddsNothing(opacity: Double) {
        func line(_ places: [(Double, Double)]) -> Shape {
            .stroke(
                Stroke(
                    nodes: places.map { Stroke.Node(Point(x: $0.0, y: $0.1), radius: 3, opacity: opacity) },
                    color: half, outline: .black, outlineWidth: 1.5))
        }
        let there = picture([line([(10.25, 40), (30.5, 12), (48, 41.75)])])
        #expect(picture([line([(10.25, 40), (30.5, 12), (48, 41.75), (30.5, 12)])]) == there)
        #expect(alpha(there, 40, 28) > 0)
        // What comes after the way back begins where that has ended.
        let branched = picture([line([(10.25, 40), (30.5, 12), (48, 41.75), (30.5, 12), (31, 50)])])
        #expect(alpha(branched, 31, 40) > 0 && alpha(branched, 40, 28) == alpha(there, 40, 28))
        #expect(alpha(there, 31, 40) == 0)
    }

    @Test func aThinLineIsPaler() {
        for (radius, expected) in [(0.25, 128), (0.05, 26)] {
            let line = Stroke([Point(x: 10, y: 20.5), Point(x: 40, y: 20.5)], radius: radius, color: .white)
            let pixels = picture([.stroke(line)])
            #expect(abs(alpha(pixels, 25, 20) - expected) <= 1)
            #expect(alpha(pixels, 25, 19) == 0 && alpha(pixels, 25, 21) == 0)
        }
    }

    @Test func widthAndOpacityChangeEvenly() {
        let line = Stroke(
            nodes: [
                Stroke.Node(Point(x: 10.5, y: 30), radius: 2, opacity: 0),
                Stroke.Node(Point(x: 50.5, y: 30), radius: 10, opacity: 1),
            ], color: .white)
        let pixels = picture([.stroke(line)])
        for x in stride(from: Int32(10), through: 50, by: 5) {
            #expect(abs(alpha(pixels, x, 30) - Int((Double(x) - 10) / 40 * 255)) <= 1)
        }
        let height = (0..<60 as Range<Int32>).filter { alpha(pixels, 30, $0) > 0 }.count
        #expect((11...13).contains(height), "\(height)")
    }

    @Test func oneNodeIsADot() {
        let dot = Stroke([Point(x: 30, y: 30)], radius: 5, color: .white)
        let pixels = picture([.stroke(dot)])
        let area = pixels.words.reduce(0.0) { $0 + Double($1 >> 24) / 255 }
        #expect(abs(area - 78.54) < 1)
        #expect(picture([.stroke(Stroke([], radius: 5, color: .white))]).words.allSatisfy { $0 == 0 })
    }

    @Test(arguments: [1, 1.5, 2]) func aWholeArcIsARing(scale: Double) {
        let arc = Arc(center: Point(x: 30.3, y: 29.6), radius: 20, lineRadius: 2, color: .white)
        let ring = Disc(center: arc.center, radius: 18, fill: .clear, outline: .white, outlineWidth: 4)
        let side = Int32(60 * scale)
        let (a, b) = (picture([.arc(arc)], side, scale: scale), picture([.disc(ring)], side, scale: scale))
        for (one, other) in zip(a.words, b.words) {
            // A distance's coverage against an area's.
            #expect(abs(Int(one >> 24) - Int(other >> 24)) <= 16)
        }
    }

    @Test func anArcCoversItsSweepClockwiseFromItsStart() {
        for (start, sweep) in [(0.0, 90.0), (90, -90), (360, 90), (-720, 90)] {
            let pixels = picture([
                .arc(
                    Arc(
                        center: Point(x: 30, y: 30), radius: 20, start: start, sweep: sweep, lineRadius: 2,
                        color: .white))
            ])
            #expect(alpha(pixels, 44, 44) == 255, "below and to the right, where y grows downwards")
            #expect(alpha(pixels, 15, 15) == 0 && alpha(pixels, 44, 15) == 0 && alpha(pixels, 15, 44) == 0)
            #expect(alpha(pixels, 49, 30) == 255 && alpha(pixels, 29, 49) == 255)
        }
    }

    @Test func anArcOfThreeQuartersLeavesItsGapOpen() {
        let arc = Arc(
            center: Point(x: 30, y: 30), radius: 20, start: 45, sweep: 270, lineRadius: 2, color: .white)
        let pixels = picture([.arc(arc)])
        #expect(alpha(pixels, 50, 30) == 0 && alpha(pixels, 10, 30) == 255)
        #expect(alpha(pixels, 30, 10) == 255 && alpha(pixels, 30, 49) == 255)
    }

    @Test func aSoftDiscFadesInwardsOnly() {
        let disc = Disc(center: Point(x: 30, y: 30), radius: 20, fill: .white, softness: 10)
        let pixels = picture([.disc(disc)])
        #expect(alpha(pixels, 30, 30) == 255 && alpha(pixels, 38, 30) == 255)
        #expect(abs((alpha(pixels, 44, 29) + alpha(pixels, 45, 29)) / 2 - 128) < 4)
        #expect(alpha(pixels, 51, 30) == 0)
        let row = (30..<52 as Range<Int32>).map { alpha(pixels, $0, 30) }
        #expect(row == row.sorted(by: >))
    }

    @Test func aSoftDiscsOutlineIsNoPartOfItsFade() {
        let disc = Disc(
            center: Point(x: 30, y: 30), radius: 20, fill: .clear, outline: .black, outlineWidth: 3, softness: 15)
        let pixels = picture([.disc(disc)])
        #expect(alpha(pixels, 30, 30) == 0 && alpha(pixels, 45, 30) == 0)
        #expect(alpha(pixels, 51, 30) == 255)
    }

    @Test func aLongDiagonalDamagesLittleMoreThanItCovers() {
        let line = Stroke([Point(x: 0, y: 0), Point(x: 1900, y: 1000)], radius: 2, color: .white)
        let size = PixelSize(width: 1920, height: 1080)
        let region = damage(from: [], to: [.stroke(line)], scale: 1, within: size)
        let area = region.rects.reduce(0) { $0 + Int($1.width) * Int($1.height) }
        #expect(area < 1920 * 1080 / 10)
        #expect(area > 2140 * 4)
    }

    @Test func aLargeRingsMiddleIsNotDamaged() {
        let arc = Arc(center: Point(x: 300, y: 300), radius: 200, lineRadius: 2, color: .white)
        let region = damage(from: [], to: [.arc(arc)], scale: 1, within: PixelSize(width: 600, height: 600))
        #expect(!region.contains(x: 300, y: 300) && region.contains(x: 100, y: 300))
    }

    @Test func numbersThatMakeNoSenseDrawNothing() {
        let good = Stroke.Node(Point(x: 30, y: 30), radius: 3)
        var bad = [good, good, good, good, good]
        bad[0].position.x = .nan
        bad[1].position.y = .infinity
        bad[2].radius = .nan
        bad[3].radius = 1e300
        bad[4].opacity = .nan
        var shapes = bad.map { Shape.stroke(Stroke(nodes: [$0], color: .white)) }
        shapes += bad.map {
            Shape.stroke(Stroke(nodes: [good, $0], color: .clear, outline: .white, outlineWidth: .nan))
        }
        for value in [Double.nan, .infinity, -.infinity, 1e300] {
            shapes.append(.arc(Arc(center: Point(x: value, y: 0), radius: 9, lineRadius: 3, color: .white)))
            shapes.append(.arc(Arc(center: .zero, radius: value, lineRadius: 3, color: .white)))
            shapes.append(.arc(Arc(center: .zero, radius: 9, start: value, lineRadius: 3, color: .white)))
            shapes.append(.arc(Arc(center: .zero, radius: 9, sweep: value, lineRadius: 3, color: .white)))
            shapes.append(.arc(Arc(center: .zero, radius: 9, lineRadius: value, color: .white)))
            shapes.append(.disc(Disc(center: .zero, radius: value, fill: .white, softness: 4)))
        }
        #expect(picture(shapes).words.allSatisfy { $0 == 0 })
    }
}
