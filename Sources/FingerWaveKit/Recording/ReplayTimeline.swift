internal import Gestures
internal import Recording

/// When a recording's lines come, counted from its first one.
struct ReplayTimeline {
    /// ns. A pause that is longer is cut.
    static let longestPause = RecordedClock.longestPause * 1_000_000
    /// ns, between two runs in one file: how long ago the one before it was has nothing to do with what was touched.
    static let longestBreak = RecordedClock.longestBreak * 1_000_000

    /// ns.
    private let longest: Int64
    /// Of the last line, ns. It ends where an Int64 does: a file of millions of jumps gets there.
    var now: Int64 = 0
    private var stamp: UInt32?
    /// μs.
    private var arrival: Int64?
    /// A run has begun, and no line of it has come.
    private var isAnew = false
    /// How long it is since then, ns, and whether it has been reckoned.
    private var passed: Int64 = 0
    private var hasBroken = false
    /// How much later stamps are than they would be without what was cut, ms, modulo 2^32.
    private var lead: UInt32 = 0

    /// - Parameter longest: ns; longer pauses are cut to it.
    init(longest: Int64 = ReplayTimeline.longestPause) { self.longest = min(longest, ReplayTimeline.longestPause) }

    /// Another recording begins in the same file: what comes next comes after as long as it took, or a second.
    mutating func beginAnew() {
        isAnew = true
        hasBroken = false
        passed = 0
    }

    /// ns. When the line came to who recorded it counts more than its stamp: a cancel has no other.
    mutating func offset(of line: TouchLine) -> Int64 {
        var pause: Int64 = 0
        /// What is further back is another boot's: how long ago it was is not known.
        var isBehind = false
        if let time = line.arrival {
            if let arrival {
                let (difference, isNone) = time.subtractingReportingOverflow(arrival)
                pause = isNone ? 0 : difference
                isBehind = isNone || difference < 0
            }
            arrival = time
            pause = min(max(0, pause), .max / 1000) * 1000
        } else if let time = line.time, let stamp {
            // Modulo 2^32, and what goes backwards counts as the same moment.
            let step = time &- stamp
            isBehind = step >= UInt32(Int32.max)
            pause = isBehind ? 0 : Int64(step) * 1_000_000
        }
        let isBreak = isAnew && !hasBroken
        hasBroken = true
        if isBreak, isBehind { pause = ReplayTimeline.longestBreak }
        let cut = min(pause, isBreak ? min(longest, ReplayTimeline.longestBreak) : longest)
        if isAnew {
            passed += cut
            // Stamps go on as time does, whatever their clock has come to.
            if let time = line.time, let stamp {
                lead &+= time &- stamp &- UInt32(truncatingIfNeeded: passed / 1_000_000)
            }
            isAnew = line.time == nil && stamp != nil
        } else {
            lead &+= UInt32(truncatingIfNeeded: ((pause - cut) / 1000 + 500) / 1000)
        }
        if let time = line.time { stamp = time }
        now = (Instant(nanoseconds: now) + cut).nanoseconds
        return now
    }

    /// The line with its stamp as it would be without what was cut: whoever goes by stamps must not wait for that.
    func moved(_ line: TouchLine) -> TouchLine {
        var line = line
        if let time = line.time { line.time = time &- lead }
        return line
    }
}
