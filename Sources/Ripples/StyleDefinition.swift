/// One style: what it shows of a contact, and for how long. All of them stand in Styles.swift.
struct StyleDefinition: Sendable {
    /// As `--style` takes it.
    let name: String
    /// One line for people who choose.
    let help: String
    /// Of the mark under a finger, logical px: progress, dots and calipers keep clear of it.
    var markRadius: @Sendable (RippleStyle) -> Double = { $0.startRadius }
    /// Seconds from coming down until the mark rests.
    var settling: @Sendable (RippleStyle) -> Double = { _ in 0 }
    /// Seconds from the release until nothing is left, for a ripple that was tapped or lifted.
    var duration: @Sendable (Ripple, RippleStyle) -> Double = { ripple, style in
        ripple.state == .tapped ? style.duration : style.liftFade
    }
    /// Seconds for which samples are kept; 0 for a style that shows no path.
    var pathTime = 0.0
    /// Draws a ripple that is held, tapped or lifted; what all styles show alike comes on top of it.
    let draw: @Sendable (Ripple, inout Canvas) -> Void
}

extension RippleStyle.Kind {
    /// As `--style` takes it.
    public var name: String { definition.name }

    /// One line for people who choose.
    public var help: String { definition.help }

    /// Nil for what is no style's name.
    public init?(name: String) {
        guard let kind = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = kind
    }
}
