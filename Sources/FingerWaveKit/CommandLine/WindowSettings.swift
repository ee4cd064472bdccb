/// All that `fingerwave window` can be told.
package struct WindowSettings: RunningSettings {
    package var look = LookOptions()
    package var gestures = GestureOptions()
    package var window = WindowOptions()
    package var run = RunOptions()
    package var control = ControlOptions()

    package init() {}

    package static var specs: [OptionSpec] {
        LookOptions.specs + GestureOptions.specs + WindowOptions.specs + RunOptions.specs + ControlOptions.specs
    }

    package mutating func set(_ option: ParsedOption) throws(Failure) -> Bool {
        if try look.set(option) { return true }
        if try gestures.set(option) { return true }
        if try window.set(option) { return true }
        if try run.set(option) { return true }
        return try control.set(option)
    }

    package func text(of name: String) -> String? {
        look.text(of: name) ?? gestures.text(of: name) ?? window.text(of: name) ?? run.text(of: name)
            ?? control.text(of: name)
    }
}
