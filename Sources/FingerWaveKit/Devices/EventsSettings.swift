/// What `fingerwave events` reads from.
package enum EventsSource: Equatable, Sendable {
    case libinput
}

/// What `fingerwave events` takes beside the touchscreens and the log.
package struct EventsOptions: OptionTable {
    package var source = EventsSource.libinput

    package init() {}

    package static let topic: HelpTopic? = .events

    package static let entries: [OptionEntry<EventsOptions>] = [
        OptionEntry(
            "source", .word(.required("SOURCE"), [("libinput", .libinput)]), "where touches come from",
            needsRestart: true, get: { $0.source }, put: { $0.source = $1 })
    ]
}

/// All that `fingerwave events` can be told.
package struct EventsSettings: OptionGroup {
    package var events = EventsOptions()
    package var devices = DeviceOptions()
    package var run = RunOptions()

    package init() {}

    package static var specs: [OptionSpec] { EventsOptions.specs + DeviceOptions.specs + RunOptions.specs }

    package mutating func set(_ option: ParsedOption) throws(Failure) -> Bool {
        if try events.set(option) { return true }
        if try devices.set(option) { return true }
        return try run.set(option)
    }

    package func text(of name: String) -> String? {
        events.text(of: name) ?? devices.text(of: name) ?? run.text(of: name)
    }
}
