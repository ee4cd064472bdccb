/// A contact that is down.
struct Finger: Sendable {
    var serial: UInt64
    var position: Point
    var leftSlop = false
    var hasJumped = false
    var hand: UInt64
    var velocity = VelocityEstimator()
}

/// What the recogniser knows of a hand.
struct HandState: Sendable {
    enum Activity: Hashable, Sendable {
        /// Down, and nothing yet.
        case still
        /// A finger left the slop, and what it does together with the others is not plain yet.
        case unclear
        case pressing
        case dragging
        /// One finger, or three and more.
        case panning
        /// Two fingers.
        case scrolling
        case transforming(pinch: Bool, rotation: Bool)
        /// Nothing more will come of it.
        case over
    }

    var number: UInt64
    var source: SourceID
    var target: Int
    var kind: Contact.Kind
    var began: Instant
    var activity = Activity.still
    /// The fingers as they were lifted, in that order.
    var lifted: [Contact] = []
    /// When the program heard of it: what deadlines are reckoned from.
    var arrival: Instant
    /// It came down where a tap had just ended: see ``GestureConfiguration/contactBounce``.
    var isBounce = false

    // Where motion is reckoned from: the fingers' places when the last of them joined.
    var start: Point
    /// The fingers' mean distance from their middle.
    var startRadius = 0.0
    /// Radians since then, clockwise on the screen.
    var angle = 0.0

    init(number: UInt64, contact: Contact, arrival: Instant) {
        self.number = number
        source = contact.source
        target = contact.target
        kind = contact.kind
        began = contact.began
        self.arrival = arrival
        start = contact.start
    }

    var mayPress: Bool { activity == .still && lifted.isEmpty }
}

struct RecentTap: Sendable {
    var source: SourceID
    var target: Int
    var fingers: Int
    var location: Point
    /// When it ended, by its source's time.
    var instant: Instant
    /// When the program heard of that.
    var arrival: Instant
    var count: Int
    /// What is said once no further tap can be counted with it.
    var waiting: Tap?
}
