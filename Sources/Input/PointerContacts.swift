internal import Gestures

/// wl_pointer events of one seat to contact frames: while the primary button is down it is one contact.
///
/// The contact keeps its surface as the compositor's implicit grab does: it may move out of it, and ends at the release.
/// A `leave` while the button is down says that the grab was broken and that no release will come: it ends as
/// cancelled.
struct PointerContacts {
    /// wl_pointer's code of the primary button, BTN_LEFT of Linux's input-event-codes.h.
    static let primaryButton: UInt32 = 0x110
    /// The pointer has one contact at a time.
    private static let id: Int32 = 0

    private(set) var tracker: ContactTracker
    /// From version 5 the compositor groups events by `frame`; before, each event is a group of its own.
    private let hasFrames: Bool
    private var target: Int?
    private var position = Point(x: 0, y: 0)
    private var time: UInt32 = 0
    /// Whether the tracker got something since the last frame: most frames of a pointer hold hovering or scrolling only.
    private var hasEvents = false
    /// Where and when the contact began that is down now.
    private(set) var press: (position: Point, target: Int, instant: Instant)?

    init(source: SourceID, hasFrames: Bool) {
        tracker = ContactTracker(source: source, kind: .pointer)
        self.hasFrames = hasFrames
    }

    /// Where a press would be now; nil outside of our surfaces.
    var place: (position: Point, target: Int)? {
        guard let target else { return nil }
        return (position, target)
    }

    mutating func enter(target: Int?, at position: Point, arrival: Instant) -> [ContactFrame] {
        let broken = cancel(arrival: arrival)
        self.target = target
        // The first press may come without any motion.
        self.position = position
        return broken
    }

    mutating func leave(arrival: Instant) -> [ContactFrame] {
        target = nil
        return cancel(arrival: arrival)
    }

    mutating func motion(time: UInt32, to position: Point, arrival: Instant) -> [ContactFrame] {
        self.time = time
        self.position = position
        guard press != nil else { return [] }
        tracker.motion(id: PointerContacts.id, time: time, at: position, arrival: arrival)
        return close(arrival)
    }

    /// wl_pointer.warp: the place changed without a motion, and without a time.
    mutating func warp(to position: Point, arrival: Instant) -> [ContactFrame] {
        motion(time: time, to: position, arrival: arrival)
    }

    mutating func pressed(time: UInt32, arrival: Instant) -> [ContactFrame] {
        self.time = time
        guard let target else { return [] }
        press = (position, target, arrival)
        let lost = tracker.down(id: PointerContacts.id, time: time, at: position, target: target, arrival: arrival)
        return list(lost) + close(arrival)
    }

    mutating func released(time: UInt32, arrival: Instant) -> [ContactFrame] {
        self.time = time
        guard press != nil else { return [] }
        press = nil
        tracker.up(id: PointerContacts.id, time: time, arrival: arrival)
        return close(arrival)
    }

    mutating func frame(arrival: Instant) -> [ContactFrame] {
        guard hasEvents else { return [] }
        hasEvents = false
        return list(tracker.frame(arrival: arrival))
    }

    mutating func endTurn(arrival: Instant) -> ContactFrame? { tracker.endTurn(arrival: arrival) }

    /// Ends the contact as cancelled; what the button does until its next press means nothing.
    mutating func cancel(arrival: Instant) -> [ContactFrame] {
        guard press != nil else { return [] }
        press = nil
        return list(tracker.cancel(arrival: arrival))
    }

    /// The wl_pointer object is gone.
    mutating func end(arrival: Instant) -> ContactFrame? {
        press = nil
        target = nil
        return tracker.end(arrival: arrival)
    }

    mutating func endContacts(target: Int, arrival: Instant) -> ContactFrame? {
        if self.target == target { self.target = nil }
        if press?.target == target { press = nil }
        return tracker.endContacts(target: target, arrival: arrival)
    }

    private mutating func close(_ arrival: Instant) -> [ContactFrame] {
        hasEvents = true
        return hasFrames ? [] : frame(arrival: arrival)
    }

    private func list(_ frame: ContactFrame?) -> [ContactFrame] {
        if let frame { [frame] } else { [] }
    }
}
