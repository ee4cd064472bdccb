/// sRGB with straight (not premultiplied) alpha.
public struct Color: Hashable, Sendable {
    public var red, green, blue, alpha: UInt8

    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    public static let white = Color(red: 255, green: 255, blue: 255)
    public static let black = Color(red: 0, green: 0, blue: 0)
    public static let clear = Color(red: 0, green: 0, blue: 0, alpha: 0)

    /// The same colour with its alpha times `factor` (0 to 1; what is out of that is clamped).
    public func fading(to factor: Double) -> Color {
        var color = self
        // `min` and `max` in this order let a NaN end as 0; adding a half rounds without libm.
        color.alpha = UInt8(Double(alpha) * min(1, max(0, factor)) + 0.5)
        return color
    }
}
