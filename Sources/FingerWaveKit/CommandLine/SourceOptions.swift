internal import TouchDevices

/// Where touches come from that no compositor tells us of.
package struct SourceOptions: OptionTable {
    /// Where touches are read.
    package enum Source: Equatable, Sendable {
        /// The kernel's devices.
        case libinput
        /// JSON Lines on standard input.
        case standardInput
        /// A file of JSON Lines, as fast as it was recorded.
        case file(String)
    }

    package var source = Source.libinput
    package var seat = "seat0"
    /// Paths of nodes, or of links to nodes; when there are any, these alone are read.
    package var devices: [String] = []

    package init() {}

    package static let topic: HelpTopic? = .events

    package static let entries: [OptionEntry<SourceOptions>] = [
        OptionEntry(
            "source", .source, "libinput, - for JSON Lines, any FILE", needsRestart: true,
            get: { $0.source }, put: { $0.source = $1 }),
        OptionEntry(
            "seat", .text("NAME"), "libinput: all touchscreens of this seat", needsRestart: true, get: { $0.seat },
            put: { $0.seat = $1 }),
        OptionEntry(
            "device", .list("PATH"), "libinput: this one alone; again for more", needsRestart: true,
            get: { $0.devices }, put: { $0.devices = $1 }),
    ]

    var readerSource: TouchDeviceReader.Source { devices.isEmpty ? .seat(seat) : .devices(devices) }
}

extension OptionKind<SourceOptions.Source> {
    static var source: OptionKind {
        OptionKind(
            .required("SOURCE"),
            read: { (option) throws(Failure) -> SourceOptions.Source in
                switch option.value {
                case "libinput": return .libinput
                case "-": return .standardInput
                case "": throw .badValue(option, "libinput, - or a file's path")
                default: return .file(option.value)
                }
            },
            write: { source in
                switch source {
                case .libinput: "libinput"
                case .standardInput: "-"
                case .file(let path): path
                }
            })
    }
}
