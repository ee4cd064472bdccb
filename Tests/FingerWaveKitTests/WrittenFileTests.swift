import Foundation
import Testing

@testable import FingerWaveKit

/// What becomes of the files that the program writes, as a user sees it.
@Suite struct WrittenFileTests {
    private let folder: TestFolder
    private let input: String
    /// A panel that moves, longer than what is written at once.
    private static let recording =
        "{\"type\":\"ready\",\"width\":640,\"height\":480}\n"
        + (0..<4000).map { step in
            "{\"type\":\"\(step == 0 ? "down" : "motion")\",\"seat\":\"seat0\",\"id\":1,\"time\":\(step * 8),"
                + "\"x\":\(step % 600),\"y\":100}\n{\"type\":\"frame\",\"seat\":\"seat0\"}\n"
        }.joined()

    init() throws {
        folder = try TestFolder()
        input = try folder.write("in.jsonl", WrittenFileTests.recording)
    }

    private var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
    }

    /// A bound on the file's size ends the reading of what is written without a bound.
    @Test(arguments: [
        (["record", "--source", "-", "IN"], "<'IN'"), (["record", "--source", "-"], "<'IN' >>'IN'"),
        (["replay", "--no-window", "--speed=max", "--log=json", "IN"], ">>'IN'"),
        (["replay", "--no-window", "--speed=max", "--log=json", "-"], "<'IN' >>'IN'"),
        (["events", "--source", "IN"], ">>'IN'"), (["events", "--source", "-"], "<'IN' >>'IN'"),
        (["overlay", "--source", "IN", "--log=json", "--exit-after=5"], ">>'IN'"),
        (["overlay", "--source", "-", "--log=json", "--exit-after=5"], "<'IN' >>'IN'"),
        (["info", "IN"], ">>'IN'"), (["info", "-"], "<'IN' >>'IN'"),
        (["render", "--as", "y4m", "-o", "-", "IN"], ">>'IN'"),
        (["render", "--as", "y4m", "-o", "-", "-"], "<'IN' >>'IN'"),
        (["convert", "--to", "evemu", "IN", "-"], ">>'IN'"),
    ])
    func whatIsReadIsNotWritten(words: [String], redirections: String) throws {
        let place = { (text: String) in text.replacingOccurrences(of: "IN", with: input) }
        let program = try Running(
            words.map { $0 == "IN" ? input : $0 }, environment: ["XDG_RUNTIME_DIR=\(folder.path)"], largestFile: 4000,
            redirections: place(redirections))
        var said = program.line()
        // It has no compositor, for which it waits.
        if said?.contains("waiting for a compositor") == true { said = program.line() }
        #expect(program.wait() == 1 && said?.contains("it is the file that is read") == true, "\(said ?? "nothing")")
        #expect(try String(contentsOfFile: input, encoding: .utf8) == WrittenFileTests.recording)
    }

    @Test(arguments: [["convert", "--to", "json"], ["render", "--as", "raw"]])
    func aFileThatMayNotGrowIsSaidAndNotLeft(words: [String]) throws {
        let out = folder.path + "/out"
        let operands = words[0] == "render" ? [input, "-o", out] : [input, out]
        let program = try Running(words + operands, environment: [], largestFile: 64)
        let said = program.rest()
        #expect(program.wait() == 5 && said.contains("cannot write \(out): File too large"), "\(said)")
        #expect(names == ["in.jsonl"])
    }

    /// What was there is kept until it can be replaced.
    @Test func whatIsConvertedReplacesAFileWhenItIsWhole() throws {
        try folder.write("out.jsonl", "old")
        let words = ["convert", input, folder.path + "/out.jsonl"]
        #expect(try Running(words, environment: [], largestFile: 64).wait() == 5)
        #expect(try String(contentsOfFile: words[2], encoding: .utf8) == "old")
        #expect(try Running(words, environment: []).wait() == 0)
        #expect(try String(contentsOfFile: words[2], encoding: .utf8).hasPrefix("{\"type\":\"ready\""))
        #expect(names == ["in.jsonl", "out.jsonl"])
    }

    @Test(arguments: [246, 250, 251, 255])
    func aLongNameNeedsNoLongerOne(length: Int) throws {
        let name = String(repeating: "n", count: length)
        let file = try OutputFile(path: folder.path + "/" + name, .whole)
        try file.write([1])
        #expect(names.count == 2 && !names.contains(name))
        try file.finish()
        #expect(names == ["in.jsonl", name])
    }

    /// As from a file: nothing has its name before it is whole, and nothing is left of it where it does not become so.
    @Test(arguments: [nil, SIGINT, SIGTERM])
    func whatAPipeHasIsWrittenWhole(signal: Int32?) throws {
        let out = folder.path + "/out.events"
        let program = try Running(["convert", "-", out], environment: [])
        program.say(WrittenFileTests.recording)
        // It takes all of it, and waits for more.
        while (try? Data(contentsOf: URL(filePath: out + ".part")).count) ?? 0 < 1 << 16 { usleep(1000) }
        #expect(names == ["in.jsonl", "out.events.part"])
        if let signal { program.send(signal) } else { program.closeInput() }
        let said = program.rest()
        #expect(program.wait() == signal.map { 128 + $0 } ?? 0)
        #expect(names == (signal == nil ? ["in.jsonl", "out.events"] : ["in.jsonl"]), "\(said)")
        let converted = signal == nil ? try RecordingReport(path: out).summary.contactCount : 1
        #expect(converted == 1)
    }

    /// What comes through a pipe and goes into one, as it comes.
    @Test func convertNeedsNoFiles() throws {
        let program = try Running(["convert", "--to", "stage", "-", "-"], environment: [])
        program.say(String(WrittenFileTests.recording.prefix(500)))
        let lines = (0..<8).map { _ in program.line() }
        #expect(
            lines == [
                "# For touch-stage --size 640x480", "size 640x480", "wait-window", "sync", "down 1 0 100", "frame",
                "sleep 8", "move 1 1 100",
            ])
        program.closeInput()
        #expect(program.rest().contains("\nsync\n") && program.wait() == 0)
    }

    /// What somebody else wrote there is not written behind.
    @Test func standardOutputThatIsNoRecordingIsNamed() throws {
        let log = try folder.write("log", "kept\n")
        let program = try Running(
            ["record", "--source", "-"], environment: ["XDG_RUNTIME_DIR=\(folder.path)"],
            redirections: "<'\(input)' 2>&1 >>'\(log)'")
        #expect(
            program.rest()
                == "fingerwave: cannot write standard output: there is something else in it than a recording; "
                + "name a FILE of its own, or begin one with >\n")
        #expect(program.wait() == 5)
        #expect(try String(contentsOfFile: log, encoding: .utf8) == "kept\n")
    }

    /// Both files of a ring that `input` filled, the newer one first.
    private func recordRing() throws -> [(path: String, text: String)] {
        let ring = folder.path + "/ring.jsonl"
        let program = try Running(
            ["record", "--ring", "256KiB", "--source", "-", ring], environment: ["XDG_RUNTIME_DIR=\(folder.path)"],
            redirections: "<'\(input)'")
        #expect(program.wait() == 0)
        return try [ring, ring + ".1"].map { ($0, try String(contentsOfFile: $0, encoding: .utf8)) }
    }

    /// Each file of a ring says what the recording that it copies says of itself.
    @Test func bothFilesOfARingHaveTheirSourcesFacts() throws {
        let facts = [
            #"{"type":"header","version":1,"source":"wayland","monotonic_us":5}"#,
            #"{"type":"seat","name":"seat0","touch":true}"#, #"{"type":"output","name":"DP-1","scale":2}"#,
            #"{"type":"configure","output":"DP-1","width":640,"height":480}"#,
            #"{"type":"evdev-device","device":"event3","name":"Panel","axes":[[53,0,9,0,0,0],[54,0,9,0,0,0]]}"#,
            #"{"type":"evdev","device":"event3","time_us":7,"events":[[3,57,1],[3,53,4],[0,0,0]]}"#,
            #"{"type":"tool","seat":"seat0","tool":1,"event":"added","tool_type":"pen"}"#,
        ]
        let gone = #"{"type":"output","name":"DP-2","scale":1"#
        try folder.write(
            "in.jsonl",
            (facts + [gone + "}", gone + #","removed":true}"#]).joined(separator: "\n") + "\n"
                + WrittenFileTests.recording)
        for (_, text) in try recordRing() {
            let lines = text.split(separator: "\n").map(String.init)
            #expect(lines[0].contains(#""source":"lines""#) && Array(lines[1..<6]) == Array(facts[..<5]), "\(lines[0])")
            let event = #"{"type":"evdev","device":"event3","time_us":7,"events":[[3,47,0],[3,57,1],[3,53,4],[0,0,0]],"#
            #expect(lines[7] == event + #""resumed":true}"#)
            #expect(lines[8].contains(#""type":"down""#) && lines[8].contains(#","resumed":true"#), "\(lines[8])")
            #expect(lines[10].hasPrefix(facts[6].dropLast() + #","resumed":true,"arrival_us":"#), "\(lines[10])")
            #expect(!lines.contains { $0.contains("DP-2") })
        }
    }

    /// The older file and the newer one tell how large the window was.
    @Test func bothFilesOfARingTellTheSize() throws {
        for (path, text) in try recordRing() {
            let place = text.range(of: #""type":"ready""#)
            #expect(place != nil && text.contains(#""width":640,"height":480"#), "\(path): \(text.prefix(300))")
        }
    }
}
