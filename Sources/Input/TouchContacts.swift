package import Gestures

/// Touch events of one seat or device to contact frames: which contacts are ours. The rules of a contact itself are
/// ``ContactTracker``'s.
package struct TouchContacts {
    package private(set) var tracker: ContactTracker
    /// Ids that are down but not on a surface of ours: their events are expected and mean nothing.
    private var elsewhere: Set<Int32> = []
    /// Contacts that began on an unregistered or destroyed surface.
    package private(set) var foreignDowns = 0

    package init(source: SourceID) { tracker = ContactTracker(source: source, kind: .finger) }

    /// See ``ContactTracker/magnification``.
    package mutating func magnify(by factor: Double) { tracker.magnification = factor }

    package mutating func down(
        id: Int32, time: UInt32, at position: Point, target: Int?, arrival: Instant
    ) -> ContactFrame? {
        guard let target else {
            foreignDowns += 1
            tracker.noteForeignEvent()
            // An id that is ours still and begins anew elsewhere has lost its up: that contact is cancelled.
            let interrupted = isDown(id) ? lose(id, time, arrival) : nil
            elsewhere.insert(id)
            return interrupted
        }
        elsewhere.remove(id)
        return tracker.down(id: id, time: time, at: position, target: target, arrival: arrival)
    }

    package mutating func motion(id: Int32, time: UInt32, at position: Point, arrival: Instant) {
        if !isElsewhere(id) { tracker.motion(id: id, time: time, at: position, arrival: arrival) }
    }

    package mutating func up(id: Int32, time: UInt32, arrival: Instant) {
        if !isElsewhere(id) { tracker.up(id: id, time: time, arrival: arrival) }
        elsewhere.remove(id)
    }

    package mutating func shape(id: Int32, major: Double, minor: Double) {
        if !isElsewhere(id) { tracker.shape(id: id, major: major, minor: minor) }
    }

    package mutating func orientation(id: Int32, degrees: Double) {
        if !isElsewhere(id) { tracker.orientation(id: id, degrees: degrees) }
    }

    package mutating func frame(arrival: Instant) -> ContactFrame? { tracker.frame(arrival: arrival) }

    package mutating func endTurn(arrival: Instant) -> ContactFrame? { tracker.endTurn(arrival: arrival) }

    package mutating func cancel(arrival: Instant) -> ContactFrame? {
        elsewhere.removeAll()
        return tracker.cancel(arrival: arrival)
    }

    /// One contact was taken away, as libinput says it. Returns it at once, with what had gathered before it.
    package mutating func cancel(id: Int32, arrival: Instant) -> ContactFrame? {
        elsewhere.remove(id) == nil ? tracker.cancel(id: id, arrival: arrival) : nil
    }

    /// The wl_touch object is gone: no event of its contacts will come.
    package mutating func end(arrival: Instant) -> ContactFrame? {
        elsewhere.removeAll()
        return tracker.end(arrival: arrival)
    }

    /// See ``ContactTracker/noteEnd()``.
    package mutating func noteEnd() { tracker.noteEnd() }

    /// The compositor has taken over what is down.
    package mutating func abandonAll(arrival: Instant) -> ContactFrame? { tracker.abandonAll(arrival: arrival) }

    /// A surface is about to be destroyed. The compositor may or may not go on about the fingers on it.
    package mutating func endContacts(target: Int, arrival: Instant) -> ContactFrame? {
        tracker.endContacts(target: target, arrival: arrival)
    }

    package mutating func endContacts(ids: [Int32], arrival: Instant) -> ContactFrame? {
        tracker.endContacts(ids: ids, arrival: arrival)
    }

    /// It is not ours, and a frame may follow what is said of it.
    private mutating func isElsewhere(_ id: Int32) -> Bool {
        guard elsewhere.contains(id) else { return false }
        tracker.noteForeignEvent()
        return true
    }

    private func isDown(_ id: Int32) -> Bool { tracker.contacts.contains { $0.id == id } }

    /// Ends one contact as cancelled, by the tracker's own rule for a second `down`; the contact that this begins is on
    /// no surface and ends unseen.
    private mutating func lose(_ id: Int32, _ time: UInt32, _ arrival: Instant) -> ContactFrame? {
        let interrupted = tracker.down(
            id: id, time: time, at: Point(x: 0, y: 0), target: TouchContacts.nowhere, arrival: arrival)
        _ = tracker.endContacts(target: TouchContacts.nowhere, arrival: arrival)
        return interrupted
    }

    /// A target that ``SurfaceTargets`` never gives out.
    private static let nowhere = 0
}
