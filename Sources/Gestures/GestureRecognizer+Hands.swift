// Which fingers act together.
extension GestureRecognizer {
    /// The hand whose nearest finger is nearest. One that has begun to lift takes no more fingers.
    func handToJoin(_ contact: Contact) -> Int? {
        nearestHand(contact) { hand in
            switch hand.activity {
            case .pressing, .dragging, .over: false
            default: contact.began - hand.began <= configuration.joinTimeout
            }
        }
    }

    /// A finger that moves while others are down near it moves with them, however long they have been there; only what
    /// pressed for long, as a palm at rest does, stays out of it.
    private func handToMerge(_ contact: Contact, number: UInt64) -> Int? {
        nearestHand(contact) { hand in
            switch hand.activity {
            case .pressing, .dragging, .over: false
            default: hand.number != number
            }
        }
    }

    private func nearestHand(_ contact: Contact, where mayTake: (HandState) -> Bool) -> Int? {
        // Nobody holds two pens in one hand.
        guard contact.kind == .finger else { return nil }
        var best: Int?
        var bestDistance = configuration.joinDistance * configuration.joinDistance
        for index in hands.indices {
            let hand = hands[index]
            guard hand.source == contact.source, hand.target == contact.target, hand.kind == contact.kind,
                hand.lifted.isEmpty, mayTake(hand)
            else { continue }
            for finger in fingers where finger.hand == hand.number {
                let distance = finger.position.squaredDistance(to: contact.position)
                if distance <= bestDistance {
                    best = index
                    bestDistance = distance
                }
            }
        }
        return best
    }

    /// A finger of `index` is no tap any more. Returns the index of the hand that it belongs to from now on.
    mutating func leaveSlop(_ index: Int, _ contact: Contact, _ gestures: inout [Gesture]) -> Int {
        guard hands[index].activity == .still else { return index }
        guard hands[index].lifted.isEmpty else {
            hands[index].activity = .over
            return index
        }
        hands[index].activity = .unclear
        guard let other = handToMerge(contact, number: hands[index].number) else { return index }
        interrupt(other, at: contact.instant, &gestures)
        let (kept, given) = other < index ? (other, index) : (index, other)
        for finger in fingers.indices where fingers[finger].hand == hands[given].number {
            fingers[finger].hand = hands[kept].number
        }
        hands.remove(at: given)
        hands[kept].activity = .unclear
        anchor(kept)
        return kept
    }

    /// More fingers come: what the hand did with fewer was something else.
    mutating func interrupt(_ index: Int, at instant: Instant, _ gestures: inout [Gesture]) {
        guard hands[index].activity != .still else { return }
        finish(index, .cancelled, at: instant, &gestures)
        hands[index].activity = .unclear
    }

    /// Reckons motion from the fingers' present places.
    mutating func anchor(_ index: Int) {
        let (center, radius, _) = spread(index)
        hands[index].start = center
        hands[index].startRadius = radius
        hands[index].angle = 0
    }

    /// The fingers' mean place, mean distance from it, and number.
    func spread(_ index: Int) -> (center: Point, radius: Double, fingers: Int) {
        let (center, count) = middle(index)
        guard count > 1 else { return (center, 0, count) }
        let number = hands[index].number
        var radius = 0.0
        for finger in fingers.indices where fingers[finger].hand == number {
            radius += fingers[finger].position.distance(to: center)
        }
        return (center, radius / Double(count), count)
    }

    private func middle(_ index: Int) -> (center: Point, fingers: Int) {
        let number = hands[index].number
        var sum = Point.zero
        var count = 0
        // By index: a copy of a finger would retain its samples.
        for finger in fingers.indices where fingers[finger].hand == number {
            sum = sum + fingers[finger].position
            count += 1
        }
        guard count > 1 else { return (sum, count) }
        return (Point(x: sum.x / Double(count), y: sum.y / Double(count)), count)
    }

    /// Adds the angle by which the motion of one finger turned the hand: the rotation that fits all fingers best.
    mutating func turn(_ index: Int, finger moved: Int, from old: Point) {
        guard hands[index].activity != .over else { return }
        let number = hands[index].number
        let (center, count) = middle(index)
        guard count > 1 else { return }
        let shift = fingers[moved].position - old
        let oldCenter = Point(x: center.x - shift.x / Double(count), y: center.y - shift.y / Double(count))
        var cross = 0.0
        var dot = 0.0
        for finger in fingers.indices where fingers[finger].hand == number {
            let a = (finger == moved ? old : fingers[finger].position) - oldCenter
            let b = fingers[finger].position - center
            cross += a.x * b.y - a.y * b.x
            dot += a.x * b.x + a.y * b.y
        }
        hands[index].angle += angle(x: dot, y: cross)
    }

    func hand(_ index: Int, at instant: Instant) -> Hand {
        let (center, count) = middle(index)
        return Hand(
            number: hands[index].number, source: hands[index].source, target: hands[index].target,
            kind: hands[index].kind, fingers: count, location: center, start: hands[index].start,
            began: hands[index].began, instant: instant)
    }
}
