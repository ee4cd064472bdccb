package import Gestures

/// How many events came in the last second, in steps of 50 ms.
package struct EventRate: Hashable, Sendable {
    private static let slot: Int64 = .milliseconds(50)
    private static let slots = 20

    private var counts = [Int](repeating: 0, count: slots)
    /// The slot that the last event fell into, counted from the first event: the same touches have the same rate whenever
    /// they come.
    private var latest: Int64 = 0
    private var first: Instant?

    package init() {}

    package mutating func add(_ events: Int, at now: Instant) {
        if first == nil { first = now }
        advance(to: number(now))
        counts[Self.place(latest)] += events
    }

    /// Events in the second that ends at `now`.
    package func perSecond(at now: Instant) -> Int {
        var rate = self
        rate.advance(to: number(now))
        return rate.counts.reduce(0, +)
    }

    private mutating func advance(to number: Int64) {
        // A clock that goes backwards adds to the newest slot.
        guard number > latest else { return }
        for passed in 1...min(Int64(Self.slots), number - latest) { counts[Self.place(latest + passed)] = 0 }
        latest = number
    }

    private func number(_ instant: Instant) -> Int64 { first.map { max(0, instant - $0) / Self.slot } ?? 0 }
    private static func place(_ number: Int64) -> Int { Int(number % Int64(slots)) }
}
