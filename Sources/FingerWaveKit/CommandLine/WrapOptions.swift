/// How an app is run with waves above its windows.
package struct WrapOptions: OptionTable {
    /// Clicks make waves too.
    package var pointer = false
    /// The compositor's socket; nil: as the environment says.
    package var display: String?
    package var draw = true

    package init() {}

    package static let topic: HelpTopic? = .app

    package static let entries: [OptionEntry<WrapOptions>] = [
        OptionEntry(
            "pointer", .flag, "show the mouse's primary button too", needsRestart: true, get: { $0.pointer },
            put: { $0.pointer = $1 }),
        OptionEntry(
            "draw", .flag, "show nothing, only pass on: whose fault is it?",
            needsRestart: true, get: { $0.draw }, put: { $0.draw = $1 }),
        OptionEntry(
            "display", .optional(.text("SOCKET"), or: ""), "the compositor ($WAYLAND_DISPLAY)",
            needsRestart: true, get: { $0.display }, put: { $0.display = $1 }),
    ]
}

/// All that `fingerwave run` can be told.
package struct WrapSettings: RunningSettings {
    package var look = LookOptions()
    package var gestures = GestureOptions()
    package var wrap = WrapOptions()
    package var run = RunOptions()
    package var control = ControlOptions()

    package init() {}

    package static var specs: [OptionSpec] {
        // The app's picture is behind the waves.
        LookOptions.specs.without("background") + GestureOptions.specs + WrapOptions.specs + RunOptions.specs
            + ControlOptions.specs
    }

    package mutating func set(_ option: ParsedOption) throws(Failure) -> Bool {
        if try look.set(option) { return true }
        if try gestures.set(option) { return true }
        if try wrap.set(option) { return true }
        if try run.set(option) { return true }
        return try control.set(option)
    }

    package func text(of name: String) -> String? {
        look.text(of: name) ?? gestures.text(of: name) ?? wrap.text(of: name) ?? run.text(of: name)
            ?? control.text(of: name)
    }
}
