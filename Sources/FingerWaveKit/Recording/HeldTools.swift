internal import Recording

/// The pens that are known and what they do, as the lines that a recording says them again with. See ``HeldTouches``.
struct HeldTools {
    private struct Tool {
        var seat, device: String?
        var id: Int32
        /// Its `added`.
        var added: TouchLine?
        /// Its `proximity_in`, while it is near.
        var near: TouchLine?
        /// Where it is, how it is held and what is pressed: the last line of each.
        var state: [TouchLine] = []
        var down: TouchLine?
        var frame: TouchLine?
    }

    /// Nobody has so many.
    private static let most = 256
    private static let mostStates = 32

    private var tools: [Tool] = []

    mutating func note(_ tool: ToolLine, _ line: TouchLine) {
        guard let index = index(of: tool, line) else { return }
        switch tool.event {
        case .added: tools[index] = Tool(seat: line.seat, device: line.device, id: tool.tool, added: line)
        case .removed: tools.remove(at: index)
        case .proximityIn: leave(index, near: line)
        case .proximityOut: leave(index, near: nil)
        case .down: tools[index].down = line
        case .up: tools[index].down = nil
        case .frame: tools[index].frame = line
        case .button(let code, false):
            tools[index].state.removeAll { $0.kind == .tool(ToolLine(tool.tool, .button(code, isPressed: true))) }
        case .motion, .pressure, .distance, .tilt, .rotation, .slider, .wheel, .button: keep(line, tool, index)
        }
    }

    mutating func end(where isMeant: (TouchLine) -> Bool) {
        tools.removeAll { isMeant(TouchLine(.frame, seat: $0.seat, device: $0.device)) }
    }

    private mutating func index(of tool: ToolLine, _ line: TouchLine) -> Int? {
        if let index = tools.firstIndex(where: { isSame($0, tool, line) }) { return index }
        guard tools.count < HeldTools.most else { return nil }
        tools.append(Tool(seat: line.seat, device: line.device, id: tool.tool))
        return tools.count - 1
    }

    private func isSame(_ known: Tool, _ tool: ToolLine, _ line: TouchLine) -> Bool {
        known.id == tool.tool && known.seat == line.seat && known.device == line.device
    }

    private mutating func leave(_ index: Int, near: TouchLine?) {
        tools[index].near = near
        tools[index].state = []
        tools[index].down = nil
    }

    private mutating func keep(_ line: TouchLine, _ tool: ToolLine, _ index: Int) {
        // It came near before the lines began.
        if tools[index].near == nil {
            tools[index].near = TouchLine(
                .tool(ToolLine(tool.tool, .proximityIn)), seat: line.seat, device: line.device)
        }
        tools[index].state.removeAll { old in
            guard case .tool(let known) = old.kind else { return false }
            if case .button(let code, _) = known.event, case .button(let new, _) = tool.event { return code == new }
            return known.event.name == tool.event.name
        }
        // What a wheel turned is over.
        if case .wheel = tool.event { return }
        if tools[index].state.count < HeldTools.mostStates { tools[index].state.append(line) }
    }

    /// Says each as it is now, `resumed`.
    var lines: [TouchLine] {
        tools.flatMap { tool in
            var lines = [tool.added, tool.near].compactMap { $0 }
            if tool.near != nil { lines += tool.state + [tool.down, tool.frame].compactMap { $0 } }
            for index in lines.indices { lines[index].isResumed = true }
            return lines
        }
    }

    /// Takes each away from where it is, for a reader who does not know what became of it; `now`: those that there are.
    func cancelLines(_ now: HeldTools?) -> [TouchLine] {
        tools.flatMap { tool -> [TouchLine] in
            func line(_ event: ToolLine.Event) -> TouchLine {
                TouchLine(.tool(ToolLine(tool.id, event)), seat: tool.seat, device: tool.device, time: nil)
            }
            if let now, !now.tools.contains(where: { isSame($0, ToolLine(tool.id, .frame), line(.frame)) }) {
                return [line(.removed)]
            }
            guard tool.near != nil else { return [] }
            var end = line(.frame)
            end.time = tool.frame?.time
            return [line(.proximityOut), end]
        }
    }
}
