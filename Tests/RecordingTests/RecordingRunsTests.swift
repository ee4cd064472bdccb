import Gestures
import Testing

@testable import Recording

/// Several recordings in one file, as `cat` joins them.
@Suite struct RecordingRunsTests {
    private static let getevent = """
        [   12.000000] /dev/input/event2: EV_ABS ABS_MT_TRACKING_ID 00000007
        [   12.000000] /dev/input/event2: EV_ABS ABS_MT_POSITION_X 00000100
        [   12.000000] /dev/input/event2: EV_ABS ABS_MT_POSITION_Y 00000200
        [   12.000000] /dev/input/event2: EV_SYN SYN_REPORT 00000000
        [   12.090000] /dev/input/event2: EV_ABS ABS_MT_TRACKING_ID ffffffff
        [   12.090000] /dev/input/event2: EV_SYN SYN_REPORT 00000000

        """
    private static let log = """
        [1.0] wl_touch@13.down(78, 5000, wl_surface@3, 0, 100.0, 40.0)
        [1.0] wl_touch@13.frame()
        [1.0] wl_touch@13.up(78, 5090, 0)
        [1.0] wl_touch@13.frame()

        """

    /// A second lies between them, as between runs that say so themselves: no finger tapped twice, and none came back.
    @Test(arguments: [getevent, log])
    func whatBeginsAgainIsAnotherRun(text: String) {
        let items = settle(read(text + text))
        let start = items.times[0]
        #expect(items.times.filter { $0 >= start + 1090 }.count == items.times.count / 2)
        #expect(items.times.contains(start + 1180))
        #expect(items.filter { $0.beginsRun }.count == 1)
        let summary = summary(of: read(text + text))
        #expect(summary.contactCount == 2 && summary.sources.count == 1)
        #expect(summary.faults.map(\.kind).filter { $0 != .noDescription } == [.anotherRun])
    }

    /// Those that say what they are made with say it again.
    @Test(arguments: [
        Fixture.evemu, Fixture.evtest, Fixture.geteventDescription + getevent,
    ])
    func aDescriptionBehindEventsIsAnotherRun(text: String) {
        let one = settle(read(text))
        let two = settle(read(text + text))
        #expect(two.filter { $0.beginsRun }.count == 1)
        #expect(two.contactWords.filter { $0 != "header" } == one.contactWords + one.contactWords)
        #expect(two.faults.count == 2 * one.faults.count)
        let summary = summary(of: read(text + text))
        #expect(summary.sources.count == 1 && summary.devices.count == 1)
        #expect(summary.leftDownCount == leftDown(one))
    }

    private func leftDown(_ items: [RecordingItem]) -> Int {
        items.faults.filter { if case .endMissing = $0.kind { true } else { false } }.count
    }

    /// A clock that is set while a finger is down is one step of the same recording.
    @Test func aClockThatIsSetWhileATouchLastsIsNoRun() {
        let text = """
            [1.0] wl_touch@13.down(78, 5000, wl_surface@3, 0, 100.0, 40.0)
            [1.0] wl_touch@13.motion(1000, 0, 100.0, 40.0)
            [1.0] wl_touch@13.up(78, 1090, 0)

            """
        let items = settle(read(text))
        #expect(items.times == [5000, 5000, 5090] && items.faults.map(\.kind) == [.clockWentBack])
    }

    /// Two panels of one seat are not told in the order of their stamps.
    @Test func disorderIsNoRun() {
        let text =
            RecordingRunsTests.log
            + RecordingRunsTests.log.replacing("5000", with: "5080").replacing("5090", with: "5200")
        #expect(settle(read(text)).faults.map(\.kind) == [.clockWentBack])
    }

    /// What becomes lines of ours has the line that says so, and tells the same again.
    @Test func linesOfOursTellOfIt() {
        var converter = RecordingConverter(.jsonLines)
        var lines = ""
        for item in read(RecordingRunsTests.log + RecordingRunsTests.log) { converter.convert(item, into: &lines) }
        #expect(lines.contains("{\"type\":\"header\",\"version\":1}\n"))
        let again = settle(read(lines))
        #expect(again.times == [5000, 5090, 6090, 6180] && again.faults.isEmpty)
    }

    @Test func aScriptSleepsForASecond() {
        var converter = RecordingConverter(.stageScript)
        var script = ""
        for item in read(RecordingRunsTests.log + RecordingRunsTests.log) { converter.convert(item, into: &script) }
        let sleeps = script.split(separator: "\n").filter { $0.hasPrefix("sleep") }
        #expect(sleeps == ["sleep 90", "sleep 1000", "sleep 90"])
    }

    /// Stamps of two runs have nothing to do with each other: what lies between them took no time.
    @Test func durationsAreThoseOfTheRuns() throws {
        let header = "{\"type\":\"header\",\"version\":1}\n"
        func down(_ id: Int, at time: Int) -> String {
            "{\"type\":\"down\",\"seat\":\"s\",\"id\":\(id),\"time\":\(time),\"x\":1,\"y\":1}\n"
        }
        func up(_ id: Int, at time: Int) -> String {
            "{\"type\":\"up\",\"seat\":\"s\",\"id\":\(id),\"time\":\(time)}\n"
        }
        let items = read(
            header + down(1, at: 5) + up(1, at: 25) + header + down(2, at: 28_211_000) + up(2, at: 28_211_050)
                + header + down(3, at: 7) + down(4, at: 19))
        #expect(summary(of: items).sources.map(\.duration) == [0.082])
        let since = settle(items).faults.compactMap { fault -> UInt32? in
            if case .endMissing(_, let since) = fault.kind { since } else { nil }
        }
        #expect(since == [0, 12])
    }

    // MARK: Lines of a later version

    @Test func aLaterVersionIsNamedAndRead() {
        let items = read("{\"type\":\"header\",\"version\":99}\n" + Fixture.jsonLines)
        #expect(items.faults == [RecordingFault(.newerVersion(99), line: 1)])
        #expect(items.words.count == read(Fixture.jsonLines).words.count + 1)
        for header in [#"{"type":"header","version":1}"#, #"{"type":"header"}"#, #"{"type":"x","version":99}"#] {
            #expect(read(header + "\n").faults.isEmpty)
        }
    }

    // MARK: What others write

    @Test func oldStampsOfGeteventAreRead() {
        let items = read(
            "12345-678: /dev/input/event2: 0003 0039 00000007\n12345-900000: /dev/input/event2: 0000 0000 00000000\n")
        #expect(items.events.map(\.time) == [12_345_000_678, 12_345_900_000] && items.faults.isEmpty)
        #expect(items.events.first == EvdevEvent(time: 12_345_000_678, type: 3, code: 0x39, value: 7))
    }
}
