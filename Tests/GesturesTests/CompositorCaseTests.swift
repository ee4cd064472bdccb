import Gestures
import Testing

/// What compositors were seen to do, as far as it reaches the contacts.
@Suite struct CompositorCaseTests {
    @Test func aSurfaceDestroyedUnderAFingerTakesItsContactsAlong() {
        let rig = Rig(
            .down(0, 5, 5, target: 1), .down(1, 9, 9, target: 2), .frame, .surfaceGone(1))
        #expect(rig.story == ["began 0", "began 1", "cancelled 0"])
        #expect(rig.tracker.contacts.map(\.id) == [1])
        #expect(rig.taps.isEmpty)
    }

    @Test func noEventIsNeededAfterASurfaceIsGoneAndNoneIsAFault() {
        var rig = Rig(.down(0, 5, 5, target: 1), .frame, .surfaceGone(1), .surfaceGone(1))
        rig.run(.motion(0, 6, 6), .shape(0, 3, 3), .frame, .stamp(0), .up(0), .frame)
        #expect(rig.story == ["began 0", "cancelled 0"])
        #expect(rig.faults.total == 0)
        rig.run(.up(0))
        #expect(rig.faults.unknownUp == 1)
    }

    @Test func theIdOfADestroyedSurfacesFingerComesDownAnew() {
        let rig = Rig(
            .down(0, 5, 5, target: 1), .frame, .surfaceGone(1), .wait(50), .down(0, 5, 5, target: 2), .frame, .wait(50),
            .up(0), .frame, .up(0))
        #expect(rig.story == ["began 0", "cancelled 0", "began 0", "ended 0"])
        #expect(rig.taps.count == 1)
        #expect(rig.faults.unknownUp == 1)
    }

    @Test func anUpMadeUpAtASurfacesEndWithAnotherClocksTimeIsNoNegativeDuration() {
        for stamp: UInt32 in [0, 900, 4_000_000_000] {
            let rig = Rig(.stamp(1000), .down(0, 5, 5), .frame, .stamp(stamp), .up(0), .frame)
            #expect(rig.story == ["began 0", "ended 0"])
            #expect(rig.taps.allSatisfy { $0.duration >= 0 })
            #expect(rig.faults.timeBackwards == 1)
        }
    }

    @Test func motionForAClearedFocusMakesNoContact() {
        let rig = Rig(.down(0, 5, 5), .frame, .up(0), .frame, .motion(0, 9, 9), .frame)
        #expect(rig.story == ["began 0", "ended 0"])
        #expect(rig.faults.unknownMotion == 1)
        #expect(rig.faults.total == 1)
    }

    @Test func upsAndCancelsWithAndWithoutFrameAreNoFault() {
        #expect(Rig(.down(0, 0, 0), .frame, .up(0), .frame).faults.total == 0)
        #expect(Rig(.down(0, 0, 0), .frame, .cancel).faults.total == 0)
        #expect(Rig(.down(0, 0, 0), .frame, .up(0), .endTurn).faults.total == 0)
    }

    @Test func framesAndCancelsRepeatedForEachSlotHaveNoEffect() {
        var rig = Rig(.down(0, 0, 0), .down(1, 50, 0), .frame, .frame)
        #expect(rig.frames.count == 1)
        #expect(rig.faults.emptyFrame == 1)
        rig.run(.cancel, .cancel)
        #expect(rig.story == ["began 0", "began 1", "cancelled 0", "cancelled 1"])
        #expect(rig.faults.repeatedCancel == 1)
        #expect(rig.faults.total == 2)
        #expect(rig.gestureStory.count == 4)
    }

    @Test func aSwallowedCancelEndsTheContactAtTheNextDownOfItsId() {
        let rig = Rig(
            .down(0, 5, 5), .frame, .wait(10), .motion(0, 6, 6), .frame, .wait(90),
            .down(0, 400, 400), .frame, .wait(60), .up(0), .frame)
        #expect(rig.story == ["began 0", "moved 0", "cancelled 0", "began 0", "ended 0"])
        #expect(rig.faults.duplicateDown == 1)
        #expect(rig.faults.total == 1)
        #expect(rig.taps.map(\.location) == [Point(x: 400, y: 400)])
    }

    @Test func theSecondDownOfALiveIdEndsTheOldContactWithoutWaitingForAFrame() {
        let rig = Rig(.down(0, 5, 5), .frame, .down(0, 7, 7))
        #expect(rig.story == ["began 0", "cancelled 0"])
        #expect(rig.tracker.contacts.map(\.position) == [Point(x: 7, y: 7)])
    }

    @Test func aContactWhoseUpGotLostIsListedAsSilentAndTheNextDownRecovers() {
        var rig = Rig(.down(0, 5, 5), .down(1, 300, 5), .frame, .wait(20_000), .motion(1, 301, 5), .frame)
        let limit: Instant = rig.now - .milliseconds(10_000)
        #expect(rig.tracker.contacts(silentSince: limit).map(\.id) == [0])
        rig.run(.down(0, 9, 9), .frame, .wait(50), .up(0), .frame)
        #expect(rig.tracker.contacts(silentSince: limit).isEmpty)
        #expect(rig.taps.map(\.fingers) == [1])
    }

    @Test func fingersTakenByTheCompositorsGestureStayUntilTheirIdsReturn() {
        var rig = Rig(.down(0, 0, 0), .down(1, 60, 0), .down(2, 120, 0), .frame, .wait(5_000))
        #expect(rig.tracker.contacts.count == 3)
        for id: Int32 in 0...2 {
            rig.run(.wait(400), .down(id, 500, 500), .frame, .wait(50), .up(id), .frame)
        }
        #expect(rig.tracker.contacts.isEmpty)
        #expect(rig.taps.map(\.fingers) == [1, 1, 1])
        #expect(rig.changes.count { $0.phase == .cancelled } == 3)
    }

    @Test func threeUpsWhereACancelWasDueCannotBeToldFromATap() {
        let rig = Rig(
            .down(0, 0, 0), .down(1, 60, 0), .down(2, 120, 0), .frame, .wait(100), .up(0), .up(1), .up(2), .frame)
        #expect(rig.taps.map(\.fingers) == [3])
    }

    @Test func aLostCapabilityEndsContactsAsCancelledWithWhatWasPending() {
        let rig = Rig(.down(0, 0, 0), .frame, .down(1, 50, 50), .end, .end)
        #expect(rig.story == ["began 0", "began 1", "cancelled 0", "cancelled 1"])
        #expect(rig.taps.isEmpty)
        #expect(rig.faults.total == 0)
    }
}
