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
            plot.add(Plot.Key(axis: 0, serial: 1), finger: finger, seconds: 5, value: 50)
            let shapes = plot.shapes.filter { if case .label = $0 { false } else { true } }
            marks.insert(Array(shapes.suffix(3)))
        }
        #expect(marks.count == 42)
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
            for finger in 1...8 {
                let value = Double((step * finger) % 100)
                plot.add(
                    Plot.Key(axis: 0, serial: UInt64(finger)), finger: finger, seconds: Double(step) / 10, value: value)
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
