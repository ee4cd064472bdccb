/// All that `fingerwave events` can be told.
package struct EventsSettings: OptionGroup {
    package var sources = SourceOptions()
    package var pace = PaceOptions()
    package var run = RunOptions()

    package init() {}

    package static var specs: [OptionSpec] {
        SourceOptions.specs + PaceOptions.specs + RunOptions.specs.without("log-presented")
    }

    package mutating func set(_ option: ParsedOption) throws(Failure) -> Bool {
        if try sources.set(option) { return true }
        if try pace.set(option) { return true }
        return try run.set(option)
    }

    package func text(of name: String) -> String? {
        sources.text(of: name) ?? pace.text(of: name) ?? run.text(of: name)
    }
}
