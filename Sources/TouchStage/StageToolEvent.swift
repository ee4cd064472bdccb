public import WaylandProtocols
internal import WaylandServer

/// One event of a tool of a script, without the frame that ends it.
public enum StageToolEvent: Equatable, Sendable {
    /// Made known; a number that has a tool already gets another one.
    case added(ZwpTabletToolV2.TypeValue)
    case removed
    /// Over the surface at this place, logical px of the layout; a motion says it, as compositors have it.
    case proximityIn(x: Double, y: Double)
    case proximityOut
    case down
    case up
    case motion(x: Double, y: Double)
    /// From 0 to 1.
    case pressure(Double)
    /// From 0 to 1.
    case distance(Double)
    /// Degrees from upright.
    case tilt(x: Double, y: Double)
    case rotation(degrees: Double)
    case slider(Int32)
    case wheel(degrees: Double, clicks: Int32)
    /// evdev's code.
    case button(code: UInt32, isPressed: Bool)
    case frame

    static let words = [
        "added", "removed", "in", "out", "down", "up", "move", "pressure", "distance", "tilt", "rotation", "slider",
        "wheel", "button", "frame",
    ]

    /// `tool` is one that no protocol knows yet.
    static let types: [(name: String, type: ZwpTabletToolV2.TypeValue)] = [
        ("pen", .pen), ("eraser", .eraser), ("brush", .brush), ("pencil", .pencil), ("airbrush", .airbrush),
        ("finger", .finger), ("mouse", .mouse), ("lens", .lens),
        ("tool", ZwpTabletToolV2.TypeValue(rawValue: 0)),
    ]
}

extension StageTablets {
    private static let allAxes: [ZwpTabletToolV2.Capability] = [
        .tilt, .pressure, .distance, .rotation, .slider, .wheel,
    ]

    func perform(_ event: StageToolEvent, _ number: Int32) {
        let tablet = tablets.first ?? addTablet()
        if case .added(let type) = event {
            numbered[number] = addPen(type, capabilities: StageTablets.allAxes)
            return
        }
        let pen = numbered[number] ?? addPen(capabilities: StageTablets.allAxes)
        numbered[number] = pen
        switch event {
        case .added: break
        case .removed:
            numbered[number] = nil
            pen.remove()
        case .proximityIn(let x, let y): pen.proximityIn(tablet, x: x, y: y)
        case .proximityOut: pen.proximityOut()
        case .down: pen.down()
        case .up: pen.up()
        case .motion(let x, let y): pen.motion(x: x, y: y)
        case .pressure(let share): pen.pressure(StageTablets.whole(share))
        case .distance(let share): pen.distance(StageTablets.whole(share))
        case .tilt(let x, let y): pen.tilt(x: x, y: y)
        case .rotation(let degrees): pen.rotation(degrees: degrees)
        case .slider(let position): pen.slider(position)
        case .wheel(let degrees, let clicks): pen.wheel(degrees: degrees, clicks: clicks)
        case .button(let code, let isPressed): pen.button(code, pressed: isPressed)
        case .frame: pen.frame()
        }
    }

    private static func whole(_ share: Double) -> UInt32 { UInt32((share * 65535).rounded()) }
}
