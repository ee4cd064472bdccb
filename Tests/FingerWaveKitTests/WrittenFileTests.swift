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

    /// The older file and the newer one tell how large the window was.
    @Test func bothFilesOfARingTellTheSize() throws {
        let ring = folder.path + "/ring.jsonl"
        let program = try Running(
            ["record", "--ring", "256KiB", "--source", "-", ring], environment: ["XDG_RUNTIME_DIR=\(folder.path)"],
            redirections: "<'\(input)'")
        #expect(program.wait() == 0)
        for path in [ring, ring + ".1"] {
            let text = try String(contentsOfFile: path, encoding: .utf8)
            let place = text.range(of: #""type":"ready""#)
            #expect(place != nil && text.contains(#""width":640,"height":480"#), "\(path): \(text.prefix(300))")
        }
    }
}
