/// Whether the compositor tells when a picture turned into light, in a time that can be compared with ours.
package enum PhotonSource: Hashable, Sendable {
    case ready
    /// It has no wp_presentation, or has not said yet which clock it uses.
    case absent
    /// It uses this clock (as clock_gettime numbers them), and not CLOCK_MONOTONIC.
    case otherClock(UInt32)
    /// Nobody asks it.
    case unasked
}

/// The figures at one moment, as the log writes them.
package struct StatisticsReport: Sendable {
    /// What only all seats together have.
    package struct Latency: Sendable {
        package var sinceArrival: LatencyFigures
        package var sinceStamp: LatencyFigures
        package var photonSource: PhotonSource
        package var discarded: Int
    }

    /// Nil: all seats.
    package var seat: String?
    /// Of the seat; nil where all of it is meant.
    package var device: String?
    package var statistics: TouchStatistics
    package var eventsPerSecond: Int
    package var faults: FaultCounts
    package var latency: Latency?
}

/// A fault counter that has risen.
package struct FaultReport: Hashable, Sendable {
    /// Nil when it is no seat's fault.
    package var seat: String?
    package var device: String?
    package var fault: Fault
    package var count: Int
}
