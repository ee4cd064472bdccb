internal import Gestures
internal import WaylandProtocols

extension SeatInput {
    func receive(_ event: WlTouch.Event, _ arrival: Instant) {
        diagnosisCounts.touchEvents += 1
        switch event {
        case .down(let serial, let time, let surface, let id, let x, let y):
            let position = Point(x: x, y: y)
            let target = surfaces.target(of: surface)
            log(.down(id: id, time: time, position: position, target: target), arrival, serial)
            emit(contacts.touchDown(id: id, time: time, at: position, target: target, arrival: arrival))
        case .up(let serial, let time, let id):
            log(.up(id: id, time: time), arrival, serial)
            contacts.touchUp(id: id, time: time, arrival: arrival)
        case .motion(let time, let id, let x, let y):
            let position = Point(x: x, y: y)
            log(.motion(id: id, time: time, position: position), arrival)
            contacts.touchMotion(id: id, time: time, to: position, arrival: arrival)
        case .frame:
            log(.frame, arrival)
            emit(contacts.touchFrame(arrival: arrival))
        case .cancel:
            log(.cancel, arrival)
            emit(contacts.touchCancel(arrival: arrival))
        case .shape(let id, let major, let minor):
            log(.shape(id: id, major: major, minor: minor), arrival)
            contacts.touchShape(id: id, major: major, minor: minor)
        case .orientation(let id, let orientation):
            log(.orientation(id: id, degrees: orientation), arrival)
            contacts.touchOrientation(id: id, degrees: orientation)
        }
    }

    private func log(_ kind: RawTouchEvent.Kind, _ arrival: Instant, _ serial: UInt32? = nil) {
        onRaw?(RawTouchEvent(kind: kind, arrival: arrival, serial: serial))
    }
}
