package import Gestures
package import Pixman
package import Ripples

/// Draws ripples: a background, and discs with rings laid over it by pixman.
///
/// Each shape is made as premultiplied pixels in a small tile, edges by the exact area that they cover, and the tile is
/// composited with OVER, until the shape's bounds are done. A pixel's value depends on the shapes alone, not on the clip
/// or on how the tiles fall: drawing a part again gives the same pixels as drawing everything.
package final class RipplePainter {
    // Small enough for the first-level cache. The width is no power of two, lest all rows fall into the same cache lines.
    private let tile = Image(size: PixelSize(width: 528, height: 14))

    package init() {}

    /// Paints `region` of `image` anew: the background, then `shapes` from first to last.
    ///
    /// `scale` is buffer pixels for one logical px; `origin` is the image's top left corner in logical px. With
    /// `groundIsClear`, the region is known to hold nothing but transparent pixels.
    package func paint(
        _ shapes: [RippleShape], on image: Image, region: Region, background: PremultipliedColor, scale: Double,
        origin: Point = Point(x: 0, y: 0), groundIsClear: Bool = false
    ) {
        var region = region
        region.formIntersection(image.size.rect)
        if region.isEmpty { return }
        if background != .clear || !groundIsClear { image.fill(region, with: background) }
        image.setClip(region)
        for shape in shapes {
            guard let disc = PixelDisc(shape, scale: scale, origin: origin) else { continue }
            draw(disc, on: image, within: region)
        }
        image.setClip(nil)
    }

    private func draw(_ disc: PixelDisc, on image: Image, within region: Region) {
        let target = disc.bounds.intersection(region.bounds)
        var y = target.y
        while y < target.bottom {
            let bottom = min(target.bottom, y + tile.size.height)
            var x = target.x
            while x < target.right {
                let right = min(target.right, x + tile.size.width)
                let part = PixelRect(left: x, top: y, right: right, bottom: bottom)
                if region.intersects(part) {
                    fillTile(disc, part)
                    image.compositeOver(tile, at: part)
                }
                x = right
            }
            y = bottom
        }
    }

    /// Makes the disc's pixels of `part` at the tile's origin.
    private func fillTile(_ disc: PixelDisc, _ part: PixelRect) {
        let columns = Int(part.x)..<Int(part.right)
        let solid = disc.color(1 << 15, 1 << 15)
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
                    if columns.contains(left) { pixels[start + left] = disc.color(shares[0], shares[1]) }
                    if columns.contains(right) { pixels[start + right] = disc.color(shares[2], shares[3]) }
                }
            }
        }
    }
}

extension PixelDisc {
    /// The premultiplied pixel of which the inner and the outer circle cover these parts, in units of 1/32768.
    @inline(__always)
    fileprivate func color(_ inner: UInt32, _ outer: UInt32) -> UInt32 {
        let filled = UInt64(inner)
        let ringed = UInt64(max(outer, inner) &- inner)
        // Two channels at a time: 8.8 channels times 15-bit shares are below 2 to the 32.
        let half: UInt64 = 1 << 54 | 1 << 22
        let alphaGreen = fill.alphaGreen &* filled &+ outline.alphaGreen &* ringed &+ half
        let redBlue = fill.redBlue &* filled &+ outline.redBlue &* ringed &+ half
        return UInt32(truncatingIfNeeded: alphaGreen >> 31) & 0xff00_0000
            | UInt32(truncatingIfNeeded: redBlue >> 39) & 0x00ff_0000
            | UInt32(truncatingIfNeeded: alphaGreen >> 15) & 0x0000_ff00
            | UInt32(truncatingIfNeeded: redBlue >> 23) & 0x0000_00ff
    }
}

extension DiscRow.Lanes {
    /// The coverages in units of 1/32768, clamped to 0 to 1.
    @inline(__always)
    fileprivate var shares: SIMD4<UInt32> {
        // At 2 to the 23 a float's last place is 1, so that adding it rounds; the integer is in the low bits.
        let shifted = clamped(to: Self(repeating: 1)) * 32768 + 8_388_608
        return SIMD4<UInt32>(shifted[0].bitPattern, shifted[1].bitPattern, shifted[2].bitPattern, shifted[3].bitPattern)
            & SIMD4<UInt32>(repeating: 0xffff)
    }

    @inline(__always)
    fileprivate var swappedHalves: Self { Self(self[2], self[3], self[0], self[1]) }
}
