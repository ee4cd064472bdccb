/// What `fingerwave record` takes beside a window's options.
package struct RecordOptions: OptionTable {
    package enum Source: Equatable, Sendable {
        /// What this client is told, in a window of its own.
        case window
        /// The kernel's touchscreens.
        case libinput
        /// The JSON Lines of `fingerwave events`.
        case standardInput
        /// One touchscreen, by whatever names it.
        case device(String)
    }

    package var source = Source.window
    package var ring: RecordingRing?

    package init() {}

    package static let topic: HelpTopic? = .record

    package static let entries: [OptionEntry<RecordOptions>] = [
        OptionEntry(
            "source", .recordSource, "libinput, a touchscreen's path or name, or -", get: { $0.source },
            put: { $0.source = $1 }),
        OptionEntry(
            "ring", .optional(.ring, or: "off"), "keep the last stretch: 10m, 64MiB, ...", get: { $0.ring },
            put: { $0.ring = $1 }),
        OptionEntry("no-keys", .noKeys, "always so: no key press is recorded", get: { _ in true }, put: { _, _ in }),
    ]
}

extension OptionKind<RecordOptions.Source> {
    static var recordSource: OptionKind {
        OptionKind(
            .required("SOURCE"),
            read: { (option) throws(Failure) -> RecordOptions.Source in
                switch option.value {
                case "window": return .window
                case "libinput": return .libinput
                case "-": return .standardInput
                case "": throw .badValue(option, "window, libinput, - or a touchscreen's path or name")
                default: return .device(option.value)
                }
            },
            write: { source in
                switch source {
                case .window: "window"
                case .libinput: "libinput"
                case .standardInput: "-"
                case .device(let name): name
                }
            })
    }
}

extension OptionKind<Bool> {
    /// A flag that nobody can take back.
    static var noKeys: OptionKind {
        OptionKind(
            .flag,
            read: { (option) throws(Failure) -> Bool in
                guard try OptionKind.flag.read(option) else {
                    throw .usage("key presses are never recorded", remedy: "leave --\(option.name) as it is")
                }
                return true
            },
            write: { _ in "" })
    }
}
