internal import CLibc
internal import CLinuxShims
internal import EventLoop
internal import Gestures
internal import Recording
internal import TouchDevices

/// `fingerwave events`: prints touchscreens and their touches, without any compositor.
///
/// The loop's handlers and the source's refer to it unowned: they run within `run()`.
final class EventsCommand {
    private let settings: EventsSettings
    private let loop = EventLoop()
    private let output: StandardOutput
    private let log: EventLog
    private let source: any TouchSource
    private var devices: [TouchDevice] = []
    private var failure: Failure?
    /// Lines that nobody read in time, as far as what they leave behind has been put right.
    private var mendedLines = 0

    /// Reads the configuration files.
    init(_ launch: Launch) throws(Failure) {
        let settled: Settled<EventsSettings> = try launch.settle()
        settings = settled.settings
        if settings.run.isVerbose { for note in settled.notes { complain("fingerwave: \(note)\n") } }
        output = StandardOutput(loop)
        source = try settings.sources.open(on: loop, settings.pace)
        // A program that reads it wants JSON.
        let format = settings.run.log ?? (isatty(STDOUT_FILENO) == 1 ? .text : .json)
        log = EventLog(output.writer, format: format, start: Instant(nanoseconds: EventLoop.now))
    }

    func run() throws(Failure) {
        fw_ignore_signal(SIGPIPE)
        try loop.listenForEnd { [loop] in loop.stop() }
        // SAFETY: see the type's comment.
        source.onEvent = { [unowned(unsafe) self] event, arrival in unsafe self.receive(event, arrival) }
        try source.begin()
        source.beginShowing()
        loop.afterTurn { [unowned(unsafe) self] in unsafe self.endTurn() }
        // Without a reader of ours there is nothing to do. A file says nothing here.
        _ = loop.watch(STDOUT_FILENO, .hangUpAlone) { [loop] _ in loop.stop() }
        if let seconds = settings.run.exitAfter {
            loop.schedule(at: EventLoop.now + Int64(seconds * 1e9)) { [loop] in loop.stop() }
        }
        loop.run()
        source.end()
        let lost = output.finish()
        if let failure = failure ?? lost { throw failure }
    }

    private func receive(_ event: SourceEvent, _ arrival: Instant) {
        switch event {
        case .device(let device, let isThere):
            devices.removeAll { StreamKey($0) == StreamKey(device) }
            if isThere, devices.count < RecordedStreams.most { devices.append(device) }
            log.device(isThere ? .added : .removed, device, at: arrival)
        case .touch(let line): log.touch(line, at: arrival)
        case .other, .description: break
        case .problem(let text, let isNote):
            if !isNote || settings.run.isVerbose { complain("fingerwave: \(text)\n") }
        case .ended: loop.stop()
        case .failed(let failure):
            if self.failure == nil { self.failure = failure }
            loop.stop()
        }
    }

    private func endTurn() {
        output.flush()
        // Without a place to write to there is nothing to do.
        if output.writer.failure != nil { return loop.stop() }
        guard output.writer.droppedLines > mendedLines, !output.writer.isWaiting else { return }
        mendedLines = output.writer.droppedLines
        // The end of a contact may have been among what was lost, or a touchscreen's coming.
        let now = Instant(nanoseconds: EventLoop.now)
        for device in devices {
            log.device(.added, device, at: now)
            log.lostTouches(of: device, at: now)
        }
        output.flush()
    }
}
