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

    package static let clear = PremultipliedColor(argb: 0)

    package var alpha: UInt8 { UInt8(truncatingIfNeeded: argb >> 24) }
    package var red: UInt8 { UInt8(truncatingIfNeeded: argb >> 16) }
    package var green: UInt8 { UInt8(truncatingIfNeeded: argb >> 8) }
    package var blue: UInt8 { UInt8(truncatingIfNeeded: argb) }

    package var isOpaque: Bool { alpha == 255 }
}
