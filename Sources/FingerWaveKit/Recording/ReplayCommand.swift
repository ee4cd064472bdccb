internal import CLibc
internal import CLinuxShims
internal import EventLoop
internal import Gestures
internal import Input
internal import Recording

/// `fingerwave replay FILE`: shows the touches of a recording, or prints them.
struct ReplayCommand {
    private let launch: Launch
    private let options: ReplayOptions
    private let pace: PaceOptions
    private let path: String

    /// Reads the configuration files.
    init(_ launch: Launch, _ options: ReplayOptions, operands: [String]) throws(Failure) {
        self.launch = launch
        self.options = options
        guard operands.count == 1 else {
            throw .usage(
                "replay takes one file", why: given(operands.count),
                remedy: "see fingerwave help replay")
        }
        path = operands[0]
        let settled: Settled<PaceOptions> = try launch.settle()
        pace = settled.settings
        try pace.check(path)
        if options.window, pace.speed == .most {
            throw .usage("--speed=max needs --no-window", why: "nothing would be seen", remedy: "say at most 100")
        }
    }

    func run() throws(Failure) {
        try OutputFile.check(input: path, output: "-")
        let loop = EventLoop()
        guard options.window else {
            let settled: Settled<WindowSettings> = try launch.settle()
            if pace.speed == .most {
                let printer = ReplayPrinter(settled.settings, loop, start: Instant(nanoseconds: 0))
                try printer.printAtOnce(
                    RecordingFeed(path: path, longestPause: pace.pace.longestPause), rounds: pace.rounds)
            } else {
                let printer = ReplayPrinter(settled.settings, loop, start: Instant(nanoseconds: EventLoop.now))
                try printer.play(ReplaySource(path: path, loop, pace.pace), loop)
            }
            return
        }
        try WindowCommand(
            launch, loop, .replay(ReplaySource(path: path, loop, pace.pace), exitsAtEnd: options.exitsAtEnd)
        ).run()
    }
}

/// Prints what a window's log would have of a recording: its touches, the gestures and figures that they make. It waits for a
/// slow reader.
///
/// The loop's handlers refer to it unowned: they run within its calls.
final class ReplayPrinter: ReplayListener {
    /// Of no window.
    private static let target = 1

    private let settings: WindowSettings
    private let writer = LineWriter(descriptor: STDOUT_FILENO)
    private let log: EventLog
    private let alarm: LoopAlarm
    private var streams: ReplayStreams!
    private var inspection: SessionInspection!
    private var now: Instant
    private var failure: Failure?
    /// Logical px, of the window that would be there.
    private var size: Size?

    /// - Parameter start: a fixed one where no clock counts: the same recording is printed the same then.
    init(_ settings: WindowSettings, _ loop: EventLoop, start: Instant) {
        self.settings = settings
        now = start
        alarm = LoopAlarm(loop)
        fw_ignore_signal(SIGPIPE)
        // A program that reads it wants JSON.
        let format = settings.run.log ?? (isatty(STDOUT_FILENO) == 1 ? .text : .json)
        // With arrivals: what is printed is a recording itself.
        log = EventLog(writer, format: format, start: start, isRecording: true)
        size = settings.window.size.map { Size(width: Double($0.width), height: Double($0.height)) }
        streams = ReplayStreams(
            self, settings.gestures, RecordedStreams.Screen(size: size ?? .zero, target: ReplayPrinter.target))
        // SAFETY: see the type's comment.
        inspection = SessionInspection(nil, log: log, logsPresented: false) { [unowned(unsafe) self] in
            unsafe self.now
        }
    }

    /// In its time.
    ///
    /// What is printed goes by the recording's time, not by when it was played: it is the same at any speed.
    func play(_ source: ReplaySource, _ loop: EventLoop) throws(Failure) {
        try loop.listenForEnd { [loop] in loop.stop() }
        // SAFETY: see the type's comment.
        source.onEvent = { [unowned(unsafe) self, unowned(unsafe) loop] event, arrival in
            switch event {
            case .ended, .failed: break
            default: unsafe self.pass(to: arrival)
            }
            unsafe self.receive(event, arrival)
            if unsafe self.failure != nil || event == .ended { unsafe loop.stop() }
        }
        try source.begin()
        open(source.size)
        source.beginShowing(after: 0)
        loop.afterTurn { [unowned(unsafe) self, unowned(unsafe) source, unowned(unsafe) loop] in
            // What is still to be said may come before what time brings.
            let due = unsafe min(source.time + 1, source.nextDue ?? Instant(nanoseconds: .max))
            unsafe self.streams.pass(unsafe self.now, to: due) { unsafe self.endTurn($0) }
            let deadline = unsafe self.streams.nextDeadline
            unsafe self.alarm.set(deadline.flatMap { unsafe source.clock.moment(of: $0.nanoseconds) })
            if unsafe self.writer.isClosed { unsafe loop.stop() }
        }
        // Without a reader there is nothing to do. A file says nothing here.
        _ = loop.watch(STDOUT_FILENO, .hangUpAlone) { [loop] _ in loop.stop() }
        if let seconds = settings.run.exitAfter {
            loop.schedule(at: EventLoop.now + Int64(seconds * 1e9)) { [loop] in loop.stop() }
        }
        loop.run()
        source.end()
        finish()
        if let failure = failure ?? writer.failure { throw failure }
    }

    /// As fast as it is read, with the recording's own time.
    func printAtOnce(_ feed: RecordingFeed, rounds: Int?) throws(Failure) {
        var feed = feed
        try feed.open()
        defer { feed.close() }
        var begin = now
        var round = 0
        while !writer.isClosed {
            while let entry = try feed.peek(waits: true) {
                if round == 0, size == nil { open(feed.firstSize) }
                feed.pop()
                let due = begin + entry.offset
                pass(to: due)
                receive(entry.event, due)
                if let failure { throw failure }
                flush()
                if writer.isClosed { break }
            }
            round += 1
            guard feed.hasTouches else {
                receive(feed.lackOfTouches, now)
                break
            }
            if let rounds, round >= rounds { break }
            for event in feed.restart { receive(event, now) }
            flush()
            writer.look()
            begin = now
            try feed.rewind()
        }
        finish()
        if let failure = writer.failure { throw failure }
    }

    /// - Parameter recorded: what the recording says of the window that it was made in.
    private func open(_ recorded: Size?) {
        let size =
            size ?? recorded
            ?? Size(
                width: Double(Window.defaultSize.width), height: Double(Window.defaultSize.height))
        self.size = size
        log.ready(size)
        streams.fit(settings.gestures, RecordedStreams.Screen(size: size, target: ReplayPrinter.target))
    }

    private func pass(to due: Instant) {
        streams.pass(now, to: due) { endTurn($0) }
        now = max(now, due)
    }

    private func receive(_ event: SourceEvent, _ arrival: Instant) {
        switch event {
        case .problem(let text, let isNote):
            if !isNote || settings.run.isVerbose { complain("fingerwave: \(text)\n") }
        case .failed(let failure): self.failure = failure
        case .ended: endRound()
        case .other, .description, .device, .touch:
            // Lines of these have no time: what is due is told before them.
            switch event {
            case .device: endTurn(now)
            case .other(let line): if line.kind == .other("header") { endTurn(now) }
            default: break
            }
            streams.take(event, arrival: arrival)
        }
    }

    private func endTurn(_ moment: Instant) {
        now = max(now, moment)
        streams.endTurn(now)
        inspection.endTurn(streams.sources, at: now)
        flush()
    }

    private func endRound() {
        endTurn(now)
        inspection.end(streams, at: now)
        inspection.endTurn([], at: now)
    }

    private func flush() {
        writer.flush()
        if writer.isWaiting { writer.finish(milliseconds: -1) }
    }

    private func finish() {
        endRound()
        inspection.logLast(streams.sources, at: now)
        flush()
    }

    // MARK: What the touches make

    func raw(_ event: RawTouchEvent, _ stream: TouchStream) {
        log.raw(event, seat: stream.key.seat, device: stream.key.device, surface: streams.surface)
        inspection.raw(event, stream)
    }

    func tool(_ event: RawToolEvent, _ stream: TouchStream) {
        log.tool(event, seat: stream.key.seat, surface: streams.surface)
    }

    func cancel(_ id: Int32, _ stream: TouchStream, at instant: Instant) { log.cancel(id, stream.key, at: instant) }

    func contacts(_ frame: ContactFrame, _ stream: TouchStream) {
        if !streams.isEnding { log.pointer(frame, seat: stream.key.seat, surface: streams.surface) }
        inspection.handle(frame, stream)
    }

    func gestures(_ gestures: [Gesture], _ stream: TouchStream) {
        inspection.handle(gestures, stream)
        for gesture in gestures { log.gesture(gesture, seat: stream.key.seat) }
    }

    func tell(_ line: String) { log.tell(line) }

    func ended(_ stream: TouchStream) { inspection.removeSeat(stream) }
}
