internal import Gestures
internal import Pixman
internal import Ripples

/// A disc in the pixels of a buffer, and around it a ring.
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
    /// Without the opacity.
    var colors: ShapeColors
    /// Of both colours, 0 to 1.
    var opacity: Double

    /// Nil when nothing of it could be seen, or its numbers make no sense.
    init?(_ disc: Disc, in space: PixelSpace) {
        guard let center = space.place(disc.center), let radius = space.length(disc.radius),
            let outlineWidth = space.length(disc.outlineWidth)
        else { return nil }
        let place = disc.isRigid ? PixelSnap.whole(center) : center
        centerX = place.x
        centerY = place.y
        inner = radius
        outer = inner + (disc.outline.alpha == 0 ? 0 : outlineWidth)
        innerCurvature = inner > 1e-6 ? 1 / inner : 0
        outerCurvature = outer > 1e-6 ? 1 / outer : 0
        colors = ShapeColors(fill: disc.fill, outline: disc.outline)
        opacity = disc.opacity
        // In this order a NaN is not seen.
        guard outer < PixelSpace.limit, outer > 0, opacity > 0 else { return nil }
        if disc.fill.alpha == 0, outer <= inner { return nil }
    }

    /// All pixels that it touches.
    var bounds: PixelRect {
        PixelRect(around: centerX - outer, centerY - outer, centerX + outer, centerY + outer)
    }
}
