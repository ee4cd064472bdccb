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
        #expect(
            encoded(items).encoder.losses == [.size, .framesAdded(1)]
                && encoded(items).events.contains { $0.value == 1075 })
        let touches = [TouchLine(.other("gesture"))] + items.filter { $0.id != nil }
        #expect(encoded(touches).events.isEmpty)
        #expect(encoded(touches).encoder.losses == [.placesWithoutSize(1)])
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
        #expect(
            encoder.losses == [
                .contactsBeyond(8, most: 32), .cancels(32), .shapes(1), .orientations(1), .framesAdded(2),
                .severalSources(2),
            ])
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
        let text = lines(settle(read(Fixture.evemu))).map { writer.text($0) }.joined()
        #expect(writer.header == "# For touch-stage --size 800x400\nsize 800x400\nwait-window\nsync\n")
        #expect(
            text == """
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
            TouchLine(.down, device: "b", id: 7, time: 11, place: place),
            TouchLine(.cancel, device: "a", time: 21), TouchLine(.cancel, time: 31), TouchLine(.cancel, time: 41),
        ]
        let text = touches.map { writer.text($0) }.joined()
        #expect(
            text == """
                down 7 0.004 3
                sleep 10
                shape 7 2 1.5
                orientation 7 -45
                down 0 0.004 3
                sleep 10
                up 7
                frame
                sleep 10
                cancel
                sleep 10
                cancel

                """)
        #expect(writer.losses == [.severalSources(3), .cancels(1)])
    }

    private func script(_ text: String, size: Size? = nil) -> (text: String, losses: [RecordingLoss]) {
        var converter = RecordingConverter(.stageScript, size: size)
        var result = ""
        for item in read(text) { converter.convert(item, into: &result) }
        return (result, converter.losses)
    }

    /// Pauses by stamps, and where there is none by arrivals; nothing is added, and what comes within 2 ms comes at once.
    @Test func scriptsHaveTheFramesAndPausesOfTheRecording() {
        let (text, losses) = script(
            """
            {"type":"ready","width":640,"height":480}
            {"type":"down","id":1,"time":1000,"x":1,"y":2,"arrival_us":50000}
            {"type":"frame","arrival_us":50100}
            {"type":"frame","arrival_us":50200}
            {"type":"shape","id":1,"major":3,"minor":2,"arrival_us":70300}
            {"type":"motion","id":1,"time":1021,"x":2,"y":2,"arrival_us":71300}
            {"type":"frame","arrival_us":90300}
            {"type":"up","id":1,"time":1060,"arrival_us":111000}
            {"type":"down","id":1,"time":1960,"x":1,"y":2,"arrival_us":1012000}
            {"type":"cancel","arrival_us":1212000}

            """)
        #expect(
            text == """
                # For touch-stage --size 640x480
                size 640x480
                wait-window
                sync
                down 1 1 2
                frame
                frame
                sleep 20
                shape 1 3 2
                move 1 2 2
                sleep 20
                frame
                sleep 20
                up 1
                sleep 900
                down 1 1 2
                sleep 200
                cancel
                sync

                """)
        #expect(losses.isEmpty)
    }

    /// Clocks that have nothing to do with each other, or stand still, another run and a pause of days make no sleep that
    /// nobody waits for.
    @Test func scriptsSleepNoLongerThanARecordingIsPlayed() {
        let text = script(
            """
            {"type":"header","version":1}
            {"type":"down","seat":"a","id":1,"time":4000000000,"x":1,"y":2,"arrival_us":50000}
            {"type":"down","seat":"b","id":1,"time":7,"x":1,"y":2,"arrival_us":80000}
            {"type":"up","seat":"a","id":1,"time":4000000060,"arrival_us":110000}
            {"type":"up","seat":"b","id":1,"time":7,"arrival_us":400000}
            {"type":"header","version":1}
            {"type":"down","seat":"a","id":1,"time":5,"x":1,"y":2,"arrival_us":9999999999}
            {"type":"up","seat":"a","id":1,"time":900000000,"arrival_us":909999999999}

            """
        ).text
        let sleeps = text.split(separator: "\n").filter { $0.hasPrefix("sleep") }
        #expect(sleeps == ["sleep 60", "sleep 290", "sleep 1060", "sleep 3600000"], "\(text)")
    }

    /// A log's pens have a time at their frames alone; a tool that comes near has its place from what follows.
    @Test func scriptsHavePensOfLogsToo() {
        let start = #"{"type":"tool","seat":"seat0","tool":1,"event":"#
        let lines = [
            #""added","tool_type":"brush\nquit"}"#, #""proximity_in"}"#, #""motion","x":5,"y":6}"#,
            #""frame","time":10}"#,
            #""down"}"#, #""pressure","pressure":32768}"#, #""frame","time":30}"#, #""proximity_out"}"#,
            #""frame","time":40}"#, #""proximity_in"}"#, #""frame","time":50}"#,
        ]
        let (text, losses) = script(lines.map { start + $0 + "\n" }.joined(), size: Size(width: 100, height: 80))
        #expect(losses == [.placesAdded(1)])
        #expect(
            text == """
                # For touch-stage --size 100x80
                size 100x80
                wait-window
                sync
                tool 1 added tool
                tool 1 in 5 6
                tool 1 frame
                sleep 20
                tool 1 down
                tool 1 pressure 0.500008
                tool 1 frame
                sleep 10
                tool 1 out
                tool 1 frame
                sleep 10
                tool 1 in 5 6
                tool 1 frame
                sync

                """)
    }

    /// Which no compositor has to tell of, and a stage not before the window is touched.
    @Test func scriptsAreForTheSizeThatWasTouchedFirst() {
        let (text, losses) = script(
            """
            {"type":"ready","width":640,"height":480}
            {"type":"configure","width":960,"height":720}
            {"type":"down","id":1,"time":1000,"x":1,"y":2}
            {"type":"up","id":1,"time":1010}
            {"type":"configure","width":300,"height":200}
            {"type":"down","id":1,"time":2000,"x":1,"y":2,"output":"DP-9"}

            """)
        #expect(text.hasPrefix("# For touch-stage --size 960x720\n"))
        #expect(text.contains("up 1\nsleep 990\nsize 300x200\nsync\ndown 1 1 2\n"), "\(text)")
        #expect(losses.map(\.description) == ["what was on 2 outputs is on one"])
    }

    /// A panel is as large as `info` says.
    @Test func scriptsAreForThePanelThatWasTouched() {
        let units = Fixture.evemu.replacing(" 0 0 10\n", with: " 0 0 0\n")
        for (recording, size, place) in [
            (Fixture.evemu, "599x299", "299.5 149.5"), (units, "1000x500", "500 250"),
            (Fixture.evemuEvents, "1280x720", "156.25 43.945"),
        ] {
            let text = script(recording).text
            let start = "# For touch-stage --size \(size)\nsize \(size)\nwait-window\nsync\ndown 0 \(place)\n"
            #expect(text.hasPrefix(start), "\(text)")
        }
        let losses = script(units).losses
        #expect(losses == [.assumedSize(width: 1000, height: 500, byUnits: true)])
        #expect(
            losses.first?.description
                == "the recording does not tell how large what was touched is: 1000x500 is assumed, by its units; "
                + "--size WxH says otherwise")
        #expect(script(Fixture.evemu).losses.isEmpty)
    }

    @Test func framesThatAreAddedAreCounted() {
        var converter = RecordingConverter(.evemu)
        var text = ""
        let down = #"{"type":"down","id":1,"time":5,"u":0.5,"v":0.5}"#
        let up = #"{"type":"up","id":1,"time":15}"#
        for item in read(
            [down, #"{"type":"frame"}"#, up, down, #"{"type":"cancel","time":20}"#, down].joined(separator: "\n"))
        {
            converter.convert(item, into: &text)
        }
        #expect(
            converter.losses.map(\.description) == [
                "stamps count from 0: when the first event came is left out",
                "1 cancelled contact becomes one that was lifted", "2 frames added where the recording has no frame",
            ])
    }
}
