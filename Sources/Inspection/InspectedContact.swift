internal import Gestures

/// A contact that is down, with what only its history tells.
struct InspectedContact: Sendable {
    /// ns over which a velocity is reckoned, as the recogniser does by default.
    static let velocityWindow: Int64 = .milliseconds(100)

    var contact: Contact
    let seat: String
    /// When its first event reached the program.
    private(set) var arrival: Instant
    /// When its last one did.
    private(set) var heard: Instant
    private var estimator = VelocityEstimator()

    init(_ contact: Contact, seat: String, arrival: Instant) {
        self.contact = contact
        self.seat = seat
        self.arrival = arrival
        heard = arrival
        estimator.start(at: contact.position, contact.began)
    }

    /// It is older than what was seen of it. Instants of a source and the program's clock agree roughly.
    mutating func predate() { arrival = min(arrival, contact.began) }

    mutating func move(_ new: Contact, arrival: Instant) {
        if new.jumped, !contact.jumped {
            estimator.jump(to: new.position, new.instant)
        } else {
            estimator.move(to: new.position, new.instant, window: Self.velocityWindow)
        }
        contact = new
        heard = arrival
    }

    /// Logical px/s. The source's stamps and the program's clock run alike, so a contact that has been silent for longer
    /// than the window stands still.
    func speed(at now: Instant) -> Double {
        let instant = contact.instant + max(0, now - heard)
        let velocity = estimator.velocity(at: instant, window: Self.velocityWindow)
        return velocity.distance(to: .zero)
    }
}
