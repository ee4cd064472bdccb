internal import Gestures

/// Makes touches of one device's events: multitouch protocol B (slots) and A (packets), and panels that know one
/// finger, by the kernel's Documentation/input/multi-touch-protocol.rst.
///
/// What a frame brings is told when SYN_REPORT ends it, with that event's time: older kernels stamp each event by
/// itself. The id of a touch is its slot, its place a fraction of the panel as libinput counts it: the last unit ends
/// at 1.
package struct EvdevDecoder {
    /// Slots that are followed; no panel is known to have more than 32.
    package static let mostSlots = 256
    /// For axes that are not described.
    static let assumedMaximum: Int32 = 4095

    let name: String
    let device: EvdevDevice?
    var slots: [Slot] = []
    /// Nil behind a slot that is refused, until another is named.
    private var current: Int? = 0
    /// Those that the frame changes.
    var changed: Range<Int> = 0..<0

    var horizontal: Scale?
    var vertical: Scale?

    /// What the device has shown of itself so far.
    private var hasIDs = false
    private var hasMTPlaces = false
    private var hasPackets = false
    /// It announces places without slots, or has sent a packet's end.
    private var isOfProtocolA: Bool

    private var singlePlace = Place()
    private var hasSinglePlace = false
    private var isTouched = false
    private var hasTouchChanged = false
    /// BTN_TOUCH became 0 in this frame.
    private var isTouchOver = false

    /// Of protocol A: what came since the last SYN_MT_REPORT, and the frame's finished ones.
    var packet = Packet()
    var packets: [Packet] = []
    var hasPacketEnd = false

    private var isDropping = false
    /// Since events were lost: what cannot be used, and the line of the loss.
    private var leftOut: (what: RecordingFault.LeftOut, line: Int)?
    /// Of the last frame, ms.
    private var lastTime: UInt32?
    /// Something of the frame cannot be used.
    private var lacksSome = false
    private var clock = RecordingClock(unitsOfMillisecond: 1000)
    /// Of its first frame with a contact.
    private var firstTime: UInt32?
    var said: Set<RecordingFault.Kind> = []

    /// As far as the axes have told it, in the panel's units.
    struct Place: Equatable {
        var x, y: Int32?

        mutating func set(_ value: Int32, isVertical: Bool) { if isVertical { y = value } else { x = value } }
    }

    struct Slot {
        enum End {
            case up, cancel
        }

        var trackingID: Int32 = -1
        var place = Place()
        /// Behind the frame.
        var isDown = false
        /// Before the frame.
        var isReported = false
        /// How what was there before the frame ended.
        var end: End?
        var hasMoved = false
        var hasBeenUp = false
        /// Events were lost, and neither a beginning nor an end has come since.
        var isLost = false
        /// Of its contact's `down`.
        var line = 0
        var time: UInt32 = 0
    }

    struct Packet {
        var trackingID: Int32?
        var place = Place()
    }

    /// Of an axis.
    struct Scale {
        var minimum, maximum: Int32
        /// Of the panel, for each unit.
        var unit: Double

        func fraction(_ value: Int32) -> Double { (Double(value) - Double(minimum)) * unit }
    }

    /// Nil for a device that the recording does not describe.
    package init(_ device: EvdevDevice?, number: Int) {
        self.device = device
        name = device?.node ?? "evdev\(number)"
        isOfProtocolA = device?.axis(EvdevCode.slot) == nil && device?.axis(EvdevCode.positionX) != nil
    }

    /// Of a device that had events before: another recording begins in the same file, and its time goes on behind the
    /// one before it, whose contacts are over.
    init(
        _ device: EvdevDevice?, number: Int, after old: EvdevDecoder?, _ line: Int, _ items: inout [RecordingItem]
    ) {
        self.init(device, number: number)
        guard let old else { return }
        clock = old.clock
        clock.beginAnew()
        old.tellLeftOut(into: &items)
        if old.device?.isBesideTouches != true { old.tellHeld(into: &items) }
        if old.slots.contains(where: { $0.isReported }) {
            items.append(RecordingItem(line: line, .touch(TouchLine(.cancel, device: old.name))))
        }
    }

    /// The line that announces the device; nil when nothing can touch it.
    package static func announcement(of device: EvdevDevice, number: Int) -> TouchLine? {
        guard let x = device.axis(EvdevCode.positionX) ?? device.axis(EvdevCode.x),
            let y = device.axis(EvdevCode.positionY) ?? device.axis(EvdevCode.y)
        else { return nil }
        var facts = TouchLineDevice(.added, number: Int32(clamping: number), name: device.name)
        if let width = x.millimetres, let height = y.millimetres {
            facts.millimetres = Size(width: width, height: height)
        }
        facts.touchCount = device.touchCount
        return TouchLine(.device(facts), device: device.node ?? "evdev\(number)")
    }

    /// Appends what the event ends; most end nothing.
    package mutating func handle(_ event: EvdevEvent, line: Int, into items: inout [RecordingItem]) {
        if isDropping {
            guard event.type == EvdevCode.syn, event.code == EvdevCode.report else { return }
            isDropping = false
            endFrame(event, line, &items)
            return
        }
        switch event.type {
        case EvdevCode.abs: handleAxis(event, line, &items)
        case EvdevCode.syn:
            switch event.code {
            case EvdevCode.report:
                if hasPackets { settlePackets(line, &items) }
                settleWithoutIDs(line, &items)
                endFrame(event, line, &items)
            case EvdevCode.mtReport:
                if !isOfProtocolA { turnToPackets() }
                hasPackets = true
                endPacket(line, &items)
            case EvdevCode.dropped: drop(line, &items)
            default: break
            }
        case EvdevCode.key where event.code == EvdevCode.btnTouch:
            hasTouchChanged = isTouched != (event.value != 0)
            isTouched = event.value != 0
            isTouchOver = event.value == 0
        default: break
        }
    }

    /// No event follows.
    package mutating func finish(line: Int, into items: inout [RecordingItem]) {
        if !changed.isEmpty || packet.place.x != nil || !packets.isEmpty || hasSinglePlace || hasTouchChanged {
            say(.unfinishedFrame, line, &items)
        }
        tellLeftOut(into: &items)
    }

    private func tellLeftOut(into items: inout [RecordingItem]) {
        guard let leftOut, leftOut.what.frames > 0, device?.isBesideTouches != true else { return }
        items.append(RecordingItem(line: leftOut.line, .fault(.leftOut(leftOut.what))))
    }

    /// At the end of a recording: what is down to the last.
    func tellHeld(into items: inout [RecordingItem]) {
        for slot in slots.indices where slots[slot].isReported {
            let since = slots[slot].time &- (firstTime ?? slots[slot].time)
            items.append(RecordingItem(line: slots[slot].line, .fault(.endMissing(Int32(slot), since: since))))
        }
    }

    mutating func say(_ fault: RecordingFault.Kind, _ line: Int, _ items: inout [RecordingItem]) {
        items.append(RecordingItem(line: line, .fault(fault)))
    }

    /// What is so throughout the recording is said once.
    mutating func sayOnce(_ fault: RecordingFault.Kind, _ line: Int, _ items: inout [RecordingItem]) {
        if said.insert(fault).inserted { say(fault, line, &items) }
    }

    // MARK: Events

    private mutating func handleAxis(_ event: EvdevEvent, _ line: Int, _ items: inout [RecordingItem]) {
        switch event.code {
        case EvdevCode.slot: select(event.value, line, &items)
        case EvdevCode.positionX, EvdevCode.positionY:
            let isVertical = event.code == EvdevCode.positionY
            hasMTPlaces = true
            packet.place.set(event.value, isVertical: isVertical)
            guard let current, !isOfProtocolA else { return }
            change(current)
            slots[current].place.set(event.value, isVertical: isVertical)
            slots[current].hasMoved = true
        case EvdevCode.trackingID:
            packet.trackingID = event.value
            // Protocol A's ids are looked at with their packet.
            guard !isOfProtocolA else { return }
            hasIDs = true
            track(event.value, line, &items)
        case EvdevCode.x, EvdevCode.y:
            singlePlace.set(event.value, isVertical: event.code == EvdevCode.y)
            hasSinglePlace = true
        default: break
        }
    }

    /// The first SYN_MT_REPORT of a device that is not described, or wrongly.
    private mutating func turnToPackets() {
        isOfProtocolA = true
        hasIDs = false
        liftAll(.cancel)
    }

    private mutating func select(_ value: Int32, _ line: Int, _ items: inout [RecordingItem]) {
        guard (0..<Int32(EvdevDecoder.mostSlots)).contains(value) else {
            current = nil
            // One of each kind: a file of nonsense has all numbers.
            if said.insert(.slotRefused(value < 0 ? -1 : Int32(EvdevDecoder.mostSlots))).inserted {
                say(.slotRefused(value), line, &items)
            }
            return
        }
        current = Int(value)
        if let last = device?.axis(EvdevCode.slot)?.maximum, value > last {
            sayOnce(.slotBeyond(value, announced: last), line, &items)
        }
    }

    /// Too large to be in each of its callers.
    @inline(never)
    mutating func change(_ slot: Int) {
        while slots.count <= slot { slots.append(Slot(isLost: leftOut != nil)) }
        changed = changed.isEmpty ? slot..<slot + 1 : min(changed.lowerBound, slot)..<max(changed.upperBound, slot + 1)
    }

    private mutating func track(_ id: Int32, _ line: Int, _ items: inout [RecordingItem]) {
        guard let current else { return }
        change(current)
        if id < 0 {
            if slots[current].isLost {
                lacksSome = true
            } else if !slots[current].isDown {
                sayOnce(.unknownContact(Int32(current)), line, &items)
            }
            lift(current)
        } else {
            if slots[current].isDown, slots[current].trackingID != id {
                say(.contactAgain(Int32(current)), line, &items)
                if slots[current].isReported, slots[current].end == nil { slots[current].end = .cancel }
            }
            slots[current].isDown = true
        }
        slots[current].isLost = false
        slots[current].trackingID = id
    }

    mutating func lift(_ slot: Int) {
        if slots[slot].isDown, slots[slot].isReported, slots[slot].end == nil { slots[slot].end = .up }
        slots[slot].isDown = false
        slots[slot].hasBeenUp = true
    }

    /// What follows up to the frame's end is half of something: nothing is known any more.
    private mutating func drop(_ line: Int, _ items: inout [RecordingItem]) {
        say(.dropped(isBeside: device?.isBesideTouches == true), line, &items)
        isDropping = true
        isTouched = false
        isTouchOver = false
        packet = Packet()
        packets = []
        hasPacketEnd = false
        liftAll(.cancel)
        for slot in slots.indices { slots[slot].isLost = true }
        if leftOut == nil { leftOut = (RecordingFault.LeftOut(device: name), line) }
    }

    private mutating func liftAll(_ end: Slot.End) {
        for slot in slots.indices {
            change(slot)
            if slots[slot].isReported { slots[slot].end = end }
            slots[slot].isDown = false
            slots[slot].hasMoved = false
        }
    }

    /// Panels that know one finger, and such as say that they know more but send no id.
    private mutating func settleWithoutIDs(_ line: Int, _ items: inout [RecordingItem]) {
        guard !hasIDs, !hasPackets else { return }
        guard isTouched || hasTouchChanged else { return }
        if hasMTPlaces || device?.axis(EvdevCode.trackingID) != nil { sayOnce(.noTrackingIDs, line, &items) }
        change(0)
        if !hasMTPlaces {
            slots[0].place = singlePlace
            slots[0].hasMoved = hasSinglePlace
        } else if isOfProtocolA {
            slots[0].place.x = packet.place.x ?? slots[0].place.x
            slots[0].place.y = packet.place.y ?? slots[0].place.y
            slots[0].hasMoved = packet.place != Place()
        }
        if isTouched { slots[0].isDown = true } else { lift(0) }
    }

    // MARK: Frames

    private mutating func endFrame(_ report: EvdevEvent, _ line: Int, _ items: inout [RecordingItem]) {
        hasSinglePlace = false
        hasTouchChanged = false
        packet = Packet()
        if isTouchOver, hasIDs, slots.contains(where: { $0.isDown }) { say(.touchedInSlots, line, &items) }
        isTouchOver = false
        guard !changed.isEmpty else { return }
        if !slots.contains(where: { $0.isReported }), clock.beginsAnew(at: report.time) {
            say(.anotherRun, line, &items)
            items.append(RecordingItem(line: line, .run))
            clock.beginAnew()
        }
        let (microseconds, wentBack) = clock.time(report.time)
        if wentBack { say(.clockWentBack, line, &items) }
        let time = UInt32(truncatingIfNeeded: microseconds / 1000)
        if firstTime == nil { firstTime = time }
        let before = items.count
        for slot in changed { tell(slot, time, line, &items) }
        changed = 0..<0
        if lacksSome {
            lacksSome = false
            leftOut?.what.frames += 1
            leftOut?.what.milliseconds += UInt64(time &- (lastTime ?? time))
            leftOut?.what.until = time
        }
        lastTime = time
        // What is odd in it alone is no frame.
        if items[before...].contains(where: { $0.isTouch }) {
            items.append(RecordingItem(line: line, .touch(TouchLine(.frame, device: name, time: time))))
        }
    }

    private mutating func tell(_ slot: Int, _ time: UInt32, _ line: Int, _ items: inout [RecordingItem]) {
        let id = Int32(slot)
        let hasMoved = slots[slot].hasMoved
        slots[slot].hasMoved = false
        if let end = slots[slot].end {
            slots[slot].end = nil
            slots[slot].isReported = false
            items.append(
                RecordingItem(
                    line: line, .touch(TouchLine(end == .up ? .up : .cancel, device: name, id: id, time: time))))
        }
        guard slots[slot].isDown else {
            // Before the first end that is seen, the finger may have come down before the recording began.
            if hasMoved {
                if slots[slot].isLost {
                    lacksSome = true
                } else if !slots[slot].hasBeenUp {
                    sayOnce(.unknownContact(id), line, &items)
                }
            }
            return
        }
        guard !slots[slot].isReported || hasMoved else { return }
        let kind: TouchLine.Kind = slots[slot].isReported ? .motion : .down
        if !slots[slot].isReported {
            slots[slot].line = line
            slots[slot].time = time
        }
        slots[slot].isReported = true
        let place = place(slot, line, &items)
        items.append(
            RecordingItem(
                line: line, .touch(TouchLine(kind, device: name, id: id, time: time, place: .panel(place)))))
    }

    private mutating func place(_ slot: Int, _ line: Int, _ items: inout [RecordingItem]) -> Point {
        if horizontal == nil || vertical == nil { settleScales(line, &items) }
        guard let horizontal, let vertical else { return .zero }
        let (x, y) = (slots[slot].place.x, slots[slot].place.y)
        if x == nil || y == nil { sayOnce(.placeUnknown(Int32(slot)), line, &items) }
        let (horizontalCode, verticalCode) =
            hasMTPlaces
            ? (EvdevCode.positionX, EvdevCode.positionY) : (EvdevCode.x, EvdevCode.y)
        if let x { check(x, horizontal, horizontalCode, line, &items) }
        if let y { check(y, vertical, verticalCode, line, &items) }
        return Point(
            x: horizontal.fraction(x ?? horizontal.minimum), y: vertical.fraction(y ?? vertical.minimum))
    }

    /// Says the first value of an axis that is beyond its range.
    private mutating func check(
        _ value: Int32, _ scale: Scale, _ code: UInt16, _ line: Int, _ items: inout [RecordingItem]
    ) {
        guard value < scale.minimum || value > scale.maximum else { return }
        let range = scale.minimum...scale.maximum
        if said.insert(.outOfRange(code, value: 0, of: range)).inserted {
            say(.outOfRange(code, value: value, of: range), line, &items)
        }
    }

    /// At the first contact: only then is it known which axes it comes by.
    private mutating func settleScales(_ line: Int, _ items: inout [RecordingItem]) {
        if device == nil { sayOnce(.noDescription, line, &items) }
        if let properties = device?.properties, !properties.contains(EvdevCode.direct) {
            sayOnce(.notDirect, line, &items)
        }
        horizontal = scale(hasMTPlaces ? EvdevCode.positionX : EvdevCode.x, line, &items)
        vertical = scale(hasMTPlaces ? EvdevCode.positionY : EvdevCode.y, line, &items)
    }

    private mutating func scale(_ code: UInt16, _ line: Int, _ items: inout [RecordingItem]) -> Scale {
        let axis = device?.axis(code)
        if let axis, let span = axis.span {
            if axis.resolution != 0, axis.millimetres == nil { sayOnce(.oddLength(code), line, &items) }
            return Scale(minimum: axis.minimum, maximum: axis.maximum, unit: 1 / span)
        }
        if device != nil { sayOnce(axis == nil ? .noAxis(code) : .emptyAxis(code), line, &items) }
        return Scale(
            minimum: 0, maximum: EvdevDecoder.assumedMaximum, unit: 1 / Double(EvdevDecoder.assumedMaximum + 1))
    }
}
