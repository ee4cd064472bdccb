package import Gestures

/// Makes evdev events of touches, as a panel of protocol B would have sent them.
///
/// It takes lines that fit together, as ``RecordingTouches`` makes them.
package struct EvdevEncoder {
    /// Of both axes: fractions of the panel keep 16 bits.
    static let maximum: Int32 = 65_535
    package static let mostContacts = 32

    private struct Contact {
        var device, seat: String?
        var id: Int32
        var x, y: Int32
    }

    /// The panel that the events are of. It is settled when the first of them is there.
    package private(set) var device: EvdevDevice
    private var lost = Lost()
    package var losses: [RecordingLoss] { lost.all + (sources.count > 1 ? [.severalSources(sources.count)] : []) }

    /// Of the output that places in logical px are on.
    private var size: Size?
    /// Nobody said it: the recording does.
    private let isSizeRecorded: Bool
    private var slots = [Contact?](repeating: nil, count: EvdevEncoder.mostContacts)
    /// Of the contact that a pointer would follow: the kernel's oldest.
    private var oldest: [Int] = []
    private var current = 0
    private var nextID: Int32 = 0
    private var pending: [EvdevEvent] = []
    /// No line came since the last frame.
    private var isEmpty = true
    /// The last of it is a cancel's.
    private var isCancelled = false
    /// Those that touched.
    private var sources: [(device: String?, seat: String?)] = []
    private static let mostSources = 256
    /// What touchscreens say of themselves, until one is touched.
    private var known: [(node: String?, facts: TouchLineDevice)] = []
    private static let mostDevices = 64
    private var isTouched = false
    private(set) var hasEvents = false
    /// The first stamp, which the events count from.
    private(set) var first: UInt32?
    /// μs since the first line with a time.
    private var time: Int64 = 0

    /// Nothing was told of a touchscreen, and none was touched.
    var isMadeUp: Bool { sources.isEmpty && known.isEmpty }

    package init(size: Size? = nil) {
        self.size = size
        isSizeRecorded = size == nil
        device = EvdevDevice(name: "FingerWave touchscreen")
        device.bus = 6
        device.properties = [EvdevCode.direct]
        device.add(EvdevCode(EvdevCode.key, EvdevCode.btnTouch))
        for code in [EvdevCode.x, EvdevCode.y, EvdevCode.positionX, EvdevCode.positionY] {
            device.add(EvdevDevice.Axis(code, 0, EvdevEncoder.maximum))
        }
        device.add(EvdevDevice.Axis(EvdevCode.slot, 0, Int32(EvdevEncoder.mostContacts) - 1))
        device.add(EvdevDevice.Axis(EvdevCode.trackingID, 0, EvdevEncoder.maximum))
    }

    /// Appends the frames that the line ends.
    package mutating func handle(_ line: TouchLine, into events: inout [EvdevEvent]) {
        switch line.kind {
        case .device(let facts):
            guard facts.event == .added, sources.isEmpty else { return }
            known.removeAll { $0.node == line.device }
            if known.count < EvdevEncoder.mostDevices { known.append((line.device, facts)) }
        case .tool, .pointer: break
        case .other: if isSizeRecorded, let size = line.size { self.size = size }
        case .shape:
            lost.shapes += 1
            isEmpty = false
        case .orientation:
            lost.orientations += 1
            isEmpty = false
        case .frame:
            if isEmpty { lost.emptyFrames += 1 }
            isEmpty = true
            pass(line.time, &events)
            flush(&events)
        case .down, .motion, .up, .cancel:
            pass(line.time, &events)
            isEmpty = false
            if sources.isEmpty { describe(line.device) }
            if sources.count < EvdevEncoder.mostSources,
                !sources.contains(where: { $0.device == line.device && $0.seat == line.seat })
            {
                sources.append((line.device, line.seat))
            }
            isCancelled = line.kind == .cancel
            if line.kind == .down || line.kind == .motion { place(line) } else { end(line) }
        }
    }

    /// No line follows: some compositors leave out the last frame.
    package mutating func finish(into events: inout [EvdevEvent]) {
        if sources.isEmpty { describe(nil) }
        addFrame(&events)
    }

    /// Takes over what is known of the panel that is touched first.
    private mutating func describe(_ node: String?) {
        guard let facts = known.last(where: { $0.node == node || node == nil })?.facts else { return }
        device.node = node
        if let name = facts.name, !name.isEmpty { device.name = name }
        guard let sides = facts.millimetres else { return }
        let resolution: [(codes: [UInt16], length: Double)] = [
            ([EvdevCode.x, EvdevCode.positionX], sides.width), ([EvdevCode.y, EvdevCode.positionY], sides.height),
        ]
        for (codes, length) in resolution where length >= 1 && length < 65_536 {
            for code in codes {
                device.add(
                    EvdevDevice.Axis(
                        code, 0, EvdevEncoder.maximum,
                        resolution: Int32((Double(EvdevEncoder.maximum) / length).rounded())))
            }
        }
    }

    /// A later time ends a frame whose end did not come.
    private mutating func pass(_ stamp: UInt32?, _ events: inout [EvdevEvent]) {
        guard let stamp else { return }
        let base = first ?? stamp
        first = base
        let later = Int64(stamp &- base) * 1000
        guard later > time else { return }
        addFrame(&events)
        time = later
    }

    /// What no frame has ended, or a cancel, which needs none.
    private mutating func addFrame(_ events: inout [EvdevEvent]) {
        if !pending.isEmpty, !isCancelled { lost.frames += 1 }
        flush(&events)
    }

    private mutating func add(_ type: UInt16, _ code: UInt16, _ value: Int32) {
        pending.append(EvdevEvent(time: time, type: type, code: code, value: value))
    }

    private mutating func flush(_ events: inout [EvdevEvent]) {
        isCancelled = false
        guard !pending.isEmpty else { return }
        hasEvents = true
        if isTouched == oldest.isEmpty {
            isTouched = !oldest.isEmpty
            add(EvdevCode.key, EvdevCode.btnTouch, isTouched ? 1 : 0)
        }
        if let slot = oldest.first, let contact = slots[slot] {
            add(EvdevCode.abs, EvdevCode.x, contact.x)
            add(EvdevCode.abs, EvdevCode.y, contact.y)
        }
        add(EvdevCode.syn, EvdevCode.report, 0)
        events += pending
        pending = []
    }

    // MARK: Contacts

    private mutating func select(_ slot: Int) {
        guard slot != current else { return }
        current = slot
        add(EvdevCode.abs, EvdevCode.slot, Int32(slot))
    }

    private func slot(of line: TouchLine) -> Int? {
        slots.firstIndex { $0 != nil && $0?.id == line.id && $0?.device == line.device && $0?.seat == line.seat }
    }

    private mutating func place(_ line: TouchLine) {
        guard let id = line.id, let (x, y) = units(line.place) else { return }
        if let slot = slot(of: line) {
            guard let before = slots[slot], before.x != x || before.y != y else { return }
            select(slot)
            slots[slot]?.x = x
            slots[slot]?.y = y
            if before.x != x { add(EvdevCode.abs, EvdevCode.positionX, x) }
            if before.y != y { add(EvdevCode.abs, EvdevCode.positionY, y) }
            return
        }
        guard line.kind == .down else { return }
        guard let slot = slots.firstIndex(where: { $0 == nil }) else {
            lost.contacts += 1
            return
        }
        select(slot)
        slots[slot] = Contact(device: line.device, seat: line.seat, id: id, x: x, y: y)
        oldest.append(slot)
        add(EvdevCode.abs, EvdevCode.trackingID, nextID)
        nextID = (nextID + 1) & EvdevEncoder.maximum
        add(EvdevCode.abs, EvdevCode.positionX, x)
        add(EvdevCode.abs, EvdevCode.positionY, y)
    }

    private mutating func end(_ line: TouchLine) {
        for slot in slots.indices {
            guard let contact = slots[slot], line.id == nil || line.id == contact.id,
                line.device == nil || line.device == contact.device, line.seat == nil || line.seat == contact.seat
            else { continue }
            if line.kind == .cancel { lost.cancels += 1 }
            select(slot)
            slots[slot] = nil
            oldest.removeAll { $0 == slot }
            add(EvdevCode.abs, EvdevCode.trackingID, -1)
        }
    }

    private mutating func units(_ place: TouchLine.Place?) -> (x: Int32, y: Int32)? {
        switch place {
        case .panel(let point): return (EvdevEncoder.unit(point.x), EvdevEncoder.unit(point.y))
        case .output(let point):
            guard let size, size.width > 0, size.height > 0 else {
                lost.places += 1
                return nil
            }
            lost.hasSize = true
            return (EvdevEncoder.unit(point.x / size.width), EvdevEncoder.unit(point.y / size.height))
        case nil: return nil
        }
    }

    /// The nearest that there is: a panel has nothing beyond its edge.
    private static func unit(_ fraction: Double) -> Int32 {
        guard fraction > 0 else { return 0 }
        return Int32(min(Double(maximum), (fraction * Double(maximum + 1)).rounded()))
    }
}

extension EvdevEncoder {
    /// How often something had no room.
    fileprivate struct Lost {
        var hasSize = false
        var places = 0
        var contacts = 0
        var cancels = 0
        var shapes = 0
        var orientations = 0
        var frames = 0
        var emptyFrames = 0

        var all: [RecordingLoss] {
            var list: [RecordingLoss] = hasSize ? [.size] : []
            if places > 0 { list.append(.placesWithoutSize(places)) }
            if contacts > 0 { list.append(.contactsBeyond(contacts, most: EvdevEncoder.mostContacts)) }
            if cancels > 0 { list.append(.cancels(cancels)) }
            if shapes > 0 { list.append(.shapes(shapes)) }
            if orientations > 0 { list.append(.orientations(orientations)) }
            if frames > 0 { list.append(.framesAdded(frames)) }
            if emptyFrames > 0 { list.append(.emptyFrames(emptyFrames)) }
            return list
        }
    }
}
