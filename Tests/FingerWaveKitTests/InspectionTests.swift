import Gestures
import Testing
import TouchStage

@testable import FingerWaveKit

/// The inspector in a window, and its figures in the log.
@Suite struct InspectionTests {
    private func harness(
        _ options: String..., setUp: @escaping (inout Stage.Options) -> Void = { _ in }
    ) throws -> SessionHarness {
        try SessionHarness(words: options) {
            $0.seats = [.init(name: "seat0", capabilities: [.touch, .keyboard])]
            setUp(&$0)
        }
    }

    private func press(_ code: UInt32, _ harness: SessionHarness) {
        harness.stage.seat.keyboard.enter(harness.stage.surfaces[0])
        harness.stage.seat.keyboard.tap(code)
        harness.pump()
    }

    /// evdev's code of i.
    private let key: UInt32 = 23

    private func touch(_ harness: SessionHarness, _ body: (StageTouch) -> Void) {
        body(harness.stage.seat.touch)
        harness.stage.seat.touch.frame()
        harness.pump()
    }

    /// How many pixels of a part of the picture differ from the background.
    private func ink(_ harness: SessionHarness, x: Range<Int>, y: Range<Int>) -> Int {
        let picture = harness.stage.screenshot()
        return y.reduce(0) { sum, y in sum + x.filter { picture[$0, y] != harness.background }.count }
    }

    // MARK: Picture

    #if FCFT
        @Test func theKeyShowsAndHidesIt() throws {
            let harness = try harness()
            #expect(ink(harness, x: 0..<400, y: 0..<300) == 0)
            press(key, harness)
            #expect(ink(harness, x: 0..<100, y: 0..<20) > 500)
            harness.play(milliseconds: 50)
            press(key, harness)
            harness.play(milliseconds: 50)
            #expect(ink(harness, x: 0..<400, y: 0..<300) == 0)
            #expect(harness.stage.violations.isEmpty, "\(harness.stage.violations)")
        }

        @Test func aContactHasALabelThatGoesWithIt() throws {
            let harness = try harness()
            press(key, harness)
            harness.play(milliseconds: 20)
            touch(harness) { $0.down(7, x: 100, y: 200) }
            harness.play(milliseconds: 20)
            #expect(ink(harness, x: 135..<230, y: 180..<220) > 1000)
            touch(harness) { $0.motion(7, x: 150, y: 270) }
            harness.play(milliseconds: 20)
            #expect(ink(harness, x: 185..<280, y: 250..<290) > 1000)
            #expect(ink(harness, x: 135..<230, y: 180..<220) == 0)
            touch(harness) { $0.up(7) }
            harness.play(milliseconds: 1100)
            #expect(ink(harness, x: 0..<400, y: 150..<300) == 0)
            #expect(harness.stage.violations.isEmpty, "\(harness.stage.violations)")
        }

        @Test func whatIsDownAlreadyIsTakenOn() throws {
            let harness = try harness()
            touch(harness) { $0.down(7, x: 100, y: 200) }
            harness.play(milliseconds: 1000)
            press(key, harness)
            harness.play(milliseconds: 20)
            #expect(ink(harness, x: 135..<230, y: 180..<220) > 1000)
        }
    #endif

    private func end(_ harness: SessionHarness) throws -> [String] {
        harness.session.inspection?.logLast(
            harness.session.contactSources, at: Instant(nanoseconds: harness.stage.now))
        harness.session.close()
        return harness.log.lines()
    }

    /// What closing ends is no news to be told of behind the last word.
    @Test func theLastWordIsSaidOnce() throws {
        let harness = try harness("--log=json")
        touch(harness) { $0.down(1, x: 200, y: 200) }
        harness.play(milliseconds: 50)
        let lines = try end(harness)
        let statistics = lines.filter { $0.contains("\"statistics\"") }
        #expect(statistics.count == 1 && statistics[0].contains("\"contacts\":1,"), "\(lines)")
    }

    /// The log's figures and `info` of the log are the same.
    @Test func aLastFrameThatIsMissingIsTold() throws {
        let harness = try harness("--log=json")
        touch(harness) { $0.down(1, x: 200, y: 200) }
        harness.play(milliseconds: 50)
        harness.stage.seat.touch.up(1)
        harness.pump()
        harness.play(milliseconds: 50)
        let lines = try end(harness)
        #expect(lines.filter { $0.contains("\"fault\":\"missing-frame\",\"count\":1") }.count == 2, "\(lines)")
        #expect(lines.last?.contains("\"faults\":[{\"fault\":\"missing-frame\",\"count\":1}]") == true)
        let folder = try TestFolder()
        let report = try RecordingReport(path: folder.write("log", lines.map { $0 + "\n" }.joined()))
        #expect(report.summary.faults.map(\.kind) == [.frameMissing] && report.summary.faults.map(\.count) == [1])
    }

    /// A recording's time is faster than that in which its pictures are made.
    @Test func latenciesOfARecordingAreReal() throws {
        // 3 ms later each time.
        var real: Int64 = 0
        let harness = try SessionHarness(
            words: ["--log=json"],
            prepare: { session in
                session.realClock = {
                    real += 3_000_000
                    return Instant(nanoseconds: real)
                }
            })
        touch(harness) { $0.down(1, x: 200, y: 200) }
        harness.play(milliseconds: 30)
        let lines = try end(harness)
        let measured = #"{"from":"arrival","to":"commit","count":1,"median":3,"p99":3}"#
        #expect(lines.last?.contains(measured) == true, "\(lines)")
    }

    @Test func nothingWakesItWhenNothingIsTouched() throws {
        let harness = try harness()
        press(key, harness)
        harness.tap(x: 200, y: 250)
        harness.play(milliseconds: 1500)
        #expect(harness.session.nextDeadline == nil)
        harness.stage.keepsJournal = true
        harness.play(milliseconds: 10_000)
        #expect(harness.stage.journal.isEmpty, "\(harness.stage.journal.map(\.description))")
    }

    @Test func aFingerAtRestIsFollowedForAWhileAndNotForEver() throws {
        let harness = try harness()
        press(key, harness)
        touch(harness) { $0.down(1, x: 200, y: 200) }
        harness.play(milliseconds: 600)
        let deadline = try #require(harness.session.nextDeadline)
        #expect(deadline.nanoseconds - harness.stage.now <= 200_000_000)
        let commits = harness.stage.surfaces[0].commitCount
        harness.play(milliseconds: 1000)
        let shown = harness.stage.surfaces[0].commitCount - commits
        #expect(shown <= 11, "\(shown) commits a second for figures")
        harness.play(milliseconds: 10_000)
        #expect(harness.session.nextDeadline == nil)
    }

    @Test func heldStillItWakesNobody() throws {
        let harness = try harness()
        press(key, harness)
        touch(harness) { $0.down(1, x: 200, y: 200) }
        harness.play(milliseconds: 700)
        // Space.
        press(57, harness)
        #expect(harness.session.nextDeadline == nil)
    }

    // MARK: Log

    private func lines(_ harness: SessionHarness, _ type: String) -> [String] {
        harness.printed().filter { $0.hasPrefix("{\"type\":\"\(type)\"") }
    }

    @Test func statisticsComeWithTheEndOfTouchingAndOnceASecond() throws {
        let harness = try harness("--log=json")
        touch(harness) { $0.down(1, x: 10, y: 200) }
        for step in 1...250 {
            harness.play(milliseconds: 10)
            touch(harness) { $0.motion(1, x: 10 + Double(step), y: 200) }
        }
        touch(harness) { $0.up(1) }
        let statistics = lines(harness, "statistics")
        #expect(statistics.count == 3, "\(statistics)")
        #expect(statistics.last?.contains(#""contacts":0,"most":1,"begun":1,"events":252"#) == true, "\(statistics)")
        #expect(statistics.last?.contains(#""interval":{"count":250,"median":10,"p99":10}"#) == true, "\(statistics)")
        #expect(
            statistics.last?.contains(#""latency":[{"from":"arrival","to":"commit","count":"#) == true, "\(statistics)")
        harness.play(milliseconds: 5000)
        #expect(lines(harness, "statistics").isEmpty)
    }

    @Test func latenciesAreWhatTheyAre() throws {
        let harness = try harness("--log=json", "--log-presented")
        touch(harness) { $0.down(1, x: 100, y: 100) }
        // Committed in the turn of its arrival, seen 10 ms later.
        harness.play(milliseconds: 10)
        #expect(lines(harness, "presented") == [#"{"type":"presented","commit":0,"photons":10}"#])
        // One whose frame must wait for the one before it.
        touch(harness) { $0.motion(1, x: 150, y: 100) }
        harness.stage.advance(milliseconds: 4)
        touch(harness) { $0.motion(1, x: 200, y: 100) }
        harness.stage.advance(milliseconds: 4)
        harness.stage.fireFrameCallbacks()
        harness.pump()
        harness.play(milliseconds: 10)
        #expect(
            lines(harness, "presented") == [
                #"{"type":"presented","commit":0,"photons":8}"#, #"{"type":"presented","commit":4,"photons":14}"#,
            ])
    }

    @Test func presentationsAreLoggedOnlyWhenAsked() throws {
        let harness = try harness("--log=json")
        harness.tap(x: 100, y: 100)
        harness.play(milliseconds: 200)
        #expect(lines(harness, "presented").isEmpty)
        harness.tap(x: 100, y: 100)
        let statistics = try #require(lines(harness, "statistics").last)
        #expect(statistics.contains(#"{"from":"arrival","to":"photons","count":"#), "\(statistics)")
    }

    @Test func stampsOfTheSameClockAreBelieved() throws {
        let harness = try harness("--log=json", "--log-presented")
        // The stage stamps with its own clock, which is the session's.
        touch(harness) { $0.down(1, x: 10, y: 100) }
        harness.play(milliseconds: 10)
        for step in 1...20 {
            harness.stage.seat.touch.motion(1, x: 10 + Double(step) * 5, y: 100)
            harness.stage.seat.touch.frame()
            // On its way for 3 ms.
            harness.stage.advance(milliseconds: 3)
            harness.pump()
            harness.play(milliseconds: 10)
        }
        let presented = lines(harness, "presented")
        #expect(presented.last == #"{"type":"presented","delivery":3,"commit":0,"photons":10}"#)
    }

    @Test func aPictureThatWasNeverSeenIsSaidToBe() throws {
        let harness = try harness("--log=json", "--log-presented")
        touch(harness) { $0.down(1, x: 100, y: 100) }
        harness.stage.window?.configure(width: 300, height: 200)
        harness.pump()
        #expect(lines(harness, "presented") == [#"{"type":"presented","commit":0,"discarded":true}"#])
        touch(harness) { $0.up(1) }
        #expect(lines(harness, "statistics").last?.contains(#""discarded":1"#) == true)
    }

    @Test(arguments: [true, false])
    func photonsThatCannotBeComparedAreUnavailable(isOffered: Bool) throws {
        let harness = try harness("--log=json", "--log-presented") {
            if isOffered { $0.presentationClock = 4 } else { $0.globals[.presentation] = nil }
        }
        harness.tap(x: 100, y: 100)
        harness.play(milliseconds: 50)
        harness.tap(x: 100, y: 100)
        let printed = harness.printed()
        let statistics = try #require(printed.last { $0.contains("\"statistics\"") })
        #expect(statistics.contains(#""photons":"unavailable""#) && !statistics.contains(#""to":"photons""#))
        #expect(!printed.contains { $0.contains(#""photons":1"#) })
        #expect(harness.stage.violations.isEmpty, "\(harness.stage.violations)")
    }

    @Test func faultsAreLoggedAsTheyRise() throws {
        let harness = try harness("--log=json")
        touch(harness) { $0.down(1, x: 100, y: 100) }
        #expect(lines(harness, "fault").isEmpty)
        touch(harness) { $0.down(1, x: 300, y: 100) }
        #expect(lines(harness, "fault") == [#"{"type":"fault","seat":"seat0","fault":"duplicate-down","count":1}"#])
        touch(harness) { $0.motion(9, x: 1, y: 1) }
        #expect(
            lines(harness, "fault") == [#"{"type":"fault","seat":"seat0","fault":"motion-without-down","count":1}"#])
    }

    /// A compositor that sends no frames would make each other line one.
    @Test func aTextSaysAFaultThatGoesOnOnce() throws {
        let harness = try harness("--log")
        func move(_ count: Int, from time: UInt32) -> [String] {
            for step in 0..<count {
                harness.stage.seat.touch.motion(1, x: 100 + Double(step), y: 100, time: time + 10 * UInt32(step))
                harness.pump()
                harness.play(milliseconds: 10)
            }
            return harness.printed().filter { $0.contains(" fault ") }
        }
        harness.stage.seat.touch.down(1, x: 100, y: 100, time: 1000)
        harness.pump()
        let first = move(20, from: 1010)
        #expect(first.count == 1 && first[0].hasSuffix("missing-frame, 1 so far"), "\(first)")
        harness.play(milliseconds: 5000)
        #expect(move(5, from: 6210).isEmpty)
        // It has come back.
        harness.play(milliseconds: 10_000)
        let last = move(5, from: 16_260)
        #expect(last.count == 1 && last[0].hasSuffix("missing-frame, 26 so far"), "\(last)")
    }

    @Test func buffersThatAreNeverReleasedAreReportedOnce() throws {
        let harness = try harness("--log=json") { $0.releases = .manual }
        touch(harness) { $0.down(1, x: 10, y: 100) }
        for step in 1...5 {
            harness.play(milliseconds: 10)
            touch(harness) { $0.motion(1, x: 10 + Double(step) * 20, y: 100) }
        }
        #expect(lines(harness, "fault").isEmpty)
        #expect(harness.session.nextDeadline != nil)
        harness.play(milliseconds: 2100)
        #expect(lines(harness, "fault") == [#"{"type":"fault","fault":"buffers-not-released","count":1}"#])
        harness.play(milliseconds: 5000)
        #expect(lines(harness, "fault").isEmpty)
        #expect(harness.session.nextDeadline == nil)
    }

    @Test func leavesNoPresentationObjectBehind() throws {
        let harness = try harness("--log=json")
        touch(harness) { $0.down(1, x: 100, y: 100) }
        harness.session.close()
        try harness.stage.pump(harness.connection)
        let counts = harness.stage.liveResourceCounts
        #expect(counts["wp_presentation"] == nil, "\(counts)")
        #expect(harness.stage.violations.isEmpty, "\(harness.stage.violations)")
    }

    @Test func withoutAnyoneToTellNothingIsGathered() throws {
        let harness = try harness()
        harness.tap(x: 100, y: 100)
        #expect(harness.session.inspection == nil)
        #expect(harness.stage.liveResourceCounts["wp_presentation"] == nil)
    }
}
