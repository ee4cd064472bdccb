/// evemu's descriptions and events, versions 1.0 to 1.3.
///
/// A device is described by lines of a letter each: `N:` its name, `I:` its ids, `P:` and `B:` bit masks, `A:` an axis;
/// `E:` is an event: its time in seconds, type and code in hexadecimal, its value in decimal, padded with zeros behind
/// the sign. `L:` and `S:` tell of lights and switches. Comments begin with `#`.
struct EvemuParser {
    private static let mostDevices = 64

    private var device: EvdevDevice?
    /// Those that were described, and the one whose events come.
    private var devices: [EvdevDevice] = []
    private var number = 0
    private var hasEvents = false
    /// The one that was described last, until its first event.
    private var untouched: EvdevDevice?
    /// Bytes of masks that came so far: of `P:`, and of `B:` for the type it began with.
    private var propertyBytes = 0
    private var maskType: UInt16 = 0
    private var maskBytes = 0

    mutating func read(_ line: LineCursor, _ number: Int, into items: inout [RecordingItem]) {
        var line = line
        line.skipBlanks()
        guard let letter = line.next else { return }
        guard line.byte(at: 1) == UInt8(ascii: ":") else {
            if letter != UInt8(ascii: "#") { refuse("neither a comment nor a letter with its colon", number, &items) }
            return
        }
        line.skip(2)
        if letter == UInt8(ascii: "E") {
            if device != nil { describe(number, &items) }
            if !hasEvents {
                hasEvents = true
                untouched = nil
            }
            guard let event = (unsafe line.withRest(EvemuParser.plainEvent)) ?? EvemuParser.event(&line) else {
                refuse("an event is TIME TYPE CODE VALUE", number, &items)
                return
            }
            items.append(RecordingItem(line: number, .event(event, device: self.number)))
            return
        }
        if hasEvents, letter == UInt8(ascii: "N") || letter == UInt8(ascii: "I") {
            // Another file of evemu's begins.
            hasEvents = false
            items.append(RecordingItem(line: number, .run))
        }
        readDescription(letter, &line, number, &items)
    }

    mutating func finish(_ line: Int, into items: inout [RecordingItem]) {
        if device != nil { describe(line, &items) }
    }

    private func refuse(_ what: String, _ line: Int, _ items: inout [RecordingItem]) {
        items.append(RecordingItem(line: line, .fault(.unreadable(what))))
    }

    private mutating func describe(_ line: Int, _ items: inout [RecordingItem]) {
        guard let device else { return }
        self.device = nil
        // What evemu-describe printed, before a recording that describes it too.
        if device == untouched { return }
        untouched = device
        if let index = devices.firstIndex(of: device) {
            number = index
        } else {
            guard devices.count < EvemuParser.mostDevices else {
                items.append(RecordingItem(line: line, .fault(.tooMany("devices", most: EvemuParser.mostDevices))))
                return
            }
            number = devices.count
            devices.append(device)
        }
        items.append(RecordingItem(line: line, .device(device, number: number)))
    }

    // MARK: Events

    /// An event just as evemu-record writes it: one blank between its parts, six digits of a second, four of type and
    /// code. Nil for every other, which ``event(_:)`` reads or refuses.
    private static func plainEvent(_ bytes: UnsafeRawBufferPointer) -> EvdevEvent? {
        // SAFETY: every index is held below `end` first.
        let end = bytes.count
        guard end > 20, unsafe bytes[0] == 0x20 else { return nil }
        var index = 1
        var seconds: Int64 = 0
        // As many as seconds may have: see LineCursor.seconds().
        while index < 12 {
            let digit = unsafe bytes[index] &- 0x30
            guard digit < 10 else { break }
            seconds = seconds &* 10 &+ Int64(digit)
            index += 1
        }
        guard index > 1, end - index > 18, unsafe bytes[index] == UInt8(ascii: ".") else { return nil }
        var fraction: Int64 = 0
        for place in index + 1...index + 6 {
            let digit = unsafe bytes[place] &- 0x30
            guard digit < 10 else { return nil }
            fraction = fraction &* 10 &+ Int64(digit)
        }
        index += 7
        guard let type = unsafe fourDigits(bytes, index), let code = unsafe fourDigits(bytes, index + 5),
            unsafe bytes[index + 10] == 0x20
        else { return nil }
        index += 11
        guard index < end else { return nil }
        let isNegative = unsafe bytes[index] == UInt8(ascii: "-")
        if isNegative { index += 1 }
        let first = index
        var value: Int64 = 0
        while index < end, index - first < 12 {
            let digit = unsafe bytes[index] &- 0x30
            guard digit < 10 else { break }
            value = value &* 10 &+ Int64(digit)
            index += 1
        }
        guard index > first, index == end || (unsafe bytes[index] == 0x09),
            let value = Int32(exactly: isNegative ? -value : value)
        else { return nil }
        while index < end, unsafe bytes[index] == 0x09 { index += 1 }
        guard index == end || (unsafe bytes[index] == UInt8(ascii: "#")) else { return nil }
        return EvdevEvent(time: seconds &* 1_000_000 &+ fraction, type: type, code: code, value: value)
    }

    /// A blank at `index` and four hexadecimal digits behind it.
    private static func fourDigits(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> UInt16? {
        // SAFETY: the caller knows that eleven bytes follow `index`.
        guard unsafe bytes[index] == 0x20 else { return nil }
        var number: UInt16 = 0
        for place in index + 1...index + 4 {
            let byte = unsafe bytes[place]
            var digit = byte &- 0x30
            if digit > 9 {
                // Lower case; what is no letter of it ends beyond 15.
                digit = byte &- 0x57
                guard digit > 9, digit < 16 else { return nil }
            }
            number = number &<< 4 | UInt16(digit)
        }
        return number
    }

    private static func event(_ line: inout LineCursor) -> EvdevEvent? {
        line.skipBlanks()
        guard let time = line.seconds() else { return nil }
        line.skipBlanks()
        guard let type = line.hexadecimal(), type <= 0xFFFF else { return nil }
        line.skipBlanks()
        guard let code = line.hexadecimal(), code <= 0xFFFF else { return nil }
        line.skipBlanks()
        guard let value = line.decimal(), let value = Int32(exactly: value) else { return nil }
        line.skipBlanks()
        guard line.isAtEnd || line.next == UInt8(ascii: "#") else { return nil }
        return EvdevEvent(
            time: time, type: UInt16(truncatingIfNeeded: type), code: UInt16(truncatingIfNeeded: code), value: value)
    }

    // MARK: Description

    private mutating func readDescription(
        _ letter: UInt8, _ line: inout LineCursor, _ number: Int, _ items: inout [RecordingItem]
    ) {
        line.skipBlanks()
        switch letter {
        case UInt8(ascii: "N"):
            // A second one begins another device's file.
            if device != nil { describe(number, &items) }
            line.trimEnd()
            device = EvdevDevice(name: line.text(line.rest))
            propertyBytes = 0
            maskBytes = 0
        case UInt8(ascii: "I"): if !readIDs(&line) { refuse("I: takes four numbers", number, &items) }
        case UInt8(ascii: "P"): if !readProperties(&line) { refuse("P: takes bytes", number, &items) }
        case UInt8(ascii: "B"): if !readMask(&line) { refuse("B: takes a type and bytes", number, &items) }
        case UInt8(ascii: "A"):
            if !readAxis(&line) { refuse("A: takes a code, its range, fuzz, flat and resolution", number, &items) }
        case UInt8(ascii: "L"), UInt8(ascii: "S"): break
        default: refuse("no letter of evemu's", number, &items)
        }
    }

    private mutating func readIDs(_ line: inout LineCursor) -> Bool {
        var ids: [UInt16] = []
        while ids.count < 4, let id = EvemuParser.hexadecimal(&line, UInt16.self) { ids.append(id) }
        guard ids.count == 4 else { return false }
        var device = device ?? EvdevDevice()
        (device.bus, device.vendor, device.product, device.version) = (ids[0], ids[1], ids[2], ids[3])
        self.device = device
        return true
    }

    private mutating func readProperties(_ line: inout LineCursor) -> Bool {
        var device = device ?? EvdevDevice()
        if device.properties == nil { device.properties = [] }
        var hasBytes = false
        while let byte = EvemuParser.hexadecimal(&line, UInt8.self) {
            for bit in 0..<8 where byte >> bit & 1 == 1 && propertyBytes < 4 {
                device.add(property: UInt16(propertyBytes * 8 + bit))
            }
            propertyBytes += 1
            hasBytes = true
        }
        self.device = device
        return hasBytes
    }

    private mutating func readMask(_ line: inout LineCursor) -> Bool {
        guard let type = EvemuParser.hexadecimal(&line, UInt8.self) else { return false }
        if maskType != UInt16(type) {
            maskType = UInt16(type)
            maskBytes = 0
        }
        var device = device ?? EvdevDevice()
        while let byte = EvemuParser.hexadecimal(&line, UInt8.self) {
            for bit in 0..<8 where byte >> bit & 1 == 1 && maskBytes < 0x60 {
                device.add(EvdevCode(maskType, UInt16(maskBytes * 8 + bit)))
            }
            maskBytes += 1
        }
        self.device = device
        return true
    }

    /// Until version 1.1 without a resolution.
    private mutating func readAxis(_ line: inout LineCursor) -> Bool {
        guard let code = EvemuParser.hexadecimal(&line, UInt16.self) else { return false }
        var values: [Int32] = []
        while values.count < 5 {
            line.skipBlanks()
            guard let value = line.decimal(Int32.self) else { break }
            values.append(value)
        }
        guard values.count >= 4 else { return false }
        var device = device ?? EvdevDevice()
        device.add(
            EvdevDevice.Axis(
                code, values[0], values[1], fuzz: values[2], flat: values[3],
                resolution: values.count > 4 ? values[4] : 0))
        self.device = device
        return true
    }

    private static func hexadecimal<Number: FixedWidthInteger>(_ line: inout LineCursor, _: Number.Type) -> Number? {
        line.skipBlanks()
        return line.hexadecimal(Number.self)
    }
}
