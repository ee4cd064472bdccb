internal import Gestures

extension Gesture {
    /// Contacts go on, and so does what they do.
    var isMotion: Bool {
        switch self {
        case .contactMoved: true
        case .drag(let motion), .pan(let motion), .scroll(let motion): motion.phase == .changed
        default: false
        }
    }
}

// What gestures do to what is shown.
extension RippleController {
    /// More are not told apart; the oldest go.
    private static let arrowCapacity = 32
    private static let caliperCapacity = 32
    private static let hoverCapacity = 16

    mutating func handle(_ gesture: Gesture) {
        switch gesture {
        case .contactBegan(let contact): begin(contact)
        case .contactMoved(let contact): move(contact)
        case .contactLeftSlop(let contact):
            guard let index = heldIndex(contact.serial) else { return }
            ripples[index].leftSlop = true
            ripples[index].cannotPress = true
        case .contactEnded(let contact):
            if let index = heldIndex(contact.serial) { ripples[index].enter(.lifted) }
        case .contactCancelled(let contact):
            guard let index = heldIndex(contact.serial) else { return }
            ripples[index].enter(.cancelled)
            ripples[index].path.removeAll()
        case .hover(let hover): self.hover(hover)
        case .tap(let tap): self.tap(tap)
        case .longPress(let press): self.press(press)
        case .drag(let motion), .pan(let motion), .scroll(let motion):
            if motion.phase == .began { for index in marks(of: motion.hand) { ripples[index].cannotPress = true } }
        case .pinch(let pinch):
            measure(pinch.hand, pinch.phase) { $0.pinch(pinch.scale) }
        case .rotation(let rotation):
            measure(rotation.hand, rotation.phase) { $0.rotate(rotation.degrees) }
        case .swipe(let swipe):
            if arrows.count >= Self.arrowCapacity { arrows.removeFirst() }
            arrows.append(Arrow(swipe))
        }
    }

    // MARK: Contacts

    private mutating func begin(_ contact: Contact) {
        guard index(of: contact.serial) == nil else { return }
        var ripple = Ripple(contact, state: .held, finger: freeFinger)
        note(contact, in: &ripple)
        insert(ripple)
    }

    private mutating func move(_ contact: Contact) {
        guard let index = heldIndex(contact.serial) else { return }
        ripples[index].move(contact)
        note(contact, in: &ripples[index])
        for caliper in calipers.indices { calipers[caliper].move(contact.serial, to: contact.position) }
    }

    private func note(_ contact: Contact, in ripple: inout Ripple) {
        guard style.kind.definition.pathTime > 0, contact.position.isFinite else { return }
        // A place left over from an earlier contact is no part of the way.
        if contact.jumped, ripple.path.samples.count == 1 { ripple.path.removeAll() }
        ripple.path.append(contact.position, pressure: contact.pressure, at: conditions.now)
    }

    private mutating func tap(_ tap: Tap) {
        for contact in tap.contacts {
            if let index = index(of: contact.serial) {
                ripples[index].tapCount = tap.count
                ripples[index].enter(.tapped)
            } else {
                var ripple = Ripple(contact, state: .tapped, finger: freeFinger)
                ripple.tapCount = tap.count
                insert(ripple)
            }
        }
    }

    private mutating func press(_ press: LongPress) {
        guard press.phase == .began else { return }
        for index in marks(of: press.hand) { ripples[index].isPressed = true }
    }

    /// The lowest number that no mark has: it comes back into use when the mark has gone, not when its finger is lifted.
    private var freeFinger: Int {
        var number = 1
        while ripples.contains(where: { $0.finger == number }) { number += 1 }
        return number
    }

    private func index(of serial: UInt64) -> Int? {
        // From the end: the young ones are there, and they are who gestures speak of. Not by a closure, which copies each.
        var index = ripples.count
        while index > 0 {
            index -= 1
            if ripples[index].serial == serial { return index }
        }
        return nil
    }

    private func heldIndex(_ serial: UInt64) -> Int? {
        guard let index = index(of: serial), ripples[index].isHeld else { return nil }
        return index
    }

    // MARK: Hands

    /// The marks of a hand's fingers. A hand tells only their number and their middle: where the source has more fingers
    /// down, two are those whose middle it is, and more are the nearest to it.
    private func marks(of hand: Hand) -> [Int] {
        var marks: [Int] = []
        for index in ripples.indices where ripples[index].isHeld {
            guard let contact = ripples[index].contact else { continue }
            if contact.source == hand.source, contact.target == hand.target { marks.append(index) }
        }
        guard marks.count > hand.fingers else { return marks }
        if hand.fingers == 2 { return pair(marks, around: hand.location) }
        marks.sort {
            ripples[$0].center.squaredDistance(to: hand.location)
                < ripples[$1].center.squaredDistance(to: hand.location)
        }
        return Array(marks.prefix(hand.fingers))
    }

    private func pair(_ marks: [Int], around middle: Point) -> [Int] {
        var best: [Int] = []
        var bestDistance = Double.infinity
        for first in marks.indices {
            for second in marks.indices where second > first {
                let (a, b) = (ripples[marks[first]].center, ripples[marks[second]].center)
                let distance = Point(x: (a.x + b.x) / 2, y: (a.y + b.y) / 2).squaredDistance(to: middle)
                if distance < bestDistance {
                    best = [marks[first], marks[second]]
                    bestDistance = distance
                }
            }
        }
        return best
    }

    /// Shows or changes what measures the hand.
    private mutating func measure(_ hand: Hand, _ phase: GesturePhase, _ change: (inout Caliper) -> Void) {
        if let index = calipers.lastIndex(where: { $0.hand == hand.number && $0.isLive }) {
            change(&calipers[index])
            if phase == .ended || phase == .cancelled { calipers[index].end() }
        } else if phase == .began || phase == .changed {
            let marks = marks(of: hand)
            guard marks.count > 1 else { return }
            for index in marks { ripples[index].cannotPress = true }
            var caliper = Caliper(
                hand: hand.number,
                contacts: marks.map { (ripples[$0].serial ?? 0, ripples[$0].center) })
            change(&caliper)
            if calipers.count >= Self.caliperCapacity { calipers.removeFirst() }
            calipers.append(caliper)
        }
    }

    // MARK: Pens over the surface

    private mutating func hover(_ hover: Hover) {
        hovers.removeAll { $0.source == hover.source && $0.id == hover.id }
        guard hover.phase != .ended, hover.position.isFinite else { return }
        if hovers.count >= Self.hoverCapacity { hovers.removeFirst() }
        hovers.append(hover)
    }
}
