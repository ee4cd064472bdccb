internal import CLibc
internal import CLinuxShims

/// The program: picks the command, runs it, says what went wrong.
package enum Command {
    /// `arguments` without the program's name.
    ///
    /// The exit status: one of ``ExitCode``, or that of the app that was run.
    package static func run(_ arguments: [String]) -> Int32 {
        fw_fill_standard_descriptors()
        fw_end_by_signals()
        // Beyond RLIMIT_FSIZE a write is to fail, not to end the program.
        fw_ignore_signal(SIGXFSZ)
        do throws(Failure) {
            return try dispatch(arguments)
        } catch {
            complain(error.line)
            return error.code.rawValue
        }
    }

    private static let names = [
        "window", "run", "overlay", "events", "record", "replay", "info", "convert", "render", "config", "ctl", "help",
    ]

    private static func dispatch(_ arguments: [String]) throws(Failure) -> Int32 {
        guard let first = arguments.first, first.utf8.first != UInt8(ascii: "-") else {
            return try window(arguments, help: nil).rawValue
        }
        let rest = Array(arguments.dropFirst())
        switch first {
        case "window": return try window(rest, help: .window).rawValue
        case "run": return try app(rest)
        case "overlay": return try overlay(rest).rawValue
        case "events": return try events(rest).rawValue
        case "record": return try record(rest).rawValue
        case "replay": return try replay(rest).rawValue
        case "info": return try info(rest).rawValue
        case "convert": return try convert(rest).rawValue
        case "render": return try render(rest).rawValue
        case "config": return try config(rest).rawValue
        case "ctl": return try control(rest).rawValue
        case "help": return try help(rest).rawValue
        default:
            let near = nearest(to: first, among: names)
            throw .usage(
                "unknown command \(named(first))",
                remedy: near.map { "did you mean \($0)?" } ?? "see fingerwave --help")
        }
    }

    private static func help(_ words: [String]) throws(Failure) -> ExitCode {
        let parsed = try ParsedArguments(words, specs: StartOptions.specs)
        if parsed.operands.isEmpty {
            try say(Help.overview)
            return .done
        }
        // All of them are looked up before one is printed.
        var pages: [String] = []
        for name in parsed.operands { pages.append(try HelpTopic.named(name).text) }
        try say(pages.joined(separator: "\n"))
        return .done
    }

    private static func window(_ words: [String], help: HelpTopic?) throws(Failure) -> ExitCode {
        guard let (launch, _) = try launch(words, "window", help: help) else { return .done }
        try WindowCommand(launch).run()
        return .done
    }

    private static func overlay(_ words: [String]) throws(Failure) -> ExitCode {
        guard let (launch, _) = try launch(words, "overlay", help: .overlay) else {
            return .done
        }
        try OverlayCommand(launch).run()
        return .done
    }

    private static func events(_ words: [String]) throws(Failure) -> ExitCode {
        guard let (launch, _) = try launch(words, "events", help: .events) else {
            return .done
        }
        try EventsCommand(launch).run()
        return .done
    }

    private static func record(_ words: [String]) throws(Failure) -> ExitCode {
        let parsed = try ParsedArguments(words, specs: specs(of: "record"))
        if try answer(StartOptions(parsed.options), help: .record) { return .done }
        // What these say is for the command line alone: a configuration's `source` is the overlay's.
        let own = RecordOptions.specs.map { $0.name }
        let launch = try launch(parsed.options.filter { !own.contains($0.name) })
        try RecordCommand(launch, RecordOptions(parsed.options), operands: parsed.operands).run()
        return .done
    }

    private static func replay(_ words: [String]) throws(Failure) -> ExitCode {
        let parsed = try ParsedArguments(words, specs: specs(of: "replay"))
        if try answer(StartOptions(parsed.options), help: .replay) { return .done }
        let launch = try launch(parsed.options)
        try ReplayCommand(launch, ReplayOptions(parsed.options), operands: parsed.operands).run()
        return .done
    }

    private static func info(_ words: [String]) throws(Failure) -> ExitCode {
        let parsed = try ParsedArguments(words, specs: specs(of: "info"))
        if try answer(StartOptions(parsed.options), help: .info) { return .done }
        let options = try InfoOptions(parsed.options)
        try options.check(parsed.operands)
        guard !parsed.operands.isEmpty else {
            try say(InfoCommand(launch(parsed.options)).text())
            return .done
        }
        var status = ExitCode.done
        for path in parsed.operands {
            let report: RecordingReport
            do throws(Failure) { report = try RecordingReport(path: path, size: options.size) } catch {
                // The others are told all the same.
                complain(error.line)
                status = error.code
                continue
            }
            try say(options.json ? report.json : report.text)
            guard options.check, let failure = report.failure else { continue }
            complain(failure.line)
            if status == .done { status = failure.code }
        }
        return status
    }

    private static func convert(_ words: [String]) throws(Failure) -> ExitCode {
        let parsed = try ParsedArguments(words, specs: specs(of: "convert"))
        if try answer(StartOptions(parsed.options), help: .convert) { return .done }
        try ConvertCommand(ConvertOptions(parsed.options)).run(parsed.operands)
        return .done
    }

    private static func render(_ words: [String]) throws(Failure) -> ExitCode {
        let parsed = try ParsedArguments(words, specs: specs(of: "render"))
        if try answer(StartOptions(parsed.options), help: .render) { return .done }
        try RenderCommand(RenderSettings(parsed.options)).run(parsed.operands)
        return .done
    }

    private static func config(_ words: [String]) throws(Failure) -> ExitCode {
        guard let (launch, options) = try launch(words, "config", help: .config) else { return .done }
        let settled: Settled<AllSettings> = try launch.settle()
        for note in settled.notes { complain("fingerwave: \(note)\n") }
        try say(ConfigOptions(options).json ? ConfigurationText.json(settled) : ConfigurationText.ini(settled))
        return .done
    }

    private static func control(_ words: [String]) throws(Failure) -> ExitCode {
        let parsed = try ParsedArguments(words, specs: specs(of: "ctl"))
        if try answer(StartOptions(parsed.options), help: .ctl) { return .done }
        try say(CtlCommand(options: CtlOptions(parsed.options), environment: .process).run(parsed.operands))
        return .done
    }

    /// The command line of a command that takes options only; nil when it asked for a text, which is printed.
    private static func launch(
        _ words: [String], _ command: String, help: HelpTopic?
    ) throws(Failure) -> (Launch, [ParsedOption])? {
        let parsed = try ParsedArguments(words, specs: specs(of: command))
        if try answer(StartOptions(parsed.options), help: help) { return nil }
        if let operand = parsed.operands.first {
            throw .usage("unexpected argument \(operand)", why: "only options are taken here")
        }
        return (try launch(parsed.options), parsed.options)
    }

    /// Prints the text that was asked for, if any was; `help` is nil for the overview.
    private static func answer(_ start: StartOptions, help: HelpTopic?) throws(Failure) -> Bool {
        if start.wantsHelp {
            try say(help?.text ?? Help.overview)
        } else if start.wantsVersion {
            try say(Help.versionText)
        }
        return start.wantsHelp || start.wantsVersion
    }

    private static func app(_ words: [String]) throws(Failure) -> Int32 {
        let parsed = try ParsedArguments(words, specs: specs(of: "run"), takesApp: true)
        if try answer(StartOptions(parsed.options), help: .app) { return ExitCode.done.rawValue }
        return try AppCommand(launch(parsed.options), words: parsed.operands).run()
    }

    /// What is to be said of the configuration is said here, once.
    private static func launch(_ options: [ParsedOption]) throws(Failure) -> Launch {
        let launch = try Launch(options, environment: .process)
        if let warning = launch.warning { complain("fingerwave: \(warning)\n") }
        return launch
    }

    private static func say(_ text: String) throws(Failure) {
        let writer = LineWriter(descriptor: STDOUT_FILENO, bound: .max)
        writer.write(text)
        writer.finish(milliseconds: -1)
        if let failure = writer.failure { throw failure }
    }
}

/// Which options there are, by the commands that take them.
extension Command {
    static func specs(of command: String) -> [OptionSpec] {
        switch command {
        case "window": WindowSettings.specs + FileOptions.commandLineSpecs
        case "run": WrapSettings.specs + FileOptions.commandLineSpecs
        case "overlay": OverlaySettings.specs + FileOptions.commandLineSpecs
        case "events": EventsSettings.specs + FileOptions.commandLineSpecs
        case "record":
            RecordOptions.specs + WindowSettings.specs + SourceOptions.specs.filter { $0.name != "source" }
                + FileOptions.commandLineSpecs
        case "replay": PaceOptions.specs + ReplayOptions.specs + WindowSettings.specs + FileOptions.commandLineSpecs
        case "info": InfoSettings.specs + FileOptions.commandLineSpecs
        case "convert": ConvertOptions.specs + StartOptions.specs
        case "render": RenderSettings.specs + StartOptions.specs
        case "config": AllSettings.specs + ConfigOptions.specs + FileOptions.commandLineSpecs
        case "ctl": CtlOptions.specs + StartOptions.specs
        default: StartOptions.specs
        }
    }

    /// The commands that take the option `--name`, and the page that it is on. `config`, which takes all, is not named.
    static func takers(of name: String) -> (commands: [String], page: String)? {
        var commands: [String] = []
        var page: String?
        for command in names where command != "config" {
            guard let spec = specs(of: command).first(where: { $0.isNamed(name) }) else { continue }
            commands.append(command)
            page = page ?? spec.topic?.name ?? command
        }
        return page.map { (commands, $0) }
    }
}
