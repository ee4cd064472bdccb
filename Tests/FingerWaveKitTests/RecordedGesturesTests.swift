import Gestures
import Testing

@testable import FingerWaveKit
@testable import Recording

@Suite struct RecordedGesturesTests {
    /// What is handed out of lines of JSON, each moment as its ms and its gestures' names, without those of contacts.
    private static func words(
        _ lines: [String], _ options: [String] = [], size: Size? = nil, device: EvdevDevice? = nil
    ) throws -> [String] {
        let parsed = try ParsedArguments(options, specs: GestureOptions.specs)
        let recorded = RecordedGestures(try GestureOptions(parsed.options), size: size)
        if let device { recorded.handle(RecordingItem(line: 1, .device(device, number: 0))) { _ in } }
        var words: [String] = []
        func note(_ moment: RecordedGestures.Moment) {
            for gesture in moment.gestures where gesture.name != "contact" && gesture.name != "slop" {
                words.append("\(moment.time.nanoseconds / 1_000_000) \(gesture.name) \(gesture.phase.name)")
            }
            for change in moment.frame?.changes ?? [] where change.phase == .cancelled {
                words.append("\(moment.time.nanoseconds / 1_000_000) cancelled")
            }
        }
        for line in lines { recorded.handle(try TouchLine(line), note) }
        recorded.finish(note)
        return words
    }

    private static func down(_ id: Int, _ time: Int, x: Int = 100, seat: String = "seat0") -> String {
        #"{"type":"down","seat":"\#(seat)","id":\#(id),"time":\#(time),"x":\#(x),"y":50}"#
    }

    private static func up(_ id: Int, _ time: Int, seat: String = "seat0") -> String {
        #"{"type":"up","seat":"\#(seat)","id":\#(id),"time":\#(time)}"#
    }

    private static let frame = #"{"type":"frame"}"#
    private static let otherFrame = #"{"type":"frame","seat":"other"}"#

    @Test func aTapIsToldAtItsTime() throws {
        let lines = [Self.down(0, 4_294_967_290), Self.frame, Self.up(0, 74), Self.frame]
        // The stamps pass 2^32: 80 ms.
        #expect(try Self.words(lines) == ["80 tap ended"])
    }

    /// Compositors that send no frame: the next stamp ends what came before.
    @Test func linesWithoutFramesAreTold() throws {
        #expect(try Self.words([Self.down(0, 10), Self.up(0, 90)]) == ["80 tap ended"])
    }

    @Test func aLongPressBeginsWhenItIsDueAndNotWithTheNextLine() throws {
        let lines = [Self.down(0, 1000), Self.frame, Self.up(0, 3000), Self.frame]
        #expect(try Self.words(lines) == ["500 long-press began", "2000 long-press ended"])
    }

    /// The deadline of one source passes while another one speaks.
    @Test func everySourceHasItsTime() throws {
        let lines = [
            Self.down(0, 1000), Self.frame, Self.down(0, 50_000, x: 900, seat: "other"), Self.otherFrame,
            Self.up(0, 50_900, seat: "other"), Self.otherFrame,
        ]
        #expect(
            try Self.words(lines) == [
                "500 long-press began", "49500 long-press began", "49900 long-press ended",
                "49900 long-press cancelled", "49900 cancelled",
            ])
    }

    /// A pen's stroke is no finger's, and its frames have its time.
    @Test func pensMakeGestures() throws {
        func tool(_ event: String) -> String { #"{"type":"tool","seat":"seat0","tool":1,"event":\#(event)}"# }
        let lines = [
            tool(#""motion","x":50,"y":50"#), tool(#""down""#), tool(#""frame","time":1000"#),
            tool(#""frame","time":1700"#), tool(#""up""#), tool(#""frame","time":1800"#),
        ]
        #expect(
            try Self.words(lines).filter { !$0.contains("hover") } == [
                "500 long-press began", "800 long-press ended",
            ])
        // Whoever recorded it was ended while it was down.
        let cut = Array(lines.prefix(3)) + [#"{"type":"header"}"#] + lines.prefix(3)
        #expect(try Self.words(cut).filter { $0.contains("cancelled") } == ["0 cancelled", "0 cancelled"])
    }

    @Test func whatIsLeftDownEndsAsCancelled() throws {
        #expect(
            try Self.words([Self.down(0, 0), Self.frame, Self.down(1, 200, x: 500), Self.frame]).suffix(2)
                == ["200 cancelled", "200 cancelled"])
    }

    @Test func aTapThatWaitsForAnotherIsToldAtTheEnd() throws {
        let lines = [Self.down(0, 0), Self.frame, Self.up(0, 50), Self.frame]
        #expect(try Self.words(lines, ["--wait-double-tap"]) == ["350 tap ended"])
    }

    @Test func aCancelWithoutItsDeviceEndsTheWholeSeat() throws {
        func line(_ type: String, _ device: String, _ id: Int, _ time: Int) -> String {
            #"{"type":"\#(type)","seat":"a","device":"\#(device)","id":\#(id),"time":\#(time),"u":0.5,"v":0.5}"#
        }
        let lines = [
            line("down", "event1", 0, 0), line("down", "event2", 0, 0), #"{"type":"cancel","seat":"a"}"#,
        ]
        #expect(try Self.words(lines) == ["0 cancelled", "0 cancelled"])
    }

    /// A swipe from the left edge needs to know where the edges are.
    @Test func theRecordedSizeIsThatOfTheEdges() throws {
        let ready = #"{"type":"ready","width":400,"height":300,"scale":1}"#
        var lines = [Self.down(0, 0, x: 395), Self.frame]
        for step in 1...5 {
            lines.append(#"{"type":"motion","id":0,"time":\#(step * 10),"x":\#(395 - step * 40),"y":50}"#)
            lines.append(Self.frame)
        }
        lines += [Self.up(0, 60), Self.frame]
        #expect(try Self.words(lines).contains("60 swipe ended"))
        #expect(try Self.words([ready] + lines).contains("60 edge-swipe ended"))
        #expect(try Self.words(lines, size: Size(width: 400, height: 300)).contains("60 edge-swipe ended"))
    }

    /// What lost events have made unusable took its time.
    @Test func timeGoesOnBehindLostEvents() throws {
        let recorded = RecordedGestures()
        var scan = RecordingScan()
        func count(_ moment: RecordedGestures.Moment) { scan.count(moment, on: recorded.surfaces) }
        recorded.handle(try TouchLine(#"{"type":"down","device":"e","id":1,"time":10,"u":0.5,"v":0.5}"#), count)
        recorded.handle(try TouchLine(#"{"type":"cancel","device":"e","id":1,"time":20}"#), count)
        #expect(scan.end == .milliseconds(10))
        let left = RecordingFault.LeftOut(device: "e", frames: 9, milliseconds: 80, until: 110)
        recorded.handle(RecordingItem(line: 3, .fault(.leftOut(left))), count)
        recorded.finish(count)
        #expect(scan.end == .milliseconds(100) && scan.traffic.map { $0.touched.count } == [1])
    }

    // MARK: Sizes

    private static func surface(_ lines: [String], size: Size? = nil, device: EvdevDevice? = nil) throws
        -> RecordedSurface?
    {
        let recorded = RecordedGestures(size: size)
        if let device { recorded.handle(RecordingItem(line: 1, .device(device, number: 0))) { _ in } }
        for line in lines { recorded.handle(try TouchLine(line)) { _ in } }
        return recorded.surfaces.all.first
    }

    private static let panelDown = #"{"type":"down","device":"event1","id":0,"time":0,"u":0.5,"v":0.5}"#

    @Test func aPanelIsAsLargeAsItSays() throws {
        let added =
            #"{"type":"device","event":"added","device":"event1","name":"P","millimetres":[160,90]}"#
        let surface = try #require(try Self.surface([added, Self.panelDown]))
        #expect(surface.size == Size(width: 960, height: 540) && surface.basis == .millimetres)
        #expect(surface.pixelsPerMillimetre == 6)
        #expect(surface.position(.panel(Point(x: 0.5, y: 0.5))) == Point(x: 480, y: 270))
        let told = try #require(try Self.surface([added, Self.panelDown], size: Size(width: 1600, height: 900)))
        #expect(told.size?.width == 1600 && told.pixelsPerMillimetre == 10)
    }

    @Test(arguments: [
        (1279, 767, Size(width: 1280, height: 768)), (32767, 18431, Size(width: 1280, height: 720)),
        (9, 4, Size(width: 1280, height: 640)),
    ])
    func aPanelWithoutMillimetresKeepsItsProportion(x: Int32, y: Int32, size: Size) throws {
        var device = EvdevDevice()
        device.node = "event1"
        device.add(EvdevDevice.Axis(EvdevCode.positionX, 0, x))
        device.add(EvdevDevice.Axis(EvdevCode.positionY, 0, y))
        let surface = try #require(try Self.surface([Self.panelDown], device: device))
        #expect(surface.size == size && surface.basis == .range && surface.pixelsPerMillimetre == nil)
    }

    /// Panels and outputs of one name are not the same, and each is the same again whatever came between.
    @Test func whatIsTouchedAgainIsKnownAgain() throws {
        func line(_ name: Int, isPanel: Bool) throws -> TouchLine {
            let place = isPanel ? #""device":"n\#(name)","u":0.5,"v":0.5"# : #""output":"n\#(name)","x":5,"y":5"#
            return try TouchLine(#"{"type":"down","id":0,"time":0,\#(place)}"#)
        }
        var surfaces = RecordedSurfaces(size: nil)
        for _ in 0..<2 {
            for name in 0..<300 {
                #expect(surfaces.number(of: try line(name, isPanel: false)) == 2 * name)
                #expect(surfaces.number(of: try line(name, isPanel: true)) == 2 * name + 1)
                #expect(surfaces.number(of: try line(name, isPanel: true)) == 2 * name + 1)
            }
        }
        #expect(surfaces.all.count == 600 && surfaces.all[7].name == "n3" && surfaces.all[7].basis == .assumed)
    }

    @Test func aPanelThatTellsNothingIsAssumed() throws {
        let surface = try #require(try Self.surface([Self.panelDown]))
        #expect(surface.size == Size(width: 1280, height: 720) && surface.basis == .assumed)
        #expect(try Self.surface([Self.down(0, 0)])?.size == nil)
    }

    // MARK: Time

    private static func seat(_ name: String) -> TouchLine { TouchLine(.frame, seat: name) }

    @Test func clocksOfSourcesAreOneWhereTheyCanBe() {
        var clock = RecordedClock()
        let (a, b, c) = (Self.seat("a"), Self.seat("b"), Self.seat("c"))
        var times: [Int64] = []
        for (stamp, key) in [(1000, a), (1500, b), (1400, a), (90_000_000, c), (90_000_300, c), (1900, b)] {
            times.append(clock.time(UInt32(stamp), of: key).nanoseconds / 1_000_000)
        }
        #expect(times == [0, 500, 400, 400, 700, 900])
    }

    @Test func aPauseOfDaysIsCut() {
        var clock = RecordedClock()
        let key = Self.seat("a")
        #expect(clock.time(0, of: key).nanoseconds == 0)
        #expect(clock.time(400_000_000, of: key) == .milliseconds(3_600_000))
        #expect(clock.time(400_000_010, of: key) == .milliseconds(3_600_010))
    }

    /// Where the recording says itself that another run begins, and for all sources alike.
    @Test func aPauseBetweenTwoRunsIsASecondAtMost() throws {
        var clock = RecordedClock()
        let (a, b) = (Self.seat("a"), Self.seat("b"))
        clock.beginAnew()
        var times = [clock.time(1000, of: a), clock.time(1500, of: b)]
        clock.beginAnew()
        times += [clock.time(9_000_000, of: a), clock.time(9_000_100, of: b), clock.time(9_000_200, of: a)]
        #expect(times == [0, 500, 1500, 1600, 1700].map { .milliseconds($0) })
        let header = #"{"type":"header","version":1}"#
        let recorded = RecordedGestures()
        for text in [header, Self.down(0, 1000), header, Self.down(0, 9_000_000)] {
            recorded.handle(try TouchLine(text)) { _ in }
        }
        #expect(recorded.now == .milliseconds(1000))
    }

    /// Nobody knows how long ago a run of another boot was.
    @Test func aRunThatIsBehindComesASecondLater() {
        var clock = RecordedClock()
        let line = TouchLine(.up, seat: "a")
        var times = [clock.time(9000, of: line)]
        clock.beginAnew()
        times += [clock.time(7, of: line), clock.time(17, of: line)]
        #expect(times == [0, 1000, 1010].map { .milliseconds($0) })
    }

    /// A recording that ends while a finger is down does not say that it was cancelled.
    @Test func whatIsDownAtTheEndWasNotCancelled() throws {
        let recorded = RecordedGestures()
        var phases: [ContactFrame.Phase] = []
        func note(_ moment: RecordedGestures.Moment) {
            phases += (moment.frame?.changes ?? []).map { moment.phase(of: $0) }
        }
        let cancel = #"{"type":"cancel","seat":"seat0"}"#
        for text in [Self.down(0, 1000), cancel, Self.down(1, 2000)] {
            recorded.handle(try TouchLine(text), note)
        }
        recorded.finish(note)
        #expect(phases == [.began, .cancelled, .began, .moved])
    }

    /// What time alone makes comes in its time behind a pause that was cut, too.
    @Test func aLongPressBehindAPauseThatIsCutIsToldInItsTime() throws {
        let recorded = RecordedGestures()
        var moments: [RecordedGestures.Moment] = []
        for text in [Self.down(0, 1000), Self.up(0, 1050), Self.down(0, 90_000_000), Self.up(0, 90_001_000)] {
            recorded.handle(try TouchLine(text)) { moments.append($0) }
        }
        recorded.finish { moments.append($0) }
        let presses = moments.filter { $0.gestures.contains { $0.name == "long-press" && $0.phase == .began } }
        #expect(presses.map { $0.time } == [.milliseconds(3_600_550)])
    }
}
