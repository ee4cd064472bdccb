internal import Gestures
internal import WaylandProtocols

extension SeatInput {
    func receive(_ event: WlPointer.Event, _ arrival: Instant) {
        switch event {
        case .enter(let serial, let surface, let x, let y):
            cursor?.show(serial: serial)
            emit(
                contacts.pointerEnter(
                    target: surfaces.target(of: surface), at: Point(x: x, y: y), arrival: arrival))
        case .leave: emit(contacts.pointerLeave(arrival: arrival))
        case .motion(let time, let x, let y):
            emit(contacts.pointerMotion(time: time, to: Point(x: x, y: y), arrival: arrival))
        case .warp(let x, let y): emit(contacts.pointerWarp(to: Point(x: x, y: y), arrival: arrival))
        case .button(_, let time, let button, let state):
            guard state == .pressed || state == .released else { return }
            if state == .pressed, button == PointerContacts.primaryButton { diagnosisCounts.pointerPresses += 1 }
            emit(
                contacts.pointerButton(button, isPressed: state == .pressed, time: time, arrival: arrival))
        case .frame: emit(contacts.pointerFrame(arrival: arrival))
        case .axis, .axisSource, .axisStop, .axisDiscrete, .axisValue120, .axisRelativeDirection: break
        }
    }
}
