public import Gestures

/// A line through nodes, round at its ends and joints, as wide at each node as the node says, and around it an outline.
///
/// It is one thing: where it crosses itself, or folds back, it is no less transparent than elsewhere. Logical px; colours
/// with straight alpha.
public struct Stroke: Hashable, Sendable {
    public struct Node: Hashable, Sendable {
        public var position: Point
        /// Half the line's width. Below half a pixel the line is drawn a pixel wide, and the paler.
        public var radius: Double
        /// 0 to 1, of the colour's and of the outline's alpha.
        public var opacity: Double

        public init(_ position: Point, radius: Double, opacity: Double = 1) {
            self.position = position
            self.radius = radius
            self.opacity = opacity
        }
    }

    /// Between two of them width and opacity change evenly. One alone is a dot.
    public var nodes: [Node]
    public var color: Color
    public var outline: Color
    /// Drawn outside the line's width. 0 for none.
    public var outlineWidth: Double
    /// It moves as a whole: it may be drawn up to half a pixel beside its place, on whole pixels, where it looks the same in
    /// picture after picture.
    public var isRigid = false
    /// 0 to 1, of all of it: what fades by this need not be drawn anew.
    public var opacity = 1.0

    public init(nodes: [Node], color: Color, outline: Color = .clear, outlineWidth: Double = 0) {
        self.nodes = nodes
        self.color = color
        self.outline = outline
        self.outlineWidth = outlineWidth
    }

    /// Straight lines from point to point, `radius` being half their width; `closed` adds one from the last to the first.
    public init(
        _ points: [Point], closed: Bool = false, radius: Double, color: Color, outline: Color = .clear,
        outlineWidth: Double = 0
    ) {
        var nodes: [Node] = []
        nodes.reserveCapacity(points.count + 1)
        for point in points { nodes.append(Node(point, radius: radius)) }
        if closed, points.count > 1 { nodes.append(nodes[0]) }
        self.init(nodes: nodes, color: color, outline: outline, outlineWidth: outlineWidth)
    }
}
