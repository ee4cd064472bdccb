import Gestures
import Testing
import TouchStage

@testable import FingerWaveKit

@Suite struct GestureOptionsTests {
    private func options(_ words: String...) throws(Failure) -> GestureOptions {
        try GestureOptions(try ParsedArguments(words, specs: WindowSettings.specs).options)
    }

    private func configuration(_ words: String..., density: Double? = nil) throws -> GestureConfiguration {
        try GestureOptions(try ParsedArguments(words, specs: WindowSettings.specs).options)
            .configuration(pixelsPerMillimetre: density)
    }

    @Test func theDefaultsAreTheRecognisers() throws {
        #expect(try configuration() == GestureConfiguration())
        var dense = GestureConfiguration()
        dense.setTouchSlop(pixelsPerMillimetre: 12)
        #expect(try configuration(density: 12) == dense)
        #expect(dense.touchSlop == 36 && dense.multiFingerSlop == 72)
    }

    @Test func everyOptionReachesTheRecogniser() throws {
        let configuration = try configuration(
            "--touch-slop=10", "--multi-finger-slop=25px", "--tap-timeout=400", "--double-tap-timeout=250ms",
            "--double-tap-slop=90", "--wait-double-tap", "--contact-bounce=15", "--long-press-timeout=0.7s",
            "--join-timeout=90", "--join-distance=200", "--min-fling=60", "--max-fling=7000", "--velocity-window=80",
            "--swipe-angle=20", "--edge-width=30")
        var expected = GestureConfiguration()
        expected.touchSlop = 10
        expected.multiFingerSlop = 25
        expected.tapTimeout = .milliseconds(400)
        expected.doubleTapTimeout = .milliseconds(250)
        expected.doubleTapSlop = 90
        expected.waitsForDoubleTap = true
        expected.contactBounce = .milliseconds(15)
        expected.longPressTimeout = .milliseconds(700)
        expected.joinTimeout = .milliseconds(90)
        expected.joinDistance = 200
        expected.minimumFlingVelocity = 60
        expected.maximumFlingVelocity = 7000
        expected.velocityWindow = .milliseconds(80)
        expected.swipeAngle = 20
        expected.edgeWidth = 30
        #expect(configuration == expected)
    }

    @Test func aSlopInPixelsIsThatManyOnEveryPanel() throws {
        for density in [nil, 4, 12] as [Double?] {
            #expect(try configuration("--touch-slop=10px", density: density).touchSlop == 10)
            #expect(try configuration("--touch-slop=10", density: density).multiFingerSlop == 20)
        }
    }

    @Test func aSlopInMillimetresFollowsThePanel() throws {
        #expect(try configuration("--touch-slop=2mm", density: 10).touchSlop == 20)
        #expect(try configuration("--touch-slop=2mm", density: nil).touchSlop == 12)
        #expect(try configuration("--touch-slop=2mm", density: 1000).touchSlop == 40, "a size that cannot be")
        #expect(try configuration("--edge-width=5mm", density: 10).edgeWidth == 50)
    }

    @Test(arguments: [
        ("--tap-timeout", "300", 300), ("--tap-timeout", "300ms", 300), ("--tap-timeout", "0.3s", 300),
        ("--tap-timeout", "2s", 2_000), ("--tap-timeout", ".025s", 25),
    ])
    func timesHaveUnitsOrNone(name: String, text: String, milliseconds: Int64) throws {
        #expect(try options(name, text).tapTimeout == .milliseconds(milliseconds))
    }

    @Test(arguments: [
        ["--touch-slop", "0"], ["--touch-slop", "3cm"], ["--touch-slop", "mm"], ["--touch-slop", "-3mm"],
        ["--touch-slop", "700"], ["--touch-slop", "0.01mm"], ["--touch-slop", "nanpx"], ["--touch-slop", "3 mm"],
        ["--multi-finger-slop", "off"], ["--tap-timeout", "0"], ["--tap-timeout", "300us"], ["--tap-timeout", "1.5"],
        ["--tap-timeout", "0.0005s"], ["--tap-timeout", "s"], ["--tap-timeout", "99999999999999999999s"],
        ["--tap-timeout", "60s"], ["--double-tap-timeout", "-1"], ["--contact-bounce", "501"],
        ["--long-press-timeout", "49"], ["--min-fling", "-1"], ["--max-fling", "0"], ["--velocity-window", "5"],
        ["--swipe-angle", "46"], ["--edge-width", "2000"], ["--join-distance", "x"], ["--wait-double-tap=maybe"],
    ])
    func whatIsOutOfRangeIsRefused(words: [String]) {
        let parsed = try? ParsedArguments(words, specs: WindowSettings.specs)
        #expect(throws: Failure.self) { try GestureOptions(parsed?.options ?? []) }
    }

    @Test func theFailureSaysWhatIsTaken() {
        do throws(Failure) {
            _ = try options("--touch-slop", "3cm")
            Issue.record("taken")
        } catch {
            #expect(
                error.line == "fingerwave: --touch-slop cannot be \"3cm\": it takes 1px to 600px, or 0.17mm to 100mm; "
                    + "see fingerwave help gestures\n")
        }
        do throws(Failure) {
            _ = try options("--tap-timeout", "1h")
            Issue.record("taken")
        } catch {
            #expect(
                error.line
                    == "fingerwave: --tap-timeout cannot be \"1h\": it takes milliseconds from 20 to 10000, such "
                    + "as 300, 300ms or 0.3s; see fingerwave help gestures\n")
        }
    }

    // MARK: In the window

    @Test func anExplicitSlopInPixelsSwitchesTheMillimetreRuleOff() throws {
        for (slop, taps) in [("3mm", 1), ("18px", 0)] {
            let harness = try SessionHarness("--log=json", "--touch-slop", slop) {
                // 10 px to a mm: 3 mm are 30 px.
                $0.outputs[0].physicalWidth = 40
                $0.outputs[0].physicalHeight = 30
            }
            let touch = harness.stage.seat.touch
            touch.down(1, x: 100, y: 100)
            touch.frame()
            touch.motion(1, x: 125, y: 100)
            touch.frame()
            touch.up(1)
            touch.frame()
            harness.pump()
            #expect(harness.printed().count { $0.contains("\"gesture\":\"tap\"") } == taps, "\(slop)")
        }
    }

    @Test func aTapThatWaitedMakesItsWaveLate() throws {
        let harness = try SessionHarness("--wait-double-tap", "--log=json")
        harness.tap(x: 200, y: 150)
        harness.play(milliseconds: 250)
        #expect(!harness.printed().contains { $0.contains("\"gesture\":\"tap\"") })
        harness.play(milliseconds: 400)
        #expect(harness.printed().count { $0.contains("\"gesture\":\"tap\"") } == 1)
        #expect(harness.radius(atX: 200, y: 150) > 15, "no wave")
        harness.play(milliseconds: 1_500)
        #expect(harness.radius(atX: 200, y: 150) == 0)
    }

    @Test func aDoubleTapThatWaitedIsOneLineAndASingleIsNotLostAtTheEnd() throws {
        let harness = try SessionHarness("--wait-double-tap", "--log=json")
        harness.tap(x: 200, y: 150)
        harness.play(milliseconds: 100)
        harness.tap(x: 202, y: 150)
        harness.play(milliseconds: 500)
        let lines = harness.printed().filter { $0.contains("\"gesture\":\"tap\"") }
        #expect(lines.count == 1 && lines[0].contains("\"count\":2"))
        harness.tap(x: 50, y: 50)
        harness.session.close()
        #expect(harness.printed().count { $0.contains("\"gesture\":\"tap\"") } == 1)
    }
}
