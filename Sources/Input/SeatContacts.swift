package import Gestures

/// The contacts of one seat: its touchscreens' and its pointer's, with no click counted next to the touch it came from.
/// Pure: events in, frames out. `arrival` is when the client got the event.
package struct SeatContacts {
    private(set) var touch: TouchContacts
    private(set) var pointer: PointerContacts
    private var emulation = EmulationRule()
    /// Presses that were no contact because a touch explained them, and contacts that a touch took back.
    private(set) var emulatedPresses = 0

    package init(touchSource: SourceID, pointerSource: SourceID, pointerHasFrames: Bool) {
        touch = TouchContacts(source: touchSource)
        pointer = PointerContacts(source: pointerSource, hasFrames: pointerHasFrames)
    }

    // MARK: Touch

    package mutating func touchDown(
        id: Int32, time: UInt32, at position: Point, target: Int?, arrival: Instant
    ) -> [ContactFrame] {
        var frames: [ContactFrame] = []
        emulation.note(arrival: arrival)
        if let target, let press = pointer.press, press.target == target,
            EmulationRule.isEmulation(pressAt: press.position, press.instant, ofTouchAt: position, arrival)
        {
            emulatedPresses += 1
            frames = pointer.cancel(arrival: arrival)
        }
        if let lost = touch.down(id: id, time: time, at: position, target: target, arrival: arrival) {
            frames.append(lost)
        }
        return frames
    }

    package mutating func touchMotion(id: Int32, time: UInt32, to position: Point, arrival: Instant) {
        emulation.note(arrival: arrival)
        touch.motion(id: id, time: time, at: position, arrival: arrival)
    }

    package mutating func touchUp(id: Int32, time: UInt32, arrival: Instant) {
        emulation.note(arrival: arrival)
        emulation.noteEnd(of: touch.tracker.contacts.lazy.filter { $0.id == id }, arrival: arrival)
        touch.up(id: id, time: time, arrival: arrival)
    }

    package mutating func touchShape(id: Int32, major: Double, minor: Double) {
        touch.shape(id: id, major: major, minor: minor)
    }

    package mutating func touchOrientation(id: Int32, degrees: Double) { touch.orientation(id: id, degrees: degrees) }

    package mutating func touchFrame(arrival: Instant) -> ContactFrame? { touch.frame(arrival: arrival) }

    package mutating func touchCancel(arrival: Instant) -> ContactFrame? {
        emulation.noteEnd(of: touch.tracker.contacts, arrival: arrival)
        return touch.cancel(arrival: arrival)
    }

    /// The touch capability or the seat is gone.
    package mutating func endTouch(arrival: Instant) -> ContactFrame? {
        emulation.noteEnd(of: touch.tracker.contacts, arrival: arrival)
        return touch.end(arrival: arrival)
    }

    // MARK: Pointer

    package mutating func pointerEnter(target: Int?, at position: Point, arrival: Instant) -> [ContactFrame] {
        pointer.enter(target: target, at: position, arrival: arrival)
    }

    package mutating func pointerLeave(arrival: Instant) -> [ContactFrame] { pointer.leave(arrival: arrival) }

    package mutating func pointerMotion(time: UInt32, to position: Point, arrival: Instant) -> [ContactFrame] {
        pointer.motion(time: time, to: position, arrival: arrival)
    }

    package mutating func pointerWarp(to position: Point, arrival: Instant) -> [ContactFrame] {
        pointer.warp(to: position, arrival: arrival)
    }

    package mutating func pointerButton(
        _ button: UInt32, isPressed: Bool, time: UInt32, arrival: Instant
    ) -> [ContactFrame] {
        guard button == PointerContacts.primaryButton else { return [] }
        guard isPressed else { return pointer.released(time: time, arrival: arrival) }
        if let place = pointer.place,
            emulation.explains(
                pressAt: place.position, target: place.target, arrival: arrival, live: touch.tracker.contacts)
        {
            emulatedPresses += 1
            // A contact whose release was lost must not end at the release of this press.
            return pointer.cancel(arrival: arrival)
        }
        return pointer.pressed(time: time, arrival: arrival)
    }

    package mutating func pointerFrame(arrival: Instant) -> [ContactFrame] { pointer.frame(arrival: arrival) }

    /// The pointer capability or the seat is gone.
    package mutating func endPointer(arrival: Instant) -> ContactFrame? { pointer.end(arrival: arrival) }

    // MARK: Both

    /// What no frame has closed by the end of a turn of the loop.
    package mutating func endTurn(arrival: Instant) -> [ContactFrame] {
        [touch.endTurn(arrival: arrival), pointer.endTurn(arrival: arrival)].compactMap { $0 }
    }

    /// A surface is about to be destroyed.
    package mutating func endContacts(target: Int, arrival: Instant) -> [ContactFrame] {
        [
            touch.endContacts(target: target, arrival: arrival),
            pointer.endContacts(target: target, arrival: arrival),
        ].compactMap { $0 }
    }
}
