internal import Gestures

extension TouchLine {
    /// As JSON, with the line's end. What the line does not know it leaves out.
    package var json: String {
        if let fields { return fields.line }
        var line = JSONLine(type: kind.name)
        // One that was made for a run that no line told of.
        if kind == .other("header") { line.add("version", TouchLine.version) }
        if case .device(let facts) = kind { line.add("event", facts.event == .added ? "added" : "removed") }
        if case .pointer(let phase) = kind { line.add("phase", phase.name) }
        if let seat { line.add("seat", seat) }
        if let device { line.add("device", device) }
        if let output { line.add("output", output) }
        if let id { line.add("id", id) }
        if case .tool(let tool) = kind {
            line.add("tool", tool.tool)
            line.add("event", tool.event.name)
        }
        if let time, !isTimeReckoned { line.add("time", time) }
        switch place {
        case .output(let point):
            line.add("x", point.x)
            line.add("y", point.y)
        case .panel(let point):
            line.add("u", point.x)
            line.add("v", point.y)
        case nil: break
        }
        if let size {
            line.add("width", size.width)
            line.add("height", size.height)
        }
        switch kind {
        case .device(let facts): facts.add(to: &line)
        case .shape(let major, let minor):
            line.add("major", major)
            line.add("minor", minor)
        case .orientation(let degrees): line.add("orientation", degrees)
        case .tool(let tool): tool.addDetails(to: &line)
        case .down, .motion, .up, .frame, .cancel, .pointer, .other: break
        }
        if let surface { line.add("surface", surface) }
        if isResumed { line.add("resumed", true) }
        if let serial { line.add("serial", serial) }
        if let arrival { line.add("arrival_us", arrival) }
        return line.line
    }
}

extension TouchLineDevice {
    fileprivate func add(to line: inout JSONLine) {
        if let number { line.add("number", number) }
        if let name { line.add("name", name) }
        if let millimetres { line.add("millimetres", [millimetres.width, millimetres.height]) }
        if let calibration { line.add("calibration", calibration) }
        if let touchCount { line.add("touches", touchCount) }
    }
}
