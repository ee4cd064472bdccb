package import Gestures

/// What `fingerwave info` says of a recording, gathered in constant memory.
///
/// It takes both what the reader found and what ``RecordingTouches`` made of it.
package struct RecordingSummary {
    /// Kinds of fault that are kept apart.
    static let mostFaults = 64
    private static let mostSources = 256

    package struct FaultCount: Equatable, Sendable {
        package var kind: RecordingFault.Kind
        package var count = 1
        /// Of the first.
        package var line: Int
    }

    /// One device or seat that touches came from.
    package struct Source: Sendable {
        package var seat, device: String?
        package var frameCount = 0
        package var contactCount = 0
        package var endedCount = 0
        package var cancelledCount = 0
        package var mostAtOnce = 0
        /// Ids of contacts whose end did not come.
        package var leftDown: Set<Int32> = []
        /// ms, of the first and the last line with a time of this run.
        package var first, last: UInt32?
        /// ms that the runs before took.
        var ran: UInt64 = 0
        var lastFrame: UInt32?
        /// Something of the frame is a motion.
        var hasMoved = false
        /// The first stamp of what no frame has closed, and the line of the last of it.
        var unclosed: (time: UInt32, line: Int)?
        /// Logical px of what fractions are of; nil until one is.
        var panel: Size?
        /// Between a frame of a motion and the one before it.
        package var intervals = IntervalFigures()
        var lifted = LiftedContacts()

        /// s, of all runs; each modulo 2^32 ms, as the times are.
        package var duration: Double { Double(ran + length) / 1000 }

        /// ms, of this run.
        private var length: UInt64 {
            guard let first, let last else { return 0 }
            return UInt64(last &- first)
        }

        @inline(never)
        fileprivate func spot(_ place: TouchLine.Place, _ time: UInt32) -> RecordingFault.Spot {
            RecordingFault.Spot(place: place, seconds: Double(ran + UInt64(time &- (first ?? time))) / 1000)
        }

        /// Frames a second while a finger moves; nil when no two follow each other.
        package var rate: Double? { intervals.rate }
    }

    /// What the pens, or the pointer, of one seat did.
    package struct Tools: Equatable, Sendable {
        package var seat: String?
        package var lineCount = 0
        /// Comings down on the surface; presses.
        package var contactCount = 0
        /// Of a seat, by their numbers.
        package var tools: Set<Int32> = []
    }

    /// As far as the recording describes them.
    package private(set) var devices: [EvdevDevice] = []
    /// Touchscreens that lines tell of, and nothing describes: by the last line of each.
    package var namedDevices: [TouchLine] {
        named.filter { line in !devices.contains { $0.node == line.device } }
    }
    private var named: [TouchLine] = []
    package private(set) var sources: [Source] = []
    package private(set) var pens: [Tools] = []
    package private(set) var pointers: [Tools] = []
    /// How often lines could not be written, and how many in all.
    package private(set) var gapCount = 0
    package private(set) var lostLineCount = 0
    package private(set) var faults: [FaultCount] = []
    /// More than are kept apart.
    package private(set) var otherFaults = 0
    package private(set) var eventCount = 0
    package private(set) var lineCount = 0
    /// Of all that was touched; nil: as the recording tells.
    private let size: Size?
    private var panels = PanelSizes()

    /// - Parameter size: of what was touched, logical px; nil: as the recording tells it.
    package init(size: Size? = nil) { self.size = size }

    package var contactCount: Int { sources.reduce(0) { $0 + $1.contactCount } }
    package var leftDownCount: Int { sources.reduce(0) { $0 + $1.leftDown.count } }
    /// Of no seat, device or tool.
    package var isWithoutContacts: Bool { contactCount == 0 && pens.isEmpty && pointers.isEmpty }

    /// An item as the reader gave it.
    package mutating func count(read item: RecordingItem) {
        switch item.content {
        case .event: eventCount += 1
        case .device(let device, let number):
            if panels.describe(device, number: number) { forgetPanels() }
            // Each run describes them again.
            if devices.count < RecordingSummary.mostFaults, !devices.contains(device) { devices.append(device) }
        case .end: lineCount = item.line
        case .run: break
        case .touch(let line): if case .device(let facts) = line.kind, facts.event == .added { name(line) }
        case .fault: break
        }
    }

    private mutating func name(_ line: TouchLine) {
        if let index = named.firstIndex(where: { $0.device == line.device }) {
            named[index] = line
        } else if named.count < RecordingSummary.mostFaults {
            named.append(line)
        }
    }

    private mutating func forgetPanels() { for index in sources.indices { sources[index].panel = nil } }

    /// An item as ``RecordingTouches`` gave it. Too large to be in each of its callers.
    @inline(never)
    package mutating func count(settled item: RecordingItem) {
        switch item.content {
        case .touch(let line): count(line, item.line)
        case .fault(let kind):
            if case .leftOut(let left) = kind, let index = index(of: left.device, seat: nil) {
                sources[index].pass(left.until)
            }
            count(kind, item.line)
        case .end: countOpenFrames()
        case .event, .device, .run: break
        }
    }

    /// Nothing follows, or by another clock: a frame that has not come by now is missing.
    @inline(never)
    private mutating func countOpenFrames() {
        for index in sources.indices {
            if let unclosed = sources[index].unclosed { count(.frameMissing, unclosed.line) }
            sources[index].unclosed = nil
        }
    }

    @inline(never)
    private mutating func count(_ kind: RecordingFault.Kind, _ line: Int) {
        if let index = faults.firstIndex(where: { $0.kind.isSame(as: kind) }) {
            faults[index].count += 1
        } else if faults.count < RecordingSummary.mostFaults {
            faults.append(FaultCount(kind: kind, line: line))
        } else {
            otherFaults += 1
        }
    }

    private mutating func count(_ line: TouchLine, _ number: Int) {
        switch line.kind {
        case .tool(let tool):
            return RecordingSummary.count(line.seat, in: &pens) { $0.count(tool) }
        case .pointer(let phase):
            return RecordingSummary.count(line.seat, in: &pointers) { if phase == .began { $0.contactCount += 1 } }
        case .other("header"):
            countOpenFrames()
            for index in sources.indices { sources[index].beginAnew() }
            return
        case .other("gap"):
            // Frames may be among what was lost.
            for index in sources.indices { sources[index].unclosed = nil }
            gapCount += 1
            let (sum, isTooLarge) = lostLineCount.addingReportingOverflow(
                line.fields?.field("lines")?.whole(Int.self) ?? 0)
            lostLineCount = isTooLarge ? .max : sum
            return
        case .device:
            if panels.note(line) { forgetPanels() }
            return
        case .other: return
        case .down, .motion, .up, .frame, .cancel, .shape, .orientation: break
        }
        if line.kind == .cancel, line.id == nil, line.device == nil {
            // Without a device it is the whole seat's.
            for index in sources.indices where line.seat == nil || sources[index].seat == line.seat {
                _ = sources[index].lacksFrame(before: line, number)
                _ = follow(line, of: index)
                sources[index].count(line, number)
            }
            return
        }
        guard let index = index(of: line.device, seat: line.seat) else { return }
        if sources[index].lacksFrame(before: line, number) { count(.frameMissing, number) }
        if let fault = follow(line, of: index) { count(fault, number) }
        if line.kind == .down, !line.isResumed, let id = line.id, let place = line.place, place.isOutside {
            count(.outside(id, place), number)
        }
        sources[index].count(line, number)
    }

    private mutating func index(of device: String?, seat: String?) -> Int? {
        if let found = sources.firstIndex(where: { $0.device == device && $0.seat == seat }) { return found }
        guard sources.count < RecordingSummary.mostSources else { return nil }
        sources.append(Source(seat: seat, device: device))
        return sources.count - 1
    }

    /// Follows where contacts are and were, and tells of one that was away for a moment only, and of one that went where no
    /// finger goes.
    private mutating func follow(_ line: TouchLine, of index: Int) -> RecordingFault.Kind? {
        guard let id = line.id else {
            if line.kind == .cancel { sources[index].lifted.cancel(nil) }
            return nil
        }
        switch line.kind {
        case .up: sources[index].lifted.lift(id, at: line.time)
        case .cancel: sources[index].lifted.cancel(id)
        case .down, .motion:
            guard let place = line.place, let time = line.time else { return nil }
            let sample = LiftedContacts.Sample(place: position(place, index), time: time)
            if line.kind == .down {
                defer { sources[index].lifted.begin(id, sample) }
                guard !line.isResumed, let before = sources[index].lifted.take(near: sample) else { return nil }
                let spot = sources[index].spot(place, time)
                return .cameBack(id, after: before.id, milliseconds: before.milliseconds, spot)
            }
            guard let before = sources[index].lifted.move(id, sample) else { return nil }
            let (way, milliseconds) = (before.place.distance(to: sample.place), time &- before.time)
            guard ContactTracker.isJump(way, in: Double(milliseconds)) else { return nil }
            return .jumped(id, pixels: way, milliseconds: milliseconds, sources[index].spot(place, time))
        default: break
        }
        return nil
    }

    /// Logical px.
    private mutating func position(_ place: TouchLine.Place, _ index: Int) -> Point {
        switch place {
        case .output(let point): return point
        case .panel(let point):
            let panel = sources[index].panel ?? size ?? panels.size(of: sources[index].device).size
            sources[index].panel = panel
            return Point(x: point.x * panel.width, y: point.y * panel.height)
        }
    }

    private static func count(_ seat: String?, in list: inout [Tools], _ body: (inout Tools) -> Void) {
        let index: Int
        if let found = list.firstIndex(where: { $0.seat == seat }) {
            index = found
        } else {
            guard list.count < mostSources else { return }
            list.append(Tools(seat: seat))
            index = list.count - 1
        }
        list[index].lineCount += 1
        body(&list[index])
    }
}

extension RecordingSummary.Tools {
    fileprivate mutating func count(_ line: ToolLine) {
        if tools.count < RecordingSummary.mostSources { tools.insert(line.tool) }
        if line.event == .down { contactCount += 1 }
    }
}

extension RecordingSummary.Source {
    /// What comes now has nothing to do with what came before.
    fileprivate mutating func beginAnew() {
        ran += length
        (first, last) = (nil, nil)
        lifted = LiftedContacts()
        lastFrame = nil
        unclosed = nil
        hasMoved = false
    }

    /// Whether a frame should have come before the line.
    fileprivate mutating func lacksFrame(before line: TouchLine, _ number: Int) -> Bool {
        switch line.kind {
        case .down, .motion, .up:
            guard let time = line.time else { return false }
            let isLacking = unclosed.map { time &- $0.time > ContactTracker.frameLength } ?? false
            unclosed = (isLacking ? time : unclosed?.time ?? time, number)
            return isLacking
        case .frame, .cancel:
            unclosed = nil
            return false
        case .shape, .orientation, .device, .tool, .pointer, .other: return false
        }
    }

    /// It went on up to there, though nothing could be made of it.
    fileprivate mutating func pass(_ time: UInt32) {
        if first == nil { first = time }
        if let last, Int32(bitPattern: time &- last) < 0 { return }
        last = time
    }

    mutating func count(_ line: TouchLine, _ number: Int) {
        if let time = line.time { pass(time) }
        switch line.kind {
        case .down:
            guard let id = line.id else { return }
            contactCount += 1
            leftDown.insert(id)
            mostAtOnce = max(mostAtOnce, leftDown.count)
        case .up:
            if let id = line.id, leftDown.remove(id) != nil { endedCount += 1 }
        case .cancel:
            if let id = line.id {
                if leftDown.remove(id) != nil { cancelledCount += 1 }
            } else {
                cancelledCount += leftDown.count
                leftDown = []
            }
        case .frame: countFrame(number)
        case .motion: hasMoved = true
        case .shape, .orientation, .device, .tool, .pointer, .other: break
        }
    }

    private mutating func countFrame(_ line: Int) {
        frameCount += 1
        if let last, let lastFrame, hasMoved {
            let interval = last &- lastFrame
            if interval > 0 { intervals.add(Double(interval), at: duration, line: line) }
        }
        hasMoved = false
        lastFrame = leftDown.isEmpty ? nil : last
    }
}
