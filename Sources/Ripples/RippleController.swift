public import Gestures

/// Turns gestures and time into the shapes to be seen. It has no clock: whoever draws says what time it is.
///
///     rippleController.show(at: point)
///
/// shows a wave at a place, with the next ``advance(to:)`` as its beginning.
public struct RippleController: Sendable {
    /// A change applies to everything that is shown.
    public var style: RippleStyle
    /// At most so many ripples are kept. One more takes the place of the wave or fading mark that is nearest to its end,
    /// else of the oldest mark under a finger.
    public let capacity: Int

    private var ripples: [Ripple] = []
    private var now: Instant?

    public init(style: RippleStyle = RippleStyle(), capacity: Int = 256) {
        self.style = style
        self.capacity = max(1, capacity)
        ripples.reserveCapacity(16)
    }

    // MARK: What happens

    /// `now` is the moment from which new waves are reckoned.
    public mutating func handle(_ gestures: [Gesture], at now: Instant) {
        guard !gestures.isEmpty else { return }
        advance(to: now)
        for gesture in gestures { handle(gesture) }
    }

    /// Shows a wave that nobody's finger made.
    public mutating func show(at point: Point) {
        insert(Ripple(serial: nil, center: point, state: .wave, isPending: true))
    }

    /// Removes everything. A finger that is still down gets its wave when it taps, and no mark before.
    public mutating func clear() {
        ripples.removeAll(keepingCapacity: true)
    }

    private mutating func handle(_ gesture: Gesture) {
        switch gesture {
        case .contactBegan(let contact):
            if index(of: contact) == nil {
                insert(Ripple(serial: contact.serial, center: contact.position, state: .held))
            }
        case .contactMoved(let contact):
            if let index = heldIndex(contact) { ripples[index].center = contact.position }
        case .contactEnded(let contact):
            if let index = heldIndex(contact) { ripples[index].enter(.lifted) }
        case .contactCancelled(let contact):
            if let index = heldIndex(contact) { ripples[index].enter(.cancelled) }
        case .tap(let tap):
            for contact in tap.contacts {
                if let index = index(of: contact) {
                    ripples[index].enter(.wave)
                } else {
                    insert(Ripple(serial: contact.serial, center: contact.position, state: .wave))
                }
            }
        default:
            break
        }
    }

    private func index(of contact: Contact) -> Int? {
        // From the end: the young ones are there, and they are who gestures speak of.
        ripples.lastIndex { $0.serial == contact.serial }
    }

    private func heldIndex(_ contact: Contact) -> Int? {
        index(of: contact).flatMap { ripples[$0].state == .held ? $0 : nil }
    }

    private mutating func insert(_ ripple: Ripple) {
        if ripples.count >= capacity {
            let style = style
            let victim = ripples.indices.min { ripples[$0].secondsLeft(style) < ripples[$1].secondsLeft(style) }
            if let victim { ripples.remove(at: victim) }
        }
        ripples.append(ripple)
    }

    // MARK: Time

    /// Lets time pass. An earlier moment than the last one changes nothing; a much later one ends what would have ended.
    public mutating func advance(to now: Instant) {
        let passed = self.now.map { max(0, now - $0) } ?? 0
        self.now = now
        guard !ripples.isEmpty else { return }
        for index in ripples.indices {
            if ripples[index].isPending {
                ripples[index].isPending = false
            } else {
                let (age, overflow) = ripples[index].age.addingReportingOverflow(passed)
                ripples[index].age = overflow ? .max : age
            }
        }
        let style = style
        ripples.removeAll { !($0.secondsLeft(style) > 0) }
    }

    // MARK: What is seen

    /// As of the last advance, by order of birth.
    public var shapes: [Shape] {
        var shapes: [Shape] = []
        appendShapes(to: &shapes)
        return shapes
    }

    /// The same, so that the caller can use one array's memory again and again.
    public func appendShapes(to shapes: inout [Shape]) {
        shapes.reserveCapacity(shapes.count + ripples.count)
        for ripple in ripples { shapes.append(.disc(ripple.shape(style))) }
    }

    /// True when there is nothing to be seen.
    public var isIdle: Bool { ripples.isEmpty }

    /// True when time alone changes what is seen. Marks under resting fingers do not.
    public var isAnimating: Bool { ripples.contains { $0.state != .held } }
}
