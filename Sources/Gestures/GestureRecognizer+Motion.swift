// What moves: drags, pans, scrolls, pinches, rotations, swipes.
extension GestureRecognizer {
    /// Says what a finger's motion means for its hand.
    mutating func follow(_ index: Int, at instant: Instant, _ gestures: inout [Gesture]) {
        switch hands[index].activity {
        case .still, .over:
            break
        case .unclear:
            if let activity = clarify(index) { start(index, activity, at: instant, &gestures) }
        case .pressing:
            let number = hands[index].number
            guard fingers.contains(where: { $0.hand == number && $0.leftSlop }) else { return }
            gestures.append(.longPress(LongPress(phase: .ended, hand: hand(index, at: instant))))
            start(index, .dragging, at: instant, &gestures)
        case .dragging, .panning, .scrolling:
            say(index, .changed, at: instant, &gestures)
        case .transforming(let pinch, let rotation):
            say(index, .changed, at: instant, &gestures)
            let (_, radius, _) = spread(index)
            if !pinch, pinchScore(index, radius) >= 1 {
                hands[index].activity = .transforming(pinch: true, rotation: rotation)
                gestures.append(.pinch(self.pinch(index, .began, at: instant)))
            } else if !rotation, rotationScore(index, radius) >= 1 {
                hands[index].activity = .transforming(pinch: pinch, rotation: true)
                gestures.append(.rotation(self.rotation(index, .began, at: instant)))
            }
        }
    }

    /// Ends what the hand does. `still` hands may yet tap; all others are over.
    mutating func finish(_ index: Int, _ phase: GesturePhase, at instant: Instant, _ gestures: inout [Gesture]) {
        switch hands[index].activity {
        case .still, .over:
            return
        case .unclear:
            break
        case .pressing:
            gestures.append(.longPress(LongPress(phase: phase, hand: hand(index, at: instant))))
        case .dragging, .transforming:
            say(index, phase, at: instant, &gestures)
        case .panning, .scrolling:
            say(index, phase, at: instant, &gestures)
            if phase == .ended, let swipe = swipe(index, at: instant) { gestures.append(.swipe(swipe)) }
        }
        hands[index].activity = .over
    }

    private mutating func start(
        _ index: Int, _ activity: HandState.Activity, at instant: Instant, _ gestures: inout [Gesture]
    ) {
        hands[index].activity = activity
        say(index, .began, at: instant, &gestures)
    }

    private func say(_ index: Int, _ phase: GesturePhase, at instant: Instant, _ gestures: inout [Gesture]) {
        switch hands[index].activity {
        case .dragging: gestures.append(.drag(motion(index, phase, at: instant)))
        case .panning: gestures.append(.pan(motion(index, phase, at: instant)))
        case .scrolling: gestures.append(.scroll(motion(index, phase, at: instant)))
        case .transforming(let pinch, let rotation):
            if pinch { gestures.append(.pinch(self.pinch(index, phase, at: instant))) }
            if rotation { gestures.append(.rotation(self.rotation(index, phase, at: instant))) }
        case .still, .unclear, .pressing, .over: break
        }
    }

    // MARK: Which it is

    /// The first to pass its threshold, all measured as the way that the fingers went. When only one of two fingers moves,
    /// the middle moves half as far as the distance changes: it is a pinch or rotation, no scroll.
    private func clarify(_ index: Int) -> HandState.Activity? {
        let (center, radius, count) = spread(index)
        guard count > 1 else { return .panning }
        let way = center.distance(to: hands[index].start) / configuration.multiFingerSlop
        let pinch = pinchScore(index, radius)
        let rotation = rotationScore(index, radius)
        guard max(way, pinch, rotation) >= 1 else { return nil }
        if way > pinch, way > rotation { return count == 2 ? .scrolling : .panning }
        return .transforming(pinch: pinch >= rotation, rotation: rotation > pinch)
    }

    private func pinchScore(_ index: Int, _ radius: Double) -> Double {
        2 * (radius - hands[index].startRadius).magnitude / configuration.multiFingerSlop
    }

    private func rotationScore(_ index: Int, _ radius: Double) -> Double {
        hands[index].angle.magnitude * radius / configuration.touchSlop
    }

    // MARK: What it says

    private func motion(_ index: Int, _ phase: GesturePhase, at instant: Instant) -> Motion {
        Motion(phase: phase, hand: hand(index, at: instant), velocity: velocity(index, at: instant))
    }

    private func pinch(_ index: Int, _ phase: GesturePhase, at instant: Instant) -> Pinch {
        let start = hands[index].startRadius
        return Pinch(
            phase: phase, hand: hand(index, at: instant), scale: start > 0 ? spread(index).radius / start : 1)
    }

    private func rotation(_ index: Int, _ phase: GesturePhase, at instant: Instant) -> Rotation {
        Rotation(phase: phase, hand: hand(index, at: instant), degrees: hands[index].angle * 180 / .pi)
    }

    /// The fingers' mean, limited to the fastest fling.
    private func velocity(_ index: Int, at instant: Instant) -> Point {
        let number = hands[index].number
        var sum = Point.zero
        var count = 0.0
        for finger in fingers where finger.hand == number {
            sum = sum + finger.velocity.velocity(at: instant, window: configuration.velocityWindow)
            count += 1
        }
        guard count > 0 else { return .zero }
        let speed = sum.distance(to: .zero) / count
        let factor = speed > configuration.maximumFlingVelocity ? configuration.maximumFlingVelocity / speed : 1
        return Point(x: sum.x / count * factor, y: sum.y / count * factor)
    }

    private func swipe(_ index: Int, at instant: Instant) -> Swipe? {
        let velocity = velocity(index, at: instant)
        guard velocity.distance(to: .zero) >= configuration.minimumFlingVelocity else { return nil }
        let (x, y) = (velocity.x.magnitude, velocity.y.magnitude)
        guard angle(x: max(x, y), y: min(x, y)) * 180 / .pi <= configuration.swipeAngle else { return nil }
        let direction: Swipe.Direction = x > y ? (velocity.x > 0 ? .right : .left) : (velocity.y > 0 ? .down : .up)
        let hand = hand(index, at: instant)
        return Swipe(hand: hand, direction: direction, edge: edge(of: hand, direction), velocity: velocity)
    }

    /// The edge that a swipe inwards came from.
    private func edge(of hand: Hand, _ direction: Swipe.Direction) -> Swipe.Edge? {
        guard let bounds = bounds(of: hand.target) else { return nil }
        let width = configuration.edgeWidth
        return switch direction {
        case .right: hand.start.x <= bounds.x + width ? .left : nil
        case .left: hand.start.x >= bounds.maxX - width ? .right : nil
        case .down: hand.start.y <= bounds.y + width ? .top : nil
        case .up: hand.start.y >= bounds.maxY - width ? .bottom : nil
        }
    }
}
