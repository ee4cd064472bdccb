package import Gestures
package import Recording

/// The touches of a recording as contacts and gestures, by the recording's own stamps: it has no clock and no loop.
///
/// It takes lines that ``RecordingTouches`` has settled, of any number of sources, in their order. A device is described
/// before its first line, where the recording does so.
package final class RecordedGestures {
    /// What happened together.
    package struct Moment: Equatable, Sendable {
        /// Since the recording's first stamp.
        package var time: Instant
        /// What changed; nil where time alone made a gesture.
        package var frame: ContactFrame?
        package var gestures: [Gesture]
        /// Nothing follows: what the frame ends was down to the last, and nobody cancelled it.
        package var isEnd = false

        /// What became of a contact as far as the recording tells.
        package func phase(of change: ContactFrame.Change) -> ContactFrame.Phase {
            isEnd && change.phase == .cancelled ? .moved : change.phase
        }
    }

    /// Of the last line.
    package private(set) var now = Instant(nanoseconds: 0)
    package var surfaces: RecordedSurfaces { streams.surfaces }

    private var clock = RecordedClock()
    private let streams: RecordedStreams

    /// - Parameter size: logical px of whatever was touched; nil: as the recording tells.
    package convenience init(_ options: GestureOptions = GestureOptions(), size: Size? = nil) {
        self.init(options, surfaces: RecordedSurfaces(size: size))
    }

    /// - Parameter surfaces: what an earlier pass over the same recording found.
    package init(_ options: GestureOptions, surfaces: RecordedSurfaces) {
        streams = RecordedStreams(options, surfaces)
    }

    /// What the recording says of a device, which no line does: its axes.
    package func describe(_ device: EvdevDevice, number: Int) { streams.describe(device, number: number) }

    /// Hands out what happened before the line, and what the line ends.
    package func handle(_ line: TouchLine, _ body: (Moment) -> Void) {
        switch line.kind {
        case .other, .device:
            if line.kind == .other("header") {
                // Whoever recorded what is down still was ended before it could say more.
                for stream in streams.all { stream.end(arrival: now) { deliver($0, stream, body) } }
                clock.beginAnew()
            }
            return streams.note(line)
        // A log has no time of the pointer's: it says nothing of how long it was pressed.
        case .pointer: if line.time == nil { return }
        case .down, .motion, .up, .frame, .cancel, .shape, .orientation, .tool: break
        }
        var line = line
        if let time = line.time {
            let instant = clock.time(time, StreamKey(line))
            pass(to: instant, body)
            // Without what was cut: the recogniser goes by stamps, and must not wait for that.
            line.time = UInt32(truncatingIfNeeded: instant.nanoseconds / 1_000_000)
        }
        guard let stream = streams.stream(StreamKey(line)) else { return }
        if line.kind == .cancel, line.id == nil {
            for other in streams.cancelled(by: stream) { take(line, other, body) }
        } else {
            take(line, stream, body)
        }
    }

    /// Nothing follows: what is down ends as cancelled, and what waited for more is told.
    package func finish(_ body: (Moment) -> Void) {
        for stream in streams.all {
            stream.end(arrival: now) { frame in
                body(Moment(time: now, frame: frame, gestures: stream.recognizer.handle(frame), isEnd: true))
            }
        }
        happen(before: Instant(nanoseconds: .max), body)
    }

    private func take(_ line: TouchLine, _ stream: TouchStream, _ body: (Moment) -> Void) {
        let spot = streams.spot(of: line)
        if let spot, RecordedStreams.begins(line) { streams.fit(stream, spot) }
        let time = stream.stamp(line.time, arrival: now)
        stream.handle(line, time: time, at: spot?.position, target: spot?.target, arrival: now) { frame in
            deliver(frame, stream, body)
        }
    }

    /// What gestures on it are judged by.
    package func configuration(of surface: RecordedSurface) -> GestureConfiguration {
        streams.configuration(of: surface)
    }

    // MARK: Time

    private func pass(to time: Instant, _ body: (Moment) -> Void) {
        guard time > now else { return }
        for stream in streams.all { stream.endTurn(arrival: now) { deliver($0, stream, body) } }
        happen(before: time, body)
        now = time
    }

    /// What time alone makes, in its order. What is due at the very moment of a line comes after it, as it does live.
    private func happen(before end: Instant, _ body: (Moment) -> Void) {
        while true {
            var next: (stream: TouchStream, due: Instant)?
            for stream in streams.all {
                guard let due = stream.recognizer.nextDeadline, due < next?.due ?? end else { continue }
                next = (stream, due)
            }
            guard let next else { return }
            now = max(now, next.due)
            let gestures = next.stream.recognizer.advance(to: next.due)
            if !gestures.isEmpty { body(Moment(time: now, frame: nil, gestures: gestures)) }
        }
    }

    private func deliver(_ frame: ContactFrame, _ stream: TouchStream, _ body: (Moment) -> Void) {
        body(Moment(time: now, frame: frame, gestures: stream.recognizer.handle(frame)))
    }
}

/// One time line for the stamps of all sources of a recording: ms of unknown beginning, modulo 2^32, which never go back
/// within a source.
struct RecordedClock {
    /// A pause that is longer, ms, is cut: stamps of two recordings in one file have nothing to do with each other. As
    /// replaying has it.
    static let longestPause: Int64 = 3_600_000
    /// The same where the recording says itself that another run begins.
    static let longestBreak: Int64 = 1000
    /// Sources that are apart by no more, ms, are only out of order. As ``EventClock`` has it.
    private static let disorder: Int64 = 100

    private struct Source {
        var key: StreamKey
        var stamp: UInt32
        /// ms.
        var time: Int64
    }

    private var sources: [Source] = []
    /// The source that spoke last.
    private var last = 0
    /// A run has begun, and no line of it has come.
    private var isAnew = false

    /// Another recording begins in the same file.
    mutating func beginAnew() { isAnew = true }

    /// Since the first stamp of all.
    mutating func time(_ stamp: UInt32, _ key: StreamKey) -> Instant {
        if isAnew, !sources.isEmpty {
            let before = sources.first { $0.key == key } ?? sources[last]
            let step = Int64(Int32(bitPattern: stamp &- before.stamp))
            let end = sources.reduce(0) { max($0, $1.time) }
            sources = [Source(key: key, stamp: stamp, time: end + min(max(0, step), RecordedClock.longestBreak))]
            last = 0
        }
        isAnew = false
        if sources.isEmpty { sources.append(Source(key: key, stamp: stamp, time: 0)) }
        let latest = sources[last]
        if latest.key != key {
            if let index = sources.firstIndex(where: { $0.key == key }) {
                last = index
            } else {
                // By the same clock, as far as that can be: then it lies a little behind the others.
                let step = Int64(Int32(bitPattern: stamp &- latest.stamp))
                let isSame = (-RecordedClock.disorder...RecordedClock.longestPause).contains(step)
                last = sources.count
                sources.append(Source(key: key, stamp: stamp, time: latest.time + (isSame ? max(0, step) : 0)))
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
