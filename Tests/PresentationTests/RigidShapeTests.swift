import Gestures
import Pixman
import Ripples
import Testing

@testable import Presentation

/// Shapes that move as a whole, whose pictures are kept.
@Suite struct RigidShapeTests {
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
        _ stroke: Stroke, _ painter: ShapePainter = ShapePainter(), size: PixelSize = RigidShapeTests.size,
        scale: Double = 1, origin: Point = .zero
    ) -> Pixels {
        picture(.stroke(stroke), painter, size: size, scale: scale, origin: origin)
    }

    private func picture(
        _ shape: Shape, _ painter: ShapePainter = ShapePainter(), size: PixelSize = RigidShapeTests.size,
        scale: Double = 1, origin: Point = .zero
    ) -> Pixels {
        let image = Image(size: size)
        painter.paint(
            [shape], on: image, region: Region(size.rect), background: .clear, scale: scale, origin: origin)
        return image.pixels
    }

    private func mark(_ x: Double, _ y: Double, radius: Double = 15, isRigid: Bool = true) -> Disc {
        var disc = Disc(
            center: Point(x: x, y: y), radius: radius, fill: Color(red: 250, green: 200, blue: 20, alpha: 153),
            outline: .black, outlineWidth: 1.5)
        disc.isRigid = isRigid
        return disc
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
            // It moves and fades, and over the picture's edges.
            var stroke = arrow(
                Double.random(in: -20...80, using: &random), Double.random(in: -20...95, using: &random))
            stroke.opacity = Double.random(in: 0...1, using: &random)
            #expect(picture(stroke, painter) == picture(stroke), "step \(step)")
        }
        #expect(painter.rigidPictures.count == 1)
    }

    @Test func itIsOneThingWhereTwoBuffersMeet() {
        // As the pieces that a window's waves are shown in: their corners are whole pixels, but for a hair.
        for scale in [1, 1.1, 1.5, 2] {
            for offset in stride(from: 0, to: 1, by: 0.0625) {
                let stroke = arrow(20 + offset, 30.5 + offset)
                let whole = picture(stroke, scale: scale)
                let cut = 40.0
                let part = picture(stroke, scale: scale, origin: Point(x: 0, y: cut / scale))
                for y in 0..<RigidShapeTests.size.height - Int32(cut) {
                    for x in 0..<RigidShapeTests.size.width where part[x, y] != whole[x, y + Int32(cut)] {
                        Issue.record("scale \(scale), offset \(offset): another pixel at \(x), \(y)")
                        return
                    }
                }
            }
        }
    }

    @Test func itsDamageIsWhereItIsDrawn() {
        let size = RigidShapeTests.size
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
        #expect(painter.rigidPictures.count == 0)
        for form in 0..<60 {
            var other = arrow(20, 30)
            other.nodes[1].position.x += Double(form)
            #expect(picture(other, painter) == picture(other))
            #expect(painter.rigidPictures.pixelCount <= RigidPictures.capacity)
        }
        #expect((10..<50).contains(painter.rigidPictures.count))
    }

    @Test func itFadesAsOneThatIsDrawnAnew() {
        for opacity in [1, 0.9, 0.5, 0.13, 0.004, 0, -1, .nan] {
            var kept = arrow(20, 30)
            kept.opacity = opacity
            var plain = kept.form(scale: 1)
            plain.opacity = opacity
            for index in plain.nodes.indices {
                plain.nodes[index].position = plain.nodes[index].position + Point(x: 20, y: 30)
            }
            let (a, b) = (picture(kept), picture(plain))
            for (one, other) in zip(a.words, b.words) {
                for shift in stride(from: 0, to: 32, by: 8) {
                    let difference = Int(one >> shift & 255) - Int(other >> shift & 255)
                    if abs(difference) > 2 {
                        Issue.record("opacity \(opacity): \(one) is not \(other)")
                        return
                    }
                }
            }
            #expect(a.words.contains { $0 != 0 } == (opacity > 0.003), "\(opacity)")
        }
    }

    @Test func aDiscIsKeptToo() {
        let painter = ShapePainter()
        for (x, y) in [(40.0, 40.0), (3.2, 50.4), (88.9, -4), (45.49, 45.5)] {
            let place = PixelSnap.whole(Point(x: x, y: y))
            let plain = picture(.disc(mark(place.x, place.y, isRigid: false)))
            #expect(picture(.disc(mark(x, y)), painter) == plain, "\(x), \(y)")
        }
        #expect(painter.rigidPictures.count == 1)
        // Another one takes no other's picture.
        #expect(picture(.disc(mark(40, 40, radius: 12)), painter) == picture(.disc(mark(40, 40, radius: 12))))
        var red = mark(40, 40)
        red.fill = Color(red: 255, green: 0, blue: 0)
        #expect(picture(.disc(red), painter) == picture(.disc(red)))
        #expect(painter.rigidPictures.count == 3)
        // What is soft at its edge is drawn as ever.
        red.softness = 8
        var plain = red
        plain.isRigid = false
        #expect(picture(.disc(red), painter) == picture(.disc(plain)))
        #expect(painter.rigidPictures.count == 3)
    }

    @Test func whatMakesNoSenseIsNotDrawnAndHasNoDamage() {
        var bad = arrow(20, 30)
        bad.nodes[2].position.x = .nan
        var far = arrow(20, 30)
        far.nodes[0].position.x = 1e9
        var clear = arrow(20, 30)
        (clear.color, clear.outline) = (.clear, .clear)
        let size = RigidShapeTests.size
        for stroke in [bad, far, clear, Stroke(nodes: [], color: .white)] {
            var stroke = stroke
            stroke.isRigid = true
            #expect(picture(stroke).words.allSatisfy { $0 == 0 })
            #expect(damage(from: [], to: [.stroke(stroke)], scale: 1, within: size).isEmpty)
        }
    }
}
