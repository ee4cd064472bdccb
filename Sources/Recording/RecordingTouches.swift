/// Turns what a reader found into touches that fit together: each contact comes down once and ends once, and no clock
/// goes back. What did not fit is told as a fault and left out.
///
/// Evdev events become touches by their device's ``EvdevDecoder``. A description of its own file (evemu's `.desc`) is
/// fed in before the file of the events.
package struct RecordingTouches {
    private static let mostDevices = 64
    private static let mostStreams = 256
    private static let mostContacts = 1024

    /// Where one finger's lines come from.
    private struct Stream {
        var seat, device: String?
        var clock = RecordingClock()
        /// Of the last line with both: its stamp, and μs.
        var told: (time: UInt32, arrival: Int64)?
        /// Something passed since its last frame.
        var isDirty = false
        /// Something was left out since its last frame.
        var lacksSome = false
        /// The first stamp of this run.
        var first: UInt32?
    }

    /// Where a contact came down.
    private struct Start {
        var line: Int
        var time: UInt32?
    }

    private struct Key: Hashable {
        var stream: Int
        var id: Int32
    }

    private var decoders: [EvdevDecoder?] = []
    private var streams: [Stream] = []
    private var contacts: [Key: Start] = [:]
    /// Told of already, as motions of a contact that began before the recording come in hundreds.
    private var strays: Set<Key> = []
    private var hasSaidTooMany = false

    package init() {}

    package mutating func handle(_ item: RecordingItem, into items: inout [RecordingItem]) {
        switch item.content {
        case .event(let event, let device):
            guard settleDecoder(device, item.line, &items) else { return }
            let start = items.count
            decoders[device]?.handle(event, line: item.line, into: &items)
            if items.count > start { settle(of: device, from: start, &items) }
        case .device(let device, let number):
            guard (0..<RecordingTouches.mostDevices).contains(number) else { return }
            while decoders.count <= number { decoders.append(nil) }
            decoders[number] = EvdevDecoder(device, number: number, after: decoders[number], item.line, &items)
            if device.isBesideTouches { return }
            if let line = EvdevDecoder.announcement(of: device, number: number) {
                items.append(RecordingItem(line: item.line, .touch(line)))
            }
        case .touch(let line): handle(line, item.line, &items)
        case .run: begin(run: item.line, &items)
        case .fault: items.append(item)
        case .end:
            for index in decoders.indices {
                let start = items.count
                decoders[index]?.finish(line: item.line, into: &items)
                decoders[index]?.tellHeld(into: &items)
                leaveFaults(of: index, from: start, &items)
            }
            tellHeld(&items)
            items.append(item)
        }
    }

    /// What the events of a device have ended.
    private mutating func settle(of device: Int, from start: Int, _ items: inout [RecordingItem]) {
        leaveFaults(of: device, from: start, &items)
        // Its clock went back: the touches that follow are another run's.
        guard items.count > start, let index = items[start...].firstIndex(where: { $0.content == .run }) else { return }
        let rest = Array(items[(index + 1)...])
        let line = items[index].line
        items.removeSubrange(index...)
        begin(run: line, but: device, &items)
        items += rest
    }

    /// Another recording begins, and its lines do not say so. `but`: the device whose events told.
    private mutating func begin(run line: Int, but device: Int? = nil, _ items: inout [RecordingItem]) {
        endRun(line, &items)
        for index in decoders.indices where index != device {
            guard let old = decoders[index], old.device?.isBesideTouches != true else { continue }
            decoders[index] = EvdevDecoder(old.device, number: index, after: old, line, &items)
        }
        forgetEvents()
        items.append(RecordingItem(line: line, .touch(TouchLine(.other("header")))))
    }

    /// Touches that come by themselves as well are not told twice: of the events stays what is odd in them.
    private func leaveFaults(of device: Int, from start: Int, _ items: inout [RecordingItem]) {
        guard items.count > start, decoders[device]?.device?.isBesideTouches == true else { return }
        let faults = items[start...].filter { !$0.isTouch && !$0.isEndMissing && $0.content != .run }
        items.replaceSubrange(start..., with: faults)
    }

    /// Nothing of this run follows, and these are down still.
    private func tellHeld(_ items: inout [RecordingItem]) {
        for (key, start) in contacts.sorted(by: { ($0.value.line, $0.key.id) < ($1.value.line, $1.key.id) }) {
            let first = streams[key.stream].first
            let since = start.time.flatMap { time in first.map { time &- $0 } }
            items.append(RecordingItem(line: start.line, .fault(.endMissing(key.id, since: since))))
        }
    }

    /// What comes now of such events does not go on where they ended.
    private mutating func forgetEvents() {
        for index in decoders.indices {
            guard let device = decoders[index]?.device, device.isBesideTouches else { continue }
            decoders[index] = EvdevDecoder(device, number: index)
        }
    }

    private mutating func settleDecoder(_ device: Int, _ line: Int, _ items: inout [RecordingItem]) -> Bool {
        if device < decoders.count, device >= 0, decoders[device] != nil { return true }
        guard (0..<RecordingTouches.mostDevices).contains(device) else { return false }
        while decoders.count <= device { decoders.append(nil) }
        decoders[device] = EvdevDecoder(nil, number: device)
        return true
    }

    // MARK: Lines of touches

    private func fault(_ kind: RecordingFault.Kind, _ line: Int, _ items: inout [RecordingItem]) {
        items.append(RecordingItem(line: line, .fault(kind)))
    }

    private mutating func stream(of line: TouchLine) -> Int? {
        if let index = streams.firstIndex(where: { $0.device == line.device && $0.seat == line.seat }) { return index }
        guard streams.count < RecordingTouches.mostStreams else { return nil }
        streams.append(Stream(seat: line.seat, device: line.device))
        return streams.count - 1
    }

    private mutating func handle(_ line: TouchLine, _ number: Int, _ items: inout [RecordingItem]) {
        var line = line
        if case .other(let type) = line.kind {
            if type == "header" { endRun(number, &items) }
            if type == "header" || type == "gap" { forgetEvents() }
            items.append(RecordingItem(line: number, .touch(line)))
            return
        }
        guard let stream = stream(of: line) else {
            sayTooMany("devices", RecordingTouches.mostStreams, number, &items)
            return
        }
        if let time = line.time {
            if line.kind == .down, contacts.isEmpty, streams[stream].clock.beginsAnew(at: time) {
                fault(.anotherRun, number, &items)
                begin(run: number, &items)
            }
            let (settled, wentBack) = streams[stream].clock.time(time)
            if wentBack { fault(.clockWentBack, number, &items) }
            line.time = settled
            if streams[stream].first == nil { streams[stream].first = settled }
            if let arrival = line.arrival { streams[stream].told = (settled, arrival) }
        } else if let arrival = line.arrival {
            reckonTime(of: &line, stream, arrival)
        }
        switch line.kind {
        case .down: if !begin(line, stream, number, &items) { return streams[stream].lacksSome = true }
        case .motion, .up, .shape, .orientation:
            guard let id = line.id, isDown(id, stream, number, &items) else {
                return streams[stream].lacksSome = true
            }
            if line.kind == .up { contacts[Key(stream: stream, id: id)] = nil }
        // One that has nothing to end is a compositor's fault, and stays as it came.
        case .cancel: if !cancel(line), line.id != nil { return streams[stream].lacksSome = true }
        case .frame:
            // One that was empty stays; one that is so because of what was left out goes with it.
            let isWhole = streams[stream].isDirty || !streams[stream].lacksSome
            streams[stream].isDirty = false
            streams[stream].lacksSome = false
            if isWhole { items.append(RecordingItem(line: number, .touch(line))) }
            return
        case .device(let facts):
            if facts.event == .removed, cancel(line) {
                items.append(
                    RecordingItem(line: number, .touch(TouchLine(.cancel, seat: line.seat, device: line.device))))
            }
            items.append(RecordingItem(line: number, .touch(line)))
            return
        case .tool, .pointer:
            // Their frames are their own.
            items.append(RecordingItem(line: number, .touch(line)))
            return
        case .other: return
        }
        streams[stream].isDirty = true
        items.append(RecordingItem(line: number, .touch(line)))
    }

    /// wl_touch's cancel has no stamp, nor has the pointer's line; without one they would come at once.
    private mutating func reckonTime(of line: inout TouchLine, _ stream: Int, _ arrival: Int64) {
        switch line.kind {
        case .cancel: if streams[stream].told == nil { return }
        case .pointer: break
        default: return
        }
        if let told = streams[stream].told {
            line.time = told.time &+ UInt32(truncatingIfNeeded: max(0, arrival &- told.arrival) / 1000)
        } else {
            let time = UInt32(truncatingIfNeeded: arrival / 1000)
            line.time = time
            streams[stream].told = (time, arrival)
        }
        line.isTimeReckoned = true
    }

    /// Another recording begins in the same file: whoever made this one was ended before it could say more.
    private mutating func endRun(_ number: Int, _ items: inout [RecordingItem]) {
        tellHeld(&items)
        for index in streams.indices {
            let stream = streams[index]
            if contacts.keys.contains(where: { $0.stream == index }) {
                items.append(
                    RecordingItem(line: number, .touch(TouchLine(.cancel, seat: stream.seat, device: stream.device))))
            }
            streams[index].clock.beginAnew()
            streams[index].told = nil
            streams[index].first = nil
            streams[index].isDirty = false
            streams[index].lacksSome = false
        }
        contacts.removeAll()
        strays.removeAll()
    }

    private mutating func begin(
        _ line: TouchLine, _ stream: Int, _ number: Int, _ items: inout [RecordingItem]
    ) -> Bool {
        guard let id = line.id else { return false }
        let key = Key(stream: stream, id: id)
        if contacts[key] != nil {
            fault(.contactAgain(id), number, &items)
            let end = TouchLine(.cancel, seat: line.seat, device: line.device, id: id, time: line.time)
            items.append(RecordingItem(line: number, .touch(end)))
        } else if contacts.count >= RecordingTouches.mostContacts {
            sayTooMany("contacts", RecordingTouches.mostContacts, number, &items)
            return false
        }
        contacts[key] = Start(line: number, time: line.time)
        strays.remove(key)
        return true
    }

    private mutating func isDown(_ id: Int32, _ stream: Int, _ number: Int, _ items: inout [RecordingItem]) -> Bool {
        let key = Key(stream: stream, id: id)
        if contacts[key] != nil { return true }
        if strays.count < RecordingTouches.mostContacts, strays.insert(key).inserted {
            fault(.unknownContact(id), number, &items)
        }
        return false
    }

    /// Whether there was one to end.
    private mutating func cancel(_ line: TouchLine) -> Bool {
        let ended = contacts.keys.filter { key in
            let stream = streams[key.stream]
            guard line.id == nil || line.id == key.id else { return false }
            return (line.device == nil || line.device == stream.device)
                && (line.seat == nil || line.seat == stream.seat)
        }
        for key in ended { contacts[key] = nil }
        return !ended.isEmpty
    }

    private mutating func sayTooMany(_ what: String, _ most: Int, _ number: Int, _ items: inout [RecordingItem]) {
        guard !hasSaidTooMany else { return }
        hasSaidTooMany = true
        fault(.tooMany(what, most: most), number, &items)
    }
}
