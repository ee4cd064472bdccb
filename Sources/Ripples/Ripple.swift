internal import Gestures

/// One thing that ``RippleController`` shows: the mark under a finger, and what becomes of it.
struct Ripple: Sendable {
    enum State: Hashable, Sendable {
        /// The mark under a finger.
        case held
        case wave
        /// A mark whose finger was lifted without a tap.
        case lifted
        case cancelled
    }

    /// The contact's; nil when no contact made it.
    var serial: UInt64?
    var center: Point
    private(set) var state: State
    /// ns in this state.
    var age: Int64 = 0
    /// Its age counts from the next advance.
    var isPending = false

    init(serial: UInt64?, center: Point, state: State, isPending: Bool = false) {
        self.serial = serial
        self.center = center
        self.state = state
        self.isPending = isPending
    }

    mutating func enter(_ state: State) {
        self.state = state
        age = 0
    }

    /// Infinite while a finger holds it.
    func secondsLeft(_ style: RippleStyle) -> Double {
        switch state {
        case .held: .infinity
        case .wave: style.duration - seconds
        case .lifted: style.liftFade - seconds
        case .cancelled: style.cancelFade - seconds
        }
    }

    func shape(_ style: RippleStyle) -> Disc {
        var radius = style.startRadius
        var opacity = style.startOpacity
        switch state {
        case .held:
            break
        case .wave:
            let share = seconds / style.duration
            radius += (style.endRadius - style.startRadius) * style.radiusEasing.progress(at: share)
            opacity += (style.endOpacity - style.startOpacity) * style.opacityEasing.progress(at: share)
        case .lifted:
            opacity *= 1 - Easing.linear.progress(at: seconds / style.liftFade)
        case .cancelled:
            opacity *= 1 - Easing.linear.progress(at: seconds / style.cancelFade)
        }
        return Disc(
            center: center, radius: max(0, radius), fill: style.color.fading(to: opacity),
            outline: style.outline.fading(to: style.startOpacity > 0 ? opacity / style.startOpacity : opacity),
            outlineWidth: max(0, style.outlineWidth))
    }

    private var seconds: Double { Double(age) / 1_000_000_000 }
}
