internal import CBench
internal import Glibc

/// What `fingerwave run` costs an app: the same client direct, through a relay that only copies, through
/// fingerwave and through waypipe, in turns.
enum RunBenchmark {
    static let title = "Run: an app's round trips and requests through fingerwave"

    private struct Way {
        enum Kind: Hashable { case direct, relay, fingerwave, waypipe }
        var name: String
        var kind: Kind
        /// The program that the client is started through; of direct, the client itself.
        var path: String
    }

    private static let direct = "direct"
    private static let relay = "relay in C"

    static func run(_ options: CommandLineOptions) throws(BenchError) -> Outcome {
        var outcome = Outcome()
        guard let weston = ChildProcess.find("weston") else {
            outcome.notes.append(note("weston", "weston is not installed (Debian: apt install weston)"))
            return outcome
        }
        var ways = [
            Way(name: direct, kind: .direct, path: Executable.path),
            Way(name: relay, kind: .relay, path: Executable.path),
        ]
        for (name, path, command) in [
            (
                "fingerwave run", options.program ?? Executable.sibling("fingerwave"),
                "swift build -c release --product fingerwave"
            ),
            (
                "fingerwave run, panel", options.panelProgram,
                "FINGERWAVE_PANEL=1 swift build -c release --scratch-path .build-panel --product fingerwave"
            ),
        ] {
            if unsafe access(path, X_OK) == 0 {
                ways.append(Way(name: name, kind: .fingerwave, path: path))
            } else {
                outcome.notes.append(note(name, "there is no \(path); \(command)"))
            }
        }
        if let waypipe = ChildProcess.find("waypipe") {
            ways.append(Way(name: "waypipe", kind: .waypipe, path: waypipe))
        } else {
            outcome.notes.append(note("waypipe", "not installed (Debian: apt install waypipe)"))
        }
        let compositor = try HeadlessWeston(weston)
        measure(ways, on: compositor, options, &outcome)
        return outcome
    }

    private static func measure(
        _ ways: [Way], on compositor: HeadlessWeston, _ options: CommandLineOptions, _ outcome: inout Outcome
    ) {
        let rounds = options.isQuick ? 2 : 11
        var runners = ways
        var results = ways.map { _ in Measurements() }
        // The first round fills the page cache and does not count.
        for round in 0...rounds {
            Progress.show("run: round \(round) of \(rounds)")
            var place = 0
            while place < runners.count {
                do throws(BenchError) {
                    let result = try once(runners[place], on: compositor, isQuick: options.isQuick || round == 0)
                    if round > 0 { results[place].add(result) }
                    place += 1
                } catch {
                    outcome.notes.append(
                        Note(benchmark: "run", subject: runners[place].name, reason: error.text, isFailure: true))
                    runners.remove(at: place)
                    results.remove(at: place)
                }
            }
        }
        guard let base = runners.firstIndex(where: { $0.kind == .direct }).map({ results[$0] }) else { return }
        let least = runners.firstIndex { $0.kind == .relay }.map { results[$0] }
        for measure in WireClient.Measure.allCases {
            for (runner, result) in zip(runners, results) {
                guard let samples = result.times[measure], let reference = base.times[measure] else { continue }
                outcome.figures.append(
                    Figure("run", measure.rawValue, runner.name, metric: "time", unit: "us", samples)
                        .comparing(
                            samples,
                            with: [(direct, reference)] + (least?.times[measure].map { [(relay, $0)] } ?? [])))
                if runner.kind != .direct {
                    outcome.figures.append(
                        Figure(
                            "run", measure.rawValue, runner.name, metric: "more than direct", unit: "us",
                            samples.difference(to: reference)))
                }
            }
        }
        for (runner, result) in zip(runners, results) where !result.memory.values.isEmpty {
            outcome.figures.append(
                Figure("run", "memory of the program between", runner.name, metric: "RSS", unit: "MB", result.memory))
        }
    }

    private struct Measurements {
        private(set) var times: [WireClient.Measure: Samples] = [:]
        private(set) var memory = Samples()

        mutating func add(_ result: (figures: [WireClient.Measure: Double], memory: ProcessMemory?)) {
            for (measure, value) in result.figures { times[measure, default: Samples()].add(value) }
            if let size = result.memory { memory.add(size.resident / 1e6) }
        }
    }

    private static func once(
        _ way: Way, on compositor: HeadlessWeston, isQuick: Bool
    ) throws(BenchError) -> (figures: [WireClient.Measure: Double], memory: ProcessMemory?) {
        let client = (isQuick ? ["--quick"] : []) + ["--wire-client"]
        let socket = (compositor.environment["XDG_RUNTIME_DIR"] ?? P_tmpdir) + "/waypipe"
        var other: ChildProcess?
        let process: ChildProcess
        switch way.kind {
        case .direct: process = try ChildProcess(way.path, client, environment: compositor.environment)
        case .relay:
            process = try ChildProcess(
                way.path, ["--relay", Executable.path] + client, environment: compositor.environment)
        case .fingerwave:
            process = try ChildProcess(
                way.path, ["run", "--", Executable.path] + client, environment: compositor.environment)
        case .waypipe:
            let common = ["--no-gpu", "--socket", socket]
            let listener = try ChildProcess(way.path, common + ["client"], environment: compositor.environment)
            other = listener
            // It says nothing when it listens.
            for _ in 0..<200 where unsafe access(socket, F_OK) != 0 {
                _ = listener.readLines(milliseconds: 10) { _ in false }
            }
            process = try ChildProcess(
                way.path, common + ["server", "--", Executable.path] + client, environment: compositor.environment)
        }
        defer {
            other?.end()
            unsafe _ = unlink(socket)
        }
        var figures: [WireClient.Measure: Double] = [:]
        var lastLine = ""
        let succeeded = process.readLines(milliseconds: 60_000) { line in
            lastLine = line
            let words = line.split(separator: " ", maxSplits: 2)
            if words.count == 3, words[0] == WireClient.mark, let value = Double(words[1]),
                let measure = WireClient.Measure(rawValue: String(words[2]))
            {
                figures[measure] = value
            }
            return line == WireClient.end
        }
        guard succeeded, figures.count == WireClient.Measure.allCases.count else {
            throw BenchError("\(way.path) did not come to its end: \(lastLine)")
        }
        let memory = way.kind == .fingerwave ? try ProcessMemory(of: process.id) : nil
        // With its compositor gone the client ends; whoever stands between is ended with this.
        process.send(SIGTERM)
        _ = process.readLines(milliseconds: 2000) { _ in false }
        return (figures, memory)
    }

    /// Stands between a program and its compositor until the program ends.
    static func relay(_ words: [String]) throws(BenchError) {
        var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
        defer { unsafe arguments.forEach { unsafe free($0) } }
        guard !words.isEmpty, unsafe fw_bench_relay(&arguments) >= 0 else { throw .system("the relay does not stand") }
    }

    private static func note(_ subject: String, _ reason: String) -> Note {
        Note(benchmark: "run", subject: subject, reason: reason)
    }
}
