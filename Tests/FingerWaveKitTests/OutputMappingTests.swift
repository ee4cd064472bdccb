import Gestures
import Testing
import TouchDevices

@testable import FingerWaveKit

@Suite struct OutputMappingTests {
    private func device(
        _ name: String = "Panel", sysname: String = "event3", millimetres: Size? = nil, output: String? = nil
    ) -> TouchDevice {
        TouchDevice(
            number: 1, name: name, sysname: sysname, path: "/dev/input/" + sysname, vendor: 0x0EEF, product: 1,
            seat: "seat0", millimetres: millimetres, outputName: output, calibration: nil, touchCount: nil)
    }

    private func output(_ number: UInt32, _ name: String, mm: (Int32, Int32) = (0, 0)) -> OutputFacts {
        var facts = OutputFacts(global: number)
        facts.name = name
        facts.physicalWidth = mm.0
        facts.physicalHeight = mm.1
        return facts
    }

    private func decide(
        _ device: TouchDevice, _ outputs: [OutputFacts], map: String = ""
    ) throws -> OutputMapping.Decision {
        OutputMapping.decide(
            device, outputs: outputs, rules: try MappingOptions([ParsedOption("map", map)]).map)
    }

    @Test func theOnlyOutputIsTheOne() throws {
        #expect(try decide(device(), [output(7, "HDMI-A-1")]) == .output(7, .onlyOutput))
        #expect(try decide(device(), []) == .noOutputs)
    }

    @Test func aRuleWinsOverUdevAndUdevOverTheRest() throws {
        let outputs = [output(1, "DSI-1"), output(2, "HDMI-A-1"), output(3, "DP-1")]
        let device = device(output: "HDMI-A-1")
        #expect(try decide(device, outputs) == .output(2, .udev))
        #expect(try decide(device, outputs, map: "event3=DP-1") == .output(3, .rule))
        #expect(try decide(device, outputs, map: "event4=DP-1") == .output(2, .udev))
    }

    @Test(arguments: ["Panel", "event3", "/dev/input/event3", "0eef:0001"])
    func rulesNameDevicesInFourWays(_ name: String) throws {
        let outputs = [output(1, "DSI-1"), output(2, "DP-1")]
        #expect(try decide(device(), outputs, map: "other=DSI-1,\(name)=DP-1") == .output(2, .rule))
    }

    @Test func theLastRuleCounts() throws {
        let outputs = [output(1, "DSI-1"), output(2, "DP-1")]
        #expect(try decide(device(), outputs, map: "event3=DP-1,Panel=DSI-1") == .output(1, .rule))
    }

    @Test func anOutputThatIsNamedAndNotThereTakesNothing() throws {
        #expect(
            try decide(device(), [output(1, "DSI-1")], map: "event3=DP-1") == .missing(name: "DP-1", .rule))
        #expect(
            try decide(device(output: "DP-2"), [output(1, "DSI-1")]) == .missing(name: "DP-2", .udev))
    }

    @Test(arguments: ["DSI-1", "LVDS-1", "eDP-1", "DPI-1"])
    func theBuiltInPanelIsBelievedToHaveTheTouchscreen(_ name: String) throws {
        // Even where another output is of the device's size.
        let outputs = [output(1, "HDMI-A-1", mm: (150, 90)), output(2, name, mm: (217, 136))]
        #expect(try decide(device(millimetres: Size(width: 150, height: 90)), outputs) == .output(2, .builtIn))
    }

    @Test func sizesTellApartWhatNothingElseDoes() throws {
        let outputs = [output(1, "DP-1", mm: (520, 290)), output(2, "DP-2", mm: (150, 90)), output(3, "DP-3")]
        let size = Size(width: 155, height: 94)
        #expect(try decide(device(millimetres: size), outputs) == .output(2, .size(size)))
        // The panel is built in on its side.
        let turned = Size(width: 94, height: 155)
        #expect(try decide(device(millimetres: turned), outputs) == .output(2, .size(turned)))
        #expect(try decide(device(millimetres: Size(width: 300, height: 200)), outputs) == .output(1, .first))
        #expect(try decide(device(), outputs) == .output(1, .first))
    }

    @Test func ofTwoBuiltInPanelsTheSizeTells() throws {
        let outputs = [output(1, "DSI-1", mm: (217, 136)), output(2, "DSI-2", mm: (150, 90))]
        let size = Size(width: 152, height: 91)
        #expect(try decide(device(millimetres: size), outputs) == .output(2, .size(size)))
        #expect(try decide(device(), outputs) == .output(1, .builtIn))
    }

    @Test func listsAreSaidSeveralTimesOrWithCommas() throws {
        func options(_ words: String...) throws -> OverlaySettings {
            try OverlaySettings(ParsedArguments(words, specs: OverlaySettings.specs).options)
        }
        let apart = try options("--map", "a=DP-1", "--map=x=y=DP-2", "--device", "/dev/input/event3", "--device=b")
        #expect(apart.mapping.map == [.init(device: "a", output: "DP-1"), .init(device: "x=y", output: "DP-2")])
        #expect(apart.sources.devices == ["/dev/input/event3", "b"])
        #expect(apart == (try options("--map", "a=DP-1,x=y=DP-2", "--device", "/dev/input/event3,b")))
        #expect(try options("--map=a=b", "--map=", "--map=c=d").mapping.map == [.init(device: "c", output: "d")])
        #expect(apart.text(of: "map") == "a=DP-1,x=y=DP-2")
        #expect(throws: Failure.self) { try options("--map", "event3") }
        #expect(throws: Failure.self) { try options("--map", "=DP-1") }
        #expect(throws: Failure.self) { try options("--map", "event3=") }
    }

    /// Of two rules that name a device in different ways the last one counts; the same name twice is a mistake.
    @Test func oneNameOnTwoOutputsIsRefused() throws {
        func rules(_ words: String...) throws(Failure) -> [OutputMapping.Rule] {
            try OverlaySettings(ParsedArguments(words, specs: OverlaySettings.specs).options).mapping.map
        }
        let failure = #expect(throws: Failure.self) { try rules("--map", "a=DP-1", "--map", "b=DP-1,a=DP-2") }
        #expect(failure?.code == .usage && failure?.why == "a would lie on DP-1 and on DP-2")
        #expect(try rules("--map", "a=DP-1,b=DP-2,a=DP-1").count == 3)
    }

    @Test func whatARuleNamesAndIsNotThereIsSaid() {
        let rules = [OutputMapping.Rule(device: "foo", output: "BAR"), .init(device: "event3", output: "BAR")]
        let device = TouchDevice(number: 1, name: "Panel", sysname: "event3", path: "/dev/input/event3")
        var output = OutputFacts(global: 1)
        func missing(_ devices: [TouchDevice]?, _ outputs: [OutputFacts]?) -> [String] {
            OutputMapping.missing(of: rules, devices: devices, outputs: outputs)
        }
        output.name = "DP-1"
        // Of the one that is there its place says it.
        #expect(missing([device], [output]) == ["--map foo=BAR: there is no touchscreen foo and no output BAR"])
        #expect(missing([device], nil) == ["--map foo=BAR: there is no touchscreen foo"])
        #expect(missing(nil, [output]).count == 2)
        output.name = "BAR"
        #expect(missing([device], [output]) == ["--map foo=BAR: there is no touchscreen foo"])
        #expect(missing(nil, [output]).isEmpty)
    }
}
