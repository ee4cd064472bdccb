/// What `fingerwave replay` takes beside a window's options and the recording's pace.
package struct ReplayOptions: OptionTable {
    package var window = true
    package var exitsAtEnd = false

    package init() {}

    package static let topic: HelpTopic? = .replay

    package static let entries: [OptionEntry<ReplayOptions>] = [
        OptionEntry(
            "window", .flag, "print what the window's log would have", get: { $0.window },
            put: { $0.window = $1 }),
        OptionEntry(
            "exit-at-end", .flag, "end with the last wave; else the window stays", get: { $0.exitsAtEnd },
            put: { $0.exitsAtEnd = $1 }),
    ]
}
