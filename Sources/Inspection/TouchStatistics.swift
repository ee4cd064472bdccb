package import Gestures

/// Figures of one seat's touches, or of all seats' together. A pure value: whoever feeds it says what time it is.
package struct TouchStatistics: Sendable {
    /// Contacts that are down.
    package private(set) var contacts = 0
    /// The most that were down at once.
    package private(set) var mostContacts = 0
    /// Contacts that have begun.
    package private(set) var contactCount = 0
    /// Samples, comings down, liftings and cancels of contacts.
    package private(set) var eventCount = 0
    /// Between a contact's samples.
    package private(set) var intervals = IntervalHistogram()
    /// The gesture that was said last, with its phase unless it has ended.
    package private(set) var lastGesture: String?

    private var rate = EventRate()
    private var recentIntervals = SampleWindow()
    /// The last sample of each contact that is down.
    private var samples: [Contact] = []

    package init() {}

    /// In the second that ends at `now`.
    package func eventsPerSecond(at now: Instant) -> Int { rate.perSecond(at: now) }

    /// The last 512 intervals between a contact's samples, ms.
    package var interval: Summary? { recentIntervals.summary }

    package mutating func handle(_ frame: ContactFrame) {
        eventCount += frame.changes.count
        rate.add(frame.changes.count, at: frame.arrival)
        for change in frame.changes {
            let index = samples.firstIndex { $0.serial == change.contact.serial }
            switch change.phase {
            case .began:
                contactCount += 1
                if index == nil { samples.append(change.contact) }
            case .moved:
                guard let index else { continue }
                note(from: samples[index], to: change.contact)
                samples[index] = change.contact
            case .ended, .cancelled:
                if let index { samples.remove(at: index) }
            }
            mostContacts = max(mostContacts, samples.count)
        }
        contacts = samples.count
    }

    /// They stay down in the figures, until something changes.
    mutating func leaveDown(_ count: Int) { contacts = count }

    private mutating func note(from old: Contact, to new: Contact) {
        // A shape that comes on its own belongs to the sample before it.
        if new.instant == old.instant, new.position == old.position { return }
        let interval = max(0, new.instant.millisecondsSince(old.instant))
        intervals.add(interval)
        recentIntervals.add(interval)
    }

    package mutating func handle(_ gestures: [Gesture]) {
        for gesture in gestures {
            if let text = gesture.inspectorText { lastGesture = text }
        }
    }
}

extension Gesture {
    /// Its name and what tells it from others of that name; nil for what single contacts and hovering pens do.
    package var inspectorText: String? {
        switch self {
        case .contactBegan, .contactMoved, .contactLeftSlop, .contactEnded, .contactCancelled, .hover: return nil
        case .tap(let tap):
            var text = name
            if tap.count > 1 { text += " \(tap.count)x" }
            if tap.fingers > 1 { text += ", \(tap.fingers) fingers" }
            return text
        case .swipe(let swipe):
            var text = name + " " + swipe.direction.name
            if swipe.hand.fingers > 1 { text += ", \(swipe.hand.fingers) fingers" }
            return text
        default: return phase == .ended ? name : name + " " + phase.name
        }
    }
}
