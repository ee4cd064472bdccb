internal import Gestures

/// Tells a mouse's press from one that the compositor made of a touch.
///
/// Compositors send pointer events next to wl_touch: as a courtesy to clients without touch, or because a touch moves the
/// pointer too. The events look like a mouse's, so time and place decide:
/// * While a contact is down, no press counts. When touch has been silent for ``quiet``, only presses near a contact are
///   held back: one whose `up` was lost must not make the mouse useless for ever.
/// * After a contact's end, a press near it within ``window`` does not count.
/// * A press that was taken for a mouse's is taken back when a touch begins near it within ``window``: compositors
///   differ in which of the two they send first.
struct EmulationRule {
    /// 400 ms. Emulated presses come within a few ms of the touch, but some wait for a second tap first, for which
    /// 300 ms is usual; no hand goes from the screen to the mouse in that time.
    static let window: Int64 = .milliseconds(400)
    /// 1 s, longer than the gap between two events of any finger that is not held still on purpose.
    static let quiet: Int64 = .milliseconds(1000)
    /// 40 logical px, about a fingertip: emulation may start from a place that the finger has left by then.
    static let radius = 40.0

    private var ended: [(contact: Contact, arrival: Instant)] = []
    private var lastEvent: Instant?

    /// A touch event came.
    mutating func note(arrival: Instant) { lastEvent = arrival }

    /// These contacts are about to end.
    mutating func noteEnd(of contacts: some Sequence<Contact>, arrival: Instant) {
        ended.removeAll { arrival - $0.arrival > EmulationRule.window }
        for contact in contacts { ended.append((contact, arrival)) }
    }

    /// Whether a press of the pointer's primary button comes from a touch. `live` are the touches that are down.
    func explains(pressAt place: Point, target: Int, arrival: Instant, live: [Contact]) -> Bool {
        if !live.isEmpty, let lastEvent, arrival - lastEvent <= EmulationRule.quiet { return true }
        if live.contains(where: { EmulationRule.isNear($0, place, target) }) { return true }
        return ended.contains {
            arrival - $0.arrival <= EmulationRule.window && EmulationRule.isNear($0.contact, place, target)
        }
    }

    /// Whether a touch at `place` shows that the press of `instant` at `press` was its emulation, sent before it.
    static func isEmulation(pressAt press: Point, _ instant: Instant, ofTouchAt place: Point, _ arrival: Instant)
        -> Bool
    {
        arrival - instant <= window && press.distance(to: place) <= radius
    }

    private static func isNear(_ contact: Contact, _ place: Point, _ target: Int) -> Bool {
        contact.target == target
            && (contact.position.distance(to: place) <= radius || contact.start.distance(to: place) <= radius)
    }
}
