internal import CBench
internal import Glibc

@main
enum Entry {
    static func main() {
        do throws(BenchError) {
            switch try CommandLineOptions.parse(Array(CommandLine.arguments.dropFirst())) {
            case .help: print(CommandLineOptions.help, terminator: "")
            case .relay(let words): try RunBenchmark.relay(words)
            case .wireClient(let isQuick): try WireClient.run(isQuick: isQuick)
            case .countLines: try RecordingBenchmark.countLines()
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
                if !report.write(try StartBenchmark.run(options), title: StartBenchmark.title) { succeeded = false }
            case .run:
                if !report.write(try RunBenchmark.run(options), title: RunBenchmark.title) { succeeded = false }
            case .recording:
                let outcome = try RecordingBenchmark.run(options)
                if !report.write(outcome, title: RecordingBenchmark.title) { succeeded = false }
            }
        }
        return succeeded
    }
}
