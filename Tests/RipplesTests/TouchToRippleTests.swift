import Gestures
import Ripples
import Testing

/// From raw events to what is seen.
@Suite struct TouchToRippleTests {
    private var tracker = ContactTracker(source: SourceID(rawValue: 0))
    private var recognizer = GestureRecognizer()
    private var controller = RippleController()

    private mutating func feed(_ frame: ContactFrame?, _ now: Instant) {
        if let frame { controller.handle(recognizer.handle(frame), at: now) }
    }

    @Test mutating func aTapIsAWaveAndAnHourLaterNothing() {
        let now = Instant.milliseconds(77)
        _ = tracker.down(id: 0, time: 1000, at: Point(x: 10, y: 20), target: 0, arrival: now)
        feed(tracker.frame(arrival: now), now)
        #expect(controller.shapes.count == 1)
        tracker.up(id: 0, time: 1084, arrival: now)
        feed(tracker.frame(arrival: now), now)
        controller.advance(to: now + .milliseconds(500))
        #expect(controller.discs.map(\.radius) == [45])
        controller.advance(to: now + .milliseconds(3_600_000))
        #expect(controller.isIdle)
    }

    @Test mutating func aDragLeavesNoWave() {
        let now = Instant.milliseconds(77)
        _ = tracker.down(id: 0, time: 0, at: Point(x: 10, y: 20), target: 0, arrival: now)
        tracker.motion(id: 0, time: 10, at: Point(x: 60, y: 20), arrival: now)
        tracker.up(id: 0, time: 20, arrival: now)
        feed(tracker.frame(arrival: now), now)
        #expect(controller.discs.map(\.radius) == [15])
        controller.advance(to: now + .milliseconds(700))
        #expect(controller.isIdle)
    }

    @Test mutating func everyMarkGoesWhenItsSourceGoes() {
        let now = Instant.milliseconds(77)
        for id in Int32(0)..<10 {
            _ = tracker.down(id: id, time: 0, at: Point(x: Double(id) * 400, y: 0), target: 0, arrival: now)
        }
        feed(tracker.frame(arrival: now), now)
        #expect(controller.shapes.count == 10)
        feed(tracker.end(arrival: now), now)
        #expect(controller.isAnimating)
        controller.advance(to: now + .milliseconds(500))
        #expect(controller.isIdle)
    }
}
