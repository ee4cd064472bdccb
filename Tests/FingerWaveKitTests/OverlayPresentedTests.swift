import Gestures
import Testing
import TouchStage

@testable import FingerWaveKit

/// `--log-presented` of an overlay.
@Suite struct OverlayPresentedTests {
    private func lines(_ harness: OverlayHarness, _ types: String...) -> [String] {
        harness.printed().filter { line in types.contains { line.hasPrefix("{\"type\":\"\($0)\"") } }
    }

    private func harness(
        _ options: String..., setUp: (inout Stage.Options) -> Void = { _ in }
    ) throws -> OverlayHarness {
        try OverlayHarness(words: ["--log=json", "--log-presented"] + options, setUp: setUp)
    }

    private func move(_ harness: OverlayHarness, _ id: Int = 1, _ x: Double, _ y: Double, on: String? = nil) throws {
        let output = on.map { ",\"output\":\"\($0)\"" } ?? ""
        let time = harness.stage.now / 1_000_000
        try harness.say(
            "{\"type\":\"motion\",\"seat\":\"seat0\",\"id\":\(id),\"time\":\(time),\"x\":\(x),\"y\":\(y)\(output)}")
        try harness.say("{\"type\":\"frame\",\"seat\":\"seat0\"}")
        harness.pump()
    }

    @Test func eachTouchIsSaidWithTheOutputThatShowsIt() throws {
        let harness = try harness()
        try harness.down(1, 100, 100)
        // The surface was brought, configured and drawn in the same moment.
        harness.play(milliseconds: 10)
        #expect(
            lines(harness, "presented") == [#"{"type":"presented","output":"DP-1","commit":0,"photons":10}"#])
        // One whose frame must wait for the one before it.
        try move(harness, 1, 150, 100)
        harness.stage.advance(milliseconds: 4)
        try move(harness, 1, 200, 100)
        harness.stage.advance(milliseconds: 4)
        harness.stage.fireFrameCallbacks()
        harness.pump()
        harness.play(milliseconds: 10)
        #expect(
            lines(harness, "presented") == [
                #"{"type":"presented","output":"DP-1","commit":0,"photons":8}"#,
                #"{"type":"presented","output":"DP-1","commit":4,"photons":14}"#,
            ])
        try harness.up()
        harness.play(milliseconds: 1500)
        // The wave that goes on shows no touch but the last.
        #expect(lines(harness, "presented").count == 1)
        #expect(harness.stage.liveResourceCounts["wp_presentation_feedback"] == nil)
        #expect(harness.stage.violations.isEmpty, "\(harness.stage.violations)")
    }

    @Test func statisticsComeWithTheEndOfTouchingAndAtTheEnd() throws {
        let harness = try harness()
        try harness.tap(1, 100, 100)
        let statistics = lines(harness, "statistics")
        #expect(statistics.count == 1, "\(statistics)")
        #expect(statistics.last?.contains(#""contacts":0,"most":1,"begun":1,"events":2"#) == true, "\(statistics)")
        #expect(
            statistics.last?.contains(
                #"{"from":"arrival","to":"photons","count":1,"median":10,"p99":10}"#) == true, "\(statistics)")
        harness.play(milliseconds: 1500)
        #expect(lines(harness, "statistics").isEmpty)
        harness.session.close()
        #expect(lines(harness, "statistics").count == 1)
        try harness.stage.pump(harness.connection)
        #expect(harness.stage.liveResourceCounts["wp_presentation"] == nil)
    }

    @Test func unaskedItSaysNothingOfPhotonsAndAsksNothing() throws {
        let harness = try OverlayHarness("--log=json")
        try harness.tap(1, 100, 100)
        harness.play(milliseconds: 100)
        #expect(lines(harness, "presented").isEmpty)
        #expect(harness.stage.liveResourceCounts["wp_presentation"] == nil)
        let silent = try OverlayHarness("--log-presented")
        try silent.tap(1, 100, 100)
        #expect(silent.session.inspection == nil && silent.printed().isEmpty)
    }

    @Test func ofTwoOutputsEachShowsItsOwn() throws {
        let harness = try harness {
            $0.outputs = [
                .init(name: "DP-1", width: 400, height: 300), .init(name: "DP-2", width: 400, height: 300, x: 400),
            ]
        }
        try harness.down(1, 100, 100, on: "DP-1")
        harness.stage.advance(milliseconds: 5)
        try harness.down(2, 50, 50, on: "DP-2")
        harness.play(milliseconds: 10)
        #expect(
            lines(harness, "presented") == [
                #"{"type":"presented","output":"DP-1","commit":0,"photons":15}"#,
                #"{"type":"presented","output":"DP-2","commit":0,"photons":10}"#,
            ])
        // A wave on the other output shows nothing of this one's touch.
        harness.play(milliseconds: 100)
        _ = harness.printed()
        try harness.up(2)
        try move(harness, 1, 120, 100, on: "DP-1")
        harness.play(milliseconds: 10)
        #expect(lines(harness, "presented").count == 2)
    }

    @Test func whatGoesBeforeItIsSeenIsSaidToBeNeverSeen() throws {
        let harness = try harness()
        try harness.down(1, 100, 100)
        harness.stage.removeOutput(harness.stage.outputs[0])
        harness.pump()
        #expect(
            lines(harness, "presented") == [
                #"{"type":"presented","output":"DP-1","commit":0,"discarded":true}"#
            ])
        #expect(harness.stage.violations.isEmpty, "\(harness.stage.violations)")
    }

    @Test func aCancelIsSeenToo() throws {
        let harness = try harness()
        try harness.down(1, 100, 100)
        harness.play(milliseconds: 20)
        _ = harness.printed()
        try harness.say("{\"type\":\"cancel\",\"seat\":\"seat0\"}")
        harness.pump()
        harness.play(milliseconds: 10)
        #expect(
            lines(harness, "presented").first == #"{"type":"presented","output":"DP-1","commit":0,"photons":10}"#)
    }

    @Test func aTouchThatIsNotShownIsNoneOfALaterPicture() throws {
        let harness = try harness()
        harness.session.setPaused(true)
        try harness.tap(1, 100, 100)
        harness.play(milliseconds: 500)
        harness.session.setPaused(false)
        try harness.down(1, 100, 100)
        harness.play(milliseconds: 10)
        #expect(
            lines(harness, "presented") == [#"{"type":"presented","output":"DP-1","commit":0,"photons":10}"#])
    }

    @Test(arguments: [true, false]) func photonsThatCannotBeComparedAreUnavailable(isOffered: Bool) throws {
        let harness = try harness {
            if isOffered { $0.presentationClock = 4 } else { $0.globals[.presentation] = nil }
        }
        try harness.tap(1, 100, 100)
        harness.play(milliseconds: 50)
        let printed = lines(harness, "presented", "statistics")
        #expect(printed.contains { $0.contains("\"presented\"") } == isOffered, "\(printed)")
        #expect(!printed.contains { $0.contains(#""photons":1"#) })
        #expect(printed.last { $0.contains("statistics") }?.contains(#""photons":"unavailable""#) == true, "\(printed)")
    }

    @Test func itChangesWhileItRuns() throws {
        let harness = try OverlayHarness("--log=json")
        try harness.down(1, 100, 100)
        var settings = harness.session.settings
        settings.run.logsPresented = true
        harness.session.apply(settings)
        _ = harness.printed()
        try move(harness, 1, 150, 100)
        harness.play(milliseconds: 20)
        #expect(lines(harness, "presented").count == 1)
        settings.run.logsPresented = false
        try move(harness, 1, 200, 100)
        harness.session.apply(settings)
        // What is down was taken on; nothing that was asked is answered any more.
        #expect(lines(harness, "statistics").last?.contains(#""contacts":1,"most":1,"begun":1"#) == true)
        harness.play(milliseconds: 20)
        #expect(lines(harness, "presented").isEmpty)
        #expect(harness.stage.violations.isEmpty, "\(harness.stage.violations)")
    }

    @Test func aRecordingsTimeIsNotTheCompositors() throws {
        let harness = try harness("--source=touches.jsonl")
        try harness.tap(1, 100, 100)
        harness.play(milliseconds: 50)
        let printed = lines(harness, "presented", "statistics")
        #expect(printed.count == 1 && printed[0].contains(#""photons":"unavailable""#), "\(printed)")
        #expect(harness.stage.liveResourceCounts["wp_presentation"] == nil)
    }
}
