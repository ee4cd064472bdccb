internal import Gestures

/// What libwayland writes with WAYLAND_DEBUG=1, of a client or of a compositor.
///
///     [1234567.890] {Default Queue} wl_touch#12.down(81, 1042, wl_surface#3, 0, 100.000, 50.500)
///
/// Queues are named since 1.22, `#` was `@` before 1.23. A compositor writes `->` before what it sends. The stamp in
/// brackets is when the line was written; the touch's own time is among the arguments. What else the apps write stands
/// in between.
struct WaylandDebugParser {
    private var copies = CopiedTouches()
    private var surfaces = LoggedSurfaces()
    /// The size that was told last.
    private var size: Size?

    /// Whether an object's message is in it.
    static func isMessage(_ line: LineCursor) -> Bool {
        var line = line
        while let place = line.find("wl_") {
            line.move(to: place)
            WaylandDebugParser.skipName(&line)
            guard number(&line) != nil, line.take(".") else { continue }
            WaylandDebugParser.skipName(&line)
            if line.take("(") { return true }
        }
        return false
    }

    private static func skipName(_ line: inout LineCursor) {
        while let next = line.next, next == UInt8(ascii: "_") || (0x61...0x7A).contains(next) { line.skip() }
    }

    /// Of the object whose name was just passed.
    private static func number(_ line: inout LineCursor) -> UInt32? {
        guard line.take("#") || line.take("@") else { return nil }
        return line.decimal(UInt32.self)
    }

    mutating func read(_ line: LineCursor, _ number: Int, into items: inout [RecordingItem]) {
        guard let place = line.find("wl_touch") else { return surfaces.read(line) }
        var line = line
        // An event for an object that is gone: the client has heard nothing of it.
        line.move(to: max(line.position, place - 10))
        let isDiscarded = line.starts(with: "discarded ")
        line.move(to: place + 8)
        // Without a number it is an interface's name, such as among the globals.
        guard let object = WaylandDebugParser.number(&line), !isDiscarded else { return }
        let device = "wl_touch#\(object)"
        guard line.take(".") else {
            // A new object under this number: what the last one left down has ended with it.
            if copies.end(object) {
                items.append(RecordingItem(line: number, .touch(TouchLine(.cancel, device: device))))
            }
            return
        }
        let start = line.position
        let message = line.text(line.word())
        guard line.take("("), let end = line.find(")") else {
            items.append(RecordingItem(line: number, .fault(.unreadable("a message without its arguments"))))
            return
        }
        var surface: UInt32?
        guard let touch = WaylandDebugParser.touch(message, &line, device, &surface) else {
            items.append(RecordingItem(line: number, .fault(.unreadable("wl_touch.\(message) has other arguments"))))
            return
        }
        if message == "release" {
            if !copies.end(object) { return }
        } else if copies.isCopy(touch.kind, of: object, line.hash(start..<end)) {
            return
        }
        tellSize(surface, number, &items)
        items.append(RecordingItem(line: number, .touch(touch)))
    }

    /// Before what comes down: how large what it is on is, where the log tells.
    private mutating func tellSize(_ surface: UInt32?, _ number: Int, _ items: inout [RecordingItem]) {
        guard let surface, let size = surfaces.size(of: surface), size != self.size else { return }
        self.size = size
        var line = TouchLine(.other("configure"))
        line.size = size
        items.append(RecordingItem(line: number, .touch(line)))
    }

    private static func touch(
        _ message: String, _ line: inout LineCursor, _ device: String, _ surface: inout UInt32?
    ) -> TouchLine? {
        switch message {
        case "frame": return TouchLine(.frame, device: device)
        case "cancel", "release": return TouchLine(.cancel, device: device)
        case "down":
            guard skip(&line), let time = line.decimal(UInt32.self), skip(&line) else { return nil }
            if line.take(word: "wl_surface") { surface = number(&line) }
            guard skip(&line), let id = line.decimal(Int32.self), skip(&line), let point = point(&line) else {
                return nil
            }
            return TouchLine(.down, device: device, id: id, time: time, place: .output(point))
        case "motion":
            guard let time = line.decimal(UInt32.self), skip(&line), let id = line.decimal(Int32.self), skip(&line),
                let point = point(&line)
            else { return nil }
            return TouchLine(.motion, device: device, id: id, time: time, place: .output(point))
        case "up":
            guard skip(&line), let time = line.decimal(UInt32.self), skip(&line), let id = line.decimal(Int32.self)
            else { return nil }
            return TouchLine(.up, device: device, id: id, time: time)
        case "shape":
            guard let id = line.decimal(Int32.self), skip(&line), let shape = point(&line) else { return nil }
            return TouchLine(.shape(major: shape.x, minor: shape.y), device: device, id: id)
        case "orientation":
            guard let id = line.decimal(Int32.self), skip(&line), let degrees = line.number() else { return nil }
            return TouchLine(.orientation(degrees: degrees), device: device, id: id)
        default: return nil
        }
    }

    /// Goes behind the next comma.
    private static func skip(_ line: inout LineCursor) -> Bool {
        guard let comma = line.find(",") else { return false }
        line.move(to: comma + 1)
        line.skipBlanks()
        return true
    }

    /// The last two arguments.
    private static func point(_ line: inout LineCursor) -> Point? {
        guard let x = line.number(), skip(&line), let y = line.number(), line.take(")") else { return nil }
        return Point(x: x, y: y)
    }
}
