internal import Gestures
internal import Input
internal import Recording
internal import TouchDevices

/// What is made of the touches that a recording says.
protocol ReplayListener: AnyObject {
    func raw(_ event: RawTouchEvent, _ stream: TouchStream)
    /// One contact was taken away, as libinput says it.
    func cancel(_ id: Int32, _ stream: TouchStream, at instant: Instant)
    func contacts(_ frame: ContactFrame, _ stream: TouchStream)
    func gestures(_ gestures: [Gesture], _ stream: TouchStream)
    /// Nothing comes of the stream any more.
    func ended(_ stream: TouchStream)
}

extension ReplayListener {
    /// Touches of more seats and devices are passed over.
    func tooMany(streams: Int) {
        complain("fingerwave: touches of more than \(streams) seats and devices: the others are passed over\n")
    }
}

/// Touches of a recording as a seat's: contacts, gestures. Pure: what is said and when comes from its owner, who hears
/// what it makes.
final class ReplayStreams {
    /// Numbers of sources are used again after so many: a recording may be played for ever.
    private static let mostSources = 10_000
    /// At a time, as `info` counts them.
    private static let mostStreams = 256

    private(set) var streams: [TouchStream] = []
    /// One by one: an array of them would be cast when the program runs, which Embedded Swift cannot.
    var sources: [any ContactSource] { streams.map { $0 } }
    /// How many there ever were: each has a source of its own.
    private var count = 0
    private var saidTooMany = false
    private var places = ReplayPlaces()
    private var configuration: GestureConfiguration
    /// Of the window, in logical px.
    private var size: Size
    private var target: Int
    // SAFETY: the listener owns this.
    private unowned(unsafe) let listener: any ReplayListener

    init(_ listener: any ReplayListener, configuration: GestureConfiguration, size: Size, target: Int) {
        unsafe self.listener = listener
        self.configuration = configuration
        self.size = size
        self.target = target
    }

    /// The window's size or its output has changed.
    func fit(_ configuration: GestureConfiguration, _ size: Size, target: Int) {
        self.configuration = configuration
        self.size = size
        self.target = target
        for stream in streams { fit(stream) }
    }

    private func fit(_ stream: TouchStream) {
        stream.recognizer.configuration = configuration
        stream.recognizer.setSurfaceSize(size, target: target)
    }

    func take(_ event: SourceEvent, arrival: Instant) {
        switch event {
        case .configure(let line): places.note(line)
        case .description(let device, let number): places.describe(device, number: number)
        case .device(let device, let isThere):
            if isThere { places.note(device) } else { end(arrival) { $0.key == StreamKey(device) } }
        case .touch(let line): take(line, arrival)
        case .problem, .ended, .failed: break
        }
    }

    private func take(_ line: TouchLine, _ arrival: Instant) {
        guard let stream = stream(StreamKey(line)) else { return }
        let time = stream.stamp(line.time, arrival: arrival)
        // What was to happen before it has happened.
        advance(stream, to: arrival)
        if line.kind == .cancel {
            for other in streams where isCancelled(other, by: stream) { cancel(line.id, other, arrival) }
            return
        }
        var line = line
        if case .shape(let major, let minor) = line.kind {
            line.kind = .shape(
                major: places.length(major, of: line, in: size), minor: places.length(minor, of: line, in: size))
        }
        let position = places.place(of: line, in: size) ?? .zero
        let event = RawTouchEvent(line, time: time, at: position, target: target, arrival: arrival)
        guard let event else { return }
        unsafe listener.raw(event, stream)
        let frame = stream.handle(line, time: time, at: position, target: target, arrival: arrival)
        emit(frame, stream)
    }

    /// A seat's cancel without a device is all of its devices'.
    private func isCancelled(_ other: TouchStream, by stream: TouchStream) -> Bool {
        other === stream || stream.key.device == nil && other.key.seat == stream.key.seat
    }

    private func cancel(_ id: Int32?, _ stream: TouchStream, _ arrival: Instant) {
        guard let id else {
            unsafe listener.raw(RawTouchEvent(kind: .cancel, arrival: arrival), stream)
            return emit(stream.contacts.cancel(arrival: arrival), stream)
        }
        unsafe listener.cancel(id, stream, at: arrival)
        emit(stream.contacts.cancel(id: id, arrival: arrival), stream)
    }

    /// What no frame has closed by the end of a turn, and what time alone has made of it.
    func endTurn(_ now: Instant) {
        for stream in streams {
            emit(stream.contacts.endTurn(arrival: now), stream)
            advance(stream, to: now)
        }
    }

    private func advance(_ stream: TouchStream, to now: Instant) {
        if let deadline = stream.recognizer.nextDeadline, deadline <= now {
            deliver(stream.recognizer.advance(to: now), stream)
        }
    }

    var nextDeadline: Instant? { streams.compactMap { $0.recognizer.nextDeadline }.min() }

    /// The recording says nothing any more: what is down is over.
    func endAll(_ now: Instant) { end(now) { _ in true } }

    private func end(_ now: Instant, where isMeant: (TouchStream) -> Bool) {
        for stream in streams where isMeant(stream) {
            emit(stream.contacts.end(arrival: now), stream)
            deliver(stream.recognizer.advance(to: Instant(nanoseconds: .max)), stream)
            unsafe listener.ended(stream)
        }
        streams.removeAll(where: isMeant)
    }

    /// Nil for one too many.
    private func stream(_ key: StreamKey) -> TouchStream? {
        if let stream = streams.first(where: { $0.key == key }) { return stream }
        guard streams.count < ReplayStreams.mostStreams else {
            if !saidTooMany { unsafe listener.tooMany(streams: ReplayStreams.mostStreams) }
            saidTooMany = true
            return nil
        }
        let stream = TouchStream(
            key, source: SourceID(rawValue: count % ReplayStreams.mostSources), configuration: configuration)
        count += 1
        fit(stream)
        streams.append(stream)
        return stream
    }

    private func emit(_ frame: ContactFrame?, _ stream: TouchStream) {
        guard let frame else { return }
        unsafe listener.contacts(frame, stream)
        deliver(stream.recognizer.handle(frame), stream)
    }

    private func deliver(_ gestures: [Gesture], _ stream: TouchStream) {
        if !gestures.isEmpty { unsafe listener.gestures(gestures, stream) }
    }
}
