internal import Gestures
internal import Input

/// The touches of one device or seat, and what they mean.
final class TouchStream {
    let key: StreamKey
    var contacts: TouchContacts
    var recognizer: GestureRecognizer
    /// The output that the recogniser's lengths were last reckoned for, by its number; nil for none.
    var fittedTo: UInt32?

    /// The last stamp that was told, with the moment at which it came.
    private var told: (stamp: UInt32, arrival: Instant)?

    /// The line's stamp; where it tells none, one by the clock of those before it, or by ours.
    func stamp(_ time: UInt32?, arrival: Instant) -> UInt32 {
        if let time {
            told = (time, arrival)
            return time
        }
        guard let told else { return UInt32(truncatingIfNeeded: arrival.nanoseconds / 1_000_000) }
        return told.stamp &+ UInt32(truncatingIfNeeded: max(0, arrival - told.arrival) / 1_000_000)
    }

    init(_ key: StreamKey, source: SourceID, configuration: GestureConfiguration) {
        self.key = key
        contacts = TouchContacts(source: source)
        recognizer = GestureRecognizer(configuration: configuration)
    }

    var contactCount: Int { contacts.tracker.contacts.count }
}
