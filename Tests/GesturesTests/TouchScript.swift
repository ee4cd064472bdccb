import Gestures

/// A raw event of one source, and what the loop does around it.
enum Step: Hashable, Sendable {
    case down(Int32, Double, Double, target: Int = 0)
    case motion(Int32, Double, Double)
    case up(Int32)
    case shape(Int32, Double, Double)
    case orientation(Int32, Double)
    /// A pen's motion, with its pressure.
    case stroke(Int32, Double, Double, pressure: Double)
    /// One contact is taken away.
    case lose(Int32)
    case frame
    case cancel
    case end
    case endTurn
    case surfaceGone(Int)
    /// Both clocks go on by so many ms.
    case wait(Int64)
    /// The source's stamp, from here on.
    case stamp(UInt32)
    /// The program's deadline timer went off, or its loop looked.
    case advance
    /// Only the program's clock goes on, ms.
    case arriveLater(Int64)
}

/// A source, its tracker and a recogniser, run by hand-advanced clocks.
struct Rig {
    var tracker: ContactTracker
    var recognizer: GestureRecognizer
    var now = Instant.milliseconds(1_000_000)
    var stamp: UInt32 = 5_000
    private(set) var frames: [ContactFrame] = []
    private(set) var gestures: [Gesture] = []

    init(source: Int = 1, configuration: GestureConfiguration = GestureConfiguration()) {
        tracker = ContactTracker(source: SourceID(rawValue: source))
        recognizer = GestureRecognizer(configuration: configuration)
    }

    init(_ steps: Step..., configuration: GestureConfiguration = GestureConfiguration()) {
        self.init(configuration: configuration)
        run(steps)
    }

    mutating func run(_ steps: Step...) { run(steps) }

    mutating func run(_ steps: [Step]) {
        for step in steps { run(step) }
    }

    mutating func run(_ step: Step) {
        switch step {
        case .down(let id, let x, let y, let target):
            deliver(tracker.down(id: id, time: stamp, at: Point(x: x, y: y), target: target, arrival: now))
        case .motion(let id, let x, let y): tracker.motion(id: id, time: stamp, at: Point(x: x, y: y), arrival: now)
        case .up(let id): tracker.up(id: id, time: stamp, arrival: now)
        case .shape(let id, let major, let minor): tracker.shape(id: id, major: major, minor: minor)
        case .orientation(let id, let degrees): tracker.orientation(id: id, degrees: degrees)
        case .stroke(let id, let x, let y, let pressure):
            tracker.motion(id: id, time: stamp, at: Point(x: x, y: y), arrival: now)
            tracker.pen(id: id, pressure: pressure, tilt: nil)
        case .lose(let id): deliver(tracker.cancel(id: id, arrival: now))
        case .frame: deliver(tracker.frame(arrival: now))
        case .cancel: deliver(tracker.cancel(arrival: now))
        case .end: deliver(tracker.end(arrival: now))
        case .endTurn: deliver(tracker.endTurn(arrival: now))
        case .surfaceGone(let target): deliver(tracker.endContacts(target: target, arrival: now))
        case .wait(let milliseconds):
            now = now + .milliseconds(milliseconds)
            stamp &+= UInt32(truncatingIfNeeded: milliseconds)
        case .stamp(let value): stamp = value
        case .advance: gestures += recognizer.advance(to: now)
        case .arriveLater(let milliseconds): now = now + .milliseconds(milliseconds)
        }
    }

    private mutating func deliver(_ frame: ContactFrame?) {
        guard let frame else { return }
        frames.append(frame)
        recognizer.handle(frame, into: &gestures)
    }

    // MARK: What came out

    var changes: [ContactFrame.Change] { frames.flatMap(\.changes) }

    /// Each change as its phase and the contact's id: `began 0`.
    var story: [String] { changes.map { "\($0.phase) \($0.contact.id)" } }

    var taps: [Tap] {
        gestures.compactMap { if case .tap(let tap) = $0 { tap } else { nil } }
    }

    /// Each gesture as name and phase: `tap ended`.
    var gestureStory: [String] { gestures.map { "\($0.name) \($0.phase.name)" } }

    /// Without what the contacts do.
    var actions: [String] {
        gestureStory.filter { !$0.hasPrefix("contact") && !$0.hasPrefix("slop") }
    }

    var faults: FaultCounters { tracker.faults }
}

/// SplitMix64 (Steele, Lea, Flood 2014): the same numbers from the same seed everywhere.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

extension Gesture {
    /// The hand that made it; nil for what contacts do, and for taps.
    var hand: Hand? {
        switch self {
        case .longPress(let press): press.hand
        case .drag(let motion), .pan(let motion), .scroll(let motion): motion.hand
        case .pinch(let pinch): pinch.hand
        case .rotation(let rotation): rotation.hand
        case .swipe(let swipe): swipe.hand
        default: nil
        }
    }
}
