internal import Gestures
internal import Recording

/// The contacts that are down and the pens that are there, as the lines that a recording says them again with: after lines that were lost, and at
/// the beginning of a file that goes on where another one ended.
struct HeldTouches {
    private struct Source: Equatable {
        var seat, device: String?

        init(_ line: TouchLine) {
            seat = line.seat
            device = line.device
        }

        func isEnded(by line: TouchLine) -> Bool {
            (line.device == nil || line.device == device) && (line.seat == nil || line.seat == seat)
        }
    }

    private struct Held {
        var source: Source
        var down: TouchLine
        var shape, orientation: TouchLine?
    }

    /// More than any panel has: who sends downs without end must not fill the memory.
    private static let most = 1024

    /// Of the last line that had one: what is said again is so at that moment.
    private var arrival: Int64?
    private var held: [Held] = []
    private var tools = HeldTools()
    /// Presses of a pointer: where it is.
    private var presses: [TouchLine] = []

    /// Takes notice of a line.
    mutating func note(_ line: TouchLine) {
        let source = Source(line)
        if let arrival = line.arrival { self.arrival = arrival }
        switch (line.kind, line.id) {
        case (.down, let id?):
            held.removeAll { $0.source == source && $0.down.id == id }
            if held.count < HeldTouches.most { held.append(Held(source: source, down: line)) }
        case (.motion, let id?):
            change(source, id) { held in
                held.down.place = line.place
                held.down.output = line.output
                held.down.time = line.time
                held.down.arrival = line.arrival
            }
        case (.shape, let id?): change(source, id) { $0.shape = line }
        case (.orientation, let id?): change(source, id) { $0.orientation = line }
        case (.up, let id?): held.removeAll { $0.source == source && $0.down.id == id }
        case (.cancel, let id): held.removeAll { $0.source.isEnded(by: line) && (id == nil || $0.down.id == id) }
        case (.tool(let tool), _): tools.note(tool, line)
        case (.pointer(let phase), _):
            presses.removeAll { Source($0) == source }
            if !phase.isTerminal, presses.count < HeldTouches.most { presses.append(line) }
        case (.device(let device), _):
            guard device.event == .removed else { return }
            held.removeAll { $0.source == source }
            presses.removeAll { Source($0) == source }
            tools.end { Source($0) == source }
        // Another recording begins within this one.
        case (.other("header"), _): self = HeldTouches()
        default: break
        }
    }

    private mutating func change(_ source: Source, _ id: Int32, _ body: (inout Held) -> Void) {
        guard let index = held.firstIndex(where: { $0.source == source && $0.down.id == id }) else { return }
        body(&held[index])
    }

    private var sources: [Source] {
        var list: [Source] = []
        for one in held where !list.contains(one.source) { list.append(one.source) }
        return list
    }

    /// Says each as it is now: a `down` that is `resumed`.
    var lines: String {
        var lines: [TouchLine] = []
        for source in sources {
            for one in held where one.source == source {
                var down = one.down
                down.isResumed = true
                lines += [down, one.shape, one.orientation].compactMap { $0 }
            }
            lines.append(TouchLine(.frame, seat: source.seat, device: source.device))
        }
        lines += tools.lines
        for press in presses {
            var began = press
            began.kind = .pointer(.began)
            began.isResumed = true
            lines.append(began)
        }
        return text(lines)
    }

    private func text(_ lines: [TouchLine]) -> String {
        var text = ""
        for var line in lines {
            line.arrival = arrival
            text += line.json
        }
        return text
    }

    /// Ends each, for a reader who does not know what became of it.
    var cancelLines: [TouchLine] { cancelLines(nil) }

    /// - Parameter now: what there is by then.
    func cancels(before now: HeldTouches) -> String { text(cancelLines(now.tools)) }

    private func cancelLines(_ now: HeldTools?) -> [TouchLine] {
        sources.map { TouchLine(.cancel, seat: $0.seat, device: $0.device) } + tools.cancelLines(now)
            + presses.map { press in
                var line = TouchLine(.pointer(.cancelled), seat: press.seat, device: press.device, place: press.place)
                line.surface = press.surface
                return line
            }
    }
}
