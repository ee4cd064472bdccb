internal import Gestures

/// When lines of a recording came, on one time line: for pauses between the commands of a script.
///
/// Stamps count where lines have them, as they tell best how fast a finger went; else when the line came to who recorded
/// it, reckoned from the last line with a stamp. Stamps that have nothing to do with the time that passed are not gone by.
struct StageScriptClock {
    /// μs.
    private static let disorder = 1000 * RecordedClock.disorder

    /// Of the last line, μs; it never goes back.
    private(set) var now: Int64 = 0
    private var stamps = RecordedClock()
    /// How much later a moment by stamps is than its stamp.
    private var offset: Int64?
    /// When the last line with an arrival came, and how long after the first one that was.
    private var arrival: Int64?
    private var heard: Int64 = 0
    /// The last line with a stamp: its moment, and ``heard`` at it.
    private var told: (moment: Int64, heard: Int64) = (0, 0)
    private var isAnew = false

    /// Another recording begins in the same file.
    mutating func beginAnew() {
        stamps.beginAnew()
        isAnew = true
    }

    /// Whether the line tells when it came.
    mutating func pass(to line: TouchLine) -> Bool {
        hear(line.arrival)
        if let time = line.time, !line.isTimeReckoned {
            let stamp = stamps.time(time, of: line).nanoseconds / 1000
            var moment = stamp + (offset ?? told.moment + (heard - told.heard))
            if arrival != nil, (moment - heard).magnitude > StageScriptClock.disorder { moment = heard }
            offset = moment - stamp
            told = (moment, heard)
            now = max(now, moment)
            return true
        }
        guard line.arrival != nil else { return false }
        catchUp()
        return true
    }

    /// Its line tells what belongs to a later one, whose time counts.
    mutating func hear(_ line: TouchLine) { hear(line.arrival) }

    /// How long nothing came to who recorded it, μs; 0 where that is not known.
    func silence(before line: TouchLine) -> Int64 {
        guard let arrival, let time = line.arrival else { return 0 }
        let (silence, isNone) = time.subtractingReportingOverflow(arrival)
        return isNone ? 0 : silence
    }

    /// What was heard of, and has no other time, comes now.
    mutating func catchUp() { now = max(now, told.moment + (heard - told.heard)) }

    private mutating func hear(_ time: Int64?) {
        guard let time else { return }
        defer {
            arrival = time
            isAnew = false
        }
        guard let arrival else { return }
        let (difference, isNone) = time.subtractingReportingOverflow(arrival)
        let most = 1000 * (isAnew ? RecordedClock.longestBreak : RecordedClock.longestPause)
        // What is further back is another boot's.
        heard += isNone || difference < 0 ? (isAnew ? most : 0) : min(difference, most)
    }
}
