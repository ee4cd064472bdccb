import Foundation
import Testing

@testable import FingerWaveKit
@testable import Recording

/// What `convert` makes of files.
@Suite struct ConvertedFileTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func convert(_ text: String, to name: String, on device: String? = nil) throws -> String {
        var options = ConvertOptions()
        options.on = device
        let output = folder.path + "/" + name
        try ConvertCommand(options).run([folder.write("in", text), output])
        return try String(contentsOfFile: output, encoding: .utf8)
    }

    private static let log = "[1.0] wl_touch@9.down(7, 100, wl_surface@3, 0, 1.0, 2.0)\n[1.0] wl_touch@9.frame()\n"

    /// A file without one event would look as if nothing had been touched.
    @Test(arguments: ["out.events", "out.yml"])
    func placesOfNoKnownSizeAreRefused(name: String) throws {
        do throws(Failure) {
            try ConvertCommand(ConvertOptions()).run([folder.path + "/in", folder.path + "/" + name])
        } catch { #expect(error.code == .badInput) }
        do {
            _ = try convert(ConvertedFileTests.log, to: name)
            Issue.record("it is made")
        } catch let error as Failure {
            #expect(error.remedy == "add --size WxH" && error.code == .badInput)
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/" + name))
        let output = "[0.5] wl_output@4.mode(1, 100, 50, 60000)\n"
        #expect(try convert(output + ConvertedFileTests.log, to: name).contains("3"))
    }

    private static func panel(_ node: String, _ place: Int) -> String {
        """
        {"type":"device","event":"added","seat":"seat0","device":"\(node)","name":"Panel \(node)"}
        {"type":"down","seat":"seat0","device":"\(node)","id":0,"time":\(place),"u":0.\(place),"v":0.5}
        {"type":"frame","seat":"seat0","device":"\(node)"}

        """
    }

    @Test(arguments: ["event2", "Panel event2"])
    func oneOfSeveralDevicesIsChosen(name: String) throws {
        let text = ConvertedFileTests.panel("event1", 25) + ConvertedFileTests.panel("event2", 75)
        let result = try convert(text, to: "out.events", on: name)
        #expect(result.contains("N: Panel event2\n") && result.contains(" 0003 0035 49152\n"))
        #expect(!result.contains(" 0003 0035 16384\n"))
        do {
            _ = try convert(text, to: "none.events", on: "event3")
            Issue.record("it is made")
        } catch let error as Failure {
            #expect(error.why == "there is event1, event2" && error.code == .badInput)
        }
    }

    #if YAML
        /// Of evdev's own events as well.
        @Test func oneOfSeveralDevicesKeepsItsEvents() throws {
            let head = "version: 1\ndevices:\n"
            func device(_ node: String, _ x: Int) -> String {
                "- node: /dev/input/\(node)\n  evdev:\n    name: \"\(node)\"\n    absinfo:\n      53: [0, 99, 0, 0, 0]\n"
                    + "      54: [0, 99, 0, 0, 0]\n  events:\n  - evdev:\n    - [0, 5, 3, 53, \(x)]\n    - [0, 5, 0, 0, 0]\n"
            }
            let text = head + device("event1", 11) + device("event2", 22)
            for name in ["event2", "/dev/input/event2"] {
                let result = try convert(text, to: "out.events", on: name)
                #expect(result.contains("N: event2\n") && result.contains(" 0003 0035 0022\n"))
                #expect(!result.contains(" 0003 0035 0011\n"))
            }
        }

        /// A file can be read in several places: what happened at once comes at once.
        @Test func devicesOfOneRecordingArePlayedSideBySide() throws {
            func device(_ node: String, _ seconds: [Int]) -> String {
                "- node: /dev/input/\(node)\n  evdev:\n    name: \"\(node)\"\n    absinfo:\n"
                    + "      53: [0, 99, 0, 0, 0]\n      54: [0, 99, 0, 0, 0]\n      47: [0, 3, 0, 0, 0]\n      57: [0, 9, 0, 0, 0]\n  events:\n"
                    + seconds.enumerated().map { index, second in
                        "  - evdev:\n    - [\(second), 0, 3, 57, \(index % 2 == 0 ? 1 : -1)]\n"
                            + "    - [\(second), 0, 3, 53, 9]\n    - [\(second), 0, 3, 54, 9]\n"
                            + "    - [\(second), 0, 0, 0, 0]\n"
                    }.joined()
            }
            let text = "version: 1\ndevices:\n" + device("event1", [0, 3, 6, 7]) + device("event2", [1, 2])
            let script = try convert(text, to: "out.stage")
            let words = script.split(separator: "\n").compactMap { line -> Substring? in
                line.hasPrefix("sleep") ? line : line.split(separator: " ").first
            }
            #expect(
                words.filter { $0 != "frame" } == [
                    "#", "size", "wait-window", "sync", "down", "sleep 1000", "down", "sleep 1000", "up", "sleep 1000",
                    "up",
                    "sleep 3000", "down", "sleep 1000", "up", "sync",
                ])
        }
    #endif

    // MARK: Statistics

    /// Two panels of one seat.
    @Test func figuresOfASeatsPanelsTellWhichIsMeant() throws {
        let text = ConvertedFileTests.panel("event1", 25) + ConvertedFileTests.panel("event2", 75)
        let path = try folder.write("two.jsonl", text)
        let output = folder.path + "/out"
        let program = try Running(
            ["replay", "--no-window", "--speed=max", "--log=json", path],
            environment: ["XDG_RUNTIME_DIR=\(folder.path)"], redirections: ">'\(output)'")
        #expect(program.wait() == 0)
        let lines = try String(contentsOfFile: output, encoding: .utf8).split(separator: "\n")
        for node in ["event1", "event2"] {
            #expect(
                lines.contains { $0.contains("\"statistics\",\"seat\":\"seat0\",\"device\":\"\(node)\"") }, "\(lines)")
        }
    }
}
