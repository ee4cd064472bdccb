internal import Glibc

@main
enum Entry {
    static func main() {
        do throws(BenchError) {
            switch try CommandLineOptions.parse(Array(CommandLine.arguments.dropFirst())) {
            case .help: print(CommandLineOptions.help, terminator: "")
            case .run(let options): exit(try run(options) ? 0 : 1)
            }
        } catch {
            Progress.error(error.text)
            exit(1)
        }
    }

    /// False when something that is here did not run. What is not installed is no failure.
    private static func run(_ options: CommandLineOptions) throws(BenchError) -> Bool {
        let report = Report(isJSON: options.isJSON)
        report.write(Machine.current)
        var succeeded = true
        for benchmark in options.benchmarks {
            switch benchmark {
            case .events:
                report.write(try EventBenchmark.run(options), title: EventBenchmark.title)
                report.write(try RequestBenchmark.run(options), title: RequestBenchmark.title)
            case .ripples: report.write(RippleBenchmark.run(options), title: RippleBenchmark.title)
            case .start:
                let outcome = try StartBenchmark.run(options)
                report.write(outcome.figures, title: StartBenchmark.title)
                for note in outcome.notes {
                    report.write(note)
                    if note.isFailure { succeeded = false }
                }
            }
        }
        return succeeded
    }
}
