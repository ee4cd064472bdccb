internal import Recording

/// What the lines of somebody else's recording say of where it was made and how large that is, the last of each: for files
/// that go on where another one ended.
struct RecordedFacts {
    /// Whoever makes up names without end must not fill the memory.
    private static let most = 256

    private struct Node {
        var name: String
        var state = EvdevState()
        var time: Int64 = 0
    }

    private var facts: [(key: String, line: String)] = []
    /// Touchscreens whose kernel's events it has.
    private var nodes: [Node] = []

    mutating func note(_ line: TouchLine) {
        guard case .other(let type) = line.kind, let fields = line.fields else { return }
        switch type {
        case "header":
            // Another recording begins.
            self = RecordedFacts()
            keep("header", line)
        case "compositor": keep(type, line)
        case "seat", "output": keep(type + " " + (fields["name"] ?? ""), line, isThere: fields["removed"] != "true")
        case "touchscreen", "mapping": keep(type + " " + (fields["path"] ?? fields["device"] ?? ""), line)
        case "ready", "configure": keep(line.size == nil ? type : "size " + (line.output ?? ""), line)
        case TouchLine.surfaceType: keep(type + " " + (fields["surface"] ?? ""), line)
        case EvdevLine.deviceType:
            keep(type + " " + (fields["device"] ?? ""), line)
            nodes.removeAll { $0.name == fields["device"] }
        case EvdevLine.eventsType: noteEvents(line)
        default: break
        }
    }

    private mutating func keep(_ key: String, _ line: TouchLine, isThere: Bool = true) {
        // Where it stood, so that what depends on it stays behind it.
        if let index = facts.firstIndex(where: { $0.key == key }) {
            if isThere { facts[index].line = line.json } else { facts.remove(at: index) }
        } else if isThere, facts.count < RecordedFacts.most {
            facts.append((key, line.json))
        }
    }

    private mutating func noteEvents(_ line: TouchLine) {
        guard let (name, events) = EvdevLine.events(of: line) else { return }
        let index: Int
        if let found = nodes.firstIndex(where: { $0.name == name }) {
            index = found
        } else {
            guard nodes.count < RecordedFacts.most else { return }
            nodes.append(Node(name: name))
            index = nodes.count - 1
        }
        for event in events {
            nodes[index].state.note(event)
            nodes[index].time = event.time
        }
    }

    /// As they are now, with what is down by the kernel's events.
    var lines: String {
        var text = facts.map { $0.line }.joined()
        for node in nodes {
            let events = node.state.frame(time: node.time)
            text += EvdevLine.lines(events, node: node.name, arrival: nil, isResumed: true).joined()
        }
        return text
    }
}
