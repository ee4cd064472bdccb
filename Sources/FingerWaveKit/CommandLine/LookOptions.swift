package import Ripples

/// What touches look like. The same for every command that draws.
package struct LookOptions: OptionTable {
    package var style = RippleStyle.Kind.wave
    /// A colour, or `finger` for each finger's own.
    package var color = "white"
    /// The whole wave's.
    package var radius: Length = 75
    /// Seconds.
    package var duration = 1.0
    /// At the wave's beginning, 0 to 1.
    package var opacity = 0.6
    package var background = "202830"
    package var highContrast = false
    package var reducedMotion = false

    package init() {}

    package static let topic: HelpTopic? = .look

    package static let entries: [OptionEntry<LookOptions>] = [
        OptionEntry(
            "style", .word(.required("NAME"), RippleStyle.Kind.allCases.map { ($0.name, $0) }),
            "what is drawn: wave, rings, trail, ...", get: { $0.style }, put: { $0.style = $1 }),
        OptionEntry(
            "color", .fingerColor, "a name or RRGGBB; finger: each its own",
            get: { $0.color }, put: { $0.color = $1 }),
        OptionEntry(
            "radius", .length(1...2000),
            "a wave's full radius, such as 75 or 12mm", get: { $0.radius }, put: { $0.radius = $1 }),
        OptionEntry(
            "duration", .number("SECONDS", 0.05...60, "seconds from 0.05 to 60"), "how long a wave lasts, 0.05 to 60",
            get: { $0.duration }, put: { $0.duration = $1 }),
        OptionEntry(
            "opacity", .number("PART", 0.05...1, "a number from 0.05 to 1"), "at a wave's beginning, 0.05 to 1",
            get: { $0.opacity }, put: { $0.opacity = $1 }),
        OptionEntry(
            "background", .color(opaque: false), "behind the waves, RRGGBBAA to see through",
            get: { $0.background }, put: { $0.background = $1 }),
        OptionEntry(
            "high-contrast", .flag, "opaque, black and white, with a double outline",
            get: { $0.highContrast }, put: { $0.highContrast = $1 }),
        OptionEntry(
            "reduced-motion", .flag, "nothing grows or slides: marks fade only",
            get: { $0.reducedMotion }, put: { $0.reducedMotion = $1 }),
    ]
}

extension OptionKind<String> {
    /// An opaque colour's text, or `finger`.
    static var fingerColor: OptionKind {
        let color = OptionKind.color(opaque: true)
        return OptionKind(
            color.syntax,
            read: { (option) throws(Failure) -> String in
                option.value == "finger" ? option.value : try color.read(option)
            },
            write: color.write)
    }
}

extension RippleStyle {
    /// The style that the options ask for, where so many logical px are a millimetre; nil for unknown.
    init(_ look: LookOptions, pixelsPerMillimetre: Double? = nil) {
        self.init()
        kind = look.style
        colorByFinger = look.color == "finger"
        // Brings the outline that is seen beside it.
        if let color = Color(look.color) { setColor(color) }
        endRadius = look.radius.pixels(pixelsPerMillimetre: pixelsPerMillimetre)
        // A wave begins at a fifth of its radius.
        startRadius = endRadius / 5
        startOpacity = look.opacity
        duration = look.duration
        highContrast = look.highContrast
        reducedMotion = look.reducedMotion
    }
}
