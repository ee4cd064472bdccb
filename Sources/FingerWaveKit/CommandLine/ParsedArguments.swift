/// A command line taken apart by GNU habits: long options in any order, `--` ends them.
package struct ParsedArguments: Equatable, Sendable {
    package var options: [ParsedOption] = []
    package var operands: [String] = []

    /// Throws a usage failure that names the word and, where one is near, the option that was meant.
    ///
    /// - Parameter takesApp: operands are an app and its arguments.
    package init(_ arguments: [String], specs: [OptionSpec], takesApp: Bool = false) throws(Failure) {
        do throws(Failure) { try parse(arguments, specs) } catch {
            guard takesApp, let app = operands.first, error.isUnknownOption else { throw error }
            // Before the app it would be ours.
            throw .usage(
                error.what, why: "it stands behind \(app)",
                remedy: "an app with options of its own stands behind --: fingerwave run -- \(app) ...")
        }
    }

    private mutating func parse(_ arguments: [String], _ specs: [OptionSpec]) throws(Failure) {
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
                try parseShort(word, arguments, &index, specs)
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
            guard let flag = specs.first(where: { $0.isFlag && "no-" + $0.name == name }) else {
                throw .unknownOption("--" + name, among: specs)
            }
            if attached != nil { throw .usage("--\(name) takes no value", why: "\"\(word)\" was given") }
            options.append(ParsedOption(flag.name, "no"))
            return
        }
        switch spec.value {
        case .flag: options.append(ParsedOption(name, attached ?? "yes"))
        case .optional(_, let meaning): options.append(ParsedOption(name, attached ?? meaning))
        case .required(let what), .list(let what):
            guard let value = attached ?? (index < arguments.count ? arguments[index] : nil) else {
                throw .usage("--\(name) needs a value", why: "\(what) is missing")
            }
            if attached == nil { index += 1 }
            if case .list = spec.value { add(value, toList: name) } else { options.append(ParsedOption(name, value)) }
        }
    }

    /// One option for all that is said of a list; an empty value takes back what was said before.
    private mutating func add(_ value: String, toList name: String) {
        guard !value.isEmpty, let index = options.lastIndex(where: { $0.name == name }), !options[index].value.isEmpty
        else {
            options.append(ParsedOption(name, value))
            return
        }
        options[index].value += "," + value
    }

    /// `-v`, `-vx` for two flags, `-o VALUE` and `-oVALUE`.
    private mutating func parseShort(
        _ word: String, _ arguments: [String], _ index: inout Int, _ specs: [OptionSpec]
    ) throws(Failure) {
        var rest = word.dropFirst()
        while let letter = rest.popFirst() {
            guard let spec = specs.first(where: { $0.short == letter }) else {
                throw .unknownOption("-\(letter)", among: specs)
            }
            if spec.isFlag {
                options.append(ParsedOption(spec.name, "yes"))
                continue
            }
            guard let value = rest.isEmpty ? (index < arguments.count ? arguments[index] : nil) : String(rest) else {
                throw .usage("-\(letter) needs a value", why: "\(spec.valueName) is missing")
            }
            if rest.isEmpty { index += 1 }
            options.append(ParsedOption(spec.name, value))
            return
        }
    }
}

extension OptionSpec {
    package var isFlag: Bool {
        if case .flag = value { return true }
        return false
    }

    /// Whether `--name` is this option, or what undoes it.
    func isNamed(_ name: String) -> Bool { self.name == name || (isFlag && "no-" + self.name == name) }

    /// What stands for the value in the help.
    fileprivate var valueName: String {
        switch value {
        case .flag: ""
        case .required(let what), .list(let what), .optional(let what, _): what
        }
    }
}

extension Failure {
    /// A wrong command line.
    static func usage(_ what: String, why: String = "", remedy: String = "see fingerwave --help") -> Failure {
        Failure(what, why: why, remedy: remedy, code: .usage)
    }

    fileprivate var isUnknownOption: Bool { what.utf8.starts(with: "unknown option ".utf8) }

    static func unknownOption(_ word: String, among specs: [OptionSpec]) -> Failure {
        if word.utf8.starts(with: "--".utf8), let takers = Command.takers(of: String(word.dropFirst(2))) {
            return .usage(
                "unknown option \(word)", why: "it is for " + takers.commands.joined(separator: ", "),
                remedy: "see fingerwave help \(takers.page)")
        }
        let near = nearest(to: word, among: specs.map { "--" + $0.name })
        return .usage(
            "unknown option \(word)",
            remedy: near.map { "did you mean \($0)?" } ?? "see fingerwave --help")
    }
}
