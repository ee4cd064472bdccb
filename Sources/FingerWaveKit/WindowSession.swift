internal import Gestures
internal import Input
internal import Presentation
internal import Ripples
internal import WaylandClient
internal import WaylandProtocols

/// A window that answers every touch in it, on one connection. It neither waits nor looks at the clock: its owner dispatches
/// the connection, then calls ``endTurn()``.
///
/// Handlers refer to it unowned. They end with the connection, which the owner ends before it lets go of this.
final class WindowSession {
    /// How far the start has come; each step waits for the compositor's answer to the last.
    enum Stage {
        /// The globals are being announced.
        case announcing
        /// Seats and outputs are telling what they are.
        case describing
        case running
    }

    let connection: Connection
    private(set) var settings: WindowSettings
    let output: LineWriter
    private(set) var log: EventLog?
    let start: Instant
    let clock: () -> Instant
    /// The monotonic time now, where the clock is a recording's. Set before the first turn.
    var realClock: (() -> Instant)?
    let globals: Globals
    let outputs = Outputs()
    let targets = SurfaceTargets()
    var ripples: RippleController
    var stage = Stage.announcing
    var isDescribed = false
    var window: Window?
    var cursors: Cursors?
    var tablets: ZwpTabletManagerV2?
    var seats: [SessionSeat] = []
    /// How many seats there ever were. Each has three sources: touches, pointer, pens.
    var seatCount = 0
    /// The picture stands still.
    var isHeld = false
    /// Nothing is shown; touches are recognised and logged all the same.
    private(set) var isPaused = false
    var counts = SessionCounts()
    /// Nil as long as nobody wants figures.
    var inspection: SessionInspection?
    /// True while the inspector is to be seen.
    var isInspecting = false
    var heldBuffers = HeldBuffers()
    /// Said once.
    var saysHeldBuffers = false
    var saysTextFailure = false
    var saysUnknownDensity = false
    /// Nil when nothing is recorded. Set before the first turn.
    var recording: WindowRecording?
    /// A recording that is shown instead of the window's own touches; nil for these. Set before the first turn.
    var replay: WindowReplay? {
        didSet { if (replay == nil) != (oldValue == nil) { log = makeLog() } }
    }
    /// What the log was last told of the window's size and scale.
    var reported: SurfaceGeometry?

    /// The person or the compositor wants the window closed.
    var isClosed = false

    /// - Parameters:
    ///   - output: for the log and for what a key asks to be printed.
    ///   - clock: the monotonic time now, or that of a recording that is played.
    init(
        _ connection: Connection, _ settings: WindowSettings, output: LineWriter, clock: @escaping () -> Instant
    ) {
        self.connection = connection
        self.settings = settings
        self.output = output
        self.clock = clock
        start = clock()
        ripples = RippleController(style: RippleStyle(settings.look))
        globals = Globals(connection)
        log = makeLog()
        isInspecting = settings.look.style == .inspect
        fitLook()
    }

    private func makeLog() -> EventLog? {
        // A recording that is played is logged as one that is made, with arrivals: it can be played again.
        settings.run.log.map { EventLog(output, format: $0, start: start, isRecording: replay != nil) }
    }

    /// Takes on other settings while the window is there. Those that need a restart are expected to be the same.
    func apply(_ new: WindowSettings) {
        let old = settings
        settings = new
        if new.look != old.look {
            if new.look.style != old.look.style { isInspecting = new.look.style == .inspect }
            fitLook()
            window?.presenter.setBackground(Color(new.look.background) ?? .black)
        }
        if new.gestures != old.gestures {
            fitSeats()
        }
        if new.run.log != old.run.log || new.run.logsPresented != old.run.logsPresented {
            log = makeLog()
            // The next turn begins anew, with the new log.
            window?.presenter.willCommit = nil
            inspection?.end()
            inspection = nil
        }
    }

    /// Whether touches are shown. What is shown goes at once, and a finger that is down then has no mark later.
    func setPaused(_ paused: Bool) {
        isPaused = paused
        if paused { ripples.clear() }
    }

    func clear() { ripples.clear() }

    /// Whose contacts are shown.
    var contactSources: [any ContactSource] {
        // As in ReplayStreams.
        replay?.streams.sources ?? seats.map { $0 }
    }

    /// True once the compositor has answered all that the start asked.
    var isRunning: Bool { stage == .running }

    /// When ``endTurn()`` has something to do though no event comes; nil when nothing depends on time alone. A moving
    /// picture does not: its frame callbacks are events.
    var nextDeadline: Instant? {
        (seats.map { $0.recognizer.nextDeadline }
            + [replay?.streams.nextDeadline, inspectionDeadline, isPaused ? nil : ripples.nextDeadline])
            .compactMap { $0 }.min()
    }

    /// What the events since the last turn add up to: gestures, at most one configure, at most one picture.
    func endTurn() throws(Failure) {
        try advanceStart()
        recording?.endTurn(self)
        let now = clock()
        startInspection(now)
        for seat in seats {
            seat.input.endTurn(arrival: now)
            if let deadline = seat.recognizer.nextDeadline, deadline <= now {
                deliver(seat.recognizer.advance(to: now), from: seat)
            }
        }
        replay?.streams.endTurn(now)
        inspection?.endTurn(contactSources, at: now)
        try draw(now)
        inspectPicture(now)
    }

    /// Ends every object in the order that the protocols ask for.
    func close() {
        for seat in seats { end(seat) }
        inspection?.end()
        seats.removeAll()
        cursors?.end()
        outputs.end()
        window?.close()
        window = nil
    }
}
