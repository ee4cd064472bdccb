/// How the event log is written.
package enum LogFormat: Equatable, Sendable {
    /// Aligned text for people.
    case text
    /// JSON Lines; the schema is in the README.
    case json
}

/// What a command prints and when it ends.
package struct RunOptions: OptionTable {
    package var log: LogFormat?
    /// Whether the log has a line for each touch that was shown.
    package var logsPresented = false
    /// Seconds; nil: until closed.
    package var exitAfter: Double?
    package var isVerbose = false

    package init() {}

    package static let topic: HelpTopic? = .run

    package static let entries: [OptionEntry<RunOptions>] = [
        OptionEntry(
            "log", .word(.optional("json", meaning: "text"), [("text", .text), ("json", .json), ("off", nil)]),
            "print each event and gesture, as text or JSON Lines", get: { $0.log }, put: { $0.log = $1 }),
        OptionEntry(
            "log-presented", .flag, "with --log: when each touch was seen",
            get: { $0.logsPresented }, put: { $0.logsPresented = $1 }),
        OptionEntry(
            "exit-after",
            .optional(.number("SECONDS", 0...86_400_000, "seconds from 0 to 86400000, or never"), or: "never"),
            "end by itself", needsRestart: true, get: { $0.exitAfter }, put: { $0.exitAfter = $1 }),
        OptionEntry(
            "verbose", short: "v", .flag, "say what the compositor lacks and what that costs",
            get: { $0.isVerbose }, put: { $0.isVerbose = $1 }),
    ]
}
