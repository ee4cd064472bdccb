public import Gestures

/// A disc of `radius` filled with `fill`, and around it a ring from `radius` to `radius + outlineWidth` of `outline`. Logical
/// px; colours with straight alpha.
public struct Disc: Hashable, Sendable {
    public var center: Point
    public var radius: Double
    public var fill: Color
    public var outline: Color
    public var outlineWidth: Double
    /// Over so many px inwards from `radius` the fill's edge fades in. 0 for a sharp edge.
    public var softness: Double
    /// It moves as a whole: see ``Stroke/isRigid``.
    public var isRigid = false
    /// 0 to 1, of all of it: see ``Stroke/opacity``.
    public var opacity = 1.0

    public init(
        center: Point, radius: Double, fill: Color, outline: Color = .clear, outlineWidth: Double = 0,
        softness: Double = 0
    ) {
        self.center = center
        self.radius = radius
        self.fill = fill
        self.outline = outline
        self.outlineWidth = outlineWidth
        self.softness = softness
    }

    /// All that it covers, without the pixels that a renderer's antialiasing touches beyond.
    public var bounds: Rect { Rect(center: center, radius: radius + outlineWidth) }
}
