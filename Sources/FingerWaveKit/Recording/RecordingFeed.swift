internal import Gestures
internal import Recording
internal import TouchDevices

/// A recording of any format as what a source of touches says, one after the other, each with its time. In constant
/// memory: a piece of the file is read when the one before it has been said.
///
/// Lines of touches are passed on as they are, with whatever is wrong in them: it is to be seen. Their stamps alone become
/// those of the player's time (``ReplayTimeline``). Evdev's events become touches first.
struct RecordingFeed {
    struct Entry {
        var event: SourceEvent
        /// ns from the recording's beginning.
        var offset: Int64

        var endsFrame: Bool {
            guard case .touch(let line) = event else { return false }
            switch line.kind {
            case .frame, .cancel, .pointer: return true
            case .tool(let tool): return tool.event == .frame
            default: return false
            }
        }
    }

    /// Events of one frame come within it, ns. Not every compositor says where one ends. Our choice.
    private static let frameLength: Int64 = 2_000_000
    /// So many things that are odd are told each; then no more.
    private static let mostProblems = 10
    /// So many pieces of a file that has nothing to say are read at once: what never ends must not keep the program from
    /// hearing that it is to end.
    private static let mostPieces = 4

    private var file: RecordingFile
    private let longestPause: Int64
    private var timeline: ReplayTimeline
    private var touches = RecordingTouches()
    private var items: [RecordingItem] = []
    private var settled: [RecordingItem] = []
    private var waiting: [Entry] = []
    private var next = 0
    private var problems = 0
    /// When what comes now began, until a frame ends it, ns.
    private var frame: Int64?
    /// Of the last touch.
    private var last: Int64 = 0
    /// How large what is touched is when something first touches it, as the recording says; else as follows from what it
    /// says of the panel.
    var firstSize: Size? { touched.size ?? surfaces.panelSize }
    private var touched = TouchedSize()
    private var surfaces = RecordedSurfaces(size: nil)
    private var held = HeldTouches()
    /// What a pen did, until its frame tells when: logs have no other time of it.
    private var untimed: [TouchLine] = []
    private static let mostUntimed = 64
    private var saidUntimedPointer = false
    /// Something has touched so far.
    private(set) var hasTouches = false
    /// Nothing follows what is waiting.
    private(set) var isRead = false

    init(path: String, longestPause: Int64 = ReplayTimeline.longestPause) {
        file = RecordingFile(path: path)
        self.longestPause = longestPause
        timeline = ReplayTimeline(longest: longestPause)
    }

    var path: String { file.path }
    /// Readable when there is more, where ``peek()`` had nothing.
    var fileDescriptor: Int32 { file.descriptor }
    var canBeReadAgain: Bool { file.canBeReadAgain }
    var isReady: Bool { file.isReady }

    mutating func open() throws(Failure) { try file.open() }
    mutating func close() { file.close() }

    /// Goes back to the beginning of a file.
    mutating func rewind() throws(Failure) {
        close()
        let problems = problems
        self = RecordingFeed(path: path, longestPause: longestPause)
        // What is odd in it was told.
        self.problems = max(problems, RecordingFeed.mostProblems)
        saidUntimedPointer = true
        try open()
    }

    /// What is said next, until ``pop()`` counts it; nil at the end (``isRead``), and where more has to be waited for.
    ///
    /// - Parameter waits: for whatever there is to wait for, so that nil is the end.
    mutating func peek(waits: Bool = false) throws(Failure) -> Entry? {
        var pieces = 0
        while next == waiting.count, !isRead, waits || pieces < RecordingFeed.mostPieces && file.isReady {
            pieces += 1
            waiting.removeAll(keepingCapacity: true)
            next = 0
            items.removeAll(keepingCapacity: true)
            isRead = try !file.readPiece(into: &items)
            for item in items { try take(item) }
            if isRead { sayUntimed(timeline.now) }
        }
        return next < waiting.count ? waiting[next] : nil
    }

    mutating func pop() { next += 1 }

    /// What is said at the end of one that has none.
    var lackOfTouches: SourceEvent { .problem("\(path) has no touches", isNote: false) }

    /// What is said before it begins again, as where another run begins in a file: what is down still has no end of its own.
    var restart: [SourceEvent] {
        held.cancelLines.map { .touch($0) } + [RecordingHeader.restart].compactMap { $0 }.map { .other($0) }
    }

    private mutating func take(_ item: RecordingItem) throws(Failure) {
        if case .touch(let line) = item.content {
            // For another run that no line tells, and for whatever it has left down at the end; the rest is seen as it is
            // played.
            touches.handle(item, into: &settled)
            let header = line.kind == .other("header") ? nil : settled.first { $0.beginsRun }
            settled.removeAll(keepingCapacity: true)
            if case .touch(let header)? = header?.content { take(header) }
            return take(line)
        }
        if case .device(let device, let number) = item.content {
            surfaces.describe(device, number: number)
            say(.description(device, number: number), timeline.now)
        }
        settled.removeAll(keepingCapacity: true)
        touches.handle(item, into: &settled)
        for item in settled {
            switch item.content {
            case .touch(let line): take(line)
            case .fault(let kind): try take(kind, item)
            case .device, .event, .run, .end: break
            }
        }
    }

    private mutating func take(_ kind: RecordingFault.Kind, _ item: RecordingItem) throws(Failure) {
        var summary = RecordingSummary()
        summary.count(settled: item)
        if let refusal = file.refusal(summary) { throw refusal }
        problems += 1
        guard problems <= RecordingFeed.mostProblems else { return }
        let more = problems == RecordingFeed.mostProblems ? "; further ones are passed over in silence" : ""
        say(.problem("\(path):\(item.line): \(kind.description)\(more)", isNote: false), timeline.now)
    }

    private mutating func take(_ line: TouchLine) {
        defer { held.note(line) }
        touched.note(line)
        switch line.kind {
        case .other("header"):
            // Whoever recorded what is down still was ended before it could say more.
            for cancel in held.cancelLines { say(.touch(cancel), timeline.now) }
            timeline.beginAnew()
            say(.other(line), timeline.now)
        case .other:
            guard line.size != nil || line.kind == .other(TouchLine.surfaceType) else { return }
            say(.other(line), timeline.now)
        case .device(let device):
            _ = surfaces.note(line)
            say(.device(TouchDevice(line, device), isThere: device.event == .added), timeline.now)
        case .pointer:
            if line.arrival == nil { return passOverPointer() }
            play(line)
        case .tool(let tool):
            if line.beginsTouch { hasTouches = true }
            if line.arrival != nil { return say(line) }
            untimed.append(line)
            if tool.event == .frame || untimed.count == RecordingFeed.mostUntimed {
                sayUntimed(timeline.offset(of: line))
            }
        case .frame, .cancel: say(line)
        default: play(line)
        }
    }

    private mutating func play(_ line: TouchLine) {
        hasTouches = true
        say(line)
    }

    private mutating func say(_ line: TouchLine) {
        let offset = timeline.offset(of: line)
        say(.touch(timeline.moved(line)), offset)
    }

    private mutating func sayUntimed(_ offset: Int64) {
        for line in untimed { say(.touch(timeline.moved(line)), offset) }
        untimed.removeAll(keepingCapacity: true)
    }

    /// A log's line: it has no time at all.
    private mutating func passOverPointer() {
        guard !saidUntimedPointer else { return }
        saidUntimedPointer = true
        say(
            .problem(
                "\(path): the pointer's presses are not played: a log's lines have no time of them, a recording's have",
                isNote: false), timeline.now)
    }

    private mutating func say(_ event: SourceEvent, _ offset: Int64) {
        var entry = Entry(event: event, offset: offset)
        if case .touch = event {
            // What came together is said together, though each of it has a moment of its own.
            if let frame, offset - frame <= RecordingFeed.frameLength { entry.offset = frame }
            frame = entry.endsFrame ? nil : entry.offset
            last = entry.offset
        } else {
            // It has no time of its own.
            entry.offset = min(offset, last)
        }
        waiting.append(entry)
    }
}
