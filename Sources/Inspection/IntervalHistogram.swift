/// How often which time passed between one sample of a contact and its next, by the source's own stamps.
///
/// That is the panel's report rate: 8 ms and a third for 120 Hz, and a second hump where reports are lost. A finger that
/// rests makes long intervals on panels that report changes only.
package struct IntervalHistogram: Hashable, Sendable {
    /// Where each bin ends, in ms; an interval that is exactly there belongs to the next. The last bin has no end. Our
    /// choice: the common report rates (1000, 500, 250, 180, 120, 90, 60, 50, 30 and 20 Hz) each have a bin of their own.
    package static let bounds: [Double] = [1.5, 3, 5, 7, 10, 13, 18, 22, 40, 70]

    /// One more than there are bounds.
    package private(set) var counts = [Int](repeating: 0, count: bounds.count + 1)

    package init() {}

    /// ms, not negative.
    package mutating func add(_ interval: Double) {
        counts[Self.bounds.firstIndex { interval < $0 } ?? Self.bounds.count] += 1
    }

    package var total: Int { counts.reduce(0, +) }

    /// One character a bin, as high as its share of the fullest one; a bin that holds anything is not empty to look at.
    package var bars: String {
        let most = counts.max() ?? 0
        guard most > 0 else { return String(repeating: "·", count: counts.count) }
        let steps: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
        return String(counts.map { $0 == 0 ? "·" : steps[($0 * (steps.count - 1) + most - 1) / most] })
    }
}
