internal import Gestures
internal import Pixman

/// What strokes cover, kept from picture to picture for those that only move and fade: to reckon it costs several times what
/// it costs to colour it.
struct CoverageStore {
    /// Strokes of a few arrows, each of which has up to two.
    private static let capacity = 8
    /// Pixels; 64 KiB.
    private static let largest = 1 << 14

    struct Entry {
        /// Where it was reckoned.
        let bounds: PixelRect
        fileprivate let capsules: [Capsule]
        /// Rows of ``CoverageRow``, each with its slack.
        fileprivate var words: [UInt32]
        /// Of each row, counted from the bounds' left edge.
        fileprivate var touched: [Range<Int>] = []

        /// From where it was reckoned to a copy of it; nil when that is none.
        fileprivate func offset(to copy: [Capsule]) -> Point? {
            guard copy.count == capsules.count, let first = copy.first, let own = capsules.first else { return nil }
            let offset = first.start - own.start
            // The pixels are the same at whole pixels alone.
            guard offset.x == offset.x.rounded(), offset.y == offset.y.rounded() else { return nil }
            for index in copy.indices where !copy[index].isCopy(of: capsules[index], movedBy: offset) { return nil }
            return offset
        }

        /// Puts what lies in row `y` and in `columns` into a row of the tile; both as where it was reckoned.
        func load(_ row: inout CoverageRow, y: Int, _ columns: Range<Int>, movedBy offset: Int) {
            let line = y - Int(bounds.y)
            let left = Int(bounds.x)
            let common = (touched[line].lowerBound + left..<touched[line].upperBound + left).clamped(to: columns)
            if common.isEmpty { return }
            // SAFETY: touched columns lie in the row's words.
            unsafe words.withUnsafeBufferPointer { words in
                let place = line * Entry.stride(bounds) + common.lowerBound - left
                unsafe row.take(
                    words.baseAddress.unsafelyUnwrapped + place,
                    common.lowerBound + offset..<common.upperBound + offset)
            }
        }

        fileprivate static func stride(_ bounds: PixelRect) -> Int { Int(bounds.width + CoverageRow.slack) }

        fileprivate init(_ capsules: [Capsule], _ bounds: PixelRect) {
            self.bounds = bounds
            self.capsules = capsules
            let stride = Entry.stride(bounds)
            words = [UInt32](repeating: 0, count: stride * Int(bounds.height))
            touched.reserveCapacity(Int(bounds.height))
            unsafe words.withUnsafeMutableBufferPointer { words in
                // SAFETY: the rows are used within the call, and all columns are within the bounds.
                let first = unsafe words.baseAddress.unsafelyUnwrapped
                var rows: [CoverageRow] = []
                for line in 0..<Int(bounds.height) {
                    unsafe rows.append(CoverageRow(first + line * stride, left: Int(bounds.x)))
                }
                cover(&rows, of: bounds, with: capsules)
                for row in rows {
                    touched.append(row.touched.lowerBound - Int(bounds.x)..<row.touched.upperBound - Int(bounds.x))
                }
            }
        }
    }

    /// The newest last.
    private var entries: [Entry] = []
    /// For tests.
    var count: Int { entries.count }

    /// What the strokes' pieces cover, and how far they are from where that was reckoned. Nil for what is too large to keep.
    mutating func entry(of capsules: [Capsule]) -> (entry: Entry, x: Int, y: Int)? {
        for (index, entry) in entries.enumerated() {
            guard let offset = entry.offset(to: capsules) else { continue }
            if index < entries.count - 1 { entries.append(entries.remove(at: index)) }
            return (entry, Int(offset.x), Int(offset.y))
        }
        var bounds = PixelRect.empty
        for capsule in capsules { bounds = bounds.union(capsule.bounds) }
        guard Int(bounds.width) * Int(bounds.height) <= CoverageStore.largest, !bounds.isEmpty else { return nil }
        if entries.count >= CoverageStore.capacity { entries.removeFirst() }
        let entry = Entry(capsules, bounds)
        entries.append(entry)
        return (entry, 0, 0)
    }
}

extension ShapePainter {
    /// As ``draw(_:_:on:within:)`` draws them, but from what the store has. False when nothing was drawn.
    func drawFromStore(_ capsules: [Capsule], _ colors: ShapeColors, on image: Image, within region: Region) -> Bool {
        guard let (entry, x, y) = coverageStore.entry(of: capsules) else { return false }
        var bounds = entry.bounds
        bounds.x += Int32(x)
        bounds.y += Int32(y)
        forEachTile(of: bounds, within: region) { tile, part in
            tile.withPixels { pixels in
                unsafe pixels.withUnsafeMutableBufferPointer { buffer in
                    // SAFETY: the rows are used within the call, and all columns are within the part, which fits into the
                    // tile.
                    let first = unsafe buffer.baseAddress.unsafelyUnwrapped
                    for line in part.rows {
                        let place = (line - Int(part.y)) * Int(tile.size.width)
                        var row = unsafe CoverageRow(first + place, left: Int(part.x))
                        let columns = part.columns.lowerBound - x..<part.columns.upperBound - x
                        entry.load(&row, y: line - y, columns, movedBy: x)
                        row.finish(part.columns, colors)
                    }
                }
            }
            image.compositeOver(tile, from: (0, 0), at: part)
        }
        return true
    }
}
