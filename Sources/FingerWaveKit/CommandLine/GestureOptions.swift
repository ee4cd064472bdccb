internal import Gestures

/// What the recogniser calls a tap, a press, a swipe. The same for every command that recognises.
package struct GestureOptions: OptionTable {
    package var touchSlop = Length.mm(3)
    /// nil: twice the touch slop.
    package var multiFingerSlop: Length?
    // Times in ns.
    package var tapTimeout = defaults.tapTimeout
    package var doubleTapTimeout = defaults.doubleTapTimeout
    package var doubleTapSlop = Length.px(defaults.doubleTapSlop)
    package var waitsForDoubleTap = defaults.waitsForDoubleTap
    package var contactBounce = defaults.contactBounce
    package var longPressTimeout = defaults.longPressTimeout
    package var joinTimeout = defaults.joinTimeout
    package var joinDistance = Length.px(defaults.joinDistance)
    /// Logical px/s.
    package var minimumFling = defaults.minimumFlingVelocity
    package var maximumFling = defaults.maximumFlingVelocity
    package var velocityWindow = defaults.velocityWindow
    /// Degrees.
    package var swipeAngle = defaults.swipeAngle
    package var edgeWidth = Length.px(defaults.edgeWidth)

    private static let defaults = GestureConfiguration()

    package init() {}

    package static let topic: HelpTopic? = .gestures

    package static let entries: [OptionEntry<GestureOptions>] = [
        OptionEntry(
            "touch-slop", .length(1...600), "how far a tap may move, in px or mm",
            get: { $0.touchSlop }, put: { $0.touchSlop = $1 }),
        OptionEntry(
            "multi-finger-slop", .optional(.length(1...1200), or: "auto"), "the same for several fingers (2 slops)",
            get: { $0.multiFingerSlop }, put: { $0.multiFingerSlop = $1 }),
        OptionEntry(
            "tap-timeout", .milliseconds(20...10_000), "what takes as long is no tap",
            get: { $0.tapTimeout }, put: { $0.tapTimeout = $1 }),
        OptionEntry(
            "double-tap-timeout", .milliseconds(0...5_000), "longest pause within a double tap",
            get: { $0.doubleTapTimeout }, put: { $0.doubleTapTimeout = $1 }),
        OptionEntry(
            "double-tap-slop", .length(0...2000), "how far apart its two taps may be",
            get: { $0.doubleTapSlop }, put: { $0.doubleTapSlop = $1 }),
        OptionEntry(
            "wait-double-tap", .flag, "say a tap only when no second one came",
            get: { $0.waitsForDoubleTap }, put: { $0.waitsForDoubleTap = $1 }),
        OptionEntry(
            "contact-bounce", .milliseconds(0...500), "a contact lost for so short is one tap",
            get: { $0.contactBounce }, put: { $0.contactBounce = $1 }),
        OptionEntry(
            "long-press-timeout", .milliseconds(50...60_000), "still for so long is a long press",
            get: { $0.longPressTimeout }, put: { $0.longPressTimeout = $1 }),
        OptionEntry(
            "join-timeout", .milliseconds(0...5_000), "fingers within it tap together",
            get: { $0.joinTimeout }, put: { $0.joinTimeout = $1 }),
        OptionEntry(
            "join-distance", .length(0...10_000), "fingers farther apart are two hands",
            get: { $0.joinDistance }, put: { $0.joinDistance = $1 }),
        OptionEntry(
            "min-fling", .number("PX/S", 0...100_000, "logical px/s from 0 to 100000"), "what is slower is no swipe",
            get: { $0.minimumFling }, put: { $0.minimumFling = $1 }),
        OptionEntry(
            "max-fling", .number("PX/S", 1...1_000_000, "logical px/s from 1 to 1000000"),
            "no velocity is said larger", get: { $0.maximumFling }, put: { $0.maximumFling = $1 }),
        OptionEntry(
            "velocity-window", .milliseconds(10...1_000), "how far back a velocity looks",
            get: { $0.velocityWindow }, put: { $0.velocityWindow = $1 }),
        OptionEntry(
            "swipe-angle", .number("DEGREES", 0...45, "degrees from 0 to 45"), "how far off its axis a swipe may be",
            get: { $0.swipeAngle }, put: { $0.swipeAngle = $1 }),
        OptionEntry(
            "edge-width", .length(0...1000), "an edge swipe begins within it",
            get: { $0.edgeWidth }, put: { $0.edgeWidth = $1 }),
    ]

    /// The recogniser's numbers on an output of this density; nil where none tells its size.
    func configuration(pixelsPerMillimetre density: Double?) -> GestureConfiguration {
        var configuration = GestureConfiguration()
        configuration.touchSlop = touchSlop.pixels(pixelsPerMillimetre: density)
        configuration.multiFingerSlop =
            multiFingerSlop?.pixels(pixelsPerMillimetre: density) ?? 2 * configuration.touchSlop
        configuration.tapTimeout = tapTimeout
        configuration.doubleTapTimeout = doubleTapTimeout
        configuration.doubleTapSlop = doubleTapSlop.pixels(pixelsPerMillimetre: density)
        configuration.waitsForDoubleTap = waitsForDoubleTap
        configuration.contactBounce = contactBounce
        configuration.longPressTimeout = longPressTimeout
        configuration.joinTimeout = joinTimeout
        configuration.joinDistance = joinDistance.pixels(pixelsPerMillimetre: density)
        configuration.minimumFlingVelocity = minimumFling
        configuration.maximumFlingVelocity = maximumFling
        configuration.velocityWindow = velocityWindow
        configuration.swipeAngle = swipeAngle
        configuration.edgeWidth = edgeWidth.pixels(pixelsPerMillimetre: density)
        return configuration
    }
}
