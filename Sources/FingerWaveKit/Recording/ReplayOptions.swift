/// What `fingerwave replay` takes beside a window's options.
package struct ReplayOptions: OptionTable {
    package enum Speed: Equatable, Sendable {
        case times(Double)
        /// As fast as it can be read.
        case most
    }

    package var speed = Speed.times(1)
    /// nil: for ever.
    package var rounds: Int? = 1
    /// Seconds; nil: as long as they were.
    package var longestPause: Double?
    package var window = true
    package var exitsAtEnd = false

    package init() {}

    package static let topic: HelpTopic? = .replay

    package static let entries: [OptionEntry<ReplayOptions>] = [
        OptionEntry(
            "speed", .speed, "0.1 to 100, or max with --no-window", get: { $0.speed }, put: { $0.speed = $1 }),
        OptionEntry(
            "loop", .rounds, "so many times, or for ever", get: { $0.rounds }, put: { $0.rounds = $1 }),
        OptionEntry(
            "longest-pause", .optional(.number("SECONDS", 0...3600, "seconds from 0 to 3600, or whole"), or: "whole"),
            "cut longer pauses to it", get: { $0.longestPause }, put: { $0.longestPause = $1 }),
        OptionEntry(
            "window", .flag, "print what the window's log would have", get: { $0.window }, put: { $0.window = $1 }),
        OptionEntry(
            "exit-at-end", .flag, "end with the last wave; else the window stays", get: { $0.exitsAtEnd },
            put: { $0.exitsAtEnd = $1 }),
    ]
}

extension OptionKind<ReplayOptions.Speed> {
    static var speed: OptionKind {
        let number = OptionKind<Double>.number("FACTOR", PlaybackClock.speeds, "a number from 0.1 to 100, or max")
        return OptionKind(
            number.syntax,
            read: { (option) throws(Failure) -> ReplayOptions.Speed in
                option.value == "max" ? .most : .times(try number.read(option))
            },
            write: { speed in
                switch speed {
                case .times(let factor): number.write(factor)
                case .most: "max"
                }
            })
    }
}

extension OptionKind<Int?> {
    static var rounds: OptionKind {
        OptionKind(
            .optional("TIMES", meaning: "forever"),
            read: { (option) throws(Failure) -> Int? in
                if option.value == "forever" { return nil }
                guard let times = Int(option.value), (1...1_000_000).contains(times) else {
                    throw .badValue(option, "a whole number from 1 to 1000000, or forever")
                }
                return times
            },
            write: { $0.map { String($0) } ?? "forever" })
    }
}
