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
    /// One seat with what its touches mean.
    private final class Seat {
        let global: UInt32
        let input: SeatInput
        var recognizer = GestureRecognizer()

        init(global: UInt32, input: SeatInput) {
            self.global = global
            self.input = input
        }
    }

    /// How far the start has come; each step waits for the compositor's answer to the last.
    private enum Stage {
        /// The globals are being announced.
        case announcing
        /// Seats and outputs are telling what they are.
        case describing
        case running
    }

    private let connection: Connection
    private let options: WindowOptions
    private let output: LineWriter
    private let log: EventLog?
    private let clock: () -> Instant
    private let globals: Globals
    private let outputs = Outputs()
    private let targets = SurfaceTargets()
    private var ripples: RippleController
    private var stage = Stage.announcing
    private var isDescribed = false
    private var window: Window?
    private var cursors: Cursors?
    private var tablets: ZwpTabletManagerV2?
    private var seats: [Seat] = []
    /// How many seats there ever were. Each has three sources: touches, pointer, pens.
    private var seatCount = 0
    private var isPaused = false
    /// What the log was last told of the window's size and scale.
    private var reported: SurfaceGeometry?

    /// The person or the compositor wants the window closed.
    private(set) var isClosed = false

    /// - Parameters:
    ///   - output: for the log and for what a key asks to be printed.
    ///   - clock: the monotonic time now.
    init(
        _ connection: Connection, _ options: WindowOptions, output: LineWriter, clock: @escaping () -> Instant
    ) {
        self.connection = connection
        self.options = options
        self.output = output
        self.clock = clock
        log = options.log.map { EventLog(output, format: $0, start: clock()) }
        ripples = RippleController(style: RippleStyle(options))
        globals = Globals(connection)
    }

    /// True once the compositor has answered all that the start asked.
    var isRunning: Bool { stage == .running }

    /// When ``endTurn()`` has something to do though no event comes; nil when nothing depends on time alone. A moving
    /// picture does not: its frame callbacks are events.
    var nextDeadline: Instant? { seats.compactMap { $0.recognizer.nextDeadline }.min() }

    /// What the events since the last turn add up to: gestures, at most one configure, at most one picture.
    func endTurn() throws(Failure) {
        try advanceStart()
        let now = clock()
        for seat in seats {
            seat.input.endTurn(arrival: now)
            if let deadline = seat.recognizer.nextDeadline, deadline <= now {
                deliver(seat.recognizer.advance(to: now), from: seat)
            }
        }
        try draw(now)
    }

    /// Ends every object in the order that the protocols ask for.
    func close() {
        for seat in seats { end(seat) }
        seats.removeAll()
        cursors?.end()
        outputs.end()
        window?.close()
        window = nil
    }

    // MARK: Start

    private func advanceStart() throws(Failure) {
        if stage == .announcing, globals.isComplete {
            do throws(ConnectionError) { try bind() } catch { throw Failure(error) }
            // SAFETY: see the type's comment.
            connection.display.sync().onEvent = { [unowned(unsafe) self] _ in unsafe self.isDescribed = true }
            stage = .describing
        }
        if stage == .describing, isDescribed {
            try openWindow()
            stage = .running
        }
    }

    private func bind() throws(ConnectionError) {
        let parts = try WindowGlobals(globals)
        if options.isVerbose {
            for shortcoming in parts.shortcomings { complain("fingerwave: \(shortcoming)\n") }
        }
        var size: (width: Int32, height: Int32)?
        if let width = options.width, let height = options.height { size = (width, height) }
        let window = Window(
            parts, outputs: outputs, size: size, background: Color(options.background) ?? .black)
        self.window = window
        targets.register(window.surface)
        cursors = Cursors(
            shapes: globals.bindIfOffered(WpCursorShapeManagerV1.self, versions: 1...1),
            compositor: parts.compositor, shm: parts.shm)
        tablets = parts.tablets
        // SAFETY: see the type's comment.
        window.onClose = { [unowned(unsafe) self] in unsafe self.isClosed = true }
        outputs.onChange = { [unowned(unsafe) self] in unsafe self.updateScales() }
        for global in globals.all { add(global) }
        globals.onAdded = { [unowned(unsafe) self] global in unsafe self.add(global) }
        globals.onRemoved = { [unowned(unsafe) self] global in unsafe self.remove(global) }
    }

    private func add(_ global: Globals.Global) {
        switch global.interface {
        case WlOutput.interface.name: outputs.add(global, globals)
        case WlSeat.interface.name: addSeat(global)
        default: break
        }
    }

    private func remove(_ global: Globals.Global) {
        outputs.remove(global: global.name)
        guard let index = seats.firstIndex(where: { $0.global == global.name }) else { return }
        end(seats.remove(at: index))
    }

    private func updateScales() {
        window?.updateScale()
        for seat in seats { fit(seat) }
        cursors?.setScale(outputs.all.map { $0.scale }.max() ?? 1)
    }

    private func openWindow() throws(Failure) {
        var target: WlOutput?
        if let name = options.output {
            target = outputs.find(name: name)
            if target == nil { throw .unknownOutput(name, known: outputs.all.map { $0.name }) }
        }
        window?.open(title: "FingerWave", appID: "fingerwave", fullscreen: options.isFullscreen, on: target)
    }

    // MARK: Seats

    private func addSeat(_ global: Globals.Global) {
        guard let proxy = globals.bind(global, WlSeat.self, versions: SeatInput.versions) else { return }
        if options.isVerbose, let shortcoming = seatShortcoming(version: proxy.version) {
            complain("fingerwave: \(shortcoming)\n")
        }
        let input = SeatInput(
            seat: proxy, fallbackName: "seat\(seatCount)", touch: SourceID(rawValue: 3 * seatCount),
            pointer: SourceID(rawValue: 3 * seatCount + 1), pen: SourceID(rawValue: 3 * seatCount + 2),
            surfaces: targets, tablets: tablets, cursors: cursors, clock: clock)
        seatCount += 1
        let seat = Seat(global: global.name, input: input)
        seats.append(seat)
        fit(seat)
        // SAFETY: see the type's comment. A seat's handlers end with it, and it is kept in `seats` until then.
        input.onRaw = { [unowned(unsafe) self, unowned(unsafe) seat] event in
            unsafe self.log?.raw(event, seat: seat.input.name)
        }
        input.onTool = { [unowned(unsafe) self, unowned(unsafe) seat] event in
            unsafe self.log?.tool(event, seat: seat.input.name)
        }
        input.onFrame = { [unowned(unsafe) self, unowned(unsafe) seat] frame in
            unsafe self.log?.pointer(frame, seat: seat.input.name)
            unsafe self.deliver(seat.recognizer.handle(frame), from: seat)
        }
        input.onProblem = { problem in complain("fingerwave: \(problem.description)\n") }
        input.onKey = { [unowned(unsafe) self] key in unsafe self.act(on: key) }
    }

    /// Ends a seat's contacts, and its objects; taps that waited for another one are said.
    private func end(_ seat: Seat) {
        seat.input.remove(arrival: clock())
        deliver(seat.recognizer.advance(to: Instant(nanoseconds: .max)), from: seat)
    }

    /// What an older seat costs; each version lacks what the ones below it lack too.
    private func seatShortcoming(version: UInt32) -> String? {
        switch version {
        case 1: "wl_seat 1: no seat names, no pointer frames, no shape of a touch"
        case 2...4: "wl_seat \(version): no pointer frames, no shape of a touch"
        case 5: "wl_seat 5: no shape or orientation of a touch"
        default: nil
        }
    }

    private func deliver(_ gestures: [Gesture], from seat: Seat) {
        guard !gestures.isEmpty else { return }
        ripples.handle(gestures, at: clock())
        if let log {
            for gesture in gestures { log.gesture(gesture, seat: seat.input.name) }
        }
    }

    private func act(on key: KeyPress) {
        // Shortcuts of the desktop are not ours.
        guard key.modifiers.isDisjoint(with: [.control, .alt, .logo]) else { return }
        switch key.command {
        case .escape, .q: isClosed = true
        case .f, .f11: window?.toggleFullscreen()
        case .c: ripples.clear()
        case .space: isPaused.toggle()
        case .h: output.write(Help.keys)
        default: break
        }
    }

    // MARK: Picture

    private func draw(_ now: Instant) throws(Failure) {
        guard let window else { return }
        window.applyConfigure()
        if isPaused {
            // The picture stands still; when it goes on, it is where it would have been.
            window.presenter.wantsFrames = false
        } else {
            ripples.advance(to: now)
            window.presenter.shapes = ripples.shapes
            // Each frame then asks for the next, and nothing else wakes us.
            window.presenter.wantsFrames = ripples.isAnimating
        }
        do throws(PresentationError) {
            guard try window.presenter.drawIfNeeded(now: now) else { return }
        } catch {
            throw Failure("cannot draw", why: error.description, remedy: "", code: .noCompositor)
        }
        guard let geometry = window.presenter.geometry, geometry != reported else { return }
        log?.window(geometry, isFirst: reported == nil)
        reported = geometry
        for seat in seats { fit(seat) }
    }

    /// Tells a seat's recogniser how large a finger's slop and the window are.
    private func fit(_ seat: Seat) {
        guard let window, let geometry = window.presenter.geometry else { return }
        if let density = window.pixelsPerMillimetre {
            seat.recognizer.configuration.setTouchSlop(pixelsPerMillimetre: density)
        }
        let size = Size(width: Double(geometry.logicalSize.width), height: Double(geometry.logicalSize.height))
        seat.recognizer.setSurfaceSize(size, target: targets.register(window.surface))
    }
}

extension RippleStyle {
    /// The style that the options ask for.
    init(_ options: WindowOptions) {
        self.init()
        // Brings the outline that is seen beside it.
        if let color = Color(options.color) { setColor(color) }
        endRadius = options.radius
        // A wave begins at a fifth of its radius.
        startRadius = options.radius / 5
        startOpacity = options.opacity
        duration = options.duration
    }
}

extension Failure {
    static func unknownOutput(_ name: String, known: [String]) -> Failure {
        let known = known.filter { !$0.isEmpty }
        return Failure(
            "cannot use the output \(name)", why: "there is none of this name",
            remedy: known.isEmpty
                ? "this compositor names no outputs (wl_output version 4)"
                : "there is " + known.joined(separator: ", "),
            code: .usage)
    }
}
