package import Pixman
package import Ripples

/// The two colours of a shape, as they are mixed by what of a pixel each covers.
struct ShapeColors: Equatable {
    var fill: PremultipliedWeights
    var outline: PremultipliedWeights

    init(fill: Color, outline: Color) {
        self.fill = PremultipliedWeights(fill)
        self.outline = PremultipliedWeights(outline)
    }

    /// The same, paler: `opacity` is from 0 to 1.
    func fading(to opacity: Double) -> ShapeColors {
        if opacity >= 1 { return self }
        var colors = self
        // In this order a NaN ends as 0.
        let share = UInt64(min(1, max(0, opacity)) * 65536)
        colors.fill.scale(share)
        colors.outline.scale(share)
        return colors
    }

    /// The premultiplied pixel of which the fill covers `inner`, fill and outline together `outer`, in units of 1/32768.
    @inline(__always)
    func pixel(_ inner: UInt32, _ outer: UInt32) -> UInt32 {
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

/// A colour's premultiplied channels in units of 1/256, so that a share of it is rounded once, at the end. Two to a word.
struct PremultipliedWeights: Equatable {
    var alphaGreen: UInt64
    var redBlue: UInt64

    init(_ color: Color) {
        let scaled = { (channel: UInt8) -> UInt64 in (UInt64(channel) * UInt64(color.alpha) * 256 + 127) / 255 }
        alphaGreen = scaled(255) << 32 | scaled(color.green)
        redBlue = scaled(color.red) << 32 | scaled(color.blue)
    }

    /// Times `share` / 65536. The channels have 16 bits each.
    mutating func scale(_ share: UInt64) {
        let scaled = { (pair: UInt64) -> UInt64 in
            let (high, low) = ((pair >> 32) * share, (pair & 0xffff_ffff) * share)
            return (high >> 16) << 32 | low >> 16
        }
        alphaGreen = scaled(alphaGreen)
        redBlue = scaled(redBlue)
    }
}

extension PremultipliedColor {
    /// From the straight channels that styles use.
    package init(_ color: Color) {
        self.init(straightRed: color.red, green: color.green, blue: color.blue, alpha: color.alpha)
    }
}
