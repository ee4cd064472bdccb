internal import Recording
internal import Ripples

/// How values of one kind are read from an option's text and written so that they can be read again.
package struct OptionKind<Value>: Sendable {
    package var syntax: OptionSpec.Value
    /// Throws a usage failure that names the option and what it takes.
    package var read: @Sendable (ParsedOption) throws(Failure) -> Value
    package var write: @Sendable (Value) -> String

    package init(
        _ syntax: OptionSpec.Value, read: @escaping @Sendable (ParsedOption) throws(Failure) -> Value,
        write: @escaping @Sendable (Value) -> String
    ) {
        self.syntax = syntax
        self.read = read
        self.write = write
    }

    /// A kind whose values may be missing, which is written as `word`.
    package static func optional<Wrapped: Sendable>(_ kind: OptionKind<Wrapped>, or word: String) -> OptionKind
    where Value == Wrapped? {
        OptionKind(
            kind.syntax,
            read: { (option) throws(Failure) -> Wrapped? in option.value == word ? nil : try kind.read(option) },
            write: { $0.map(kind.write) ?? word })
    }
}

extension OptionKind<Double> {
    /// - Parameter takes: for the failure, such as `logical px from 1 to 2000`.
    package static func number(_ name: String, _ range: ClosedRange<Double>, _ takes: String) -> OptionKind {
        OptionKind(
            .required(name),
            read: { (option) throws(Failure) -> Double in
                guard let number = NumberText.double(option.value), range.contains(number) else {
                    throw .badValue(option, takes)
                }
                return number
            },
            write: { decimalText($0) ?? "0" })
    }
}

extension OptionKind<Int64> {
    /// Whole milliseconds, kept as nanoseconds: `300`, `300ms` or `0.3s`.
    package static func milliseconds(_ range: ClosedRange<Int64>) -> OptionKind {
        OptionKind(
            .required("MS"),
            read: { (option) throws(Failure) -> Int64 in
                guard let number = milliseconds(option.value), range.contains(number) else {
                    throw .badValue(
                        option,
                        "milliseconds from \(range.lowerBound) to \(range.upperBound), such as 300, 300ms or 0.3s")
                }
                return number * 1_000_000
            },
            write: { String($0 / 1_000_000) })
    }

    /// nil when it is no time, or no whole number of milliseconds.
    private static func milliseconds(_ text: String) -> Int64? {
        if text.utf8.suffix(2).elementsEqual("ms".utf8) { return Int64(text.dropLast(2)) }
        guard text.utf8.last == UInt8(ascii: "s") else { return Int64(text) }
        guard let seconds = NumberText.double(String(text.dropLast())), seconds.magnitude < 1e9 else { return nil }
        let rounded = (seconds * 1000).rounded()
        return (seconds * 1000 - rounded).magnitude < 1e-6 ? Int64(rounded) : nil
    }
}

extension OptionKind<Bool> {
    package static var flag: OptionKind {
        OptionKind(
            .flag,
            read: { (option) throws(Failure) -> Bool in
                switch option.value.lowercased() {
                case "yes", "true", "on", "1": return true
                case "no", "false", "off", "0": return false
                default: throw .badValue(option, "yes or no")
                }
            },
            write: { $0 ? "yes" : "no" })
    }
}

extension OptionKind<String> {
    /// Any text.
    package static func text(_ name: String) -> OptionKind {
        OptionKind(.required(name), read: { $0.value }, write: { $0 })
    }

    /// The text of a colour, which is kept as it was written.
    package static func color(opaque: Bool) -> OptionKind {
        let takes = opaque ? "a name or RRGGBB; --opacity makes it transparent" : "a name, RRGGBB or RRGGBBAA"
        return OptionKind(
            .required("COLOR"),
            read: { (option) throws(Failure) -> String in
                let color = Color(option.value)
                guard let color, !opaque || color.alpha == 255 else {
                    var failure = Failure.badValue(option, takes)
                    if color == nil, let near = nearest(to: option.value, among: Color.names) {
                        failure.remedy = "did you mean \(near)?"
                    }
                    throw failure
                }
                return option.value
            },
            write: { $0 })
    }
}

extension OptionKind<[String]> {
    /// Any texts without a comma.
    package static func list(_ name: String) -> OptionKind {
        OptionKind(
            .list(name), read: { $0.value.split(separator: ",").map { String($0) } },
            write: { $0.joined(separator: ",") })
    }
}

extension OptionKind where Value: Equatable & Sendable {
    /// One of a closed set of words; the nearest is named when it is none.
    package static func word(_ syntax: OptionSpec.Value, _ choices: [(word: String, value: Value)]) -> OptionKind {
        OptionKind(
            syntax,
            read: { (option) throws(Failure) -> Value in
                for choice in choices where choice.word == option.value { return choice.value }
                let words = choices.map { $0.word }
                var failure = Failure.badValue(option, "one of " + words.joined(separator: ", "))
                if let near = nearest(to: option.value, among: words) { failure.remedy = "did you mean \(near)?" }
                throw failure
            },
            write: { value in choices.first { $0.value == value }?.word ?? "" })
    }
}

extension Failure {
    /// The option's table adds where to read on.
    static func badValue(_ option: ParsedOption, _ takes: String) -> Failure {
        .usage("\(option.spelling) cannot be \"\(option.value)\"", why: "it takes \(takes)", remedy: "")
    }
}
