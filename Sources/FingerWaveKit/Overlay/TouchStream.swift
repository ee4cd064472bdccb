internal import Gestures
internal import Input
internal import Recording

/// The touches of one device or seat, and what they mean.
final class TouchStream: ContactSource {
    let key: StreamKey
    var contacts: TouchContacts
    var recognizer: GestureRecognizer
    /// The output that the recogniser's lengths were last reckoned for, by its number; nil for none.
    var fittedTo: UInt32?

    /// The last stamp that was told, with the moment at which it came.
    private var told: (stamp: UInt32, arrival: Instant)?

    /// The line's stamp; where it tells none, one by the clock of those before it, or by ours.
    func stamp(_ time: UInt32?, arrival: Instant) -> UInt32 {
        if let time {
            told = (time, arrival)
            return time
        }
        guard let told else { return UInt32(truncatingIfNeeded: arrival.nanoseconds / 1_000_000) }
        return told.stamp &+ UInt32(truncatingIfNeeded: max(0, arrival - told.arrival) / 1_000_000)
    }

    init(_ key: StreamKey, source: SourceID, configuration: GestureConfiguration) {
        self.key = key
        contacts = TouchContacts(source: source)
        recognizer = GestureRecognizer(configuration: configuration)
    }

    /// Takes a line of this stream, `position` and `target` being where its place is; hands out what is complete by then. A
    /// cancel without an id ends this stream's contacts: whose else's it ends, the owner knows.
    func handle(
        _ line: TouchLine, time: UInt32, at position: Point?, target: Int?, arrival: Instant
    ) -> ContactFrame? {
        switch (line.kind, line.id) {
        case (.down, let id?):
            return contacts.down(id: id, time: time, at: position ?? .zero, target: target, arrival: arrival)
        case (.motion, let id?):
            if let position { contacts.motion(id: id, time: time, at: position, arrival: arrival) }
        case (.up, let id?): contacts.up(id: id, time: time, arrival: arrival)
        case (.shape(let major, let minor), let id?): contacts.shape(id: id, major: major, minor: minor)
        case (.orientation(let degrees), let id?): contacts.orientation(id: id, degrees: degrees)
        case (.frame, _): return contacts.frame(arrival: arrival)
        case (.cancel, let id?): return contacts.cancel(id: id, arrival: arrival)
        case (.cancel, nil): return contacts.cancel(arrival: arrival)
        case (.down, nil), (.motion, nil), (.up, nil), (.shape, nil), (.orientation, nil), (.device, _), (.other, _):
            break
        }
        return nil
    }

    var contactCount: Int { contacts.tracker.contacts.count }

    /// Beside the numbers of globals, which begin at 1.
    var number: UInt32 { .max - UInt32(truncatingIfNeeded: contacts.tracker.source.rawValue) }
    var name: String { key.seat }
    var touchFaults: FaultCounters { contacts.tracker.faults }
    var liveContacts: [Contact] { contacts.tracker.contacts }
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
