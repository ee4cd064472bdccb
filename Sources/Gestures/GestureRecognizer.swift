/// Names what the contacts of any number of sources do: contact frames in, gestures out. It has no clock; time comes
/// with the frames.
///
/// Fingers that come down together, near each other, form a hand; a hand's fingers tap together or not at all. Two people
/// at one screen are two hands.
public struct GestureRecognizer: Sendable {
    /// A change applies to the contacts that end after it.
    public var configuration: GestureConfiguration

    private var tracks: [Track] = []
    private var hands: [Hand] = []
    private var lastHand: UInt64 = 0
    /// Taps that the next one may be counted with, oldest first.
    private var recentTaps: [RecentTap] = []
    /// More people do not double-tap at one screen at a time.
    private static let recentTapCapacity = 16

    /// A contact that is down.
    private struct Track: Sendable {
        var serial: UInt64
        var position: Point
        var leftSlop = false
        var hand: UInt64
    }

    private struct Hand: Sendable {
        var number: UInt64
        var source: SourceID
        var target: Int
        var kind: Contact.Kind
        var began: Instant
        var down = 1
        var lifted: [Contact] = []
        /// False once a finger moved off or was cancelled.
        var mayTap = true
    }

    private struct RecentTap: Sendable {
        var source: SourceID
        var target: Int
        var fingers: Int
        var location: Point
        var instant: Instant
        var count: Int
    }

    public init(configuration: GestureConfiguration = GestureConfiguration()) {
        self.configuration = configuration
    }

    public mutating func handle(_ frame: ContactFrame) -> [Gesture] {
        var gestures: [Gesture] = []
        gestures.reserveCapacity(frame.changes.count + 2)
        handle(frame, into: &gestures)
        return gestures
    }

    /// Appends, so that the caller can use one array's memory again and again.
    public mutating func handle(_ frame: ContactFrame, into gestures: inout [Gesture]) {
        for change in frame.changes {
            switch change.phase {
            case .began: begin(change.contact, &gestures)
            case .moved: move(change.contact, &gestures)
            case .ended: end(change.contact, &gestures)
            case .cancelled: cancel(change.contact, &gestures)
            }
        }
    }

    /// To be called when ``nextDeadline`` is reached, by the program's clock.
    public mutating func advance(to now: Instant) -> [Gesture] { [] }

    /// When something happens without an event; nil when nothing will.
    public var nextDeadline: Instant? { nil }

    // MARK: Phases

    private mutating func begin(_ contact: Contact, _ gestures: inout [Gesture]) {
        guard trackIndex(contact) == nil else { return }
        let hand: UInt64
        if let index = handToJoin(contact) {
            hands[index].down += 1
            hand = hands[index].number
        } else {
            lastHand += 1
            hand = lastHand
            hands.append(
                Hand(
                    number: hand, source: contact.source, target: contact.target, kind: contact.kind,
                    began: contact.began))
        }
        tracks.append(Track(serial: contact.serial, position: contact.position, hand: hand))
        gestures.append(.contactBegan(contact))
    }

    private mutating func move(_ contact: Contact, _ gestures: inout [Gesture]) {
        guard let index = trackIndex(contact) else { return }
        tracks[index].position = contact.position
        gestures.append(.contactMoved(contact))
        let slop = configuration.touchSlop
        if !tracks[index].leftSlop, contact.position.squaredDistance(to: contact.start) > slop * slop {
            tracks[index].leftSlop = true
            if let hand = handIndex(tracks[index].hand) { hands[hand].mayTap = false }
            gestures.append(.contactLeftSlop(contact))
        }
    }

    private mutating func end(_ contact: Contact, _ gestures: inout [Gesture]) {
        guard let index = trackIndex(contact) else { return }
        gestures.append(.contactEnded(contact))
        guard let hand = handIndex(tracks.remove(at: index).hand) else { return }
        hands[hand].lifted.append(contact)
        hands[hand].down -= 1
        guard hands[hand].down == 0 else { return }
        if let tap = tap(of: hands.remove(at: hand), endedAt: contact.instant) { gestures.append(.tap(tap)) }
    }

    private mutating func cancel(_ contact: Contact, _ gestures: inout [Gesture]) {
        guard let index = trackIndex(contact) else { return }
        gestures.append(.contactCancelled(contact))
        guard let hand = handIndex(tracks.remove(at: index).hand) else { return }
        hands[hand].mayTap = false
        hands[hand].down -= 1
        if hands[hand].down == 0 { hands.remove(at: hand) }
    }

    // MARK: Hands

    private func trackIndex(_ contact: Contact) -> Int? {
        tracks.firstIndex { $0.serial == contact.serial }
    }

    private func handIndex(_ number: UInt64) -> Int? {
        hands.firstIndex { $0.number == number }
    }

    /// The hand whose nearest finger is nearest. One that has begun to lift takes no more fingers.
    private func handToJoin(_ contact: Contact) -> Int? {
        var best: Int?
        var bestDistance = configuration.joinDistance * configuration.joinDistance
        for index in hands.indices {
            let hand = hands[index]
            guard hand.source == contact.source, hand.target == contact.target, hand.kind == contact.kind,
                hand.lifted.isEmpty, contact.began - hand.began <= configuration.joinTimeout
            else { continue }
            for track in tracks where track.hand == hand.number {
                let distance = track.position.squaredDistance(to: contact.position)
                if distance <= bestDistance {
                    best = index
                    bestDistance = distance
                }
            }
        }
        return best
    }

    // MARK: Taps

    private mutating func tap(of hand: Hand, endedAt instant: Instant) -> Tap? {
        guard hand.mayTap, instant - hand.began <= configuration.tapTimeout else { return nil }
        var sum = Point.zero
        for contact in hand.lifted { sum = sum + contact.position }
        let fingers = hand.lifted.count
        let location = Point(x: sum.x / Double(fingers), y: sum.y / Double(fingers))
        let count = 1 + takeRecentTap(before: hand, location)
        if recentTaps.count == Self.recentTapCapacity { recentTaps.removeFirst() }
        recentTaps.append(
            RecentTap(
                source: hand.source, target: hand.target, fingers: fingers, location: location, instant: instant,
                count: count))
        return Tap(
            source: hand.source, target: hand.target, location: location, instant: instant,
            duration: instant.millisecondsSince(hand.began), count: count, contacts: hand.lifted)
    }

    /// Removes the tap that a new one of `hand` continues, and says its count; 0 when there is none.
    private mutating func takeRecentTap(before hand: Hand, _ location: Point) -> Int {
        let slop = configuration.doubleTapSlop
        let match = recentTaps.lastIndex {
            let pause = hand.began - $0.instant
            return $0.source == hand.source && $0.target == hand.target && $0.fingers == hand.lifted.count
                && pause >= 0 && pause <= configuration.doubleTapTimeout
                && $0.location.squaredDistance(to: location) <= slop * slop
        }
        return match.map { recentTaps.remove(at: $0).count } ?? 0
    }
}
