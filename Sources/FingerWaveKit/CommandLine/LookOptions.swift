internal import Ripples

/// What touches look like. The same for every command that draws.
package struct LookOptions: OptionTable {
    package var color = "white"
    /// The whole wave's radius, logical px.
    package var radius = 75.0
    /// Seconds.
    package var duration = 1.0
    /// At the wave's beginning, 0 to 1.
    package var opacity = 0.6
    package var background = "202830"

    package init() {}

    package static let entries: [OptionEntry<LookOptions>] = [
        OptionEntry(
            "color", .color(opaque: true), "a name or RRGGBB", get: { $0.color }, put: { $0.color = $1 }),
        OptionEntry(
            "radius", .number("PX", 1...2000, "logical px from 1 to 2000"),
            "a wave's full radius in logical px, 1 to 2000", get: { $0.radius }, put: { $0.radius = $1 }),
        OptionEntry(
            "duration", .number("SECONDS", 0.05...60, "seconds from 0.05 to 60"), "how long a wave lasts, 0.05 to 60",
            get: { $0.duration }, put: { $0.duration = $1 }),
        OptionEntry(
            "opacity", .number("PART", 0.05...1, "a number from 0.05 to 1"), "at a wave's beginning, 0.05 to 1",
            get: { $0.opacity }, put: { $0.opacity = $1 }),
        OptionEntry(
            "background", .color(opaque: false), "behind the waves, RRGGBBAA to see through",
            get: { $0.background }, put: { $0.background = $1 }),
    ]
}

extension RippleStyle {
    /// The style that the options ask for.
    init(_ look: LookOptions) {
        self.init()
        // Brings the outline that is seen beside it.
        if let color = Color(look.color) { setColor(color) }
        endRadius = look.radius
        // A wave begins at a fifth of its radius.
        startRadius = look.radius / 5
        startOpacity = look.opacity
        duration = look.duration
    }
}
