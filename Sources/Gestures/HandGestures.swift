/// The fingers that act together, at one moment of what they do. All gestures of a hand carry the same number.
public struct Hand: Hashable, Sendable {
    /// Never handed out again by one recogniser.
    public var number: UInt64
    public var source: SourceID
    /// The surface, by its owner's number.
    public var target: Int
    /// What its contacts are; a hand of pens or of the pointer has one.
    public var kind: Contact.Kind
    public var fingers: Int
    /// The fingers' mean place, surface-local logical px.
    public var location: Point
    /// Their mean place where the gesture is reckoned from.
    public var start: Point
    /// When the first of them came down.
    public var began: Instant
    public var instant: Instant

    public init(
        number: UInt64, source: SourceID, target: Int, kind: Contact.Kind = .finger, fingers: Int, location: Point,
        start: Point, began: Instant,
        instant: Instant
    ) {
        self.number = number
        self.source = source
        self.target = target
        self.kind = kind
        self.fingers = fingers
        self.location = location
        self.start = start
        self.began = began
        self.instant = instant
    }

    /// ms since the first finger came down.
    public var duration: Double { instant.millisecondsSince(began) }
    /// Logical px from `start`.
    public var translation: Point { location - start }
}

public struct LongPress: Hashable, Sendable {
    public var phase: GesturePhase
    public var hand: Hand

    public init(phase: GesturePhase, hand: Hand) {
        self.phase = phase
        self.hand = hand
    }
}

/// A hand that moves as a whole.
public struct Motion: Hashable, Sendable {
    public var phase: GesturePhase
    public var hand: Hand
    /// Of the last 100 ms, logical px/s, limited to the fastest fling; what the hand had when it ended.
    public var velocity: Point

    public init(phase: GesturePhase, hand: Hand, velocity: Point) {
        self.phase = phase
        self.hand = hand
        self.velocity = velocity
    }
}

/// Fingers that move apart or together; the hand's location is its centre.
public struct Pinch: Hashable, Sendable {
    public var phase: GesturePhase
    public var hand: Hand
    /// The fingers' mean distance from their middle, as a ratio to what it was at the start.
    public var scale: Double

    public init(phase: GesturePhase, hand: Hand, scale: Double) {
        self.phase = phase
        self.hand = hand
        self.scale = scale
    }
}

/// Fingers that turn about their middle.
public struct Rotation: Hashable, Sendable {
    public var phase: GesturePhase
    public var hand: Hand
    /// Degrees since the start, clockwise on the screen; goes on beyond full turns.
    public var degrees: Double

    public init(phase: GesturePhase, hand: Hand, degrees: Double) {
        self.phase = phase
        self.hand = hand
        self.degrees = degrees
    }
}

/// A pan or scroll that ended in full motion, along an axis.
public struct Swipe: Hashable, Sendable {
    public enum Direction: Hashable, Sendable {
        case left, right, up, down

        /// As the event log writes it.
        public var name: String {
            switch self {
            case .left: "left"
            case .right: "right"
            case .up: "up"
            case .down: "down"
            }
        }
    }

    public enum Edge: Hashable, Sendable {
        case left, right, top, bottom

        /// As the event log writes it.
        public var name: String {
            switch self {
            case .left: "left"
            case .right: "right"
            case .top: "top"
            case .bottom: "bottom"
            }
        }
    }

    public var hand: Hand
    public var direction: Direction
    /// Where it came in from, when it did.
    public var edge: Edge?
    /// Logical px/s.
    public var velocity: Point

    public init(hand: Hand, direction: Direction, edge: Edge?, velocity: Point) {
        self.hand = hand
        self.direction = direction
        self.edge = edge
        self.velocity = velocity
    }
}
