/// What is typical of some measured values: nearest-rank percentiles, in the values' own unit.
package struct Summary: Hashable, Sendable {
    /// How many values it is of.
    package var count: Int
    package var median: Double
    /// 99 of 100 are no larger.
    package var percentile99: Double
}

/// The last values of something that is measured. Bounded, so that a panel that runs for a year does not grow.
package struct SampleWindow: Hashable, Sendable {
    /// How many values are kept.
    package let capacity: Int
    /// How many values there ever were.
    package private(set) var total = 0
    private var values: [Double] = []

    package init(capacity: Int = 512) { self.capacity = max(1, capacity) }

    package mutating func add(_ value: Double) {
        if values.count < capacity { values.append(value) } else { values[total % capacity] = value }
        total += 1
    }

    /// Nil as long as there is no value.
    package var summary: Summary? {
        guard !values.isEmpty else { return nil }
        let sorted = values.sorted()
        // Nearest rank: the smallest value that at least so many of a hundred do not exceed.
        func percentile(_ share: Int) -> Double { sorted[(share * sorted.count + 99) / 100 - 1] }
        return Summary(count: sorted.count, median: percentile(50), percentile99: percentile(99))
    }
}
