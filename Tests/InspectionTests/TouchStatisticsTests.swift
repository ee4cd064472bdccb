import Gestures
import Testing

@testable import Inspection

@Suite struct TouchStatisticsTests {
    @Test func countsContactsNowAndTheMost() {
        var touches = Touches()
        var statistics = TouchStatistics()
        for id in Int32(0)..<3 { statistics.take(touches.down(id, Double(id) * 100)) }
        #expect(statistics.contacts == 3)
        statistics.take(touches.up(1))
        #expect(statistics.contacts == 2 && statistics.mostContacts == 3)
        statistics.take(touches.cancel())
        #expect(statistics.contacts == 0 && statistics.mostContacts == 3 && statistics.contactCount == 3)
        #expect(statistics.eventCount == 6)
    }

    @Test func intervalsAreBetweenTheSamplesOfOneContact() {
        var touches = Touches()
        var statistics = TouchStatistics()
        statistics.take(touches.down(1))
        touches.wait(3)
        // Another finger's events are no samples of the first.
        statistics.take(touches.down(2, 300))
        touches.wait(5)
        statistics.take(touches.move(1, 20))
        touches.wait(8)
        statistics.take(touches.move(1, 30))
        touches.wait(500)
        // Lifting is no sample.
        statistics.take(touches.up(1))
        #expect(statistics.interval == Summary(count: 2, median: 8, percentile99: 8))
        #expect(statistics.intervals.counts[4] == 2)
    }

    @Test func aShapeOfItsOwnIsNoSample() {
        var touches = Touches()
        var statistics = TouchStatistics()
        statistics.take(touches.down(1))
        var shape = touches.down(2, 50)[0]
        shape.changes[0].phase = .moved
        statistics.handle(ContactFrame(source: shape.source, instant: touches.now, changes: []))
        let contact = shape.changes[0].contact
        statistics.handle(
            ContactFrame(source: shape.source, instant: touches.now, changes: [.init(phase: .began, contact: contact)]))
        statistics.handle(
            ContactFrame(source: shape.source, instant: touches.now, changes: [.init(phase: .moved, contact: contact)]))
        #expect(statistics.intervals.total == 0)
    }

    @Test func namesTheLastGesture() {
        var touches = Touches()
        var recognizer = GestureRecognizer()
        var statistics = TouchStatistics()
        func take(_ frames: [ContactFrame]) {
            for frame in frames { statistics.handle(recognizer.handle(frame)) }
        }
        take(touches.down(1))
        #expect(statistics.lastGesture == nil)
        touches.wait(50)
        take(touches.up(1))
        #expect(statistics.lastGesture == "tap")
        touches.wait(100)
        take(touches.down(1))
        touches.wait(50)
        take(touches.up(1))
        #expect(statistics.lastGesture == "tap 2x")
        touches.wait(1000)
        take(touches.down(1))
        touches.wait(100)
        take(touches.move(1, 60))
        touches.wait(100)
        take(touches.move(1, 80))
        #expect(statistics.lastGesture == "pan changed")
    }
}

@Suite struct StuckContactsTests {
    @Test func aFingerAtRestIsNotStuckHoweverLong() {
        var touches = Touches()
        var stuck = StuckContacts()
        stuck.take(touches.down(1))
        touches.wait(3_600_000)
        // Somebody else taps twice.
        for _ in 0..<2 {
            stuck.take(touches.down(2, 400))
            stuck.take(touches.up(2))
        }
        #expect(stuck.serials.isEmpty && stuck.count == 0)
    }

    @Test func oneIsStuckWhereAnotherComesDown() {
        var touches = Touches()
        var stuck = StuckContacts()
        stuck.take(touches.down(1, 100, 100))
        touches.wait(3000)
        stuck.take(touches.down(2, 110, 105))
        #expect(stuck.count == 1 && stuck.serials.count == 1)
    }

    @Test func anotherAtThatPlaceSoonAfterIsJudgedWhenTheSilenceIsLongEnough() {
        var touches = Touches()
        var stuck = StuckContacts()
        stuck.take(touches.down(1, 100, 100))
        touches.wait(200)
        stuck.take(touches.down(2, 100, 100))
        #expect(stuck.count == 0)
        touches.wait(2900)
        stuck.take(touches.move(2, 200))
        #expect(stuck.count == 1)
    }

    @Test func oneIsStuckThatThreeTapsPassedBy() {
        var touches = Touches()
        var stuck = StuckContacts()
        stuck.take(touches.down(1))
        touches.wait(4000)
        for _ in 0..<3 {
            #expect(stuck.count == 0)
            stuck.take(touches.down(2, 400))
            touches.wait(80)
            stuck.take(touches.up(2))
            touches.wait(500)
        }
        #expect(stuck.count == 1)
    }

    @Test func aContactThatWasThereBeforeDoesNotPassBy() {
        var touches = Touches()
        var stuck = StuckContacts()
        for id in Int32(2)..<6 { stuck.take(touches.down(id, Double(id) * 100)) }
        touches.wait(10)
        stuck.take(touches.down(1))
        touches.wait(5000)
        for id in Int32(2)..<6 { stuck.take(touches.up(id)) }
        #expect(stuck.count == 0)
    }

    @Test func aMouseThatIsUsedMeanwhileIsEvidence() {
        var touches = Touches()
        var mouse = Touches(source: 1, kind: .pointer)
        var stuck = StuckContacts()
        stuck.take(touches.down(1))
        touches.wait(5000)
        mouse.now = touches.now
        for _ in 0..<3 {
            stuck.take(mouse.down(0, 400))
            stuck.take(mouse.up(0))
        }
        #expect(stuck.count == 1)
    }

    @Test(arguments: [true, false])
    func oneThatSpeaksAgainWasNotStuck(byMoving: Bool) {
        var touches = Touches()
        var stuck = StuckContacts()
        stuck.take(touches.down(1, 100, 100))
        touches.wait(4000)
        stuck.take(touches.down(2, 100, 100))
        #expect(stuck.count == 1)
        stuck.take(byMoving ? touches.move(1, 120) : touches.up(1))
        #expect(stuck.count == 0 && stuck.serials.isEmpty)
    }

    @Test func oneThatIsReplacedStaysCounted() {
        var touches = Touches()
        var stuck = StuckContacts()
        stuck.take(touches.down(1, 100, 100))
        touches.wait(4000)
        stuck.take(touches.down(2, 100, 100))
        stuck.take(touches.up(2))
        stuck.take(touches.down(1, 300, 100))
        #expect(stuck.count == 1 && stuck.serials.isEmpty)
    }
}

@Suite struct FaultTests {
    @Test func everyCounterHasANameOfItsOwn() {
        #expect(Set(Fault.allCases.map(\.name)).count == Fault.allCases.count)
        var counts = FaultCounts()
        counts.contacts.duplicateDown = 1
        counts.contacts.unknownMotion = 2
        counts.contacts.unknownUp = 3
        counts.contacts.unknownShape = 4
        counts.contacts.missingFrame = 5
        counts.contacts.emptyFrame = 6
        counts.contacts.repeatedCancel = 7
        counts.contacts.timeBackwards = 8
        counts.contacts.jump = 9
        counts.contacts.badNumber = 10
        counts.contacts.overflow = 11
        counts.stuckContacts = 12
        counts.heldBuffers = 13
        #expect(counts.seen.map(\.count) == Array(1...13))
        // A counter that is added to the contact rules must be named here too.
        #expect(counts.contacts.total == (1...11).reduce(0, +))
        #expect((counts + counts)[.jump] == 18)
    }

    @Test func onlyWhatHasRisenIsNews() {
        var old = FaultCounts()
        old.contacts.jump = 2
        old.stuckContacts = 2
        var new = old
        new.contacts.jump = 5
        // A contact that was not stuck after all.
        new.stuckContacts = 1
        #expect(new.risen(since: old).map(\.fault) == [.jump])
    }
}
