internal import Gestures
internal import Recording
package import Ripples

// What a plot looks like.
extension Plot {
    /// Between the numbers beside a line, logical px.
    private static let numberDistance = 180.0

    package var shapes: [Shape] {
        var shapes: [Shape] = []
        for axis in axes.indices { appendGrid(axis, &shapes) }
        appendTimes(&shapes)
        for rest in rests {
            let color = FingerColors.color(of: rest.finger).fading(to: 0.7)
            shapes.append(line(rest.start, Point(x: rest.end, y: rest.start.y), color))
        }
        for line in lines { append(line, &shapes) }
        for mark in marks { append(mark.kind, of: mark.finger, at: mark.position, &shapes) }
        for value in allDots { shapes.append(dot(value.finger, at: value.position, radius: 2.2)) }
        appendLegend(&shapes)
        appendKey(&shapes)
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
        shapes.append(.label(.plain(series, at: Point(x: x - 8, y: 33), from: (1, 0.5), color: ink)))
        for finger in fingers.sorted().prefix(20) {
            if marks.isEmpty {
                shapes.append(dot(finger, at: Point(x: x, y: 33), radius: 4))
            } else {
                appendMark(finger, at: Point(x: x, y: 33), &shapes)
            }
            shapes.append(.label(.plain("\(finger)", at: Point(x: x + 4, y: 33), from: (0, 0.5), color: ink)))
            x += 44
        }
    }

    /// What the marks on the lines mean: of those alone that are there.
    private func appendKey(_ shapes: inout [Shape]) {
        var x = area(0).maxX - 8
        let finger = fingers.min() ?? 1
        func append(_ word: String, width: Double, _ sample: (Point) -> Void) {
            x -= width
            sample(Point(x: x, y: 14))
            shapes.append(.label(.plain(word, at: Point(x: x + 12, y: 14), from: (0, 0.5), color: ink)))
        }
        for (kind, word, width) in [(Mark.Kind.cancelled, "cancelled", 104.0), (.up, "up", 56), (.down, "down", 72)]
        where marks.contains(where: { $0.kind == kind }) {
            append(word, width: width) { self.append(kind, of: finger, at: $0, &shapes) }
        }
        guard !rests.isEmpty else { return }
        let color = FingerColors.color(of: finger).fading(to: 0.7)
        append("no samples", width: 120) { place in
            shapes.append(line(Point(x: place.x - 12, y: place.y), Point(x: place.x + 6, y: place.y), color))
        }
    }

    // MARK: Lines

    private func append(_ line: PlotLine, _ shapes: inout [Shape]) {
        guard let first = line.points.first else { return }
        let color = FingerColors.color(of: line.finger)
        if line.points.count == 1 { shapes.append(dot(line.finger, at: first, radius: 2.2)) }
        // A rim of the ink's colour keeps yellow on white and blue on black apart from their grounds.
        shapes.append(
            .stroke(
                Stroke(line.points, radius: 1.1, color: color, outline: ink.fading(to: 0.3), outlineWidth: 0.6)))
        guard fingers.count > 1 else { return }
        // By time alone, so that a line that trembles has no more of them; each finger at places of its own, or numbers would
        // lie over each other where fingers are together.
        let phase = Plot.numberDistance * Double(line.finger % 6) / 6
        var next = phase + ((first.x + 8 - phase) / Plot.numberDistance).rounded(.up) * Plot.numberDistance
        for (from, to) in zip(line.points, line.points.dropFirst()) where to.x > from.x {
            while next <= to.x {
                let share = (next - from.x) / (to.x - from.x)
                let place = Point(x: next, y: from.y + (to.y - from.y) * share - 3)
                shapes.append(.label(.plain("\(line.finger)", at: place, from: (0.5, 1), color: ink, size: 11)))
                next += Plot.numberDistance
            }
        }
    }

    private func append(_ kind: Mark.Kind, of finger: Int, at place: Point, _ shapes: inout [Shape]) {
        let color = FingerColors.color(of: finger)
        switch kind {
        case .down: appendMark(finger, at: place, &shapes)
        case .up:
            let ends = [Point(x: place.x, y: place.y - 6), Point(x: place.x, y: place.y + 6)]
            shapes.append(
                .stroke(
                    Stroke(ends, radius: 1.1, color: color, outline: background.fading(to: 0.8), outlineWidth: 1)))
        case .cancelled:
            // Hollow, as in all styles.
            shapes.append(
                .disc(Disc(center: place, radius: 5, fill: background, outline: color, outlineWidth: 1.6)))
        }
    }

    private func dot(_ finger: Int, at place: Point, radius: Double) -> Shape {
        .disc(Disc(center: place, radius: radius, fill: FingerColors.color(of: finger)))
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
