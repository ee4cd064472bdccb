/// One stream of touches: one wl_touch, one pointer, one device. The number is its owner's; a stream that ends gives its
/// number to no other.
public struct SourceID: Hashable, Sendable {
    public var rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }
}

/// One finger, pen or pressed button from its coming down to its end.
public struct Contact: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        case finger
        /// The primary button, standing in for a finger.
        case pointer
        case stylus
    }

    /// An ellipse, in logical px.
    public struct Shape: Hashable, Sendable {
        public var major, minor: Double

        public init(major: Double, minor: Double) {
            self.major = major
            self.minor = minor
        }
    }

    public var source: SourceID
    /// The protocol's id: any number, handed out again after the contact's end.
    public var id: Int32
    /// Tells contacts apart for the life of the process: never handed out again, ascending within a source.
    public var serial: UInt64
    public var kind: Kind
    /// The surface, by its owner's number.
    public var target: Int
    /// Surface-local logical px of the last event; may lie outside the surface.
    public var position: Point
    /// Surface-local logical px where it came down.
    public var start: Point
    public var began: Instant
    /// The last change.
    public var instant: Instant
    /// Nil as long as the device or the protocol's version says nothing.
    public var shape: Shape?
    /// Degrees clockwise from the surface's y axis to the ellipse's major axis, as wl_touch.orientation defines it.
    public var orientation: Double?
    /// True once the first motion was farther than a finger goes: panels report a place left over from an earlier
    /// contact (seen with Android 8.1's second finger). The place after it is right, a velocity across it is not.
    public var jumped: Bool

    public init(
        source: SourceID, id: Int32, serial: UInt64, kind: Kind = .finger, target: Int = 0, position: Point,
        start: Point? = nil, began: Instant, instant: Instant? = nil, shape: Shape? = nil, orientation: Double? = nil,
        jumped: Bool = false
    ) {
        self.source = source
        self.id = id
        self.serial = serial
        self.kind = kind
        self.target = target
        self.position = position
        self.start = start ?? position
        self.began = began
        self.instant = instant ?? began
        self.shape = shape
        self.orientation = orientation
        self.jumped = jumped
    }
}

/// What changed together on one source: the narrow waist between everything that reads touches and everything that uses
/// them. Every sample is a change of its own, in order; how changes are spread over frames carries no meaning.
public struct ContactFrame: Hashable, Sendable {
    public enum Phase: Hashable, Sendable {
        case began
        case moved
        /// Lifted.
        case ended
        /// Taken away: it means nothing any more.
        case cancelled

        public var isTerminal: Bool { self == .ended || self == .cancelled }
    }

    public struct Change: Hashable, Sendable {
        public var phase: Phase
        /// As it was right after the change.
        public var contact: Contact

        public init(phase: Phase, contact: Contact) {
            self.phase = phase
            self.contact = contact
        }
    }

    public var source: SourceID
    /// Of the last change, by the source's time stamps (see ``EventClock``).
    public var instant: Instant
    /// When it reached the program, by the program's clock: what deadlines are reckoned from.
    public var arrival: Instant
    public var changes: [Change]

    public init(source: SourceID, instant: Instant, arrival: Instant? = nil, changes: [Change]) {
        self.source = source
        self.instant = instant
        self.arrival = arrival ?? instant
        self.changes = changes
    }
}
