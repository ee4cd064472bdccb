import Gestures
import Testing

/// Taps that are said only when it is known how often.
@Suite struct WaitingTapTests {
    private var rig: Rig

    init() {
        var configuration = GestureConfiguration()
        configuration.waitsForDoubleTap = true
        rig = Rig(configuration: configuration)
    }

    private func tap(_ id: Int32, _ x: Double, _ y: Double, for milliseconds: Int64 = 50) -> [Step] {
        [.down(id, x, y), .frame, .wait(milliseconds), .up(id), .frame]
    }

    private var counts: [Int] { rig.taps.map(\.count) }

    @Test mutating func aSingleTapIsSaidWhenTheWindowHasPassed() {
        rig.run(tap(0, 5, 5))
        let lifted = rig.now
        #expect(counts.isEmpty)
        #expect(rig.recognizer.nextDeadline == lifted + .milliseconds(300) + 1)
        rig.run(.wait(300), .advance)
        #expect(counts.isEmpty, "a finger that comes down now is in time")
        rig.run(.wait(1), .advance, .advance)
        #expect(counts == [1])
        #expect(rig.taps[0].instant == lifted)
        #expect(rig.recognizer.nextDeadline == nil)
    }

    @Test mutating func aDoubleTapIsOneEventWithNoSingleBeforeIt() {
        rig.run(tap(0, 5, 5))
        rig.run(.wait(300))
        rig.run(tap(0, 9, 5, for: 400))
        #expect(counts.isEmpty)
        rig.run(.wait(301), .advance)
        #expect(counts == [2])
        #expect(rig.taps[0].location == Point(x: 9, y: 5))
        #expect(rig.taps[0].fingers == 1)
    }

    @Test mutating func theWindowOpensAnewAfterEachSoThatATripleTapIsOneEvent() {
        for _ in 0..<3 {
            rig.run(tap(0, 5, 5))
            rig.run(.wait(200), .advance)
        }
        rig.run(.wait(200), .advance)
        #expect(counts == [3])
    }

    @Test mutating func theSecondTapMayTakeLongerThanTheWindow() {
        rig.run(tap(0, 5, 5))
        rig.run(.wait(290), .down(0, 5, 5), .frame, .wait(450), .advance)
        #expect(counts.isEmpty, "the finger that is down may yet make it a double tap")
        rig.run(.up(0), .frame, .wait(400), .advance)
        #expect(counts == [2])
    }

    @Test mutating func aSecondTouchThatPressesLetsTheTapGoFirst() {
        rig.run(tap(0, 5, 5))
        rig.run(.wait(100), .down(0, 5, 5), .frame, .wait(499), .advance)
        #expect(rig.actions.isEmpty)
        rig.run(.wait(1), .advance)
        #expect(rig.actions == ["tap ended", "long-press began"])
    }

    @Test mutating func aSecondTouchThatMovesLetsTheTapGoFirst() {
        rig.run(tap(0, 5, 5))
        rig.run(.wait(200), .down(0, 5, 5), .frame, .wait(200), .motion(0, 90, 5), .frame)
        #expect(rig.actions == ["tap ended", "pan began"])
    }

    @Test mutating func aDragWithinTheWindowDoesNotHideADoubleTap() {
        rig.run(tap(0, 0, 0))
        rig.run(.wait(50), .down(1, 500, 500), .motion(1, 600, 500), .up(1), .frame, .wait(50))
        rig.run(tap(0, 0, 0))
        rig.run(.wait(400), .advance)
        #expect(counts == [2])
    }

    @Test mutating func tapsFarApartAreSaidSeparatelyAndInOrder() {
        rig.run(tap(0, 0, 0))
        rig.run(.wait(100))
        rig.run(tap(0, 500, 0))
        #expect(counts.isEmpty)
        rig.run(.wait(400), .advance)
        #expect(counts == [1, 1])
        #expect(rig.taps.map(\.location.x) == [0, 500])
    }

    @Test mutating func withoutATimerATapIsSaidBeforeTheNextEvent() {
        rig.run(tap(0, 5, 5))
        rig.run(.wait(700), .down(1, 5, 5), .frame)
        #expect(
            rig.gestureStory == ["contact began", "contact ended", "tap ended", "contact began"])
    }

    @Test mutating func whatWasSaidAsASingleIsNotSaidAgainInADouble() {
        // The second finger's event was long under way.
        rig.run(tap(0, 5, 5))
        rig.run(.arriveLater(900), .advance)
        #expect(counts == [1])
        rig.run(.wait(100))
        rig.run(tap(0, 5, 5))
        rig.run(.wait(400), .advance)
        #expect(counts == [1, 1])
    }

    @Test mutating func aBounceNeitherCountsNorEndsTheWait() {
        rig.run(tap(0, 5, 5))
        rig.run(.wait(12))
        rig.run(tap(0, 6, 5))
        rig.run(.wait(290))
        rig.run(tap(0, 5, 5))
        rig.run(.wait(400), .advance)
        #expect(counts == [2])
    }

    @Test mutating func twoFingerTapsWaitToo() {
        for _ in 0..<2 {
            rig.run(.down(0, 0, 0), .down(1, 60, 0), .frame, .wait(50), .up(0), .up(1), .frame, .wait(200), .advance)
        }
        #expect(counts.isEmpty)
        rig.run(.wait(200), .advance)
        #expect(rig.taps.map { [$0.count, $0.fingers] } == [[2, 2]])
    }

    @Test mutating func aRestingFingerDoesNotHoldATapForEver() {
        rig.run(.down(0, 0, 0), .down(1, 60, 0), .frame, .wait(50), .up(0), .up(1), .frame)
        rig.run(.wait(100), .down(0, 0, 0), .down(1, 60, 0), .frame, .wait(50), .up(0), .frame, .wait(450), .advance)
        #expect(rig.taps.map(\.fingers) == [2])
    }

    @Test mutating func aCancelledSecondTouchLeavesTheFirstTap() {
        rig.run(tap(0, 5, 5))
        rig.run(.wait(100), .down(0, 5, 5), .frame, .wait(50), .cancel)
        #expect(counts.isEmpty)
        rig.run(.wait(200), .advance)
        #expect(counts == [1])
    }

    @Test mutating func aChangedSettingLetsGoAtOnce() {
        rig.run(tap(0, 5, 5))
        rig.recognizer.configuration.waitsForDoubleTap = false
        rig.run(.advance)
        #expect(counts == [1])
    }

    @Test mutating func theEndOfTimeLetsGoOfAll() {
        rig.run(tap(0, 5, 5))
        rig.run(tap(1, 500, 5))
        #expect(rig.recognizer.advance(to: Instant(nanoseconds: .max)).map(\.name) == ["tap", "tap"])
    }
}
