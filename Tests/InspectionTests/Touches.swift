import Gestures

@testable import Inspection

/// One source whose contacts a test moves by hand; stamps and arrival are the same clock.
struct Touches {
    private var tracker: ContactTracker
    var now = Instant.milliseconds(100_000)

    init(source: Int = 0, kind: Contact.Kind = .finger) {
        tracker = ContactTracker(source: SourceID(rawValue: source), kind: kind)
    }

    var stamp: UInt32 { UInt32(truncatingIfNeeded: now.nanoseconds / 1_000_000) }
    var faults: FaultCounters { tracker.faults }

    mutating func wait(_ milliseconds: Int64) { now = now + .milliseconds(milliseconds) }

    /// The frames that coming down makes, one for a contact that it ends and one of its own.
    mutating func down(_ id: Int32, _ x: Double = 10, _ y: Double = 10) -> [ContactFrame] {
        let ended = tracker.down(id: id, time: stamp, at: Point(x: x, y: y), target: 1, arrival: now)
        return [ended, tracker.frame(arrival: now)].compactMap { $0 }
    }

    mutating func move(_ id: Int32, _ x: Double, _ y: Double = 10) -> [ContactFrame] {
        tracker.motion(id: id, time: stamp, at: Point(x: x, y: y), arrival: now)
        return [tracker.frame(arrival: now)].compactMap { $0 }
    }

    mutating func up(_ id: Int32) -> [ContactFrame] {
        tracker.up(id: id, time: stamp, arrival: now)
        return [tracker.frame(arrival: now)].compactMap { $0 }
    }

    mutating func cancel() -> [ContactFrame] { [tracker.cancel(arrival: now)].compactMap { $0 } }
}

extension TouchInspector {
    mutating func take(_ frames: [ContactFrame], seat: UInt32 = 1) {
        for frame in frames { handle(frame, seat: seat, name: "seat\(seat)") }
    }
}

extension TouchStatistics {
    mutating func take(_ frames: [ContactFrame]) {
        for frame in frames { handle(frame) }
    }
}

extension StuckContacts {
    mutating func take(_ frames: [ContactFrame]) {
        for frame in frames { handle(frame) }
    }
}
