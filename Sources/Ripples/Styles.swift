internal import Gestures

// What tells the styles apart. A new one is a case and its definition, in this file.
extension RippleStyle {
    public enum Kind: Hashable, Sendable, CaseIterable {
        case wave, rings, echo, material, dot, trail, crosshair, inspect

        var definition: StyleDefinition {
            switch self {
            case .wave: .wave
            case .rings: .rings
            case .echo: .echo
            case .material: .material
            case .dot: .dot
            case .trail: .trail
            case .crosshair: .crosshair
            case .inspect: .inspect
            }
        }
    }
}

extension StyleDefinition {
    /// A mark, which a tap turns into a wave.
    static let wave = StyleDefinition(name: "wave", help: "a wave grows from each tap") { ripple, canvas in
        let style = canvas.style
        guard ripple.state == .tapped else { return canvas.heldOrLifted(ripple) }
        let time = ripple.seconds / style.duration
        let way = style.endRadius - style.startRadius
        let radius = style.startRadius + way * style.growth(style.radiusEasing.progress(at: time))
        let opacity =
            style.startOpacity + (style.endOpacity - style.startOpacity) * style.opacityEasing.progress(at: time)
        canvas.wave(ripple.center, radius: radius, opacity: opacity)
        // Inside the wave, evenly.
        let share = style.startOpacity > 0 ? opacity / style.startOpacity : opacity
        let rings = min(ripple.tapCount, 5)
        for ring in 1..<max(1, rings) {
            canvas.ring(
                ripple.center, radius: radius * Double(ring) / Double(rings), width: 2.5, share: share)
        }
    }

    /// Two rings that grow when a finger comes down, stay, and contract when it is lifted. KWin's touch points: 300 ms, the
    /// second 50 ms behind the first.
    static let rings = StyleDefinition(
        name: "rings", help: "two rings grow on press and contract on release",
        markRadius: { $0.endRadius * 0.6 },
        settling: { ringTime($0) + ringLag($0) },
        duration: { ripple, style in
            ringWait(ripple, style) + ringTime(style) + ringLag(style) + (ripple.state == .tapped ? 0.1 : 0)
        }
    ) { ripple, canvas in
        let style = canvas.style
        let time = ringTime(style)
        let wait = ringWait(ripple, style)
        let end = ripple.isHeld ? 0 : Easing.linear.progress(at: (ripple.seconds - wait) / (time + ringLag(style)))
        for (index, size) in [1, 0.62].enumerated() {
            let lag = Double(index) * ringLag(style)
            var radius = style.endRadius * 0.6 * size
            var share = 1.0
            if style.reducedMotion {
                share = 1 - end
            } else {
                radius *= Easing.easeOut.progress(at: (ripple.secondsOfLife - lag) / time)
                if !ripple.isHeld {
                    let contraction = Easing.easeIn.progress(at: (ripple.seconds - wait - lag) / time)
                    radius *= 1 - contraction
                    share = 1 - contraction * contraction
                }
            }
            canvas.ring(ripple.center, radius: radius, width: 4 - Double(index), share: share)
        }
        // Lifted without a tap they close on nothing.
        if ripple.state != .lifted {
            canvas.contact(ripple, radius: style.startRadius * 0.4, opacity: style.startOpacity * (1 - end * end))
            canvas.tapRings(ripple, radius: style.startRadius * 0.4, gap: 6, share: 1 - end)
        }
    }

    /// Three waves, one behind the other, fast at first.
    static let echo = StyleDefinition(name: "echo", help: "three waves follow each other from each tap") {
        ripple, canvas in
        let style = canvas.style
        guard ripple.state == .tapped else { return canvas.heldOrLifted(ripple) }
        for index in 0..<3 {
            let time = (ripple.seconds / style.duration - Double(index) * 0.15) / 0.7
            guard time >= 0 || style.reducedMotion else { continue }
            let strength = [1, 0.8, 0.6][index]
            if style.reducedMotion {
                let share = 1 - Easing.linear.progress(at: ripple.seconds / style.duration)
                canvas.ring(
                    ripple.center, radius: style.endRadius * [0.6, 0.42, 0.24][index], width: 3,
                    share: share * strength)
                continue
            }
            let share = (1 - Easing.linear.progress(at: time)) * strength
            let radius = style.startRadius + (style.endRadius - style.startRadius) * Easing.easeOut.progress(at: time)
            if !style.highContrast {
                canvas.disc(ripple.center, radius: radius, opacity: style.startOpacity * 0.4 * share)
            }
            canvas.ring(ripple.center, radius: radius, width: 3, share: share)
        }
        let share = 1 - Easing.linear.progress(at: ripple.seconds / style.duration)
        canvas.contact(ripple, radius: style.startRadius * 0.4, opacity: style.startOpacity * share)
        canvas.tapRings(ripple, radius: style.startRadius * 0.4, share: share)
    }

    /// Light spreads softly while the finger is down, and goes when it is lifted. Material Design: 450 ms to grow, shown for
    /// at least 225, 375 to fade.
    static let material = StyleDefinition(
        name: "material", help: "soft light spreads under the finger",
        markRadius: { $0.startRadius * 0.6 },
        settling: { 0.45 * $0.duration },
        duration: { ripple, style in materialWait(ripple, style) + 0.375 * style.duration }
    ) { ripple, canvas in
        let style = canvas.style
        var share = Easing.linear.progress(at: ripple.secondsOfLife / (0.075 * style.duration))
        var mark = 1.0
        if !ripple.isHeld {
            let time = (ripple.seconds - materialWait(ripple, style)) / (0.375 * style.duration)
            mark = 1 - Easing.linear.progress(at: time)
            share *= mark
        }
        let growth = style.growth(Easing.easeOut.progress(at: ripple.secondsOfLife / (0.45 * style.duration)))
        canvas.glow(ripple.center, radius: style.endRadius * (0.3 + 0.7 * growth), share: share)
        canvas.contact(ripple, radius: style.startRadius * 0.6, opacity: style.startOpacity * mark)
        if ripple.state == .tapped { canvas.tapRings(ripple, radius: style.startRadius * 0.6, share: mark) }
    }

    /// The mark alone. A tap makes it bright before it goes.
    static let dot = StyleDefinition(
        name: "dot", help: "a mark under each finger, and no more",
        duration: { ripple, style in ripple.state == .tapped ? 0.4 * style.duration : style.liftFade }
    ) { ripple, canvas in
        let style = canvas.style
        guard ripple.state == .tapped else { return canvas.heldOrLifted(ripple) }
        let share = 1 - Easing.linear.progress(at: ripple.time(style))
        canvas.contact(ripple, radius: style.startRadius, opacity: style.startOpacity * share)
        canvas.dot(ripple.center, radius: 5, share: share)
        canvas.tapRings(ripple, radius: style.startRadius, share: share)
    }

    /// The way of the last half second, thinner and paler the older it is.
    static let trail = StyleDefinition(
        name: "trail", help: "the path that each finger goes",
        markRadius: { $0.startRadius * 0.6 },
        duration: { ripple, style in ripple.state == .tapped ? 0.4 * style.duration : 0.22 },
        pathTime: 0.55
    ) { ripple, canvas in
        let style = canvas.style
        let time = ripple.time(style)
        let share = 1 - Easing.linear.progress(at: time)
        canvas.trail(ripple, radius: style.startRadius * 0.45, share: share)
        canvas.contact(ripple, radius: style.startRadius * 0.6, opacity: style.startOpacity * share)
        if ripple.state == .tapped {
            canvas.ring(
                ripple.center, radius: style.startRadius * (0.6 + style.growth(time)), width: 2.5, share: share)
            canvas.tapRings(ripple, radius: style.startRadius * (0.6 + style.growth(time)), share: share)
        }
    }

    /// Lines from edge to edge, which meet where the finger is.
    static let crosshair = StyleDefinition(
        name: "crosshair", help: "lines from edge to edge meet at each finger",
        duration: { ripple, style in ripple.state == .tapped ? 0.5 * style.duration : style.liftFade }
    ) { ripple, canvas in
        let style = canvas.style
        let time = ripple.time(style)
        let share = 1 - Easing.linear.progress(at: time)
        // Without a size lines longer than any screen do as well.
        let size = canvas.conditions.surfaceSize ?? Size(width: 16_384, height: 16_384)
        let (x, y, gap) = (ripple.center.x, ripple.center.y, style.startRadius)
        for (near, far) in [
            (Point(x: x - gap, y: y), Point(x: min(0, x - gap), y: y)),
            (Point(x: x + gap, y: y), Point(x: max(size.width, x + gap), y: y)),
            (Point(x: x, y: y - gap), Point(x: x, y: min(0, y - gap))),
            (Point(x: x, y: y + gap), Point(x: x, y: max(size.height, y + gap))),
        ] {
            canvas.line([near, far], width: 1.5, share: share)
        }
        if ripple.isStylus {
            canvas.contact(ripple, radius: gap * 0.7, opacity: style.startOpacity * share)
        } else {
            canvas.ring(ripple.center, radius: gap, width: 3, share: share)
            canvas.dot(ripple.center, radius: 1.5, share: share)
        }
        if ripple.state == .tapped {
            canvas.ring(ripple.center, radius: gap * (1 + style.growth(time)), width: 2, share: share)
            canvas.tapRings(ripple, radius: gap * (1 + style.growth(time)), share: share)
        }
    }

    /// What the panel says of the contact: its place, its ellipse, every sample, and how far it may go and still be a tap.
    static let inspect = StyleDefinition(
        name: "inspect", help: "every sample, the slop, the contact's shape, in figures too",
        // Outside the slop that most panels have.
        markRadius: { $0.startRadius * 1.4 },
        duration: { _, style in style.duration },
        pathTime: 2
    ) { ripple, canvas in
        let style = canvas.style
        // It can be read for a while before it goes.
        let time = ripple.time(style)
        let share = 1 - Easing.linear.progress(at: (time - 0.6) / 0.4)
        if let contact = ripple.contact {
            canvas.slop(contact, isLeft: ripple.leftSlop, share: share)
            canvas.samples(ripple, share: share)
            canvas.outline(of: contact, radius: style.startRadius * 0.65, share: share)
        } else {
            canvas.ring(ripple.center, radius: style.startRadius * 0.65, width: 2.5, share: share)
        }
        let arm = 4.5 * canvas.unit
        let (x, y) = (ripple.center.x, ripple.center.y)
        canvas.line(
            [
                Point(x: x - arm, y: y), Point(x: x + arm, y: y), ripple.center, Point(x: x, y: y - arm),
                Point(x: x, y: y + arm),
            ], width: 1.5, share: share)
        if ripple.state == .tapped { canvas.tapRings(ripple, radius: style.startRadius * 1.4, share: share) }
    }

    // MARK: Times

    private static func ringTime(_ style: RippleStyle) -> Double { 0.3 * style.duration }
    private static func ringLag(_ style: RippleStyle) -> Double { style.reducedMotion ? 0 : 0.05 * style.duration }

    /// A finger that is lifted early sees the rings grow to the end before they contract.
    private static func ringWait(_ ripple: Ripple, _ style: RippleStyle) -> Double {
        style.reducedMotion ? 0 : max(0, ringTime(style) + ringLag(style) - ripple.secondsHeld)
    }

    private static func materialWait(_ ripple: Ripple, _ style: RippleStyle) -> Double {
        max(0, 0.225 * style.duration - ripple.secondsHeld)
    }
}

extension Canvas {
    /// The mark as most styles have it: it rests while the finger does, and fades when it is lifted.
    fileprivate mutating func heldOrLifted(_ ripple: Ripple) {
        var opacity = style.startOpacity
        if !ripple.isHeld { opacity *= 1 - Easing.linear.progress(at: ripple.seconds / style.liftFade) }
        contact(ripple, radius: style.startRadius, opacity: opacity)
    }

    /// How far the contact may go and still be a tap: a ring around where it came down, broken once it went farther.
    fileprivate mutating func slop(_ contact: Contact, isLeft: Bool, share: Double) {
        let radius = conditions.touchSlop
        guard isLeft else { return ring(contact.start, radius: radius, width: 1, share: share) }
        for part in 0..<8 {
            arc(contact.start, radius: radius, start: Double(part) * 45, sweep: 22, width: 1, share: share)
        }
    }

    /// The contact's ellipse where the panel tells it, else a ring, else a pen's nib.
    fileprivate mutating func outline(of contact: Contact, radius: Double, share: Double) {
        if contact.kind == .stylus {
            return nib(
                contact.position, radius: radius, tilt: contact.tilt, dot: 1.5 + 4.5 * (contact.pressure ?? 0.3),
                width: 2.5, share: share)
        }
        guard let shape = contact.shape, shape.major > 0, shape.minor > 0, shape.major < 4096, shape.minor < 4096
        else { return ring(contact.position, radius: radius, width: 2.5, share: share) }
        // From the y axis, clockwise.
        let axis = Point.direction(degrees: 90 + (contact.orientation ?? 0))
        guard axis.isFinite else { return }
        var points: [Point] = []
        points.reserveCapacity(36)
        for step in 0..<36 {
            let direction = Point.direction(degrees: Double(step) * 10)
            let (along, across) = (direction.x * shape.major / 2, direction.y * shape.minor / 2)
            points.append(
                Point(
                    x: contact.position.x + axis.x * along - axis.y * across,
                    y: contact.position.y + axis.y * along + axis.x * across))
        }
        line(points, closed: true, width: 2.5, share: share)
    }
}
