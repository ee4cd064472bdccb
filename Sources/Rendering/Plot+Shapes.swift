internal import Gestures
internal import Recording
package import Ripples

// What a plot looks like.
extension Plot {
    /// Between the marks on a line, logical px.
    private static let markDistance = 90.0

    package var shapes: [Shape] {
        var shapes: [Shape] = []
        for axis in axes.indices { appendGrid(axis, &shapes) }
        appendTimes(&shapes)
        for line in lines { append(line, &shapes) }
        for dot in allDots {
            shapes.append(.disc(Disc(center: dot.position, radius: 2.2, fill: FingerColors.color(of: dot.finger))))
        }
        appendLegend(&shapes)
        return shapes
    }

    private var ink: Color { Color.ink(on: background) }

    // MARK: Axes

    private func appendGrid(_ axis: Int, _ shapes: inout [Shape]) {
        let area = area(axis)
        let faint = ink.fading(to: 0.22)
        for value in Ticks.values(axes[axis].range, most: max(2, Int(area.height / 40))) {
            let y = y(value, axis)
            shapes.append(line(Point(x: area.x, y: y), Point(x: area.maxX, y: y), faint))
            shapes.append(.label(.plain(number(value), at: Point(x: area.x - 4, y: y), from: (1, 0.5), color: ink)))
        }
        for time in times {
            shapes.append(line(Point(x: x(time), y: area.y), Point(x: x(time), y: area.maxY), faint))
        }
        let corners = [
            Point(x: area.x, y: area.y), Point(x: area.maxX, y: area.y), Point(x: area.maxX, y: area.maxY),
            Point(x: area.x, y: area.maxY),
        ]
        shapes.append(.stroke(Stroke(corners, closed: true, radius: 0.5, color: ink.fading(to: 0.6))))
        shapes.append(
            .label(
                .plain(axes[axis].title, at: Point(x: area.x - 4, y: area.y - 2), from: (0, 1), color: ink)))
    }

    private var times: [Double] { Ticks.values(span, most: 10) }

    private func appendTimes(_ shapes: inout [Shape]) {
        let area = area(axes.count - 1)
        for time in times {
            shapes.append(
                .label(.plain(number(time), at: Point(x: x(time), y: area.maxY + 2), from: (0.5, 0), color: ink)))
        }
        shapes.append(.label(.plain("seconds", at: Point(x: area.maxX, y: size.height - 2), from: (1, 1), color: ink)))
    }

    /// As few digits as the numbers of one axis need.
    private func number(_ value: Double) -> String { decimalText(value, places: 4) ?? "?" }

    private func line(_ from: Point, _ to: Point, _ color: Color) -> Shape {
        .stroke(Stroke([from, to], radius: 0.5, color: color))
    }

    private func appendLegend(_ shapes: inout [Shape]) {
        shapes.append(.label(.plain(title, at: Point(x: 6, y: 4), from: (0, 0), color: ink, size: 15)))
        // More have their colours and marks again.
        var x = 86.0
        guard fingers.count > 1 else { return }
        shapes.append(.label(.plain("finger", at: Point(x: x - 8, y: 33), from: (1, 0.5), color: ink)))
        for finger in fingers.sorted().prefix(20) {
            appendMark(finger, at: Point(x: x, y: 33), &shapes)
            shapes.append(.label(.plain("\(finger)", at: Point(x: x + 4, y: 33), from: (0, 0.5), color: ink)))
            x += 44
        }
    }

    // MARK: Lines

    private func append(_ line: PlotLine, _ shapes: inout [Shape]) {
        guard let first = line.points.first else { return }
        let color = FingerColors.color(of: line.finger)
        // A rim of the ink's colour keeps yellow on white and blue on black apart from their grounds.
        shapes.append(
            .stroke(
                Stroke(line.points, radius: 1.1, color: color, outline: ink.fading(to: 0.3), outlineWidth: 0.6)))
        appendMark(line.finger, at: first, &shapes)
        // By time alone, so that a line that trembles has no more of them.
        var next = first.x + Plot.markDistance
        for (from, to) in zip(line.points, line.points.dropFirst()) where to.x > from.x {
            while next <= to.x {
                let share = (next - from.x) / (to.x - from.x)
                appendMark(line.finger, at: Point(x: next, y: from.y + (to.y - from.y) * share), &shapes)
                next += Plot.markDistance
            }
        }
    }

    private func appendMark(_ finger: Int, at place: Point, _ shapes: inout [Shape]) {
        let color = FingerColors.color(of: finger)
        let radius = 4.0
        func stroke(_ points: [(x: Double, y: Double)], closed: Bool) {
            let nodes = points.map { Point(x: place.x + radius * $0.x, y: place.y + radius * $0.y) }
            shapes.append(
                .stroke(
                    Stroke(
                        nodes, closed: closed, radius: 1.1, color: color, outline: background.fading(to: 0.8),
                        outlineWidth: 1)))
        }
        // Six marks and seven colours: the first 42 fingers are all different.
        switch (finger - 1) % 6 {
        case 0:
            shapes.append(
                .disc(
                    Disc(
                        center: place, radius: radius, fill: color, outline: background.fading(to: 0.8), outlineWidth: 1
                    )))
        case 1: stroke([(-1, -1), (1, -1), (1, 1), (-1, 1)], closed: true)
        case 2: stroke([(0, -1.2), (1.1, 0.9), (-1.1, 0.9)], closed: true)
        case 3: stroke([(0, -1.4), (1.4, 0), (0, 1.4), (-1.4, 0)], closed: true)
        case 4:
            stroke([(-1, -1), (1, 1)], closed: false)
            stroke([(-1, 1), (1, -1)], closed: false)
        default:
            stroke([(-1.3, 0), (1.3, 0)], closed: false)
            stroke([(0, -1.3), (0, 1.3)], closed: false)
        }
    }
}
