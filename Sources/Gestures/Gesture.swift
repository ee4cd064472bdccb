/// Where a gesture stands. Gestures that take time pass from began through changed to ended or cancelled; those that are
/// known only when they are over have the one phase ended.
public enum GesturePhase: Hashable, Sendable {
    case began, changed, ended, cancelled

    /// As the event log writes it.
    public var name: String {
        switch self {
        case .began: "began"
        case .changed: "changed"
        case .ended: "ended"
        case .cancelled: "cancelled"
        }
    }
}

/// What the recogniser says. More kinds come with time: a `switch` over it has a `default`.
public enum Gesture: Hashable, Sendable {
    case contactBegan(Contact)
    case contactMoved(Contact)
    /// It moved farther from its start than a tap may, and is no tap any more. Said once, after the motion that did it.
    case contactLeftSlop(Contact)
    /// Lifted. The gesture that it completes follows at once.
    case contactEnded(Contact)
    case contactCancelled(Contact)

    /// A pen above the surface: of use for showing where it is, and part of no gesture.
    case hover(Hover)

    case tap(Tap)
    /// Began at the threshold, while the hand is down and still; ended by lifting it, or by moving it, which begins a drag.
    case longPress(LongPress)
    /// The motion of a hand that pressed for long before.
    case drag(Motion)
    /// The motion of one finger, or of three and more together.
    case pan(Motion)
    /// The motion of two fingers together.
    case scroll(Motion)
    case pinch(Pinch)
    case rotation(Rotation)
    /// After a pan or scroll that ended in full motion.
    case swipe(Swipe)

    /// As the event log writes it.
    public var name: String {
        switch self {
        case .contactBegan, .contactMoved, .contactEnded, .contactCancelled: "contact"
        case .contactLeftSlop: "slop"
        case .hover: "hover"
        case .tap: "tap"
        case .longPress: "long-press"
        case .drag: "drag"
        case .pan: "pan"
        case .scroll: "scroll"
        case .pinch: "pinch"
        case .rotation: "rotation"
        case .swipe(let swipe): swipe.edge == nil ? "swipe" : "edge-swipe"
        }
    }

    public var phase: GesturePhase {
        switch self {
        case .contactBegan: .began
        case .contactMoved: .changed
        case .contactEnded, .contactLeftSlop, .tap, .swipe: .ended
        case .contactCancelled: .cancelled
        case .hover(let hover):
            switch hover.phase {
            case .began: .began
            case .moved: .changed
            case .ended: .ended
            }
        case .longPress(let press): press.phase
        case .drag(let motion), .pan(let motion), .scroll(let motion): motion.phase
        case .pinch(let pinch): pinch.phase
        case .rotation(let rotation): rotation.phase
        }
    }

    /// The surface that it is on, by its owner's number.
    public var target: Int {
        switch self {
        case .contactBegan(let contact), .contactMoved(let contact), .contactLeftSlop(let contact),
            .contactEnded(let contact), .contactCancelled(let contact):
            contact.target
        case .hover(let hover): hover.target
        case .tap(let tap): tap.target
        case .longPress(let press): press.hand.target
        case .drag(let motion), .pan(let motion), .scroll(let motion): motion.hand.target
        case .pinch(let pinch): pinch.hand.target
        case .rotation(let rotation): rotation.hand.target
        case .swipe(let swipe): swipe.hand.target
        }
    }
}

/// One or more fingers that came down and were lifted together, at one place.
public struct Tap: Hashable, Sendable {
    public var source: SourceID
    /// The surface, by its owner's number.
    public var target: Int
    /// The mean of the places where the fingers were lifted, surface-local logical px.
    public var location: Point
    /// When the last finger was lifted.
    public var instant: Instant
    /// From the first finger's coming down to the last one's lifting, ms.
    public var duration: Double
    /// 1 for a single tap, 2 for the second of a double tap, and so on: each is said at once, or, as
    /// ``GestureConfiguration/waitsForDoubleTap`` has it, the last one alone and for all of them.
    public var count: Int
    /// The fingers as they were lifted, in that order.
    public var contacts: [Contact]

    public var fingers: Int { contacts.count }

    public init(
        source: SourceID, target: Int = 0, location: Point, instant: Instant, duration: Double,
        count: Int = 1, contacts: [Contact]
    ) {
        self.source = source
        self.target = target
        self.location = location
        self.instant = instant
        self.duration = duration
        self.count = count
        self.contacts = contacts
    }
}
