internal import Gestures
internal import Pixman
internal import Presentation
internal import Ripples

/// How a window is divided into cells. Logical px of the window's surface.
///
/// The grid is laid so that the first shape is in the middle of a cell: a wave then takes one cell, and a finger that
/// scrolls takes one row or column of them, wherever it came down.
struct CellGrid {
    struct Place: Hashable, Comparable {
        var column: Int
        var row: Int

        static func < (a: Place, b: Place) -> Bool { (a.row, a.column) < (b.row, b.column) }
    }

    /// The default's wave: 75 px to either side, its outline, and pixels that are covered in part.
    private static let wave = 155

    /// A cell's side: whole buffer px at the scale that the grid was made for.
    private let side: Double
    private let left: Double
    private let top: Double

    init() { self.init(around: nil, scale120: 120) }

    init(around shape: Shape?, scale120: Int32) {
        // So many logical px are whole buffer px, and no fewer: cells begin and end at such.
        let step = 120 / CellGrid.commonDivisor(120, Int(max(1, scale120)))
        // The middle is up to half a step away from the shape's. Where steps are long that would be paid for with memory.
        let reach = CellGrid.wave + (step <= 20 ? step : 0)
        side = Double((reach + step - 1) / step * step)
        var box = PixelRect.empty
        if let shape { forEachPart(of: shape, scale: 1) { box = box.union($0) } }
        let middle = CellGrid.middle(of: box) ?? .zero
        left = ((middle.x - side / 2) / Double(step)).rounded() * Double(step)
        top = ((middle.y - side / 2) / Double(step)).rounded() * Double(step)
    }

    private static func commonDivisor(_ a: Int, _ b: Int) -> Int { b == 0 ? a : commonDivisor(b, a % b) }

    /// Nil when there is none, or far away: an app may say that it is touched at any 32-bit number.
    private static func middle(of box: PixelRect) -> Point? {
        if box.isEmpty { return nil }
        let middle = Point(
            x: (Double(box.x) + Double(box.right)) / 2, y: (Double(box.y) + Double(box.bottom)) / 2)
        return abs(middle.x) < 1e5 && abs(middle.y) < 1e5 ? middle : nil
    }

    private func column(_ x: Double) -> Int { Int(((x - left) / side).rounded(.down)) }
    private func row(_ y: Double) -> Int { Int(((y - top) / side).rounded(.down)) }

    /// The place in the middle of what a shape touches; nil when that is nothing or far away.
    func place(inMiddleOf box: PixelRect) -> Place? {
        CellGrid.middle(of: box).map { Place(column: column($0.x), row: row($0.y)) }
    }

    /// Calls `body` with all places that `part` touches within `bounds`.
    func forEachPlace(_ part: PixelRect, within bounds: Rect, _ body: (Place) -> Void) {
        var (left, top) = (max(bounds.x, Double(part.x)), max(bounds.y, Double(part.y)))
        var (right, bottom) = (min(bounds.maxX, Double(part.right)), min(bounds.maxY, Double(part.bottom)))
        // No window is that large.
        (left, top, right, bottom) = (max(left, -1e5), max(top, -1e5), min(right, 1e5), min(bottom, 1e5))
        guard left < right, top < bottom else { return }
        // The last column and row are those of the last pixel that is covered.
        for row in row(top)...max(row(top), row(bottom - 1)) {
            for column in column(left)...max(column(left), column(right - 1)) {
                body(Place(column: column, row: row))
            }
        }
    }

    /// What of a place lies within `bounds`; nil when that is less than a pixel.
    func area(of place: Place, within bounds: Rect) -> Rect? {
        var (left, top) = (left + Double(place.column) * side, top + Double(place.row) * side)
        var (right, bottom) = (left + side, top + side)
        (left, top) = (max(bounds.x.rounded(.up), left), max(bounds.y.rounded(.up), top))
        (right, bottom) = (min(bounds.maxX.rounded(.down), right), min(bounds.maxY.rounded(.down), bottom))
        guard right - left >= 1, bottom - top >= 1 else { return nil }
        return Rect(x: left, y: top, width: right - left, height: bottom - top)
    }
}
