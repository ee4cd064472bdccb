/// The size of an image or a buffer, in its own pixels.
package struct PixelSize: Hashable, Sendable {
    package var width: Int32
    package var height: Int32

    package init(width: Int32, height: Int32) {
        self.width = width
        self.height = height
    }

    package var isEmpty: Bool { width <= 0 || height <= 0 }

    /// All of it, as a rectangle at the origin.
    package var rect: PixelRect { PixelRect(x: 0, y: 0, width: width, height: height) }
}

/// A rectangle of whole pixels, in the coordinates of an image or a buffer. One without a positive size is empty.
package struct PixelRect: Hashable, Sendable {
    package var x: Int32
    package var y: Int32
    package var width: Int32
    package var height: Int32

    package init(x: Int32, y: Int32, width: Int32, height: Int32) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// From edge to edge; empty when an edge lies before its opposite.
    package init(left: Int32, top: Int32, right: Int32, bottom: Int32) {
        self.init(x: left, y: top, width: max(0, right &- left), height: max(0, bottom &- top))
    }

    package static let empty = PixelRect(x: 0, y: 0, width: 0, height: 0)

    package var isEmpty: Bool { width <= 0 || height <= 0 }
    package var right: Int32 { x &+ width }
    package var bottom: Int32 { y &+ height }

    /// Whether all of `other` lies in it.
    package func contains(_ other: PixelRect) -> Bool {
        other.isEmpty || x <= other.x && y <= other.y && other.right <= right && other.bottom <= bottom
    }

    /// What lies in both.
    package func intersection(_ other: PixelRect) -> PixelRect {
        PixelRect(
            left: max(x, other.x), top: max(y, other.y), right: min(right, other.right),
            bottom: min(bottom, other.bottom))
    }
}
