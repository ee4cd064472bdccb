import Gestures
import Testing

@testable import Recording

@Suite struct RecordingConverterTests {
    private func convert(
        _ text: String, to target: RecordingConverter.Target, size: Size? = nil
    ) -> (text: String, converter: RecordingConverter) {
        var converter = RecordingConverter(target, size: size)
        var result = ""
        for item in read(text) { converter.convert(item, into: &result) }
        return (result, converter)
    }

    /// Every format, to every format: the touches stay the same.
    @Test(arguments: RecordingConverter.Target.allCases)
    func contactsSurvive(target: RecordingConverter.Target) {
        let size = Size(width: 1000, height: 500)
        for text in [Fixture.evemu, Fixture.evtest, Fixture.waylandDebug, Fixture.debugEvents, Fixture.jsonLines] {
            let (result, converter) = convert(text, to: target, size: size)
            guard target != .stageScript else {
                let downs = result.split(separator: "\n").filter { $0.hasPrefix("down ") }
                #expect(downs.count == converter.summary.contactCount && downs.count > 0)
                continue
            }
            let again = summary(of: read(result))
            #expect(again.contactCount == converter.summary.contactCount && again.contactCount > 0)
            // Some have no frame behind their last event, which evdev's formats get.
            let lines = target == .jsonLines
            #expect(again.faults.allSatisfy { lines && $0.kind == .frameMissing && $0.count == 1 }, "\(result)")
            // libinput record counts from the first event, so that a millisecond may end elsewhere.
            let durations = [converter.summary, again].map { $0.sources.first?.duration ?? 0 }
            #expect((durations[0] - durations[1]).magnitude < 0.0011)
        }
    }

    /// A recording of ours with all that it can have.
    private static let recording = """
        {"type":"header","version":1,"program":"fingerwave 0.1.0","source":"wayland","monotonic_us":1591245503}
        {"type":"seat","name":"seat0","touch":true}
        {"type":"output","name":"DP-1","width":640,"height":480,"scale":2}
        {"type":"ready","width":640,"height":480,"scale":1.5}
        {"type":"down","seat":"seat0","id":7,"time":1000,"x":10.5,"y":20.25,"resumed":true,"serial":4,"arrival_us":9000}
        {"type":"frame","seat":"seat0","arrival_us":9001}
        {"type":"tool","seat":"seat0","tool":1,"event":"added","tool_type":"pen","arrival_us":9500}
        {"type":"tool","seat":"seat0","tool":1,"event":"motion","x":1,"y":2,"arrival_us":9501}
        {"type":"tool","seat":"seat0","tool":1,"event":"frame","time":1001,"arrival_us":9502}
        {"type":"pointer","phase":"began","seat":"seat0","x":3,"y":4,"arrival_us":9800}
        {"type":"cancel","seat":"seat0","arrival_us":10900}
        {"type":"gap","lines":12,"why":"No space left on device"}
        {"type":"gesture","gesture":"tap","phase":"ended","seat":"seat0","count":1}
        {"type":"device","event":"added","seat":"seat0","device":"event3","name":"Panel"}
        {"type":"evdev-device","device":"event3","name":"Panel","bus":24,"axes":[[53,0,999,0,0,0],[54,0,499,0,0,0]]}
        {"type":"evdev","device":"event3","time_us":1000000,"events":[[3,53,400],[0,0,0]],"arrival_us":1,"resumed":true}

        """

    /// Pens, the pointer, gaps, whatever the recording says of itself and what nobody knows: line for line.
    @Test func ourOwnRecordingBecomesItself() {
        let (result, converter) = convert(Self.recording, to: .jsonLines)
        #expect(result == Self.recording)
        #expect(converter.losses.isEmpty && converter.summary.faults.isEmpty)
    }

    /// Each is named once, with its count.
    @Test(arguments: [RecordingConverter.Target.stageScript, .evemu])
    func whatHasNoRoomIsCounted(target: RecordingConverter.Target) {
        let losses = convert(Self.recording, to: target).converter.losses
        // A script has commands for them.
        let tools = target == .stageScript ? "" : "3 pen lines, 1 pointer line, "
        #expect(
            losses.last?.description
                == "left out: \(tools)1 gap, 1 gesture line, 3 lines of where and when it was made"
        )
    }

    /// Values, pressures, odd codes: between evdev's formats nothing is touched.
    @Test func eventsStayAsTheyAre() {
        let text = Fixture.evemu + "E: 0.100000 0003 003a 0077\nE: 0.100000 0000 0000 0000\n"
        let (result, converter) = convert(text, to: .evemu)
        #expect(read(result).events == read(text).events && read(result).devices == read(text).devices)
        #expect(converter.losses.isEmpty && converter.summary.contactCount == 2)
    }

    /// libinput record counts from its first event, and so do events that are made.
    @Test func whenItBeganIsSaidToBeLost() {
        let later = Fixture.evemuEvents.replacing("E: 0.", with: "E: 1700000000.")
        func losses(_ text: String, _ target: RecordingConverter.Target) -> [RecordingLoss] {
            convert(text, to: target).converter.losses
        }
        #expect(losses(Fixture.evemuHeader + later, .libinputRecord) == [.beginning])
        #expect(losses(Fixture.evemuHeader + later, .evemu).isEmpty)
        #expect(losses(later, .evemu).contains(.beginning))
        #expect(!losses(Fixture.evemuEvents, .evemu).contains(.beginning))
    }

    /// Nor by way of JSON Lines, where the events stand beside the touches.
    @Test func eventsComeBackFromJSON() {
        let text = Fixture.evemu + "E: 0.100000 0003 003a 0077\nE: 0.100000 0000 0000 0000\nE: 0.2 0003 003a 0001\n"
        let (lines, converter) = convert(text, to: .jsonLines)
        #expect(converter.losses.isEmpty && summary(of: read(lines)).contactCount == 2)
        #expect(settle(read(lines)).words.filter { $0 != "evdev" && $0 != "evdev-device" } == Fixture.evemuWords)
        let (result, _) = convert(lines, to: .evemu)
        #expect(read(result).events == read(text).events)
        #expect(read(result).devices == read(text).devices)
        // Once more is the same again.
        #expect(convert(lines, to: .jsonLines).text == lines)
    }

    @Test func eventsWithoutADescriptionGetAPanel() {
        let (result, converter) = convert(Fixture.evemuEvents, to: .evemu)
        #expect(read(result).devices.map(\.name) == ["FingerWave touchscreen"])
        #expect(converter.summary.faults.map(\.kind) == [.noDescription])
        #expect(settle(read(result)).contactWords.first == "down 0 0.122,0.061")
    }

    @Test func whatIsEmptyHasAHeader() {
        #expect(convert("N: x\n", to: .evemu).text.contains("N: FingerWave touchscreen\n"))
        #expect(convert("", to: .stageScript).text == "# For touch-stage --size 800x600\nwait-window\nsync\n")
        #expect(convert("", to: .jsonLines).text.isEmpty)
    }

    @Test func whatIsMadeUpOrAssumedIsSaid() {
        func told(_ text: String, _ target: RecordingConverter.Target, _ size: Size? = nil) -> [String] {
            var converter = RecordingConverter(target, size: size)
            var text = text
            for item in read(text) { converter.convert(item, into: &text) }
            return converter.losses.map(\.description)
        }
        let madeUp = "there are no touches and no touchscreen: the one that is described is made up"
        #expect(told("N: x\n", .evemu) == [madeUp])
        let frame = told("{\"type\":\"frame\"}\n", .libinputRecord)
        #expect(frame == [madeUp, "1 frame with nothing in it left out"])
        #expect(told(Fixture.evemu, .evemu).isEmpty)
        #expect(
            told(Fixture.evemuEvents, .stageScript) == [
                "the recording does not tell how large what was touched is: 1280x720 is assumed; "
                    + "--size WxH says otherwise"
            ])
        #expect(told(Fixture.evemu, .stageScript, Size(width: 80, height: 60)).isEmpty)
        let window = #"{"type":"ready","width":80,"height":60}"# + "\n"
        let down = #"{"type":"down","id":1,"time":5,"x":8,"y":6}"# + "\n"
        #expect(
            told(window + down, .evemu) == [
                "stamps count from 0: when the first event came is left out",
                "the size of what was touched is left out: places become parts of a panel",
                "1 frame added where the recording has no frame",
            ])
        #expect(told(window + down, .stageScript).isEmpty)
    }

    #if YAML
        @Test func ofSeveralDevicesTheTouchscreenIsKept() {
            let (result, converter) = convert(LibinputRecordFixture.text, to: .evemu)
            #expect(read(result).devices.map(\.name) == ["Test \"Panel\": 'one'"])
            #expect(read(result).events.count == 6 && converter.losses == [.otherDevices])
            let devices = LibinputRecordFixture.text.split(separator: "\n").drop { $0 != "devices:" }.dropFirst()
            let (second, _) = convert(LibinputRecordFixture.text + devices.joined(separator: "\n") + "\n", to: .evemu)
            #expect(read(second).events.count == 6)
        }
    #endif
}
