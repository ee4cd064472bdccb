internal import Gestures
internal import Input

/// The touches of one device or seat, and what they mean.
final class TouchStream {
    let key: StreamKey
    var contacts: TouchContacts
    var recognizer: GestureRecognizer
    /// The output that the recogniser's lengths were last reckoned for, by its number; nil for none.
    var fittedTo: UInt32?

    init(_ key: StreamKey, source: SourceID, configuration: GestureConfiguration) {
        self.key = key
        contacts = TouchContacts(source: source)
        recognizer = GestureRecognizer(configuration: configuration)
    }

    var contactCount: Int { contacts.tracker.contacts.count }
}
