internal import Gestures
internal import Recording

/// When a recording's lines come, counted from its first one.
struct ReplayTimeline {
    /// ns. A pause that is longer is cut.
    static let longestPause = RecordedClock.longestPause * 1_000_000

    /// ns.
    private let longest: Int64
    /// Of the last line, ns. It ends where an Int64 does: a file of millions of jumps gets there.
    var now: Int64 = 0
    /// Of the last line that had one, as it was told.
    private var stamp: UInt32?
    /// μs.
    private var arrival: Int64?
    /// What the player's stamps are more than those that were told, ms, modulo 2^32.
    private var shift: UInt32 = 0
    /// Of pauses that were cut since the last stamp, ns.
    private var cut: Int64 = 0
    private var isNewRun = false

    /// - Parameter longest: ns; longer pauses are cut to it.
    init(longest: Int64 = ReplayTimeline.longestPause) { self.longest = min(longest, ReplayTimeline.longestPause) }

    /// Another recording begins in the same file: what comes next comes at once.
    mutating func beginAnew() {
        arrival = nil
        isNewRun = true
    }

    /// ns. When the line came to who recorded it counts more than its stamp: a cancel has no other. Gives the line the
    /// stamp that it has on this time: of a clock that passes over what was cut, and goes on where another recording
    /// begins.
    mutating func place(_ line: inout TouchLine) -> Int64 {
        let whole = max(0, pause(before: line))
        let pause = min(whole, longest)
        cut = (Instant(nanoseconds: cut) + (whole - pause)).nanoseconds
        if let time = line.time {
            line.time = stamp(time)
            stamp = time
        }
        now = (Instant(nanoseconds: now) + pause).nanoseconds
        return now
    }

    /// ns, uncut; below 0 where a clock went back.
    private mutating func pause(before line: TouchLine) -> Int64 {
        if let time = line.arrival {
            defer { arrival = time }
            // What is further back is another boot's.
            guard let arrival else { return 0 }
            let (difference, isNone) = time.subtractingReportingOverflow(arrival)
            if isNone { return 0 }
            let (pause, isBeyond) = difference.multipliedReportingOverflow(by: 1000)
            return isBeyond ? (difference < 0 ? 0 : .max) : pause
        }
        guard let time = line.time, let stamp, !isNewRun else { return 0 }
        // Modulo 2^32, and what goes backwards counts as the same moment.
        return Int64(Int32(bitPattern: time &- stamp)) * 1_000_000
    }

    private mutating func stamp(_ time: UInt32) -> UInt32 {
        defer {
            cut = 0
            isNewRun = false
        }
        guard let stamp else { return time }
        if isNewRun {
            shift = stamp &+ shift &- time
        } else {
            let step = Int64(Int32(bitPattern: time &- stamp))
            shift &-= UInt32(min(max(0, step), Int64((Double(cut) / 1e6).rounded())))
        }
        return time &+ shift
    }
}
