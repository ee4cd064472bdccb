import Gestures
import Pixman
import Ripples
import Testing

@testable import Presentation

/// Strokes that move as a whole, whose coverage is kept.
@Suite struct RigidStrokeTests {
    private static let size = PixelSize(width: 90, height: 90)

    /// An arrow whose first node is there.
    private func arrow(_ x: Double, _ y: Double, alpha: UInt8 = 200, isRigid: Bool = true) -> Stroke {
        let ways = [(0.0, 0.0), (31.3, 4.2), (20.1, -9), (31.3, 4.2), (17.9, 14.4)]
        var stroke = Stroke(
            nodes: ways.map { Stroke.Node(Point(x: x + $0.0, y: y + $0.1), radius: 2.25) },
            color: Color(red: 10, green: 120, blue: 240, alpha: alpha), outline: .black, outlineWidth: 1.5)
        stroke.nodes[0].opacity = 0.1
        stroke.isRigid = isRigid
        return stroke
    }

    private func picture(
        _ stroke: Stroke, _ painter: ShapePainter = ShapePainter(), size: PixelSize = RigidStrokeTests.size,
        scale: Double = 1, origin: Point = .zero
    ) -> Pixels {
        let image = Image(size: size)
        painter.paint(
            [.stroke(stroke)], on: image, region: Region(size.rect), background: .clear, scale: scale, origin: origin)
        return image.pixels
    }

    @Test func onWholePixelsItIsDrawnAsAnyOther() {
        // Its other nodes are placed in 64ths of a pixel.
        var plain = arrow(20, 30, isRigid: false)
        for index in plain.nodes.indices {
            let place = plain.nodes[index].position
            plain.nodes[index].position = Point(
                x: (place.x * 64).rounded() / 64, y: (place.y * 64).rounded() / 64)
        }
        #expect(picture(arrow(20, 30)) == picture(plain))
        #expect(picture(plain).words.contains { $0 >> 24 > 100 })
    }

    @Test func itLiesAtMostHalfAPixelBesideItsPlace() {
        for (x, y) in [(20.4, 30.3), (19.6, 29.7), (20.49, 29.6)] {
            #expect(picture(arrow(x, y)) == picture(arrow(20, 30)), "\(x), \(y)")
        }
        #expect(picture(arrow(20.6, 30)) == picture(arrow(21, 30)))
    }

    @Test func whatIsKeptIsWhatWouldBeReckoned() {
        var random = SeededGenerator(seed: 7)
        let painter = ShapePainter()
        for step in 0..<60 {
            // It moves and fades, as two of them, and over the picture's edges.
            let stroke = arrow(
                Double.random(in: -20...80, using: &random), Double.random(in: -20...95, using: &random),
                alpha: UInt8.random(in: 1...255, using: &random))
            #expect(picture(stroke, painter) == picture(stroke), "step \(step)")
        }
        #expect(painter.coverageStore.count == 1)
    }

    @Test func itIsOneThingWhereTwoBuffersMeet() {
        // As the pieces that a window's waves are shown in: their corners are whole pixels, but for a hair.
        for scale in [1, 1.1, 1.5, 2] {
            for offset in stride(from: 0, to: 1, by: 0.0625) {
                let stroke = arrow(20 + offset, 30.5 + offset)
                let whole = picture(stroke, scale: scale)
                let cut = 40.0
                let part = picture(stroke, scale: scale, origin: Point(x: 0, y: cut / scale))
                for y in 0..<RigidStrokeTests.size.height - Int32(cut) {
                    for x in 0..<RigidStrokeTests.size.width where part[x, y] != whole[x, y + Int32(cut)] {
                        Issue.record("scale \(scale), offset \(offset): another pixel at \(x), \(y)")
                        return
                    }
                }
            }
        }
    }

    @Test func itsDamageIsWhereItIsDrawn() {
        let size = RigidStrokeTests.size
        for (x, y) in [(20.4, 30.3), (20.6, 30.7)] {
            let region = damage(from: [], to: [.stroke(arrow(x, y))], scale: 1, within: size)
            let pixels = picture(arrow(x, y))
            for row in 0..<size.height {
                for column in 0..<size.width where pixels[column, row] != 0 {
                    #expect(region.contains(x: column, y: row))
                }
            }
            var parts = Region()
            forEachPart(of: .stroke(arrow(x, y)), scale: 1) { parts.formUnion($0) }
            for row in 0..<size.height {
                for column in 0..<size.width where pixels[column, row] != 0 {
                    #expect(parts.contains(x: column, y: row))
                }
            }
        }
    }

    @Test func whatIsLargeOrOfManyFormsIsNotKept() {
        let painter = ShapePainter()
        let large = PixelSize(width: 400, height: 400)
        var long = arrow(20, 20)
        long.nodes[1].position = Point(x: 350, y: 390)
        #expect(picture(long, painter, size: large) == picture(long, size: large))
        #expect(painter.coverageStore.count == 0)
        for form in 0..<40 {
            var other = arrow(20, 30)
            other.nodes[1].position.x += Double(form)
            #expect(picture(other, painter) == picture(other))
        }
        #expect(painter.coverageStore.count == 8)
    }
}
