internal import Pixman

extension ShapePainter {
    /// Draws forms as one: a pixel is as covered as by the form that covers it most, so that joints and crossings are no
    /// darker than the rest.
    func draw<Fields: Collection>(_ fields: Fields, _ colors: ShapeColors, on image: Image, within region: Region)
    where Fields.Element: CoverageField {
        var bounds = PixelRect.empty
        for field in fields { bounds = bounds.union(field.bounds) }
        forEachTile(of: bounds, within: region) { part in
            let touched = fillTile(fields, colors, part)
            guard !touched.isEmpty else { return }
            image.compositeOver(tile, from: (touched.x - part.x, touched.y - part.y), at: touched)
        }
    }

    /// Makes the forms' pixels of `part` at the tile's origin. Returns which rectangle of the part holds them all; outside
    /// of it the tile has what it had before.
    private func fillTile<Fields: Collection>(_ fields: Fields, _ colors: ShapeColors, _ part: PixelRect) -> PixelRect
    where Fields.Element: CoverageField {
        let height = Int(part.height)
        for line in 0..<height { touched[line] = 0..<0 }
        var all = PixelRect.empty
        tile.withPixels { pixels in
            for field in fields {
                let common = field.bounds.intersection(part)
                if common.isEmpty { continue }
                for y in common.rows {
                    let (first, second) = field.columns(y: y)
                    cover(first.clamped(to: common.columns), of: y, with: field, part, &pixels)
                    cover(second.clamped(to: common.columns), of: y, with: field, part, &pixels)
                }
            }
            for line in 0..<height where !touched[line].isEmpty {
                let row = touched[line]
                all = all.union(
                    PixelRect(
                        left: part.x + Int32(row.lowerBound), top: part.y + Int32(line),
                        right: part.x + Int32(row.upperBound), bottom: part.y + Int32(line) + 1))
            }
            let columns = Int(all.x - part.x)..<Int(all.right - part.x)
            for y in all.rows {
                let line = y - Int(part.y)
                let start = line * Int(tile.size.width)
                let row = touched[line].isEmpty ? columns.upperBound..<columns.upperBound : touched[line]
                pixels.fill(start + columns.lowerBound..<start + row.lowerBound, with: 0)
                for index in start + row.lowerBound..<start + row.upperBound where pixels[index] != 0 {
                    pixels[index] = colors.pixel(pixels[index] & 0xffff, pixels[index] >> 16)
                }
                pixels.fill(start + row.upperBound..<start + columns.upperBound, with: 0)
            }
        }
        return all
    }

    /// Raises the coverages in `columns` of row `y` to those of `field`. Until all forms have been there a pixel of the tile
    /// holds two coverages in units of 1/32768: of the fill in its lower half, of fill and outline together in its upper.
    @inline(__always)
    private func cover<Field: CoverageField>(
        _ columns: Range<Int>, of y: Int, with field: Field, _ part: PixelRect, _ pixels: inout MutableSpan<UInt32>
    ) {
        if columns.isEmpty { return }
        let line = y - Int(part.y)
        // The index that column 0 would have.
        let start = line * Int(tile.size.width) - Int(part.x)
        let (low, high) = (columns.lowerBound - Int(part.x), columns.upperBound - Int(part.x))
        let old = touched[line]
        // What lies between the old and the new is touched too.
        if old.isEmpty {
            pixels.fill(start + columns.lowerBound..<start + columns.upperBound, with: 0)
            touched[line] = low..<high
        } else {
            let base = line * Int(tile.size.width)
            if low < old.lowerBound { pixels.fill(base + low..<base + old.lowerBound, with: 0) }
            if high > old.upperBound { pixels.fill(base + old.upperBound..<base + high, with: 0) }
            touched[line] = min(low, old.lowerBound)..<max(high, old.upperBound)
        }
        var x = columns.lowerBound
        while x < columns.upperBound {
            let (inner, outer) = field.coverage(x: x, y: y)
            let (innerShares, outerShares) = (inner.shares, outer.shares)
            let count = min(4, columns.upperBound - x)
            var lane = 0
            while lane < count {
                let pixel = pixels[start + x + lane]
                pixels[start + x + lane] =
                    max(pixel & 0xffff, innerShares[lane]) | max(pixel >> 16, outerShares[lane]) << 16
                lane += 1
            }
            x += 4
        }
    }
}
