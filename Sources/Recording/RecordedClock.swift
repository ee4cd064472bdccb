package import Gestures

/// One time line for the stamps of all sources of a recording: ms of unknown beginning, modulo 2^32, which never go back
/// within a source.
package struct RecordedClock {
    /// A pause that is longer, ms, is cut: stamps of two recordings in one file have nothing to do with each other. As
    /// replaying has it.
    package static let longestPause: Int64 = 3_600_000
    /// The same where the recording says itself that another run begins.
    package static let longestBreak: Int64 = 1000
    /// Sources that are apart by no more, ms, are only out of order. As ``EventClock`` has it.
    static let disorder: Int64 = 100

    private struct Source {
        var seat, device: String?
        var stamp: UInt32
        /// ms.
        var time: Int64
    }

    private var sources: [Source] = []
    /// The source that spoke last.
    private var last = 0
    /// A run has begun, and no line of it has come.
    private var isAnew = false

    package init() {}

    /// Another recording begins in the same file.
    package mutating func beginAnew() { isAnew = true }

    /// Since the first stamp of all. `line`: whose stamp it is.
    package mutating func time(_ stamp: UInt32, of line: TouchLine) -> Instant {
        let (seat, device) = (line.seat ?? "seat0", line.device)
        let own = sources.firstIndex { $0.seat == seat && $0.device == device }
        if isAnew, !sources.isEmpty {
            let before = sources[own ?? last]
            let step = Int64(Int32(bitPattern: stamp &- before.stamp))
            let end = sources.reduce(0) { max($0, $1.time) }
            // One that is behind is by another clock.
            let time = end + (step < 0 ? RecordedClock.longestBreak : min(step, RecordedClock.longestBreak))
            sources = [Source(seat: seat, device: device, stamp: stamp, time: time)]
            last = 0
            isAnew = false
            return .milliseconds(time)
        }
        isAnew = false
        if sources.isEmpty { sources.append(Source(seat: seat, device: device, stamp: stamp, time: 0)) }
        let latest = sources[last]
        if latest.seat != seat || latest.device != device {
            if let own {
                last = own
            } else {
                // By the same clock, as far as that can be: then it lies a little behind the others.
                let step = Int64(Int32(bitPattern: stamp &- latest.stamp))
                let isSame = (-RecordedClock.disorder...RecordedClock.longestPause).contains(step)
                last = sources.count
                let time = latest.time + (isSame ? max(0, step) : 0)
                sources.append(Source(seat: seat, device: device, stamp: stamp, time: time))
            }
        }
        let step = Int64(Int32(bitPattern: stamp &- sources[last].stamp))
        var time = sources[last].time + min(max(0, step), RecordedClock.longestPause)
        if time < latest.time - RecordedClock.disorder { time = latest.time }
        sources[last].stamp = stamp
        sources[last].time = time
        return .milliseconds(time)
    }
}
