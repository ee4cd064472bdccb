internal import Gestures
internal import Input
internal import WireTables

/// The pens of an app on one connection: whose objects are whose, and what they say. Tablets and pads that no pen comes from
/// are nothing here.
struct PenWatch {
    /// All that came by one zwp_tablet_seat_v2, and lives on when that is destroyed; counted from 1.
    typealias Family = UInt32

    struct Pen {
        let family: Family
        /// Its family's own number for it, from 1.
        let number: Int32
    }

    /// What an event says.
    struct Heard {
        let event: RawToolEvent
        let family: Family
        /// It is pressed on what it is above.
        let isDown: Bool
        /// It was taken over, and is above this again.
        let returned: Int?
    }

    private struct Tool {
        let pen: Pen
        /// zwp_tablet_tool_v2.type's; 0x140 is a pen.
        var type: UInt32 = 0x140
        /// The one that sees it.
        var tablet: UInt32?
        /// What it is above.
        var spot: Spot?
        /// By which an app names what the pen does, while it is down.
        var serial: UInt32?
        /// When it counts as taken over by the compositor, if nothing is heard of it.
        var handOver: Instant?
        /// The compositor was asked to take it over, and has said nothing of it since.
        var isTaken = false

        /// It is above nothing any more.
        mutating func leave() {
            (tablet, spot, serial, handOver) = (nil, nil, nil, nil)
            isTaken = false
        }
    }

    /// By the app's number of the zwp_tablet_seat_v2.
    private var tabletSeats: [UInt32: Family] = [:]
    private var familyCount: Family = 0
    /// How many tools each has had.
    private var toolCounts: [Family: Int32] = [:]
    private var tools: [UInt32: Tool] = [:]

    // MARK: Objects

    mutating func begin(tabletSeat: UInt32) -> Family {
        familyCount += 1
        tabletSeats[tabletSeat] = familyCount
        toolCounts[familyCount] = 0
        return familyCount
    }

    /// The app lets go of it. Whose it was.
    mutating func end(tabletSeat: UInt32) -> Family? { tabletSeats.removeValue(forKey: tabletSeat) }

    /// Nothing of it is heard any more.
    mutating func end(_ family: Family) {
        tabletSeats = tabletSeats.filter { $0.value != family }
        tools = tools.filter { $0.value.pen.family != family }
        toolCounts[family] = nil
    }

    /// Whether nothing can be heard of it any more.
    func isOver(_ family: Family) -> Bool {
        !tabletSeats.values.contains(family) && !tools.values.contains { $0.pen.family == family }
    }

    /// zwp_tablet_seat_v2.tool_added
    mutating func add(tool: UInt32, to tabletSeat: UInt32) {
        guard let family = tabletSeats[tabletSeat], let count = toolCounts[family] else { return }
        toolCounts[family] = count + 1
        tools[tool] = Tool(pen: Pen(family: family, number: count + 1))
    }

    /// The app lets go of a tool.
    mutating func end(tool: UInt32) -> Pen? { tools.removeValue(forKey: tool)?.pen }

    /// A tablet was unplugged: the tools above it have no proximity_out of their own.
    mutating func remove(tablet: UInt32) -> [Pen] {
        change(where: { $0.tablet == tablet }) { $0.leave() }
    }

    /// Surfaces are not shown any more: whose pens were above them.
    mutating func endLost(_ locate: (UInt32) -> (root: UInt32, offset: Point)?) -> [Pen] {
        change(where: { $0.spot?.isLost(locate) ?? false }) { $0.spot?.root = nil }
    }

    /// Whether one of them is above something.
    func isAnyNear(_ family: Family) -> Bool {
        tools.values.contains { $0.pen.family == family && $0.tablet != nil }
    }

    private mutating func change(where isMeant: (Tool) -> Bool, _ body: (inout Tool) -> Void) -> [Pen] {
        var pens: [Pen] = []
        for (id, tool) in tools where isMeant(tool) {
            var tool = tool
            body(&tool)
            tools[id] = tool
            pens.append(tool.pen)
        }
        return pens.sorted { $0.number < $1.number }
    }

    // MARK: Pens that are taken over

    /// As ``SeatWatch/handOver(serial:arrival:)`` for touches.
    mutating func handOver(serial: UInt32, due: Instant) {
        _ = change(where: { $0.serial == serial }) { $0.handOver = due }
    }

    var nextDeadline: Instant? { tools.values.compactMap { $0.handOver }.min() }

    /// Those of which nothing was heard for too long.
    mutating func takeOver(_ now: Instant) -> [Pen] {
        if tools.isEmpty { return [] }
        return change(where: { $0.handOver.map { $0 <= now } ?? false }) { tool in
            tool.handOver = nil
            tool.isTaken = true
        }
    }

    // MARK: Events

    /// Nil for what is of no tool that is known, or says nothing.
    mutating func receive(
        _ message: WatchedMessage, of object: UInt32, _ arguments: MessageReader, arrival: Instant,
        locate: (UInt32) -> (root: UInt32, offset: Point)?
    ) -> Heard? {
        guard var tool = tools[object] else { return nil }
        var arguments = arguments
        var returned: Int?
        let kind: RawToolEvent.Kind
        switch message {
        case .zwpTabletToolV2Type:
            tools[object]?.type = arguments.uint()
            return nil
        case .zwpTabletToolV2Done: kind = .added
        case .zwpTabletToolV2Removed: kind = .removed
        case .zwpTabletToolV2ProximityIn:
            _ = arguments.uint()
            tool.leave()
            tool.tablet = arguments.uint()
            let spot = Spot(arguments.uint(), locate)
            tool.spot = spot
            kind = .proximityIn(target: spot.target)
        case .zwpTabletToolV2ProximityOut:
            tool.leave()
            kind = .proximityOut
        case .zwpTabletToolV2Down:
            tool.serial = arguments.uint()
            kind = .down
        case .zwpTabletToolV2Up:
            tool.serial = nil
            kind = .up
        case .zwpTabletToolV2Motion:
            let offset = tool.spot?.follow(locate) ?? .zero
            kind = .motion(Point(x: arguments.fixed(), y: arguments.fixed()) + offset)
            if tool.isTaken {
                returned = tool.spot?.target
                tool.isTaken = false
            }
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
        tool.handOver = nil
        tools[object] = kind == .removed ? nil : tool
        return Heard(
            event: RawToolEvent(kind: kind, tool: tool.pen.number, typeCode: tool.type, arrival: arrival),
            family: tool.pen.family, isDown: tool.serial != nil, returned: returned)
    }
}
