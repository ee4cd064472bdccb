internal import Gestures
package import Pixman
package import Ripples

/// A ripple's shape in the pixels of a buffer: a filled disc, and around it a ring.
///
/// The fill reaches to `inner`, the outline from there to `outer`; they share no area, so a translucent outline shows the
/// ground and not the fill.
struct PixelDisc {
    var centerX: Double
    var centerY: Double
    var inner: Double
    var outer: Double
    /// 1 / radius; 0 for no circle, whose arc has no length either.
    var innerCurvature: Double
    var outerCurvature: Double
    var fill: PremultipliedWeights
    var outline: PremultipliedWeights

    /// Nil when nothing of it could be seen, or its numbers make no sense.
    ///
    /// `scale` is buffer pixels for one logical px, `origin` the buffer's top left corner in logical px.
    init?(_ shape: RippleShape, scale: Double, origin: Point) {
        guard shape.radius.isFinite, shape.outlineWidth.isFinite else { return nil }
        centerX = (shape.center.x - origin.x) * scale
        centerY = (shape.center.y - origin.y) * scale
        inner = max(0, shape.radius * scale)
        outer = inner + (shape.outline.alpha == 0 ? 0 : max(0, shape.outlineWidth * scale))
        innerCurvature = inner > 1e-6 ? 1 / inner : 0
        outerCurvature = outer > 1e-6 ? 1 / outer : 0
        fill = PremultipliedWeights(shape.fill)
        outline = PremultipliedWeights(shape.outline)
        // Past a hundred times the widest screen a disc is a mistake; NaN is below no limit.
        let limit = 1e6
        guard abs(centerX) < limit, abs(centerY) < limit, outer < limit, outer > 0 else { return nil }
        if shape.fill.alpha == 0, outer <= inner { return nil }
    }

    /// All pixels that it touches.
    var bounds: PixelRect {
        PixelRect(
            left: Int32((centerX - outer).rounded(.down)), top: Int32((centerY - outer).rounded(.down)),
            right: Int32((centerX + outer).rounded(.up)), bottom: Int32((centerY + outer).rounded(.up)))
    }
}

/// A colour's premultiplied channels in units of 1/256, so that a share of it is rounded once, at the end. Two to a word.
struct PremultipliedWeights {
    var alphaGreen: UInt64
    var redBlue: UInt64

    init(_ color: Color) {
        let scaled = { (channel: UInt8) -> UInt64 in (UInt64(channel) * UInt64(color.alpha) * 256 + 127) / 255 }
        alphaGreen = scaled(255) << 32 | scaled(color.green)
        redBlue = scaled(color.red) << 32 | scaled(color.blue)
    }
}

extension PremultipliedColor {
    /// From the straight channels that styles use.
    package init(_ color: Color) {
        self.init(straightRed: color.red, green: color.green, blue: color.blue, alpha: color.alpha)
    }
}
