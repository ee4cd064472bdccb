internal import Gestures
internal import Presentation
internal import Recording
internal import Ripples
internal import TouchDevices
internal import WaylandClient
internal import WaylandProtocols

/// Shows touches above whatever is on the outputs of one connection. It neither waits nor looks at the clock: its owner
/// dispatches the connection, hands over what the source of touches says, then calls ``endTurn()``.
///
/// Handlers refer to it unowned. They end with the connection, which the owner ends before it lets go of this.
final class OverlaySession {
    /// How far the start has come; each step waits for the compositor's answer to the last.
    private enum Stage {
        /// The globals are being announced.
        case announcing
        /// Outputs are telling what they are.
        case describing
        case running
    }

    let connection: Connection
    private(set) var settings: OverlaySettings
    let output: LineWriter
    private(set) var log: EventLog?
    let start: Instant
    let clock: () -> Instant
    let remarks: OverlayRemarks
    private let globals: Globals
    let outputs = Outputs()
    private var parts: OverlayGlobals?
    private var stage = Stage.announcing
    private var isDescribed = false
    /// What is drawn on, in the order in which they came.
    private(set) var screens: [OverlayOutput] = []
    var streams: [TouchStream] = []
    /// How many streams there ever were: each has a source of its own.
    var streamCount = 0
    /// The touchscreens that are there.
    var devices: [TouchDevice] = []
    /// Where each lies; made anew when devices, outputs or rules change.
    var mappings: [StreamKey: OutputMapping.Decision] = [:]
    /// What the source said before the outputs were known.
    var early: [(line: TouchLine, arrival: Instant)] = []
    /// The source ended before the outputs were known.
    var endsEarly = false
    private(set) var isPaused = false
    var counts = SessionCounts()
    /// Nil when nobody wants figures.
    private(set) var inspection: SessionInspection?

    /// - Parameters:
    ///   - remarks: those of the sessions before it.
    ///   - start: what the log's times are reckoned from.
    ///   - clock: the monotonic time now.
    init(
        _ connection: Connection, _ settings: OverlaySettings, output: LineWriter,
        _ remarks: OverlayRemarks = OverlayRemarks(), start: Instant, clock: @escaping () -> Instant
    ) {
        self.remarks = remarks
        self.connection = connection
        self.settings = settings
        self.output = output
        self.clock = clock
        self.start = start
        globals = Globals(connection)
        log = makeLog()
    }

    private func makeLog() -> EventLog? {
        settings.run.log.map { EventLog(output, format: $0, start: start) }
    }

    /// True once the compositor has answered all that the start asked.
    var isRunning: Bool { stage == .running }

    /// True when there is nothing to be seen and nothing is on its way.
    var isIdle: Bool { screens.allSatisfy { $0.ripples.isIdle && (settings.overlay.keepsMapped || $0.layer == nil) } }

    /// When ``endTurn()`` has something to do though no event comes. A moving picture does not depend on time alone: its
    /// frame callbacks are events.
    var nextDeadline: Instant? {
        var next: Instant?
        for stream in streams { next = OverlaySession.earlier(next, stream.recognizer.nextDeadline) }
        for screen in screens { next = OverlaySession.earlier(next, screen.nextDeadline) }
        return next
    }

    /// Nothing that touches do could be shown now, and nobody asks to hear of them: every output waits for its next frame,
    /// and no time has run out that a touch may have stopped. Half of them then wake nobody, in a movement at 120 Hz.
    var canLeaveTouches: Bool {
        guard isRunning, log == nil, !screens.isEmpty, screens.allSatisfy({ $0.awaitsFrame }) else { return false }
        return nextDeadline.map { $0 > clock() } ?? true
    }

    static func earlier(_ one: Instant?, _ other: Instant?) -> Instant? {
        guard let one, let other else { return one ?? other }
        return min(one, other)
    }

    /// What the events since the last turn add up to.
    func endTurn() throws(Failure) {
        try advanceStart()
        let now = clock()
        endStreamTurns(now)
        guard stage == .running, let parts else { return }
        inspection?.endTurn(contactSources, at: now)
        for screen in screens {
            do throws(PresentationError) {
                let shown = try screen.endTurn(
                    parts, isHidden: isPaused, keepsMapped: settings.overlay.keepsMapped, now: now)
                if let shown { log?.overlay(screen.facts.label, shown) }
                if screen.isUpToDate { inspection?.pictureIsUpToDate(of: Int(screen.global)) }
            } catch {
                throw Failure("cannot draw", why: error.description, remedy: "", code: .noCompositor)
            }
        }
    }

    /// Ends every object in the order that the protocols ask for.
    func close() {
        endInspection()
        for screen in screens { screen.close() }
        screens.removeAll()
        outputs.end()
    }

    // MARK: Start

    private func advanceStart() throws(Failure) {
        if stage == .announcing, globals.isComplete {
            do throws(ConnectionError) { try bind() } catch { throw .noOverlay(error) }
            // SAFETY: see the type's comment.
            connection.display.sync().onEvent = { [unowned(unsafe) self] _ in unsafe self.isDescribed = true }
            stage = .describing
        }
        if stage == .describing, isDescribed {
            stage = .running
            updateScreens()
            let missing = settings.overlay.output.flatMap { outputs.find(name: $0) == nil ? $0 : nil }
            remarks.tell(.outputs, missing.map { ["nothing is shown yet: there is no output \($0)"] } ?? [])
            // Lines name their touchscreens as they come.
            let devices = settings.sources.source == .libinput ? devices : nil
            remarks.tell(
                .rules, OutputMapping.missing(of: settings.mapping.map, devices: devices, outputs: outputs.all))
            log?.overlayReady(outputs.all)
            startInspection()
            handleEarly()
        }
    }

    // As in ReplayStreams.
    private var contactSources: [any ContactSource] { streams.map { $0 } }

    private func startInspection() {
        guard let log else { return }
        let asks = settings.run.logsPresented
        // A recording's time is none that the compositor has.
        let isPlayed = if case .file = settings.sources.source { true } else { false }
        let inspection = SessionInspection(
            asks && !isPlayed ? globals : nil, log: log, logsPresented: asks, surfaces: .ofTargets, clock: clock)
        if !asks { inspection.askNothing() }
        self.inspection = inspection
        for stream in streams { inspection.adopt(stream, at: clock()) }
    }

    /// The figures' last word.
    func endInspection() {
        guard let inspection else { return }
        let now = clock()
        inspection.endTurn(contactSources, at: now)
        inspection.logLast(contactSources, at: now)
        inspection.end()
        self.inspection = nil
    }

    private func bind() throws(ConnectionError) {
        let parts = try OverlayGlobals(globals)
        self.parts = parts
        if settings.run.isVerbose { remarks.tell(.globals, parts.shortcomings) }
        outputs.wantsLayout = true
        outputs.manager = globals.bindIfOffered(ZxdgOutputManagerV1.self, versions: 1...3)
        // SAFETY: see the type's comment.
        outputs.onChange = { [unowned(unsafe) self] in unsafe self.updateScreens() }
        for global in globals.all { add(global) }
        globals.onAdded = { [unowned(unsafe) self] global in unsafe self.add(global) }
        globals.onRemoved = { [unowned(unsafe) self] global in unsafe self.outputs.remove(global: global.name) }
    }

    private func add(_ global: Globals.Global) {
        if global.interface == WlOutput.interface.name { outputs.add(global, globals) }
    }

    /// Outputs came, went or changed: what is drawn on follows, and where touchscreens lie.
    private func updateScreens() {
        guard stage == .running else { return }
        let all = outputs.all
        for screen in screens where !all.contains(where: { $0.global == screen.global }) {
            for stream in streams { end(contactsOn: screen.global, of: stream) }
            screen.close()
            inspection?.pictureIsUpToDate(of: Int(screen.global))
        }
        screens.removeAll { screen in !all.contains { $0.global == screen.global } }
        for facts in all {
            // One that is being described still has no mode.
            guard facts.logicalSize != nil, settings.overlay.output.map({ $0 == facts.name }) ?? true else { continue }
            if let screen = screens.first(where: { $0.global == facts.global }) {
                if screen.facts != facts { screen.update(facts) }
            } else if let output = outputs.find(global: facts.global) {
                let screen = OverlayOutput(output, facts, RippleStyle(settings.look))
                screens.append(screen)
                // What was touched on it before is not shown.
                inspection?.pictureIsUpToDate(of: Int(screen.global))
                // SAFETY: see the type's comment; screens end with self.
                screen.willCommit = { [unowned(unsafe) self, unowned(unsafe) screen] surface in
                    unsafe self.inspection?.willCommit(
                        surface, of: Int(screen.global), output: unsafe screen.facts.label)
                }
            }
        }
        fitLook()
        mapDevices()
    }

    // MARK: Control

    /// Takes on other settings. Those that need a restart are expected to be the same.
    func apply(_ new: OverlaySettings) {
        let old = settings
        settings = new
        if new.run.log != old.run.log || new.run.logsPresented != old.run.logsPresented {
            endInspection()
            log = makeLog()
            if isRunning { startInspection() }
        }
        for stream in streams { stream.fittedTo = nil }
        fitLook()
        mapDevices()
    }

    private func fitLook() {
        for screen in screens {
            let density = screen.facts.pixelsPerMillimetre
            screen.ripples.style = RippleStyle(settings.look, pixelsPerMillimetre: density)
            screen.ripples.fit(settings.gestures.configuration(pixelsPerMillimetre: density))
        }
    }

    /// Whether touches are shown. What is shown goes at once, and a finger that is down then has no mark later.
    func setPaused(_ paused: Bool) {
        isPaused = paused
        if paused { clear() }
    }

    func clear() { for screen in screens { screen.ripples.clear() } }
}

extension Failure {
    /// No overlay can be shown on this compositor, and what can.
    static func noOverlay(_ error: ConnectionError) -> Failure {
        guard case .missingGlobal(let interface, _, _) = error, interface == ZwlrLayerShellV1.interface.name else {
            return Failure(error)
        }
        return Failure(
            "cannot show an overlay", why: "this compositor has no layer shell (\(interface))",
            remedy: "fingerwave run -- APP shows waves above an app on any compositor", code: .missingGlobal)
    }
}
