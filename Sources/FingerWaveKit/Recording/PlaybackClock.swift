internal import Gestures

/// The time of a recording that is played, against the monotonic clock: both in ns. It runs slower or faster, and stands
/// still; it never goes back, and ends where an Int64 does.
struct PlaybackClock {
    /// Moments of the two clocks that are the same.
    private var real: Int64
    private var played: Int64
    private(set) var speed = 1.0
    private(set) var isPaused = false

    static let speeds = 0.1...100

    /// From then on both are the same, until something changes.
    init(startingAt now: Int64) {
        real = now
        played = now
    }

    func time(at now: Int64) -> Int64 {
        guard !isPaused else { return played }
        let passed = now - real
        return sum(played, speed == 1 ? passed : PlaybackClock.whole((Double(passed) * speed).rounded()))
    }

    /// When the recording's time will be this; nil when it stands still.
    func moment(of time: Int64) -> Int64? {
        guard !isPaused else { return nil }
        let rest = time - played
        return sum(real, speed == 1 ? rest : PlaybackClock.whole((Double(rest) / speed).rounded(.up)))
    }

    private func sum(_ moment: Int64, _ interval: Int64) -> Int64 {
        (Instant(nanoseconds: moment) + interval).nanoseconds
    }

    private static func whole(_ interval: Double) -> Int64 { Int64(exactly: interval) ?? (interval < 0 ? .min : .max) }

    private mutating func anchor(at now: Int64) {
        played = time(at: now)
        real = now
    }

    mutating func setSpeed(_ speed: Double, at now: Int64) {
        anchor(at: now)
        self.speed = min(max(speed, PlaybackClock.speeds.lowerBound), PlaybackClock.speeds.upperBound)
    }

    mutating func setPaused(_ paused: Bool, at now: Int64) {
        anchor(at: now)
        isPaused = paused
    }

    /// Jumps ahead; what lies back is not gone to.
    mutating func skip(to time: Int64, at now: Int64) {
        anchor(at: now)
        played = max(played, time)
    }
}
