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

    /// Takes an item as ``RecordingTouches`` gave it, and a device as the reader did.
    @inline(never)
    package func handle(_ item: RecordingItem, _ body: (Moment) -> Void) {
        switch item.content {
        case .device(let device, let number): streams.describe(device, number: number)
        case .touch(let line): handle(line, body)
        case .fault(.leftOut(let left)):
            // Time went on.
            pass(to: clock.time(left.until, of: TouchLine(.frame, device: left.device)), body)
            body(Moment(time: now, frame: nil, gestures: []))
        case .event, .run, .fault, .end: break
        }
    }

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
            let instant = clock.time(time, of: line)
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
        if let spot, line.beginsTouch { streams.fit(stream, spot) }
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
