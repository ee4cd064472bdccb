package import Gestures

/// What a tool of a tablet, such as a pen, did: one event of zwp_tablet_tool_v2. Where a motion went is the line's
/// place, when a frame was its time.
package struct ToolLine: Equatable, Sendable {
    package enum Event: Equatable, Sendable {
        /// `type` as the log has it: `pen`, `eraser`, ...
        case added(type: String)
        case removed, proximityIn, proximityOut, down, up, motion
        /// 0 to 65535.
        case pressure(UInt32)
        /// 0 to 65535.
        case distance(UInt32)
        /// Degrees from upright.
        case tilt(x: Double, y: Double)
        case rotation(degrees: Double)
        case slider(Int32)
        case wheel(degrees: Double, clicks: Int32)
        /// evdev's code.
        case button(UInt32, isPressed: Bool)
        /// All since the last one belongs together.
        case frame
    }

    /// The seat's own number for it, from 1.
    package var tool: Int32
    package var event: Event

    package init(_ tool: Int32, _ event: Event) {
        self.tool = tool
        self.event = event
    }
}

extension ToolLine.Event {
    /// The line's `event`.
    package var name: String {
        switch self {
        case .added: "added"
        case .removed: "removed"
        case .proximityIn: "proximity_in"
        case .proximityOut: "proximity_out"
        case .down: "down"
        case .up: "up"
        case .motion: "motion"
        case .pressure: "pressure"
        case .distance: "distance"
        case .tilt: "tilt"
        case .rotation: "rotation"
        case .slider: "slider"
        case .wheel: "wheel"
        case .button: "button"
        case .frame: "frame"
        }
    }
}

extension ToolLine {
    /// Nil for an event that a later version has.
    init?(_ fields: LineFields) throws(TouchLineError) {
        let type = "tool"
        tool = try fields.required("tool", type, fields.whole("tool", Int32.self))
        switch try fields.required("event", type, fields.text("event")) {
        case "added": event = .added(type: try fields.text("tool_type") ?? type)
        case "removed": event = .removed
        case "proximity_in": event = .proximityIn
        case "proximity_out": event = .proximityOut
        case "down": event = .down
        case "up": event = .up
        case "motion": event = .motion
        case "pressure":
            event = .pressure(try fields.required("pressure", type, fields.whole("pressure", UInt32.self)))
        case "distance":
            event = .distance(try fields.required("distance", type, fields.whole("distance", UInt32.self)))
        case "tilt":
            event = .tilt(
                x: try fields.required("tilt_x", type, fields.number("tilt_x")),
                y: try fields.required("tilt_y", type, fields.number("tilt_y")))
        case "rotation":
            event = .rotation(degrees: try fields.required("degrees", type, fields.number("degrees")))
        case "slider": event = .slider(try fields.required("position", type, fields.whole("position", Int32.self)))
        case "wheel":
            event = .wheel(
                degrees: try fields.required("degrees", type, fields.number("degrees")),
                clicks: try fields.required("clicks", type, fields.whole("clicks", Int32.self)))
        case "button":
            event = .button(
                try fields.required("button", type, fields.whole("button", UInt32.self)),
                isPressed: try fields.flag("pressed"))
        case "frame": event = .frame
        default: return nil
        }
    }

    /// What the event tells beside its name.
    func addDetails(to line: inout JSONLine) {
        switch event {
        case .added(let type): line.add("tool_type", type)
        case .pressure(let pressure): line.add("pressure", pressure)
        case .distance(let distance): line.add("distance", distance)
        case .tilt(let x, let y):
            line.add("tilt_x", x)
            line.add("tilt_y", y)
        case .rotation(let degrees): line.add("degrees", degrees)
        case .slider(let position): line.add("position", position)
        case .wheel(let degrees, let clicks):
            line.add("degrees", degrees)
            line.add("clicks", clicks)
        case .button(let code, let isPressed):
            line.add("button", code)
            line.add("pressed", isPressed)
        case .removed, .proximityIn, .proximityOut, .down, .up, .motion, .frame: break
        }
    }
}

extension ContactFrame.Phase {
    /// As lines of the pointer have it.
    package var name: String {
        switch self {
        case .began: "began"
        case .moved: "moved"
        case .ended: "ended"
        case .cancelled: "cancelled"
        }
    }

    /// Nil for a name that none has.
    init?(name: String) {
        switch name {
        case "began": self = .began
        case "moved": self = .moved
        case "ended": self = .ended
        case "cancelled": self = .cancelled
        default: return nil
        }
    }
}
