/// Where `fingerwave overlay` shows touches, and for how long.
package struct OverlayOptions: OptionTable {
    /// The output that is drawn on; nil: all.
    package var output: String?
    package var keepsMapped = false
    package var reconnects = true
    /// The compositor's socket; nil: as the environment says.
    package var display: String?

    package init() {}

    package static let topic: HelpTopic? = .overlay

    package static let entries: [OptionEntry<OverlayOptions>] = [
        OptionEntry(
            "output", .optional(.text("NAME"), or: ""), "draw on this output alone", needsRestart: true,
            get: { $0.output }, put: { $0.output = $1 }),
        OptionEntry(
            "keep-mapped", .flag, "stay on the screen when nothing is shown",
            get: { $0.keepsMapped }, put: { $0.keepsMapped = $1 }),
        OptionEntry(
            "reconnect", .flag, "end when the compositor does", get: { $0.reconnects }, put: { $0.reconnects = $1 }),
        OptionEntry(
            "display", .optional(.text("SOCKET"), or: ""), "the compositor ($WAYLAND_DISPLAY)", needsRestart: true,
            get: { $0.display }, put: { $0.display = $1 }),
    ]
}

/// All that `fingerwave overlay` can be told.
package struct OverlaySettings: RunningSettings {
    package var look = LookOptions()
    package var gestures = GestureOptions()
    package var overlay = OverlayOptions()
    package var sources = SourceOptions()
    package var pace = PaceOptions()
    package var mapping = MappingOptions()
    package var run = RunOptions()
    package var control = ControlOptions()

    package init() {}

    package static var specs: [OptionSpec] {
        LookOptions.specs.without("background") + GestureOptions.specs + SourceOptions.specs + PaceOptions.specs
            + MappingOptions.specs + OverlayOptions.specs + RunOptions.specs + ControlOptions.specs
    }

    package mutating func set(_ option: ParsedOption) throws(Failure) -> Bool {
        if try look.set(option) { return true }
        if try gestures.set(option) { return true }
        if try overlay.set(option) { return true }
        if try sources.set(option) { return true }
        if try pace.set(option) { return true }
        if try mapping.set(option) { return true }
        if try run.set(option) { return true }
        return try control.set(option)
    }

    package func text(of name: String) -> String? {
        look.text(of: name) ?? gestures.text(of: name) ?? overlay.text(of: name) ?? sources.text(of: name)
            ?? pace.text(of: name) ?? mapping.text(of: name) ?? run.text(of: name) ?? control.text(of: name)
    }
}
