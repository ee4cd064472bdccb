internal import CBench
internal import Glibc

/// What one thing took in each round.
struct Samples {
    private(set) var values: [Double] = []

    mutating func add(_ value: Double) { values.append(value) }

    var median: Double { quantile(0.5) }

    /// Between neighbours, linearly.
    func quantile(_ part: Double) -> Double {
        let sorted = values.sorted()
        guard let last = sorted.last else { return .nan }
        let place = part * Double(sorted.count - 1)
        let index = Int(place)
        guard index + 1 < sorted.count else { return last }
        return sorted[index] + (sorted[index + 1] - sorted[index]) * (place - Double(index))
    }

    /// The median over the rounds of this to `other` in the same round: what slows the machine down for a while slows
    /// both.
    func ratio(to other: Samples) -> Double {
        var ratios = Samples()
        for (mine, its) in zip(values, other.values) where its != 0 { ratios.add(mine / its) }
        return ratios.median
    }

    /// How much more this is than `other` in the same round.
    func difference(to other: Samples) -> Samples {
        var differences = Samples()
        for (mine, its) in zip(values, other.values) { differences.add(mine - its) }
        return differences
    }
}

/// The processor's time for this thread: what others do on the machine meanwhile costs caches, but is not counted.
enum Clock {
    /// Nanoseconds that `body` takes.
    static func nanoseconds(_ body: () -> Void) -> Double {
        let begin = now
        body()
        return Double(now - begin)
    }

    private static var now: Int {
        var time = timespec()
        unsafe _ = clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
