import CLibc
import Foundation
import Gestures
import Recording
import Testing

@testable import FingerWaveKit

@Suite struct RenderCommandTests {
    /// A tap, and 600 ms later two fingers that go down together, on a window of 200 by 100 logical px.
    private static let recording: String = {
        var lines = [
            #"{"type":"ready","width":200,"height":100,"scale":1}"#,
            #"{"type":"down","id":0,"time":1000,"x":50,"y":50}"#, #"{"type":"frame"}"#,
            #"{"type":"up","id":0,"time":1080}"#, #"{"type":"frame"}"#,
        ]
        for step in 0...20 {
            for id in 0...1 {
                let kind = step == 0 ? "down" : "motion"
                let place = #""x":\#(60 + 80 * id),"y":\#(20 + 3 * step)"#
                lines.append(#"{"type":"\#(kind)","id":\#(id),"time":\#(1600 + 10 * step),\#(place)}"#)
            }
            lines.append(#"{"type":"frame"}"#)
        }
        lines += [#"{"type":"up","id":0,"time":1810}"#, #"{"type":"up","id":1,"time":1810}"#, #"{"type":"frame"}"#]
        return lines.joined(separator: "\n") + "\n"
    }()

    private let folder: TestFolder
    private let input: String

    init() throws {
        folder = try TestFolder()
        input = try folder.write("touches.jsonl", RenderCommandTests.recording)
    }

    private func render(_ words: String..., input: String? = nil, to out: String) throws {
        let parsed = try ParsedArguments(words + ["-o", out], specs: RenderSettings.specs)
        try RenderCommand(RenderSettings(parsed.options)).run([input ?? self.input])
    }

    private func bytes(_ words: String..., name: String) throws -> [UInt8] { try bytes(words, name: name) }

    private func bytes(_ words: [String], name: String) throws -> [UInt8] {
        let out = folder.path + "/" + name
        let parsed = try ParsedArguments(words + ["-o", out], specs: RenderSettings.specs)
        try RenderCommand(RenderSettings(parsed.options)).run([input])
        return Array(try Data(contentsOf: URL(fileURLWithPath: out)))
    }

    private func failure(_ words: String..., input: String? = nil, to out: String = "out.png") -> Failure? {
        do throws(Failure) {
            let path = out == "-" ? out : folder.path + "/" + out
            let parsed = try ParsedArguments(words + ["-o", path], specs: RenderSettings.specs)
            try RenderCommand(RenderSettings(parsed.options)).run([input ?? self.input])
            return nil
        } catch {
            return error
        }
    }

    private var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] }

    // MARK: Bytes

    @Test(arguments: RenderOptions.Kind.allCases)
    func theSameTouchesMakeTheSameBytes(kind: RenderOptions.Kind) throws {
        let options = [("fps", "10"), ("scale", "0.5"), ("color", "finger"), ("style", "trail")]
        let words = ["--as", kind.name] + options.filter { kind.takes($0.0) }.map { "--\($0.0)=\($0.1)" }
        let first = try bytes(words, name: "first")
        let second = try bytes(words, name: "second")
        let isSame = first == second
        #expect(isSame)
        switch kind {
        case .webp: #expect(first.starts(with: Array("RIFF".utf8)))
        case .y4m: #expect(first.starts(with: Array("YUV4MPEG2 W100 H50 F10:1 ".utf8)))
        case .raw: #expect(first.count == 19 * 100 * 50 * 4)
        default: #expect(first.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        }
    }

    /// 810 ms and a second for the last wave, and the frame at the end.
    @Test func aFilmLastsUntilTheLastWaveHasGone() throws {
        let header = "YUV4MPEG2 W100 H50 F10:1 Ip A1:1 C420jpeg XCOLORRANGE=LIMITED\n".utf8.count
        let film = try bytes("--fps", "10", "--scale", "0.5", name: "film.y4m")
        #expect(film.count == header + 19 * (6 + 100 * 50 * 3 / 2))
        let part = try bytes("--fps", "10", "--scale", "0.5", "--from", "0.6", "--to", "800ms", name: "part.y4m")
        #expect(part.count == header + 3 * (6 + 100 * 50 * 3 / 2))
        // Its first frame is the seventh of the whole.
        let frame = 6 + 100 * 50 * 3 / 2
        let isSeventh = part[header..<header + frame] == film[header + 6 * frame..<header + 7 * frame]
        #expect(isSeventh)
    }

    @Test func framesOfAFilmAreItsMoments() throws {
        let raw = try bytes("--fps", "10", name: "film.raw")
        let frame = Array(raw[7 * 80_000..<8 * 80_000])
        let moment = try bytes("--fps", "10", "--from", "0.7", "--to", "0.75", name: "moment.raw")
        let isSame = moment == frame
        #expect(isSame)
        // Two fingers and the rest of a wave are there.
        #expect(Set(stride(from: 0, to: frame.count, by: 4).map { frame[$0] }).count > 5)
    }

    @Test func whatCanBeReadOnceMakesTheSame() throws {
        let pipe = folder.path + "/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        let text = RenderCommandTests.recording
        let writer = Thread { try? Data(text.utf8).write(to: URL(fileURLWithPath: pipe)) }
        writer.start()
        let out = folder.path + "/piped.png"
        // What is read must not wait for its writer: it is opened before it has one.
        let reading = open(pipe, O_RDONLY)
        defer { close(reading) }
        try render("--as", "plot", input: "/proc/self/fd/\(reading)", to: out)
        let piped = try Array(Data(contentsOf: URL(fileURLWithPath: out)))
        let isSame = try piped == bytes("--as", "plot", name: "plot.png")
        #expect(isSame)
    }

    // MARK: Files

    @Test func aFileIsWholeOrIsNot() throws {
        let path = try folder.write("kept", "kept")
        var file: OutputFile? = try OutputFile(path: path, .whole)
        try file?.write([1, 2, 3])
        #expect(names.contains("kept.part"))
        file = nil
        #expect(!names.contains("kept.part"))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "kept")
        let whole = try OutputFile(path: path, .whole)
        try whole.write([1, 2, 3])
        try whole.finish()
        #expect(try Array(Data(contentsOf: URL(fileURLWithPath: path))) == [1, 2, 3] && !names.contains("kept.part"))
    }

    /// Another one's file or link of that name, and that of another writer, are left alone.
    @Test func whatIsHalfDoneHasANameOfItsOwn() throws {
        let path = folder.path + "/out"
        let other = try folder.write("out.part", "other")
        let target = try folder.write("target", "target")
        try #require(symlink(target, path + ".part.1") == 0)
        let (first, second) = (try OutputFile(path: path, .whole), try OutputFile(path: path, .whole))
        try first.write([1, 1])
        try second.write([2])
        try first.finish()
        #expect(try Array(Data(contentsOf: URL(fileURLWithPath: path))) == [1, 1])
        try second.finish()
        #expect(try Array(Data(contentsOf: URL(fileURLWithPath: path))) == [2])
        #expect(try String(contentsOfFile: other, encoding: .utf8) == "other")
        #expect(try String(contentsOfFile: target, encoding: .utf8) == "target")
        #expect(names.filter { $0.hasPrefix("out") }.sorted() == ["out", "out.part", "out.part.1"])
    }

    /// The background, and what standard input is.
    @Test func whatIsReadIsNotOverwritten() throws {
        let ground = folder.path + "/ground.png"
        try render("--at", "0.5", to: ground)
        #expect(throws: Failure.self) { try render("--background-image", ground, to: ground) }
        for words in [["render", "-", "--as", "raw", "-o", input], ["convert", "--to", "json", "-", input]] {
            #expect(try Running(words, environment: [], redirections: "<'\(input)'").wait() == 1)
        }
        let words = ["convert", "--to", "json", input, "-"]
        #expect(try Running(words, environment: [], redirections: ">>'\(input)'").wait() == 1)
        #expect(try String(contentsOfFile: input, encoding: .utf8) == RenderCommandTests.recording)
    }

    /// A link leads to the file that is written, and a device stays what it is.
    @Test func whatIsNoFileIsNotReplaced() throws {
        let path = try folder.write("real", "old")
        try #require(symlink(path, folder.path + "/link") == 0)
        let file = try OutputFile(path: folder.path + "/link", .whole)
        try file.write([1])
        try file.finish()
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count == 1)
        let null = try OutputFile(path: "/dev/null", .whole)
        try null.write([1])
        try null.finish()
        var status = stat()
        #expect(stat("/dev/null", &status) == 0 && status.st_rdev != 0)
    }

    @Test func aFullDiskIsSaidAndLeavesNothing() throws {
        let failure = #expect(throws: Failure.self) { try render("--as", "y4m", to: "/dev/full") }
        #expect(failure?.code == .badInput && failure?.why == "No space left on device")
    }

    @Test(arguments: [SIGINT, SIGPIPE])
    func anInterruptLeavesNothingHalfDone(signal: Int32) throws {
        let out = folder.path + "/film.y4m"
        // Were it not heard, the film would fill the disk.
        let program = try Running(
            ["render", input, "-o", out, "--to", "80000"], environment: [], largestFile: 1 << 21)
        var tries = 0
        while !names.contains("film.y4m.part"), tries < 10_000 {
            usleep(1000)
            tries += 1
        }
        program.send(signal)
        #expect(program.wait() == 128 + signal)
        #expect(!names.contains { $0.hasPrefix("film") })
    }

    // MARK: What cannot be

    @Test func whatCannotBeRenderedIsSaid() throws {
        #expect(failure(to: "out.unknown")?.code == .usage)
        #expect(failure("--from", "2", "--to", "1")?.code == .usage)
        #expect(failure("--at", "60")?.what == "--at is beyond the recording")
        #expect(failure("--from", "60")?.why == "it ends at 0.81 s")
        #expect(failure("--on", "DP-9")?.code == .usage)
        #expect(failure("--background", "transparent", to: "out.y4m")?.code == .usage)
        #expect(failure("--size", "16384x16384", "--scale", "2")?.what == "the picture is too large")
        #expect(failure("--background-image", "/dev/null")?.code == .badInput)
        #expect(failure(input: folder.path + "/missing")?.code == .badInput)
        let nothing = try folder.write("nothing.jsonl", "{\"type\":\"frame\"}\n")
        #expect(failure(input: nothing)?.what == "nothing to render" && failure(input: nothing)?.code == .badInput)
        #expect(!names.contains { $0.hasPrefix("out") })
        #expect(throws: Failure.self) { try RenderCommand(RenderSettings()).run([input]) }
        #expect(throws: Failure.self) { try render(to: input) }
    }

    /// Of two panels the one with more contacts, or the one that is named; each as large as it says.
    @Test func oneOfSeveralPanelsIsShown() throws {
        func lines(_ device: String, _ width: Int, _ height: Int, contacts: Int) -> String {
            let size = #""millimetres":[\#(width),\#(height)]"#
            var text = #"{"type":"device","event":"added","device":"\#(device)",\#(size)}"# + "\n"
            for id in 0..<contacts {
                text += #"{"type":"down","device":"\#(device)","id":\#(id),"time":\#(id * 100),"u":0.5,"v":0.5}"# + "\n"
            }
            return text
        }
        let both = try folder.write(
            "both.jsonl", lines("event1", 20, 10, contacts: 1) + lines("event2", 10, 20, contacts: 2))
        let raw = folder.path + "/both.y4m"
        for (words, size) in [([], "W60 H120"), (["--on", "event1"], "W120 H60"), (["--size", "70x80"], "W70 H80")] {
            let parsed = try ParsedArguments(words + ["-o", raw], specs: RenderSettings.specs)
            try RenderCommand(RenderSettings(parsed.options)).run([both])
            let header = try Data(contentsOf: URL(fileURLWithPath: raw)).prefix(40)
            #expect(String(decoding: header, as: UTF8.self).contains(" \(size) "))
        }
    }

    /// What has no name cannot be chosen by it.
    @Test func anOutputThatNobodyNamedIsSaid() throws {
        func line(_ id: Int, _ output: String) -> String {
            #"{"type":"down","seat":"seat0","id":\#(id),"time":0,"x":5,"y":5\#(output)}"# + "\n"
        }
        let unnamed = try folder.write("unnamed.jsonl", line(0, ""))
        #expect(failure("--on", "DP-1", input: unnamed)?.why == "the recording names no output and no panel")
        let both = try folder.write("both.jsonl", line(0, "") + line(1, #","output":"DP-2""#))
        #expect(
            failure("--on", "DP-1", input: both)?.why
                == "the recording has touches on an output without a name, DP-2")
        #expect(failure("--on", "DP-2", input: both) == nil)
        let said = try Running(["render", both, "-o", folder.path + "/out.png"], environment: []).rest()
        #expect(said.contains("only touches on an output without a name are shown, of an output without a name, DP-2"))
    }

    @Test func aPictureLiesUnderTheTouches() throws {
        let ground = folder.path + "/ground.png"
        try render("--as", "moment", "--background", "ff0000", "--at", "0.5", to: ground)
        let plain = try bytes("--as", "raw", "--background", "ff0000", "--fps", "10", name: "plain.raw")
        let over = try bytes("--as", "raw", "--background-image", ground, "--fps", "10", name: "over.raw")
        // The wave of the tap is in the ground too; beside it there is the ground's red.
        #expect(Array(over.prefix(4)) == [0, 0, 255, 255] && Array(plain.prefix(4)) == [0, 0, 255, 255])
        #expect(over.count == plain.count && over != plain)
    }

    @Test func aRecordingThatIsCutIsRenderedUpToItsCut() throws {
        let text = RenderCommandTests.recording
        let cut = try folder.write("cut.jsonl", String(text.prefix(text.count * 2 / 3)))
        try render("--as", "heat-map", input: cut, to: folder.path + "/cut.png")
        #expect(names.contains("cut.png"))
    }

    @Test(arguments: [
        ("1.5", 1_500_000_000), ("1.5s", 1_500_000_000), ("800ms", 800_000_000), ("1:02.5", 62_500_000_000),
        ("1:00:00", 3_600_000_000_000), ("0", 0),
    ])
    func timesAreReadAsPeopleWriteThem(text: String, nanoseconds: Int64) throws {
        let options = try RenderOptions(try ParsedArguments(["--at", text], specs: RenderOptions.specs).options)
        #expect(options.at == nanoseconds)
        let again = try RenderOptions([ParsedOption("at", options.text(of: "at") ?? "")])
        #expect(again.at == nanoseconds)
    }

    @Test(arguments: ["", "-1", "1:", ":", "1e9", "x", "99999999999"])
    func whatIsNoTimeIsRefused(text: String) {
        #expect(throws: Failure.self) { try RenderOptions([ParsedOption("at", text)]) }
    }

    @Test(arguments: [
        (60.0, 60, 1), (59.94, 60_000, 1001), (29.97, 30_000, 1001), (23.98, 24_000, 1001), (12.5, 12_500, 1000),
        (1, 1, 1),
    ])
    func ratesAreRatios(rate: Double, frames: Int, seconds: Int) {
        let frameRate = FrameRate(rate)
        #expect(frameRate.frames == frames && frameRate.seconds == seconds)
        #expect(frameRate.time(frames) == Int64(seconds) * 1_000_000_000)
        #expect(frameRate.frames(in: frameRate.time(100) + 1) == 101 && frameRate.frames(in: 0) == 1)
    }

    @Test func aSlowRateIsNotTelevisions() {
        let rate = FrameRate(1.0005)
        #expect((Double(rate.frames) / Double(rate.seconds) - 1.0005).magnitude < 0.001)
    }

    // MARK: Options

    /// What has no say is not passed over in silence.
    @Test(arguments: [
        (["--tiles", "4x3"], "out.png", "sheet"), (["--fps", "25"], "out.png", "webp, y4m, raw"),
        (["--at", "0.7"], "out.webp", "moment"), (["--as", "sheet", "--at", "0.7"], "out.png", "moment"),
        (["--as", "plot", "--background-image", "x.png"], "out.png", "moment, sheet, heat-map, webp, y4m, raw"),
        (["--as", "heat-map", "--style", "rings"], "out.png", "moment, sheet, webp, y4m, raw"),
        (["--as", "interval", "--velocity-window", "50"], "out.png", "moment, sheet, velocity, webp, y4m, raw"),
    ])
    func anOptionThatMeansNothingIsRefused(words: [String], out: String, kinds: String) throws {
        let parsed = try ParsedArguments(words + ["-o", folder.path + "/" + out], specs: RenderSettings.specs)
        let error = #expect(throws: Failure.self) { try RenderCommand(RenderSettings(parsed.options)).run([input]) }
        let name = words[words.count - 2]
        #expect(error?.code == .usage && error?.why == "it is for " + kinds)
        #expect(error?.what.hasPrefix("\(name) has no say in ") == true, "\(String(describing: error))")
        #expect(!names.contains(out))
    }

    @Test func whatStandsForNothingSaysNothing() throws {
        let out = folder.path + "/out.png"
        try render("--fps=auto", "--background-image=", "--no-reduced-motion", "--at=auto", to: out)
        try render("--as", "velocity", "--velocity-window", "50", to: folder.path + "/velocity.png")
        #expect(names.contains("out.png") && names.contains("velocity.png"))
        #expect(failure("--at", "0.7", "--to", "0.8")?.what == "--to has no say beside --at")
    }

    @Test(arguments: [
        ("plot", "out.webp", "plot is PNG, and the name says WebP"),
        ("y4m", "out.PNG", "y4m is y4m, and the name says PNG"),
        ("raw", "out.y4m", "raw is raw, and the name says y4m"),
        ("webp", "out.bgra", "webp is WebP, and the name says raw"),
    ])
    func aNameThatSaysSomethingElseIsRefused(kind: String, out: String, why: String) {
        let error = failure("--as", kind, to: out)
        #expect(error?.why == why && error?.code == .usage && !names.contains(out))
    }

    /// A window that grew, was turned and shrank: all that was touched is in the picture, and nothing else.
    @Test func aSizeThatChangesHoldsAllThatWasTouched() throws {
        func tap(_ time: Int) -> String {
            #"{"type":"down","id":0,"time":\#(time),"x":5,"y":5}"# + "\n" + #"{"type":"frame"}"# + "\n"
                + #"{"type":"up","id":0,"time":\#(time + 50)}"# + "\n" + #"{"type":"frame"}"# + "\n"
        }
        func size(_ type: String, _ width: Int, _ height: Int) -> String {
            #"{"type":"\#(type)","width":\#(width),"height":\#(height)}"# + "\n"
        }
        let changing = try folder.write(
            "changing.jsonl",
            size("ready", 640, 480) + size("configure", 200, 100) + tap(0) + size("configure", 120, 300) + tap(500)
                + size("configure", 60, 60) + tap(900) + size("configure", 800, 600))
        for (words, size) in [([], "W200 H300"), (["--size", "70x80"], "W70 H80")] {
            let out = folder.path + "/changing.y4m"
            let parsed = try ParsedArguments(words + ["-o", out], specs: RenderSettings.specs)
            try RenderCommand(RenderSettings(parsed.options)).run([changing])
            let header = try Data(contentsOf: URL(fileURLWithPath: out)).prefix(40)
            #expect(String(decoding: header, as: UTF8.self).contains(" \(size) "))
        }
    }

    /// Many panels count to 32767 and tell no mm: what has a size of its own is made of them too.
    @Test func aPlotIsAsLargeAsAPlot() throws {
        var text = RenderCommandTests.recording
        text.replace(#""width":200,"height":100"#, with: #""width":32767,"height":32767"#)
        let large = try folder.write("large.jsonl", text)
        for kind in ["plot", "velocity", "interval", "sheet"] {
            try render("--as", kind, input: large, to: folder.path + "/large-\(kind).png")
        }
        for kind in ["moment", "heat-map", "raw"] {
            #expect(
                failure("--as", kind, input: large, to: "out")?.why
                    == "32767x32767 pixels, of at most 16384 a side and 268435456 in all")
        }
        #expect(
            failure("--as", "sheet", "--tiles", "100x100")?.why
                == "32606x16606 pixels, of at most 32767 a side and 268435456 in all")
    }

    /// Of taps alone there is none, nor of a finger that moves once in a while.
    @Test func aPictureWithoutIntervalsIsSaid() throws {
        func line(_ kind: String, _ time: Int) -> String {
            #"{"type":"\#(kind)","id":0,"time":\#(time),"x":5,"y":5}"# + "\n" + #"{"type":"frame"}"# + "\n"
        }
        let taps = try folder.write(
            "taps.jsonl", line("down", 0) + line("up", 80) + line("down", 300) + line("up", 370))
        let slow = try folder.write("slow.jsonl", line("down", 0) + line("motion", 500) + line("up", 510))
        for (path, note) in [
            (taps, "has no intervals in it: no finger moves; --as plot shows where it is touched"),
            (slow, "has no intervals in it: a pause of 500 ms until 0.5 s; --as plot shows where it is touched"),
            (input, nil),
        ] as [(String, String?)] {
            let settings = try RenderSettings(ParsedArguments([], specs: RenderSettings.specs).options)
            let job = try RenderJob(settings, .interval, RecordingPasses(path: path), RenderProgress())
            _ = try job.picture()
            #expect(job.note == note)
        }
    }

    // MARK: Moments

    @Test func whichMomentIsShownIsSaid() throws {
        for (words, note) in [
            ([], "shows 0.705 s, with 2 contacts down; --at shows another moment"),
            (["--to", "0.06"], "shows 0.030 s, with 1 contact down; --at shows another moment"),
            (["--from", "0.7", "--to", "0.8"], "shows 0.750 s, with 2 contacts down; --at shows another moment"),
            (["--from", "0.2", "--to", "0.5"], "shows 0.200 s, with nothing down; --at shows another moment"),
            (["--at", "0.7"], nil),
        ] as [([String], String?)] {
            let settings = try RenderSettings(ParsedArguments(words, specs: RenderSettings.specs).options)
            let job = try RenderJob(settings, .moment, RecordingPasses(path: input), RenderProgress())
            _ = try job.picture()
            #expect(job.note == note)
        }
    }

    @Test func theBusiestMomentIsInTheMiddleOfTheMostFingers() throws {
        let recorded = RecordedGestures()
        var scan = RecordingScan()
        for line in RenderCommandTests.recording.split(separator: "\n") {
            recorded.handle(try TouchLine(String(line))) { scan.count($0, on: recorded.surfaces) }
        }
        let traffic = scan.traffic[try #require(scan.main)]
        #expect(traffic.contactCount == 3)
        #expect(traffic.busiest?.instant == .milliseconds(705) && traffic.busiest?.contacts == 2)
        #expect(traffic.touched == [span(0, 80), span(600, 810)])
        let all = span(0, 810)
        // 290 ms of touch: even steps, of which the last one ends at the last lift.
        #expect(traffic.moments(3, within: all) == [.milliseconds(58), .milliseconds(694), .milliseconds(810)])
        #expect(traffic.moments(1, within: span(0, 40)) == [.milliseconds(20)])
    }
    private func span(_ from: Int64, _ to: Int64) -> ClosedRange<Instant> {
        Instant.milliseconds(from)...Instant.milliseconds(to)
    }
}
