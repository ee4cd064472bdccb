import Gestures
import Testing

/// What clients were seen to get wrong, and what panels and drivers do to them, as far as it reaches the contacts.
@Suite struct ClientCaseTests {
    @Test func compositorsThatOmitTheFrameAfterAnUpLoseNoTap() {
        let rig = Rig(
            .down(0, 5, 5), .frame, .wait(80), .up(0), .endTurn, .wait(200),
            .down(0, 5, 5), .frame, .wait(70), .up(0), .endTurn)
        #expect(rig.taps.map(\.duration) == [80, 70])
        #expect(rig.taps.map(\.instant) == [.milliseconds(1_000_080), .milliseconds(1_000_350)])
    }

    @Test func aTapIsTimedByItsUpEvenWhenTheFrameComesWithTheNextTouch() {
        let rig = Rig(.down(0, 5, 5), .frame, .wait(80), .up(0), .wait(900), .down(0, 5, 5), .frame)
        #expect(rig.taps.map(\.duration) == [80])
        #expect(rig.taps.map(\.instant) == [.milliseconds(1_000_080)])
    }

    @Test func theTouchCapabilityGoesWithAFingerDownAndReturns() {
        var rig = Rig(.down(0, 5, 5), .frame, .end)
        #expect(rig.tracker.contacts.isEmpty)
        rig.tracker = ContactTracker(source: SourceID(rawValue: 2))
        rig.run(.wait(300), .down(0, 5, 5), .frame, .wait(50), .up(0), .frame)
        #expect(
            rig.gestureStory == ["contact began", "contact cancelled", "contact began", "contact ended", "tap ended"])
        #expect(Set(rig.changes.map(\.contact.serial)).count == 2)
    }

    @Test func twoSeatsWithTheSameIdAreTwoContactsAndOneMayGo() {
        var recognizer = GestureRecognizer()
        var seats = [ContactTracker(source: SourceID(rawValue: 0)), ContactTracker(source: SourceID(rawValue: 1))]
        var taps: [Tap] = []
        func feed(_ frame: ContactFrame?) {
            guard let frame else { return }
            for case .tap(let tap) in recognizer.handle(frame) { taps.append(tap) }
        }
        let start = Instant.milliseconds(500)
        for index in 0...1 {
            feed(seats[index].down(id: 0, time: 10, at: Point(x: 10, y: 10), target: 0, arrival: start))
            feed(seats[index].frame(arrival: start))
        }
        let later = start + .milliseconds(60)
        feed(seats[1].end(arrival: later))
        seats[0].up(id: 0, time: 70, arrival: later)
        feed(seats[0].frame(arrival: later))
        #expect(taps.count == 1)
        #expect(taps.first?.source == SourceID(rawValue: 0))
        #expect(taps.first?.fingers == 1)
    }

    @Test func motionBeforeAnyDownIsIgnored() {
        let rig = Rig(.motion(0, 5, 5), .frame)
        #expect(rig.frames.isEmpty)
        #expect(rig.faults.unknownMotion == 1)
    }

    @Test func aSecondFingersMotionMovesTheSecondFinger() {
        let rig = Rig(.down(0, 0, 0), .frame, .down(1, 200, 0), .frame, .motion(1, 210, 0), .frame)
        #expect(rig.tracker.contacts.map(\.position) == [.zero, Point(x: 210, y: 0)])
    }

    @Test func stampsOfZeroFallBackOnArrivals() {
        let rig = Rig(
            .stamp(0), .down(0, 5, 5), .frame, .arriveLater(300), .motion(0, 5, 5), .frame, .arriveLater(300),
            .up(0), .frame)
        #expect(rig.changes.last?.contact.instant.millisecondsSince(rig.changes[0].contact.began) == 600)
        #expect(rig.taps.isEmpty, "600 ms are a press, not a tap")
    }

    @Test func aClockSetDuringATouchGivesNoNegativeTimes() {
        let rig = Rig(
            .stamp(1_000_000), .down(0, 5, 5), .frame, .wait(10), .motion(0, 6, 5), .frame,
            .stamp(990_020), .arriveLater(10), .motion(0, 7, 5), .frame, .wait(10), .up(0), .frame)
        let began = rig.changes[0].contact.began
        #expect(rig.changes.map { $0.contact.instant.millisecondsSince(began) } == [0, 10, 20, 30])
        #expect(rig.faults.timeBackwards == 1)
        #expect(rig.taps.map(\.duration) == [30])
    }

    @Test func hoursOfSilenceAreNoFaultAndAnIdDownAcrossThemIsCancelled() {
        let rig = Rig(
            .down(0, 5, 5), .frame, .wait(9 * 3_600_000), .down(0, 5, 5), .frame, .wait(60), .up(0), .frame)
        #expect(rig.story == ["began 0", "cancelled 0", "began 0", "ended 0"])
        #expect(rig.faults.total == 1)
        #expect(rig.taps.map(\.duration) == [60])
    }

    @Test func lostSyncEndsContactsAsCancelledAndTheNextOnesAreWhole() {
        let rig = Rig(
            .down(5, 5, 5), .frame, .wait(20), .cancel, .wait(20), .down(12, 80, 5), .frame, .wait(50), .up(12), .frame)
        #expect(rig.story == ["began 5", "cancelled 5", "began 12", "ended 12"])
        #expect(rig.taps.map(\.fingers) == [1])
    }

    @Test func aDownAtAStalePlaceIsFlaggedByItsFirstMotion() {
        let rig = Rig(
            .down(0, 100, 100), .frame, .wait(40), .down(1, 120, 100), .frame, .wait(8), .motion(1, 620, 400), .frame,
            .wait(8), .motion(1, 622, 400), .frame)
        #expect(rig.faults.jump == 1)
        #expect(rig.tracker.contacts.map(\.jumped) == [false, true])
    }

    @Test func aFastSwipeIsNoJump() {
        // 8 px/ms is the fastest fling that Android knows.
        var rig = Rig(.down(0, 0, 0), .frame)
        for step in 1...20 { rig.run(.wait(16), .motion(0, Double(step) * 128, 0), .frame) }
        #expect(rig.faults.jump == 0)
    }

    @Test func onlyTheFirstMotionCanBeAJump() {
        // A program may move a contact as it likes.
        let rig = Rig(
            .down(0, 100, 100), .frame, .wait(8), .motion(0, 110, 100), .frame, .wait(8), .motion(0, 900, 100), .frame)
        #expect(rig.faults.jump == 0)
        #expect(rig.tracker.contacts.map(\.jumped) == [false])
    }

    @Test func ghostsAndFastTapsAreBothReportedAsWhatTheyWere() {
        let rig = Rig(
            .down(0, 0, 0), .frame, .wait(8), .up(0), .frame, .wait(400), .down(0, 300, 9), .frame, .wait(64),
            .motion(0, 303, 9), .up(0), .frame)
        #expect(rig.taps.map(\.duration) == [8, 64])
    }
}
