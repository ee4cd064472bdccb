internal import Gestures
internal import Input
internal import Recording

/// What pens and other tools of a tablet say, as it came.
extension EventLog {
    func tool(_ event: RawToolEvent, seat: String, surface: Int32? = nil) {
        switch format {
        case .json:
            var line = line(event, seat)
            if line.place != nil { line.surface = surface }
            writer.write(line)
        case .text: writer.write(row(event.arrival, seat, "tool", "\(event.tool) \(text(event))"))
        }
    }

    private func line(_ event: RawToolEvent, _ seat: String) -> TouchLine {
        var line = TouchLine(.tool(ToolLine(event.tool, lineEvent(event))), seat: seat)
        switch event.kind {
        case .motion(let position): line.place = .output(position)
        case .frame(let time): line.time = time
        default: break
        }
        if isRecording { line.arrival = event.arrival.nanoseconds / 1000 }
        return line
    }

    private func lineEvent(_ event: RawToolEvent) -> ToolLine.Event {
        switch event.kind {
        case .added: .added(type: event.type.name)
        case .removed: .removed
        case .proximityIn: .proximityIn
        case .proximityOut: .proximityOut
        case .down: .down
        case .up: .up
        case .motion: .motion
        case .pressure(let pressure): .pressure(pressure)
        case .distance(let distance): .distance(distance)
        case .tilt(let tilt): .tilt(x: tilt.x, y: tilt.y)
        case .rotation(let degrees): .rotation(degrees: degrees)
        case .slider(let position): .slider(position)
        case .wheel(let degrees, let clicks): .wheel(degrees: degrees, clicks: clicks)
        case .button(let code, let isPressed): .button(code, isPressed: isPressed)
        case .frame: .frame
        }
    }

    private func text(_ event: RawToolEvent) -> String {
        let name = lineEvent(event).name
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
}
