internal import Ripples

/// How the event log is written.
package enum LogFormat: Equatable, Sendable {
    /// Aligned text for people.
    case text
    /// JSON Lines; the schema is in the README.
    case json
}

/// What `fingerwave window` was asked to do.
package struct WindowOptions: Equatable, Sendable {
    package var color = "white"
    /// The whole wave's radius, logical px.
    package var radius = 75.0
    /// Seconds.
    package var duration = 1.0
    /// At the wave's beginning, 0 to 1.
    package var opacity = 0.6
    package var background = "202830"
    package var isFullscreen = false
    /// Logical px; nil: the compositor's wish, else 640x480.
    package var width: Int32?
    package var height: Int32?
    /// The output to be full screen on.
    package var output: String?
    /// The compositor's socket; nil: as the environment says.
    package var display: String?
    package var log: LogFormat?
    /// Seconds; nil: until closed.
    package var exitAfter: Double?
    package var isVerbose = false

    package init() {}

    static let groups: [(title: StaticString, specs: [OptionSpec])] = [
        (
            "Waves",
            [
                OptionSpec("color", .required("COLOR"), "a name or RRGGBB (white)"),
                OptionSpec("radius", .required("PX"), "a wave's full radius in logical px, 1 to 2000 (75)"),
                OptionSpec("duration", .required("SECONDS"), "how long a wave lasts, 0.05 to 60 (1)"),
                OptionSpec("opacity", .required("PART"), "at a wave's beginning, 0.05 to 1 (0.6)"),
                OptionSpec("background", .required("COLOR"), "behind the waves, RRGGBBAA to see through (202830)"),
            ]
        ),
        (
            "Window",
            [
                OptionSpec("fullscreen", .none, "cover a whole output"),
                OptionSpec("size", .required("WxH"), "logical px, unless the compositor chooses (640x480)"),
                OptionSpec("output", .required("NAME"), "the output to cover, as wayland-info names it"),
                OptionSpec("display", .required("SOCKET"), "the compositor ($WAYLAND_DISPLAY)"),
            ]
        ),
        (
            "Run",
            [
                OptionSpec("log", .optional("json"), "print each event and gesture, as text or JSON Lines"),
                OptionSpec("exit-after", .required("SECONDS"), "end by itself"),
                OptionSpec("verbose", short: "v", .none, "say what the compositor lacks and what that costs"),
                OptionSpec("help", short: "h", .none, "this text"),
                OptionSpec("version", short: "V", .none, "the version and what this build has"),
            ]
        ),
    ]

    static var specs: [OptionSpec] { groups.flatMap { $0.specs } }

    /// Throws a usage failure that names the option and what it takes.
    package init(_ parsed: [ParsedOption]) throws(Failure) {
        for option in parsed {
            let value = option.value ?? ""
            switch option.name {
            case "color":
                guard let color = Color(value), color.alpha == 255 else {
                    throw .badValue(option, "a name or RRGGBB; --opacity makes it transparent")
                }
                self.color = value
            case "background":
                guard Color(value) != nil else { throw .badValue(option, "a name, RRGGBB or RRGGBBAA") }
                background = value
            case "radius": radius = try number(option, 1...2000, "logical px from 1 to 2000")
            case "duration": duration = try number(option, 0.05...60, "seconds from 0.05 to 60")
            case "opacity": opacity = try number(option, 0.05...1, "a number from 0.05 to 1")
            case "exit-after": exitAfter = try number(option, 0...86_400_000, "seconds, 0 or more")
            case "fullscreen": isFullscreen = true
            case "size":
                guard let size = NumberText.size(value) else {
                    throw .badValue(option, "WIDTHxHEIGHT, each from 1 to 16384")
                }
                (width, height) = (size.width, size.height)
            case "output":
                output = value
                isFullscreen = true
            case "display": display = value
            case "log":
                switch option.value {
                case nil, "text": log = .text
                case "json": log = .json
                default: throw .badValue(option, "text or json")
                }
            case "verbose": isVerbose = true
            default: break
            }
        }
    }
}

private func number(
    _ option: ParsedOption, _ range: ClosedRange<Double>, _ takes: String
) throws(Failure) -> Double {
    guard let value = NumberText.double(option.value ?? ""), range.contains(value) else {
        throw .badValue(option, takes)
    }
    return value
}

extension Failure {
    static func badValue(_ option: ParsedOption, _ takes: String) -> Failure {
        .usage("--\(option.name) cannot be \"\(option.value ?? "")\"", why: "it takes \(takes)")
    }
}
