internal import CLibc
internal import CLinuxShims
internal import EventLoop
internal import Gestures
internal import Recording
internal import TouchDevices

/// `fingerwave record [FILE]`: writes down the touches of a window of its own, or of the kernel's touchscreens.
struct RecordCommand {
    private let launch: Launch
    private let options: RecordOptions
    /// Nil for standard output.
    private let path: String?

    init(_ launch: Launch, _ options: RecordOptions, operands: [String]) throws(Failure) {
        self.launch = launch
        self.options = options
        guard operands.count <= 1 else {
            throw .usage(
                "record takes one file", why: given(operands.count), remedy: "see fingerwave help record")
        }
        path = operands.first == "-" ? nil : operands.first
        if options.ring != nil, path == nil {
            throw .usage("--ring needs a FILE", why: "standard output has no beginning that could go")
        }
    }

    func run() throws(Failure) {
        if options.source == .standardInput { try OutputFile.check(input: "-", output: path ?? "-") }
        let loop = EventLoop()
        let target = target(loop)
        switch options.source {
        case .window:
            let settled: Settled<WindowSettings> = try launch.settle()
            if path == nil, settled.settings.run.log != nil {
                throw .usage(
                    "--log and the recording would be mixed", why: "both are for standard output",
                    remedy: "name a FILE")
            }
            try WindowCommand(launch, loop, .record(target, toOutput: path == nil)).run()
        case .libinput, .standardInput, .device:
            try SourceRecording(source(loop), target, settings(), loop, isLibinput: options.source != .standardInput)
                .run()
        }
        if let writer = target as? RecordingWriter, let path {
            complain("fingerwave: \(path): \(RecordingWriter.lines(writer.lineCount)) recorded\n")
        }
    }

    private func target(_ loop: EventLoop) -> any RecordingTarget {
        if let path { return RecordingWriter(path: path, ring: options.ring) { EventLoop.now } }
        return RecordingWriter.ofStandardOutput() ?? RecordingStream(loop)
    }

    private func settings() throws(Failure) -> EventsSettings {
        let settled: Settled<EventsSettings> = try launch.settle()
        if settled.settings.run.isVerbose { for note in settled.notes { complain("fingerwave: \(note)\n") } }
        return settled.settings
    }

    private func source(_ loop: EventLoop) throws(Failure) -> any TouchSource {
        let settings = try settings()
        var sources = settings.sources
        switch options.source {
        case .standardInput: sources.source = .standardInput
        case .device(let name):
            sources.source = .libinput
            sources.devices = [try RecordCommand.devicePath(name)]
        case .libinput, .window: sources.source = .libinput
        }
        return try sources.open(on: loop, settings.pace)
    }

    /// A path stays what it is; any other name is looked for among the touchscreens that are there.
    private static func devicePath(_ name: String) throws(Failure) -> String {
        if name.utf8.first == UInt8(ascii: "/") { return name }
        let listed: [ListedDevice]
        do throws(DeviceProblem) { listed = try TouchDeviceList.all() } catch { throw Failure(error) }
        let rule = OutputMapping.Rule(device: name, output: "")
        if let found = listed.first(where: { rule.names($0.device) }) { return found.device.path }
        let known = listed.map { $0.device.name.isEmpty ? $0.device.sysname : $0.device.name }
        throw Failure(
            "no touchscreen is called \(name)",
            why: known.isEmpty ? "none is there" : "there is " + known.joined(separator: ", "),
            remedy: "fingerwave info lists them", code: .noDevice)
    }
}

/// Records what a source of touches says, and beside libinput's touches the kernel's own events.
///
/// The loop's handlers and the source's refer to it unowned: they run within `run()`.
final class SourceRecording {
    private let source: any TouchSource
    private let target: any RecordingTarget
    private let settings: EventsSettings
    private let loop: EventLoop
    private let isLibinput: Bool
    private let alarm: LoopAlarm
    private var devices: [(device: TouchDevice, node: EvdevNode?)] = []
    /// What the lines say that it gets from somebody else.
    private var facts = RecordedFacts()
    private var failure: Failure?
    private var hasBegun = false

    init(
        _ source: any TouchSource, _ target: any RecordingTarget, _ settings: EventsSettings, _ loop: EventLoop,
        isLibinput: Bool
    ) {
        self.source = source
        self.target = target
        self.settings = settings
        self.loop = loop
        self.isLibinput = isLibinput
        alarm = LoopAlarm(loop)
    }

    func run() throws(Failure) {
        fw_ignore_signal(SIGPIPE)
        try loop.listenForEnd { [loop] in loop.stop() }
        // SAFETY: see the type's comment.
        source.onEvent = { [unowned(unsafe) self] event, arrival in unsafe self.receive(event, arrival) }
        target.header = { [unowned(unsafe) self] in unsafe self.header }
        // Where nothing can be read no file is made.
        try source.begin()
        try target.begin()
        hasBegun = true
        source.beginShowing()
        loop.afterTurn { [unowned(unsafe) self] in unsafe self.endTurn() }
        if let seconds = settings.run.exitAfter {
            loop.schedule(at: EventLoop.now + Int64(seconds * 1e9)) { [loop] in loop.stop() }
        }
        loop.run()
        source.end()
        for entry in devices { entry.node?.close() }
        let lost = target.finish()
        if let failure = failure ?? lost { throw failure }
    }

    private var header: String {
        var text = RecordingHeader.now(source: isLibinput ? "libinput" : "lines") + facts.lines
        for entry in devices { text += lines(of: entry.device, entry.node) }
        return text
    }

    /// A touchscreen that is there, with what is down on it.
    private func lines(of device: TouchDevice, _ node: EvdevNode?) -> String {
        var text = DeviceLine.line(.added, device).json
        guard let node else { return text }
        text += EvdevLine.description(node.device)
        let now = EventLoop.now / 1000
        for line in EvdevLine.lines(
            node.heldEvents(time: now), node: device.sysname, arrival: now, isResumed: true)
        {
            text += line
        }
        return text
    }

    private func receive(_ event: SourceEvent, _ arrival: Instant) {
        switch event {
        case .device(let device, let isThere):
            devices.removeAll { StreamKey($0.device) == StreamKey(device) }
            guard isThere else {
                // As a line that ends its contacts.
                return target.write(DeviceLine.line(.removed, device))
            }
            let node = isLibinput ? open(device) : nil
            devices.append((device, node))
            // Those that are there at the start are in the header.
            if hasBegun { target.write(lines(of: device, node)) }
        case .touch(var line):
            // Who recorded it first knew better.
            if line.arrival == nil { line.arrival = arrival.nanoseconds / 1000 }
            target.write(line)
        case .other(let line):
            target.write(line)
            facts.note(line)
        case .description: break
        case .problem(let text, let isNote):
            if !isNote || settings.run.isVerbose { complain("fingerwave: \(text)\n") }
        case .ended: loop.stop()
        case .failed(let failure):
            if self.failure == nil { self.failure = failure }
            loop.stop()
        }
    }

    private func open(_ device: TouchDevice) -> EvdevNode? {
        guard let node = EvdevNode(path: device.path, node: device.sysname, loop) else {
            complain(
                "fingerwave: \(device.label): the kernel's own events are not recorded: it cannot be opened again\n")
            return nil
        }
        let name = device.sysname
        // SAFETY: see the type's comment.
        node.onEvents = { [unowned(unsafe) self] events in
            for line in EvdevLine.lines(events, node: name, arrival: EventLoop.now / 1000) {
                unsafe self.target.write(line)
            }
        }
        return node
    }

    private func endTurn() {
        target.tick(at: EventLoop.now)
        target.endTurn()
        alarm.set(target.nextDeadline)
    }
}
