/// Times that never go back: clocks do, when they are set, and where one recording follows another in a file.
struct RecordingClock {
    /// ms. What is further back is no disorder; a tap is longer.
    private static let disorder: Int64 = 20

    /// Of a ms.
    private let units: Int64
    /// As it came.
    private var last: Int64?
    private var offset: Int64 = 0
    private var isAnew = false

    init(unitsOfMillisecond units: Int64 = 1) { self.units = units }

    /// What comes now is another recording's: its clock may be behind.
    mutating func beginAnew() { isAnew = true }

    /// Whether this time is so far behind the last one that it is another recording's, which nobody has said.
    func beginsAnew(at time: Int64) -> Bool {
        guard let last, !isAnew else { return false }
        return last > time && last &- time > RecordingClock.disorder * units
    }

    func beginsAnew(at time: UInt32) -> Bool { last.map { beginsAnew(at: $0 &+ step(to: time, from: $0)) } ?? false }

    /// The time to go by. When the clock goes back, time stands still for that one step and then goes on; another
    /// recording comes ``RecordedClock/longestBreak`` later.
    mutating func time(_ time: Int64) -> (time: Int64, wentBack: Bool) {
        defer {
            last = time
            isAnew = false
        }
        guard let last, time < last else { return (time &+ offset, false) }
        offset &+= last &- time
        if isAnew { offset &+= RecordedClock.longestBreak * units }
        return (time &+ offset, !isAnew)
    }

    /// The same for ms modulo 2^32, whose passing 2^32 is no step back.
    mutating func time(_ time: UInt32) -> (time: UInt32, wentBack: Bool) {
        guard let last else {
            self.last = Int64(time)
            isAnew = false
            return (time, false)
        }
        let (result, wentBack) = self.time(last &+ step(to: time, from: last))
        return (UInt32(truncatingIfNeeded: result), wentBack)
    }

    private func step(to time: UInt32, from last: Int64) -> Int64 {
        Int64(Int32(bitPattern: time &- UInt32(truncatingIfNeeded: last)))
    }
}
