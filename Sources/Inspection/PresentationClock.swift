package import Gestures

/// What became of a commit, as wp_presentation_feedback tells it.
package enum PresentationOutcome: Hashable, Sendable {
    /// Nil when the compositor's clock is not CLOCK_MONOTONIC.
    case presented(Instant?)
    case discarded

    /// So many commits are asked about at a time: a compositor that answers nothing must not make us grow.
    package static let waitingLimit = 16
}

/// Which clock wp_presentation's times are of, and how they are read.
package struct PresentationClock: Hashable, Sendable {
    /// CLOCK_MONOTONIC, as clock_gettime numbers it.
    private static let monotonic: UInt32 = 1

    /// As wp_presentation.clock_id told it; nil before.
    package var id: UInt32?

    package init() {}

    package var source: PhotonSource {
        switch id {
        case nil: .absent
        case PresentationClock.monotonic: .ready
        case let id?: .otherClock(id)
        }
    }

    /// wp_presentation_feedback.presented's first three arguments: seconds in two halves, ns.
    package func presented(_ high: UInt32, _ low: UInt32, _ nanoseconds: UInt32) -> PresentationOutcome {
        guard source == .ready else { return .presented(nil) }
        let seconds = Int64(bitPattern: UInt64(high) << 32 | UInt64(low))
        let (milliseconds, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        let whole = overflow ? (seconds < 0 ? Int64.min : .max) : milliseconds
        return .presented(.milliseconds(whole) + Int64(nanoseconds))
    }
}
