internal import CLibc
internal import CLinuxShims
internal import EventLoop
internal import Gestures
internal import Input
internal import Presentation
internal import Ripples
internal import WaylandClient
internal import WaylandProtocols

/// `fingerwave window`: a window that answers every touch in it.
///
/// Handlers refer to it unowned: `run()` keeps it alive, and ends the connection, and with it every handler, before it
/// returns.
final class WindowCommand {
    /// One seat with what its touches mean.
    private final class Seat {
        let global: UInt32
        let input: SeatInput
        var recognizer: GestureRecognizer

        init(global: UInt32, input: SeatInput, recognizer: GestureRecognizer) {
            self.global = global
            self.input = input
            self.recognizer = recognizer
        }
    }

    /// How far the start has come; each step waits for the compositor's answer to the last.
    private enum Stage {
        case connecting
        /// The globals are being announced.
        case announcing
        /// Seats and outputs are telling what they are.
        case describing
        case running
    }

    private let options: WindowOptions
    private let loop = EventLoop()
    private let output = LineWriter(descriptor: STDOUT_FILENO)
    private let log: EventLog?
    private let outputs = Outputs()
    private let targets = SurfaceTargets()
    private var ripples: RippleController
    private var stage = Stage.connecting
    private var connection: Connection?
    private var globals: Globals?
    private var isDescribed = false
    private var window: Window?
    private var seats: [Seat] = []
    private var cursors: Cursors?
    /// Even numbers' seats: one for touches, the next for the pointer.
    private var nextSource = 0
    private var isPaused = false
    private var isReady = false
    private var failure: Failure?
    private var connectionWatch: EventLoop.Token?
    private var outputWatch: EventLoop.Token?
    private var alarm: (token: EventLoop.Token, due: Int64)?

    /// A compositor that has not answered by then will not: 10 s.
    private static let startLimit: Int64 = 10_000_000_000

    init(_ options: WindowOptions) throws(Failure) {
        self.options = options
        ripples = RippleController(style: try RippleStyle(options))
        log = options.log.map { [output] in
            EventLog(output, format: $0, start: Instant(nanoseconds: EventLoop.now))
        }
    }

    func run() throws(Failure) {
        // A reader of our output that goes away must not end the window.
        fw_ignore_signal(SIGPIPE)
        for number in [SIGINT, SIGTERM] { _ = loop.onSignal(number) { [loop] in loop.stop() } }
        connect()
        // SAFETY: see the type's comment; the loop runs within this call.
        loop.afterTurn { [unowned(unsafe) self] in unsafe self.endTurn() }
        loop.schedule(at: EventLoop.now + WindowCommand.startLimit) { [unowned(unsafe) self] in
            unsafe self.checkStart()
        }
        if let seconds = options.exitAfter {
            loop.schedule(at: EventLoop.now + Int64(seconds * 1e9)) { [loop] in loop.stop() }
        }
        loop.run()
        finish()
        if let failure { throw failure }
    }

    private func fail(_ failure: Failure) {
        if self.failure == nil { self.failure = failure }
        loop.stop()
    }

    // MARK: Start

    private func connect() {
        do throws(ConnectionError) {
            let connection = try Connection.connect(to: options.display)
            self.connection = connection
            globals = Globals(connection)
            stage = .announcing
            // SAFETY: see the type's comment.
            connectionWatch = loop.watch(connection.fileDescriptor, .readable) { [unowned(unsafe) self] ready in
                unsafe self.receive(ready)
            }
        } catch {
            fail(Failure(error))
        }
    }

    private func checkStart() {
        guard stage != .running else { return }
        fail(
            Failure(
                "cannot show a window", why: "the compositor does not answer",
                remedy: "see whether it is stopped or busy", code: .noCompositor))
    }

    private func advanceStart() throws(Failure) {
        guard let connection, let globals else { return }
        if stage == .announcing, globals.isComplete {
            do throws(ConnectionError) { try bind(globals) } catch { throw Failure(error) }
            // SAFETY: see the type's comment.
            connection.display.sync().onEvent = { [unowned(unsafe) self] _ in unsafe self.isDescribed = true }
            stage = .describing
        }
        if stage == .describing, isDescribed {
            try openWindow()
            stage = .running
        }
    }

    private func bind(_ globals: Globals) throws(ConnectionError) {
        let parts = try WindowGlobals(globals)
        if options.isVerbose {
            for shortcoming in parts.shortcomings { complain("fingerwave: \(shortcoming)\n") }
        }
        let size = options.width.map { ($0, options.height ?? Window.defaultSize.height) }
        let background = Color(options.background) ?? .black
        let window = Window(parts, outputs: outputs, size: size, background: background)
        self.window = window
        targets.register(window.surface)
        window.onClose = { [loop] in loop.stop() }
        // SAFETY: see the type's comment.
        outputs.onChange = { [unowned(unsafe) self] in unsafe self.window?.updateScale() }
        cursors = Cursors(
            shapes: globals.bindIfOffered(WpCursorShapeManagerV1.self, versions: 1...1),
            compositor: parts.compositor, shm: parts.shm)
        for global in globals.all { add(global) }
        globals.onAdded = { [unowned(unsafe) self] global in unsafe self.add(global) }
        globals.onRemoved = { [unowned(unsafe) self] global in unsafe self.remove(global) }
    }

    private func add(_ global: Globals.Global) {
        guard let globals else { return }
        switch global.interface {
        case WlOutput.interface.name: outputs.add(global, globals)
        case WlSeat.interface.name: addSeat(global, globals)
        default: break
        }
    }

    private func remove(_ global: Globals.Global) {
        outputs.remove(global: global.name)
        guard let index = seats.firstIndex(where: { $0.global == global.name }) else { return }
        seats[index].input.remove(arrival: now)
        seats.remove(at: index)
    }

    private func openWindow() throws(Failure) {
        var target: WlOutput?
        if let name = options.output {
            target = outputs.find(name: name)
            if target == nil {
                let known = outputs.all.map { $0.name }.filter { !$0.isEmpty }
                throw Failure(
                    "cannot use the output \(name)", why: "there is none of this name",
                    remedy: known.isEmpty
                        ? "this compositor names no outputs (wl_output version 4)"
                        : "there is " + known.joined(separator: ", "),
                    code: .usage)
            }
        }
        window?.open(
            title: "FingerWave", appID: "fingerwave", fullscreen: options.isFullscreen, on: target)
    }

    // MARK: Seats

    private func addSeat(_ global: Globals.Global, _ globals: Globals) {
        guard let proxy = globals.bind(global, WlSeat.self, versions: 1...10) else { return }
        let input = SeatInput(
            seat: proxy, fallbackName: "seat\(nextSource / 2)", touch: SourceID(rawValue: nextSource),
            pointer: SourceID(rawValue: nextSource + 1), surfaces: targets, cursors: cursors,
            clock: { Instant(nanoseconds: EventLoop.now) })
        nextSource += 2
        let seat = Seat(global: global.name, input: input, recognizer: GestureRecognizer(configuration: .init()))
        seats.append(seat)
        // SAFETY: see the type's comment. A seat's handlers end with it, and it is kept in `seats` until then.
        input.onRaw = { [unowned(unsafe) self, unowned(unsafe) seat] event in
            unsafe self.log?.raw(event, seat: seat.input.name)
        }
        input.onFrame = { [unowned(unsafe) self, unowned(unsafe) seat] frame in
            unsafe self.log?.pointer(frame, seat: seat.input.name)
            unsafe self.deliver(seat.recognizer.handle(frame), from: seat)
        }
        input.onProblem = { problem in complain("fingerwave: \(problem.description)\n") }
        input.onKey = { [unowned(unsafe) self] key in unsafe self.act(on: key) }
    }

    private func deliver(_ gestures: [Gesture], from seat: Seat) {
        guard !gestures.isEmpty else { return }
        ripples.handle(gestures, at: now)
        if let log {
            for gesture in gestures { log.gesture(gesture, seat: seat.input.name) }
        }
    }

    private func act(on key: KeyPress) {
        // Shortcuts of the desktop are not ours.
        guard key.modifiers.isDisjoint(with: [.control, .alt, .logo]) else { return }
        switch key.command {
        case .escape, .q: loop.stop()
        case .f, .f11: window?.toggleFullscreen()
        case .c: ripples.clear()
        case .space: isPaused.toggle()
        case .h: output.write(Help.keys)
        default: break
        }
    }

    // MARK: Turns

    private var now: Instant { Instant(nanoseconds: EventLoop.now) }

    private func receive(_ ready: EventLoop.Interest) {
        guard let connection else { return }
        // What came before a hang-up is read first: it may say why.
        guard !ready.isDisjoint(with: [.readable, .hungUp]) else { return }
        do throws(ConnectionError) { try connection.readAndDispatch() } catch { fail(Failure(error)) }
    }

    /// What the turn's events add up to: gestures, one configure, at most one picture.
    private func endTurn() {
        guard failure == nil else { return }
        do throws(Failure) {
            try advanceStart()
            let now = now
            for seat in seats {
                seat.input.endTurn(arrival: now)
                if let deadline = seat.recognizer.nextDeadline, deadline <= now {
                    deliver(seat.recognizer.advance(to: now), from: seat)
                }
            }
            try draw(now)
            setAlarm()
            flushOutput()
            try flushConnection()
        } catch {
            fail(error)
        }
    }

    private func draw(_ now: Instant) throws(Failure) {
        guard let window else { return }
        window.applyConfigure()
        if !isPaused {
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
        if !isReady, let geometry = window.presenter.geometry {
            isReady = true
            log?.ready(
                width: window.logicalSize.width, height: window.logicalSize.height, scale: geometry.scale.factor)
        }
    }

    /// Wakes the loop for the next moment at which a gesture comes about by time alone.
    private func setAlarm() {
        let due = seats.compactMap { $0.recognizer.nextDeadline?.nanoseconds }.min()
        guard due != alarm?.due else { return }
        if let alarm { loop.cancel(alarm.token) }
        alarm = due.map { due in
            // SAFETY: see the type's comment.
            (loop.schedule(at: due) { [unowned(unsafe) self] in unsafe self.alarm = nil }, due)
        }
    }

    private func flushConnection() throws(Failure) {
        guard let connection, let connectionWatch else { return }
        do throws(ConnectionError) {
            let result = try connection.flush()
            loop.setInterest(result == .done ? .readable : [.readable, .writable], of: connectionWatch)
        } catch {
            throw Failure(error)
        }
    }

    private func flushOutput() {
        output.flush()
        if output.isWaiting, outputWatch == nil {
            // The turn itself, which follows, writes.
            outputWatch = loop.watch(STDOUT_FILENO, .writable) { _ in }
        } else if !output.isWaiting, let token = outputWatch {
            loop.unwatch(token)
            outputWatch = nil
        }
    }

    // MARK: End

    private func finish() {
        if let connection {
            if failure == nil {
                for seat in seats { seat.input.remove(arrival: now) }
                cursors?.end()
                outputs.end()
                window?.close()
                _ = try? connection.flush()
            }
            connection.disconnect()
        }
        output.finish(milliseconds: 200)
        if output.droppedLines > 0 {
            complain("fingerwave: \(output.droppedLines) lines of the log were dropped: nobody read them in time\n")
        }
    }
}

extension RippleStyle {
    /// The style that the options ask for.
    init(_ options: WindowOptions) throws(Failure) {
        self.init()
        color = Color(options.color) ?? color
        endRadius = options.radius
        startRadius = options.radius / 5
        startOpacity = options.opacity
        duration = options.duration
    }
}
