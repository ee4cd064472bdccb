package import Gestures

/// What a commit shows of touches.
package struct ShownTouch: Hashable, Sendable {
    /// When the oldest event that the commit shows reached the program.
    package var arrival: Instant
    /// When that event was stamped; nil unless the stamps are known to be CLOCK_MONOTONIC's.
    package var stamped: Instant?
    package var committed: Instant
}

/// Latencies from one beginning, ms.
package struct LatencyFigures: Hashable, Sendable {
    /// To the commit that shows the touch.
    package var commit: Summary?
    /// To the light that shows it, as wp_presentation tells.
    package var photons: Summary?
}

/// Measures how long it takes until a touch is seen, over the last 512 commits that showed one.
///
/// Always from the arrival of the oldest touch event that a commit shows; from the event's stamp as well when the stamps
/// prove to be of the same clock (see ``StampBase``): from then on both are counted over the same touches. Touches that
/// change no pixel are not measured.
package struct LatencyMeter: Sendable {
    /// What is still to be shown, by the surface that shows it.
    private var pending: [(surface: Int, arrival: Instant, stamped: Instant?)] = []
    private var fromArrival = (commit: SampleWindow(), photons: SampleWindow())
    private var fromStamp = (commit: SampleWindow(), photons: SampleWindow())
    /// Touches without one are no longer counted.
    private var hasStamps = false
    /// Commits with a touch that were replaced before they could be seen.
    package private(set) var discarded = 0
    /// Presentations that a compositor dated before their commit.
    package private(set) var implausible = 0

    package init() {}

    /// A touch event has come; something may be drawn because of it on `surface`, its owner's number for it.
    package mutating func touch(arrival: Instant, stamped: Instant?, on surface: Int = 0) {
        if !pending.contains(where: { $0.surface == surface }) { pending.append((surface, arrival, stamped)) }
    }

    /// Nothing was to be drawn: what came changed no pixel.
    package mutating func nothingChanged(on surface: Int = 0) { pending.removeAll { $0.surface == surface } }

    /// A picture is committed. Nil when it shows no new touch.
    package mutating func commit(at now: Instant, on surface: Int = 0) -> ShownTouch? {
        guard let index = pending.firstIndex(where: { $0.surface == surface }) else { return nil }
        let pending = pending.remove(at: index)
        if let stamped = pending.stamped {
            if !hasStamps { fromArrival = (SampleWindow(), SampleWindow()) }
            hasStamps = true
            fromStamp.commit.add(max(0, now.millisecondsSince(stamped)))
        }
        if isCounted(pending.stamped) { fromArrival.commit.add(max(0, now.millisecondsSince(pending.arrival))) }
        return ShownTouch(arrival: pending.arrival, stamped: pending.stamped, committed: now)
    }

    /// The commit turned into light at `instant` of CLOCK_MONOTONIC.
    package mutating func presented(_ shown: ShownTouch, at instant: Instant) {
        guard instant >= shown.committed else {
            implausible += 1
            return
        }
        if isCounted(shown.stamped) { fromArrival.photons.add(instant.millisecondsSince(shown.arrival)) }
        if let stamped = shown.stamped { fromStamp.photons.add(max(0, instant.millisecondsSince(stamped))) }
    }

    private func isCounted(_ stamped: Instant?) -> Bool { stamped != nil || !hasStamps }

    package mutating func discard() { discarded += 1 }

    /// From the event's arrival at the program.
    package var sinceArrival: LatencyFigures {
        LatencyFigures(commit: fromArrival.commit.summary, photons: fromArrival.photons.summary)
    }

    /// From the event's stamp; empty unless the stamps proved to be CLOCK_MONOTONIC's.
    package var sinceStamp: LatencyFigures {
        LatencyFigures(commit: fromStamp.commit.summary, photons: fromStamp.photons.summary)
    }
}
