/// How a recording is played, by whatever plays it.
package struct PaceOptions: OptionTable {
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

    package init() {}

    package static let topic: HelpTopic? = .replay

    package static let entries: [OptionEntry<PaceOptions>] = [
        OptionEntry(
            "speed", .speed, "0.1 to 100 times as fast", needsRestart: true, get: { $0.speed },
            put: { $0.speed = $1 }),
        OptionEntry(
            "loop", .rounds, "so many times, or for ever", needsRestart: true, get: { $0.rounds },
            put: { $0.rounds = $1 }),
        OptionEntry(
            "longest-pause", .optional(.number("SECONDS", 0...3600, "seconds from 0 to 3600, or whole"), or: "whole"),
            "cut longer pauses to it", needsRestart: true, get: { $0.longestPause }, put: { $0.longestPause = $1 }),
    ]
}

extension PaceOptions {
    /// What a source of touches goes by, but for the greatest speed, which has no time.
    var pace: ReplaySource.Pace {
        var pace = ReplaySource.Pace()
        if case .times(let factor) = speed { pace.speed = factor }
        pace.rounds = rounds
        if let longestPause { pace.longestPause = Int64(longestPause * 1e9) }
        return pace
    }

    /// Throws when the file cannot be played so.
    func check(_ path: String) throws(Failure) {
        let file = RecordingFile(path: path)
        guard rounds != 1, file.exists, !file.canBeReadAgain else { return }
        let name = path == "-" ? "standard input" : path
        throw .usage("--loop needs a FILE", why: "\(name) cannot be read again")
    }
}

extension OptionKind<PaceOptions.Speed> {
    static var speed: OptionKind {
        let number = OptionKind<Double>.number("FACTOR", PlaybackClock.speeds, "a number from 0.1 to 100, or max")
        return OptionKind(
            number.syntax,
            read: { (option) throws(Failure) -> PaceOptions.Speed in
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
