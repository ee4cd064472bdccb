internal import Gestures

/// Tells a mouse's press from one that the compositor made of a touch.
///
/// Compositors send pointer events next to wl_touch: as a courtesy to clients without touch, or because a touch moves the
/// pointer too. The events look like a mouse's, so time and place decide:
/// * While a contact is down, no press counts. A contact that has been silent for ``quiet`` holds back only presses
///   near it: one whose `up` was lost must not make the mouse useless for ever.
/// * After its end, a press near it within ``window`` does not count.
/// * A press that was taken for a mouse's is taken back when a touch begins near it within ``window``: compositors
///   differ in which of the two they send first.
struct EmulationRule {
    /// 400 ms. Emulated presses come within a few ms of the touch, but some wait for a second tap first, for which
    /// 300 ms is usual; no hand goes from the screen to the mouse in that time.
    static let window: Int64 = 400_000_000
    /// 1 s, longer than the gap between two events of any finger that is not held still on purpose.
    static let quiet: Int64 = 1_000_000_000
    /// 40 logical px, about a fingertip: emulation may start from a place that the finger has left by then.
    static let radius = 40.0

    private struct Spot {
        var target: Int
        var start: Point
        var position: Point
        /// Of its last event, the end included.
        var instant: Instant

        func isNear(_ place: Point, target: Int) -> Bool {
            target == self.target
                && (EmulationRule.areNear(place, position) || EmulationRule.areNear(place, start))
        }
    }

    private var live: [Int32: Spot] = [:]
    private var ended: [Spot] = []

    mutating func touchDown(id: Int32, at position: Point, target: Int, arrival: Instant) {
        live[id] = Spot(target: target, start: position, position: position, instant: arrival)
    }

    mutating func touchMoved(id: Int32, to position: Point, arrival: Instant) {
        live[id]?.position = position
        live[id]?.instant = arrival
    }

    mutating func touchUp(id: Int32, arrival: Instant) {
        guard let spot = live.removeValue(forKey: id) else { return }
        remember(spot, arrival)
    }

    mutating func allTouchesEnded(arrival: Instant) {
        for spot in live.values { remember(spot, arrival) }
        live.removeAll()
    }

    private mutating func remember(_ spot: Spot, _ arrival: Instant) {
        ended.removeAll { !EmulationRule.isWithin(EmulationRule.window, $0.instant, arrival) }
        var spot = spot
        spot.instant = arrival
        ended.append(spot)
    }

    /// Whether a press of the pointer's primary button comes from a touch.
    func explains(pressAt place: Point, target: Int, arrival: Instant) -> Bool {
        for spot in live.values {
            if EmulationRule.isWithin(EmulationRule.quiet, spot.instant, arrival) { return true }
            if spot.isNear(place, target: target) { return true }
        }
        return ended.contains {
            EmulationRule.isWithin(EmulationRule.window, $0.instant, arrival) && $0.isNear(place, target: target)
        }
    }

    /// Whether a touch at `place` shows that the press of `instant` at `press` was its emulation, sent before it.
    static func isEmulation(pressAt press: Point, _ instant: Instant, ofTouchAt place: Point, _ arrival: Instant) -> Bool {
        isWithin(window, instant, arrival) && areNear(press, place)
    }

    private static func isWithin(_ span: Int64, _ earlier: Instant, _ later: Instant) -> Bool {
        later.nanoseconds - earlier.nanoseconds <= span
    }

    private static func areNear(_ a: Point, _ b: Point) -> Bool {
        let x = a.x - b.x
        let y = a.y - b.y
        return x * x + y * y <= radius * radius
    }
}
