/// How a touch looks. Lengths in logical px, times in seconds, opacities from 0 to 1.
///
/// The default is FingerWave's own: a white disc of radius 15 under the finger, which a tap turns into a wave of radius 75
/// that has gone after a second.
public struct RippleStyle: Hashable, Sendable {
    public var kind = Kind.wave

    public var color = Color.white
    /// A ring around the disc, so that a white wave is seen on a white ground. It fades with the disc; its alpha is what it
    /// begins with. Nine tenths of black keep a contrast of 3:1 (WCAG 2, non-text) on every ground.
    public var outline = Color(red: 0, green: 0, blue: 0, alpha: 230)
    /// Drawn outside `radius`. 0 for none.
    public var outlineWidth = 1.5

    /// Each finger has a colour of ``FingerColors``, and dots that count it, so that the colour is never the only sign.
    /// `color` is then of what no finger makes.
    public var colorByFinger = false
    /// Opaque, black and white, with a double outline; waves are lines, so that they hide little.
    public var highContrast = false
    /// Nothing grows, shrinks or slides: what comes fades in or is there, what goes fades.
    public var reducedMotion = false

    /// Of the mark under a finger, and of the wave's beginning. Lines, arrows and dots are in proportion to it.
    public var startRadius = 15.0
    public var endRadius = 75.0
    public var startOpacity = 0.6
    public var endOpacity = 0.0
    /// Of the wave after a tap; the other styles' times are in proportion to it.
    public var duration = 1.0
    public var radiusEasing = Easing.linear
    public var opacityEasing = Easing.linear

    /// Of the mark after a finger was lifted without a tap. Android's touch spots: 200 ms.
    public var liftFade = 0.2
    /// Of the broken ring after a cancel: long enough to be told from a lift.
    public var cancelFade = 0.5

    public init() {}

    /// Sets the colour, and an outline that stands out from it: dark around light colours, light around dark ones.
    public mutating func setColor(_ color: Color) {
        self.color = color
        // Perceived brightness, ITU-R BT.601.
        let brightness = 299 * Int(color.red) + 587 * Int(color.green) + 114 * Int(color.blue)
        let channel: UInt8 = brightness < 128_000 ? 255 : 0
        outline = Color(red: channel, green: channel, blue: channel, alpha: outline.alpha)
    }

    /// What one px is to a style with the default's radii: the measure of lines and gaps.
    var unit: Double { min(max(startRadius / 15, 0.6), 8) }

    /// How far something that grows has come, as a share of its way; with reduced motion it is always where it is seen best.
    func growth(_ share: Double) -> Double { reducedMotion ? 0.5 : share }
}
