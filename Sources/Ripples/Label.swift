public import Gestures

/// Lines of text on a plate. Where exactly it stands is the renderer's: it alone knows how wide text is.
public struct Label: Hashable, Sendable {
    public enum Placement: Hashable, Sendable {
        /// Beside the anchor, on a side where there is room.
        case beside
        /// In rows from the surface's top left corner, behind the heading labels before it.
        case heading
        /// With this point of its plate at the anchor, in parts of the plate's width and height, whatever else is there.
        case pinned(x: Double, y: Double)
    }

    /// UTF-8 text, one row each.
    public var lines: [String]
    public var placement: Placement
    /// What it speaks of, surface-local logical px; of no meaning in a heading.
    public var anchor: Point
    /// Kept free between anchor and plate, logical px; of no meaning where it is pinned.
    public var gap: Double
    /// Height of the text, logical px.
    public var size: Double
    public var color: Color
    /// The ground under the text, so that it is legible on anything.
    public var plate: Color

    public init(
        lines: [String], placement: Placement = .beside, anchor: Point = .zero, gap: Double = 0, size: Double = 13,
        color: Color = .white, plate: Color = Color(red: 0, green: 0, blue: 0, alpha: 200)
    ) {
        self.lines = lines
        self.placement = placement
        self.anchor = anchor
        self.gap = gap
        self.size = size
        self.color = color
        self.plate = plate
    }
}
