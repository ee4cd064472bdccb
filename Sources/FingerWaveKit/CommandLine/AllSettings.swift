/// Every option that any command takes: what a configuration file may hold, and what `fingerwave config` prints.
package struct AllSettings: OptionGroup {
    package var window = WindowSettings()
    package var wrap = WrapOptions()
    package var overlay = OverlayOptions()
    package var sources = SourceOptions()
    package var pace = PaceOptions()
    package var mapping = MappingOptions()

    package init() {}

    package static var specs: [OptionSpec] {
        var specs = WindowSettings.specs
        // What belongs to one topic stands together.
        for spec in WrapOptions.specs + OverlayOptions.specs + MappingOptions.specs + SourceOptions.specs
            + PaceOptions.specs
        where !specs.contains(where: { $0.name == spec.name }) {
            specs.append(spec)
        }
        return specs
    }

    package mutating func set(_ option: ParsedOption) throws(Failure) -> Bool {
        // Where several commands take the same, all have it.
        let isWraps = try wrap.set(option)
        let isOverlays = try overlay.set(option)
        if try window.set(option) || isWraps || isOverlays { return true }
        if try sources.set(option) { return true }
        if try pace.set(option) { return true }
        return try mapping.set(option)
    }

    package func text(of name: String) -> String? {
        window.text(of: name) ?? wrap.text(of: name) ?? overlay.text(of: name) ?? sources.text(of: name)
            ?? pace.text(of: name) ?? mapping.text(of: name)
    }
}
