internal import CLibc
internal import CLinuxShims

/// The program: picks the command, runs it, says what went wrong.
package enum Command {
    /// `arguments` without the program's name.
    ///
    /// The exit status: one of ``ExitCode``, or that of the app that was run.
    package static func run(_ arguments: [String]) -> Int32 {
        fw_fill_standard_descriptors()
        do throws(Failure) {
            return try dispatch(arguments)
        } catch {
            complain(error.line)
            return error.code.rawValue
        }
    }

    private static let names = ["window", "run", "help"]

    private static func dispatch(_ arguments: [String]) throws(Failure) -> Int32 {
        guard let first = arguments.first, first.utf8.first != UInt8(ascii: "-") else {
            return try window(arguments, help: Help.overview).rawValue
        }
        let rest = Array(arguments.dropFirst())
        switch first {
        case "window": return try window(rest, help: HelpTopic.window.text).rawValue
        case "run": return try app(rest)
        case "help": return try help(rest).rawValue
        default:
            let near = nearest(to: first, among: names)
            throw .usage(
                "unknown command \(first)", remedy: near.map { "did you mean \($0)?" } ?? "see fingerwave --help")
        }
    }

    private static func help(_ words: [String]) throws(Failure) -> ExitCode {
        let parsed = try ParsedArguments(words, specs: StartOptions.specs)
        if parsed.operands.isEmpty {
            say(Help.overview)
            return .done
        }
        // All of them are looked up before one is printed.
        var pages: [String] = []
        for name in parsed.operands { pages.append(try HelpTopic.named(name).text) }
        say(pages.joined(separator: "\n"))
        return .done
    }

    private static func window(_ words: [String], help: String) throws(Failure) -> ExitCode {
        let parsed = try ParsedArguments(words, specs: WindowSettings.specs + StartOptions.specs)
        let start = try StartOptions(parsed.options)
        if start.wantsHelp {
            say(help)
            return .done
        }
        if start.wantsVersion {
            say(Help.versionText)
            return .done
        }
        if let operand = parsed.operands.first {
            throw .usage("unexpected argument \(operand)", why: "a window takes options only")
        }
        try WindowCommand(WindowSettings(parsed.options)).run()
        return .done
    }

    private static func app(_ words: [String]) throws(Failure) -> Int32 {
        let parsed = try ParsedArguments(words, specs: WrapSettings.specs + StartOptions.specs)
        let start = try StartOptions(parsed.options)
        if start.wantsHelp {
            say(HelpTopic.app.text)
            return ExitCode.done.rawValue
        }
        if start.wantsVersion {
            say(Help.versionText)
            return ExitCode.done.rawValue
        }
        return try AppCommand(WrapSettings(parsed.options), words: parsed.operands).run()
    }

    private static func say(_ text: String) {
        let writer = LineWriter(descriptor: STDOUT_FILENO)
        writer.write(text)
        writer.finish(milliseconds: 1000)
    }
}
