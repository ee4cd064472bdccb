internal import Gestures

extension Canvas {
    /// A ripple, by its style, and what all styles show alike.
    mutating func draw(_ ripple: Ripple, _ definition: StyleDefinition) {
        setFinger(ripple.finger)
        let radius = definition.markRadius(style)
        var share = 1.0
        switch ripple.state {
        case .held:
            definition.draw(ripple, &self)
            hold(ripple, radius: radius, share: 1)
        case .tapped, .lifted:
            definition.draw(ripple, &self)
            share = 1 - Easing.linear.progress(at: ripple.time(style))
            if ripple.isPressed { hold(ripple, radius: radius, share: share) }
        case .cancelled:
            brokenRing(ripple, radius: max(radius, style.startRadius) + 3 * unit)
            share = 1 - Easing.linear.progress(at: ripple.seconds / style.cancelFade)
        }
        if style.colorByFinger { pips(ripple, radius: radius + 16 * unit, share: share) }
    }

    /// A pen over the surface: its nib, lightly, and the larger the farther it is away.
    mutating func draw(_ hover: Hover) {
        setFinger(nil)
        let distance = min(1, max(0, hover.distance ?? 0))
        nib(
            hover.position, radius: style.startRadius * (0.7 + 0.6 * distance), tilt: hover.tilt, dot: 1, width: 1,
            share: 0.7)
    }
}
