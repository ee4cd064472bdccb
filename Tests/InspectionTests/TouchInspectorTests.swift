import Gestures
import Ripples
import Testing

@testable import Inspection

@Suite struct TouchInspectorTests {
    private func heading(_ labels: [Label]) -> [String] {
        labels.filter { $0.placement == .heading }.flatMap(\.lines)
    }

    private func contacts(_ labels: [Label]) -> [Label] { labels.filter { $0.placement == .beside } }

    @Test func aContactsLabelSaysWhoWhereHowLongAndHowFast() throws {
        var touches = Touches()
        var inspector = TouchInspector()
        inspector.take(touches.down(7, 100, 50))
        for step in 1...10 {
            touches.wait(10)
            inspector.take(touches.move(7, 100 + Double(step) * 5, 50))
        }
        let labels = contacts(inspector.labels(at: touches.now))
        let label = try #require(labels.first)
        #expect(label.lines == ["#7 seat1", "150.0, 50.0", "0.1 s  500 px/s"])
        #expect(label.anchor == Point(x: 150, y: 50))
        // At rest it is slow, and older.
        #expect(contacts(inspector.labels(at: touches.now + .milliseconds(900)))[0].lines[2] == "1.0 s  0 px/s")
    }

    @Test func whatTheDeviceTellsHasLinesOfItsOwn() throws {
        var touches = Touches(kind: .stylus)
        var frame = touches.down(-3, 20, 30)[0]
        frame.changes[0].contact.pressure = 0.5
        frame.changes[0].contact.tilt = .init(x: 12, y: -30)
        frame.changes[0].contact.shape = .init(major: 12, minor: 8.5)
        frame.changes[0].contact.orientation = -45
        var inspector = TouchInspector()
        inspector.take([frame])
        let labels = contacts(inspector.labels(at: touches.now))
        let label = try #require(labels.first)
        #expect(
            label.lines == [
                "#-3 seat1 pen", "20.0, 30.0", "0.0 s  0 px/s", "pressure 0.50", "tilt 12, -30°", "12.0 by 8.5, -45°",
            ])
    }

    @Test func aContactThatWasDownBeforeIsAsOldAsItIs() throws {
        var touches = Touches()
        var inspector = TouchInspector()
        let contact = touches.down(7, 100, 50)[0].changes[0].contact
        touches.wait(2500)
        inspector.adopt([contact], seat: 1, name: "seat1", at: touches.now)
        let labels = contacts(inspector.labels(at: touches.now))
        #expect(try #require(labels.first).lines[2] == "2.5 s  0 px/s")
        inspector.take(touches.up(7))
        #expect(contacts(inspector.labels(at: touches.now)).isEmpty && inspector.statistics.contacts == 0)
    }

    @Test func theLabelGoesWithTheContact() {
        var touches = Touches()
        var inspector = TouchInspector()
        inspector.take(touches.down(1))
        inspector.take(touches.down(2, 200))
        #expect(contacts(inspector.labels(at: touches.now)).count == 2)
        inspector.take(touches.up(1))
        inspector.take(touches.cancel())
        #expect(contacts(inspector.labels(at: touches.now)).isEmpty)
    }

    @Test func theHeadingChangesAtMostFiveTimesASecond() {
        var touches = Touches()
        var inspector = TouchInspector()
        var headings: [[String]] = []
        inspector.take(touches.down(1))
        for step in 0..<1000 {
            inspector.take(touches.move(1, 10 + Double(step)))
            let heading = heading(inspector.labels(at: touches.now))
            if heading != headings.last { headings.append(heading) }
            touches.wait(1)
        }
        #expect((2...6).contains(headings.count), "\(headings.count)")
    }

    @Test func aFigureThatStaysKeepsItsLabelAndPlace() {
        var touches = Touches()
        var inspector = TouchInspector()
        inspector.take(touches.down(1))
        let before = heading(inspector.labels(at: touches.now))
        for step in 0..<60 {
            touches.wait(10)
            inspector.take(touches.move(1, 10 + Double(step)))
        }
        inspector.take(touches.down(2, 300))
        let after = heading(inspector.labels(at: touches.now))
        #expect(before.count == after.count)
        // Only what stands at the end may change its width.
        for (old, new) in zip(before, after).prefix(2) { #expect(old.count == new.count, "\(old) \(new)") }
        #expect(after.contains("contacts  2 most  2"), "\(after)")
    }

    @Test func nothingWakesWhenNothingIsTouched() {
        var touches = Touches()
        var inspector = TouchInspector()
        _ = inspector.labels(at: touches.now)
        #expect(inspector.nextDeadline == nil)
        inspector.take(touches.down(1))
        #expect(inspector.nextDeadline != nil)
        touches.wait(50)
        inspector.take(touches.up(1))
        // One refresh is owed; after it there is nothing to wait for.
        let due = inspector.nextDeadline
        #expect(due == .milliseconds(100_200))
        touches.wait(150)
        _ = inspector.labels(at: touches.now)
        #expect(inspector.nextDeadline == nil)
    }

    @Test func aContactThatNeverEndsStopsWakingUs() {
        var touches = Touches()
        var inspector = TouchInspector()
        inspector.take(touches.down(1))
        var wakes = 0
        _ = inspector.labels(at: touches.now)
        while let due = inspector.nextDeadline, wakes < 1000 {
            wakes += 1
            touches.now = due
            _ = inspector.labels(at: touches.now)
        }
        #expect(wakes == 50)
    }

    @Test func faultsStandInTheHeadingAndAreReportedOnce() {
        var touches = Touches()
        var inspector = TouchInspector()
        inspector.take(touches.move(5, 20))
        inspector.setFaults(touches.faults, seat: 1, name: "seat1")
        #expect(heading(inspector.labels(at: touches.now)).contains("motion-without-down 1"))
        let report = FaultReport(seat: "seat1", fault: .unknownMotion, count: 1)
        #expect(inspector.takeRisenFaults() == [report])
        #expect(inspector.takeRisenFaults() == [])
        inspector.noteHeldBuffers()
        #expect(inspector.takeRisenFaults() == [FaultReport(seat: nil, fault: .heldBuffers, count: 1)])
    }

    @Test func faultsOfASeatThatIsGoneStayCounted() {
        var touches = Touches()
        var inspector = TouchInspector()
        inspector.take(touches.move(5, 20))
        inspector.setFaults(touches.faults, seat: 1, name: "seat1")
        inspector.removeSeat(1)
        #expect(inspector.faults[.unknownMotion] == 1)
    }

    @Test func aStuckContactSaysSo() {
        var touches = Touches()
        var inspector = TouchInspector()
        inspector.take(touches.down(1, 100, 100))
        touches.wait(4000)
        inspector.take(touches.down(2, 100, 100))
        let labels = contacts(inspector.labels(at: touches.now))
        #expect(labels[0].lines.last == "stuck?" && labels[1].lines.last != "stuck?")
        #expect(inspector.faults[.stuckContact] == 1)
    }

    @Test func reportsAreDueAtTheEndOfEachGroupAndOnceASecond() {
        var touches = Touches()
        var inspector = TouchInspector()
        #expect(inspector.takeDueReports(at: touches.now).isEmpty)
        var times: [Int64] = []
        inspector.take(touches.down(1))
        for step in 0..<250 {
            inspector.take(touches.move(1, 10 + Double(step)))
            if !inspector.takeDueReports(at: touches.now).isEmpty { times.append(Int64(step) * 10) }
            touches.wait(10)
        }
        #expect(times == [1000, 2000])
        inspector.take(touches.up(1))
        #expect(inspector.takeDueReports(at: touches.now).count == 1)
        touches.wait(5000)
        #expect(inspector.takeDueReports(at: touches.now).isEmpty)
    }

    @Test func seatsAreReportedApartWhenThereAreSeveral() {
        var inspector = TouchInspector()
        var first = Touches()
        var second = Touches(source: 2)
        inspector.take(first.down(0))
        #expect(inspector.reports(at: first.now).map(\.seat) == [nil])
        inspector.take(second.down(0), seat: 2)
        inspector.take(second.down(1, 200), seat: 2)
        let reports = inspector.reports(at: first.now)
        #expect(reports.map(\.seat) == [nil, "seat1", "seat2"])
        #expect(reports.map(\.statistics.mostContacts) == [3, 1, 2])
    }

    @Test func namesWhatALatencyIsReckonedFrom() {
        var touches = Touches()
        var inspector = TouchInspector()
        inspector.photonSource = .ready
        for step in 0..<20 {
            inspector.touch(stamp: 5, arrival: touches.now, seat: 1, name: "seat1")
            touches.wait(3)
            let shown = inspector.commit(at: touches.now)
            if let shown { inspector.answer(shown, .presented(touches.now + .milliseconds(16))) }
            if step == 0 {
                #expect(heading(inspector.labels(at: touches.now)).contains("arrival to commit   3.0 p99   3.0 ms"))
            }
            touches.wait(20)
        }
        for _ in 0..<20 {
            inspector.touch(stamp: touches.stamp - 2, arrival: touches.now, seat: 1, name: "seat1")
            touches.wait(3)
            let shown = inspector.commit(at: touches.now)
            if let shown { inspector.answer(shown, .presented(touches.now + .milliseconds(16))) }
            touches.wait(20)
        }
        let text = heading(inspector.labels(at: touches.now))
        #expect(text.contains("stamp to commit   5.0 p99   5.0 ms"), "\(text)")
        #expect(text.contains("stamp to photons  21.0 p99  21.0 ms"), "\(text)")
    }

    @Test func saysWhyThereAreNoPhotons() {
        var inspector = TouchInspector()
        #expect(heading(inspector.labels(at: .milliseconds(0))).contains("photons: no wp_presentation"))
        inspector.photonSource = .otherClock(4)
        #expect(
            heading(inspector.labels(at: .milliseconds(1000))).contains("photons: clock 4 is not CLOCK_MONOTONIC"))
    }
}
