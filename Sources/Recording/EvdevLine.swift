/// The kernel's events of a touchscreen as JSON Lines: of a recording that has libinput's touches beside them.
///
///     {"type":"evdev-device","device":"event3","name":"Panel","bus":24,"vendor":1,"product":2,"version":3,
///      "properties":[1],"codes":[[1,330],[3,47,53,54,57]],"axes":[[47,0,9,0,0,0],[53,0,799,0,0,10]]}   (one line)
///     {"type":"evdev","device":"event3","time_us":1000000,"events":[[3,57,12],[3,53,400],[0,0,0]]}
///
/// `codes` has a list for each type: the type, then its codes. An axis is its code, range, fuzz, flat and resolution. An
/// `evdev` line has events of one stamp, up to the SYN_REPORT that ends their frame.
package enum EvdevLine {
    package static let deviceType = "evdev-device"
    package static let eventsType = "evdev"

    /// The device's description, which comes before its events.
    package static func description(_ device: EvdevDevice) -> String {
        var line = JSONLine(type: deviceType)
        if let node = device.node { line.add("device", node) }
        line.add("name", device.name)
        line.add("bus", device.bus)
        line.add("vendor", device.vendor)
        line.add("product", device.product)
        line.add("version", device.version)
        if let properties = device.properties { line.add("properties", properties.map { Int($0) }) }
        var codes: [[Int]] = []
        for code in device.codes {
            if codes.last?.first == Int(code.type) {
                codes[codes.count - 1].append(Int(code.code))
            } else {
                codes.append([Int(code.type), Int(code.code)])
            }
        }
        line.add("codes", codes)
        line.add(
            "axes",
            device.axes.map { axis in
                [Int(axis.code)]
                    + [axis.minimum, axis.maximum, axis.fuzz, axis.flat, axis.resolution].map { Int($0) }
            })
        return line.line
    }

    /// A line for each frame, and for each stamp within one.
    ///
    /// - Parameters:
    ///   - node: ``EvdevDevice/node``.
    ///   - arrival: CLOCK_MONOTONIC's μs when they were read; nil where nobody knows.
    ///   - isResumed: they say again what was before the file began.
    package static func lines(
        _ events: [EvdevEvent], node: String, arrival: Int64?, isResumed: Bool = false
    ) -> [String] {
        var lines: [String] = []
        var start = 0
        for index in events.indices {
            let event = events[index]
            let isLast = index == events.count - 1 || events[index + 1].time != event.time
            guard isLast || event.type == EvdevCode.syn && event.code == EvdevCode.report else { continue }
            var line = JSONLine(type: eventsType)
            line.add("device", node)
            line.add("time_us", event.time)
            line.add("events", events[start...index].map { [Int($0.type), Int($0.code), Int($0.value)] })
            if let arrival { line.add("arrival_us", arrival) }
            if isResumed { line.add("resumed", true) }
            lines.append(line.line)
            start = index + 1
        }
        return lines
    }

    /// The events that a line of them has; nil for any other, and for one that nobody wrote so.
    package static func events(of line: TouchLine) -> (node: String, events: [EvdevEvent])? {
        guard line.kind == .other(eventsType), let fields = line.fields, let node = fields["device"],
            let time = fields.field("time_us")?.whole(Int64.self), let lists = fields.field("events")?.lists
        else { return nil }
        var events: [EvdevEvent] = []
        for list in lists {
            guard list.count == 3, let type = UInt16(exactly: list[0]), let code = UInt16(exactly: list[1]),
                let value = Int32(exactly: list[2])
            else { return nil }
            events.append(EvdevEvent(time: time, type: type, code: code, value: value))
        }
        return (node, events)
    }
}

/// Reads such lines.
struct EvdevLineReader {
    private static let mostDevices = 64

    /// By their numbers.
    private var devices: [EvdevDevice] = []

    /// Lines of other types have nothing for it.
    mutating func read(
        _ fields: LineFields, _ line: Int, into items: inout [RecordingItem]
    ) throws(TouchLineError) {
        switch try fields.text("type") {
        case EvdevLine.deviceType: try readDevice(fields, line, &items)
        case EvdevLine.eventsType: try readEvents(fields, line, &items)
        default: break
        }
    }

    private mutating func readDevice(
        _ fields: LineFields, _ line: Int, _ items: inout [RecordingItem]
    ) throws(TouchLineError) {
        let type = EvdevLine.deviceType
        var device = EvdevDevice(name: try fields.text("name") ?? "")
        device.node = try fields.required("device", type, fields.text("device"))
        device.isBesideTouches = true
        device.bus = try fields.whole("bus", UInt16.self) ?? 0
        device.vendor = try fields.whole("vendor", UInt16.self) ?? 0
        device.product = try fields.whole("product", UInt16.self) ?? 0
        device.version = try fields.whole("version", UInt16.self) ?? 0
        if let field = fields.fields.field("properties") {
            guard let numbers = field.numbers else { throw .bad("properties", takes: "a list of numbers") }
            device.properties = []
            for number in numbers { if let code = UInt16(exactly: number) { device.add(property: code) } }
        }
        for list in try lists("codes", fields, UInt16.self) {
            for code in list.dropFirst() { device.add(EvdevCode(list[0], code)) }
        }
        for list in try lists("axes", fields, Int32.self) {
            guard list.count == 6, let code = UInt16(exactly: list[0]) else {
                throw .bad("axes", takes: "lists of code, range, fuzz, flat and resolution")
            }
            device.add(
                EvdevDevice.Axis(code, list[1], list[2], fuzz: list[3], flat: list[4], resolution: list[5]))
        }
        // Parts of a recording that follow each other describe it again.
        if devices.last(where: { $0.node == device.node }) == device { return }
        guard devices.count < EvdevLineReader.mostDevices else {
            let fault = RecordingFault.Kind.tooMany("devices", most: EvdevLineReader.mostDevices)
            return items.append(RecordingItem(line: line, .fault(fault)))
        }
        devices.append(device)
        items.append(RecordingItem(line: line, .device(device, number: devices.count - 1)))
    }

    private func readEvents(
        _ fields: LineFields, _ line: Int, _ items: inout [RecordingItem]
    ) throws(TouchLineError) {
        let type = EvdevLine.eventsType
        let node = try fields.required("device", type, fields.text("device"))
        let time = try fields.required("time_us", type, fields.whole("time_us", Int64.self))
        _ = try fields.required("events", type, fields.fields.field("events"))
        guard let device = devices.lastIndex(where: { $0.node == node }) else {
            throw .bad("device", takes: "one that a line before it describes")
        }
        for event in try lists("events", fields, Int32.self) {
            guard event.count == 3, let type = UInt16(exactly: event[0]), let code = UInt16(exactly: event[1]) else {
                throw .bad("events", takes: "lists of type, code and value")
            }
            items.append(
                RecordingItem(
                    line: line,
                    .event(EvdevEvent(time: time, type: type, code: code, value: event[2]), device: device)))
        }
    }

    /// Whole numbers; a list of none is left out. Nothing where there is no such field.
    private func lists<Number: FixedWidthInteger>(
        _ key: String, _ fields: LineFields, _: Number.Type
    ) throws(TouchLineError) -> [[Number]] {
        guard let field = fields.fields.field(key) else { return [] }
        guard let lists = field.lists else { throw .bad(key, takes: "a list of lists of numbers") }
        var result: [[Number]] = []
        for list in lists where !list.isEmpty {
            let numbers = list.compactMap { Number(exactly: $0) }
            guard numbers.count == list.count else {
                throw .bad(key, takes: "whole numbers from \(Number.min) to \(Number.max)")
            }
            result.append(numbers)
        }
        return result
    }
}
