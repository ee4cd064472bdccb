/// What the times between frames of moving fingers come to.
package struct IntervalFigures: Equatable, Sendable {
    /// ms: beyond it nothing moved, and the panel had nothing to say.
    package static let pause = 100.0

    /// One of them, and where it ended.
    package struct Extreme: Equatable, Sendable {
        /// ms.
        package var length: Double
        /// From the beginning; what lies between runs takes none.
        package var seconds: Double
        /// 0 where nobody knows it.
        package var line: Int
    }

    /// Of each whole ms; none before the first.
    private var counts: [Int] = []
    package private(set) var count = 0
    /// ms.
    private var sum = 0.0
    package private(set) var pauseCount = 0
    /// The first of several. A pause is none.
    package private(set) var longest: Extreme?
    package private(set) var longestPause: Extreme?

    package init() {}

    /// - Parameter interval: ms.
    package mutating func add(_ interval: Double, at seconds: Double, line: Int = 0) {
        let extreme = Extreme(length: interval, seconds: seconds, line: line)
        guard interval <= IntervalFigures.pause else {
            pauseCount += 1
            if interval > longestPause?.length ?? 0 { longestPause = extreme }
            return
        }
        if counts.isEmpty { counts = [Int](repeating: 0, count: Int(IntervalFigures.pause) + 1) }
        counts[Int(interval.rounded())] += 1
        count += 1
        sum += interval
        if interval > longest?.length ?? 0 { longest = extreme }
    }

    /// Frames a second; nil when no two follow each other.
    package var rate: Double? { sum > 0 ? Double(count) * 1000 / sum : nil }

    /// ms that this share of them is within.
    @inline(never)
    package func quantile(_ share: Double) -> Int {
        var sum = 0
        for interval in counts.indices {
            sum += counts[interval]
            if Double(sum) >= share * Double(count) { return interval }
        }
        return max(0, counts.count - 1)
    }
}
