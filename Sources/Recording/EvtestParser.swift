/// The text of evtest: a description with indented codes, then a line for each event.
struct EvtestParser {
    private var device: EvdevDevice?
    private var isDescribed = false
    private var hasEvents = false
    /// The type and the axis that the indented lines belong to.
    private var type: UInt16?
    private var axis: EvdevDevice.Axis?

    mutating func read(_ line: LineCursor, _ number: Int, into items: inout [RecordingItem]) {
        var line = line
        line.skipBlanks()
        line.trimEnd()
        guard line.take(word: "Event: time ") else {
            if hasEvents, line.starts(with: "Input driver version") || line.starts(with: "Input device ID:") {
                // Another file of evtest's begins.
                self = EvtestParser()
                items.append(RecordingItem(line: number, .run))
            }
            if !line.isAtEnd { readDescription(line) }
            return
        }
        hasEvents = true
        if !isDescribed { describe(number, &items) }
        switch EvtestParser.event(&line) {
        case .event(let event): items.append(RecordingItem(line: number, .event(event, device: 0)))
        case .sync: break
        case nil:
            items.append(
                RecordingItem(line: number, .fault(.unreadable("an event is its time, type, code and value"))))
        }
    }

    mutating func finish(_ line: Int, into items: inout [RecordingItem]) {
        if !isDescribed { describe(line, &items) }
    }

    private mutating func describe(_ line: Int, _ items: inout [RecordingItem]) {
        isDescribed = true
        endAxis()
        guard let device else { return }
        items.append(RecordingItem(line: line, .device(device, number: 0)))
    }

    // MARK: Events

    private enum Outcome {
        case event(EvdevEvent)
        /// One of EV_SYN that tells of no frame.
        case sync
    }

    private static func event(_ line: inout LineCursor) -> Outcome? {
        guard let time = line.seconds(), line.take(",") else { return nil }
        line.skipBlanks()
        guard line.take(word: "type ") else { return sync(line, time) }
        guard let type = line.decimal(UInt16.self), let place = line.find(", code ") else { return nil }
        line.move(to: place + 7)
        guard let code = line.decimal(UInt16.self), let place = line.find(", value ") else { return nil }
        line.move(to: place + 8)
        // Scan codes are written in hexadecimal: EV_MSC's MSC_RAW and MSC_SCAN.
        let value =
            if type == 4, code == 3 || code == 4 {
                line.hexadecimal(UInt32.self).map { Int32(bitPattern: $0) }
            } else {
                line.decimal(Int32.self)
            }
        guard let value, line.isAtEnd else { return nil }
        return .event(EvdevEvent(time: time, type: type, code: code, value: value))
    }

    /// Its name stands between dashes, pluses or arrows; older versions call the end of a frame `Report Sync`.
    private static func sync(_ line: LineCursor, _ time: Int64) -> Outcome? {
        let code: UInt16
        if line.find("SYN_REPORT") != nil || line.find("Report Sync") != nil {
            code = EvdevCode.report
        } else if line.find("SYN_MT_REPORT") != nil {
            code = EvdevCode.mtReport
        } else if line.find("SYN_DROPPED") != nil {
            code = EvdevCode.dropped
        } else {
            return line.find("SYN_CONFIG") != nil || line.find("Config Sync") != nil ? .sync : nil
        }
        return .event(EvdevEvent(time: time, type: EvdevCode.syn, code: code, value: 0))
    }

    // MARK: Description

    private mutating func readDescription(_ line: LineCursor) {
        guard !isDescribed else { return }
        var line = line
        if device == nil { device = EvdevDevice() }
        if line.take(word: "Input device ID:") {
            device?.bus = EvtestParser.id("bus 0x", line)
            device?.vendor = EvtestParser.id("vendor 0x", line)
            device?.product = EvtestParser.id("product 0x", line)
            device?.version = EvtestParser.id("version 0x", line)
        } else if line.take(word: "Input device name: \"") {
            var name = line.text(line.rest)
            if name.utf8.last == UInt8(ascii: "\"") { name.removeLast() }
            device?.name = name
        } else if line.take(word: "Event type ") {
            endAxis()
            type = line.decimal(UInt16.self)
        } else if line.take(word: "Event code ") {
            endAxis()
            guard let type, let code = line.decimal(UInt16.self) else { return }
            device?.add(EvdevCode(type, code))
            if type == EvdevCode.abs { axis = EvdevDevice.Axis(code, 0, 0) }
        } else if line.take(word: "Properties:") {
            endAxis()
            if device?.properties == nil { device?.properties = [] }
        } else if line.take(word: "Property type ") {
            if let property = line.decimal(UInt16.self) { device?.add(property: property) }
        } else if axis != nil {
            readAxis(&line)
        }
    }

    private static func id(_ word: StaticString, _ line: LineCursor) -> UInt16 {
        guard let place = line.find(word) else { return 0 }
        var line = line
        line.move(to: place + word.utf8CodeUnitCount)
        return line.hexadecimal(UInt16.self) ?? 0
    }

    private mutating func readAxis(_ line: inout LineCursor) {
        let word = line.text(line.word())
        line.skipBlanks()
        guard let value = line.decimal(Int32.self) else { return }
        switch word {
        case "Min": axis?.minimum = value
        case "Max": axis?.maximum = value
        case "Fuzz": axis?.fuzz = value
        case "Flat": axis?.flat = value
        case "Resolution": axis?.resolution = value
        default: break
        }
    }

    private mutating func endAxis() {
        if let axis { device?.add(axis) }
        axis = nil
    }
}
