internal import Gestures
internal import Input
internal import Inspection
internal import Presentation
internal import Ripples
internal import WaylandProtocols

/// Whose contacts are looked at: a seat's, or those of a recording that is played.
protocol ContactSource: AnyObject {
    /// No other source of the session has it.
    var number: UInt32 { get }
    var name: String { get }
    /// Nil for a whole seat.
    var device: String? { get }
    var touchFaults: FaultCounters { get }
    /// Nothing follows: a frame that has not come by now is missing.
    func noteEnd()
    var liveContacts: [Contact] { get }
}

extension ContactSource {
    var device: String? { nil }
}

/// The figures of a session: gathers them, has them drawn, logs them.
final class SessionInspection {
    private var inspector = TouchInspector()
    private let feedback: PresentationFeedback?
    private let surface: WlSurface?
    private let log: EventLog?
    private let logsPresented: Bool
    private let clock: () -> Instant
    /// What latencies are reckoned by where the clock is a recording's; nil: by the clock, and by the touches' stamps.
    var realClock: (() -> Instant)?

    /// - Parameters:
    ///   - window: nil where touches are not shown.
    ///   - globals: for who wants to know when a touch was seen; nil where the clock is none that the compositor has.
    ///   - logsPresented: each shown touch is logged too.
    init(
        _ window: Window?, _ globals: Globals?, log: EventLog?, logsPresented: Bool, clock: @escaping () -> Instant
    ) {
        surface = window?.surface
        self.log = log
        self.logsPresented = logsPresented
        self.clock = clock
        feedback = globals.flatMap { PresentationFeedback($0) }
        // SAFETY: `end` takes both away, and self lives until then.
        feedback?.onChange = { [unowned(unsafe) self] in
            unsafe self.inspector.photonSource = unsafe self.feedback?.source ?? .absent
        }
        window?.presenter.willCommit = { [unowned(unsafe) self] in unsafe self.willCommit() }
    }

    /// The window is about to be closed.
    func end() { feedback?.end() }

    // MARK: What happens

    func raw(_ event: RawTouchEvent, _ seat: any ContactSource) {
        let stamp: UInt32? =
            switch event.kind {
            case .down(_, let time, _, _), .motion(_, let time, _), .up(_, let time): time
            case .frame, .cancel, .shape, .orientation: nil
            }
        if event.kind == .frame { return }
        inspector.touch(
            stamp: realClock == nil ? stamp : nil, arrival: realClock?() ?? event.arrival, seat: seat.number,
            name: seat.name)
    }

    func handle(_ frame: ContactFrame, _ seat: any ContactSource) {
        // Touches were seen raw, with their stamps.
        if frame.changes.contains(where: { $0.contact.kind != .finger }) {
            inspector.touch(
                stamp: nil, arrival: realClock?() ?? frame.arrival, seat: seat.number, name: seat.name)
        }
        inspector.handle(frame, seat: seat.number, name: seat.name)
        if let device = seat.device { inspector.setDevice(device, seat: seat.number) }
    }

    func handle(_ gestures: [Gesture], _ seat: any ContactSource) {
        inspector.handle(gestures, seat: seat.number, name: seat.name)
    }

    /// Takes on what is down already.
    func adopt(_ seat: any ContactSource, at now: Instant) {
        inspector.adopt(seat.liveContacts, seat: seat.number, name: seat.name, at: now)
    }

    func removeSeat(_ seat: any ContactSource) {
        inspector.setFaults(seat.touchFaults, seat: seat.number, name: seat.name)
        logFaults()
        inspector.removeSeat(seat.number)
    }

    func noteHeldBuffers() { inspector.noteHeldBuffers() }

    // MARK: Turns

    /// After a turn's events: what is news is logged.
    func endTurn(_ seats: [any ContactSource], at now: Instant) {
        noteFaults(seats)
        guard let log else { return }
        for report in inspector.takeDueReports(at: now) { log.statistics(report, at: now) }
    }

    private func noteFaults(_ seats: [any ContactSource]) {
        for seat in seats { inspector.setFaults(seat.touchFaults, seat: seat.number, name: seat.name) }
        logFaults()
    }

    /// The recording that is played is over. What is down to the last is down in the figures: whoever recorded it saw no end.
    func end(_ streams: ReplayStreams, at now: Instant) {
        let left = streams.sources.reduce(0) { $0 + $1.liveContacts.count }
        if left > 0, !isLogged { logLast(streams.sources, at: now) }
        streams.endAll(now)
        if left > 0 { inspector.leaveDown(left) }
    }

    /// Nothing was counted since the figures were logged.
    var isLogged: Bool { inspector.isReported }

    /// The last word: nothing follows.
    func logLast(_ seats: [any ContactSource], at now: Instant) {
        for seat in seats { seat.noteEnd() }
        noteFaults(seats)
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
        guard let shown = inspector.commit(at: realClock?() ?? clock()) else { return }
        guard let surface else { return }
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
