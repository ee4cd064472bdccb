/// Names what the contacts of any number of sources do: contact frames in, gestures out. It has no clock; time comes
/// with the frames and with ``advance(to:)``.
///
/// Fingers that come down together, near each other, form a hand; a hand's fingers tap, press and move together. Two
/// people at one screen are two hands. A hand does one thing at a time, and is over as soon as one of its fingers is
/// lifted out of a motion.
public struct GestureRecognizer: Sendable {
    /// A change applies at once, to hands that are down too.
    public var configuration: GestureConfiguration

    var fingers: [Finger] = []
    var hands: [HandState] = []
    private var lastHand: UInt64 = 0
    /// Taps that the next one may be counted with, oldest first.
    var recentTaps: [RecentTap] = []
    private var surfaces: [(target: Int, bounds: Rect)] = []

    public init(configuration: GestureConfiguration = GestureConfiguration()) {
        self.configuration = configuration
    }

    /// Edge swipes need the size of the surface, logical px; nil when there is none any more. `origin` is not zero where
    /// the edges are those of a part of it alone.
    public mutating func setSurfaceSize(_ size: Size?, at origin: Point = .zero, target: Int) {
        let bounds = size.map { Rect(x: origin.x, y: origin.y, width: $0.width, height: $0.height) }
        // Said with each frame of touches, and mostly the same.
        if self.bounds(of: target) == bounds { return }
        surfaces.removeAll { $0.target == target }
        if let bounds { surfaces.append((target, bounds)) }
    }

    func bounds(of target: Int) -> Rect? { surfaces.first { $0.target == target }?.bounds }

    public mutating func handle(_ frame: ContactFrame) -> [Gesture] {
        var gestures: [Gesture] = []
        gestures.reserveCapacity(2 * frame.changes.count)
        handle(frame, into: &gestures)
        return gestures
    }

    /// Appends, so that the caller can use one array's memory again and again.
    public mutating func handle(_ frame: ContactFrame, into gestures: inout [Gesture]) {
        if let hover = frame.hover { gestures.append(.hover(hover)) }
        for change in frame.changes {
            // What was due before this change is said before it, whether or not anybody called `advance`.
            happen(by: change.contact.instant, .source(frame.source), &gestures)
            switch change.phase {
            case .began: begin(change.contact, arrival: frame.arrival, &gestures)
            case .moved: move(change.contact, &gestures)
            case .ended: end(change.contact, arrival: frame.arrival, &gestures)
            case .cancelled: cancel(change.contact, &gestures)
            }
        }
    }

    /// To be called when ``nextDeadline`` is reached, by the program's clock, after the events that had arrived by then.
    public mutating func advance(to now: Instant) -> [Gesture] {
        var gestures: [Gesture] = []
        happen(by: now, .program, &gestures)
        return gestures
    }

    /// When something happens without an event, by the program's clock; nil when nothing will.
    public var nextDeadline: Instant? { nextDue(.program)?.instant }

    // MARK: Phases

    private mutating func begin(_ contact: Contact, arrival: Instant, _ gestures: inout [Gesture]) {
        guard fingerIndex(contact) == nil else { return }
        var finger = Finger(serial: contact.serial, position: contact.position, hand: 0)
        finger.velocity.start(at: contact.position, contact.began)
        gestures.append(.contactBegan(contact))
        if let index = handToJoin(contact) {
            interrupt(index, at: contact.began, &gestures)
            finger.hand = hands[index].number
            fingers.append(finger)
            anchor(index)
        } else {
            lastHand += 1
            finger.hand = lastHand
            fingers.append(finger)
            var hand = HandState(number: lastHand, contact: contact, arrival: arrival)
            hand.isBounce = isBounce(contact)
            hands.append(hand)
        }
    }

    private mutating func move(_ contact: Contact, _ gestures: inout [Gesture]) {
        guard let index = fingerIndex(contact) else { return }
        let old = fingers[index].position
        fingers[index].position = contact.position
        if contact.jumped, !fingers[index].hasJumped {
            fingers[index].hasJumped = true
            fingers[index].velocity.jump(to: contact.position, contact.instant)
        } else {
            fingers[index].velocity.move(
                to: contact.position, contact.instant, window: configuration.velocityWindow)
        }
        gestures.append(.contactMoved(contact))
        guard var hand = handIndex(fingers[index].hand) else { return }
        turn(hand, finger: index, from: old)
        let slop = configuration.touchSlop
        if !fingers[index].leftSlop, contact.position.squaredDistance(to: contact.start) > slop * slop {
            fingers[index].leftSlop = true
            gestures.append(.contactLeftSlop(contact))
            hand = leaveSlop(hand, contact, &gestures)
            happen(by: contact.instant, .source(contact.source), &gestures)
        }
        follow(hand, at: contact.instant, &gestures)
    }

    private mutating func end(_ contact: Contact, arrival: Instant, _ gestures: inout [Gesture]) {
        guard let index = fingerIndex(contact) else { return }
        gestures.append(.contactEnded(contact))
        guard let hand = handIndex(fingers[index].hand) else { return }
        finish(hand, .ended, at: contact.instant, &gestures)
        hands[hand].lifted.append(contact)
        if remove(index, of: hand) {
            tap(of: hands.remove(at: hand), endedAt: contact.instant, arrival: arrival, &gestures)
            happen(by: contact.instant, .source(contact.source), &gestures)
        }
    }

    private mutating func cancel(_ contact: Contact, _ gestures: inout [Gesture]) {
        guard let index = fingerIndex(contact) else { return }
        gestures.append(.contactCancelled(contact))
        guard let hand = handIndex(fingers[index].hand) else { return }
        finish(hand, .cancelled, at: contact.instant, &gestures)
        hands[hand].activity = .over
        if remove(index, of: hand) { hands.remove(at: hand) }
        happen(by: contact.instant, .source(contact.source), &gestures)
    }

    /// Whether the hand has no finger left.
    private mutating func remove(_ finger: Int, of hand: Int) -> Bool {
        fingers.remove(at: finger)
        return !fingers.contains { $0.hand == hands[hand].number }
    }

    func fingerIndex(_ contact: Contact) -> Int? {
        fingers.firstIndex { $0.serial == contact.serial }
    }

    func handIndex(_ number: UInt64) -> Int? {
        hands.firstIndex { $0.number == number }
    }
}
