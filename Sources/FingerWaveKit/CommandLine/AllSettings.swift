/// Every option that any command takes: what a configuration file may hold, and what `fingerwave config` prints.
package struct AllSettings: OptionGroup {
    package var window = WindowSettings()
    package var wrap = WrapOptions()
    package var events = EventsOptions()
    package var devices = DeviceOptions()

    package init() {}

    package static var specs: [OptionSpec] {
        let names = Set(WindowSettings.specs.map { $0.name })
        return WindowSettings.specs + WrapOptions.specs.filter { !names.contains($0.name) } + EventsOptions.specs
            + DeviceOptions.specs
    }

    package mutating func set(_ option: ParsedOption) throws(Failure) -> Bool {
        // Where two commands take the same, both have it.
        let isWraps = try wrap.set(option)
        if try window.set(option) || isWraps { return true }
        if try events.set(option) { return true }
        return try devices.set(option)
    }

    package func text(of name: String) -> String? {
        window.text(of: name) ?? wrap.text(of: name) ?? events.text(of: name) ?? devices.text(of: name)
    }
}
