/// Android's getevent: raw numbers, or names with `-l`; stamps with `-t`; descriptions with `-p` or `-i`.
struct GeteventParser {
    private static let mostDevices = 64

    private struct Device {
        /// The file's path; empty when one device was asked for, whose lines name none.
        var path: String
        var facts: EvdevDevice
        var isDescribed = false
    }

    private var devices: [Device] = []
    /// The device that is being described, and what its indented lines belong to.
    private var current: Int?
    private var section = Section.none
    private var hasEvents = false
    private var hasSaidNoStamps = false
    private var hasSaidTooMany = false

    private enum Section: Equatable {
        case none, codes(type: UInt16), properties
    }

    // MARK: Lines

    private struct Event {
        var time: Int64?
        var path: Range<Int>
        /// Nil when its code is a name that tells of no touch.
        var event: EvdevEvent?
    }

    static func isEvent(_ line: LineCursor) -> Bool { event(line) != nil }

    mutating func read(_ line: LineCursor, _ number: Int, into items: inout [RecordingItem]) {
        if let event = GeteventParser.event(line) {
            take(event, line, number, into: &items)
            return
        }
        var line = line
        line.skipBlanks()
        line.trimEnd()
        guard !line.isAtEnd else { return }
        if line.take(word: "add device ") {
            guard let count = line.decimal(), line.take(word: ": ") else { return }
            if hasEvents, count == 1 {
                // It counts from 1 again: another one's output begins. What comes while it runs counts on.
                hasEvents = false
                for index in devices.indices {
                    devices[index].isDescribed = false
                    devices[index].facts = GeteventParser.facts(of: devices[index].path)
                }
                items.append(RecordingItem(line: number, .run))
            }
            guard let device = index(of: line.text(line.rest), number, into: &items) else { return }
            current = device
            section = .none
        } else if line.starts(with: "remove device") || line.starts(with: "could not get") || current == nil {
            return
        } else {
            readDescription(&line)
        }
    }

    mutating func finish(_ line: Int, into items: inout [RecordingItem]) {
        for index in devices.indices { describe(index, line, into: &items) }
    }

    private mutating func take(
        _ found: Event, _ line: LineCursor, _ number: Int, into items: inout [RecordingItem]
    ) {
        // One device given by hand is described, where it is, with its path, while its events have none.
        var path = line.text(found.path)
        if path.isEmpty, devices.count == 1 { path = devices[0].path }
        guard let index = index(of: path, number, into: &items), let event = found.event else { return }
        if found.time == nil, !hasSaidNoStamps {
            hasSaidNoStamps = true
            items.append(RecordingItem(line: number, .fault(.noStamps)))
        }
        describe(index, number, into: &items)
        hasEvents = true
        items.append(RecordingItem(line: number, .event(event, device: index)))
    }

    private mutating func index(of path: String, _ line: Int, into items: inout [RecordingItem]) -> Int? {
        if let index = devices.firstIndex(where: { $0.path == path }) { return index }
        guard devices.count < GeteventParser.mostDevices else {
            if !hasSaidTooMany {
                hasSaidTooMany = true
                items.append(RecordingItem(line: line, .fault(.tooMany("devices", most: GeteventParser.mostDevices))))
            }
            return nil
        }
        devices.append(Device(path: path, facts: GeteventParser.facts(of: path)))
        return devices.count - 1
    }

    private static func facts(of path: String) -> EvdevDevice {
        var facts = EvdevDevice()
        facts.node = path.isEmpty ? nil : path.split(separator: "/").last.map { String($0) }
        return facts
    }

    /// Only what was described is a description: without `-p` there are names alone.
    private mutating func describe(_ index: Int, _ line: Int, into items: inout [RecordingItem]) {
        guard !devices[index].isDescribed else { return }
        devices[index].isDescribed = true
        let facts = devices[index].facts
        guard !facts.codes.isEmpty || !facts.name.isEmpty else { return }
        items.append(RecordingItem(line: line, .device(facts, number: index)))
    }

    // MARK: Events

    /// `[  TIME] PATH: TYPE CODE VALUE`, where the time and the path may be missing. Old ones write `SECONDS-MICROSECONDS: `.
    private static func event(_ line: LineCursor) -> Event? {
        var line = line
        line.skipBlanks()
        var time: Int64?
        if line.take("[") {
            line.skipBlanks()
            guard let stamp = line.seconds(), line.take("]") else { return nil }
            time = stamp
            line.skipBlanks()
        }
        if time == nil, let stamp = oldStamp(&line) {
            time = stamp
            line.skipBlanks()
        }
        var path = line.position..<line.position
        if line.next == UInt8(ascii: "/") {
            path = line.word()
            guard line.take(":") else { return nil }
            line.skipBlanks()
        }
        guard line.byte(at: 0) == UInt8(ascii: "E") ? line.starts(with: "EV_") : isRaw(line) else { return nil }
        guard let type = number(&line, { EvdevNames.type(&$0) }) else { return Event(time: time, path: path) }
        line.skipBlanks()
        let code = number(&line) { EvdevNames.code(&$0, type: type) }
        line.skipBlanks()
        guard let value = value(&line) else { return nil }
        guard let code else { return Event(time: time, path: path) }
        return Event(
            time: time, path: path, event: EvdevEvent(time: time ?? 0, type: type, code: code, value: value))
    }

    private static func oldStamp(_ line: inout LineCursor) -> Int64? {
        var copy = line
        guard let seconds = copy.decimal(), (0..<100_000_000_000).contains(seconds), copy.take("-"),
            let microseconds = copy.decimal(), (0..<1_000_000).contains(microseconds), copy.take(":")
        else { return nil }
        line = copy
        return seconds * 1_000_000 + microseconds
    }

    private static func isRaw(_ line: LineCursor) -> Bool {
        var line = line
        for digits in [4, 4, 8] {
            let word = line.word()
            var copy = line
            copy.move(to: word.lowerBound)
            guard word.count == digits, copy.hexadecimal() != nil, copy.position == word.upperBound else {
                return false
            }
            line.skipBlanks()
        }
        return true
    }

    /// A name, or the number that stands in for one that getevent does not know.
    private static func number(_ line: inout LineCursor, _ name: (inout LineCursor) -> UInt16?) -> UInt16? {
        var copy = line
        if let number = copy.hexadecimal(UInt16.self) {
            switch copy.next {
            case nil, 0x20, 0x09, UInt8(ascii: "*"):
                line = copy
                return number
            default: break
            }
        }
        return name(&line)
    }

    private static func value(_ line: inout LineCursor) -> Int32? {
        if line.starts(with: "DOWN") { return 1 }
        if line.starts(with: "UP") { return 0 }
        if line.starts(with: "REPEAT") { return 2 }
        return line.hexadecimal(UInt32.self).map { Int32(bitPattern: $0) }
    }

    // MARK: Description

    private mutating func readDescription(_ line: inout LineCursor) {
        guard let current else { return }
        if line.take(word: "name:") {
            line.skipBlanks()
            _ = line.take("\"")
            var name = line.text(line.rest)
            if name.utf8.last == UInt8(ascii: "\"") { name.removeLast() }
            devices[current].facts.name = name
        } else if line.take(word: "bus:") {
            devices[current].facts.bus = GeteventParser.id(&line)
        } else if line.take(word: "vendor") {
            devices[current].facts.vendor = GeteventParser.id(&line)
        } else if line.take(word: "product") {
            devices[current].facts.product = GeteventParser.id(&line)
        } else if line.starts(with: "version:") || line.starts(with: "location:") || line.starts(with: "id:") {
            return
        } else if line.take(word: "version") {
            devices[current].facts.version = GeteventParser.id(&line)
        } else if line.take(word: "input props:") {
            section = .properties
            devices[current].facts.properties = devices[current].facts.properties ?? []
        } else if case .properties = section {
            readProperty(&line, current)
        } else {
            readCodes(&line, current)
        }
    }

    private static func id(_ line: inout LineCursor) -> UInt16 {
        line.skipBlanks()
        return line.hexadecimal(UInt16.self) ?? 0
    }

    private mutating func readProperty(_ line: inout LineCursor, _ device: Int) {
        if line.starts(with: "INPUT_PROP_POINTER") {
            devices[device].facts.add(property: EvdevCode.pointer)
        } else if line.starts(with: "INPUT_PROP_DIRECT") {
            devices[device].facts.add(property: EvdevCode.direct)
        } else if let property = line.hexadecimal(UInt16.self) {
            devices[device].facts.add(property: property)
        }
    }

    /// `ABS (0003): 0035 : value 0, min 0, ...`, then lines with a code alone.
    private mutating func readCodes(_ line: inout LineCursor, _ device: Int) {
        if let place = line.find(" ("), let end = line.find("):") {
            line.move(to: place + 2)
            guard let type = line.hexadecimal(UInt16.self), line.position == end else { return }
            line.move(to: end + 2)
            section = .codes(type: type)
        }
        guard case .codes(let type) = section else { return }
        while !line.isAtEnd {
            line.skipBlanks()
            let start = line.position
            let code = GeteventParser.number(&line) { EvdevNames.code(&$0, type: type) }
            _ = line.take("*")
            line.skipBlanks()
            if line.take(":") {
                if let code { devices[device].facts.add(GeteventParser.axis(code, line)) }
                return
            }
            if let code { devices[device].facts.add(EvdevCode(type, code)) }
            guard line.position > start else { return }
        }
    }

    private static func axis(_ code: UInt16, _ line: LineCursor) -> EvdevDevice.Axis {
        func value(_ word: StaticString) -> Int32 {
            guard let place = line.find(word) else { return 0 }
            var line = line
            line.move(to: place + word.utf8CodeUnitCount)
            return line.decimal(Int32.self) ?? 0
        }
        return EvdevDevice.Axis(
            code, value("min "), value("max "), fuzz: value("fuzz "), flat: value("flat "),
            resolution: value("resolution "))
    }
}
