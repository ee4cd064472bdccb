internal import Gestures

// What all styles show alike. Radii and widths that are plain numbers are in units.
extension Canvas {
    // MARK: The contact

    /// A finger's mark is a disc, a pen's a nib: `opacity` is a disc's fill's.
    mutating func contact(_ ripple: Ripple, radius: Double, opacity: Double) {
        let share = style.startOpacity > 0 ? opacity / style.startOpacity : opacity
        guard ripple.isStylus, let contact = ripple.contact else {
            guard style.startOpacity > 0, share <= 1 else {
                return disc(ripple.center, radius: radius, opacity: opacity)
            }
            return rigidDisc(ripple.center, radius: radius, share: share)
        }
        nib(
            ripple.center, radius: radius, tilt: contact.tilt, dot: 1.5 + 4.5 * (contact.pressure ?? 0.3), width: 3,
            share: share)
    }

    /// A diamond, a dot as large as the pressure, and a line to where the pen leans. `radius` in px, to the diamond's sides.
    mutating func nib(
        _ center: Point, radius: Double, tilt: Contact.Tilt?, dot: Double, width: Double, share: Double
    ) {
        let reach = radius * 1.25
        let corners = [
            Point(x: center.x, y: center.y - reach), Point(x: center.x + reach, y: center.y),
            Point(x: center.x, y: center.y + reach), Point(x: center.x - reach, y: center.y),
        ]
        if let tilt, tilt.x.isFinite, tilt.y.isFinite {
            // As long as the pen is leaning: twice the diamond when it lies flat.
            let scale = 2 * reach / 90
            let end = Point(x: center.x + tilt.x * scale, y: center.y + tilt.y * scale)
            line([center, end], width: width * 0.6, share: share)
        }
        line(corners, closed: true, width: width, share: share)
        self.dot(center, radius: dot, share: share)
    }

    // MARK: Long presses

    /// An arc that is full when the press is a long one, and then a ring. `radius` in px: of what it goes around.
    mutating func hold(_ ripple: Ripple, radius: Double, share: Double) {
        let place = radius + 7.5 * unit
        if ripple.isPressed {
            ring(ripple.center, radius: place, width: 4, share: share)
        } else if let progress = ripple.pressProgress(conditions.longPressTimeout), progress > 0 {
            if style.reducedMotion {
                ring(ripple.center, radius: place, width: 2.5, share: share * progress)
            } else {
                arc(ripple.center, radius: place, start: -90, sweep: 360 * progress, width: 2.5, share: share)
            }
        }
    }

    // MARK: Ends

    /// A hollow, broken ring: taken away, not lifted.
    mutating func brokenRing(_ ripple: Ripple, radius: Double) {
        let share = 1 - Easing.easeIn.progress(at: ripple.seconds / style.cancelFade)
        for quarter in 0..<4 {
            arc(
                ripple.center, radius: radius, start: Double(quarter) * 90 + 20, sweep: 50, width: 3, share: share)
        }
    }

    /// A ring for each tap beyond the first. `radius` in px: of the innermost but one.
    mutating func tapRings(_ ripple: Ripple, radius: Double, gap: Double = 7, share: Double) {
        var ring = 1
        while ring < min(ripple.tapCount, 5) {
            self.ring(ripple.center, radius: radius + Double(ring) * gap * unit, width: 2, share: share)
            ring += 1
        }
    }

    // MARK: Which finger

    /// The finger's number as dots above it, and a bar for each five. `radius` in px: of what they stand around.
    mutating func pips(_ ripple: Ripple, radius: Double, share: Double) {
        guard let finger = ripple.finger, finger > 0 else { return }
        // More would go round the mark; by then nobody counts.
        let count = min(finger, 24)
        let (bars, dots) = (count / 5, count % 5)
        let gap = 3.5 * unit
        let (barLength, dotLength) = (11 * unit, 4 * unit)
        let length = Double(bars) * barLength + Double(dots) * dotLength + Double(bars + dots - 1) * gap
        let place = max(radius, 12 * unit)
        let degrees = 180 / (Double.pi * place)
        var at = -length / 2
        for item in 0..<(bars + dots) {
            let itemLength = item < bars ? barLength : dotLength
            let start = -90 + at * degrees
            if item < bars {
                let ends = 2 * unit
                arc(
                    ripple.center, radius: place, start: start + ends * degrees,
                    sweep: (itemLength - 2 * ends) * degrees, width: 4, share: share)
            } else {
                let direction = Point.direction(degrees: start + itemLength / 2 * degrees)
                dot(
                    Point(x: ripple.center.x + direction.x * place, y: ripple.center.y + direction.y * place),
                    radius: 2, share: share)
            }
            at += itemLength + gap
        }
    }
}

extension Ripple {
    /// A touch that is shorter than this shows no progress. Chromium's delay before a press is shown: 150 ms.
    private static let pressDelay: Int64 = .milliseconds(150)

    /// 0 to 1; nil when there is none to be shown: not yet, or because it becomes no long press, or is one.
    func pressProgress(_ timeout: Int64) -> Double? {
        guard mayPress, life >= Self.pressDelay, life < timeout else { return nil }
        return Double(life - Self.pressDelay) / Double(timeout - Self.pressDelay)
    }

    /// ns until there is progress to be shown; nil when there is or will be none.
    func timeUntilProgress(_ timeout: Int64) -> Int64? {
        guard mayPress, life < Self.pressDelay, timeout > Self.pressDelay else { return nil }
        return Self.pressDelay - life
    }

    private var mayPress: Bool { isHeld && !cannotPress && !isPressed }
}
