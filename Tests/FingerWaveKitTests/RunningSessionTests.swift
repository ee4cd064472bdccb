import Recording
import Testing
import TouchStage

@testable import FingerWaveKit

/// What changes while the window is there: by `ctl`, by signals, by a configuration that is read again.
@Suite struct RunningSessionTests {
    @Test func pauseShowsNothingAndLogsOn() throws {
        let harness = try SessionHarness("--log=json")
        let touch = harness.stage.seat.touch
        harness.tap(x: 200, y: 150)
        touch.down(2, x: 100, y: 100)
        touch.frame()
        harness.play(milliseconds: 20)
        #expect(harness.radius(atX: 100, y: 100) > 0)
        harness.session.setPaused(true)
        // Long enough for the next finger to be a hand of its own.
        harness.play(milliseconds: 200)
        #expect(harness.stage.screenshot().pixels.allSatisfy { $0 == harness.background })
        _ = harness.printed()
        harness.tap(3, x: 300, y: 250)
        harness.play(milliseconds: 50)
        #expect(harness.printed().contains { $0.contains("\"gesture\":\"tap\"") })
        #expect(harness.stage.screenshot().pixels.allSatisfy { $0 == harness.background })
        harness.session.setPaused(false)
        harness.play(milliseconds: 50)
        #expect(harness.stage.screenshot().pixels.allSatisfy { $0 == harness.background }, "old waves came back")
        touch.up(2)
        touch.frame()
        harness.pump()
        harness.tap(4, x: 100, y: 100)
        harness.play(milliseconds: 50)
        #expect(harness.radius(atX: 100, y: 100) > 0)
    }

    @Test func aPausedWindowSaysNothing() throws {
        let harness = try SessionHarness()
        harness.session.setPaused(true)
        harness.play(milliseconds: 100)
        harness.stage.keepsJournal = true
        harness.tap(x: 200, y: 150)
        harness.play(milliseconds: 2000)
        let requests = harness.stage.journal.map(\.description).filter { !$0.hasPrefix("wl_touch") }
        #expect(requests.isEmpty, "\(requests)")
    }

    @Test func aPauseEndsAHeldPictureToo() throws {
        let harness = try SessionHarness()
        harness.tap(x: 200, y: 150)
        harness.play(milliseconds: 100)
        harness.session.isHeld = true
        harness.session.setPaused(true)
        harness.play(milliseconds: 50)
        #expect(harness.radius(atX: 200, y: 150) == 0)
    }

    @Test func anotherLookAppliesAtOnce() throws {
        let harness = try SessionHarness()
        harness.stage.seat.touch.down(1, x: 200, y: 150)
        harness.stage.seat.touch.frame()
        harness.pump()
        var settings = harness.session.settings
        _ = try settings.set(ParsedOption("background", "000080"))
        _ = try settings.set(ParsedOption("radius", "300"))
        harness.session.apply(settings)
        harness.play(milliseconds: 30)
        #expect(harness.stage.screenshot()[5, 5] == 0xFF00_0080)
        #expect(harness.stage.screenshot()[200 + 50, 150] != 0xFF00_0080, "the mark has grown with the radius")
        #expect(harness.stage.violations.isEmpty, "\(harness.stage.violations)")
    }

    @Test func theLogBeginsAndEndsWhileItRuns() throws {
        let harness = try SessionHarness()
        harness.tap(x: 200, y: 150)
        #expect(harness.printed().isEmpty)
        var settings = harness.session.settings
        _ = try settings.set(ParsedOption("log", "json"))
        harness.session.apply(settings)
        harness.tap(2, x: 200, y: 150)
        #expect(harness.printed().contains { $0.contains("\"down\"") })
        _ = try settings.set(ParsedOption("log", "off"))
        harness.session.apply(settings)
        harness.play(milliseconds: 50)
        _ = harness.printed()
        harness.tap(3, x: 200, y: 150)
        harness.play(milliseconds: 1500)
        #expect(harness.printed().isEmpty)
    }

    @Test func aLongPressIsAsLongAsItIsSetTo() throws {
        let harness = try SessionHarness("--log=json")
        var settings = harness.session.settings
        _ = try settings.set(ParsedOption("long-press-timeout", "200"))
        harness.session.apply(settings)
        harness.stage.seat.touch.down(1, x: 100, y: 100, time: 1000)
        harness.stage.seat.touch.frame()
        harness.pump()
        harness.stage.advance(milliseconds: 200)
        harness.pump()
        #expect(harness.printed().contains { $0.contains(#""long-press","phase":"began""#) })
    }

    @Test func theStatusTellsWhatHappened() throws {
        let harness = try SessionHarness()
        harness.tap(x: 200, y: 150)
        harness.stage.seat.touch.down(2, x: 100, y: 100)
        harness.stage.seat.touch.frame()
        harness.pump()
        harness.stage.advance(milliseconds: 2000)
        let lines = harness.session.status(JSONLine(type: "status"))
        let status = try JSONFields(lines[0])
        #expect(status["paused"] == "false" && status["width"] == "400" && status["scale"] == "1")
        #expect(status["contacts"] == "1" && status["touches"] == "2" && status["taps"] == "1")
        #expect(status["uptime"] == "2.1", "\(lines[0])")
        #expect(lines.count == 3)
        #expect(lines[1].hasPrefix(#"{"type":"seat","name":"seat0","touch":true"#), "\(lines[1])")
        #expect(lines[2].hasPrefix(#"{"type":"output","name":"DP-1","width":400,"height":300"#), "\(lines[2])")
    }
}
