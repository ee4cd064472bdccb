/// What is asked of any command instead of running it.
package struct StartOptions: OptionTable {
    package var wantsHelp = false
    package var wantsVersion = false

    package init() {}

    package static let topic: HelpTopic? = nil

    package static let entries: [OptionEntry<StartOptions>] = [
        OptionEntry(
            "help", short: "h", .flag, "an overview", get: { $0.wantsHelp }, put: { $0.wantsHelp = $1 }),
        OptionEntry(
            "version", short: "V", .flag, "the version and what this build has",
            get: { $0.wantsVersion }, put: { $0.wantsVersion = $1 }),
    ]
}

/// Which configuration applies. No configuration file can say it.
package struct FileOptions: OptionTable {
    /// The configuration file; nil: the default one, if there is one.
    package var config: String?
    package var noConfig = false
    /// The section of the configuration that applies; nil: as the file says.
    package var profile: String?

    package init() {}

    package static let topic: HelpTopic? = .config

    package static let entries: [OptionEntry<FileOptions>] = [
        OptionEntry(
            "config", .optional(.text("FILE"), or: ""), "read this file instead", get: { $0.config },
            put: { $0.config = $1 }),
        OptionEntry(
            "no-config", .flag, "read no file", get: { $0.noConfig }, put: { $0.noConfig = $1 }),
        OptionEntry(
            "profile", .optional(.text("NAME"), or: ""), "the section that applies", get: { $0.profile },
            put: { $0.profile = $1 }),
    ]

    /// What stands on command lines alone.
    static var commandLineSpecs: [OptionSpec] { FileOptions.specs + StartOptions.specs }
}
