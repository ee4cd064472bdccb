internal import Pixman

extension ShapePainter {
    /// Draws a disc with a sharp edge, by the exact areas that its circles cover.
    func draw(_ disc: PixelDisc, on image: Image, within region: Region) {
        forEachTile(of: disc.bounds, within: region) { tile, part in
            fillTile(disc, tile, part)
            image.compositeOver(tile, at: part)
        }
    }

    /// Makes the disc's pixels of `part` at the tile's origin.
    private func fillTile(_ disc: PixelDisc, _ tile: Image, _ part: PixelRect) {
        let columns = part.columns
        let colors = disc.colors.fading(to: disc.opacity)
        let solid = colors.pixel(1 << 15, 1 << 15)
        tile.withPixels { pixels in
            for line in 0..<Int(part.height) {
                // The index that column 0 would have.
                let start = line * Int(tile.size.width) - columns.lowerBound
                let row = DiscRow(disc, y: Int(part.y) + line)
                let interior = row.interior.clamped(to: columns)
                pixels.fill(start + columns.lowerBound..<start + interior.lowerBound, with: 0)
                pixels.fill(start + interior.lowerBound..<start + interior.upperBound, with: solid)
                pixels.fill(start + interior.upperBound..<start + columns.upperBound, with: 0)
                row.forEachEdge(of: disc) { left, right, coverage in
                    let shares = (left == right ? coverage + coverage.swappedHalves : coverage).shares
                    if columns.contains(left) { pixels[start + left] = colors.pixel(shares[0], shares[1]) }
                    if columns.contains(right) { pixels[start + right] = colors.pixel(shares[2], shares[3]) }
                }
            }
        }
    }
}
