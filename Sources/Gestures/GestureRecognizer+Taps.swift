// Taps.
extension GestureRecognizer {
    /// More people do not double-tap at one screen at a time.
    private static let recentTapCapacity = 16

    /// Says that the hand tapped, or keeps it until it is known how often, or neither.
    mutating func tap(
        of hand: HandState, endedAt instant: Instant, arrival: Instant, _ gestures: inout [Gesture]
    ) {
        guard hand.activity == .still, instant - hand.began < configuration.tapTimeout else { return }
        var sum = Point.zero
        for contact in hand.lifted { sum = sum + contact.position }
        let fingers = hand.lifted.count
        let location = Point(x: sum.x / Double(fingers), y: sum.y / Double(fingers))
        if hand.isBounce, fingers == 1 {
            // The tap that was said before goes on until now.
            if let index = recentTaps.lastIndex(where: { isNear($0, hand, location, configuration.touchSlop) }) {
                recentTaps[index].instant = instant
                recentTaps[index].arrival = arrival
            }
            return
        }
        let count = 1 + takeRecentTap(before: hand, location)
        if recentTaps.count == Self.recentTapCapacity {
            if let waiting = recentTaps.removeFirst().waiting { gestures.append(.tap(waiting)) }
        }
        let tap = Tap(
            source: hand.source, target: hand.target, location: location, instant: instant,
            duration: instant.millisecondsSince(hand.began), count: count, contacts: hand.lifted)
        let waits = configuration.waitsForDoubleTap
        recentTaps.append(
            RecentTap(
                source: hand.source, target: hand.target, fingers: fingers, location: location, instant: instant,
                arrival: arrival, count: count, waiting: waits ? tap : nil))
        if !waits { gestures.append(.tap(tap)) }
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
            // What was said as a single is not said again as part of a double.
            (!configuration.waitsForDoubleTap || $0.waiting != nil) && isInTime(hand, after: $0)
                && isNear($0, hand, location, configuration.doubleTapSlop)
        }
        return match.map { recentTaps.remove(at: $0).count } ?? 0
    }

    private func isInTime(_ hand: HandState, after tap: RecentTap) -> Bool {
        let pause = hand.began - tap.instant
        return pause >= 0 && pause <= configuration.doubleTapTimeout
    }

    /// Whether a hand that is still down may yet be counted with `tap`.
    func mayContinue(_ tap: RecentTap, _ hand: HandState) -> Bool {
        guard hand.activity == .still, tap.source == hand.source, tap.target == hand.target,
            isInTime(hand, after: tap)
        else { return false }
        // Where several fingers will have their middle is not known yet.
        let reach = configuration.doubleTapSlop + configuration.touchSlop
        return tap.fingers > 1 || tap.location.squaredDistance(to: hand.start) <= reach * reach
    }
}
