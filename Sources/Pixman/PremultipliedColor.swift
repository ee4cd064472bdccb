/// A colour whose channels are already multiplied by its alpha, as pixman and wl_shm's ARGB8888 want it.
package struct PremultipliedColor: Hashable, Sendable {
    /// Alpha in the highest byte, then red, green and blue.
    package var argb: UInt32

    package init(argb: UInt32) { self.argb = argb }

    /// From straight channels, 0 to 255, rounded to nearest.
    package init(straightRed red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8) {
        let scaled = { (channel: UInt8) -> UInt32 in (UInt32(channel) * UInt32(alpha) + 127) / 255 }
        argb = UInt32(alpha) << 24 | scaled(red) << 16 | scaled(green) << 8 | scaled(blue)
    }

    /// From straight channels, 0xAARRGGBB, rounded to nearest.
    package init(straight pixel: UInt32) {
        self.init(
            straightRed: UInt8(truncatingIfNeeded: pixel >> 16), green: UInt8(truncatingIfNeeded: pixel >> 8),
            blue: UInt8(truncatingIfNeeded: pixel), alpha: UInt8(truncatingIfNeeded: pixel >> 24))
    }

    /// The channels before their multiplication, 0xAARRGGBB, rounded to nearest; what is clear has none.
    package var straight: UInt32 {
        let alpha = argb >> 24
        guard alpha > 0 else { return 0 }
        func channel(_ shift: UInt32) -> UInt32 {
            min(255, (((argb >> shift) & 0xFF) * 255 + alpha / 2) / alpha) << shift
        }
        return alpha << 24 | channel(16) | channel(8) | channel(0)
    }

    package static let clear = PremultipliedColor(argb: 0)

    package var alpha: UInt8 { UInt8(truncatingIfNeeded: argb >> 24) }
    package var red: UInt8 { UInt8(truncatingIfNeeded: argb >> 16) }
    package var green: UInt8 { UInt8(truncatingIfNeeded: argb >> 8) }
    package var blue: UInt8 { UInt8(truncatingIfNeeded: argb) }

    package var isOpaque: Bool { alpha == 255 }
}
