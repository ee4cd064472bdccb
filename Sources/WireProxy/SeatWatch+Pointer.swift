internal import Gestures
internal import Input

/// Clicks, where they stand in for touches.
extension SeatWatch {
    func beginPointer(_ object: UInt32, of seat: UInt32) {
        guard takesPointer, let seat = seatObjects[seat] else { return }
        endPointer(object, arrival: nil)
        pointerObjects[object] = seat
        seat.pointers.append(object)
    }

    /// `arrival` nil when the number was only used anew.
    func endPointer(_ object: UInt32, arrival: Instant?) {
        guard let seat = pointerObjects.removeValue(forKey: object) else { return }
        let wasFirst = seat.pointers.first == object
        seat.pointers.removeAll { $0 == object }
        pointerSpots[object] = nil
        if wasFirst, let arrival { deliver(seat.contacts.endPointer(arrival: arrival), seat) }
    }

    /// What they are on is not shown any more.
    func endLostPointers(_ arrival: Instant) {
        for (object, spot) in pointerSpots where spot.isLost(locate) {
            pointerSpots[object]?.root = nil
            pointerLeave(object, arrival: arrival)
        }
    }

    private func clicker(_ object: UInt32) -> Seat? {
        guard let seat = pointerObjects[object], seat.pointers.first == object else { return nil }
        return seat
    }

    func pointerEnter(_ object: UInt32, _ arguments: MessageReader, arrival: Instant) {
        guard let seat = clicker(object) else { return }
        var arguments = arguments
        _ = arguments.uint()
        let spot = Spot(arguments.uint(), locate)
        pointerSpots[object] = spot
        let position = Point(x: arguments.fixed(), y: arguments.fixed()) + spot.offset
        let frames = seat.contacts.pointerEnter(target: spot.target, at: position, arrival: arrival)
        for frame in frames { deliver(frame, seat) }
    }

    func pointerLeave(_ object: UInt32, arrival: Instant) {
        guard let seat = clicker(object) else { return }
        for frame in seat.contacts.pointerLeave(arrival: arrival) { deliver(frame, seat) }
    }

    func pointerMotion(_ object: UInt32, _ arguments: MessageReader, arrival: Instant) {
        guard let seat = clicker(object) else { return }
        var arguments = arguments
        let time = arguments.uint()
        let offset = pointerSpots[object]?.follow(locate) ?? .zero
        let position = Point(x: arguments.fixed(), y: arguments.fixed()) + offset
        for frame in seat.contacts.pointerMotion(time: time, to: position, arrival: arrival) { deliver(frame, seat) }
    }

    func pointerButton(_ object: UInt32, _ arguments: MessageReader, arrival: Instant) {
        guard let seat = clicker(object) else { return }
        var arguments = arguments
        _ = arguments.uint()
        let time = arguments.uint()
        let button = arguments.uint()
        let isPressed = arguments.uint() != 0
        let frames = seat.contacts.pointerButton(button, isPressed: isPressed, time: time, arrival: arrival)
        for frame in frames { deliver(frame, seat) }
    }
}
