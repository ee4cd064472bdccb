package import Gestures
internal import WaylandClient
package import WaylandProtocols

/// One wl_seat: its touchscreens, pointer, tablets and keyboard, whichever it has at a time.
///
/// Bind the global at ``versions`` and give it here. Handlers are called while the connection dispatches; after each
/// turn of the loop call ``endTurn(arrival:)``. When the global goes, call ``remove(arrival:)``: until then, or until the
/// connection ends, the seat's objects keep this one alive.
package final class SeatInput {
    /// What is bound of wl_seat: min(offered, 10). Below 2 seats have no name, below 5 pointer events no frames and
    /// the seat no release, below 6 touches no shape.
    package static let versions: ClosedRange<UInt32> = 1...10

    /// The compositor's name for the seat; the fallback before it came and at version 1.
    package private(set) var name: String
    /// What the seat has now.
    package private(set) var capabilities: WlSeat.Capability = []
    package private(set) var isRemoved = false

    /// Every wl_touch event, as it came, before its contact frame.
    package var onRaw: ((RawTouchEvent) -> Void)?
    /// Every event of a pen, as it came, before its contact frame.
    package var onTool: ((RawToolEvent) -> Void)?
    /// Contacts of touchscreens, pens and pointer.
    package var onFrame: ((ContactFrame) -> Void)?
    package var onKey: ((KeyPress) -> Void)?
    package var onProblem: ((InputProblem) -> Void)?
    /// ``name`` or ``capabilities`` changed.
    package var onChange: (() -> Void)?

    let surfaces: SurfaceTargets
    var contacts: SeatContacts
    var diagnosisCounts = SeatDiagnosis()
    private let seat: WlSeat
    private let cursors: Cursors?
    private let clock: () -> Instant
    private var touch: WlTouch?
    private var pointer: WlPointer?
    private var keyboard: WlKeyboard?
    private var tablets: TabletInput?
    var cursor: PointerCursor?
    var keyboardState = KeyboardState()

    /// - Parameters:
    ///   - fallbackName: for seats that have none.
    ///   - touch: the source number of the seat's touches. No other source of the program may have it.
    ///   - pointer: the source number of the seat's pointer.
    ///   - pen: the source number of the seat's pens.
    ///   - surfaces: whose touches count.
    ///   - tablets: the global, where offered, in version 1 or 2.
    ///   - cursors: sets the pointer's image; without it the compositor chooses.
    ///   - clock: the monotonic time now.
    package init(
        seat: WlSeat, fallbackName: String, touch: SourceID, pointer: SourceID, pen: SourceID,
        surfaces: SurfaceTargets, tablets: ZwpTabletManagerV2? = nil, cursors: Cursors? = nil,
        clock: @escaping () -> Instant
    ) {
        self.seat = seat
        name = fallbackName
        self.surfaces = surfaces
        self.cursors = cursors
        self.clock = clock
        contacts = SeatContacts(
            touchSource: touch, pointerSource: pointer, penSource: pen,
            pointerHasFrames: seat.version >= WlPointer.Since.frame)
        // The cycle is broken by `remove`, which ends the seat, or by the end of the connection.
        seat.onEvent = { event in self.receive(event) }
        if let tablets { self.tablets = startTablets(tablets, seat, cursors) }
    }

    /// The contacts that are down now, on touchscreens, by pens and by the pointer.
    package var liveContacts: [Contact] { contacts.liveContacts }

    /// What broke the rules of wl_touch so far.
    package var touchFaults: FaultCounters { contacts.touchFaults }
    /// See ``ContactTracker/noteEnd()``.
    package func noteEnd() { contacts.noteEnd() }

    /// Flushes what no frame has ended. Call it after each turn of the loop.
    package func endTurn(arrival: Instant) { emit(contacts.endTurn(arrival: arrival)) }

    /// Ends, as cancelled, the contacts on a surface that is about to be destroyed.
    package func endContacts(target: Int, arrival: Instant) {
        emit(contacts.endContacts(target: target, arrival: arrival))
    }

    /// The seat's global is gone: ends its contacts as cancelled, and its objects.
    package func remove(arrival: Instant) {
        guard !isRemoved else { return }
        isRemoved = true
        setCapabilities([], arrival)
        endTablets(arrival)
        seat.release()
    }

    var now: Instant { clock() }

    func emit(_ frames: [ContactFrame]) {
        for frame in frames { onFrame?(frame) }
    }

    func emit(_ frame: ContactFrame?) {
        if let frame { onFrame?(frame) }
    }

    // MARK: Capabilities

    private func receive(_ event: WlSeat.Event) {
        switch event {
        case .capabilities(let capabilities): setCapabilities(capabilities, now)
        // KWin names its seat "".
        case .name(let name): if !name.isEmpty { self.name = name }
        }
        if !isRemoved { onChange?() }
    }

    /// Objects are asked for only while the seat has the device, which is all that the protocol allows, and once: some
    /// compositors repeat the event.
    private func setCapabilities(_ new: WlSeat.Capability, _ arrival: Instant) {
        capabilities = new
        if new.contains(.touch) { startTouch() } else { endTouch(arrival) }
        if new.contains(.pointer) { startPointer() } else { endPointer(arrival) }
        if new.contains(.keyboard) { startKeyboard() } else { endKeyboard() }
    }

    private func startTouch() {
        guard touch == nil else { return }
        let touch = seat.getTouch()
        touch.onEvent = { event in self.receive(event, self.now) }
        self.touch = touch
    }

    private func endTouch(_ arrival: Instant) {
        guard let touch else { return }
        self.touch = nil
        touch.release()
        emit(contacts.endTouch(arrival: arrival))
    }

    private func startPointer() {
        guard pointer == nil else { return }
        let pointer = seat.getPointer()
        pointer.onEvent = { event in self.receive(event, self.now) }
        self.pointer = pointer
        cursor = cursors?.cursor(of: pointer)
    }

    private func endPointer(_ arrival: Instant) {
        guard let pointer else { return }
        self.pointer = nil
        cursor?.end()
        cursor = nil
        pointer.release()
        emit(contacts.endPointer(arrival: arrival))
    }

    private func endTablets(_ arrival: Instant) {
        guard let tablets else { return }
        self.tablets = nil
        tablets.end()
        emit(contacts.endPens(arrival: arrival))
    }

    private func startKeyboard() {
        guard keyboard == nil else { return }
        let keyboard = seat.getKeyboard()
        keyboard.onEvent = { event in self.receive(event) }
        self.keyboard = keyboard
    }

    private func endKeyboard() {
        guard let keyboard else { return }
        self.keyboard = nil
        keyboard.release()
        keyboardState = KeyboardState()
    }
}
