package import Gestures

/// Finds out whether a source's 32-bit ms stamps are CLOCK_MONOTONIC's, as most compositors' are though no protocol says so.
///
/// They are when the program's own monotonic clock was never behind a stamp, and never more than a second before it, for so
/// many events on end. By chance that happens once in four million sources.
package struct StampBase: Hashable, Sendable {
    package static let proof = 8
    /// The longest way from a panel's interrupt to the client that still passes for one, ms.
    package static let longestWay: Int32 = 1000

    private var streak = 0
    private var last: UInt32?
    private var differ = false

    package init() {}

    /// True when the stamps are known to be CLOCK_MONOTONIC's.
    package var isMonotonic: Bool { streak >= Self.proof && differ }

    /// `arrival` is CLOCK_MONOTONIC's. Returns when the event was stamped, once that is known.
    package mutating func note(stamp: UInt32, arrival: Instant) -> Instant? {
        let milliseconds = UInt32(truncatingIfNeeded: max(0, arrival.nanoseconds) / 1_000_000)
        let way = Int32(bitPattern: milliseconds &- stamp)
        if way >= 0, way <= Self.longestWay {
            streak = min(streak + 1, Self.proof)
            if let last, last != stamp { differ = true }
        } else {
            streak = 0
            differ = false
        }
        last = stamp
        guard isMonotonic else { return nil }
        // Stamps are whole ms; the event happened within the one that it names.
        return min(arrival, .milliseconds(max(0, arrival.nanoseconds) / 1_000_000 - Int64(way)))
    }
}
