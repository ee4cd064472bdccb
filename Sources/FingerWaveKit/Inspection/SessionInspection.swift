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
    /// Of several connections, whose targets it names.
    var connection: Int { get }
}

extension ContactSource {
    var device: String? { nil }
    var connection: Int { 0 }
}

/// The figures of a session: gathers them, has them drawn, logs them.
final class SessionInspection {
    /// What is touched is shown by one surface, or each target by one of its own.
    enum Surfaces { case one, ofTargets }

    private var inspector = TouchInspector()
    private let feedback: PresentationFeedback?
    private let log: EventLog?
    private let logsPresented: Bool
    private let surfaces: Surfaces
    private let clock: () -> Instant
    private var isEnded = false
    /// What latencies are reckoned by where the clock is a recording's; nil: by the clock, and by the touches' stamps.
    var realClock: (() -> Instant)?

    /// - Parameters:
    ///   - globals: for who wants to know when a touch was seen; nil where the clock is none that the compositor has.
    ///   - logsPresented: each shown touch is logged too.
    init(
        _ globals: Globals?, log: EventLog?, logsPresented: Bool, surfaces: Surfaces = .one,
        clock: @escaping () -> Instant
    ) {
        self.log = log
        self.logsPresented = logsPresented
        self.surfaces = surfaces
        self.clock = clock
        feedback = globals.flatMap { PresentationFeedback($0) }
        // SAFETY: `end` takes it away, and self lives until then.
        feedback?.onChange = { [unowned(unsafe) self] in
            unsafe self.inspector.photonSource = unsafe self.feedback?.source ?? .absent
        }
    }

    /// For a log without what was seen when: its figures do not miss it.
    func askNothing() { inspector.photonSource = .unasked }

    /// What is asked is answered no more.
    func end() {
        isEnded = true
        feedback?.end()
    }

    // MARK: What happens

    func raw(_ event: RawTouchEvent, _ seat: any ContactSource) {
        let stamp: UInt32? =
            switch event.kind {
            case .down(_, let time, _, _), .motion(_, let time, _), .up(_, let time): time
            case .frame, .cancel, .shape, .orientation: nil
            }
        if event.kind == .frame { return }
        for target in surfaces == .one ? [0] : event.targets(among: seat.liveContacts) {
            inspector.touch(
                stamp: realClock == nil ? stamp : nil, arrival: realClock?() ?? event.arrival, seat: seat.number,
                name: seat.name, on: surface(target, seat))
        }
    }

    func handle(_ frame: ContactFrame, _ seat: any ContactSource) {
        // Touches were seen raw, with their stamps.
        for change in frame.changes where change.contact.kind != .finger {
            inspector.touch(
                stamp: nil, arrival: realClock?() ?? frame.arrival, seat: seat.number, name: seat.name,
                on: surface(change.contact.target, seat))
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

    /// The inspector's number for what shows `target`.
    private func surface(_ target: Int, _ seat: any ContactSource) -> Int {
        surfaces == .one ? 0 : SessionInspection.surface(target, seat.connection)
    }

    /// A target's number is its connection's own.
    private static func surface(_ target: Int, _ connection: Int) -> Int { connection << 32 | target }

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
        if left > 0 { logLast(streams.sources, at: now) }
        streams.endAll(now)
        if left > 0 { inspector.leaveDown(left) }
    }

    /// The last word: nothing follows. What was counted is not logged again, unless it is the end of all `always`.
    func logLast(_ seats: [any ContactSource], at now: Instant, always: Bool = false) {
        guard always || !inspector.isReported else { return }
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
    func pictureIsUpToDate(of target: Int = 0, _ connection: Int = 0) {
        inspector.nothingChanged(on: SessionInspection.surface(target, connection))
    }

    /// `surface`, which shows `target`, is about to be committed with another picture.
    ///
    /// - Parameter output: the one that it is on, where there are several.
    func willCommit(_ surface: WlSurface, of target: Int = 0, output: String? = nil) {
        guard let answer = willCommit(target, 0, output) else { return }
        feedback?.request(surface, answer)
    }

    /// The same of what is committed on another connection, and its owner asks about: the compositor's answer is told to
    /// what is returned; nil when no new touch is shown.
    func willCommit(
        _ target: Int, _ connection: Int, _ source: PhotonSource
    ) -> ((PresentationOutcome) -> Void)? {
        inspector.photonSource = source
        return willCommit(target, connection, nil)
    }

    private func willCommit(
        _ target: Int, _ connection: Int, _ output: String?
    ) -> ((PresentationOutcome) -> Void)? {
        let surface = SessionInspection.surface(target, connection)
        guard let shown = inspector.commit(at: realClock?() ?? clock(), on: surface) else { return nil }
        // Kept by who waits: there the answers may outlast the session.
        return { [self] outcome in
            if isEnded { return }
            inspector.answer(shown, outcome)
            if logsPresented { log?.presented(shown, outcome, output: output) }
        }
    }
}
