internal import Recording

/// The contacts that are down, as the lines that a recording says them again with: after lines that were lost, and at
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

    private var held: [Held] = []

    /// Takes notice of a line.
    mutating func note(_ line: TouchLine) {
        let source = Source(line)
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
        case (.device(let device), _):
            if device.event == .removed { held.removeAll { $0.source == source } }
        // Another recording begins within this one.
        case (.other("header"), _): held.removeAll()
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
        var text = ""
        for source in sources {
            for one in held where one.source == source {
                var down = one.down
                down.isResumed = true
                text += down.json + (one.shape?.json ?? "") + (one.orientation?.json ?? "")
            }
            text += TouchLine(.frame, seat: source.seat, device: source.device).json
        }
        return text
    }

    /// Ends each: for a reader who does not know what became of it.
    var cancels: String { cancelLines.map { $0.json }.joined() }

    var cancelLines: [TouchLine] { sources.map { TouchLine(.cancel, seat: $0.seat, device: $0.device) } }
}
