internal import Gestures
package import Pixman

/// Where a buffer's pixels lie in a surface's logical px.
struct PixelSpace {
    /// Past a hundred times the widest screen a place or a length is a mistake.
    static let limit = 1e6

    /// Buffer pixels for one logical px.
    var scale: Double
    /// The buffer's top left corner in logical px.
    var origin: Point

    /// In buffer pixels; nil for what makes no sense, or is too far to be seen.
    func place(_ point: Point) -> Point? {
        let place = Point(x: (point.x - origin.x) * scale, y: (point.y - origin.y) * scale)
        // NaN is below no limit.
        guard abs(place.x) < Self.limit, abs(place.y) < Self.limit else { return nil }
        return place
    }

    /// In buffer pixels, at least 0; nil for what makes no sense.
    func length(_ length: Double) -> Double? {
        let length = length * scale
        guard length < Self.limit, length > -Self.limit else { return nil }
        return max(0, length)
    }
}

/// What is rigid lies on whole pixels, and its pieces in 64ths of a pixel from there: it is the same form everywhere.
enum PixelSnap {
    /// No farther than this from its own place, pixels.
    static let reach = 0.515

    static func whole(_ place: Point) -> Point {
        // Not at the half: places there are common, and the same from another buffer's corner may be a hair less.
        Point(x: (place.x + 0.4973).rounded(.down), y: (place.y + 0.4973).rounded(.down))
    }

    /// In pixels.
    static func way(from first: Point, to place: Point, scale: Double) -> Point {
        let way = place - first
        return Point(x: (way.x * scale * 64).rounded() / 64, y: (way.y * scale * 64).rounded() / 64)
    }
}

extension PixelRect {
    /// All pixels that the rectangle touches. Its numbers must be within ``PixelSpace/limit``.
    init(around left: Double, _ top: Double, _ right: Double, _ bottom: Double) {
        self.init(
            left: Int32(left.rounded(.down)), top: Int32(top.rounded(.down)), right: Int32(right.rounded(.up)),
            bottom: Int32(bottom.rounded(.up)))
    }

    /// The smallest rectangle around both; an empty one adds nothing.
    package func union(_ other: PixelRect) -> PixelRect {
        if isEmpty { return other }
        if other.isEmpty { return self }
        return PixelRect(
            left: min(x, other.x), top: min(y, other.y), right: max(right, other.right),
            bottom: max(bottom, other.bottom))
    }

    var columns: Range<Int> { Int(x)..<Int(right) }
    var rows: Range<Int> { Int(y)..<Int(bottom) }
}
