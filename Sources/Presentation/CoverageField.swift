internal import Pixman

/// How much of each pixel a form covers, told pixel by pixel: by the distance of the pixel's centre from the form's edge.
///
/// What it tells of a pixel depends on the form and on the pixel alone, not on where a row was begun.
protocol CoverageField {
    /// All pixels that it may touch.
    var bounds: PixelRect { get }

    /// Where it may touch the row, within its bounds: in two parts, of which the second may be empty, so that a ring's
    /// middle costs nothing. The first lies left of the second.
    func columns(y: Int) -> (Range<Int>, Range<Int>)

    /// Of the pixels from `x` to `x + 3`: what the fill covers, and what fill and outline cover together, times their
    /// opacity. Rounding may put it a little outside 0 to 1.
    func coverage(x: Int, y: Int) -> (inner: Lanes, outer: Lanes)
}

extension Lanes {
    /// The distances of the centres of the pixels from `x` to `x + 3` from a line at `place` in the pixel column `column`.
    @inline(__always)
    init(x: Int, column: Int, place: Float) {
        // Differences of whole numbers are exact, wherever a row is begun.
        let first = Float(x &- column)
        self = Lanes(first, first + 1, first + 2, first + 3) + (0.5 - place)
    }
}

/// A place to measure from: its pixel, and where in it, so that single precision is enough everywhere.
struct Anchor {
    let column: Int
    let row: Int
    let x: Float
    let y: Float

    init(_ x: Double, _ y: Double) {
        let (left, top) = (x.rounded(.down), y.rounded(.down))
        column = Int(left)
        row = Int(top)
        self.x = Float(x - left)
        self.y = Float(y - top)
    }

    @inline(__always)
    func offsetX(_ x: Int) -> Lanes { Lanes(x: x, column: column, place: self.x) }

    @inline(__always)
    func offsetY(_ y: Int) -> Float { Float(y &- row) + (0.5 - self.y) }
}
