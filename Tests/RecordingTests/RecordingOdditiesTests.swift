import Gestures
import Testing

@testable import Recording

/// What a recording's summary says of what is odd in its touches.
@Suite struct RecordingOdditiesTests {
    private func line(_ kind: TouchLine.Kind, _ id: Int32?, _ time: UInt32?, _ x: Double? = nil) -> TouchLine {
        TouchLine(kind, seat: "a", id: id, time: time, place: x.map { .output(Point(x: $0, y: 50)) })
    }

    private func summary(_ lines: [TouchLine]) -> RecordingSummary {
        let items = lines.enumerated().map { RecordingItem(line: $0.offset + 1, .touch($0.element)) }
        return RecordingTests.summary(of: items + [RecordingItem(line: lines.count, .end)])
    }

    // MARK: The kernel's events beside touches

    private static let device =
        #"{"type":"evdev-device","device":"event3","name":"P","properties":[1],"axes":[[47,0,9,0,0,0],[53,0,799,0,0,10],"#
        + #"[54,0,479,0,0,10],[57,0,65535,0,0,0]]}"# + "\n"

    private func events(_ time: Int, _ list: String) -> String {
        #"{"type":"evdev","device":"event3","time_us":\#(time),"events":[\#(list),[0,0,0]]}"# + "\n"
    }

    @Test func eventsBesideTouchesAreJudged() {
        let down = events(1_000_000, "[3,57,1],[3,53,9],[3,54,9]")
        let touch =
            #"{"type":"down","seat":"seat0","device":"event3","id":0,"time":1000,"u":0.5,"v":0.5}"# + "\n"
            + #"{"type":"frame","seat":"seat0","device":"event3"}"# + "\n"
        let text = RecordingOdditiesTests.device + down + touch + events(1_010_000, "[0,3,0]")
        let summary = RecordingTests.summary(of: read(text))
        #expect(summary.faults.map(\.kind) == [.dropped(isBeside: true), .endMissing(0, since: 0)])
        #expect(summary.faults.map(\.line) == [5, 3] && summary.contactCount == 1 && summary.leftDownCount == 1)
        #expect(summary.sources.map(\.cancelledCount) == [0])
    }

    /// Of an earlier boot, or after lines that were lost.
    @Test(arguments: ["header", "gap"])
    func eventsBeginAnew(type: String) {
        let text =
            RecordingOdditiesTests.device + events(9_000_000, "[3,57,1],[3,53,9],[3,54,9]")
            + "{\"type\":\"\(type)\"}\n" + events(1_000_000, "[3,57,2],[3,53,9],[3,54,9]")
        #expect(settle(read(text)).faults.isEmpty)
    }

    @Test func aTouchKeyThatContradictsSlotsIsTold() {
        let down = "E: 0.01 0003 0039 0007\nE: 0.01 0003 0035 0500\nE: 0.01 0003 0036 0250\nE: 0.01 0001 014a 0001\n"
        let frame = "E: 0.01 0000 0000 0000\n"
        let key = "E: 0.02 0001 014a 0000\nE: 0.02 0000 0000 0000\n"
        let up = "E: 0.03 0003 0039 -001\nE: 0.03 0000 0000 0000\n"
        let items = settle(read(Fixture.evemuHeader + down + frame + key + up))
        let header = Fixture.evemuHeader.split(separator: "\n").count
        #expect(items.faults == [RecordingFault(.touchedInSlots, line: header + 7)])
        #expect(items.contactWords == ["down 0 0.5,0.5", "up 0"])
        #expect(settle(read(Fixture.evemu)).faults.isEmpty)
    }

    // MARK: Ends

    @Test func contactsWithoutAnEndAreNamed() {
        let summary = summary([
            line(.down, 4, 1000, 10), line(.frame, nil, nil), line(.down, 7, 2250, 90), line(.frame, nil, nil),
            line(.up, 4, 2300), line(.frame, nil, nil),
        ])
        #expect(summary.faults.map(\.kind) == [.endMissing(7, since: 1250)] && summary.faults.map(\.line) == [3])
        #expect(summary.faults.first?.kind.description == "contact 7, down here since 1.25 s, has no end")
        let cut =
            Fixture.evemuHeader + Fixture.evemuEvents.split(separator: "\n").prefix(12).joined(separator: "\n") + "\n"
        let items = settle(read(cut))
        #expect(items.faults.map(\.kind) == [.endMissing(0, since: 0), .endMissing(1, since: 10)])
        let header = Fixture.evemuHeader.split(separator: "\n").count
        #expect(items.faults.map(\.line) == [header + 5, header + 10])
    }

    // MARK: Touches that were lost

    @Test func aTouchThatComesStraightBackIsTold() {
        func back(after pause: UInt32, at x: Double) -> RecordingFault.Kind? {
            summary(
                [line(.down, 0, 100, 10), line(.motion, 0, 110, 50), line(.up, 0, 200)]
                    + [line(.down, 4, 200 + pause, x), line(.up, 4, 300)]
            ).faults.first { $0.kind != .frameMissing }?.kind
        }
        let spot = RecordingFault.Spot(place: .output(Point(x: 50, y: 50)), seconds: 0.109)
        #expect(back(after: 9, at: 50) == .cameBack(4, after: 0, milliseconds: 9, spot))
        #expect(back(after: 30, at: 60) != nil && back(after: 31, at: 50) == nil && back(after: 9, at: 61) == nil)
        #expect(back(after: 9, at: 10) == nil)
        #expect(
            back(after: 9, at: 50)?.description
                == "contact 4 came down 9 ms after contact 0 was lifted there, at 0.109 s, at 50, 50 px")
    }

    /// A stroke of 545 px/s that is broken for a moment goes on as far as the finger went meanwhile.
    @Test func aStrokeThatIsBrokenIsTold() {
        func isTold(after pause: UInt32, _ way: Double, speed: Double = 6, steps: Int = 45) -> Bool {
            var lines = [line(.down, 0, 0, 300)]
            for step in 1...steps { lines.append(line(.motion, 0, UInt32(11 * step), 300 + speed * Double(step))) }
            let (end, time) = (300 + speed * Double(steps), UInt32(11 * steps + 11))
            lines += [line(.up, 0, time), line(.down, 0, time + pause, end + way), line(.up, 0, time + pause + 50)]
            return summary(lines).faults.contains { if case .cameBack = $0.kind { true } else { false } }
        }
        for (pause, way) in [(15, 3), (25, 12), (25, 20), (40, 24), (60, 36), (60, 0)] as [(UInt32, Double)] {
            #expect(isTold(after: pause, way), "\(pause) ms, \(way) px")
        }
        // Behind it, beyond its way, and later.
        for (pause, way) in [(25, -20), (25, 40), (61, 36), (40, -20)] as [(UInt32, Double)] {
            #expect(!isTold(after: pause, way), "\(pause) ms, \(way) px")
        }
        // Fingers that tap in haste hardly move.
        #expect(!isTold(after: 31, 2, speed: 1, steps: 8) && isTold(after: 30, 2, speed: 1, steps: 8))
    }

    /// A panel is nearly twice as wide as it is high.
    @Test func whatComesBackIsAsFarInBothDirections() {
        func isTold(_ x: Double, _ y: Double) -> Bool {
            func place(_ x: Double, _ y: Double) -> TouchLine.Place { .panel(Point(x: x / 1280, y: y / 720)) }
            return summary([
                TouchLine(.down, id: 0, time: 0, place: place(600, 300)), TouchLine(.up, id: 0, time: 80),
                TouchLine(.down, id: 1, time: 103, place: place(600 + x, 300 + y)), TouchLine(.up, id: 1, time: 180),
            ]).faults.contains { if case .cameBack = $0.kind { true } else { false } }
        }
        #expect(isTold(9.9, 0) && isTold(0, 9.9) && isTold(-9.9, 0) && isTold(7, -7))
        #expect(!isTold(10.1, 0) && !isTold(0, 10.1) && !isTold(7.2, 7.2))
    }

    @Test func contactsThatMoveFasterThanFingersAreTold() {
        func fault(_ way: Double, within time: UInt32) -> String? {
            summary([
                line(.down, 1, 1000, 10), line(.frame, nil, nil), line(.motion, 1, 1500, 20), line(.frame, nil, nil),
                line(.motion, 1, 1500 + time, 20 + way), line(.frame, nil, nil), line(.up, 1, 1600),
                line(.frame, nil, nil),
            ]).faults.first?.kind.description
        }
        #expect(
            fault(400, within: 11)
                == "contact 1 moved 400 px within 11 ms, faster than a finger, at 0.511 s, at 420, 50 px")
        // 4.9 m/s, and a short way in no time.
        #expect(fault(325, within: 11) == nil && fault(100, within: 0) == nil && fault(101, within: 0) != nil)
    }

    /// However many, each with figures of its own.
    @Test func touchesThatComeBackAreCountedAsOne() {
        var lines: [TouchLine] = []
        for step in 0..<200 {
            let time = UInt32(100 * step + step % 10)
            lines += [line(.down, 0, time, 10), line(.frame, nil, time), line(.up, 0, time + 80)]
            lines += [line(.frame, nil, time + 80), line(.down, 1, time + 85, 10), line(.frame, nil, time + 85)]
            lines += [line(.up, 1, time + 90), line(.frame, nil, time + 90)]
        }
        let faults = summary(lines).faults
        #expect(faults.count == 1 && faults[0].line == 5 && faults[0].count > 199, "\(faults)")
    }

    // MARK: Sizes and places

    @Test func contactsThatComeDownBesideWhatIsTouchedAreTold() {
        func fault(_ place: TouchLine.Place, isResumed: Bool = false) -> String? {
            var down = TouchLine(.down, seat: "a", id: 1, time: 1, place: place)
            down.isResumed = isResumed
            return summary([down, line(.up, 1, 2), line(.frame, nil, nil)]).faults.first?.kind.description
        }
        #expect(
            fault(.output(Point(x: -50, y: 3.25))) == "contact 1 comes down at -50, 3.25 px, beside what is touched")
        #expect(
            fault(.panel(Point(x: 0.5, y: 1.2)))
                == "contact 1 comes down at 0.5, 1.2 of the panel, beside what is touched")
        for place in [TouchLine.Place.output(.zero), .panel(Point(x: -0.1, y: 1.1))] { #expect(fault(place) == nil) }
        // It has moved there since.
        #expect(fault(.output(Point(x: -50, y: 3)), isResumed: true) == nil)
        let moved = [line(.down, 1, 1, 5), line(.motion, 1, 2, -70), line(.up, 1, 2), line(.frame, nil, 2)]
        #expect(summary(moved).faults.isEmpty)
    }

    /// Resolutions that no panel has.
    @Test func anAxisOfNoPanelIsTold() {
        for (resolution, isOdd) in [(0, false), (10, false), (800, true), (-1, true), (2_000_000_000, true)] {
            let device = RecordingOdditiesTests.device.replacing(
                "[53,0,799,0,0,10]", with: "[53,0,799,0,0,\(resolution)]")
            let text = device + events(1, "[3,57,1],[3,53,9],[3,54,9]") + events(2, "[3,57,-1]")
            let summary = RecordingTests.summary(of: read(text))
            #expect(summary.faults.map(\.kind) == (isOdd ? [.oddLength(EvdevCode.positionX)] : []), "\(resolution)")
            #expect((summary.devices[0].axis(EvdevCode.positionX)?.millimetres == nil) == (resolution != 10))
        }
    }

    // MARK: Frames

    @Test func framesThatNobodySentAreCounted() {
        let lines = [line(.down, 1, 10, 5), line(.motion, 1, 20, 6), line(.motion, 1, 21, 7), line(.up, 1, 30)]
        let faults = summary(lines).faults
        #expect(faults.map(\.kind) == [.frameMissing] && faults.map(\.count) == [3] && faults.map(\.line) == [2])
        let framed = lines.flatMap { [$0, line(.frame, nil, nil)] }
        #expect(summary(framed).faults.isEmpty)
        // Nobody knows of one that may be lost.
        #expect(summary(framed.dropLast() + [TouchLine(.other("gap"))]).faults.isEmpty)
        // The last one of a run as well.
        let header = TouchLine(.other("header"))
        let runs = summary(framed.dropLast() + [header] + framed.dropLast()).faults
        #expect(runs.map(\.kind) == [.frameMissing] && runs.map(\.count) == [2] && runs.map(\.line) == [7])
    }

    @Test func theLongestIntervalHasItsPlace() throws {
        let times: [UInt32] = [0, 8, 16, 24, 66, 74, 474, 482]
        let lines = times.flatMap { time in
            [line(time == 0 ? .down : .motion, 1, 1000 + time, Double(time)), line(.frame, nil, nil)]
        }
        let intervals = try #require(summary(lines).sources.first).intervals
        #expect(intervals.count == 6 && intervals.quantile(0.5) == 8 && intervals.quantile(0.99) == 42)
        #expect(intervals.longest == .init(length: 42, seconds: 0.066, line: 10))
        #expect(intervals.pauseCount == 1 && intervals.longestPause == .init(length: 400, seconds: 0.474, line: 14))
    }

    // MARK: Devices

    @Test func devicesThatLinesNameAreKept() throws {
        let text = Fixture.debugEvents.replacing("154x86mm calib", with: "154x86mm ntouches 10 calib")
        let summary = RecordingTests.summary(of: read(text))
        guard case .device(let facts) = try #require(summary.namedDevices.first).kind else { return }
        #expect(facts.name == "Test Panel With Name" && facts.touchCount == 10 && summary.namedDevices.count == 1)
        let both =
            RecordingOdditiesTests.device + #"{"type":"device","event":"added","device":"event3","name":"P"}"# + "\n"
        #expect(RecordingTests.summary(of: read(both)).namedDevices.isEmpty)
    }
}
