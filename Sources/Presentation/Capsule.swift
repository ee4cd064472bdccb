internal import Gestures
internal import Pixman
internal import Ripples

/// One straight piece of a stroke in buffer pixels: all that is nearer to a line than a half width, which changes evenly from
/// one end to the other.
struct Capsule: CoverageField {
    /// A stroke's node in buffer pixels.
    struct End {
        var place: Point
        var inner: LineWidth
        var outer: LineWidth

        /// Nil when its numbers make no sense.
        init?(_ node: Stroke.Node, outlineWidth: Double, in space: PixelSpace) {
            guard let place = space.place(node.position), let radius = space.length(node.radius) else { return nil }
            self.place = place
            // In this order a NaN ends as 0.
            let opacity = min(1, max(0, node.opacity))
            inner = LineWidth(radius, opacity)
            outer = LineWidth(radius + outlineWidth, opacity)
        }
    }

    let bounds: PixelRect
    private let start: Point
    private let way: Point
    private let length: Double
    /// No pixel's centre farther than this from the line is covered.
    private let reach: Double
    /// Columns for a row, and how far from the line's own column it may reach in a row; 0 for what runs along the rows.
    private let slope: Double
    private let half: Double

    private let anchor: Anchor
    private let directionX: Float
    private let directionY: Float
    /// 1 / length squared; 0 for a dot.
    private let inverseSquare: Float
    private let inner: Edge
    private let outer: Edge

    init(_ a: End, _ b: End) {
        start = a.place
        way = b.place - a.place
        length = way.distance(to: .zero)
        reach = max(a.outer.radius, b.outer.radius) + 0.5
        bounds = PixelRect(
            around: min(a.place.x, b.place.x) - reach, min(a.place.y, b.place.y) - reach,
            max(a.place.x, b.place.x) + reach, max(a.place.y, b.place.y) + reach)
        anchor = Anchor(a.place.x, a.place.y)
        let isSteep = way.y.magnitude > 1e-3
        slope = isSteep ? 1 / way.y : 0
        half = isSteep ? reach * length / way.y.magnitude : 0
        directionX = Float(way.x)
        directionY = Float(way.y)
        inverseSquare = length > 1e-6 ? Float(1 / (length * length)) : 0
        inner = Edge(a.inner, b.inner)
        outer = Edge(a.outer, b.outer)
    }

    /// Half widths and opacities along the line.
    private struct Edge {
        let radius: Float
        let growth: Float
        let opacity: Float
        let change: Float

        init(_ a: LineWidth, _ b: LineWidth) {
            // A pixel whose centre is on the edge is half covered.
            radius = Float(a.radius + 0.5)
            growth = Float(b.radius - a.radius)
            opacity = Float(a.opacity)
            change = Float(b.opacity - a.opacity)
        }

        @inline(__always)
        func coverage(_ share: Lanes, _ distance: Lanes) -> Lanes {
            (radius + share * growth - distance).clampedToUnit * (opacity + share * change)
        }
    }

    func columns(y: Int) -> (Range<Int>, Range<Int>) {
        let line = Double(y) + 0.5 - start.y
        // The part of the line that is near enough above and below.
        var first = 0.0
        var last = 1.0
        if slope != 0 {
            first = min(1, max(0, (line - reach) * slope))
            last = min(1, max(0, (line + reach) * slope))
        }
        let (a, b) = (start.x + way.x * first, start.x + way.x * last)
        var low = min(a, b) - reach
        var high = max(a, b) + reach
        if slope != 0 {
            // Nothing is farther from the endless line than from its part.
            let middle = start.x + way.x * (line * slope)
            low = max(low, middle - half)
            high = min(high, middle + half)
        }
        // Those whose centres are between the two.
        let left = roundedUp(low - 0.5)
        let right = roundedDown(high + 0.5)
        return ((left..<max(left, right)).clamped(to: bounds.columns), 0..<0)
    }

    @inline(__always)
    func coverage(x: Int, y: Int) -> (inner: Lanes, outer: Lanes) {
        let offsetX = anchor.offsetX(x)
        let offsetY = anchor.offsetY(y)
        let share = ((offsetX * directionX + offsetY * directionY) * inverseSquare).clampedToUnit
        let awayX = offsetX - share * directionX
        let awayY = offsetY - share * directionY
        let distance = (awayX * awayX + awayY * awayY).magnitudes.squareRoot()
        return (inner.coverage(share, distance), outer.coverage(share, distance))
    }

    /// Calls `body` with rectangles that cover it all, but not much else, however long it is.
    func forEachPart(_ body: (PixelRect) -> Void) {
        let count = max(1, (min(way.x.magnitude, way.y.magnitude) / partLength).rounded(.up))
        guard count > 1 else { return body(bounds) }
        var part = 0.0
        while part < count {
            let (a, b) = (part / count, (part + 1) / count)
            let (left, right) = (start.x + way.x * a, start.x + way.x * b)
            let (top, bottom) = (start.y + way.y * a, start.y + way.y * b)
            body(
                PixelRect(
                    around: min(left, right) - reach, min(top, bottom) - reach, max(left, right) + reach,
                    max(top, bottom) + reach))
            part += 1
        }
    }
}

/// Half a line's width, at least half a pixel: a thinner line is as much paler.
struct LineWidth {
    var radius: Double
    var opacity: Double

    init(_ radius: Double, _ opacity: Double) {
        self.radius = max(0.5, radius)
        self.opacity = opacity * min(1, 2 * radius)
    }
}

/// Long lines are damaged in parts of about so many px, so that a diagonal does not cost the square around it.
let partLength = 64.0
