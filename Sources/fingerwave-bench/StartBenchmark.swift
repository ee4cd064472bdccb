internal import CBench
internal import Glibc

/// From nothing to the first frame, against weston's own small clients with windows of the same size.
enum StartBenchmark {
    static let title = "Start: to the first frame, and memory then"

    private struct Program {
        var name: String
        var path: String
        var arguments: [String] = []
    }

    private struct Race {
        /// The size of the window that the client in C has.
        var size: String
        var reference: String
    }

    private static let races = [
        Race(size: "250x250", reference: "weston-simple-shm"),
        Race(size: "600x500", reference: "weston-simple-touch"),
    ]

    static func run(_ options: CommandLineOptions) throws(BenchError) -> Outcome {
        var outcome = Outcome()
        guard let weston = ChildProcess.find("weston") else {
            outcome.notes.append(note("weston", "weston is not installed (Debian: apt install weston)"))
            return outcome
        }
        var own: [Program] = []
        for (name, path, command) in [
            (
                "fingerwave", options.program ?? Executable.sibling("fingerwave"),
                "swift build -c release --product fingerwave"
            ),
            (
                "fingerwave, panel", options.panelProgram,
                "FINGERWAVE_PANEL=1 swift build -c release --scratch-path .build-panel --product fingerwave"
            ),
        ] {
            if unsafe access(path, X_OK) == 0 {
                own.append(Program(name: name, path: path))
            } else {
                outcome.notes.append(note(name, "there is no \(path); \(command)"))
            }
        }
        let compositor = try HeadlessWeston(weston)
        for race in races {
            guard let path = ChildProcess.find(race.reference) else {
                outcome.notes.append(note(race.reference, "not installed (Debian: apt install weston)"))
                continue
            }
            let programs =
                [Program(name: race.reference, path: path)]
                + own.map { Program(name: $0.name, path: $0.path, arguments: ["--size", race.size]) }
            run(race, programs, on: compositor, rounds: options.isQuick ? 3 : 31, &outcome)
        }
        return outcome
    }

    private static func run(
        _ race: Race, _ programs: [Program], on compositor: HeadlessWeston, rounds: Int, _ outcome: inout Outcome
    ) {
        let subject = "window \(race.size)"
        var runners = programs
        var results = programs.map { _ in Measurements() }
        // The first round fills the page cache and does not count.
        for round in 0...rounds {
            Progress.show("start: \(subject), round \(round) of \(rounds)")
            var place = 0
            while place < runners.count {
                do throws(BenchError) {
                    let (time, memory) = try start(runners[place], on: compositor)
                    if round > 0 { results[place].add(time, memory) }
                    place += 1
                } catch {
                    outcome.notes.append(
                        Note(
                            benchmark: "start", subject: "\(subject), \(runners[place].name)", reason: error.text,
                            isFailure: true))
                    runners.remove(at: place)
                    results.remove(at: place)
                }
            }
        }
        let base = runners.firstIndex { $0.name == race.reference }.map { results[$0] }
        for (runner, result) in zip(runners, results) {
            outcome.figures += result.figures(subject, runner.name, reference: base)
        }
    }

    /// Milliseconds to the first frame, and the memory at that moment.
    private static func start(
        _ program: Program, on compositor: HeadlessWeston
    ) throws(BenchError) -> (milliseconds: Double, ProcessMemory) {
        var environment = compositor.environment
        environment["WAYLAND_DEBUG"] = "1"
        var firstFrame = FirstFrame()
        var lastLine = ""
        let begin = FirstFrame.now
        let process = try ChildProcess(program.path, program.arguments, environment: environment)
        let succeeded = process.readLines(milliseconds: 5000) { line in
            lastLine = line
            return firstFrame.isCommit(line)
        }
        guard succeeded, let end = FirstFrame.stamp(of: lastLine) else {
            throw BenchError("\(program.path) ended, or waited 5 s, before its first frame: \(lastLine)")
        }
        // Stopped, lest it go on to a second frame meanwhile.
        process.send(SIGSTOP)
        return (Double(end &- begin) / 1000, try ProcessMemory(of: process.id))
    }

    private struct Measurements {
        private var times = Samples()
        private var resident = Samples()
        private var proportional = Samples()
        private var own = Samples()

        mutating func add(_ time: Double, _ memory: ProcessMemory) {
            times.add(time)
            resident.add(memory.resident / 1e6)
            proportional.add(memory.proportional / 1e6)
            if let size = memory.own { own.add(size / 1e6) }
        }

        func figures(_ subject: String, _ variant: String, reference: Measurements?) -> [Figure] {
            let all: [(String, String, KeyPath<Measurements, Samples>)] = [
                ("first frame", "ms", \.times), ("RSS", "MB", \.resident), ("PSS", "MB", \.proportional),
                ("without buffers", "MB", \.own),
            ]
            return all.filter { !self[keyPath: $0.2].values.isEmpty }.map { metric, unit, path in
                Figure("start", subject, variant, metric: metric, unit: unit, self[keyPath: path])
                    .comparing(
                        self[keyPath: path], with: reference.map { [("C", $0[keyPath: path])] } ?? [])
            }
        }
    }

    private static func note(_ subject: String, _ reason: String) -> Note {
        Note(benchmark: "start", subject: subject, reason: reason)
    }
}
