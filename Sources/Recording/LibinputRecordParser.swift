#if YAML
    /// The YAML of `libinput record`: a list of devices, each with its description and a list of frames.
    ///
    ///     devices:
    ///     - node: /dev/input/event3
    ///       evdev:
    ///         name: "Panel"
    ///         codes:
    ///           3: [0, 1, 47] # EV_ABS
    ///         absinfo:
    ///           47: [0, 9, 0, 0, 0]
    ///       events:
    ///       - evdev:
    ///         - [  0,      0,   3,  57,      12] # EV_ABS / ABS_MT_TRACKING_ID
    ///
    /// An event is its seconds, microseconds, type, code and value. Frames may be libinput's own events too, which tell
    /// the same again and are passed over, as reports of HID are. Each device has its own list, so that times go back
    /// where the next one begins: ``MergedDevices`` puts them in their order, where the file can be read in several places.
    ///
    /// libyaml reads every line but those of events that look as libinput record writes them: it takes 20 times as long,
    /// and nearly all lines are such.
    struct LibinputRecordParser {
        private static let mostDevices = 64

        private enum Section: Equatable {
            case none, description, codes, axes, events
        }

        private var device: EvdevDevice?
        private var number = -1
        private var section = Section.none
        /// The frame's events are evdev's.
        private var isEvdev = false
        /// One that can be touched has had events.
        private var hasTouches = false
        private var hasSaidInTurn = false

        /// - Parameter device: so many come before it.
        init(from device: Int = 0) { number = device - 1 }

        mutating func read(_ line: LineCursor, _ number: Int, into items: inout [RecordingItem]) {
            var start = line
            start.skipBlanks()
            guard !start.isAtEnd, start.next != UInt8(ascii: "#") else { return }
            if section == .events, readPlain(start, number, &items) { return }
            guard let yaml = YAMLLine(line) else {
                // A report descriptor's list goes on in the lines below.
                if start.starts(with: "hid:") { section = .none }
                let isWanted = section == .events ? isEvdev || start.next == UInt8(ascii: "-") : section != .none
                if isWanted { refuse("a line that is no YAML", number, &items) }
                return
            }
            guard let key = yaml.key else {
                if section == .events, isEvdev, yaml.isEntry { readEvent(yaml, number, &items) }
                return
            }
            switch section {
            case .codes, .axes:
                if readNumbers(key, yaml, number, &items) { return }
                section = .description
            case .events:
                // Frames stand within their device, which is an entry itself.
                if yaml.isEntry, key != "node", yaml.indent > 0 {
                    isEvdev = key == "evdev"
                    return
                }
            case .none, .description: break
            }
            readKey(key, yaml, number, &items)
        }

        mutating func finish(_ line: Int, into items: inout [RecordingItem]) { describe(line, &items) }

        private func refuse(_ what: String, _ line: Int, _ items: inout [RecordingItem]) {
            items.append(RecordingItem(line: line, .fault(.unreadable(what))))
        }

        private mutating func describe(_ line: Int, _ items: inout [RecordingItem]) {
            guard let device else { return }
            self.device = nil
            items.append(RecordingItem(line: line, .device(device, number: number)))
            guard EvdevDecoder.announcement(of: device, number: number) != nil else { return }
            if hasTouches, !hasSaidInTurn {
                hasSaidInTurn = true
                items.append(RecordingItem(line: line, .fault(.devicesInTurn)))
            }
            hasTouches = true
        }

        // MARK: Description

        private mutating func readKey(
            _ key: String, _ yaml: YAMLLine, _ line: Int, _ items: inout [RecordingItem]
        ) {
            switch key {
            case "version" where !yaml.isEntry && yaml.indent == 0:
                if number >= 0 {
                    // Another recording in the same file.
                    describe(line, &items)
                    self = LibinputRecordParser()
                    items.append(RecordingItem(line: line, .run))
                }
                if yaml.value != .scalar("1") {
                    refuse("a version of libinput record's that is not known", line, &items)
                }
            case "node" where yaml.isEntry: begin(yaml, line, &items)
            case "evdev" where yaml.isEntry || number >= 0:
                // A device whose file is not told.
                if yaml.isEntry { begin(yaml, line, &items) }
                section = .description
            case "hid", "udev", "quirks", "libinput", "system": section = .none
            case "events" where number >= 0:
                describe(line, &items)
                section = .events
                isEvdev = false
            case _ where section == .description: readFact(key, yaml, line, &items)
            default: break
            }
        }

        private mutating func begin(_ yaml: YAMLLine, _ line: Int, _ items: inout [RecordingItem]) {
            describe(line, &items)
            section = .none
            guard number + 1 < LibinputRecordParser.mostDevices else {
                items.append(
                    RecordingItem(line: line, .fault(.tooMany("devices", most: LibinputRecordParser.mostDevices))))
                return
            }
            number += 1
            var device = EvdevDevice()
            // Of "evdev" it is the description that follows.
            if case .scalar(let path) = yaml.value {
                device.node = path.split(separator: "/").last.map { String($0) }
            }
            self.device = device
        }

        private mutating func readFact(
            _ key: String, _ yaml: YAMLLine, _ line: Int, _ items: inout [RecordingItem]
        ) {
            switch (key, yaml.value) {
            case ("name", .scalar(let name)): device?.name = name
            case ("id", .list(let texts)):
                let ids = texts.compactMap { whole($0, UInt16.self) }
                guard ids.count == 4, texts.count == 4 else { return refuse("an id is four numbers", line, &items) }
                device?.bus = ids[0]
                device?.vendor = ids[1]
                device?.product = ids[2]
                device?.version = ids[3]
            case ("codes", .none): section = .codes
            case ("absinfo", .none): section = .axes
            case ("properties", .list(let texts)):
                device?.properties = []
                for text in texts { if let property = whole(text, UInt16.self) { device?.add(property: property) } }
            default: break
            }
        }

        /// Codes and axes by their number; false for a key that ends their list.
        private mutating func readNumbers(
            _ key: String, _ yaml: YAMLLine, _ line: Int, _ items: inout [RecordingItem]
        ) -> Bool {
            guard let code = whole(key, UInt16.self), case .list(let texts) = yaml.value else { return false }
            if section == .codes {
                for text in texts { if let value = whole(text, UInt16.self) { device?.add(EvdevCode(code, value)) } }
                return true
            }
            let values = texts.compactMap { whole($0, Int32.self) }
            guard values.count == 5, texts.count == 5 else {
                refuse("an axis is its range, fuzz, flat and resolution", line, &items)
                return true
            }
            device?.add(
                EvdevDevice.Axis(
                    code, values[0], values[1], fuzz: values[2], flat: values[3], resolution: values[4]))
            return true
        }

        private func whole<Number: FixedWidthInteger>(_ text: String, _: Number.Type) -> Number? {
            var cursor = LineCursor(text)
            guard let number = cursor.decimal(Number.self), cursor.isAtEnd else { return nil }
            return number
        }

        // MARK: Events

        /// False for a line that libyaml is to read.
        private mutating func readPlain(
            _ start: LineCursor, _ number: Int, _ items: inout [RecordingItem]
        ) -> Bool {
            var line = start
            guard line.take(word: "- ") else { return false }
            switch line.next {
            case UInt8(ascii: "["):
                guard isEvdev, let event = unsafe line.withRest(LibinputRecordParser.plainEvent) else { return false }
                items.append(RecordingItem(line: number, .event(event, device: self.number)))
                return true
            case UInt8(ascii: "{"):
                line.trimEnd()
                return !isEvdev && line.byte(at: line.rest.count - 1) == UInt8(ascii: "}")
            default:
                let hasEvdev = line.take(word: "evdev:")
                guard hasEvdev || line.take(word: "libinput:") else { return false }
                line.skipBlanks()
                guard line.isAtEnd else { return false }
                isEvdev = hasEvdev
                return true
            }
        }

        /// An event from its bracket on, just as libinput record writes it, with or without what it says behind it. Nil
        /// for every other, which libyaml reads and ``readEvent(_:_:_:)`` takes or refuses.
        private static func plainEvent(_ bytes: UnsafeRawBufferPointer) -> EvdevEvent? {
            // SAFETY: every index is held below the end first.
            let end = bytes.count
            var index = 1
            guard let seconds = unsafe plainNumber(bytes, &index, before: ","), seconds >= 0,
                let microseconds = unsafe plainNumber(bytes, &index, before: ","),
                (0..<1_000_000).contains(microseconds),
                let type = unsafe plainNumber(bytes, &index, before: ","), let type = UInt16(exactly: type),
                let code = unsafe plainNumber(bytes, &index, before: ","), let code = UInt16(exactly: code),
                let value = unsafe plainNumber(bytes, &index, before: "]"), let value = Int32(exactly: value)
            else { return nil }
            let behind = index
            while index < end, unsafe bytes[index] == 0x20 || bytes[index] == 0x0D { index += 1 }
            guard index == end || (index > behind && (unsafe bytes[index] == UInt8(ascii: "#"))) else { return nil }
            return EvdevEvent(
                time: seconds &* 1_000_000 &+ microseconds, type: type, code: code, value: value)
        }

        /// At most eleven digits, with blanks around them, and what ends them, which is passed.
        private static func plainNumber(
            _ bytes: UnsafeRawBufferPointer, _ index: inout Int, before mark: Unicode.Scalar
        ) -> Int64? {
            // SAFETY: every index is held below the end first.
            let end = bytes.count
            while index < end, unsafe bytes[index] == 0x20 { index += 1 }
            guard index < end else { return nil }
            let isNegative = unsafe bytes[index] == UInt8(ascii: "-")
            if isNegative { index += 1 }
            let first = index
            var value: Int64 = 0
            while index < end, index - first < 11 {
                let digit = unsafe bytes[index] &- 0x30
                guard digit < 10 else { break }
                value = value &* 10 &+ Int64(digit)
                index += 1
            }
            guard index > first else { return nil }
            while index < end, unsafe bytes[index] == 0x20 { index += 1 }
            guard index < end, unsafe bytes[index] == UInt8(ascii: mark) else { return nil }
            index += 1
            return isNegative ? -value : value
        }

        private func readEvent(_ yaml: YAMLLine, _ line: Int, _ items: inout [RecordingItem]) {
            guard case .list(let texts) = yaml.value, texts.count == 5,
                let seconds = whole(texts[0], Int64.self), (0..<100_000_000_000).contains(seconds),
                let microseconds = whole(texts[1], Int64.self), (0..<1_000_000).contains(microseconds),
                let type = whole(texts[2], UInt16.self), let code = whole(texts[3], UInt16.self),
                let value = whole(texts[4], Int32.self)
            else { return refuse("an event is its seconds, microseconds, type, code and value", line, &items) }
            items.append(
                RecordingItem(
                    line: line,
                    .event(
                        EvdevEvent(time: seconds * 1_000_000 + microseconds, type: type, code: code, value: value),
                        device: number)))
        }
    }
#endif
