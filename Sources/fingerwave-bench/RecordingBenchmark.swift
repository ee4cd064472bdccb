internal import CBench
internal import Glibc

/// Reading recordings that are far larger than what is kept of them, against counting the lines of the same bytes.
enum RecordingBenchmark {
    static let title = "Recordings: reading one through, from a pipe"

    private static let reference = "line count"

    private struct Reader {
        var name: String
        var path: String
        var arguments: [String]
    }

    static func run(_ options: CommandLineOptions) throws(BenchError) -> Outcome {
        var outcome = Outcome()
        let program = options.program ?? Executable.sibling("fingerwave")
        guard unsafe access(program, X_OK) == 0 else {
            let reason = "there is no \(program); swift build -c release --product fingerwave"
            outcome.notes.append(Note(benchmark: "recording", subject: "fingerwave", reason: reason))
            return outcome
        }
        let readers = [
            Reader(name: reference, path: Executable.path, arguments: ["--count-lines"]),
            Reader(name: "fingerwave info", path: program, arguments: ["info", "--json", "-"]),
        ]
        // What ends early is told by its status, not by a signal here.
        _ = signal(SIGPIPE, SIG_IGN)
        for text in [RecordedText.evemu, .libinputRecord] {
            // 1 GB, and the first round does not count.
            run(text, megabytes: options.isQuick ? 20 : 1000, rounds: options.isQuick ? 1 : 3, readers, &outcome)
        }
        return outcome
    }

    private static func run(
        _ text: RecordedText, megabytes: Int, rounds: Int, _ readers: [Reader], _ outcome: inout Outcome
    ) {
        let seconds = megabytes * 1_000_000 / text.bytesPerSecond
        let subject = "\(text.name), \(megabytes) MB"
        var rates = readers.map { _ in Samples() }
        var memory = rates
        for round in 0...rounds {
            for (index, reader) in readers.enumerated() {
                Progress.show("recording: \(subject), \(reader.name), round \(round) of \(rounds)")
                do throws(BenchError) {
                    // The warming round is a short one.
                    let (time, peak) = try read(text, seconds: round == 0 ? min(seconds, 200) : seconds, reader)
                    if round == 0 { continue }
                    rates[index].add(Double(seconds * text.bytesPerSecond) / 1e6 / time)
                    memory[index].add(peak)
                } catch {
                    outcome.notes.append(
                        Note(
                            benchmark: "recording", subject: "\(subject), \(reader.name)", reason: error.text,
                            isFailure: true))
                    return
                }
            }
        }
        for (index, reader) in readers.enumerated() {
            outcome.figures.append(
                Figure("recording", subject, reader.name, metric: "rate", unit: "MB/s", rates[index])
                    .comparing(rates[index], with: [(reference, rates[0])]))
            outcome.figures.append(
                Figure("recording", subject, reader.name, metric: "RSS", unit: "MB", memory[index]))
        }
    }

    /// What one reader took of the processor, s, and of memory, MB. It must have seen every line.
    private static func read(
        _ text: RecordedText, seconds: Int, _ reader: Reader
    ) throws(BenchError) -> (time: Double, peak: Double) {
        let child = try ChildProcess(reader.path, reader.arguments, environment: [:], takesInput: true)
        var hasTakenAll = child.write(text.header)
        var block = text.block
        for second in 0..<seconds where hasTakenAll {
            text.set(second, in: &block)
            hasTakenAll = child.write(block)
        }
        let peak = try child.peakMemory()
        child.closeInput()
        let lines = text.headerLines + seconds * text.linesPerSecond
        let hasSeenAll = child.readLines(milliseconds: 60_000) { line in
            line == "\(lines)" || line.contains("\"lines\":\(lines),")
        }
        while child.readLines(milliseconds: 60_000, until: { _ in false }) {}
        guard let time = child.waitForEnd(), hasTakenAll, hasSeenAll else {
            throw BenchError("\(reader.name) did not read all of it")
        }
        return (time, peak)
    }

    /// The least that reads lines: `--count-lines`, which counts those of standard input.
    static func countLines() throws(BenchError) {
        var piece = [UInt8](repeating: 0, count: 1 << 18)
        var lines = 0
        while true {
            let count = unsafe Glibc.read(STDIN_FILENO, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .system("cannot read") }
            if count == 0 { break }
            // SAFETY: memchr stays within the `count` bytes that were read.
            unsafe piece.withUnsafeBytes { bytes in
                guard var place = bytes.baseAddress else { return }
                let end = unsafe place + count
                while unsafe place < end, let found = unsafe memchr(place, 0x0A, end - place) {
                    lines += 1
                    unsafe place = UnsafeRawPointer(found) + 1
                }
            }
        }
        print(lines)
    }
}
