import Gestures
import Recording
import Testing
import TouchDevices

@testable import FingerWaveKit

/// What `fingerwave events` prints: other people's input.
@Suite struct DeviceLineTests {
    private static let panel = TouchDevice(
        number: 1, name: "Goodix Capacitive TouchScreen", sysname: "event3", path: "/dev/input/event3",
        millimetres: Size(width: 154.3, height: 86), outputName: "DSI-1", calibration: [0, -1, 1, 1, 0, 0],
        touchCount: 10)
    private static let bare = TouchDevice(number: 2, name: "", sysname: "event9", path: "/dev/input/event9")

    @Test func theSchemaStands() throws {
        let panel = DeviceLineTests.panel
        #expect(
            DeviceLine.line(.added, panel).json
                == #"{"type":"device","event":"added","seat":"seat0","device":"event3","output":"DSI-1","number":1,"#
                + #""name":"Goodix Capacitive TouchScreen","millimetres":[154.3,86],"calibration":[0,-1,1,1,0,0],"#
                + #""touches":10}"# + "\n")
        let lines = [
            DeviceTouch.Kind.down(id: 0, microseconds: 4_294_967_296_999, place: Point(x: 0.25, y: 0.5)),
            .motion(id: 0, microseconds: 5_999, place: Point(x: -0.125, y: 1.5)), .up(id: 0, microseconds: 6_000),
            .cancel(id: 1, microseconds: 7_000), .frame,
        ].map { DeviceLine.touch($0, of: panel).json }
        #expect(
            lines == [
                #"{"type":"down","seat":"seat0","device":"event3","id":0,"time":0,"u":0.25,"v":0.5}"# + "\n",
                #"{"type":"motion","seat":"seat0","device":"event3","id":0,"time":5,"u":-0.125,"v":1.5}"# + "\n",
                #"{"type":"up","seat":"seat0","device":"event3","id":0,"time":6}"# + "\n",
                #"{"type":"cancel","seat":"seat0","device":"event3","id":1,"time":7}"# + "\n",
                #"{"type":"frame","seat":"seat0","device":"event3"}"# + "\n",
            ])
        // What it prints can be read.
        for line in lines { #expect(try TouchLine(line).device == "event3") }
        #expect(try TouchLine(DeviceLine.line(.removed, panel).json).device == "event3")
    }

    @Test func peopleReadWhatItIs() {
        #expect(
            DeviceLine.words(DeviceLineTests.panel)
                == "Goodix Capacitive TouchScreen, /dev/input/event3, 154 x 86 mm, 10 touches, for DSI-1, calibrated by "
                + "0 -1 1 1 0 0")
        #expect(DeviceLine.words(DeviceLineTests.bare) == "a touchscreen, /dev/input/event9")
    }

    // MARK: Options

    private func settings(_ words: String...) throws -> EventsSettings {
        try EventsSettings(ParsedArguments(words, specs: EventsSettings.specs).options)
    }

    @Test func aDeviceCanBeNamedAgainForMore() throws {
        #expect(try settings().sources.readerSource == .seat("seat0"))
        #expect(try settings("--seat", "seat1").sources.readerSource == .seat("seat1"))
        let several = try settings("--device", "/dev/a", "--seat=seat1", "--device=/dev/b")
        #expect(several.sources.readerSource == .devices(["/dev/a", "/dev/b"]))
        // As a configuration file has them.
        #expect(several.text(of: "device") == "/dev/a,/dev/b")
        #expect(throws: Failure.self) { try settings("--device") }
        #expect(try settings("--source", "a.jsonl").sources.source == .file("a.jsonl"))
    }

    @Test func whatCannotBeReadEndsWithAStatusOfItsOwn() {
        let failure = Failure(DeviceProblem.noPermission(path: "/dev/input/event3", name: "A", group: "input"))
        #expect(failure.code == .noCompositor)
        #expect(
            failure.line.hasPrefix("fingerwave: cannot read the touchscreen A (/dev/input/event3): permission denied"))
        #expect(Failure(DeviceProblem.noSeat(name: "x", known: [])).code == .usage)
    }

    // MARK: Info

    private static let listed = [
        ListedDevice(panel),
        ListedDevice(bare, problem: .noPermission(path: "/dev/input/event9", name: "", group: nil)),
    ]

    @Test func infoListsWhatThereIs() {
        var output = OutputFacts(global: 3)
        output.name = "DSI-1"
        (output.width, output.height, output.scale, output.transform) = (800, 480, 2, 5)
        (output.physicalWidth, output.physicalHeight) = (154, 86)
        let report = InfoReport(
            layerShell: 4, seats: [CompositorSurvey.Seat(name: "seat0", capabilities: [.touch, .keyboard])],
            outputs: [output], devices: DeviceLineTests.listed)
        let lines = report.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(
            lines.prefix(11).map(String.init) == [
                "Compositor: layer-shell version 4", "", "Seats:", "  seat0  touch, keyboard", "", "Outputs:",
                "  DSI-1  800x480 px, 154 x 86 mm, scale 2, mirrored, turned by 90", "", "Touchscreens:",
                "  event3  " + DeviceLine.words(DeviceLineTests.panel) + ", seat0; on DSI-1: udev's WL_OUTPUT says so",
                "  event9  a touchscreen, /dev/input/event9, seat0; on DSI-1: the only output",
            ])
        #expect(
            report.text.contains("cannot read the touchscreen /dev/input/event9: permission denied: only its owner may")
        )
    }

    @Test func infoSaysWhatItCouldNotReach() {
        let nobody = Failure("cannot connect", why: "no socket", remedy: "start one", code: .noCompositor)
        var report = InfoReport(compositorFailure: nobody)
        #expect(report.text == "Compositor: none: no socket; start one\n\nTouchscreens: none\n")
        report.deviceFailure = .unavailable(why: "udev does not start")
        #expect(report.text.contains("Touchscreens: cannot read touchscreens: udev does not start"))
        #expect(
            report.json.hasPrefix(
                #"{"type":"compositor","answers":false,"why":"no socket"}"# + "\n" + #"{"type":"devices""#))
    }

    @Test func infoHasLinesForPrograms() throws {
        let report = InfoReport(devices: DeviceLineTests.listed)
        let lines = report.json.split(separator: "\n").map(String.init)
        #expect(lines.count == 3 && lines[0] == #"{"type":"compositor","answers":true}"#)
        #expect(
            lines[1]
                == #"{"type":"touchscreen","device":"event3","path":"/dev/input/event3","name":"Goodix Capacitive "#
                + #"TouchScreen","seat":"seat0","vendor":0,"product":0,"millimetres":[154.3,86],"touches":10,"#
                + #""wl_output":"DSI-1","calibration":[0,-1,1,1,0,0],"why":"udev's WL_OUTPUT says so, but there is no output DSI-1","#
                + #""readable":true}"#)
        #expect(try JSONFields(lines[2])["readable"] == "false")
        #expect(try JSONFields(lines[2])["problem"]?.hasPrefix("cannot read the touchscreen /dev/input/event9") == true)
    }
}
