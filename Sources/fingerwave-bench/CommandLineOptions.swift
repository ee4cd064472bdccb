struct CommandLineOptions {
    enum Command {
        case run(CommandLineOptions)
        /// The client that `run` starts again and again.
        case wireClient(isQuick: Bool)
        /// The least that can stand between; with the program that it starts.
        case relay([String])
        /// The least that reads the lines that `recording` writes.
        case countLines
        case help
    }

    enum Benchmark: String, CaseIterable {
        case events, ripples, start, run, recording
    }

    var benchmarks: [Benchmark] = []
    var isQuick = false
    var isJSON = false
    /// The program in release mode; nil for the one beside this executable.
    var program: String?
    var panelProgram = ".build-panel/release/fingerwave"

    static let help = """
        usage: fingerwave-bench [--quick] [--json] [--fingerwave PATH] [--panel PATH] NAME...

        Measures FingerWave beside the least that could do the same, and prints medians, the middle half of all rounds
        (25% to 75%) and ratios. Without a name, all of them:

          events     time and allocations per event and per request: the Swift bindings beside a client in C
          ripples    time per ripple: the painter beside writing, and reading and writing, the same pixels once
          start      time to the first frame, and memory then, beside weston's small clients on a headless weston
          run        time that `fingerwave run` costs an app's requests, and its memory, beside direct and beside waypipe
          recording  reading a recording of 1 GB (evemu, libinput record) beside counting its lines, and memory for it

          --quick            a few rounds: shows that everything runs, the figures mean little
          --json             JSON Lines in place of tables: one line for the machine, one for each figure
          --fingerwave PATH  the program to start; by default the one beside fingerwave-bench
          --panel PATH       its panel build; by default .build-panel/release/fingerwave
          --help

        Exit status: 0, or 1 when something did not run. What is not installed is left out with its reason.

        """

    static func parse(_ arguments: [String]) throws(BenchError) -> Command {
        var options = CommandLineOptions()
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h": return .help
            case "--quick": options.isQuick = true
            case "--relay": return .relay(Array(rest))
            case "--count-lines": return .countLines
            case "--wire-client": return .wireClient(isQuick: options.isQuick)
            case "--json": options.isJSON = true
            case "--fingerwave", "--panel":
                guard let path = rest.popFirst() else { throw BenchError("\(argument) needs a path; see --help") }
                if argument == "--panel" { options.panelProgram = path } else { options.program = path }
            default:
                guard let benchmark = Benchmark(rawValue: argument) else {
                    throw BenchError("there is no '\(argument)'; see --help")
                }
                if !options.benchmarks.contains(benchmark) { options.benchmarks.append(benchmark) }
            }
        }
        if options.benchmarks.isEmpty { options.benchmarks = Benchmark.allCases }
        return .run(options)
    }
}
