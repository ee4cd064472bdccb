internal import Gestures

/// What `fingerwave info` says of a recording, gathered in constant memory.
///
/// It takes both what the reader found and what ``RecordingTouches`` made of it.
package struct RecordingSummary {
    /// Kinds of fault that are kept apart.
    static let mostFaults = 64
    private static let mostSources = 256
    /// ms. What comes in one frame has about one stamp, as replaying has it.
    private static let frameLength: UInt32 = 2

    package struct FaultCount: Equatable, Sendable {
        package var kind: RecordingFault.Kind
        package var count = 1
        /// Of the first.
        package var line: Int
    }

    /// One device or seat that touches came from.
    package struct Source: Equatable, Sendable {
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
        /// The first stamp of what no frame has closed.
        var unclosed: UInt32?
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

    package init() {}

    package var contactCount: Int { sources.reduce(0) { $0 + $1.contactCount } }
    package var leftDownCount: Int { sources.reduce(0) { $0 + $1.leftDown.count } }
    /// Of no seat, device or tool.
    package var isWithoutContacts: Bool { contactCount == 0 && pens.isEmpty && pointers.isEmpty }

    /// An item as the reader gave it.
    package mutating func count(read item: RecordingItem) {
        switch item.content {
        case .event: eventCount += 1
        case .device(let device, _):
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

    /// An item as ``RecordingTouches`` gave it.
    package mutating func count(settled item: RecordingItem) {
        switch item.content {
        case .touch(let line): count(line, item.line)
        case .fault(let kind): count(kind, item.line)
        case .event, .device, .run, .end: break
        }
    }

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
            for index in sources.indices { sources[index].beginAnew() }
            return
        case .other("gap"):
            gapCount += 1
            let (sum, isTooLarge) = lostLineCount.addingReportingOverflow(
                line.fields?.field("lines")?.whole(Int.self) ?? 0)
            lostLineCount = isTooLarge ? .max : sum
            return
        case .device, .other: return
        case .down, .motion, .up, .frame, .cancel, .shape, .orientation: break
        }
        if line.kind == .cancel, line.id == nil, line.device == nil {
            // Without a device it is the whole seat's.
            for index in sources.indices where line.seat == nil || sources[index].seat == line.seat {
                sources[index].count(line, number)
            }
            return
        }
        let index: Int
        if let found = sources.firstIndex(where: { $0.device == line.device && $0.seat == line.seat }) {
            index = found
        } else {
            guard sources.count < RecordingSummary.mostSources else { return }
            sources.append(Source(seat: line.seat, device: line.device))
            index = sources.count - 1
        }
        if sources[index].lacksFrame(before: line, within: RecordingSummary.frameLength) {
            count(.frameMissing, number)
        }
        if let fault = sources[index].cameBack(line) { count(fault, number) }
        if line.kind == .down, !line.isResumed, let id = line.id, let place = line.place, place.isOutside {
            count(.outside(id, place), number)
        }
        sources[index].count(line, number)
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
    fileprivate mutating func lacksFrame(before line: TouchLine, within length: UInt32) -> Bool {
        switch line.kind {
        case .down, .motion, .up:
            guard let time = line.time else { return false }
            let isLacking = unclosed.map { time &- $0 > length } ?? false
            if isLacking || unclosed == nil { unclosed = time }
            return isLacking
        case .frame, .cancel:
            unclosed = nil
            return false
        case .shape, .orientation, .device, .tool, .pointer, .other: return false
        }
    }

    /// Follows where contacts are and were, and tells of one that was away for a moment only.
    fileprivate mutating func cameBack(_ line: TouchLine) -> RecordingFault.Kind? {
        guard let id = line.id else {
            if line.kind == .cancel { lifted.cancel(nil) }
            return nil
        }
        switch line.kind {
        case .down:
            defer { lifted.move(id, to: line.place) }
            guard !line.isResumed, let before = lifted.take(near: line.place, at: line.time) else { return nil }
            return .cameBack(id, after: before.id, milliseconds: before.milliseconds)
        case .motion: lifted.move(id, to: line.place)
        case .up: lifted.lift(id, at: line.time)
        case .cancel: lifted.cancel(id)
        default: break
        }
        return nil
    }

    mutating func count(_ line: TouchLine, _ number: Int) {
        if let time = line.time {
            if first == nil { first = time }
            last = time
        }
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
