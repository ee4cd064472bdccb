/// Whether and by which name the program can be told things while it runs.
package struct ControlOptions: OptionTable {
    /// nil: the command's name, with a number where others run.
    package var name: String?
    package var isOn = true

    package init() {}

    package static let topic: HelpTopic? = .run

    package static let entries: [OptionEntry<ControlOptions>] = [
        OptionEntry(
            "name", .optional(.instanceName, or: ""), "what ctl finds it by (window, window-2, ...)",
            needsRestart: true, get: { $0.name }, put: { $0.name = $1 }),
        OptionEntry(
            "control", .flag, "cannot be told anything by fingerwave ctl", needsRestart: true, get: { $0.isOn },
            put: { $0.isOn = $1 }),
    ]
}
