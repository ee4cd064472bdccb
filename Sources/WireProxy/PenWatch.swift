internal import Gestures
internal import Input
internal import WireTables

/// The pens of an app on one connection, by zwp_tablet_seat_v2: whose objects are whose, and what they say. Tablets and
/// pads that no pen comes from are nothing here.
struct PenWatch {
    private struct Tool {
        let tabletSeat: UInt32
        /// Its seat's own number for it, from 1.
        let number: Int32
        /// zwp_tablet_tool_v2.type's; 0x140 is a pen.
        var type: UInt32 = 0x140
        /// The one that sees it.
        var tablet: UInt32?
        /// What it is above.
        var spot: Spot?
    }

    /// By the app's number of the zwp_tablet_seat_v2, how many tools it has had.
    private var tabletSeats: [UInt32: Int32] = [:]
    private var tools: [UInt32: Tool] = [:]

    // MARK: Objects

    mutating func begin(tabletSeat: UInt32) { tabletSeats[tabletSeat] = 0 }

    mutating func end(tabletSeat: UInt32) {
        tabletSeats[tabletSeat] = nil
        tools = tools.filter { $0.value.tabletSeat != tabletSeat }
    }

    /// zwp_tablet_seat_v2.tool_added
    mutating func add(tool: UInt32, to tabletSeat: UInt32) {
        guard let count = tabletSeats[tabletSeat] else { return }
        tabletSeats[tabletSeat] = count + 1
        tools[tool] = Tool(tabletSeat: tabletSeat, number: count + 1)
    }

    /// The app lets go of a tool. Whose it was, and its number.
    mutating func end(tool: UInt32) -> (tabletSeat: UInt32, number: Int32)? {
        tools.removeValue(forKey: tool).map { ($0.tabletSeat, $0.number) }
    }

    /// A tablet was unplugged: the tools above it have no proximity_out of their own.
    mutating func remove(tablet: UInt32) -> [(tabletSeat: UInt32, number: Int32)] {
        let lost = tools.filter { $0.value.tablet == tablet }
        for id in lost.keys { tools[id]?.tablet = nil }
        return lost.values.map { ($0.tabletSeat, $0.number) }.sorted { $0.1 < $1.1 }
    }

    // MARK: Events

    /// What an event of a tool says, and whose tool it is; nil for what is of no tool that is known, or says nothing.
    mutating func receive(
        _ message: WatchedMessage, of object: UInt32, _ arguments: MessageReader, arrival: Instant,
        locate: (UInt32) -> (root: UInt32, offset: Point)?
    ) -> (event: RawToolEvent, tabletSeat: UInt32)? {
        guard var tool = tools[object] else { return nil }
        var arguments = arguments
        let kind: RawToolEvent.Kind
        switch message {
        case .zwpTabletToolV2Type:
            tools[object]?.type = arguments.uint()
            return nil
        case .zwpTabletToolV2Done: kind = .added
        case .zwpTabletToolV2Removed: kind = .removed
        case .zwpTabletToolV2ProximityIn:
            _ = arguments.uint()
            tool.tablet = arguments.uint()
            let spot = Spot(arguments.uint(), locate)
            tool.spot = spot
            kind = .proximityIn(target: spot.target)
        case .zwpTabletToolV2ProximityOut:
            tool.tablet = nil
            kind = .proximityOut
        case .zwpTabletToolV2Down: kind = .down
        case .zwpTabletToolV2Up: kind = .up
        case .zwpTabletToolV2Motion:
            let offset = tool.spot?.follow(locate) ?? .zero
            kind = .motion(Point(x: arguments.fixed(), y: arguments.fixed()) + offset)
        case .zwpTabletToolV2Pressure: kind = .pressure(arguments.uint())
        case .zwpTabletToolV2Distance: kind = .distance(arguments.uint())
        case .zwpTabletToolV2Tilt: kind = .tilt(Contact.Tilt(x: arguments.fixed(), y: arguments.fixed()))
        case .zwpTabletToolV2Rotation: kind = .rotation(arguments.fixed())
        case .zwpTabletToolV2Slider: kind = .slider(arguments.int())
        case .zwpTabletToolV2Wheel: kind = .wheel(degrees: arguments.fixed(), clicks: arguments.int())
        case .zwpTabletToolV2Button:
            _ = arguments.uint()
            kind = .button(arguments.uint(), isPressed: arguments.uint() != 0)
        case .zwpTabletToolV2Frame: kind = .frame(time: arguments.uint())
        default: return nil
        }
        tools[object] = kind == .removed ? nil : tool
        return (
            RawToolEvent(kind: kind, tool: tool.number, typeCode: tool.type, arrival: arrival), tool.tabletSeat
        )
    }
}
