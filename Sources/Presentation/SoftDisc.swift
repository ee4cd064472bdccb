internal import Gestures
internal import Pixman
internal import Ripples

/// A disc in buffer pixels whose fill fades in from its edge.
struct SoftDisc: CoverageField {
    let bounds: PixelRect
    private let center: Point
    private let reach: Double
    private let anchor: Anchor
    private let radius: Float
    private let inverseSoftness: Float
    private let outlineEnd: Float

    /// Nil when the disc has a sharp edge.
    init?(_ disc: PixelDisc, softness: Double, in space: PixelSpace) {
        // Within a pixel there is nothing to fade.
        guard let softness = space.length(softness), softness > 1 else { return nil }
        center = Point(x: disc.centerX, y: disc.centerY)
        reach = disc.outer + 0.5
        bounds = PixelRect(
            around: center.x - reach, center.y - reach, center.x + reach, center.y + reach)
        anchor = Anchor(center.x, center.y)
        radius = Float(disc.inner)
        inverseSoftness = Float(1 / softness)
        outlineEnd = Float(disc.outer)
    }

    func columns(y: Int) -> (Range<Int>, Range<Int>) {
        let line = Double(y) + 0.5 - center.y
        let half = max(0, (reach - line) * (reach + line)).squareRoot()
        let left = Int((center.x - half - 0.5).rounded(.down))
        let right = Int((center.x + half + 0.5).rounded(.up))
        return ((left..<max(left, right)).clamped(to: bounds.columns), 0..<0)
    }

    @inline(__always)
    func coverage(x: Int, y: Int) -> (inner: Lanes, outer: Lanes) {
        let offsetX = anchor.offsetX(x)
        let offsetY = anchor.offsetY(y)
        let distance = (offsetX * offsetX + offsetY * offsetY).magnitudes.squareRoot()
        let depth = ((radius - distance) * inverseSoftness).clampedToUnit
        // Without a bend at either end, or the eye sees a ring there (Mach bands).
        let fill = depth * depth * (3 - 2 * depth)
        let ring = (outlineEnd + 0.5 - distance).clampedToUnit - (radius + 0.5 - distance).clampedToUnit
        return (fill, fill + ring)
    }
}
