internal import Gestures

/// One thing that ``RippleController`` shows: the mark of a contact, and what becomes of it.
struct Ripple: Sendable {
    enum State: Hashable, Sendable {
        /// The mark under a finger.
        case held
        /// After a tap.
        case tapped
        /// Lifted without a tap.
        case lifted
        case cancelled
    }

    /// The contact as it was last; nil when no contact made it.
    private(set) var contact: Contact?
    /// The contact's.
    let serial: UInt64?
    /// From 1, by order of arrival; nil when no contact made it.
    var finger: Int?
    var center: Point
    private(set) var state: State
    /// ns in this state.
    private(set) var age: Int64 = 0
    /// ns since it came.
    private(set) var life: Int64 = 0
    /// Its age counts from the next advance.
    var isPending = false

    /// It can become no long press any more.
    var cannotPress = false
    /// It is one.
    var isPressed = false
    /// It moved farther than a tap may.
    var leftSlop = false
    /// 2 for the second tap of a double tap, and so on.
    var tapCount = 1
    var path = RipplePath()

    init(_ contact: Contact, state: State, finger: Int) {
        self.contact = contact
        serial = contact.serial
        self.finger = finger
        center = contact.position
        self.state = state
    }

    init(at center: Point) {
        self.center = center
        serial = nil
        state = .tapped
        isPending = true
    }

    var isHeld: Bool { state == .held }
    var isStylus: Bool { contact?.kind == .stylus }

    mutating func enter(_ state: State) {
        self.state = state
        age = 0
    }

    mutating func move(_ contact: Contact) {
        self.contact = contact
        center = contact.position
    }

    mutating func advance(by passed: Int64) {
        if isPending {
            isPending = false
            return
        }
        age = age.addingSaturating(passed)
        life = life.addingSaturating(passed)
    }

    /// Since it is in its state.
    var seconds: Double { Double(age) / 1_000_000_000 }
    /// Since it came.
    var secondsOfLife: Double { Double(life) / 1_000_000_000 }
    /// From its coming to its release, or until now while it is held.
    var secondsHeld: Double { isHeld ? secondsOfLife : secondsOfLife - seconds }

    /// The share of the time after its release that is over; 0 while it is held.
    func time(_ style: RippleStyle) -> Double {
        isHeld ? 0 : seconds / style.kind.definition.duration(self, style)
    }

    /// Infinite while a finger holds it.
    func secondsLeft(_ style: RippleStyle) -> Double {
        switch state {
        case .held: .infinity
        case .tapped, .lifted: style.kind.definition.duration(self, style) - seconds
        case .cancelled: style.cancelFade - seconds
        }
    }
}

extension Int64 {
    func addingSaturating(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }
}
