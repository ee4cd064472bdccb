package import Gestures
internal import Recording
package import Ripples

/// Values over time, one diagram below the other on the same axis of time, a line for each contact.
///
/// Fingers are told apart by colour and, for who sees no colours, by the mark where each comes down and by the numbers beside
/// the lines. A line has a break where nothing was said of its contact for ``longestSilence``: what lies between two values
/// that far apart nobody knows.
package struct Plot {
    /// Seconds. As `info` has it: beyond it nothing moved, and the panel had nothing to say.
    package static let longestSilence = IntervalFigures.pause / 1000

    package struct Axis: Sendable {
        package var title: String
        package var range: ClosedRange<Double>
        /// From above to below, as places on a screen are counted.
        package var isDown = false
        /// A value stays what it was until the next one comes, as a finger's place does: a thin line says so where the line
        /// has a break.
        package var isHeld = false

        package init(_ title: String, _ range: ClosedRange<Double>, isDown: Bool = false, isHeld: Bool = false) {
            self.title = title
            self.isHeld = isHeld
            self.isDown = isDown
            // What has no room has some.
            self.range = range.upperBound > range.lowerBound ? range : range.lowerBound...range.lowerBound + 1
            self.isDown = isDown
        }
    }

    /// Whose line it is.
    package struct Key: Hashable, Sendable {
        package var axis: Int
        package var serial: UInt64

        package init(axis: Int, serial: UInt64) {
            self.axis = axis
            self.serial = serial
        }
    }

    /// Logical px, of the whole.
    package let size: Size
    package var title = ""
    /// What is told apart by colours.
    package var series = "finger"
    /// Seconds.
    let span: ClosedRange<Double>
    let axes: [Axis]
    let background: Color

    private var open: [Key: (line: PlotLine, last: (seconds: Double, place: Point))] = [:]
    private var finished: [PlotLine] = []
    private(set) var rests: [Rest] = []
    private(set) var marks: [Mark] = []
    private var dots: [Dot] = []
    private var dotCells: Set<Int> = []
    private(set) var fingers: Set<Int> = []

    /// A value of its own.
    struct Dot: Sendable {
        var finger: Int
        var position: Point
    }

    /// A value that was not told again.
    struct Rest: Sendable {
        var finger: Int
        var start: Point
        /// x.
        var end: Double
    }

    /// Where a contact begins or ends.
    struct Mark: Sendable {
        enum Kind: Sendable {
            case down, up, cancelled
        }

        var kind: Kind
        var finger: Int
        var position: Point
    }

    package init(size: Size, span: ClosedRange<Double>, axes: [Axis], background: Color) {
        self.size = size
        self.span = span
        self.axes = axes
        self.background = background
    }

    // MARK: Values

    /// As exact as stamps are: the difference of two rounded numbers is not.
    package static func isSilence(from start: Double, to end: Double) -> Bool { end - start > longestSilence + 1e-6 }

    /// Draws the contact's line on to this value; nil is not known, and only marked. A finger's number, from 1, is its colour's.
    package mutating func add(
        _ key: Key, finger: Int, seconds: Double, value: Double?, phase: ContactFrame.Phase = .moved
    ) {
        defer { if phase.isTerminal || value == nil { end(key) } }
        guard span.contains(seconds), value?.isFinite != false else { return }
        fingers.insert(finger)
        let place = place(seconds, value ?? axes[key.axis].range.lowerBound, key.axis)
        switch phase {
        case .began: marks.append(Mark(kind: .down, finger: finger, position: place))
        case .moved: break
        case .ended: marks.append(Mark(kind: .up, finger: finger, position: place))
        case .cancelled: marks.append(Mark(kind: .cancelled, finger: finger, position: place))
        }
        if value == nil { return }
        if let last = open[key]?.last, Plot.isSilence(from: last.seconds, to: seconds) {
            end(key)
            if axes[key.axis].isHeld { rests.append(Rest(finger: finger, start: last.place, end: place.x)) }
        }
        var line = open[key]?.line ?? PlotLine(finger: finger)
        line.add(place)
        open[key] = (line, (seconds, place))
    }

    private mutating func end(_ key: Key) {
        guard var line = open.removeValue(forKey: key)?.line else { return }
        line.finish()
        finished.append(line)
    }

    /// Puts a dot at a value. Dots that cover each other are one.
    package mutating func dot(_ axis: Int, finger: Int, seconds: Double, value: Double) {
        guard span.contains(seconds), value.isFinite else { return }
        fingers.insert(finger)
        let place = place(seconds, value, axis)
        // By their pixels; far outside of everything they are all the same.
        let cell = (Int(min(max(place.y, -1e4), 1e4)) * 32768 + Int(place.x)) * 64 + min(63, finger)
        if dotCells.insert(cell).inserted { dots.append(Dot(finger: finger, position: place)) }
    }

    var lines: [PlotLine] {
        var lines = finished
        // In the order of their contacts: a dictionary's own is another one in each run.
        for key in open.keys.sorted(by: { ($0.serial, $0.axis) < ($1.serial, $1.axis) }) {
            guard var line = open[key]?.line else { continue }
            line.finish()
            lines.append(line)
        }
        return lines
    }

    var allDots: [Dot] { dots }

    // MARK: Places

    private static let margins = (left: 78.0, top: 62.0, right: 20.0, bottom: 44.0)
    /// Between two diagrams.
    private static let gap = 26.0

    /// Where an axis's diagram is, logical px.
    func area(_ axis: Int) -> Rect {
        let margins = Plot.margins
        let gaps = Plot.gap * Double(axes.count - 1)
        let height = (size.height - margins.top - margins.bottom - gaps) / Double(axes.count)
        return Rect(
            x: margins.left, y: margins.top + Double(axis) * (height + Plot.gap),
            width: size.width - margins.left - margins.right, height: height)
    }

    func x(_ seconds: Double) -> Double {
        let area = area(0)
        let length = span.upperBound - span.lowerBound
        return area.x + area.width * (length > 0 ? (seconds - span.lowerBound) / length : 0.5)
    }

    func y(_ value: Double, _ axis: Int) -> Double {
        let (area, range) = (area(axis), axes[axis].range)
        let share = (value - range.lowerBound) / (range.upperBound - range.lowerBound)
        return axes[axis].isDown ? area.y + area.height * share : area.maxY - area.height * share
    }

    /// Kept near its diagram, so that what lies beyond its range runs along the edge.
    private func place(_ seconds: Double, _ value: Double, _ axis: Int) -> Point {
        let area = area(axis)
        return Point(x: x(seconds), y: min(max(y(value, axis), area.y - 3), area.maxY + 3))
    }
}

/// The line of one contact in one diagram. Of many values within half a pixel the first, the lowest, the highest and the last
/// are kept, which look the same: memory follows the picture's width and not the recording's length.
struct PlotLine: Sendable {
    let finger: Int
    private(set) var points: [Point] = []

    private var column = Int.min
    private var low = Point.zero
    private var high = Point.zero
    private var last = Point.zero
    /// Whether the low one came after the high one.
    private var isFalling = false

    init(finger: Int) { self.finger = finger }

    mutating func add(_ point: Point) {
        let column = Int(2 * point.x)
        if column != self.column {
            finish()
            self.column = column
            points.append(point)
            (low, high, last) = (point, point, point)
            return
        }
        last = point
        if point.y < low.y {
            low = point
            isFalling = true
        }
        if point.y > high.y {
            high = point
            isFalling = false
        }
    }

    /// Takes what waits.
    mutating func finish() {
        for point in [isFalling ? high : low, isFalling ? low : high, last] where column != .min && point != points.last
        {
            points.append(point)
        }
        column = .min
    }
}
