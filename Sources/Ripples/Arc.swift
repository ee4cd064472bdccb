public import Gestures

/// A line along a circle, or along a part of it with round ends, and around it an outline. Logical px; colours with straight
/// alpha.
public struct Arc: Hashable, Sendable {
    public var center: Point
    /// To the middle of the line.
    public var radius: Double
    /// Degrees clockwise on the screen from the x axis, where it begins.
    public var start: Double
    /// Degrees clockwise from there to its end; 360 or more, either way, for the whole circle.
    public var sweep: Double
    /// Half the line's width. Below half a pixel the line is drawn a pixel wide, and the paler.
    public var lineRadius: Double
    public var color: Color
    public var outline: Color
    /// Drawn outside the line's width, on both its sides. 0 for none.
    public var outlineWidth: Double

    public init(
        center: Point, radius: Double, start: Double = 0, sweep: Double = 360, lineRadius: Double, color: Color,
        outline: Color = .clear, outlineWidth: Double = 0
    ) {
        self.center = center
        self.radius = radius
        self.start = start
        self.sweep = sweep
        self.lineRadius = lineRadius
        self.color = color
        self.outline = outline
        self.outlineWidth = outlineWidth
    }
}
