/// A moment on a monotonic clock, in nanoseconds of unknown beginning. Arithmetic saturates, so that no recording and no
/// clock, however broken, can trap.
public struct Instant: Hashable, Comparable, Sendable {
    public var nanoseconds: Int64

    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    public static func milliseconds(_ count: Int64) -> Instant { Instant(nanoseconds: .milliseconds(count)) }

    public static func < (a: Instant, b: Instant) -> Bool { a.nanoseconds < b.nanoseconds }

    /// `interval` in ns.
    public static func + (instant: Instant, interval: Int64) -> Instant {
        let (sum, overflow) = instant.nanoseconds.addingReportingOverflow(interval)
        return Instant(nanoseconds: overflow ? (interval < 0 ? .min : .max) : sum)
    }

    /// `interval` in ns.
    public static func - (instant: Instant, interval: Int64) -> Instant {
        let (difference, overflow) = instant.nanoseconds.subtractingReportingOverflow(interval)
        return Instant(nanoseconds: overflow ? (interval > 0 ? .min : .max) : difference)
    }

    /// ns from `earlier` to `later`.
    public static func - (later: Instant, earlier: Instant) -> Int64 { (later - earlier.nanoseconds).nanoseconds }

    public func millisecondsSince(_ earlier: Instant) -> Double { Double(self - earlier) / 1_000_000 }
}

extension Int64 {
    /// An interval in ns; saturates.
    public static func milliseconds(_ count: Int64) -> Int64 {
        let (product, overflow) = count.multipliedReportingOverflow(by: 1_000_000)
        return overflow ? (count < 0 ? .min : .max) : product
    }
}
