internal import Gestures

/// What `libinput debug-events` writes.
///
///     -event3   DEVICE_ADDED     Goodix Touch      seat0 default group1  cap:t  size 154x86mm
///      event3   TOUCH_DOWN       +1.250s	0 (0) 25.00/50.00 (38.50/43.00mm)
///
/// A dash marks another device than before. Behind the time: slot and seat slot, then the place in hundredths of the
/// panel and in mm. A slot of -1 is a panel that tells of one touch. Newer versions count the events before the time.
struct DebugEventsParser {
    private static let mostDevices = 64

    private var devices: [(name: String, seat: String?)] = []

    static func isEvent(_ line: LineCursor) -> Bool {
        var line = line
        guard device(&line) != nil else { return false }
        for word in ["DEVICE_", "TOUCH_", "POINTER_", "KEYBOARD_", "GESTURE_", "TABLET_", "SWITCH_"] as [StaticString]
        where line.starts(with: word) { return true }
        return false
    }

    private static func device(_ line: inout LineCursor) -> Range<Int>? {
        line.skipBlanks()
        _ = line.take("-")
        guard line.starts(with: "event") else { return nil }
        let device = line.word()
        line.skipBlanks()
        return device
    }

    mutating func read(_ line: LineCursor, _ number: Int, into items: inout [RecordingItem]) {
        var line = line
        line.trimEnd()
        guard let node = DebugEventsParser.device(&line) else { return }
        let device = line.text(node)
        let type = line.text(line.word())
        switch type {
        case "DEVICE_ADDED", "DEVICE_REMOVED":
            let change = change(of: device, isThere: type == "DEVICE_ADDED", line)
            if let change { items.append(RecordingItem(line: number, .touch(change))) }
        case "TOUCH_DOWN", "TOUCH_MOTION", "TOUCH_UP", "TOUCH_CANCEL", "TOUCH_FRAME":
            guard var touch = DebugEventsParser.touch(type, device, &line) else {
                items.append(RecordingItem(line: number, .fault(.unreadable("\(type) has other arguments"))))
                return
            }
            touch.seat = devices.first { $0.name == device }?.seat
            items.append(RecordingItem(line: number, .touch(touch)))
        default: break
        }
    }

    /// Nil for what is no touchscreen.
    private mutating func change(of device: String, isThere: Bool, _ line: LineCursor) -> TouchLine? {
        var line = line
        line.skipBlanks()
        if let place = line.find("cap:") {
            var capabilities = line
            capabilities.move(to: place + 4)
            let word = capabilities.word()
            guard capabilities.text(word).utf8.contains(UInt8(ascii: "t")) else { return nil }
        }
        var facts = TouchLineDevice(isThere ? .added : .removed)
        var seat: String?
        if let place = line.find(" seat") {
            var name = line
            name.move(to: place + 1)
            seat = name.text(name.word())
            facts.name = DebugEventsParser.trimmed(line.text(line.position..<place))
        }
        if let place = line.find(" size ") {
            line.move(to: place + 6)
            if let width = line.number(), line.take("x"), let height = line.number(), line.take(word: "mm") {
                facts.millimetres = Size(width: width, height: height)
            }
        }
        if let place = line.find(" ntouches ") {
            line.move(to: place + 10)
            if let count = line.decimal(Int32.self), count > 0 { facts.touchCount = count }
        }
        if let index = devices.firstIndex(where: { $0.name == device }) {
            facts.number = Int32(index)
            devices[index].seat = seat ?? devices[index].seat
        } else if devices.count < DebugEventsParser.mostDevices {
            facts.number = Int32(devices.count)
            devices.append((device, seat))
        }
        return TouchLine(.device(facts), seat: seat, device: device)
    }

    private static func trimmed(_ text: String) -> String {
        var cursor = LineCursor(text)
        cursor.skipBlanks()
        cursor.trimEnd()
        return cursor.text(cursor.rest)
    }

    private static func touch(_ type: String, _ device: String, _ line: inout LineCursor) -> TouchLine? {
        guard let plus = line.find("+") else { return nil }
        line.move(to: plus + 1)
        line.skipBlanks()
        guard let microseconds = line.seconds(), line.take("s") else { return nil }
        let time = UInt32(truncatingIfNeeded: microseconds / 1000)
        line.skipBlanks()
        if type == "TOUCH_FRAME" { return TouchLine(.frame, device: device, time: time) }
        guard let slot = line.decimal(Int32.self) else { return nil }
        line.skipBlanks()
        if line.take("(") {
            guard line.decimal() != nil, line.take(")") else { return nil }
            line.skipBlanks()
        }
        switch type {
        case "TOUCH_UP": return TouchLine(.up, device: device, id: slot, time: time)
        case "TOUCH_CANCEL": return TouchLine(.cancel, device: device, id: slot, time: time)
        default:
            guard let u = line.number(), line.take("/") else { return nil }
            line.skipBlanks()
            guard let v = line.number() else { return nil }
            return TouchLine(
                type == "TOUCH_DOWN" ? .down : .motion, device: device, id: slot, time: time,
                place: .panel(Point(x: u / 100, y: v / 100)))
        }
    }
}
