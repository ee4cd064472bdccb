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

    /// How a pen leans, in degrees from upright.
    public struct Tilt: Hashable, Sendable {
        /// Positive to the surface's right.
        public var x: Double
        /// Positive downwards on the surface.
        public var y: Double

        public init(x: Double, y: Double) {
            self.x = x
            self.y = y
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
    /// From 0, just touching, to 1, as hard as the pen can tell. Nil for fingers and for pens that do not tell.
    public var pressure: Double?
    /// Nil for fingers and for pens that do not tell.
    public var tilt: Tilt?
    /// True once the first motion was farther than a finger goes: panels report a place left over from an earlier
    /// contact (seen with Android 8.1's second finger). The place after it is right, a velocity across it is not.
    public var jumped: Bool

    public init(
        source: SourceID, id: Int32, serial: UInt64, kind: Kind = .finger, target: Int = 0, position: Point,
        start: Point? = nil, began: Instant, instant: Instant? = nil, shape: Shape? = nil, orientation: Double? = nil,
        pressure: Double? = nil, tilt: Tilt? = nil, jumped: Bool = false
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
        self.pressure = pressure
        self.tilt = tilt
        self.jumped = jumped
    }
}

/// A pen over the surface that does not touch it: no contact, and never counted as a finger. It begins when the pen comes
/// near or is lifted, and ends when it touches or goes.
public struct Hover: Hashable, Sendable {
    public enum Phase: Hashable, Sendable {
        case began, moved, ended
    }

    public var phase: Phase
    public var source: SourceID
    /// The pen: its contacts carry the same id, as long as the pen exists.
    public var id: Int32
    /// The surface, by its owner's number.
    public var target: Int
    /// Surface-local logical px; may lie outside the surface.
    public var position: Point
    /// By the program's clock.
    public var instant: Instant
    /// From 0, at the surface, to 1, as far away as the tablet can see it. Nil for pens that do not tell.
    public var distance: Double?
    /// Nil for pens that do not tell.
    public var tilt: Contact.Tilt?

    public init(
        phase: Phase, source: SourceID, id: Int32, target: Int = 0, position: Point, instant: Instant,
        distance: Double? = nil, tilt: Contact.Tilt? = nil
    ) {
        self.phase = phase
        self.source = source
        self.id = id
        self.target = target
        self.position = position
        self.instant = instant
        self.distance = distance
        self.tilt = tilt
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
    /// What a pen does that touches nothing. A frame has either this or changes.
    public var hover: Hover?

    public init(source: SourceID, instant: Instant, arrival: Instant? = nil, changes: [Change]) {
        self.source = source
        self.instant = instant
        self.arrival = arrival ?? instant
        self.changes = changes
    }

    public init(hover: Hover, arrival: Instant? = nil) {
        source = hover.source
        instant = hover.instant
        self.arrival = arrival ?? hover.instant
        changes = []
        self.hover = hover
    }
}
