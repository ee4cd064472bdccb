internal import Gestures
internal import Input
internal import Recording

/// The touches, pens and pointer of one device or seat, and what they mean.
final class TouchStream: ContactSource {
    let key: StreamKey
    private(set) var contacts: TouchContacts
    /// As lines tell them: their contacts are those that were made of the buttons' events.
    private var pointer: ContactTracker
    private var pens: TabletContacts
    /// Those that are near.
    private var nearPens: Set<Int32> = []
    var recognizer: GestureRecognizer
    /// What the recogniser's lengths were last reckoned for, by its number; nil for nothing.
    var fittedTo: UInt32?
    let number: UInt32
    var device: String? { key.device }

    /// The last stamp that was told, with the moment at which it came.
    private var told: (stamp: UInt32, arrival: Instant)?

    /// - Parameter number: no other stream of its owner has it. Its touches, pointer and pens are three sources.
    init(_ key: StreamKey, number: Int, configuration: GestureConfiguration) {
        self.key = key
        contacts = TouchContacts(source: SourceID(rawValue: 3 * number))
        pointer = ContactTracker(source: SourceID(rawValue: 3 * number + 1), kind: .pointer)
        pens = TabletContacts(source: SourceID(rawValue: 3 * number + 2))
        recognizer = GestureRecognizer(configuration: configuration)
        // Beside the numbers of globals, which begin at 1.
        self.number = .max - UInt32(truncatingIfNeeded: number)
    }

    /// What is touched is shown so much larger.
    func magnify(by factor: Double) {
        contacts.magnify(by: factor)
        pens.magnify(by: factor)
        pointer.magnification = factor
    }

    /// The line's stamp; where it tells none, one by the clock of those before it, or by ours.
    func stamp(_ time: UInt32?, arrival: Instant) -> UInt32 {
        if let time {
            told = (time, arrival)
            return time
        }
        guard let told else { return UInt32(truncatingIfNeeded: arrival.nanoseconds / 1_000_000) }
        return told.stamp &+ UInt32(truncatingIfNeeded: max(0, arrival - told.arrival) / 1_000_000)
    }

    /// Takes a line of this stream, `position` and `target` being where its place is; hands out what is complete by then. A
    /// cancel without an id ends this stream's touches: whose else's it ends, the owner knows.
    func handle(
        _ line: TouchLine, time: UInt32, at position: Point?, target: Int?, arrival: Instant,
        _ body: (ContactFrame) -> Void
    ) {
        switch (line.kind, line.id) {
        case (.down, let id?):
            say(contacts.down(id: id, time: time, at: position ?? .zero, target: target, arrival: arrival), body)
        case (.motion, let id?):
            if let position { contacts.motion(id: id, time: time, at: position, arrival: arrival) }
        case (.up, let id?): contacts.up(id: id, time: time, arrival: arrival)
        case (.shape(let major, let minor), let id?): contacts.shape(id: id, major: major, minor: minor)
        case (.orientation(let degrees), let id?): contacts.orientation(id: id, degrees: degrees)
        case (.frame, _): say(contacts.frame(arrival: arrival), body)
        case (.cancel, let id?): say(contacts.cancel(id: id, arrival: arrival), body)
        case (.cancel, nil): say(contacts.cancel(arrival: arrival), body)
        case (.tool, _):
            guard let event = RawToolEvent(line, time: time, at: position, target: target, arrival: arrival) else {
                return
            }
            handle(event, target: target, body)
        case (.pointer(let phase), _):
            guard let position, let target else { return }
            // By one clock: its lines have no stamps, and those of touches may be another's.
            let stamp = line.time ?? UInt32(truncatingIfNeeded: arrival.nanoseconds / 1_000_000)
            point(phase, stamp, position, target, arrival, body)
        case (.down, nil), (.motion, nil), (.up, nil), (.shape, nil), (.orientation, nil), (.device, _), (.other, _):
            break
        }
    }

    private func say(_ frame: ContactFrame?, _ body: (ContactFrame) -> Void) { if let frame { body(frame) } }

    private func handle(_ event: RawToolEvent, target: Int?, _ body: (ContactFrame) -> Void) {
        switch event.kind {
        case .proximityIn: nearPens.insert(event.tool)
        case .proximityOut, .removed: nearPens.remove(event.tool)
        case .motion where nearPens.insert(event.tool).inserted:
            // It came near before the lines began.
            let arrived = RawToolEvent(
                kind: .proximityIn(target: target), tool: event.tool, typeName: event.type.name, arrival: event.arrival)
            for frame in pens.handle(arrived) { body(frame) }
        default: break
        }
        for frame in pens.handle(event) { body(frame) }
    }

    private func point(
        _ phase: ContactFrame.Phase, _ time: UInt32, _ position: Point, _ target: Int, _ arrival: Instant,
        _ body: (ContactFrame) -> Void
    ) {
        // A pointer has one contact.
        let id: Int32 = 0
        switch phase {
        case .began: say(pointer.down(id: id, time: time, at: position, target: target, arrival: arrival), body)
        case .moved: pointer.motion(id: id, time: time, at: position, arrival: arrival)
        case .ended: pointer.up(id: id, time: time, arrival: arrival)
        case .cancelled: say(pointer.cancel(arrival: arrival), body)
        }
        say(pointer.frame(arrival: arrival), body)
    }

    /// What no frame has closed by the end of a turn. What a pen does waits for its frame, which every tablet sends:
    /// lines that belong together may come in two pieces.
    func endTurn(arrival: Instant, _ body: (ContactFrame) -> Void) { say(contacts.endTurn(arrival: arrival), body) }

    /// The source says nothing any more: all contacts are over.
    func end(arrival: Instant, _ body: (ContactFrame) -> Void) {
        say(contacts.end(arrival: arrival), body)
        say(pointer.end(arrival: arrival), body)
        for frame in pens.end(arrival: arrival) { body(frame) }
        nearPens.removeAll()
    }

    /// What they are on is gone.
    func endContacts(target: Int, arrival: Instant, _ body: (ContactFrame) -> Void) {
        say(contacts.endContacts(target: target, arrival: arrival), body)
        say(pointer.endContacts(target: target, arrival: arrival), body)
        for frame in pens.endContacts(target: target, arrival: arrival) { body(frame) }
        nearPens.removeAll()
    }

    var contactCount: Int { liveContacts.count }
    var name: String { key.seat }
    var touchFaults: FaultCounters { contacts.tracker.faults }
    func noteEnd() { contacts.noteEnd() }
    var liveContacts: [Contact] { contacts.tracker.contacts + pointer.contacts + pens.tracker.contacts }
}

extension RawTouchEvent {
    /// A recorded event as one that has just come; nil for a line that tells of none.
    init?(_ line: TouchLine, time: UInt32, at position: Point, target: Int?, arrival: Instant) {
        let kind: Kind
        switch (line.kind, line.id) {
        case (.down, let id?): kind = .down(id: id, time: time, position: position, target: target)
        case (.motion, let id?): kind = .motion(id: id, time: time, position: position)
        case (.up, let id?): kind = .up(id: id, time: time)
        case (.shape(let major, let minor), let id?): kind = .shape(id: id, major: major, minor: minor)
        case (.orientation(let degrees), let id?): kind = .orientation(id: id, degrees: degrees)
        case (.frame, _): kind = .frame
        case (.cancel, nil): kind = .cancel
        default: return nil
        }
        self.init(kind: kind, arrival: arrival)
    }
}

extension RawToolEvent {
    /// A recorded event as one that has just come; nil for a line that tells of none.
    init?(_ line: TouchLine, time: UInt32, at position: Point?, target: Int?, arrival: Instant) {
        guard case .tool(let tool) = line.kind else { return nil }
        var typeName = "pen"
        let kind: Kind
        switch tool.event {
        case .added(let type):
            kind = .added
            typeName = type
        case .removed: kind = .removed
        case .proximityIn: kind = .proximityIn(target: target)
        case .proximityOut: kind = .proximityOut
        case .down: kind = .down
        case .up: kind = .up
        case .motion:
            guard let position else { return nil }
            kind = .motion(position)
        case .pressure(let pressure): kind = .pressure(pressure)
        case .distance(let distance): kind = .distance(distance)
        case .tilt(let x, let y): kind = .tilt(Contact.Tilt(x: x, y: y))
        case .rotation(let degrees): kind = .rotation(degrees)
        case .slider(let position): kind = .slider(position)
        case .wheel(let degrees, let clicks): kind = .wheel(degrees: degrees, clicks: clicks)
        case .button(let code, let isPressed): kind = .button(code, isPressed: isPressed)
        case .frame: kind = .frame(time: time)
        }
        self.init(kind: kind, tool: tool.tool, typeName: typeName, arrival: arrival)
    }
}
