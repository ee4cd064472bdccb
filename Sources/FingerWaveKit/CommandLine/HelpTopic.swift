/// A page of `fingerwave help`, at most 80 columns by 30 lines.
package enum HelpTopic: CaseIterable, Sendable {
    case look, gestures, window, app, overlay, run, events, record, replay, info, convert, render, config, ctl, keys
    case exit

    package var name: String {
        switch self {
        case .look: "look"
        case .gestures: "gestures"
        case .window: "window"
        case .app: "run"
        case .overlay: "overlay"
        case .run: "log"
        case .events: "events"
        case .record: "record"
        case .replay: "replay"
        case .info: "info"
        case .convert: "convert"
        case .render: "render"
        case .config: "config"
        case .ctl: "ctl"
        case .keys: "keys"
        case .exit: "exit"
        }
    }

    /// For the list of topics.
    package var summary: String {
        switch self {
        case .look: "colours, sizes and times of the waves"
        case .gestures: "what makes a tap, a press, a swipe"
        case .window: "size, full screen, output, compositor"
        case .app: "an app with waves above its windows, anywhere"
        case .overlay: "waves above everything (with a layer shell)"
        case .run: "the event log, and when the program ends"
        case .events: "touches of touchscreens, without a compositor"
        case .record: "touches into a file, as they come"
        case .replay: "a recording in a window, or printed"
        case .info: "outputs and touchscreens; what recordings hold"
        case .convert: "a recording in another format"
        case .render: "pictures and films of a recording"
        case .config: "configuration files and profiles"
        case .ctl: "telling a running fingerwave what to do"
        case .keys: "what keys do in the window"
        case .exit: "exit statuses"
        }
    }

    package var text: String {
        switch self {
        case .look: Help.page("What touches look like.", LookOptions.self) + Help.styles
        case .gestures: Help.page("What the recogniser calls a tap, a press, a swipe.", GestureOptions.self)
        case .window: Help.page("Where the window is and how large.", WindowOptions.self)
        case .app:
            "Usage: fingerwave run [OPTION]... -- APP [ARGUMENT]...\n"
                + Help.page("Run an app with waves above its windows, on any compositor.", WrapOptions.self)
                + "\nThe options of look, gestures and log are a window's without --background.\n"
                + "\nSignals and ctl quit are passed on to the app, not to what it has started. What\n"
                + "it leaves behind may connect within 5 s of its end, and goes on while it is\n"
                + "connected; after SIGTERM and ctl quit for 3 s.\n"
                + "The exit status is the app's, or 128 and the number of the signal that ended\n"
                + "it.\n"
        case .overlay:
            "Usage: fingerwave overlay [OPTION]...\n"
                + Help.page(
                    "Show touches above whatever runs, and take none of them.", OverlayOptions.self,
                    MappingOptions.self, SourceOptions.self, PaceOptions.self)
                + "\nThe options of look, gestures and log are a window's without --background.\n"
                + "The last three are for a FILE; it ends with its last wave.\n"
                + "It needs a compositor with a layer shell, and for libinput the right to read\n"
                + "/dev/input; fingerwave info says where each touchscreen's touches land.\n"
        case .run: Help.page("What is printed, and when the program ends.", RunOptions.self, ControlOptions.self)
        case .events: Help.events
        case .record: Help.record
        case .replay: Help.replay
        case .info: Help.info
        case .convert: Help.convert
        case .render: Help.render
        case .config: Help.configuration
        case .ctl: Help.control
        case .keys: "Keys in the window:\n\n" + Help.keys
        case .exit: Help.exitStatuses
        }
    }

    package static func named(_ name: String) throws(Failure) -> HelpTopic {
        for topic in allCases where topic.name == name { return topic }
        let near = nearest(to: name, among: allCases.map { $0.name })
        throw .usage(
            "no help on \(name)",
            remedy: near.map { "did you mean fingerwave help \($0)?" } ?? "fingerwave --help lists the topics")
    }
}
