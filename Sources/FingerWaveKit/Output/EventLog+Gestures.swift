internal import Gestures
internal import Recording

extension EventLog {
    /// What a gesture says beyond its name, phase and place.
    private struct Details {
        var hand: Hand
        var velocity: Point?
        var scale: Double?
        var degrees: Double?
        var direction: String?
        var edge: String?

        /// nil for a tap, which has more of its own, and for what single contacts do: those are logged raw.
        init?(_ gesture: Gesture) {
            switch gesture {
            case .longPress(let press): hand = press.hand
            case .drag(let motion), .pan(let motion), .scroll(let motion):
                hand = motion.hand
                velocity = motion.velocity
            case .pinch(let pinch):
                hand = pinch.hand
                scale = pinch.scale
            case .rotation(let rotation):
                hand = rotation.hand
                degrees = rotation.degrees
            case .swipe(let swipe):
                hand = swipe.hand
                velocity = swipe.velocity
                direction = swipe.direction.name
                edge = swipe.edge?.name
            default: return nil
            }
        }
    }

    func gesture(_ gesture: Gesture, seat: String) {
        switch format {
        case .json:
            if let line = json(gesture, seat) { writer.write(line) }
        case .text:
            if let line = text(gesture, seat) { writer.write(line) }
        }
    }

    private func json(_ gesture: Gesture, _ seat: String) -> String? {
        var line = JSONLine(type: "gesture")
        line.add("gesture", gesture.name)
        line.add("phase", gesture.phase.name)
        line.add("seat", seat)
        if case .tap(let tap) = gesture {
            line.add("count", tap.count)
            line.add("fingers", tap.fingers)
            line.add("x", tap.location.x)
            line.add("y", tap.location.y)
            line.add("duration", Int(tap.duration.rounded()))
            addKind(tap.contacts.first?.kind, to: &line)
            return line.line
        }
        guard let details = Details(gesture) else { return nil }
        line.add("fingers", details.hand.fingers)
        line.add("x", details.hand.location.x)
        line.add("y", details.hand.location.y)
        line.add("duration", Int(details.hand.duration.rounded()))
        line.add("dx", details.hand.translation.x)
        line.add("dy", details.hand.translation.y)
        if let velocity = details.velocity {
            line.add("vx", velocity.x)
            line.add("vy", velocity.y)
        }
        if let scale = details.scale { line.add("scale", scale) }
        if let degrees = details.degrees { line.add("degrees", degrees) }
        if let direction = details.direction { line.add("direction", direction) }
        if let edge = details.edge { line.add("edge", edge) }
        addKind(details.hand.kind, to: &line)
        return line.line
    }

    /// What made it, unless fingers did.
    private func addKind(_ kind: Contact.Kind?, to line: inout JSONLine) {
        switch kind {
        case .stylus: line.add("kind", "stylus")
        case .pointer: line.add("kind", "pointer")
        case .finger, nil: break
        }
    }

    /// Not every step of a motion: its touches are there, and its end.
    private func text(_ gesture: Gesture, _ seat: String) -> String? {
        guard gesture.phase != .changed else { return nil }
        if case .tap(let tap) = gesture {
            let times = tap.count > 1 ? " \(tap.count) times" : ""
            return row(
                tap.instant, seat, "tap",
                "at \(place(tap.location)), \(maker(tap.contacts.first?.kind, tap.fingers))\(times), \(Int(tap.duration.rounded())) ms"
            )
        }
        guard let details = Details(gesture) else { return nil }
        var rest =
            "\(gesture.phase.name) at \(place(details.hand.location)), \(maker(details.hand.kind, details.hand.fingers))"
        if let direction = details.direction { rest += ", \(direction)" }
        if let edge = details.edge { rest += " from the \(edge)" }
        if let scale = details.scale { rest += ", scale \(short(scale))" }
        if let degrees = details.degrees { rest += ", \(short(degrees)) degrees" }
        if gesture.phase == .ended, let velocity = details.velocity { rest += ", \(place(velocity)) px/s" }
        return row(details.hand.instant, seat, gesture.name, rest)
    }

    private func maker(_ kind: Contact.Kind?, _ count: Int) -> String {
        if kind == .stylus { return "a pen" }
        return count == 1 ? "1 finger" : "\(count) fingers"
    }
}
