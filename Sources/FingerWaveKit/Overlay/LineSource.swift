internal import CLibc
internal import CLinuxShims
internal import EventLoop
internal import Gestures
internal import Recording
internal import TouchDevices

/// The JSON Lines that somebody else writes, as they come: `fingerwave events | fingerwave overlay --source -`.
final class LineSource: TouchSource {
    /// So many are read at once after a rest: who writes without a pause must not keep the next picture waiting.
    private static let mostPieces = 8

    private let descriptor: Int32
    private let loop: EventLoop
    private var watch: EventLoop.Token?
    private var lines = LineEvents(name: "standard input")
    private var bytes = [UInt8](repeating: 0, count: 1 << 14)
    var onEvent: ((SourceEvent, Instant) -> Void)?

    init(descriptor: Int32, _ loop: EventLoop) {
        self.descriptor = descriptor
        self.loop = loop
    }

    func begin() throws(Failure) {
        try OutputFile.check(input: "-", output: "-")
        // SAFETY: see the protocol's comment.
        watch = loop.watch(descriptor, .readable) { [unowned(unsafe) self] ready in unsafe self.read(ready) }
    }

    func rest() {
        if let watch { loop.setInterest(.hangUpAlone, of: watch) }
    }

    func catchUp() {
        guard let watch else { return }
        loop.setInterest(.readable, of: watch)
        var pieces = 0
        while self.watch != nil, pieces < LineSource.mostPieces, isReadable {
            pieces += 1
            read(.readable)
        }
    }

    private var isReadable: Bool {
        var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&state, 1, 0) > 0
    }

    func end() {
        if let watch { loop.unwatch(watch) }
        watch = nil
    }

    /// One read for each time that there is something: the descriptor is often shared and its flags are left alone.
    private func read(_ ready: EventLoop.Interest) {
        guard ready.isReadableOrHungUp else { return }
        let count = unsafe CLibc.read(descriptor, &bytes, bytes.count)
        let now = Instant(nanoseconds: EventLoop.now)
        if count > 0 { return lines.add(bytes, count: count) { onEvent?($0, now) } }
        let number = fw_errno()
        if count < 0, number == EINTR || number == EAGAIN { return }
        end()
        lines.finish { onEvent?($0, now) }
        if count == 0, lines.isNonsense {
            onEvent?(
                .failed(
                    Failure(
                        "cannot use standard input", why: "not one of its lines tells of touches",
                        remedy: "fingerwave convert --to json FILE - makes such lines", code: .badInput)), now)
            return
        }
        guard count < 0 else { return onEvent?(.ended, now) ?? () }
        onEvent?(
            .failed(
                Failure(
                    "cannot read standard input", why: errorText(number), remedy: "write touches into it",
                    code: .badInput)), now)
    }
}

/// Lines of a log, one after the other, as what a source says. A line that is none of ours is told once, with its place, and
/// passed over: the log of a whole session may have other things in it.
struct LineEvents {
    /// So many lines that are none are told each; then no more.
    private static let mostProblems = 10

    private let name: String
    private var cutter = ChunkLines()
    private var problems = 0
    private var isUnderstood = false

    /// There were lines, and none of them was one of ours.
    var isNonsense: Bool { problems > 0 && !isUnderstood }

    init(name: String) { self.name = name }

    mutating func add(_ bytes: [UInt8], count: Int, _ body: (SourceEvent) -> Void) {
        var position = 0
        while let line = cutter.next(in: bytes, at: &position, end: count) { receive(line, body) }
    }

    mutating func finish(_ body: (SourceEvent) -> Void) {
        if let line = cutter.rest() { receive(line, body) }
    }

    private mutating func receive(_ line: ChunkLines.Line, _ body: (SourceEvent) -> Void) {
        if line.isTooLong { return complain(line.number, RecordingFault.Kind.longLine.description, body) }
        if line.text.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) { return }
        do throws(TouchLineError) {
            let touch = try TouchLine(utf8: Array(line.text))
            isUnderstood = true
            switch touch.kind {
            case .device(let device): body(.device(TouchDevice(touch, device), isThere: device.event == .added))
            case .other: body(.other(touch))
            default: body(.touch(touch))
            }
        } catch {
            complain(line.number, error.description, body)
        }
    }

    private mutating func complain(_ number: Int, _ what: String, _ body: (SourceEvent) -> Void) {
        problems += 1
        // Where nothing has been understood it is another kind of recording, and told once.
        let most = isUnderstood ? LineEvents.mostProblems : 1
        if problems > most { return }
        var more = problems == LineEvents.mostProblems ? "; further lines like it are passed over in silence" : ""
        if !isUnderstood {
            more = "; JSON Lines alone are read here: name a FILE of another format, or make them by fingerwave convert"
        }
        body(.problem("\(name):\(number): \(what)\(more)", isNote: false))
    }
}

extension TouchDevice {
    /// As far as a line tells of it.
    init(_ line: TouchLine, _ device: TouchLineDevice) {
        self.init(
            number: device.number ?? 0, name: device.name ?? "", sysname: line.device ?? "",
            path: line.device.flatMap(EvdevDevice.path) ?? "", vendor: 0, product: 0,
            seat: line.seat ?? "seat0", millimetres: device.millimetres, outputName: line.output,
            calibration: device.calibration, touchCount: device.touchCount)
    }
}
