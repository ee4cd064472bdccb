package import Gestures

/// The contacts of one seat: its touchscreens', its pens' and its pointer's, with no click counted next to the touch it came from.
/// Pure: events in, frames out. `arrival` is when the client got the event.
package struct SeatContacts {
    private(set) var touch: TouchContacts
    private(set) var pointer: PointerContacts
    private(set) var pen: TabletContacts
    private var emulation = EmulationRule()
    /// Presses that were no contact because a touch explained them, and contacts that a touch took back.
    private(set) var emulatedPresses = 0

    package init(touchSource: SourceID, pointerSource: SourceID, penSource: SourceID, pointerHasFrames: Bool) {
        touch = TouchContacts(source: touchSource)
        pointer = PointerContacts(source: pointerSource, hasFrames: pointerHasFrames)
        pen = TabletContacts(source: penSource)
    }

    /// How many are down now, of all kinds.
    package var contactCount: Int {
        touch.tracker.contacts.count + pointer.tracker.contacts.count + pen.tracker.contacts.count
    }

    /// What is down now, of all kinds.
    package var liveContacts: [Contact] { touch.tracker.contacts + pen.tracker.contacts + pointer.tracker.contacts }

    /// What the rules of touches have counted so far.
    package var touchFaults: FaultCounters { touch.tracker.faults }

    // MARK: Touch

    package mutating func touchDown(
        id: Int32, time: UInt32, at position: Point, target: Int?, arrival: Instant
    ) -> [ContactFrame] {
        emulation.note(arrival: arrival)
        var frames = takeBackPress(at: position, target: target, arrival: arrival)
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

    /// See ``ContactTracker/noteEnd()``.
    package mutating func noteEnd() { touch.noteEnd() }

    /// The compositor has taken over what is down.
    package mutating func abandonTouches(arrival: Instant) -> ContactFrame? {
        emulation.noteEnd(of: touch.tracker.contacts, arrival: arrival)
        return touch.abandonAll(arrival: arrival)
    }

    /// What these touched is gone.
    package mutating func endTouches(ids: [Int32], arrival: Instant) -> ContactFrame? {
        emulation.noteEnd(of: touch.tracker.contacts.lazy.filter { ids.contains($0.id) }, arrival: arrival)
        return touch.endContacts(ids: ids, arrival: arrival)
    }

    // MARK: Pens

    package mutating func tool(_ event: RawToolEvent) -> [ContactFrame] {
        let before = pen.tracker.contacts
        var frames: [ContactFrame] = []
        if event.kind == .down, let place = pen.place(of: event.tool) {
            frames = takeBackPress(at: place.position, target: place.target, arrival: event.arrival)
        }
        frames += pen.handle(event)
        notePens(before, event.arrival)
        return frames
    }

    /// The tablet that saw this tool is gone.
    package mutating func loseTool(_ tool: Int32, arrival: Instant) -> [ContactFrame] {
        let before = pen.tracker.contacts
        let frames = pen.lose(tool, arrival: arrival)
        notePens(before, arrival)
        return frames
    }

    package mutating func endPens(arrival: Instant) -> [ContactFrame] {
        emulation.noteEnd(of: pen.tracker.contacts, arrival: arrival)
        return pen.end(arrival: arrival)
    }

    /// Tells the rule of emulation what became of the pens that were down.
    private mutating func notePens(_ before: [Contact], _ arrival: Instant) {
        let after = pen.tracker.contacts
        if !after.isEmpty || !before.isEmpty { emulation.note(arrival: arrival) }
        let ended = before.filter { contact in !after.contains { $0.serial == contact.serial } }
        emulation.noteEnd(of: ended, arrival: arrival)
    }

    /// A touch that begins where the pointer was just pressed shows that the press was its emulation, sent before it.
    private mutating func takeBackPress(at position: Point, target: Int?, arrival: Instant) -> [ContactFrame] {
        guard let target, let press = pointer.press, press.target == target,
            EmulationRule.isEmulation(pressAt: press.position, press.instant, ofTouchAt: position, arrival)
        else { return [] }
        emulatedPresses += 1
        return pointer.cancel(arrival: arrival)
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
                pressAt: place.position, target: place.target, arrival: arrival,
                live: touch.tracker.contacts + pen.tracker.contacts)
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

    // MARK: All

    /// What no frame has closed by the end of a turn of the loop.
    package mutating func endTurn(arrival: Instant) -> [ContactFrame] {
        // Mostly there is nothing: one array for all, which is none then.
        var frames: [ContactFrame] = []
        let pens = pen.endTurn(arrival: arrival)
        if let frame = touch.endTurn(arrival: arrival) { frames.append(frame) }
        if let frame = pointer.endTurn(arrival: arrival) { frames.append(frame) }
        if !pens.isEmpty { frames += pens }
        return frames
    }

    /// A surface is about to be destroyed.
    package mutating func endContacts(target: Int, arrival: Instant) -> [ContactFrame] {
        [
            touch.endContacts(target: target, arrival: arrival),
            pointer.endContacts(target: target, arrival: arrival),
        ].compactMap { $0 } + pen.endContacts(target: target, arrival: arrival)
    }
}
