/// How far an animation has come (0 to 1) after a share of its time (0 to 1). Quadratic where it is not linear.
public enum Easing: Hashable, Sendable {
    case linear
    /// Slow at first.
    case easeIn
    /// Slow at last.
    case easeOut
    case easeInOut

    /// `time` is clamped to 0...1; the ends map to themselves exactly.
    public func progress(at time: Double) -> Double {
        let t = min(1, max(0, time))
        switch self {
        case .linear: return t
        case .easeIn: return t * t
        case .easeOut: return t * (2 - t)
        case .easeInOut: return t < 0.5 ? 2 * t * t : 1 - 2 * (1 - t) * (1 - t)
        }
    }
}
