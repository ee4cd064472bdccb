/// Times that never go back: clocks do, when they are set, and where one recording follows another in a file.
struct RecordingClock {
    /// As it came.
    private var last: Int64?
    private var offset: Int64 = 0
    private var isAnew = false

    /// What comes now is another recording's: its clock may be behind.
    mutating func beginAnew() { isAnew = true }

    /// The time to go by. When the clock goes back, time stands still for that one step and then goes on.
    mutating func time(_ time: Int64) -> (time: Int64, wentBack: Bool) {
        defer {
            last = time
            isAnew = false
        }
        guard let last, time < last else { return (time &+ offset, false) }
        offset &+= last &- time
        return (time &+ offset, !isAnew)
    }

    /// The same for ms modulo 2^32, whose passing 2^32 is no step back.
    mutating func time(_ time: UInt32) -> (time: UInt32, wentBack: Bool) {
        guard let last else {
            self.last = Int64(time)
            isAnew = false
            return (time, false)
        }
        let step = Int32(bitPattern: time &- UInt32(truncatingIfNeeded: last))
        let (result, wentBack) = self.time(last &+ Int64(step))
        return (UInt32(truncatingIfNeeded: result), wentBack)
    }
}
