/// How much a recording keeps: its last stretch, in two files that take turns.
package enum RecordingRing: Equatable, Sendable {
    /// Of both files together.
    case bytes(Int64)
    /// ns.
    case time(Int64)

    /// A file has to hold what it begins with, and something more.
    package static let leastBytes: Int64 = 1 << 16

    private static let units: [(name: String, factor: Int64, isTime: Bool)] = [
        ("s", 1_000_000_000, true), ("m", 60_000_000_000, true), ("h", 3_600_000_000_000, true),
        ("d", 86_400_000_000_000, true), ("kB", 1000, false), ("MB", 1_000_000, false), ("GB", 1_000_000_000, false),
        ("KiB", 1 << 10, false), ("MiB", 1 << 20, false), ("GiB", 1 << 30, false),
    ]

    /// `10m`, `90s`, `2h`, `1d`, or `64MiB`, `500kB`, `2GB`; nil for anything else, and for less than 2 s or
    /// ``leastBytes``, or more than a year or a TiB.
    package init?(_ text: String) {
        let digits = text.utf8.prefix { (0x30...0x39).contains($0) }
        guard let number = Int64(String(Substring(digits))), number > 0, number < 1_000_000_000 else { return nil }
        let name = String(text.dropFirst(digits.count))
        guard let unit = RecordingRing.units.first(where: { $0.name == name }) else { return nil }
        let (value, isTooLarge) = number.multipliedReportingOverflow(by: unit.factor)
        guard !isTooLarge else { return nil }
        if unit.isTime {
            guard (2_000_000_000...31_536_000_000_000_000).contains(value) else { return nil }
            self = .time(value)
        } else {
            guard (RecordingRing.leastBytes...(1 << 40)).contains(value) else { return nil }
            self = .bytes(value)
        }
    }

    /// In the largest unit that is whole, as it is read again.
    package var text: String {
        let (value, isTime): (Int64, Bool) =
            switch self {
            case .bytes(let bytes): (bytes, false)
            case .time(let time): (time, true)
            }
        let fitting = RecordingRing.units.filter { $0.isTime == isTime && value % $0.factor == 0 }
        guard let unit = fitting.max(by: { $0.factor < $1.factor }) else { return isTime ? "\(value)ns" : "\(value)B" }
        return "\(value / unit.factor)\(unit.name)"
    }
}

extension OptionKind<RecordingRing> {
    static var ring: OptionKind {
        OptionKind(
            .required("BOUND"),
            read: { (option) throws(Failure) -> RecordingRing in
                guard let ring = RecordingRing(option.value) else {
                    throw .badValue(
                        option,
                        "a time (s, m, h, d) from 2s, such as 10m, or a size (kB, MB, GB, KiB, MiB, GiB) from 64KiB")
                }
                return ring
            },
            write: { $0.text })
    }
}
