/// Round numbers on an axis.
package enum Ticks {
    /// Multiples of 1, 2 or 5 times a power of ten within `range`, no more than `most`, which is 2 or more.
    package static func values(_ range: ClosedRange<Double>, most: Int) -> [Double] {
        let (low, high) = (range.lowerBound, range.upperBound)
        guard low.isFinite, high.isFinite, high - low > 0, (high - low).isFinite else { return [] }
        var step = power(below: (high - low) / Double(max(2, most)))
        for factor in [1.0, 2, 5, 10, 20] {
            let first = (low / (step * factor)).rounded(.up)
            let last = (high / (step * factor)).rounded(.down)
            if last - first + 1 <= Double(most) {
                step *= factor
                // Products and not sums, or the rounding errors add up.
                return stride(from: first, through: last, by: 1).map { $0 * step }
            }
        }
        return []
    }

    /// The power of ten at or below `value`, which is above 0.
    private static func power(below value: Double) -> Double {
        var power = 1.0
        while power > value, power > 1e-12 { power /= 10 }
        while power * 10 <= value, power < 1e12 { power *= 10 }
        return power
    }
}
