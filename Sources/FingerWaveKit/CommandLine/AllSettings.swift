/// Every option that any command takes: what a configuration file may hold, and what `fingerwave config` prints.
package struct AllSettings: OptionGroup {
    package var window = WindowSettings()
    package var wrap = WrapOptions()

    package init() {}

    package static var specs: [OptionSpec] {
        let names = Set(WindowSettings.specs.map { $0.name })
        return WindowSettings.specs + WrapOptions.specs.filter { !names.contains($0.name) }
    }

    package mutating func set(_ option: ParsedOption) throws(Failure) -> Bool {
        // Where two commands take the same, both have it.
        let isWraps = try wrap.set(option)
        return try window.set(option) || isWraps
    }

    package func text(of name: String) -> String? { window.text(of: name) ?? wrap.text(of: name) }
}
