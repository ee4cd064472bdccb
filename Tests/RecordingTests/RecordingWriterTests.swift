import Gestures
import Testing

@testable import Recording

@Suite struct RecordingWriterTests {
    private func encoded(_ lines: [TouchLine], size: Size? = nil) -> (events: [EvdevEvent], encoder: EvdevEncoder) {
        var encoder = EvdevEncoder(size: size)
        var events: [EvdevEvent] = []
        for line in lines { encoder.handle(line, into: &events) }
        encoder.finish(into: &events)
        return (events, encoder)
    }

    private func lines(_ items: [RecordingItem]) -> [TouchLine] {
        items.compactMap { item in
            guard case .touch(let line) = item.content else { return nil }
            return line
        }
    }

    private func evemu(_ lines: [TouchLine], size: Size? = nil) -> String {
        let (events, encoder) = encoded(lines, size: size)
        return EvemuWriter.header(encoder.device) + events.map(EvemuWriter.line).joined()
    }

    // MARK: evemu

    @Test func evemuIsWrittenAsItWasRead() {
        let items = read(Fixture.evemu)
        let text = EvemuWriter.header(items.devices[0]) + items.events.map(EvemuWriter.line).joined()
        let again = read(text)
        #expect(again.devices == items.devices && again.events == items.events && again.faults.isEmpty)
        // The fixture has comments, and its lines for keys have eight bytes each as evemu's own have.
        let plain = Fixture.evemu.split(separator: "\n").filter { !$0.hasPrefix("# Kernel") }
            .map { $0.prefix { $0 != "\t" } }
        #expect(text == plain.joined(separator: "\n") + "\n")
    }

    @Test(arguments: [
        (-1 as Int32, "-001"), (0, "0000"), (12345, "12345"), (-12345, "-12345"), (.min, "-2147483648"),
    ])
    func valuesArePaddedBehindTheirSign(value: Int32, text: String) {
        let event = EvdevEvent(time: 12_000_345, type: 3, code: 0x39, value: value)
        #expect(EvemuWriter.line(event) == "E: 12.000345 0003 0039 \(text)\n")
    }

    @Test func namesStayOnTheirLine() {
        #expect(EvemuWriter.header(EvdevDevice(name: "a\nE: 1 2 3 4")).contains("\nN: a E: 1 2 3 4\n"))
        #expect(LibinputRecordWriter.header(EvdevDevice(name: "a\"b\\c\nd\u{85}")).contains(#"name: "a\"b\\c d ""#))
    }

    // MARK: Touches as events

    /// What is written as evemu and read again is what it was.
    @Test func touchesSurviveAsEvents() {
        let first = settle(read(Fixture.evemu))
        let again = settle(read(evemu(lines(first))))
        #expect(again.words == first.words && again.times == first.times && again.faults.isEmpty)
    }

    @Test func touchesOfAnOutputNeedItsSize() {
        let items = lines(settle(read(Fixture.jsonLines)))
        let sized = settle(read(evemu(items, size: Size(width: 42, height: 81))))
        #expect(sized.contactWords == ["down 0 0.25,0.25", "up 0"] && sized.times == [0, 0, 80, 80])
        // The log tells it itself, unless it is not there any more.
        #expect(encoded(items).encoder.losses == [.size] && encoded(items).events.contains { $0.value == 1075 })
        let touches = [TouchLine(.other("gesture"))] + items.filter { $0.id != nil }
        #expect(encoded(touches).events.isEmpty)
        #expect(encoded(touches).encoder.losses == [.placesWithoutSize])
    }

    /// The device's file is one of the facts.
    @Test func thePanelIsTheOneThatIsNamed() {
        let lines = lines(settle(read(Fixture.debugEvents)))
        #expect(encoded(lines).encoder.device.path == "/dev/input/event3")
        #expect(encoded(lines).encoder.device.name == "Test Panel With Name")
        #expect(encoded(lines.filter { $0.id != nil }).encoder.device.path == nil)
    }

    /// Framed by their times where frames are missing, as after the last up of some compositors.
    @Test func aLaterTimeEndsAFrame() {
        let touches = [
            TouchLine(.down, id: 5, time: 10, place: .panel(Point(x: 0.5, y: 0.5))), TouchLine(.up, id: 5, time: 20),
            TouchLine(.down, id: 5, time: 30, place: .panel(Point(x: 0.5, y: 0.5))), TouchLine(.up, id: 5, time: 40),
        ]
        let events = encoded(touches).events
        #expect(events.filter { $0.type == 0 }.map(\.time) == [0, 10_000, 20_000, 30_000])
        #expect(events.filter { $0.code == EvdevCode.btnTouch }.map(\.value) == [1, 0, 1, 0])
    }

    @Test func whatEventsCannotCarryIsNamed() {
        let place = TouchLine.Place.panel(Point(x: 0.5, y: 0.5))
        var touches = (0..<40).map { TouchLine(.down, id: $0, time: 0, place: place) }
        touches += [
            TouchLine(.shape(major: 1, minor: 1), id: 0), TouchLine(.orientation(degrees: 4), id: 0),
            TouchLine(.cancel, time: 10), TouchLine(.down, device: "other", id: 0, time: 20, place: place),
        ]
        let (events, encoder) = encoded(touches)
        #expect(encoder.losses == [.contactsBeyond(32), .shapes, .orientations, .cancels, .severalSources])
        #expect(events.filter { $0.code == EvdevCode.trackingID && $0.value < 0 }.count == 32)
        #expect(encoder.losses.allSatisfy { !$0.description.isEmpty })
    }

    @Test func thePanelsNameAndSizeAreTakenOver() {
        let facts = TouchLineDevice(.added, name: "Panel", millimetres: Size(width: 100, height: 50))
        let device = encoded([TouchLine(.device(facts), device: "event3")]).encoder.device
        #expect(device.name == "Panel" && device.axis(EvdevCode.positionX)?.resolution == 655)
        #expect(device.axis(EvdevCode.y)?.resolution == 1311 && device.properties == [1])
    }

    // MARK: libinput record

    @Test func libinputRecordHasAFrameForEachReport() {
        var writer = LibinputRecordWriter()
        let events = [
            EvdevEvent(time: 5_000_000, type: 3, code: 57, value: 1),
            EvdevEvent(time: 5_000_000, type: 0, code: 0, value: 0),
            EvdevEvent(time: 6_000_001, type: 3, code: 57, value: -1),
            EvdevEvent(time: 6_000_001, type: 0, code: 0, value: 0),
        ]
        #expect(
            events.map { writer.text($0) }.joined() == """
                  - evdev:
                    - [0, 0, 3, 57, 1]
                    - [0, 0, 0, 0, 0]
                  - evdev:
                    - [1, 1, 3, 57, -1]
                    - [1, 1, 0, 0, 0]

                """)
    }

    // MARK: touch-stage

    @Test func scriptsKeepTimeAndFrames() {
        var writer = StageScriptWriter(size: Size(width: 800, height: 400))
        let text = writer.header + lines(settle(read(Fixture.evemu))).map { writer.text($0) }.joined()
        #expect(
            text == """
                # For touch-stage --size 800x400
                wait-window
                down 0 400 200
                frame
                sleep 10
                down 1 80 80
                frame
                sleep 10
                move 1 160 80
                frame
                sleep 60
                up 0
                frame
                sleep 10
                up 1
                frame

                """)
        #expect(writer.losses.isEmpty)
    }

    @Test func scriptsNameWhatAStageHasNot() {
        var writer = StageScriptWriter(size: Size(width: 100, height: 100))
        let place = TouchLine.Place.output(Point(x: 1.0 / 256, y: 3))
        let touches = [
            TouchLine(.other("gesture")), TouchLine(.down, device: "a", id: 7, time: 1, place: place),
            TouchLine(.shape(major: 2, minor: 1.5), device: "a", id: 7),
            TouchLine(.orientation(degrees: -45), device: "a", id: 7),
            TouchLine(.down, device: "b", id: 7, time: 2, place: place),
            TouchLine(.cancel, device: "a", time: 3), TouchLine(.cancel, time: 4), TouchLine(.cancel, time: 5),
        ]
        let text = touches.map { writer.text($0) }.joined()
        #expect(
            text == """
                down 7 0.004 3
                shape 7 2 1.5
                orientation 7 -45
                frame
                sleep 1
                down 0 0.004 3
                frame
                sleep 1
                up 7
                frame
                sleep 1
                cancel

                """)
        #expect(writer.losses == [.severalSources, .cancels])
    }
}
