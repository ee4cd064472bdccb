import Gestures
import Pixman
import Ripples
import Testing

@testable import Rendering

@Suite struct PlotTests {
    private static let ground = Color(red: 32, green: 40, blue: 48)

    private static func plot(_ axes: Int = 1) -> Plot {
        Plot(
            size: Size(width: 600, height: 300), span: 0...10,
            axes: (0..<axes).map { Plot.Axis("v", 0...100, isDown: $0 == 1) }, background: ground)
    }

    @Test func valuesLieWhereTheirAxesSay() {
        let plot = Self.plot(2)
        let (upper, lower) = (plot.area(0), plot.area(1))
        #expect(upper.maxY < lower.y && upper.width == lower.width)
        #expect(plot.x(0) == upper.x && plot.x(10) == upper.maxX && plot.x(5) == upper.x + upper.width / 2)
        #expect(plot.y(0, 0) == upper.maxY && plot.y(100, 0) == upper.y)
        // A screen's places are counted from above.
        #expect(plot.y(0, 1) == lower.y && plot.y(100, 1) == lower.maxY)
    }

    @Test func aLineKeepsItsPeaksAndNotItsLength() {
        var line = PlotLine(finger: 1)
        for index in 0..<100_000 {
            line.add(Point(x: Double(index) / 1000, y: index == 50_250 ? 999 : Double(index % 7)))
        }
        line.finish()
        #expect(line.points.count < 1000)
        #expect(line.points.contains { $0.y == 999 } && line.points.contains { $0.y == 0 })
        for index in 1..<line.points.count { #expect(line.points[index].x >= line.points[index - 1].x) }
    }

    @Test func whatIsOutsideOfItsSpanIsLeftOut() {
        var plot = Self.plot()
        let key = Plot.Key(axis: 0, serial: 1)
        for seconds in [-1.0, 11, .nan] { plot.add(key, finger: 1, seconds: seconds, value: 5) }
        plot.add(key, finger: 1, seconds: 5, value: .nan)
        plot.dot(0, finger: 1, seconds: 12, value: 5)
        #expect(plot.lines.isEmpty && plot.allDots.isEmpty && plot.fingers.isEmpty)
        plot.add(key, finger: 1, seconds: 5, value: 1e300)
        let area = plot.area(0)
        #expect(plot.lines.first?.points.first.map { $0.y >= area.y - 3 } == true)
    }

    @Test func dotsThatCoverEachOtherAreOne() {
        var plot = Self.plot()
        for index in 0..<1000 { plot.dot(0, finger: 1, seconds: 5 + Double(index) / 1e6, value: 10) }
        plot.dot(0, finger: 2, seconds: 5, value: 10)
        #expect(plot.allDots.count == 2)
    }

    /// Nobody needs to see colours: the marks of neighbours differ too.
    @Test func fingersAreToldApartByColourAndByMark() {
        var marks: Set<[Shape]> = []
        for finger in 1...42 {
            var plot = Self.plot()
            plot.add(Plot.Key(axis: 0, serial: 1), finger: finger, seconds: 5, value: 50, phase: .began)
            let shapes = plot.shapes.filter { if case .label = $0 { false } else { true } }
            marks.insert(Array(shapes.suffix(3)))
        }
        #expect(marks.count == 42)
    }

    /// What lies between two values far apart nobody knows: no slope is drawn there. A place stays what it was meanwhile.
    @Test func aLineHasABreakWhereNothingWasSaid() {
        var plot = Plot(
            size: Size(width: 600, height: 300), span: 0...10,
            axes: [Plot.Axis("v", 0...100), Plot.Axis("x", 0...100, isHeld: true)], background: Self.ground)
        for (seconds, value) in [(1.0, 10.0), (1.1, 20), (5, 80), (5.05, 90)] {
            for axis in 0...1 {
                plot.add(Plot.Key(axis: axis, serial: 1), finger: 1, seconds: seconds, value: value)
            }
        }
        #expect(plot.lines.map { $0.points.count } == [2, 2, 2, 2])
        for line in plot.lines { #expect(line.points[1].x - line.points[0].x < 10) }
        #expect(plot.rests.count == 1)
        #expect(plot.rests[0].start == Point(x: plot.x(1.1), y: plot.y(20, 1)) && plot.rests[0].end == plot.x(5))
    }

    @Test func whatIsNotKnownIsMarkedAndNotDrawn() {
        var plot = Self.plot()
        let key = Plot.Key(axis: 0, serial: 1)
        for (seconds, value, phase) in [
            (1.0, nil, ContactFrame.Phase.began), (1.01, 50.0, .moved), (1.02, 60, .moved), (3, nil, .moved),
            (3.01, 40, .moved), (3.02, nil, .ended),
        ] {
            plot.add(key, finger: 1, seconds: seconds, value: value, phase: phase)
        }
        #expect(plot.lines.map { $0.points.map { $0.y } } == [[plot.y(50, 0), plot.y(60, 0)], [plot.y(40, 0)]])
        #expect(plot.marks.map { $0.position } == [1.0, 3.02].map { Point(x: plot.x($0), y: plot.y(0, 0)) })
    }

    /// A mark stands for a beginning or an end, and never for a sample.
    @Test func onlyBeginningsAndEndsAreMarked() {
        var plot = Self.plot()
        for (serial, last) in [(UInt64(1), ContactFrame.Phase.ended), (2, .cancelled)] {
            for step in 0...100 {
                plot.add(
                    Plot.Key(axis: 0, serial: serial), finger: Int(serial), seconds: Double(step) / 20, value: 50,
                    phase: step == 0 ? .began : step == 100 ? last : .moved)
            }
        }
        #expect(plot.marks.map { $0.kind } == [.down, .up, .down, .cancelled])
        #expect(plot.marks.map { $0.position.x } == [plot.x(0), plot.x(5), plot.x(0), plot.x(5)])
        let words = plot.shapes.compactMap { if case .label(let label) = $0 { label.lines[0] } else { nil } }
        for word in ["down", "up", "cancelled"] { #expect(words.filter { $0 == word }.count == 1, "\(words)") }
        #expect(!words.contains("no samples"))
        // Of a contact that began before what is shown the beginning is not there to be marked.
        var part = Plot(
            size: Size(width: 600, height: 300), span: 2...3, axes: [Plot.Axis("v", 0...9)], background: .black)
        for (seconds, phase) in [(1.0, ContactFrame.Phase.began), (2.5, .moved), (4, .ended)] {
            part.add(Plot.Key(axis: 0, serial: 1), finger: 1, seconds: seconds, value: 5, phase: phase)
        }
        #expect(part.marks.isEmpty && part.lines.count == 1)
    }

    @Test func linesOfContactsThatStayDownComeInTheirOrder() {
        var plot = Self.plot()
        for serial in (1...20).reversed() {
            plot.add(Plot.Key(axis: 0, serial: UInt64(serial)), finger: serial, seconds: 1, value: 1)
        }
        #expect(plot.lines.map { $0.finger } == Array(1...20))
    }

    @Test func thePlotLooksAsItDid() throws {
        var plot = Self.plot(2)
        for step in 0...100 {
            for finger in 1...8 where step <= 80 + 2 * finger && !(30...34 + finger).contains(step) {
                let value = Double((step * finger) % 100)
                plot.add(
                    Plot.Key(axis: 0, serial: UInt64(finger)), finger: finger, seconds: Double(step) / 10, value: value,
                    phase: step == 0 ? .began : step < 80 + 2 * finger ? .moved : finger < 8 ? .ended : .cancelled)
            }
            plot.dot(1, finger: 1 + step % 2, seconds: Double(step) / 10, value: Double(step))
        }
        // Fonts are the machine's.
        let shapes = plot.shapes.filter { if case .label = $0 { false } else { true } }
        let canvas = FrameCanvas(size: PixelSize(width: 600, height: 300), scale: 1, background: Self.ground)
        #expect(canvas.show(shapes) == Region(canvas.size.rect))
        #expect(try isGolden("plot", canvas.image))
    }
}
