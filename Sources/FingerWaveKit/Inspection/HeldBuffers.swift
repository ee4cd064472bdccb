internal import Gestures

/// Tells when the compositor has held every buffer for too long while there was something to draw.
struct HeldBuffers {
    /// ns. A compositor that shows a new picture releases the old one within some frames.
    static let patience: Int64 = .milliseconds(2000)

    /// The wait that was told of.
    private var told: Instant?

    /// When `check` should be called again for a wait that began at `since`; nil once it was told of.
    func deadline(since: Instant?) -> Instant? {
        guard let since, since != told else { return nil }
        return since + Self.patience
    }

    /// True once for each wait that has become too long.
    mutating func check(since: Instant?, at now: Instant) -> Bool {
        guard let since, let deadline = deadline(since: since), now >= deadline else { return false }
        told = since
        return true
    }
}
