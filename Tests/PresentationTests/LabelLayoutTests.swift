import Gestures
import Pixman
import Ripples
import Testing

@testable import Presentation

@Suite struct LabelLayoutTests {
    private func label(_ x: Double, _ y: Double, gap: Double = 20) -> Label {
        Label(lines: [], anchor: Point(x: x, y: y), gap: gap)
    }

    private let heading = Label(lines: [], placement: .heading)

    private func place(
        _ labels: [Label], _ sizes: [(Int32, Int32)], on surface: (Int32, Int32) = (400, 300), scale: Double = 1
    ) -> [PixelRect] {
        LabelLayout(surface: PixelSize(width: surface.0, height: surface.1), scale: scale)
            .place(labels, sizes: sizes.map { PixelSize(width: $0.0, height: $0.1) })
    }

    @Test func standsToTheRightOfItsAnchorWhenThereIsRoom() {
        #expect(place([label(100, 100)], [(60, 40)]) == [PixelRect(x: 120, y: 80, width: 60, height: 40)])
        #expect(
            place([label(100, 100)], [(60, 40)], on: (800, 600), scale: 2)
                == [PixelRect(x: 240, y: 180, width: 60, height: 40)])
    }

    /// A finger at each edge and in each corner of a screen of 400x300.
    @Test(arguments: [
        (0.0, 0.0), (399, 0), (0, 299), (399, 299), (200, 0), (200, 299), (0, 150), (399, 150), (200, 150),
    ])
    func neitherLeavesTheScreenNorCoversItsAnchor(x: Double, y: Double) {
        let rect = place([label(x, y)], [(120, 50)])[0]
        #expect(rect.size == PixelSize(width: 120, height: 50))
        #expect(rect.intersection(PixelRect(x: 0, y: 0, width: 400, height: 300)) == rect)
        let mark = PixelRect(x: Int32(x) - 19, y: Int32(y) - 19, width: 38, height: 38)
        #expect(rect.intersection(mark).isEmpty, "\(rect)")
    }

    @Test func twoFingersSideBySideHaveLabelsThatDoNotCoverEachOther() {
        let rects = place([label(180, 150), label(220, 150), label(200, 170)], [(100, 50), (100, 50), (100, 50)])
        for (index, rect) in rects.enumerated() {
            for other in rects[(index + 1)...] { #expect(rect.intersection(other).isEmpty, "\(rect) \(other)") }
        }
    }

    @Test func keepsClearOfTheHeading() {
        // To the right there would be room, but for the heading.
        let rects = place([label(100, 10), heading], [(60, 40), (300, 20)])
        #expect(rects[1] == PixelRect(x: 0, y: 0, width: 300, height: 20))
        #expect(rects[0].intersection(rects[1]).isEmpty, "\(rects[0])")
    }

    @Test func headingsFillRowsFromTheTopLeft() {
        let rects = place([heading, heading, heading, heading], [(200, 20), (150, 20), (100, 24), (500, 20)])
        #expect(
            rects == [
                PixelRect(x: 0, y: 0, width: 200, height: 20), PixelRect(x: 201, y: 0, width: 150, height: 20),
                PixelRect(x: 0, y: 21, width: 100, height: 24), PixelRect(x: 0, y: 46, width: 400, height: 20),
            ])
    }

    @Test func whatIsLargerThanTheScreenShowsItsUpperLeft() {
        #expect(
            place([label(10, 10), heading], [(500, 400), (90, 20)], on: (50, 8))
                == [PixelRect(x: 0, y: 0, width: 50, height: 8), PixelRect(x: 0, y: 0, width: 50, height: 8)])
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func neverLeavesAnySurface(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let surface = (Int32.random(in: 1...500, using: &random), Int32.random(in: 1...300, using: &random))
        let scale = [1, 1.25, 1.5, 2, 3].randomElement(using: &random)!
        let labels = (0..<12).map { _ in
            random.chance(0.3)
                ? heading
                : label(
                    Double.random(in: -100...600, using: &random), Double.random(in: -100...400, using: &random),
                    gap: Double.random(in: -5...60, using: &random))
        }
        let sizes = labels.map { _ in
            (Int32.random(in: 0...200, using: &random), Int32.random(in: 0...120, using: &random))
        }
        let rects = place(labels, sizes, on: surface, scale: scale)
        let all = PixelRect(x: 0, y: 0, width: surface.0, height: surface.1)
        for (rect, size) in zip(rects, sizes) where !rect.isEmpty {
            #expect(rect.intersection(all) == rect)
            #expect(rect.width <= size.0 && rect.height <= size.1)
        }
        for (index, label) in labels.enumerated() where label.placement == .beside && sizes[index].0 <= surface.0 {
            #expect(rects[index].width == sizes[index].0 || rects[index].isEmpty, "a label was cut that had room")
        }
        #expect(place(labels, sizes, on: surface, scale: scale) == rects)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300])
    func nonsenseDoesNotTrap(value: Double) {
        let rect = place([label(value, value, gap: value)], [(60, 40)])[0]
        #expect(rect.intersection(PixelRect(x: 0, y: 0, width: 400, height: 300)) == rect)
    }
}

extension PixelRect {
    fileprivate var size: PixelSize { PixelSize(width: width, height: height) }
}
