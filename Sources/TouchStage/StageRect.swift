/// A rectangle of whole numbers; of which space its owner says.
public struct StageRect: Hashable, Sendable {
    public var x: Int32
    public var y: Int32
    public var width: Int32
    public var height: Int32

    public init(x: Int32, y: Int32, width: Int32, height: Int32) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    public var isEmpty: Bool { width <= 0 || height <= 0 }

    /// What both cover. Sides are clamped, so that the "everything" of some clients (the largest number) is harmless.
    public func intersection(_ other: StageRect) -> StageRect {
        let left = max(Int64(x), Int64(other.x))
        let top = max(Int64(y), Int64(other.y))
        let right = min(Int64(x) + Int64(width), Int64(other.x) + Int64(other.width))
        let bottom = min(Int64(y) + Int64(height), Int64(other.y) + Int64(other.height))
        guard right > left, bottom > top else { return StageRect(x: 0, y: 0, width: 0, height: 0) }
        return StageRect(x: Int32(left), y: Int32(top), width: Int32(right - left), height: Int32(bottom - top))
    }

    func contains(_ pointX: Double, _ pointY: Double) -> Bool {
        pointX >= Double(x) && pointY >= Double(y) && pointX < Double(x) + Double(width)
            && pointY < Double(y) + Double(height)
    }
}

/// A wl_region: rectangles put in and taken out, in the order of the requests.
public struct StageRegion: Hashable, Sendable {
    struct Step: Hashable, Sendable {
        var rect: StageRect
        var adds: Bool
    }
    var steps: [Step] = []

    /// Whether the region has no point at all, as an overlay's input region should be.
    public var isEmpty: Bool {
        // A point of the region lies in some rectangle that was put in; its corners and those of what was taken out
        // cover all cases.
        let xs = steps.flatMap { [$0.rect.x, $0.rect.x &+ $0.rect.width] }
        let ys = steps.flatMap { [$0.rect.y, $0.rect.y &+ $0.rect.height] }
        for x in xs { for y in ys where contains(x: Double(x), y: Double(y)) { return false } }
        return true
    }

    /// Whether the point, in surface-local px, lies in the region.
    public func contains(x: Double, y: Double) -> Bool {
        steps.last { $0.rect.contains(x, y) }?.adds ?? false
    }
}
