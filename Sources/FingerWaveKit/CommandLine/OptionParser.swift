/// One option of a command, as the parser and the help need it.
package struct OptionSpec: Sendable {
    /// Whether a value follows.
    package enum Value: Sendable {
        case none
        /// `--name VALUE` or `--name=VALUE`; the string names it in the help.
        case required(String)
        /// `--name` or `--name=VALUE`.
        case optional(String)
    }

    package var name: String
    /// One letter for `-h`; nil for none.
    package var short: Character?
    package var value: Value
    package var help: String

    package init(_ name: String, short: Character? = nil, _ value: Value = .none, _ help: String) {
        self.name = name
        self.short = short
        self.value = value
        self.help = help
    }
}

/// One option as it was given.
package struct ParsedOption: Equatable, Sendable {
    package var name: String
    package var value: String?
}

/// A command line taken apart by GNU habits: long options in any order, `--` ends them.
package struct ParsedArguments: Equatable, Sendable {
    package var options: [ParsedOption] = []
    package var operands: [String] = []

    /// Throws a usage failure that names the word and, where one is near, the option that was meant.
    package init(_ arguments: [String], specs: [OptionSpec]) throws(Failure) {
        var index = 0
        while index < arguments.count {
            let word = arguments[index]
            index += 1
            if word == "--" {
                operands += arguments[index...]
                return
            }
            if word.utf8.starts(with: "--".utf8) {
                try parseLong(word, arguments, &index, specs)
            } else if word.utf8.first == UInt8(ascii: "-"), word.utf8.count > 1 {
                try parseShort(word, specs)
            } else {
                operands.append(word)
            }
        }
    }

    private mutating func parseLong(
        _ word: String, _ arguments: [String], _ index: inout Int, _ specs: [OptionSpec]
    ) throws(Failure) {
        let body = word.utf8.dropFirst(2)
        let mark = body.firstIndex(of: UInt8(ascii: "="))
        let name = String(Substring(body[..<(mark ?? body.endIndex)]))
        let attached = mark.map { String(Substring(body[body.index(after: $0)...])) }
        guard let spec = specs.first(where: { $0.name == name }) else {
            throw .unknownOption("--" + name, among: specs)
        }
        switch spec.value {
        case .none:
            if attached != nil { throw .usage("--\(name) takes no value", why: "\"\(word)\" was given") }
            options.append(ParsedOption(name: name, value: nil))
        case .optional:
            options.append(ParsedOption(name: name, value: attached))
        case .required(let what):
            if let attached {
                options.append(ParsedOption(name: name, value: attached))
            } else if index < arguments.count {
                options.append(ParsedOption(name: name, value: arguments[index]))
                index += 1
            } else {
                throw .usage("--\(name) needs a value", why: "\(what) is missing")
            }
        }
    }

    private mutating func parseShort(_ word: String, _ specs: [OptionSpec]) throws(Failure) {
        for letter in word.dropFirst() {
            guard let spec = specs.first(where: { $0.short == letter }) else {
                throw .unknownOption("-\(letter)", among: specs)
            }
            options.append(ParsedOption(name: spec.name, value: nil))
        }
    }
}

extension Failure {
    /// A wrong command line.
    static func usage(_ what: String, why: String = "", remedy: String = "see fingerwave --help") -> Failure {
        Failure(what, why: why, remedy: remedy, code: .usage)
    }

    static func unknownOption(_ word: String, among specs: [OptionSpec]) -> Failure {
        let near = nearest(to: word, among: specs.map { "--" + $0.name })
        return .usage(
            "unknown option \(word)",
            remedy: near.map { "did you mean \($0)?" } ?? "see fingerwave --help")
    }
}

/// The candidate that a slip of the fingers may have meant: the one with the fewest edits, at most a third of the word.
package func nearest(to word: String, among candidates: [String]) -> String? {
    var best: (candidate: String, distance: Int)?
    for candidate in candidates {
        let distance = editDistance(Array(word.utf8), Array(candidate.utf8))
        if distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    guard let best, best.distance <= max(2, word.utf8.count / 3) else { return nil }
    return best.candidate
}

/// Insertions, deletions and replacements that turn one into the other (Levenshtein 1966).
private func editDistance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var row = Array(0...b.count)
    for (i, letter) in a.enumerated() {
        var diagonal = row[0]
        row[0] = i + 1
        for (j, other) in b.enumerated() {
            let replaced = diagonal + (letter == other ? 0 : 1)
            diagonal = row[j + 1]
            row[j + 1] = min(replaced, row[j] + 1, diagonal + 1)
        }
    }
    return row[b.count]
}
