internal import Pixman

extension ShapePainter {
    /// Draws forms as one: a pixel is as covered as by the form that covers it most, so that joints and crossings are no
    /// darker than the rest.
    func draw<Fields: Collection>(_ fields: Fields, _ colors: ShapeColors, on image: Image, within region: Region)
    where Fields.Element: CoverageField {
        var bounds = PixelRect.empty
        for field in fields { bounds = bounds.union(field.bounds) }
        forEachTile(of: bounds, within: region) { tile, part in
            let touched = fillTile(fields, colors, tile, part)
            guard !touched.isEmpty else { return }
            image.compositeOver(tile, from: (touched.x - part.x, touched.y - part.y), at: touched)
        }
    }

    /// Makes the forms' pixels of `part` at the tile's origin. Returns which rectangle of the part holds them all; outside
    /// of it the tile has what it had before.
    private func fillTile<Fields: Collection>(
        _ fields: Fields, _ colors: ShapeColors, _ tile: Image, _ part: PixelRect
    ) -> PixelRect where Fields.Element: CoverageField {
        tile.withPixels { pixels in
            unsafe pixels.withUnsafeMutableBufferPointer { buffer in
                // SAFETY: the rows are used within the call. All columns are clamped to the part, which is no wider than the
                // tile less its slack, and no higher than the tile.
                let first = unsafe buffer.baseAddress.unsafelyUnwrapped
                var rows: [CoverageRow] = []
                swap(&rows, &coverageRows)
                defer { swap(&rows, &coverageRows) }
                rows.removeAll(keepingCapacity: true)
                for line in 0..<Int(part.height) {
                    unsafe rows.append(CoverageRow(first + line * Int(tile.size.width), left: Int(part.x)))
                }
                cover(&rows, of: part, with: fields)
                var all = PixelRect.empty
                for line in 0..<Int(part.height) where !rows[line].touched.isEmpty {
                    let touched = rows[line].touched
                    all = all.union(
                        PixelRect(
                            left: Int32(touched.lowerBound), top: part.y + Int32(line),
                            right: Int32(touched.upperBound), bottom: part.y + Int32(line) + 1))
                }
                for y in all.rows { rows[y - Int(part.y)].finish(all.columns, colors) }
                return all
            }
        }
    }
}

/// Lays forms into the rows of `part`.
func cover<Fields: Collection>(_ rows: inout [CoverageRow], of part: PixelRect, with fields: Fields)
where Fields.Element: CoverageField {
    for field in fields {
        let common = field.bounds.intersection(part)
        if common.isEmpty { continue }
        for y in common.rows {
            let (left, right) = field.columns(y: y)
            let line = y - Int(part.y)
            rows[line].cover(left.clamped(to: common.columns), y: y, with: field)
            if right.isEmpty { continue }
            rows[line].cover(right.clamped(to: common.columns), y: y, with: field)
        }
    }
}

/// One row of the tile while forms are laid into it. Until ``finish(_:_:)`` a pixel that is touched holds two coverages in
/// units of 1/32768: of the fill in its lower half, of fill and outline together in its upper.
@safe
struct CoverageRow {
    /// How many pixels behind those that are covered may be overwritten.
    static let slack: Int32 = 3

    /// Which columns hold coverages.
    private(set) var touched = 0..<0
    // SAFETY: the tile's row, in which the column `left` lies; used by the one who made this, while the tile is open.
    private let first: UnsafeMutablePointer<UInt32>
    private let left: Int

    /// Nothing is touched yet. `left` is the column that lies at `first`.
    @unsafe init(_ first: UnsafeMutablePointer<UInt32>, left: Int) {
        unsafe self.first = first
        self.left = left
    }

    /// Raises the coverages in `columns` to those that `field` has in row `y`.
    @inline(__always)
    mutating func cover<Field: CoverageField>(_ columns: Range<Int>, y: Int, with field: Field) {
        if columns.isEmpty { return }
        // What lies between the old and the new is touched too.
        if touched.isEmpty {
            fill(columns, with: 0)
            touched = columns
        } else if columns.lowerBound < touched.lowerBound || columns.upperBound > touched.upperBound {
            fill(columns.lowerBound..<max(columns.lowerBound, touched.lowerBound), with: 0)
            fill(min(columns.upperBound, touched.upperBound)..<columns.upperBound, with: 0)
            touched =
                min(columns.lowerBound, touched.lowerBound)..<max(columns.upperBound, touched.upperBound)
        }
        var x = columns.lowerBound
        while x < columns.upperBound {
            let (inner, outer) = field.coverage(x: x, y: y)
            // Four at a time: what lies beyond the columns is not covered, or not touched.
            let place = unsafe UnsafeMutableRawPointer(first + (x - left))
            let old = unsafe place.loadUnaligned(as: SIMD4<UInt32>.self)
            let filled = CoverageRow.larger(old & 0xffff, inner.shares)
            let ringed = CoverageRow.larger(old &>> 16, outer.shares)
            unsafe place.storeBytes(of: filled | ringed &<< 16, as: SIMD4<UInt32>.self)
            x += 4
        }
    }

    /// Makes premultiplied pixels of the coverages, and clear ones where nothing was touched, in `columns`.
    @inline(__always)
    func finish(_ columns: Range<Int>, _ colors: ShapeColors) {
        let touched = touched.isEmpty ? columns.upperBound..<columns.upperBound : touched
        fill(columns.lowerBound..<touched.lowerBound, with: 0)
        // Most lie between pixels that are as covered as they.
        var last: UInt32 = 0
        var pixel: UInt32 = 0
        for x in touched {
            let coverage = unsafe first[x - left]
            if coverage != last {
                last = coverage
                pixel = colors.pixel(coverage & 0xffff, coverage >> 16)
            }
            unsafe first[x - left] = pixel
        }
        fill(touched.upperBound..<columns.upperBound, with: 0)
    }

    @inline(__always)
    private func fill(_ columns: Range<Int>, with pixel: UInt32) {
        unsafe (first + (columns.lowerBound - left)).update(repeating: pixel, count: columns.count)
    }

    /// Of numbers below 2 to the 31: SSE2 compares signed ones alone.
    @inline(__always)
    private static func larger(_ a: SIMD4<UInt32>, _ b: SIMD4<UInt32>) -> SIMD4<UInt32> {
        let (a, b) = (SIMD4<Int32>(truncatingIfNeeded: a), SIMD4<Int32>(truncatingIfNeeded: b))
        return SIMD4<UInt32>(truncatingIfNeeded: a.replacing(with: b, where: b .> a))
    }
}
