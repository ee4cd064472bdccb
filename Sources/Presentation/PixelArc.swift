internal import Gestures
internal import Pixman
internal import Ripples

/// An arc in buffer pixels: all that is nearer to a part of a circle than half a line's width.
struct PixelArc: CoverageField {
    let bounds: PixelRect
    private let center: Point
    private let circle: Double
    private let start: Double
    private let sweep: Double
    /// No pixel's centre farther than this from the arc is covered.
    private let reach: Double

    private let anchor: Anchor
    private let radius: Float
    /// From the centre to the arc's middle.
    private let middleX: Float
    private let middleY: Float
    /// Of half the sweep.
    private let cosine: Float
    private let sine: Float
    private let inner: (radius: Float, opacity: Float)
    private let outer: (radius: Float, opacity: Float)

    /// Nil when nothing of it could be seen, or its numbers make no sense.
    init?(_ arc: Arc, in space: PixelSpace) {
        guard let center = space.place(arc.center), let circle = space.length(arc.radius),
            let lineRadius = space.length(arc.lineRadius), let outlineWidth = space.length(arc.outlineWidth),
            arc.start.magnitude < PixelSpace.limit, arc.sweep.magnitude < PixelSpace.limit
        else { return nil }
        let hasOutline = arc.outline.alpha > 0 && outlineWidth > 0
        if arc.color.alpha == 0 && !hasOutline { return nil }
        let line = LineWidth(lineRadius, 1)
        let whole = LineWidth(lineRadius + (hasOutline ? outlineWidth : 0), 1)
        self.center = center
        self.circle = circle
        sweep = min(360, arc.sweep.magnitude)
        start = arc.sweep < 0 ? arc.start + arc.sweep : arc.start
        reach = whole.radius + 0.5
        bounds = Self.bounds(center, circle, start, sweep, reach)
        anchor = Anchor(center.x, center.y)
        radius = Float(circle)
        let middle = Point.direction(degrees: start + sweep / 2)
        let half = sweep < 360 ? Point.direction(degrees: sweep / 2) : Point(x: -1, y: 0)
        middleX = Float(middle.x)
        middleY = Float(middle.y)
        cosine = Float(half.x)
        sine = Float(half.y)
        inner = (Float(line.radius + 0.5), Float(line.opacity))
        outer = (Float(whole.radius + 0.5), Float(whole.opacity))
    }

    private static func bounds(
        _ center: Point, _ radius: Double, _ start: Double, _ sweep: Double, _ reach: Double
    ) -> PixelRect {
        let first = Point.direction(degrees: start)
        let last = Point.direction(degrees: start + sweep)
        var (left, right) = (min(first.x, last.x), max(first.x, last.x))
        var (top, bottom) = (min(first.y, last.y), max(first.y, last.y))
        // The axes that it crosses.
        var quarter = (start / 90).rounded(.up)
        while quarter * 90 <= start + sweep {
            switch Int(quarter) & 3 {
            case 0: right = 1
            case 1: bottom = 1
            case 2: left = -1
            default: top = -1
            }
            quarter += 1
        }
        return PixelRect(
            around: center.x + left * radius - reach, center.y + top * radius - reach,
            center.x + right * radius + reach, center.y + bottom * radius + reach)
    }

    func columns(y: Int) -> (Range<Int>, Range<Int>) {
        let line = Double(y) + 0.5 - center.y
        let farthest = circle + reach
        let nearest = circle - reach
        let far = max(0, (farthest - line) * (farthest + line)).squareRoot()
        let all = bounds.columns
        let left = Int((center.x - far - 0.5).rounded(.down))
        let right = Int((center.x + far + 0.5).rounded(.up))
        guard nearest > line.magnitude else { return ((left..<max(left, right)).clamped(to: all), 0..<0) }
        let near = ((nearest - line) * (nearest + line)).squareRoot()
        let leftEnd = Int((center.x - near + 0.5).rounded(.up))
        let rightStart = max(leftEnd, Int((center.x + near - 0.5).rounded(.down)))
        return (
            (left..<max(left, leftEnd)).clamped(to: all), (rightStart..<max(rightStart, right)).clamped(to: all)
        )
    }

    @inline(__always)
    func coverage(x: Int, y: Int) -> (inner: Lanes, outer: Lanes) {
        let offsetX = anchor.offsetX(x)
        let offsetY = anchor.offsetY(y)
        // Mirrored at the arc's middle, which lies on the first axis.
        let along = offsetX * middleX + offsetY * middleY
        let across = (offsetY * middleX - offsetX * middleY).magnitudes
        let toCircle = ((along * along + across * across).magnitudes.squareRoot() - radius).magnitudes
        let endX = along - radius * cosine
        let endY = across - radius * sine
        let toEnd = (endX * endX + endY * endY).magnitudes.squareRoot()
        let distance = toCircle.replacing(with: toEnd, where: across * cosine .> along * sine)
        return (
            (inner.radius - distance).clampedToUnit * inner.opacity,
            (outer.radius - distance).clampedToUnit * outer.opacity
        )
    }

    /// Calls `body` with rectangles that cover it all, but not much of a large ring's middle.
    func forEachPart(_ body: (PixelRect) -> Void) {
        let length = circle * sweep * (Double.pi / 180)
        let count = (length / partLength).rounded(.up)
        // A small ring has no middle to spare, and a huge one no end of parts.
        guard circle > partLength, count <= 64 else { return body(bounds) }
        var part = 0.0
        while part < count {
            body(Self.bounds(center, circle, start + sweep * part / count, sweep / count, reach))
            part += 1
        }
    }
}
