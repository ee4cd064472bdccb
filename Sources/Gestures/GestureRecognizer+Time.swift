// What happens without an event: long presses, and taps that waited for another one.
extension GestureRecognizer {
    /// By whose time something is due. Events carry their source's, timers go by the program's, and the two drift.
    enum Clock {
        case source(SourceID)
        case program
    }

    enum Due {
        /// An index of `recentTaps`.
        case tap(Int)
        /// An index of `hands`.
        case press(Int)
    }

    /// What was due by `now`, in the order in which it was.
    mutating func happen(by now: Instant, _ clock: Clock, _ gestures: inout [Gesture]) {
        while let next = nextDue(clock), next.instant <= now {
            switch next.due {
            case .tap(let index):
                if let tap = recentTaps[index].waiting { gestures.append(.tap(tap)) }
                recentTaps[index].waiting = nil
            case .press(let index):
                hands[index].activity = .pressing
                let instant = hands[index].began + configuration.longPressTimeout
                gestures.append(.longPress(LongPress(phase: .began, hand: hand(index, at: instant))))
            }
        }
    }

    /// The earliest; of two at one time the tap, which came before.
    func nextDue(_ clock: Clock) -> (due: Due, instant: Instant)? {
        var next: (due: Due, instant: Instant)?
        for index in recentTaps.indices where recentTaps[index].waiting != nil {
            guard let instant = tapDue(recentTaps[index], clock) else { continue }
            if next.map({ instant < $0.instant }) ?? true { next = (.tap(index), instant) }
        }
        for index in hands.indices where hands[index].mayPress {
            guard let down = down(hands[index], clock) else { continue }
            let instant = down + configuration.longPressTimeout
            if next.map({ instant < $0.instant }) ?? true { next = (.press(index), instant) }
        }
        return next
    }

    /// When it is certain that no tap continues `tap`: its window is over, and so is each hand's that came down in time.
    private func tapDue(_ tap: RecentTap, _ clock: Clock) -> Instant? {
        guard configuration.waitsForDoubleTap else { return tap.instant }
        // A finger that comes down at the window's very end is in time.
        var due: Instant
        switch clock {
        case .source(let source):
            guard tap.source == source else { return nil }
            due = tap.instant + configuration.doubleTapTimeout + 1
        case .program: due = tap.arrival + configuration.doubleTapTimeout + 1
        }
        for hand in hands where mayContinue(tap, hand) {
            guard let down = down(hand, clock) else { continue }
            due = max(due, down + min(configuration.tapTimeout, configuration.longPressTimeout))
        }
        return due
    }

    /// When the hand came down; nil when it is not of the clock's source.
    private func down(_ hand: HandState, _ clock: Clock) -> Instant? {
        switch clock {
        case .source(let source): hand.source == source ? hand.began : nil
        case .program: hand.arrival
        }
    }
}
