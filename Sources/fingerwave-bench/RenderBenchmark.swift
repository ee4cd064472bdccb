internal import Glibc

/// A film of ten fingers at 3840x2160 and 60 frames a second, against moving as many bytes.
enum RenderBenchmark {
    static let title = "Render: a film of ten fingers, 3840x2160, 60 frames a second, yuv4mpeg"

    /// A frame's header, and one and a half bytes for each pixel.
    private static let frameBytes = 6 + 3840 * 2160 * 3 / 2

    static func run(_ options: CommandLineOptions) throws(BenchError) -> Outcome {
        var outcome = Outcome()
        let program = options.program ?? Executable.sibling("fingerwave")
        guard unsafe access(program, X_OK) == 0 else {
            let reason = "there is no \(program); swift build -c release --product fingerwave"
            outcome.notes.append(Note(benchmark: "render", subject: "fingerwave", reason: reason))
            return outcome
        }
        let seconds = options.isQuick ? 1 : 60
        let file = try TemporaryFile(TenFingers.recording(seconds: seconds))
        let count = seconds * 60 * frameBytes
        let render = "'\(program)' render '\(file.path)' --scale 2 --as y4m --to \(seconds) -o -"
        let ways: [(name: String, body: () throws(BenchError) -> Void)] = [
            ("memory copy", { copy(seconds * 60) }),
            ("zeros | cat", { () throws(BenchError) in try shell("head -c \(count) /dev/zero | cat >/dev/null") }),
            ("render, to nowhere", { () throws(BenchError) in try shell("\(render) >/dev/null") }),
            ("render | cat", { () throws(BenchError) in try shell("\(render) | cat >/dev/null") }),
        ]
        var samples = ways.map { _ in Samples() }
        let rounds = options.isQuick ? 1 : 3
        for round in 0..<rounds {
            for place in ways.indices {
                let index = (place + round) % ways.count
                Progress.show("render: \(ways[index].name), round \(round + 1) of \(rounds)")
                let clock = ContinuousClock()
                let begin = clock.now
                try ways[index].body()
                let time = begin.duration(to: clock.now).components
                samples[index].add(Double(time.seconds) + Double(time.attoseconds) / 1e18)
            }
        }
        outcome.figures = zip(ways, samples).map { way, times in
            Figure("render", "\(seconds) s of film", way.name, metric: "time", unit: "s", times)
                .comparing(times, with: [(ways[0].name, samples[0]), (ways[1].name, samples[1])])
        }
        return outcome
    }

    /// As often as there are frames, from one memory of a frame's size to another.
    private static func copy(_ count: Int) {
        let source = [UInt8](repeating: 16, count: frameBytes)
        var target = source
        for _ in 0..<count {
            // SAFETY: both arrays have `frameBytes` elements and live through the call.
            unsafe source.withUnsafeBytes { from in
                unsafe target.withUnsafeMutableBytes { onto in
                    unsafe _ = memcpy(onto.baseAddress!, from.baseAddress!, frameBytes)
                }
            }
        }
        precondition(target[frameBytes - 1] == 16)
    }

    private static func shell(_ command: String) throws(BenchError) {
        let process = try ChildProcess("/bin/sh", ["-c", "\(command) && echo done"], environment: [:])
        guard process.readLines(milliseconds: 600_000, until: { $0 == "done" }) else {
            throw BenchError("render: this failed: \(command)")
        }
    }
}

/// A recording of ten fingers on 1920x1080 logical px: each goes in a circle for a while, 120 reports a second, then taps.
private enum TenFingers {
    static func recording(seconds: Int) -> String {
        var text = #"{"type":"ready","width":1920,"height":1080,"scale":2}"# + "\n"
        for tick in 0..<seconds * 120 {
            let time = tick * 1000 / 120
            for finger in 0..<10 { text += line(finger, tick: tick + finger * 37, time: time) }
            text += #"{"type":"frame","seat":"seat0"}"# + "\n"
        }
        return text
    }

    /// Of 240 ticks it is down for 160, then up, then down for 10.
    private static func line(_ finger: Int, tick: Int, time: Int) -> String {
        let step = tick % 240
        let kind: String
        switch step {
        case 0, 200: kind = "down"
        case 1..<160, 201..<210: kind = "motion"
        case 160, 210: kind = "up"
        default: return ""
        }
        let center = (x: 192 + 384 * (finger % 5), y: 270 + 540 * (finger / 5))
        // Around a square with cut corners, which needs no sine.
        let round = step < 160 ? Double(step % 80) / 80 : 0
        func wave(_ share: Double) -> Double {
            let place = share - share.rounded(.down)
            return max(-1, min(1, place < 0.5 ? 6 * place - 1.5 : 4.5 - 6 * place))
        }
        let x = Double(center.x) + 120 * wave(round)
        let y = Double(center.y) + 120 * wave(round + 0.25)
        let place = kind == "up" ? "" : #","x":\#(x),"y":\#(y)"#
        return #"{"type":"\#(kind)","seat":"seat0","id":\#(finger),"time":\#(time)\#(place)}"# + "\n"
    }
}

/// A file that is removed with this object.
private final class TemporaryFile {
    let path: String

    init(_ text: String) throws(BenchError) {
        var name = Array("/tmp/fingerwave-bench-XXXXXX".utf8CString)
        // SAFETY: mkstemp changes the letters within the array, which is NUL-terminated.
        let descriptor = unsafe name.withUnsafeMutableBufferPointer { unsafe mkstemp($0.baseAddress!) }
        guard descriptor >= 0 else { throw .system("no temporary file") }
        defer { close(descriptor) }
        path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let bytes = Array(text.utf8)
        var written = 0
        while written < bytes.count {
            // SAFETY: within the array, which lives through the call.
            let count = unsafe bytes.withUnsafeBytes {
                unsafe write(descriptor, $0.baseAddress! + written, $0.count - written)
            }
            guard count > 0 else { throw .system("cannot write \(path)") }
            written += count
        }
    }

    deinit { unsafe _ = unlink(path) }
}
