import Gestures
import Testing

@Suite struct ContactTrackerTests {
    @Test func eventsWaitForTheFrame() {
        var rig = Rig(.down(7, 10.5, 20.25, target: 3))
        #expect(rig.frames.isEmpty)
        rig.run(.down(-4, 1, 2), .frame)
        #expect(rig.story == ["began 7", "began -4"])
        let contact = rig.changes[0].contact
        #expect(contact.position == Point(x: 10.5, y: 20.25))
        #expect(contact.start == contact.position)
        #expect(contact.target == 3)
        #expect(contact.kind == .finger)
        #expect(contact.source == SourceID(rawValue: 1))
        #expect(rig.tracker.contacts.map(\.id) == [7, -4])
    }

    @Test func idsAreAnySigned32BitNumbers() {
        let rig = Rig(.down(.max, 0, 0), .down(.min, 9, 9), .frame, .up(.max), .up(.min), .frame)
        #expect(rig.story == ["began \(Int32.max)", "began \(Int32.min)", "ended \(Int32.max)", "ended \(Int32.min)"])
    }

    @Test func everySampleIsKeptAndKnowsItsOwnTime() {
        let rig = Rig(
            .down(0, 0, 0), .wait(4), .motion(0, 1, 0), .wait(4), .motion(0, 2, 0), .wait(4), .up(0), .frame)
        #expect(rig.story == ["began 0", "moved 0", "moved 0", "ended 0"])
        #expect(rig.changes.map(\.contact.position.x) == [0, 1, 2, 2])
        let began = rig.changes[0].contact.began
        #expect(rig.changes.map { $0.contact.instant.millisecondsSince(began) } == [0, 4, 8, 12])
        #expect(rig.changes.allSatisfy { $0.contact.start == .zero && $0.contact.began == began })
    }

    @Test func serialsAreNeverUsedAgain() {
        var rig = Rig()
        for _ in 0..<5 { rig.run(.down(0, 0, 0), .down(0, 0, 0), .frame, .up(0), .frame, .down(0, 1, 1), .cancel) }
        let begun = rig.changes.filter { $0.phase == .began }.map(\.contact.serial)
        #expect(Set(begun).count == 15)
        #expect(begun == begun.sorted())
    }

    @Test func serialsOfDifferentSourcesDiffer() {
        var a = Rig(source: 1)
        var b = Rig(source: 2)
        a.run(.down(0, 0, 0), .frame)
        b.run(.down(0, 0, 0), .frame)
        #expect(a.changes[0].contact.serial != b.changes[0].contact.serial)
    }

    @Test func anUpIsWhereTheFingerWasLast() {
        let rig = Rig(.down(0, 1, 1), .frame, .motion(0, 5, 6), .frame, .up(0), .frame)
        #expect(rig.changes.last?.contact.position == Point(x: 5, y: 6))
        #expect(rig.tracker.contacts.isEmpty)
    }

    @Test func aTurnOfTheLoopEndsWhatNoFrameDoes() {
        var rig = Rig(.down(0, 0, 0), .endTurn)
        #expect(rig.story == ["began 0"])
        rig.run(.endTurn)
        #expect(rig.frames.count == 1)
    }

    @Test func aFrameThatComesATurnLaterIsNoFault() {
        let rig = Rig(.down(0, 0, 0), .endTurn, .frame, .wait(9), .motion(0, 1, 1), .endTurn, .frame)
        #expect(rig.faults.total == 0)
    }

    @Test func eventsOfOneStampSplitOverTurnsAreNoFault() {
        let rig = Rig(.down(0, 0, 0), .endTurn, .down(1, 50, 0), .frame)
        #expect(rig.faults.total == 0)
        #expect(rig.story == ["began 0", "began 1"])
    }

    @Test func aFrameThatNeverComesIsCounted() {
        let rig = Rig(.down(0, 0, 0), .endTurn, .wait(9), .motion(0, 1, 1), .endTurn, .wait(9), .up(0), .endTurn)
        #expect(rig.faults.missingFrame == 2)
        #expect(rig.faults.total == 2)
    }

    /// Of the last event too, when nothing can follow it.
    @Test func theLastFrameIsMissingWhenTheSessionEnds() {
        var rig = Rig(.down(0, 0, 0), .frame, .wait(9), .up(0), .endTurn)
        #expect(rig.faults.total == 0)
        for _ in 0..<2 { rig.tracker.noteEnd() }
        #expect(rig.faults.missingFrame == 1 && rig.faults.total == 1)
        rig = Rig(.down(0, 0, 0), .cancel)
        rig.tracker.noteEnd()
        #expect(rig.faults.total == 0)
    }

    /// Stamps that are as near as those of one frame, each in a turn of its own.
    @Test func whatIsNearIsOneFrame() {
        let near = Rig(.down(0, 0, 0), .endTurn, .wait(2), .down(1, 50, 0), .endTurn)
        #expect(near.faults.missingFrame == 0)
        let far = Rig(.down(0, 0, 0), .endTurn, .wait(2), .down(1, 50, 0), .endTurn, .wait(1), .up(0), .endTurn)
        #expect(far.faults.missingFrame == 1)
    }

    /// libinput cancels one contact, and its frame follows.
    @Test func aFrameAfterACancelledContactIsNoFault() {
        var rig = Rig(.down(0, 0, 0), .frame)
        _ = rig.tracker.cancel(id: 0, arrival: .milliseconds(9))
        _ = rig.tracker.frame(arrival: .milliseconds(9))
        #expect(rig.faults.total == 0)
    }

    @Test func aCancelEndsEveryContactAtOnceWithWhatWasPending() {
        let rig = Rig(.down(0, 0, 0), .frame, .motion(0, 3, 3), .down(1, 50, 50), .cancel)
        #expect(rig.story == ["began 0", "moved 0", "began 1", "cancelled 0", "cancelled 1"])
        #expect(rig.frames.count == 2)
        #expect(rig.tracker.contacts.isEmpty)
        #expect(rig.faults.total == 0)
    }

    @Test func contactsGoOnAfterACancel() {
        let rig = Rig(.down(0, 0, 0), .frame, .cancel, .down(0, 1, 1), .frame, .up(0), .frame)
        #expect(rig.story == ["began 0", "cancelled 0", "began 0", "ended 0"])
        #expect(rig.faults.total == 0)
    }

    @Test func aFrameAfterACancelIsNoFault() {
        #expect(Rig(.down(0, 0, 0), .frame, .cancel, .frame).faults.total == 0)
    }

    @Test func shapeAndOrientationBelongToTheSampleTheyComeWith() {
        let rig = Rig(.down(0, 0, 0), .shape(0, 12, 8), .orientation(0, -30), .frame)
        #expect(rig.story == ["began 0"])
        #expect(rig.changes[0].contact.shape == Contact.Shape(major: 12, minor: 8))
        #expect(rig.changes[0].contact.orientation == -30)
    }

    @Test func aShapeOnItsOwnIsASampleThatDidNotMove() {
        let rig = Rig(.down(0, 4, 4), .frame, .wait(10), .shape(0, 12, 8), .frame, .motion(0, 5, 5), .frame)
        #expect(rig.story == ["began 0", "moved 0", "moved 0"])
        #expect(rig.changes.map(\.contact.position.x) == [4, 4, 5])
        #expect(rig.changes.map { $0.contact.shape?.major } == [nil, 12, 12])
        #expect(rig.faults.total == 0)
    }

    @Test func eventsForIdsThatAreNotDownAreCountedAndIgnored() {
        let rig = Rig(.motion(0, 1, 1), .up(0), .shape(0, 1, 1), .orientation(0, 1), .frame)
        #expect(rig.frames.isEmpty)
        #expect(rig.faults.unknownMotion == 1)
        #expect(rig.faults.unknownUp == 1)
        #expect(rig.faults.unknownShape == 2)
        #expect(rig.faults.total == 4)
    }

    @Test func whatIsNoNumberIsCountedAndIgnored() {
        let rig = Rig(
            .down(0, .nan, 0), .down(1, 5, 5), .motion(1, .infinity, 5), .shape(1, -1, 2), .orientation(1, .nan), .frame
        )
        #expect(rig.story == ["began 1"])
        #expect(rig.faults.badNumber == 4)
        #expect(rig.tracker.contacts.first?.shape == nil)
    }

    @Test func placesOutsideOfTheSurfaceAreKept() {
        let rig = Rig(.down(0, 5, 5), .motion(0, -300, 99_999), .frame)
        #expect(rig.changes.last?.contact.position == Point(x: -300, y: 99_999))
    }

    @Test func moreContactsThanAnybodyHasFingersPushOutTheOneSilentForLongest() {
        var rig = Rig()
        for id in 0..<Int32(ContactTracker.capacity) { rig.run(.wait(1), .down(id, 0, 0)) }
        rig.run(.wait(1), .motion(0, 1, 1), .down(9999, 0, 0), .frame)
        #expect(rig.tracker.contacts.count == ContactTracker.capacity)
        #expect(rig.faults.overflow == 1)
        #expect(rig.changes.filter { $0.phase == .cancelled }.map(\.contact.id) == [1])
    }

    @Test func framesCarryTheirArrival() {
        let rig = Rig(.down(0, 0, 0), .arriveLater(40), .frame)
        #expect(rig.frames[0].arrival.millisecondsSince(rig.frames[0].instant) == 40)
    }

    @Test func faultsOfSeveralSourcesAddUp() {
        let a = Rig(.motion(0, 1, 1), .up(3), .frame, .frame).faults
        let b = Rig(.motion(0, 1, 1), .cancel).faults
        #expect((a + b).unknownMotion == 2)
        #expect((a + b).total == a.total + b.total)
        #expect((a + b).total == 5)
    }
}
