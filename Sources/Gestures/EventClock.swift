/// Turns one source's 32-bit millisecond stamps of unknown base into instants that never go backwards.
///
/// The first event's instant is its arrival; later ones keep the stamps' distances, modulo 2^32. So instants of one source
/// may be compared with each other, and with the program's own clock only roughly.
public struct EventClock: Sendable {
    /// How many stamps were earlier than one before them.
    public private(set) var backwards = 0

    /// The first event that carried the current stamp.
    private var stamp: UInt32 = 0
    private var stampInstant = Instant(nanoseconds: 0)
    private var stampArrival = Instant(nanoseconds: 0)
    private var latest = Instant(nanoseconds: 0)
    private var latestArrival = Instant(nanoseconds: 0)
    private var hasStarted = false
    private var stampsDiffer = false

    /// Stamps that are out of order by no more than this (two devices behind one seat) are clamped; by more, the clock
    /// was set or the stamp comes from another clock, and counting starts anew from it. Our choice, ms.
    static let disorder: Int32 = 100
    /// Stamps that stand still for longer than this while events arrive are not stamps. Our choice, ns.
    static let standstill: Int64 = .milliseconds(100)
    /// A quarter of the stamps' range (12 days), ns: after such a silence their distance says nothing.
    static let ambiguity: Int64 = .milliseconds(1 << 30)

    public init() {}

    /// The instant of an event.
    public mutating func instant(stamp: UInt32, arrival: Instant) -> Instant {
        guard hasStarted else {
            hasStarted = true
            latest = arrival
            latestArrival = arrival
            anchor(stamp, at: arrival, arrival)
            return arrival
        }
        // Past half the range the distance comes out negative: time that went backwards, not 25 days forwards.
        let step = Int32(bitPattern: stamp &- self.stamp)
        let waited = max(0, arrival - stampArrival)
        if waited > Self.ambiguity {
            latest = max(latest, arrival)
            anchor(stamp, at: latest, arrival)
        } else if step == 0 {
            // Synthetic events carry 0 for ever; their arrival is all there is.
            if !stampsDiffer || waited > Self.standstill { latest = max(latest, stampInstant + waited) }
        } else if step > 0 {
            stampsDiffer = true
            latest = max(latest, stampInstant + .milliseconds(Int64(step)))
            anchor(stamp, at: latest, arrival)
        } else {
            stampsDiffer = true
            backwards += 1
            if step < -Self.disorder {
                latest = latest + max(0, arrival - latestArrival)
                anchor(stamp, at: latest, arrival)
            }
        }
        latestArrival = max(latestArrival, arrival)
        return latest
    }

    /// The instant of something that carries no stamp.
    public mutating func instant(arrival: Instant) -> Instant {
        if !hasStarted { return arrival }
        latest = latest + max(0, arrival - latestArrival)
        latestArrival = max(latestArrival, arrival)
        return latest
    }

    private mutating func anchor(_ stamp: UInt32, at instant: Instant, _ arrival: Instant) {
        self.stamp = stamp
        stampInstant = instant
        stampArrival = arrival
    }
}
