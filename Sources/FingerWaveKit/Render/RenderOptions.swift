internal import Recording

/// What `fingerwave render` makes, and of what.
package struct RenderOptions: OptionTable {
    /// What OUT is to be.
    package enum Kind: Equatable, Sendable, CaseIterable {
        // PNG.
        case moment, sheet, heatMap, plot, velocity, interval
        // Moving pictures.
        case webp, y4m, raw

        package var name: String {
            switch self {
            case .moment: "moment"
            case .sheet: "sheet"
            case .heatMap: "heat-map"
            case .plot: "plot"
            case .velocity: "velocity"
            case .interval: "interval"
            case .webp: "webp"
            case .y4m: "y4m"
            case .raw: "raw"
            }
        }

        package var isFilm: Bool { self == .webp || self == .y4m || self == .raw }

        /// Pictures with axes have a size of their own.
        var isPlot: Bool { self == .plot || self == .velocity || self == .interval }

        /// Touches are seen in it as a window shows them.
        private var showsTouches: Bool { self == .moment || self == .sheet || isFilm }

        /// Of the file.
        package enum Format: String, Sendable {
            case png = "PNG"
            case webp = "WebP"
            case y4m, raw
        }

        package var format: Format {
            switch self {
            case .moment, .sheet, .heatMap, .plot, .velocity, .interval: .png
            case .webp: .webp
            case .y4m: .y4m
            case .raw: .raw
            }
        }

        /// Whether the option of this name has a say in it.
        package func takes(_ name: String) -> Bool {
            switch name {
            case "at": self == .moment
            case "tiles": self == .sheet
            case "fps": isFilm
            case "background-image": !isPlot
            case "background": true
            case "velocity-window": showsTouches || self == .velocity
            default: showsTouches || RenderOptions.specs.contains { $0.name == name }
            }
        }

        /// What a file of this name is by habit.
        package static func of(path: String) -> Kind? {
            if path == "-" { return .y4m }
            switch path.split(separator: ".").last?.lowercased() {
            case "png": return .moment
            case "webp": return .webp
            case "y4m": return .y4m
            case "raw", "bgra": return .raw
            default: return nil
            }
        }

        /// A film's by habit, but none that is written here, whatever it is called.
        static func isForEncoders(path: String) -> Bool {
            ["mp4", "gif", "webm", "mkv"].contains(path.split(separator: ".").last?.lowercased())
        }
    }

    package struct Tiles: Equatable, Sendable {
        package var columns: Int
        package var rows: Int
    }

    /// Nil: as the name of the file says.
    package var kind: Kind?
    package var out: String?
    // Times in ns since the recording's first stamp.
    package var at: Int64?
    package var from: Int64?
    package var to: Int64?
    package var tiles = Tiles(columns: 4, rows: 3)
    /// Logical px of what was touched; nil: as the recording tells.
    package var size: WindowOptions.Size?
    /// The output or panel; nil: the one with the most contacts.
    package var on: String?
    /// Pixels for one logical px.
    package var scale = 1.0
    /// Nil: 60, or 25 for WebP.
    package var framesPerSecond: Double?
    package var backgroundImage: String?

    package init() {}

    package static let topic: HelpTopic? = .render

    package static let entries: [OptionEntry<RenderOptions>] = [
        OptionEntry(
            "out", short: "o", .optional(.text("OUT"), or: ""), "the file to write; - is standard output",
            get: { $0.out }, put: { $0.out = $1 }),
        OptionEntry(
            "as", .optional(.word(.required("KIND"), Kind.allCases.map { ($0.name, $0) }), or: "auto"),
            "what OUT is, if not what its ending says", get: { $0.kind }, put: { $0.kind = $1 }),
        OptionEntry(
            "at", .optional(.moment, or: "auto"), "moment: this one, not the busiest", get: { $0.at },
            put: { $0.at = $1 }),
        OptionEntry(
            "from", .optional(.moment, or: "auto"), "leave out what is before: 1.5, 800ms, 1:02.5",
            get: { $0.from }, put: { $0.from = $1 }),
        OptionEntry(
            "to", .optional(.moment, or: "auto"), "and what is after", get: { $0.to }, put: { $0.to = $1 }),
        OptionEntry("tiles", .tiles, "sheet: columns and rows", get: { $0.tiles }, put: { $0.tiles = $1 }),
        OptionEntry(
            "size", .optional(.touchedSize, or: "auto"), "of what was touched, px or 95x57mm (all of it)",
            get: { $0.size }, put: { $0.size = $1 }),
        OptionEntry(
            "scale", .number("N", 0.05...8, "a number from 0.05 to 8"), "pixels for one logical px",
            get: { $0.scale }, put: { $0.scale = $1 }),
        OptionEntry(
            "on", .optional(.text("NAME"), or: ""), "of several outputs or panels, this one", get: { $0.on },
            put: { $0.on = $1 }),
        OptionEntry(
            "fps", .optional(.number("N", 1...240, "frames a second, from 1 to 240"), or: "auto"),
            "frames a second (60, webp 25)", get: { $0.framesPerSecond }, put: { $0.framesPerSecond = $1 }),
        OptionEntry(
            "background-image", .optional(.text("PNG"), or: ""), "behind the touches, cut to cover",
            get: { $0.backgroundImage }, put: { $0.backgroundImage = $1 }),
    ]
}

extension OptionKind<RenderOptions.Tiles> {
    static var tiles: OptionKind {
        OptionKind(
            .required("CxR"),
            read: { (option) throws(Failure) -> RenderOptions.Tiles in
                guard let size = NumberText.size(option.value), size.width <= 100, size.height <= 100 else {
                    throw .badValue(option, "COLUMNSxROWS, each from 1 to 100")
                }
                return RenderOptions.Tiles(columns: Int(size.width), rows: Int(size.height))
            },
            write: { "\($0.columns)x\($0.rows)" })
    }
}

extension OptionKind<Int64> {
    /// A place in a recording, kept as nanoseconds: `1.5`, `1.5s`, `800ms` or `1:02.5`.
    static var moment: OptionKind {
        OptionKind(
            .required("TIME"),
            read: { (option) throws(Failure) -> Int64 in
                guard let seconds = seconds(option.value), (0...1e9).contains(seconds) else {
                    throw .badValue(option, "a time in the recording, such as 1.5, 800ms or 1:02.5")
                }
                return Int64((seconds * 1e9).rounded())
            },
            write: { (decimalText(Double($0) / 1e9) ?? "0") + "s" })
    }

    private static func seconds(_ text: String) -> Double? {
        if text.utf8.suffix(2).elementsEqual("ms".utf8) {
            return NumberText.double(String(text.dropLast(2))).map { $0 / 1000 }
        }
        let plain = text.utf8.last == UInt8(ascii: "s") ? String(text.dropLast()) : text
        var sum = 0.0
        for part in plain.split(separator: ":", omittingEmptySubsequences: false) {
            guard let number = NumberText.double(String(part)), number >= 0 else { return nil }
            sum = sum * 60 + number
        }
        return sum
    }
}

/// All that `fingerwave render` can be told. No configuration file has a say: the same command makes the same bytes.
package struct RenderSettings: OptionGroup {
    package var render = RenderOptions()
    package var look = LookOptions()
    package var gestures = GestureOptions()
    /// The options that say something: what stands for nothing says none.
    package private(set) var given: [String] = []

    package init() {}

    package static var specs: [OptionSpec] { RenderOptions.specs + LookOptions.specs + GestureOptions.specs }

    package mutating func set(_ option: ParsedOption) throws(Failure) -> Bool {
        guard try take(option) else { return false }
        given.removeAll { $0 == option.name }
        let nothing = ["", "auto", "no"]
        let text = text(of: option.name)
        if text != RenderSettings().text(of: option.name) || !nothing.contains(text ?? "") { given.append(option.name) }
        return true
    }

    private mutating func take(_ option: ParsedOption) throws(Failure) -> Bool {
        if try render.set(option) { return true }
        if try look.set(option) { return true }
        return try gestures.set(option)
    }

    package func text(of name: String) -> String? {
        render.text(of: name) ?? look.text(of: name) ?? gestures.text(of: name)
    }
}
