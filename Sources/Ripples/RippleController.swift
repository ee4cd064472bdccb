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

    /// Of the surface, logical px: how long a crosshair's lines are, and what arrows keep within. Nil as long as nobody said
    /// it.
    public var surfaceSize: Size? {
        get { conditions.surfaceSize }
        set { conditions.surfaceSize = newValue }
    }

    /// What the recogniser goes by: its slop and its long press are shown.
    public mutating func fit(_ configuration: GestureConfiguration) {
        conditions.touchSlop = configuration.touchSlop
        conditions.longPressTimeout = configuration.longPressTimeout
    }

    var ripples: [Ripple] = []
    var arrows: [Arrow] = []
    var calipers: [Caliper] = []
    /// Pens over the surface.
    var hovers: [Hover] = []
    private(set) var conditions = Canvas.Conditions()
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
        // Touches come more often than pictures: where no path is kept, a mark that only moves is as old as it was.
        if style.kind.definition.pathTime > 0 || !gestures.allSatisfy({ $0.isMotion }) { advance(to: now) }
        for gesture in gestures { handle(gesture) }
    }

    /// Shows a wave that nobody's finger made.
    public mutating func show(at point: Point) { insert(Ripple(at: point)) }

    /// Removes everything. A finger that is still down gets its wave when it taps, and no mark before.
    public mutating func clear() {
        ripples.removeAll(keepingCapacity: true)
        arrows.removeAll()
        calipers.removeAll()
        hovers.removeAll()
    }

    /// Takes over what another shows of touches that are over, `distance` beside where it is there: as where its surface goes.
    /// Both are to be advanced to the same moment.
    public mutating func adopt(_ other: RippleController, movedBy distance: Point) {
        let later = conditions.now.addingSaturating(-other.conditions.now)
        for var ripple in other.ripples where !ripple.isHeld {
            ripple.center = ripple.center + distance
            ripple.path.move(by: distance, later: later)
            insert(ripple)
        }
    }

    mutating func insert(_ ripple: Ripple) {
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
        conditions.now = conditions.now.addingSaturating(passed)
        guard !isIdle else { return }
        let pathStart = conditions.now.addingSaturating(-nanoseconds(style.kind.definition.pathTime))
        let style = style
        var hasEnded = false
        for index in ripples.indices {
            ripples[index].advance(by: passed)
            if !ripples[index].path.isEmpty { ripples[index].path.forget(before: pathStart) }
            if !(ripples[index].secondsLeft(style) > 0) { hasEnded = true }
        }
        if hasEnded { ripples.removeAll { !($0.secondsLeft(style) > 0) } }
        for index in arrows.indices { arrows[index].advance(by: passed) }
        arrows.removeAll { $0.isOver }
        for index in calipers.indices { calipers[index].advance(by: passed) }
        calipers.removeAll { $0.hasFaded }
    }

    private func nanoseconds(_ seconds: Double) -> Int64 { Int64(seconds * 1_000_000_000) }

    // MARK: What is seen

    /// As of the last advance, by order of birth.
    public var shapes: [Shape] {
        var shapes: [Shape] = []
        appendShapes(to: &shapes)
        return shapes
    }

    /// The same, so that the caller can use one array's memory again and again.
    public func appendShapes(to shapes: inout [Shape]) {
        var canvas = Canvas(style, conditions, shapes: [])
        swap(&canvas.shapes, &shapes)
        canvas.shapes.reserveCapacity(canvas.shapes.count + ripples.count)
        for hover in hovers { canvas.draw(hover) }
        let definition = style.kind.definition
        for ripple in ripples { canvas.draw(ripple, definition) }
        canvas.setFinger(nil)
        for caliper in calipers { caliper.draw(on: &canvas) }
        for arrow in arrows { arrow.draw(on: &canvas) }
        swap(&canvas.shapes, &shapes)
    }

    /// True when there is nothing to be seen.
    public var isIdle: Bool { ripples.isEmpty && arrows.isEmpty && calipers.isEmpty && hovers.isEmpty }

    /// When ``isAnimating`` becomes true though nothing happens, by the clock of ``advance(to:)``; nil when it will not.
    public var nextDeadline: Instant? {
        guard let now else { return nil }
        var next: Instant?
        // By the index, here as below: a ripple that is taken out of the list is copied.
        for index in ripples.indices {
            guard let time = ripples[index].timeUntilProgress(conditions.longPressTimeout) else { continue }
            next = min(next ?? now + time, now + time)
        }
        return next
    }

    /// True when time alone changes what is seen. A mark under a resting finger does not change once it has settled, and the
    /// finger has pressed for long or never will.
    public var isAnimating: Bool {
        if !arrows.isEmpty || calipers.contains(where: { !$0.isLive }) { return true }
        let settling = style.kind.definition.settling(style)
        return ripples.indices.contains { index in
            !ripples[index].isHeld || ripples[index].secondsOfLife < settling || ripples[index].path.isSeen
                || ripples[index].pressProgress(conditions.longPressTimeout) != nil
        }
    }
}
