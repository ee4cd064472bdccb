/// One option of a command, as the parser, the help and a configuration file need it.
package struct OptionSpec: Sendable {
    /// What stands behind the name.
    package enum Value: Sendable {
        /// On or off: `--name`, `--no-name`, or `--name=yes` and `--name=no`.
        case flag
        /// `--name VALUE` or `--name=VALUE`; the string names it in the help.
        case required(String)
        /// `--name`, which means `--name=meaning`, or `--name=VALUE`.
        case optional(String, meaning: String)
        /// `--name VALUE`, several times or with commas: what is said later is added on a command line, and replaces what
        /// another place said.
        case list(String)
    }

    /// Of the long option, and the key of a configuration file.
    package var name: String
    /// One letter for `-h`; nil for none.
    package var short: Character?
    package var value: Value
    /// Without the default, which the help takes from the option itself.
    package var help: String
    /// The page of the help that it is on.
    package var topic: HelpTopic?
    /// True when a running program cannot take on another value.
    package var needsRestart = false

    package init(_ name: String, short: Character? = nil, _ value: Value = .flag, _ help: String) {
        self.name = name
        self.short = short
        self.value = value
        self.help = help
    }
}

/// Where an option's value comes from.
package enum OptionOrigin: Equatable, Sendable {
    case commandLine
    case file(path: String, line: Int)
    case control

    /// As the person who wrote it knows it.
    package var text: String {
        switch self {
        case .commandLine: "command line"
        case .file(let path, let line): "\(path):\(line)"
        case .control: "ctl"
        }
    }
}

/// One option as it was given.
package struct ParsedOption: Equatable, Sendable {
    package var name: String
    /// A flag's is `yes` when nothing else was said.
    package var value: String
    package var origin: OptionOrigin

    package init(_ name: String, _ value: String, from origin: OptionOrigin = .commandLine) {
        self.name = name
        self.value = value
        self.origin = origin
    }

    /// The option's name as it is written where it came from.
    package var spelling: String { origin == .commandLine ? "--" + name : name }
}
