/// A rule that a client broke while it was on the stage.
///
/// Rules of the protocol end the client as they do on every compositor (``Stage/Options/endsOffenders``); the others are
/// noted here alone, for real compositors show wrong pixels instead of saying anything.
public struct Violation: Equatable, Sendable, CustomStringConvertible {
    public enum Kind: String, Equatable, Sendable {
        /// A buffer was attached while the compositor still held it from an earlier commit.
        case heldBufferAttached
        /// The pixels of a buffer changed between its commit and its release.
        case heldBufferWritten
        /// Pixels differ from the frame before where no damage was declared.
        case undamagedChange
        /// Content was committed before the first configure was acknowledged.
        case bufferBeforeConfigure
        /// A configure was acknowledged that was never sent.
        case unknownConfigureSerial
        /// A configure was acknowledged after a newer one was.
        case staleConfigureSerial
        /// A maximised window's size is not the one acknowledged, or a full-screen window's is larger.
        case configuredSizeIgnored
        /// A pointer, keyboard or touch object of a seat that never had one.
        case missingCapability
        /// An error of the protocol that no other kind names; the text says which.
        case protocolRule
        /// libwayland itself refused a request: the object was destroyed before, or the message is broken.
        case brokenRequest
        /// The client answers without end: see ``Stage/pump(_:afterTurn:)``.
        case neverQuiet
    }

    public var kind: Kind
    /// What the text is about, such as `wl_surface`.
    public var interface: String
    public var objectID: UInt32
    public var text: String

    public var description: String { "\(interface)#\(objectID): \(text) [\(kind.rawValue)]" }
}
