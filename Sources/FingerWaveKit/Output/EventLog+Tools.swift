internal import Gestures
internal import Input
internal import Recording

/// What pens and other tools of a tablet say, as it came.
extension EventLog {
    func tool(_ event: RawToolEvent, seat: String) {
        switch format {
        case .json: writer.write(json(event, seat))
        case .text: writer.write(row(event.arrival, seat, "tool", "\(event.tool) \(text(event))"))
        }
    }

    private func json(_ event: RawToolEvent, _ seat: String) -> String {
        var line = JSONLine(type: "tool")
        line.add("seat", seat)
        line.add("tool", event.tool)
        line.add("event", name(event.kind))
        switch event.kind {
        case .added: line.add("tool_type", event.type.name)
        case .motion(let position):
            line.add("x", position.x)
            line.add("y", position.y)
        case .pressure(let pressure): line.add("pressure", pressure)
        case .distance(let distance): line.add("distance", distance)
        case .tilt(let tilt):
            line.add("tilt_x", tilt.x)
            line.add("tilt_y", tilt.y)
        case .rotation(let degrees): line.add("degrees", degrees)
        case .slider(let position): line.add("position", position)
        case .wheel(let degrees, let clicks):
            line.add("degrees", degrees)
            line.add("clicks", clicks)
        case .button(let code, let isPressed):
            line.add("button", code)
            line.add("pressed", isPressed)
        case .frame(let time): line.add("time", time)
        case .removed, .proximityIn, .proximityOut, .down, .up: break
        }
        addArrival(event.arrival, to: &line)
        return line.line
    }

    private func text(_ event: RawToolEvent) -> String {
        let name = name(event.kind)
        return switch event.kind {
        case .added: "\(name), \(article(event.type.name))"
        case .proximityIn(let target): target == nil ? "\(name), not on our window" : name
        case .motion(let position): "\(name) \(place(position))"
        case .pressure(let pressure): "\(name) \(short(Double(pressure) / 65535))"
        case .distance(let distance): "\(name) \(short(Double(distance) / 65535))"
        case .tilt(let tilt): "\(name) \(short(tilt.x)), \(short(tilt.y)) degrees"
        case .rotation(let degrees), .wheel(let degrees, _): "\(name) \(short(degrees)) degrees"
        case .slider(let position): "\(name) \(position)"
        case .button(let code, let isPressed): "\(name) \(code) \(isPressed ? "pressed" : "released")"
        case .removed, .proximityOut, .down, .up, .frame: name
        }
    }

    private func article(_ noun: String) -> String {
        noun.utf8.first.map { "aeiou".utf8.contains($0) } == true ? "an \(noun)" : "a \(noun)"
    }

    private func name(_ kind: RawToolEvent.Kind) -> String {
        switch kind {
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
