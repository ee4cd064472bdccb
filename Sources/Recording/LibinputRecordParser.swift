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
    /// the same again and are passed over. Each device has its own list, so that times go back where the next one
    /// begins.
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

        mutating func read(_ line: LineCursor, _ number: Int, into items: inout [RecordingItem]) {
            var start = line
            start.skipBlanks()
            guard !start.isAtEnd, start.next != UInt8(ascii: "#") else { return }
            guard let yaml = YAMLLine(line) else {
                // A report descriptor's list goes on in the lines below.
                if start.starts(with: "hid:") { section = .none }
                if section != .none { refuse("a line that is no YAML", number, &items) }
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
                if yaml.isEntry, key != "node" {
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
        }

        // MARK: Description

        private mutating func readKey(
            _ key: String, _ yaml: YAMLLine, _ line: Int, _ items: inout [RecordingItem]
        ) {
            switch key {
            case "version" where number < 0 && section == .none && yaml.indent == 0:
                if yaml.value != .scalar("1") {
                    refuse("a version of libinput record's that is not known", line, &items)
                }
            case "node" where yaml.isEntry: begin(yaml, line, &items)
            case "evdev" where number >= 0: section = .description
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
