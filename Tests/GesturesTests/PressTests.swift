import Gestures
import Testing

@Suite struct PressTests {
    @Test func aStillFingerIsALongPressAtTheThresholdWhileItIsDown() throws {
        var rig = Rig(.down(0, 5, 6), .frame)
        #expect(rig.recognizer.nextDeadline == rig.now + .milliseconds(500))
        rig.run(.wait(499), .advance)
        #expect(rig.actions.isEmpty)
        rig.run(.wait(1), .advance)
        #expect(rig.actions == ["long-press began"])
        guard case .longPress(let press) = try #require(rig.gestures.last) else { return }
        #expect(press.hand.location == Point(x: 5, y: 6))
        #expect(press.hand.duration == 500)
        #expect(press.hand.fingers == 1)
        #expect(rig.recognizer.nextDeadline == nil)
        rig.run(.wait(9_000), .advance, .up(0), .frame)
        #expect(rig.actions == ["long-press began", "long-press ended"])
    }

    @Test func withoutATimerThePressIsSaidBeforeTheNextEvent() {
        let rig = Rig(.down(0, 5, 6), .frame, .wait(700), .up(0), .frame)
        #expect(rig.gestureStory == ["contact began", "long-press began", "contact ended", "long-press ended"])
    }

    @Test func deadlinesAreReckonedByTheProgramsClockNotTheStamps() {
        var rig = Rig(.stamp(0), .down(0, 5, 6), .frame, .stamp(90_000), .down(1, 900, 6), .frame)
        #expect(rig.recognizer.nextDeadline == rig.now + .milliseconds(500))
        rig.run(.arriveLater(500), .advance)
        #expect(rig.actions == ["long-press began", "long-press began"])
    }

    @Test func aTapCancelsItsDeadline() {
        let rig = Rig(.down(0, 5, 6), .frame, .wait(50), .up(0), .frame, .wait(450), .advance)
        #expect(rig.actions == ["tap ended"])
        #expect(rig.recognizer.nextDeadline == nil)
    }

    @Test func aFingerThatLeftTheSlopNeverPresses() {
        let rig = Rig(.down(0, 5, 6), .motion(0, 50, 6), .frame, .wait(600), .advance, .up(0), .frame)
        #expect(rig.actions == ["pan began", "pan ended"])
    }

    @Test func moreFingersPressTogether() throws {
        let rig = Rig(.down(0, 0, 0), .down(1, 60, 0), .frame, .wait(500), .advance)
        #expect(rig.actions == ["long-press began"])
        guard case .longPress(let press) = try #require(rig.gestures.last) else { return }
        #expect(press.hand.fingers == 2)
        #expect(press.hand.location == Point(x: 30, y: 0))
    }

    @Test func aHandThatHasBegunToLiftDoesNotPress() {
        let rig = Rig(
            .down(0, 0, 0), .down(1, 60, 0), .frame, .wait(100), .up(0), .frame, .wait(900), .advance, .up(1), .frame)
        #expect(rig.actions.isEmpty)
    }

    @Test func twoPeoplePressSeparately() {
        let rig = Rig(.down(0, 0, 0), .down(1, 900, 0), .frame, .wait(500), .advance)
        #expect(rig.actions == ["long-press began", "long-press began"])
    }

    @Test func aPressThatMovesIsADrag() {
        let rig = Rig(
            .down(0, 0, 0), .frame, .wait(500), .advance, .motion(0, 10, 0), .frame, .motion(0, 30, 0), .frame,
            .wait(16),
            .motion(0, 60, 0), .frame, .up(0), .frame)
        #expect(
            rig.actions == [
                "long-press began", "long-press ended", "drag began", "drag changed", "drag ended",
            ])
    }

    @Test func aCancelEndsPressesAndDragsAsCancelled() {
        #expect(
            Rig(.down(0, 0, 0), .frame, .wait(500), .advance, .cancel).actions == [
                "long-press began", "long-press cancelled",
            ])
        #expect(
            Rig(.down(0, 0, 0), .frame, .wait(500), .advance, .motion(0, 40, 0), .frame, .cancel).actions.suffix(2) == [
                "drag began", "drag cancelled",
            ])
        #expect(Rig(.down(0, 0, 0), .frame, .cancel, .wait(500), .advance).actions.isEmpty)
    }
}
