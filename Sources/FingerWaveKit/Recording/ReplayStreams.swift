internal import Gestures
internal import Input
internal import Recording
internal import TouchDevices

/// What is made of the touches that a recording says.
protocol ReplayListener: AnyObject {
    func raw(_ event: RawTouchEvent, _ stream: TouchStream)
    func tool(_ event: RawToolEvent, _ stream: TouchStream)
    /// One contact was taken away, as libinput says it.
    func cancel(_ id: Int32, _ stream: TouchStream, at instant: Instant)
    func contacts(_ frame: ContactFrame, _ stream: TouchStream)
    func gestures(_ gestures: [Gesture], _ stream: TouchStream)
    /// Gestures are judged by other lengths from now on.
    func fitted()
    /// A line that the log of it has beside its touches: where another run begins, what is shown where.
    func tell(_ line: String)
    /// Nothing comes of the stream any more.
    func ended(_ stream: TouchStream)
}

extension ReplayListener {
    func fitted() {}
}

/// Touches of a recording as a seat's: contacts, gestures. Pure: what is said and when comes from its owner, who hears
/// what it makes.
final class ReplayStreams {
    private let streams: RecordedStreams
    /// One by one: an array of them would be cast when the program runs, which Embedded Swift cannot.
    var sources: [any ContactSource] { streams.all.map { $0 } }
    /// What gestures are judged by.
    var configuration: GestureConfiguration { streams.configuration }
    // SAFETY: the listener owns this.
    private unowned(unsafe) let listener: any ReplayListener
    /// What was told of the surfaces that were touched, by their numbers.
    private var told: [Int: RecordedPart] = [:]
    /// Of which nothing else is known by now.
    private var settled: Set<Int> = []
    /// Of those that are told apart, by the order in which they were.
    private var numbers: [Int: Int32] = [:]
    /// What ends was ended by no line.
    private(set) var isEnding = false
    /// Of what is said now: the number that its line in a log has.
    private(set) var surface: Int32?

    init(_ listener: any ReplayListener, _ options: GestureOptions, _ screen: RecordedStreams.Screen) {
        unsafe self.listener = listener
        streams = RecordedStreams(options, RecordedSurfaces(size: nil), screen: screen)
        streams.onTooMany = { complain("fingerwave: \(RecordedStreams.tooMany)\n") }
    }

    /// The window's size or the options have changed.
    func fit(_ options: GestureOptions, _ screen: RecordedStreams.Screen) {
        if streams.options != options { streams.options = options }
        if streams.screen != screen { streams.screen = screen }
        settled.removeAll()
    }

    func take(_ event: SourceEvent, arrival: Instant) {
        switch event {
        case .other(let line):
            // Another recording begins, by a clock of its own.
            if line.kind == .other("header") {
                endAll(arrival)
                unsafe listener.tell(line.json)
            }
            streams.note(line)
            settled.removeAll()
        case .description(let device, let number):
            streams.describe(device, number: number)
            settled.removeAll()
        case .device(let device, let isThere):
            if isThere { streams.note(device) } else { end(arrival) { $0.key == StreamKey(device) } }
            unsafe listener.tell(DeviceLine.line(isThere ? .added : .removed, device).json)
            settled.removeAll()
        case .touch(let line): take(line, arrival)
        case .problem, .ended, .failed: break
        }
    }

    /// What is shown where, before the first line that is there.
    private func tell(_ surface: Int) {
        guard settled.insert(surface).inserted else { return }
        let part = streams.part(surface)
        guard told[surface] != part else { return }
        told[surface] = part
        if streams.isWhole(part), numbers[surface] == nil { return }
        let number = numbers[surface] ?? Int32(truncatingIfNeeded: numbers.count + 1)
        numbers[surface] = number
        unsafe listener.tell(part.json(number))
    }

    private func take(_ line: TouchLine, _ arrival: Instant) {
        guard let stream = streams.stream(StreamKey(line)) else { return }
        let time = stream.stamp(line.time, arrival: arrival)
        // What was to happen before it has happened.
        advance(stream, to: arrival)
        if line.kind == .cancel {
            let ended = line.id == nil ? streams.cancelled(by: stream) : [stream]
            for other in ended { cancel(line, other, time, arrival) }
            return
        }
        let spot = streams.spot(of: line)
        // A log tells of another surface when the one that is touched has changed.
        if let spot, line.beginsTouch || line.surface != nil, streams.fit(stream, spot) { unsafe listener.fitted() }
        if let spot, spot.position != nil { tell(spot.surface) }
        surface = spot.flatMap { numbers[$0.surface] }
        var line = line
        if case .shape(let major, let minor) = line.kind {
            let scale = streams.scale(of: stream)
            line.kind = .shape(major: major * scale, minor: minor * scale)
        }
        note(line, stream, time, spot, arrival)
        stream.handle(line, time: time, at: spot?.position, target: spot?.target, arrival: arrival) { frame in
            emit(frame, stream)
        }
    }

    private func note(
        _ line: TouchLine, _ stream: TouchStream, _ time: UInt32, _ spot: RecordedStreams.Spot?, _ arrival: Instant
    ) {
        if let event = RawToolEvent(line, time: time, at: spot?.position, target: spot?.target, arrival: arrival) {
            return unsafe listener.tool(event, stream)
        }
        let event = RawTouchEvent(
            line, time: time, at: spot?.position ?? .zero, target: spot?.target, arrival: arrival)
        if let event { unsafe listener.raw(event, stream) }
    }

    private func cancel(_ line: TouchLine, _ stream: TouchStream, _ time: UInt32, _ arrival: Instant) {
        if let id = line.id {
            unsafe listener.cancel(id, stream, at: arrival)
        } else {
            unsafe listener.raw(RawTouchEvent(kind: .cancel, arrival: arrival), stream)
        }
        stream.handle(line, time: time, at: nil, target: nil, arrival: arrival) { emit($0, stream) }
    }

    /// What no frame has closed by the end of a turn, and what time alone has made of it.
    func endTurn(_ now: Instant) {
        for stream in streams.all {
            stream.endTurn(arrival: now) { emit($0, stream) }
            advance(stream, to: now)
        }
    }

    /// What came at one moment is a turn of its own, and what time alone brings before the next comes at its own moments:
    /// so a log is the same however late they are said.
    func pass(_ now: Instant, to due: Instant, endTurn: (Instant) -> Void) {
        if due > now { endTurn(now) }
        while let deadline = nextDeadline, deadline < due { endTurn(deadline) }
    }

    private func advance(_ stream: TouchStream, to now: Instant) {
        if let deadline = stream.recognizer.nextDeadline, deadline <= now {
            deliver(stream.recognizer.advance(to: now), stream)
        }
    }

    var nextDeadline: Instant? { streams.all.compactMap { $0.recognizer.nextDeadline }.min() }

    var isTouched: Bool { streams.all.contains { $0.contactCount > 0 } }

    /// The recording says nothing any more: what is down is over.
    func endAll(_ now: Instant) {
        for stream in streams.all { stream.noteEnd() }
        end(now) { _ in true }
    }

    private func end(_ now: Instant, where isMeant: (TouchStream) -> Bool) {
        isEnding = true
        defer { isEnding = false }
        for stream in streams.all where isMeant(stream) {
            stream.end(arrival: now) { emit($0, stream) }
            deliver(stream.recognizer.advance(to: Instant(nanoseconds: .max)), stream)
            unsafe listener.ended(stream)
        }
        streams.remove(where: isMeant)
    }

    private func emit(_ frame: ContactFrame, _ stream: TouchStream) {
        unsafe listener.contacts(frame, stream)
        deliver(stream.recognizer.handle(frame), stream)
    }

    private func deliver(_ gestures: [Gesture], _ stream: TouchStream) {
        if !gestures.isEmpty { unsafe listener.gestures(gestures, stream) }
    }
}
