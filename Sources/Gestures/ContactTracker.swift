/// Turns the raw events of one source into contacts that each end exactly once, whatever the compositor leaves out.
///
/// Events gather until ``frame(arrival:)``. Since some compositors never send it, and others none after the last `up`,
/// the owner calls ``endTurn(arrival:)`` after each turn of its loop: nothing waits for longer than that. What ends a
/// contact out of turn (``cancel(arrival:)``, ``end(arrival:)``, ``endContacts(target:arrival:)``,
/// ``abandonAll(arrival:)``, a second `down`) is returned at once, with what had gathered before it.
///
/// The owner makes a tracker for each wl_touch, pointer or device, with a ``SourceID`` that no other one had.
public struct ContactTracker: Sendable {
    /// More than this many contacts at a time are lost ups: the one that was silent for longest goes.
    public static let capacity = 256
    /// ms. What comes in one frame has about one stamp. Our choice.
    public static let frameLength: UInt32 = 2

    public let source: SourceID
    public let kind: Contact.Kind
    /// What is down, by order of arrival.
    public private(set) var contacts: [Contact] = []

    /// How much larger than it was touched it is shown: ways that no finger goes are so much longer.
    public var magnification = 1.0

    // An array and no dictionary: ids are any 32-bit numbers, and a search of the few contacts that hands have is faster
    // than a hash. `capacity` bounds the search.
    private var clock = EventClock()
    private var counters = FaultCounters()
    private var lastSerial: UInt64
    private var lastInstant = Instant(nanoseconds: 0)

    /// What the next frame will carry, or, when `isDelivered`, the last one's changes: kept so that its memory is used
    /// again when the receiver has let go of it.
    private var changes: [ContactFrame.Change] = []
    private var isDelivered = true
    /// False when nothing came since the last frame event.
    private var hasEvents = false
    /// The first stamp of what no frame event has ended.
    private var unframed: UInt32?
    /// Ids whose contacts we ended ourselves: the compositor knows nothing of it, so their events are no fault.
    private var abandoned: [Int32] = []

    public init(source: SourceID, kind: Contact.Kind = .finger) {
        self.source = source
        self.kind = kind
        // Serials of different sources never meet: the source's number is in their upper 16 bits.
        lastSerial = UInt64(truncatingIfNeeded: source.rawValue) << 48
    }

    public var faults: FaultCounters {
        var faults = counters
        faults.timeBackwards = clock.backwards
        return faults
    }

    /// Contacts without an event since `instant`, by the source's time: fingers at rest, or contacts whose end was lost.
    public func contacts(silentSince instant: Instant) -> [Contact] {
        contacts.filter { $0.instant < instant }
    }

    // MARK: Events

    /// wl_touch.down. `time` is the protocol's ms, nil where it was not told: then the arrival counts. `position` is in
    /// surface-local logical px, `target` the owner's number for the surface. Returns a frame when a contact had to be
    /// ended: the live one of the same id.
    public mutating func down(
        id: Int32, time: UInt32?, at position: Point, target: Int, arrival: Instant
    ) -> ContactFrame? {
        guard position.isFinite else {
            counters.badNumber += 1
            return nil
        }
        let instant = stamp(time, arrival)
        abandoned.removeAll { $0 == id }
        var interrupted: ContactFrame?
        if let index = index(of: id) {
            counters.duplicateDown += 1
            remove(at: index, .cancelled, instant)
            interrupted = take(arrival)
        } else if contacts.count == Self.capacity, let index = contacts.indices.min(by: { isOlder($0, $1) }) {
            counters.overflow += 1
            remove(at: index, .cancelled, instant)
            interrupted = take(arrival)
        }
        lastSerial += 1
        let contact = Contact(
            source: source, id: id, serial: lastSerial, kind: kind, target: target, position: position, began: instant)
        contacts.append(contact)
        record(.began, contact)
        return interrupted
    }

    /// wl_touch.motion.
    public mutating func motion(id: Int32, time: UInt32?, at position: Point, arrival: Instant) {
        guard let index = index(of: id) else {
            if isFault(id) { counters.unknownMotion += 1 }
            return
        }
        guard position.isFinite else {
            counters.badNumber += 1
            return
        }
        let instant = stamp(time, arrival)
        if isJump(from: contacts[index], to: position, instant) {
            contacts[index].jumped = true
            counters.jump += 1
        }
        contacts[index].position = position
        contacts[index].instant = instant
        record(.moved, contacts[index])
    }

    /// wl_touch.up. The protocol gives no place: it is the last known one.
    public mutating func up(id: Int32, time: UInt32?, arrival: Instant) {
        guard let index = index(of: id) else {
            if isFault(id) { counters.unknownUp += 1 }
            abandoned.removeAll { $0 == id }
            return
        }
        remove(at: index, .ended, stamp(time, arrival))
    }

    /// wl_touch.shape, axes in logical px.
    public mutating func shape(id: Int32, major: Double, minor: Double) {
        guard let index = index(of: id) else {
            if isFault(id) { counters.unknownShape += 1 }
            return
        }
        guard major.isFinite, minor.isFinite, major >= 0, minor >= 0 else {
            counters.badNumber += 1
            return
        }
        contacts[index].shape = Contact.Shape(major: major, minor: minor)
        recordShape(of: contacts[index])
    }

    /// wl_touch.orientation.
    public mutating func orientation(id: Int32, degrees: Double) {
        guard let index = index(of: id) else {
            if isFault(id) { counters.unknownShape += 1 }
            return
        }
        guard degrees.isFinite else {
            counters.badNumber += 1
            return
        }
        contacts[index].orientation = degrees
        recordShape(of: contacts[index])
    }

    /// A pen's axes, nil where it does not tell them: pressure from 0 to 1, tilt in degrees.
    public mutating func pen(id: Int32, pressure: Double?, tilt: Contact.Tilt?) {
        guard let index = index(of: id) else { return }
        guard (0...1).contains(pressure ?? 0), tilt.map({ $0.x.isFinite && $0.y.isFinite }) ?? true else {
            counters.badNumber += 1
            return
        }
        guard contacts[index].pressure != pressure || contacts[index].tilt != tilt else { return }
        contacts[index].pressure = pressure
        contacts[index].tilt = tilt
        recordShape(of: contacts[index])
    }

    // MARK: Boundaries

    /// wl_touch.frame. Nil when nothing is pending.
    public mutating func frame(arrival: Instant) -> ContactFrame? {
        if !hasEvents { counters.emptyFrame += 1 }
        hasEvents = false
        unframed = nil
        return take(arrival)
    }

    /// To be called after each turn of the loop: hands out what no frame event has ended.
    public mutating func endTurn(arrival: Instant) -> ContactFrame? {
        take(arrival)
    }

    /// An event of what is no contact here: the frame that ends it is not empty.
    public mutating func noteForeignEvent() { hasEvents = true }

    /// wl_touch.cancel: every contact of the source is cancelled, at once; no frame event need follow.
    public mutating func cancel(arrival: Instant) -> ContactFrame? {
        if contacts.isEmpty, isDelivered { counters.repeatedCancel += 1 }
        abandoned.removeAll()
        hasEvents = true
        unframed = nil
        return cancelAll(arrival)
    }

    /// One contact was taken away, as a pen that leaves in the middle of a stroke. Returns what is pending with it.
    public mutating func cancel(id: Int32, arrival: Instant) -> ContactFrame? {
        // A frame may follow.
        hasEvents = true
        if let index = index(of: id) { remove(at: index, .cancelled, clock.instant(arrival: arrival)) }
        return take(arrival)
    }

    /// The source is gone: a capability, a seat or a device was lost. Every contact is cancelled.
    public mutating func end(arrival: Instant) -> ContactFrame? {
        abandoned.removeAll()
        unframed = nil
        return cancelAll(arrival)
    }

    /// The session is over, and nothing follows: a frame event that has not come by now is missing.
    public mutating func noteEnd() {
        if unframed != nil { counters.missingFrame += 1 }
        unframed = nil
    }

    /// A surface is gone: its contacts are cancelled, and whatever the compositor still sends for them is no fault.
    public mutating func endContacts(target: Int, arrival: Instant) -> ContactFrame? {
        abandon(arrival) { $0.target == target }
    }

    /// What these contacts touched is gone, and other contacts of the target stay.
    public mutating func endContacts(ids: [Int32], arrival: Instant) -> ContactFrame? {
        abandon(arrival) { ids.contains($0.id) }
    }

    /// The compositor has taken the contacts from the client without a word, as some do that move a window by touch: they are
    /// cancelled, and whatever is sent for them after all is no fault.
    public mutating func abandonAll(arrival: Instant) -> ContactFrame? { abandon(arrival) { _ in true } }

    private mutating func abandon(_ arrival: Instant, where isMeant: (Contact) -> Bool) -> ContactFrame? {
        guard contacts.contains(where: isMeant) else { return nil }
        let instant = clock.instant(arrival: arrival)
        var index = 0
        while index < contacts.count {
            if isMeant(contacts[index]) {
                if abandoned.count == Self.capacity { abandoned.removeFirst() }
                abandoned.append(contacts[index].id)
                remove(at: index, .cancelled, instant)
            } else {
                index += 1
            }
        }
        return take(arrival)
    }

    // MARK: Parts

    private func index(of id: Int32) -> Int? {
        contacts.firstIndex { $0.id == id }
    }

    private func isOlder(_ a: Int, _ b: Int) -> Bool { contacts[a].instant < contacts[b].instant }

    private mutating func stamp(_ time: UInt32?, _ arrival: Instant) -> Instant {
        guard let time else {
            hasEvents = true
            return clock.instant(arrival: arrival)
        }
        if let first = unframed, time &- first > Self.frameLength {
            counters.missingFrame += 1
            unframed = time
        } else if unframed == nil {
            unframed = time
        }
        hasEvents = true
        return clock.instant(stamp: time, arrival: arrival)
    }

    /// Whether an event for an id that is not down is the compositor's fault.
    private mutating func isFault(_ id: Int32) -> Bool {
        hasEvents = true
        return !abandoned.contains(id)
    }

    private mutating func cancelAll(_ arrival: Instant) -> ContactFrame? {
        guard !contacts.isEmpty else { return take(arrival) }
        let instant = clock.instant(arrival: arrival)
        while !contacts.isEmpty { remove(at: 0, .cancelled, instant) }
        return take(arrival)
    }

    private mutating func remove(at index: Int, _ phase: ContactFrame.Phase, _ instant: Instant) {
        var contact = contacts.remove(at: index)
        contact.instant = instant
        record(phase, contact)
    }

    private mutating func record(_ phase: ContactFrame.Phase, _ contact: Contact) {
        if isDelivered {
            changes.removeAll(keepingCapacity: true)
            isDelivered = false
        }
        changes.append(ContactFrame.Change(phase: phase, contact: contact))
        lastInstant = max(lastInstant, contact.instant)
    }

    /// Shapes and a pen's axes belong to the sample it came with; on their own they are one that did not move.
    private mutating func recordShape(of contact: Contact) {
        hasEvents = true
        if !isDelivered, let index = changes.lastIndex(where: { $0.contact.serial == contact.serial }) {
            changes[index].contact = contact
        } else {
            record(.moved, contact)
        }
    }

    private mutating func take(_ arrival: Instant) -> ContactFrame? {
        guard !isDelivered else { return nil }
        isDelivered = true
        return ContactFrame(source: source, instant: lastInstant, arrival: arrival, changes: changes)
    }

    private func isJump(from contact: Contact, to position: Point, _ instant: Instant) -> Bool {
        guard contact.position == contact.start else { return false }
        let distance = contact.position.distance(to: position) / magnification
        return Self.isJump(distance, in: instant.millisecondsSince(contact.instant))
    }

    /// More than 100 logical px at more than 30 px/ms, some 5 m/s: no hand is that fast at once. Our choice.
    public static func isJump(_ distance: Double, in milliseconds: Double) -> Bool {
        distance > 100 && distance > 30 * milliseconds
    }
}
