/// What `fingerwave config` takes beside the options that it prints.
package struct ConfigOptions: OptionTable {
    package var json = false

    package init() {}

    package static let topic: HelpTopic? = .config

    package static let entries: [OptionEntry<ConfigOptions>] = [
        OptionEntry("json", .flag, "print JSON Lines", get: { $0.json }, put: { $0.json = $1 })
    ]
}
