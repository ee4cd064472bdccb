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
            #expect(again.faults.isEmpty, "\(result)")
            // libinput record counts from the first event, so that a millisecond may end elsewhere.
            let durations = [converter.summary, again].map { $0.sources.first?.duration ?? 0 }
            #expect((durations[0] - durations[1]).magnitude < 0.0011)
        }
    }

    /// Values, pressures, odd codes: between evdev's formats nothing is touched.
    @Test func eventsStayAsTheyAre() {
        let text = Fixture.evemu + "E: 0.100000 0003 003a 0077\nE: 0.100000 0000 0000 0000\n"
        let (result, converter) = convert(text, to: .evemu)
        #expect(read(result).events == read(text).events && read(result).devices == read(text).devices)
        #expect(converter.losses.isEmpty && converter.summary.contactCount == 2)
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
