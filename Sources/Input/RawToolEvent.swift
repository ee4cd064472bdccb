package import Gestures
package import WaylandProtocols

/// One zwp_tablet_tool_v2 event as it came, before any rule of contacts: what a log writes and a recording keeps.
package struct RawToolEvent: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// The compositor has described the tool.
        case added
        case removed
        /// `target` is nil for a surface that is not registered, or that was destroyed while the event was under way.
        case proximityIn(target: Int?)
        case proximityOut
        case down
        case up
        /// Surface-local logical px.
        case motion(Point)
        /// 0 to 65535.
        case pressure(UInt32)
        /// 0 to 65535.
        case distance(UInt32)
        /// Degrees from upright, positive to the right and downwards.
        case tilt(Contact.Tilt)
        /// Degrees clockwise.
        case rotation(Double)
        /// -65535 to 65535.
        case slider(Int32)
        case wheel(degrees: Double, clicks: Int32)
        /// evdev's code.
        case button(UInt32, isPressed: Bool)
        /// ms of unknown base, modulo 2^32, for everything since the last one.
        case frame(time: UInt32)
    }

    package var kind: Kind
    /// The seat's own number for the tool, from 1; its contacts carry it as their id.
    package var tool: Int32
    package var type: ZwpTabletToolV2.TypeValue
    /// When the client got it.
    package var arrival: Instant

    init(kind: Kind, tool: Int32, type: ZwpTabletToolV2.TypeValue, arrival: Instant) {
        self.kind = kind
        self.tool = tool
        self.type = type
        self.arrival = arrival
    }

    /// - Parameter typeName: as the event log has it.
    package init(kind: Kind, tool: Int32, typeName: String, arrival: Instant) {
        self.init(kind: kind, tool: tool, type: ZwpTabletToolV2.TypeValue(name: typeName), arrival: arrival)
    }

    /// - Parameter typeCode: as zwp_tablet_tool_v2.type tells it.
    package init(kind: Kind, tool: Int32, typeCode: UInt32, arrival: Instant) {
        self.init(kind: kind, tool: tool, type: ZwpTabletToolV2.TypeValue(rawValue: typeCode), arrival: arrival)
    }
}

extension ZwpTabletToolV2.TypeValue {
    /// As the event log writes it; `tool` for what a newer protocol may bring.
    package var name: String {
        switch self {
        case .pen: "pen"
        case .eraser: "eraser"
        case .brush: "brush"
        case .pencil: "pencil"
        case .airbrush: "airbrush"
        case .finger: "finger"
        case .mouse: "mouse"
        case .lens: "lens"
        default: "tool"
        }
    }

    private static let named: [ZwpTabletToolV2.TypeValue] = [
        .pen, .eraser, .brush, .pencil, .airbrush, .finger, .mouse, .lens,
    ]

    /// 0, which the protocol gives to none, for a name that is none of these.
    fileprivate init(name: String) {
        self = Self.named.first { $0.name == name } ?? Self(rawValue: 0)
    }
}
