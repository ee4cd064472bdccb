internal import CLibc
internal import CLinuxShims
internal import EventLoop
internal import Gestures
internal import Recording
internal import TouchDevices

/// `fingerwave events`: prints touchscreens and their touches, without any compositor.
///
/// The loop's handlers and the reader's refer to it unowned: they run within `run()`.
final class EventsCommand {
    private let settings: EventsSettings
    private let loop = EventLoop()
    private let output: StandardOutput
    private let log: EventLog
    private var reader: TouchDeviceReader?
    /// What was wrong at the start, until it is known whether anything can be read at all.
    private var problems: [DeviceProblem]? = []
    /// Lines that nobody read in time, as far as what they leave behind has been put right.
    private var mendedLines = 0

    /// Reads the configuration files.
    init(_ launch: Launch) throws(Failure) {
        let settled: Settled<EventsSettings> = try launch.settle()
        settings = settled.settings
        if settings.run.isVerbose { for note in settled.notes { complain("fingerwave: \(note)\n") } }
        output = StandardOutput(loop)
        // A program that reads it wants JSON.
        let format = settings.run.log ?? (isatty(STDOUT_FILENO) == 1 ? .text : .json)
        log = EventLog(output.writer, format: format, start: Instant(nanoseconds: EventLoop.now))
    }

    func run() throws(Failure) {
        fw_ignore_signal(SIGPIPE)
        for number in [SIGINT, SIGTERM, SIGHUP] { _ = loop.onSignal(number) { [loop] in loop.stop() } }
        try openReader()
        // SAFETY: see the type's comment.
        loop.afterTurn { [unowned(unsafe) self] in unsafe self.endTurn() }
        // Without a reader of ours there is nothing to do. A file says nothing here.
        _ = loop.watch(STDOUT_FILENO, .hangUpAlone) { [loop] _ in loop.stop() }
        if let seconds = settings.run.exitAfter {
            loop.schedule(at: EventLoop.now + Int64(seconds * 1e9)) { [loop] in loop.stop() }
        }
        loop.run()
        reader?.close()
        output.writer.finish(milliseconds: 200)
        if output.writer.droppedLines > 0 {
            complain("fingerwave: \(output.writer.droppedLines) lines were dropped: nobody read them in time\n")
        }
    }

    private func openReader() throws(Failure) {
        let reader: TouchDeviceReader
        do throws(DeviceProblem) {
            reader = try TouchDeviceReader(settings.devices.source) { Instant(nanoseconds: EventLoop.now) }
        } catch {
            throw Failure(error)
        }
        self.reader = reader
        // SAFETY: see the type's comment.
        reader.onEvent = { [unowned(unsafe) self] event in unsafe self.receive(event) }
        reader.dispatch()
        try judgeStart()
        _ = loop.watch(reader.fileDescriptor, .readable) { _ in reader.dispatch() }
    }

    /// Goes on as long as there is something to read, or nothing yet.
    private func judgeStart() throws(Failure) {
        let problems = problems ?? []
        self.problems = nil
        if reader?.devices.isEmpty == false {
            for problem in problems { tell(problem) }
            return
        }
        let lasting = problems.filter { $0.isLasting }.map { Failure($0) }
        if var failure = lasting.first {
            failure.others = Array(lasting.dropFirst())
            throw failure
        }
        for problem in problems { tell(problem) }
        complain("fingerwave: no touchscreen is there; one that comes is read\n")
    }

    private func tell(_ problem: DeviceProblem) {
        if problem.isNote, !settings.run.isVerbose { return }
        complain("fingerwave: \(problem.description)\n")
    }

    private func receive(_ event: DeviceEvent) {
        switch event {
        case .added(let device): log.device(.added, device, at: Instant(nanoseconds: EventLoop.now))
        case .removed(let device): log.device(.removed, device, at: Instant(nanoseconds: EventLoop.now))
        case .touch(let number, let touch):
            guard let device = reader?.devices.first(where: { $0.number == number }) else { return }
            log.touch(touch, of: device)
        case .problem(let problem):
            if problems != nil { problems?.append(problem) } else { tell(problem) }
        }
    }

    private func endTurn() {
        output.flush()
        guard output.writer.droppedLines > mendedLines, !output.writer.isWaiting else { return }
        mendedLines = output.writer.droppedLines
        // The end of a contact may have been among what was lost, or a touchscreen's coming.
        let now = Instant(nanoseconds: EventLoop.now)
        for device in reader?.devices ?? [] {
            log.device(.added, device, at: now)
            log.lostTouches(of: device, at: now)
        }
        output.flush()
    }
}
