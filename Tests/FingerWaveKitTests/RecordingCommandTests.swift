import Foundation
import Testing

@testable import FingerWaveKit

@Suite struct RecordingCommandTests {
    /// Two taps at one place of a panel of 1000 by 500 units.
    private static let taps =
        "# EVEMU 1.3\nN: Panel\nP: 02 00 00 00 00 00 00 00\nA: 2f 0 3 0 0 0\nA: 35 0 999 0 0 10\nA: 36 0 499 0 0 10\n"
        + (0..<2).map { tap in
            "E: \(tap).000001 0003 0039 000\(tap)\nE: \(tap).000001 0003 0035 0500\nE: \(tap).000001 0003 0036 0250\n"
                + "E: \(tap).000001 0000 0000 0000\nE: \(tap).080001 0003 0039 -001\nE: \(tap).080001 0000 0000 0000\n"
        }.joined()

    @Test func infoSaysWhatARecordingHolds() throws {
        let folder = try TestFolder()
        let path = try folder.write("taps", RecordingCommandTests.taps + "E: nothing\n")
        let report = try RecordingReport(path: path)
        #expect(
            report.text == """
                \(path): evemu, 19 lines
                  Panel, 99.9 x 49.9 mm, 4 touches
                  evdev0: 2 contacts, 1 at once, 0 cancelled, 0 left down; 4 frames in 1.1 s
                  gestures: tap 2; on 599x299 logical px, by its millimetres
                \(path):19: an event is TIME TYPE CODE VALUE

                """)
        #expect(report.json.split(separator: "\n").count == 6)
        #expect(report.json.contains("{\"type\":\"gestures\",\"gesture\":\"tap\",\"count\":2}\n"))
    }

    /// Two fingers that scroll on a window whose size no line told, and lift in full motion.
    @Test func infoCountsEachGestureOnce() throws {
        let folder = try TestFolder()
        var text = ""
        for step in 0...20 {
            for id in 0...1 {
                let kind = step == 0 ? "down" : step == 20 ? "up" : "motion"
                let place = step == 20 ? "" : ",\"x\":\(100 + 60 * id),\"y\":\(500 - step * 20)"
                text += "{\"type\":\"\(kind)\",\"seat\":\"seat0\",\"id\":\(id),\"time\":\(step * 8)\(place)}\n"
            }
            text += "{\"type\":\"frame\",\"seat\":\"seat0\"}\n"
        }
        let report = try RecordingReport(path: folder.write("scroll", text))
        let words = "\n  gestures: scroll 1, swipe 1; on an output of unknown size (--size tells it)\n"
        #expect(report.text.contains(words))
        #expect(report.json.contains("{\"type\":\"surface\",\"known_by\":\"nothing\"}\n"))
    }

    /// A frame that was lost, and a rest.
    @Test func infoSaysWhereFramesAreMissing() throws {
        let folder = try TestFolder()
        var text = ""
        for time in [0, 10, 20, 62, 72, 500] {
            let kind = time == 0 ? "down" : "motion"
            text += "{\"type\":\"\(kind)\",\"seat\":\"seat0\",\"id\":1,\"time\":\(time),\"x\":\(time),\"y\":5}\n"
            text += "{\"type\":\"frame\",\"seat\":\"seat0\"}\n"
        }
        text += "{\"type\":\"up\",\"seat\":\"seat0\",\"id\":1,\"time\":510}\n"
        let report = try RecordingReport(path: folder.write("touches", text))
        #expect(
            report.text.contains(
                """
                in 0.5 s, 55.6 a second while a finger moves
                    between its frames: median 10 ms, 99 % within 42 ms, the longest 42 ms, until 0.062 s (line 8); \
                1 pause over 100 ms, the longest 428 ms, until 0.5 s (line 12)

                """), "\(report.text)")
        #expect(
            report.json.contains(
                #""interval_median":10,"interval_99":42,"longest_interval":{"milliseconds":42,"until":0.062,"line":8},"pauses":1,"#
                    + #""longest_pause":{"milliseconds":428,"until":0.5,"line":12}"#), "\(report.json)")
    }

    /// Scripts go by the status.
    @Test func infoChecksARecording() throws {
        let folder = try TestFolder()
        func info(_ words: String...) throws -> (status: Int32, text: String) {
            let program = try Running(["info"] + words, environment: [])
            let text = program.rest().replacingOccurrences(of: folder.path + "/", with: "")
            return (program.wait(), text)
        }
        let taps = RecordingCommandTests.taps
        let whole = try folder.write("whole", taps)
        #expect(try info("--check", whole).status == 0)
        let faults = [
            "broken": taps + "E: nothing\n", "cut": String(taps.dropLast()),
            "dropped": taps + "E: 3.000001 0000 0003 0000\nE: 3.000001 0000 0000 0000\n",
            "down": taps + "E: 3.000001 0003 0039 0009\nE: 3.000001 0000 0000 0000\n",
            "gap": #"{"type":"up","id":1,"time":1}"# + "\n",
            "twice": #"{"type":"down","id":1,"time":1,"x":1,"y":1}"# + "\n" + #"{"type":"frame"}"# + "\n"
                + #"{"type":"down","id":1,"time":2,"x":1,"y":1}"# + "\n" + #"{"type":"cancel"}"# + "\n",
            "lost": #"{"type":"gap","lines":3}"# + "\n",
        ]
        for (name, text) in faults {
            let path = try folder.write(name, text)
            #expect(try info(path).status == 0)
            let (status, said) = try info("--check", path)
            #expect(status == 6 && said.contains("\nfingerwave: \(name) has faults: 1 "), "\(said)")
        }
        let several = try info("--check", "--json", folder.path + "/broken", whole, folder.path + "/lost")
        #expect(several.status == 6 && several.text.contains(#""type":"oddity","line":19"#))
        #expect(several.text.contains("fingerwave: lost has faults: 1 gap\n"))
        #expect(try info("--check", folder.path + "/broken", folder.path + "/none").status == 5)
        #expect(try info("--check").text == "fingerwave: --check is for recordings: none was given; name a FILE\n")
    }

    @Test func infoReckonsByTheSizeThatItIsTold() throws {
        let folder = try TestFolder()
        let path = try folder.write("taps", RecordingCommandTests.taps)
        let report = try RecordingReport(path: path, size: .init(width: 320, height: 240))
        #expect(report.text.contains("tap 2; on 320x240 logical px\n"), "\(report.text)")
        #expect(report.json.contains(#""name":"evdev0","width":320,"height":240,"known_by":"option"}"#))
        let mm = try Running(["info", "--size", "95x57.5mm", path], environment: [])
        #expect(mm.rest().contains("tap 2; on 570x345 logical px\n") && mm.wait() == 0)
        for size in ["0x9mm", "95mm", "3000x10mm", "9x9x9mm", "axbmm"] {
            let wrong = try Running(["info", "--size", size, path], environment: [])
            #expect(wrong.rest().contains("such as 95x57mm") && wrong.wait() == 1)
        }
        let program = try Running(["info", "--size", "0x240", path], environment: [])
        #expect(program.rest().contains("each from 1 to 16384") && program.wait() == 1)
    }

    @Test func infoNamesADeviceOnce() throws {
        let folder = try TestFolder()
        let log = "-event3   DEVICE_ADDED  Panel  seat0 default group1  cap:t  size 154x86mm ntouches 10 calib\n"
        let report = try RecordingReport(path: folder.write("log", log))
        #expect(report.text.contains("\n  event3: Panel, 154 x 86 mm, 10 touches\n"), "\(report.text)")
        #expect(
            report.json.contains(#"{"type":"described","device":"event3","name":"Panel","touches":10}"#),
            "\(report.json)")
    }

    /// What evemu-describe printed may stand before what evemu-record did.
    @Test func aDescriptionThatComesTwiceIsOneDevice() throws {
        let folder = try TestFolder()
        let taps = RecordingCommandTests.taps
        let description = taps[..<(taps.range(of: "\nE:")?.lowerBound ?? taps.startIndex)] + "\n"
        let report = try RecordingReport(path: folder.write("twice", description + taps))
        #expect(report.summary.devices.count == 1 && report.summary.contactCount == 2, "\(report.text)")
        // Behind events another recording begins.
        let two = try RecordingReport(path: folder.write("two", taps + taps))
        #expect(two.summary.devices.count == 1 && two.summary.contactCount == 4, "\(two.text)")
    }

    @Test func infoSaysWhatIsMissing() throws {
        let folder = try TestFolder()
        let gap = #"{"type":"gap","lines":20,"why":"full"}"# + "\n"
        let report = try RecordingReport(path: folder.write("gaps", #"{"type":"ready"}"# + "\n" + gap + gap))
        #expect(report.text.hasSuffix("  no touches\n  2 gaps: 40 lines could not be written\n"))
        #expect(report.json.contains(#""left_down":0,"gaps":2,"lost_lines":40}"#))
    }

    @Test(arguments: ["gz", "xz", "zst", "bz2"])
    func convertPacksNothing(ending: String) throws {
        let folder = try TestFolder()
        let path = try folder.write("taps", RecordingCommandTests.taps)
        var options = ConvertOptions()
        options.target = .jsonLines
        do throws(Failure) {
            try ConvertCommand(options).run([path, folder.path + "/out.jsonl." + ending])
            Issue.record("it is written")
        } catch {
            #expect(error.code == .usage && error.remedy.contains(" - | "), "\(error)")
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/out.jsonl." + ending))
    }

    #if ZLIB
        @Test func infoSaysWhatPackedARecording() throws {
            let folder = try TestFolder()
            // `gzip -9n` of "N: Panel\n".
            let bytes: [UInt8] = [
                0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 3, 0xF3, 0xB3, 0x52, 0x08, 0x48, 0xCC, 0x4B, 0xCD, 0xE1, 2, 0,
            ]
            let report = try RecordingReport(path: folder.write("empty.gz", bytes))
            #expect(report.text.hasPrefix("\(folder.path)/empty.gz: evemu, packed by gzip, 1 line\n"))
            #expect(report.text.contains("empty.gz:2: what gzip packed has no end: the file is cut at byte 21\n"))
        }
    #endif

    /// A pipe with a name has no writer yet, perhaps.
    @Test func aPipeIsReadWhenItsWriterComes() throws {
        let folder = try TestFolder()
        let path = folder.path + "/pipe"
        #expect(mkfifo(path, 0o600) == 0)
        let writer = Thread {
            // It waits for the reader, and has opened and written when the reader looks.
            guard let file = FileHandle(forWritingAtPath: path) else { return }
            file.write(Data(RecordingCommandTests.taps.utf8))
            try? file.close()
        }
        writer.start()
        #expect(try RecordingReport(path: path).summary.contactCount == 2)
    }

    @Test func convertWritesWhatItsOptionsSay() throws {
        let folder = try TestFolder()
        let path = try folder.write("taps", RecordingCommandTests.taps)
        var options = ConvertOptions()
        let script = folder.path + "/taps.script"
        try ConvertCommand(options).run([path, script])
        #expect(ConvertOptions.target(ofPath: "taps.stage") == .stageScript)
        #expect(try text(script).contains("wait-window\nsync\ndown 0 299.5 149.5\nframe\nsleep 80\nup 0\nframe\n"))
        options.target = .evemu
        let again = folder.path + "/again"
        try ConvertCommand(options).run([path, again])
        #expect(try text(again).contains("A: 35 0 999 0 0 10\n"))
    }

    private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    /// What stands in OUT is kept when IN is no recording.
    @Test func aRefusedRecordingOverwritesNothing() throws {
        let folder = try TestFolder()
        let path = try folder.write("nothing", "hello\n")
        let kept = try folder.write("kept.events", "kept")
        for input in [path, folder.path + "/missing"] {
            #expect(throws: Failure.self) { try ConvertCommand(ConvertOptions()).run([input, kept]) }
        }
        #expect(try text(kept) == "kept")
    }

    @Test func whatCannotBeDoneIsSaid() throws {
        let folder = try TestFolder()
        let path = try folder.write("nothing.events", "hello\n")
        let command = ConvertCommand(ConvertOptions())
        func code(_ operands: [String]) -> ExitCode? {
            do throws(Failure) {
                try command.run(operands)
                return nil
            } catch {
                return error.code
            }
        }
        #expect(code([path]) == .usage && code([path, "out.unknown"]) == .usage && code([path, path]) == .usage)
        #expect(code([path, folder.path + "/out.events"]) == .badInput)
        #expect(code([folder.path + "/missing", "-"]) == .usage)
        #expect(code([folder.path + "/missing", folder.path + "/out.events"]) == .badInput)
    }
}
