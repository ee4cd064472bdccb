// Taps and long presses.
extension GestureRecognizer {
    /// More people do not double-tap at one screen at a time.
    private static let recentTapCapacity = 16

    mutating func tap(of hand: HandState, endedAt instant: Instant) -> Tap? {
        guard hand.activity == .still, instant - hand.began < configuration.tapTimeout else { return nil }
        var sum = Point.zero
        for contact in hand.lifted { sum = sum + contact.position }
        let fingers = hand.lifted.count
        let location = Point(x: sum.x / Double(fingers), y: sum.y / Double(fingers))
        if hand.isBounce, fingers == 1 {
            // The tap that was said before goes on until now.
            if let index = recentTaps.lastIndex(where: { isNear($0, hand, location, configuration.touchSlop) }) {
                recentTaps[index].instant = instant
            }
            return nil
        }
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

    func isBounce(_ contact: Contact) -> Bool {
        let slop = configuration.touchSlop
        return recentTaps.contains {
            // Panels scan every few ms: what comes down in the very moment of the tap's end was made by a program.
            let pause = contact.began - $0.instant
            return $0.source == contact.source && $0.target == contact.target && $0.fingers == 1
                && pause > 0 && pause <= configuration.contactBounce
                && $0.location.squaredDistance(to: contact.position) <= slop * slop
        }
    }

    private func isNear(_ tap: RecentTap, _ hand: HandState, _ location: Point, _ slop: Double) -> Bool {
        tap.source == hand.source && tap.target == hand.target && tap.fingers == hand.lifted.count
            && tap.location.squaredDistance(to: location) <= slop * slop
    }

    /// Removes the tap that a new one of `hand` continues, and says its count; 0 when there is none.
    private mutating func takeRecentTap(before hand: HandState, _ location: Point) -> Int {
        let match = recentTaps.lastIndex {
            let pause = hand.began - $0.instant
            return pause >= 0 && pause <= configuration.doubleTapTimeout
                && isNear($0, hand, location, configuration.doubleTapSlop)
        }
        return match.map { recentTaps.remove(at: $0).count } ?? 0
    }

    // MARK: Long presses

    /// The presses of a source's hands that were reached by an event's time, earliest first.
    mutating func press(source: SourceID, by instant: Instant, _ gestures: inout [Gesture]) {
        for index in hands.indices
        where hands[index].source == source && hands[index].mayPress
            && instant - hands[index].began >= configuration.longPressTimeout
        {
            press(index, &gestures)
        }
    }

    mutating func press(_ index: Int, _ gestures: inout [Gesture]) {
        hands[index].activity = .pressing
        let instant = hands[index].began + configuration.longPressTimeout
        gestures.append(.longPress(LongPress(phase: .began, hand: hand(index, at: instant))))
    }
}
