internal import Gestures
internal import Input
internal import Inspection
internal import Presentation
internal import Ripples
internal import WaylandProtocols

/// The figures of a session: gathers them, has them drawn, logs them.
final class SessionInspection {
    private var inspector = TouchInspector()
    private let feedback: PresentationFeedback?
    private let surface: WlSurface
    private let log: EventLog?
    private let logsPresented: Bool
    private let clock: () -> Instant

    /// - Parameter logsPresented: each shown touch is logged too.
    init(
        _ window: Window, _ globals: Globals, log: EventLog?, logsPresented: Bool, clock: @escaping () -> Instant
    ) {
        surface = window.surface
        self.log = log
        self.logsPresented = logsPresented
        self.clock = clock
        feedback = PresentationFeedback(globals)
        // SAFETY: `end` takes both away, and self lives until then.
        feedback?.onChange = { [unowned(unsafe) self] in
            unsafe self.inspector.photonSource = unsafe self.feedback?.source ?? .absent
        }
        window.presenter.willCommit = { [unowned(unsafe) self] in unsafe self.willCommit() }
    }

    /// The window is about to be closed.
    func end() { feedback?.end() }

    // MARK: What happens

    func raw(_ event: RawTouchEvent, _ seat: SessionSeat) {
        let stamp: UInt32? =
            switch event.kind {
            case .down(_, let time, _, _), .motion(_, let time, _), .up(_, let time): time
            case .frame, .cancel, .shape, .orientation: nil
            }
        if event.kind == .frame { return }
        inspector.touch(stamp: stamp, arrival: event.arrival, seat: seat.global, name: seat.input.name)
    }

    func handle(_ frame: ContactFrame, _ seat: SessionSeat) {
        // Touches were seen raw, with their stamps.
        if frame.changes.contains(where: { $0.contact.kind != .finger }) {
            inspector.touch(stamp: nil, arrival: frame.arrival, seat: seat.global, name: seat.input.name)
        }
        inspector.handle(frame, seat: seat.global, name: seat.input.name)
    }

    func handle(_ gestures: [Gesture], _ seat: SessionSeat) {
        inspector.handle(gestures, seat: seat.global, name: seat.input.name)
    }

    /// Takes on what is down already.
    func adopt(_ seat: SessionSeat, at now: Instant) {
        inspector.adopt(seat.input.liveContacts, seat: seat.global, name: seat.input.name, at: now)
    }

    func removeSeat(_ seat: SessionSeat) {
        inspector.setFaults(seat.input.touchFaults, seat: seat.global, name: seat.input.name)
        logFaults()
        inspector.removeSeat(seat.global)
    }

    func noteHeldBuffers() { inspector.noteHeldBuffers() }

    // MARK: Turns

    /// After a turn's events: what is news is logged.
    func endTurn(_ seats: [SessionSeat], at now: Instant) {
        for seat in seats {
            inspector.setFaults(seat.input.touchFaults, seat: seat.global, name: seat.input.name)
        }
        logFaults()
        guard let log else { return }
        for report in inspector.takeDueReports(at: now) { log.statistics(report, at: now) }
    }

    /// The last word.
    func logAll(at now: Instant) {
        guard let log else { return }
        for report in inspector.reports(at: now) { log.statistics(report, at: now) }
    }

    private func logFaults() {
        let now = clock()
        for report in inspector.takeRisenFaults() { log?.fault(report, at: now) }
    }

    // MARK: Picture

    /// When ``appendLabels(to:at:)`` has something new to show though nothing happens.
    var nextDeadline: Instant? { inspector.nextDeadline }

    func appendLabels(to shapes: inout [Shape], at now: Instant) {
        for label in inspector.labels(at: now) { shapes.append(.label(label)) }
    }

    /// The turn's picture is what there was to draw, or nothing had to be drawn.
    func pictureIsUpToDate() { inspector.nothingChanged() }

    private func willCommit() {
        guard let shown = inspector.commit(at: clock()) else { return }
        // SAFETY: `end` discards the answers that are still to come.
        feedback?.request(surface) { [unowned(unsafe) self] outcome in unsafe self.answer(shown, outcome) }
    }

    private func answer(_ shown: ShownTouch, _ outcome: PresentationFeedback.Outcome) {
        switch outcome {
        case .presented(let instant):
            if let instant { inspector.presented(shown, at: instant) }
            if logsPresented { log?.presented(shown, at: instant, isDiscarded: false) }
        case .discarded:
            inspector.discarded()
            if logsPresented { log?.presented(shown, at: nil, isDiscarded: true) }
        }
    }
}
