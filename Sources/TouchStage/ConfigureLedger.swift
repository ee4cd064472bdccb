/// The configures that one surface was sent, and what it made of them.
public struct ConfigureLedger: Sendable {
    public struct Configure: Equatable, Sendable {
        public var serial: UInt32
        /// Logical px; 0: the client chooses.
        public var width: Int32
        public var height: Int32
        /// xdg_toplevel.state values; empty for a layer surface.
        public var states: [UInt32]
    }

    /// All that were sent since the surface was last without content, oldest first.
    public private(set) var sent: [Configure] = []
    /// The serials that were acknowledged, in the order of the acknowledgements.
    public private(set) var acknowledged: [UInt32] = []

    /// The newest one that was acknowledged.
    public var current: Configure? { sent.last { $0.serial == acknowledged.last } }
    public var isAcknowledged: Bool { !acknowledged.isEmpty }

    enum Answer {
        case good
        case unknown
        case stale(newer: UInt32)
    }

    mutating func add(_ configure: Configure) { sent.append(configure) }

    mutating func acknowledge(_ serial: UInt32) -> Answer {
        guard let place = sent.firstIndex(where: { $0.serial == serial }) else { return .unknown }
        if let last = acknowledged.last, let newest = sent.firstIndex(where: { $0.serial == last }), place <= newest {
            return .stale(newer: last)
        }
        acknowledged.append(serial)
        return .good
    }

    mutating func reset() { self = ConfigureLedger() }
}
