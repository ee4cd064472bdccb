internal import Gestures
internal import Input
internal import Presentation
internal import Recording

/// The event log: each touch event and gesture as one line, for people or for machines.
///
/// The JSON schema is in the README and is kept for good: fields may be added, none is renamed or removed.
final class EventLog {
    let writer: any LineSink
    let format: LogFormat
    private let start: Instant
    /// Lines tell when their events came too, and their serials: what a recording needs and nobody reads in a log.
    let isRecording: Bool
    /// Those that a text has said.
    var saidFaults = SaidFaults()

    init(_ writer: any LineSink, format: LogFormat, start: Instant, isRecording: Bool = false) {
        self.writer = writer
        self.format = format
        self.start = start
        self.isRecording = isRecording
        writer.tellGaps { lines, why in EventLog.gap(lines, why, format) }
    }

    /// So many lines are missing.
    static func gap(_ lines: Int, _ why: String, _ format: LogFormat = .json) -> String {
        if format == .text { return "gap: \(lines) \(lines == 1 ? "line was" : "lines were") lost: \(why)\n" }
        var line = JSONLine(type: "gap")
        line.add("lines", lines)
        line.add("why", why)
        return line.line
    }

    /// The window shows a picture of a new size or scale: `ready` for the first, `configure` for those after it.
    func window(_ geometry: SurfaceGeometry, isFirst: Bool) {
        let size = geometry.logicalSize
        window(
            Size(width: Double(size.width), height: Double(size.height)), scale: geometry.scale.factor,
            isFirst ? "ready" : "configure")
    }

    /// A window of somebody else, which is touched now.
    func touchedWindow(_ size: Size, scale: Double) { window(size, scale: scale, "configure") }

    private func window(_ size: Size, scale: Double, _ name: String) {
        switch format {
        case .json:
            var line = JSONLine(type: name)
            line.add("width", size.width)
            line.add("height", size.height)
            line.add("scale", scale)
            writer.write(line.line)
        case .text:
            let scale = decimalText(scale, places: 4) ?? "?"
            writer.write("\(name): \(short(size.width))x\(short(size.height)) logical px at scale \(scale)\n")
        }
    }

    /// What the log of a recording that is played has for who plays that again; nothing for people.
    func tell(_ line: String) { if format == .json { writer.write(line) } }

    /// Of a window that nobody sees.
    func ready(_ size: Size) {
        switch format {
        case .json:
            var line = JSONLine(type: "ready")
            line.add("width", size.width)
            line.add("height", size.height)
            writer.write(line.line)
        case .text: writer.write("ready: \(short(size.width))x\(short(size.height)) logical px\n")
        }
    }

    /// - Parameters:
    ///   - device: the kernel's name of the touchscreen, where it is known.
    ///   - output: the one that a place is on, where there are several.
    ///   - surface: the number of the part of the window that a place is on, where they are told apart.
    func raw(
        _ event: RawTouchEvent, seat: String, device: String? = nil, output: String? = nil, surface: Int32? = nil
    ) {
        switch format {
        case .json:
            var line = line(event, seat, device, output)
            if line.place != nil { line.surface = surface }
            writer.write(line)
        case .text: writer.write(text(event, seat, output))
        }
    }

    /// What the pointer's primary button did, where a mouse stands in for a finger. Touches are logged raw.
    func pointer(_ frame: ContactFrame, seat: String, surface: Int32? = nil) {
        for change in frame.changes where change.contact.kind == .pointer {
            let position = change.contact.position
            switch format {
            case .json:
                var line = TouchLine(.pointer(change.phase), seat: seat, place: .output(position))
                line.surface = surface
                if isRecording { line.arrival = frame.arrival.nanoseconds / 1000 }
                writer.write(line)
            case .text: pointer(change.phase, at: position, seat: seat, frame.instant)
            }
        }
    }

    /// For people.
    func pointer(_ phase: ContactFrame.Phase, at position: Point, seat: String, _ instant: Instant) {
        writer.write(row(instant, seat, "pointer", "\(phase.name) at \(place(position))"))
    }

    // MARK: JSON

    private func line(_ event: RawTouchEvent, _ seat: String, _ device: String?, _ output: String?) -> TouchLine {
        var line =
            switch event.kind {
            case .down(let id, let time, let position, _):
                TouchLine(.down, seat: seat, id: id, time: time, place: .output(position))
            case .motion(let id, let time, let position):
                TouchLine(.motion, seat: seat, id: id, time: time, place: .output(position))
            case .up(let id, let time): TouchLine(.up, seat: seat, id: id, time: time)
            case .frame: TouchLine(.frame, seat: seat)
            case .cancel: TouchLine(.cancel, seat: seat)
            case .shape(let id, let major, let minor):
                TouchLine(.shape(major: major, minor: minor), seat: seat, id: id)
            case .orientation(let id, let degrees): TouchLine(.orientation(degrees: degrees), seat: seat, id: id)
            }
        line.device = device
        line.output = output
        if isRecording {
            line.serial = event.serial
            line.arrival = event.arrival.nanoseconds / 1000
        }
        return line
    }

    // MARK: Text

    private func text(_ event: RawTouchEvent, _ seat: String, _ output: String?) -> String {
        let on = output.map { ", \($0)" } ?? ""
        return switch event.kind {
        case .down(let id, _, let position, let target):
            row(
                event.arrival, seat, "down",
                "\(id) at \(place(position))\(target == nil ? ", not on our window" : on)")
        case .motion(let id, _, let position): row(event.arrival, seat, "motion", "\(id) at \(place(position))\(on)")
        case .up(let id, _): row(event.arrival, seat, "up", "\(id)")
        case .frame: row(event.arrival, seat, "frame", "")
        case .cancel: row(event.arrival, seat, "cancel", "")
        case .shape(let id, let major, let minor):
            row(event.arrival, seat, "shape", "\(id) \(short(major)) by \(short(minor))")
        case .orientation(let id, let degrees):
            row(event.arrival, seat, "orientation", "\(id) \(short(degrees)) degrees")
        }
    }

    /// Seconds since the start, the seat or `-` where nobody told it, the event's name in a column, the rest.
    func row(_ instant: Instant, _ seat: String, _ name: String, _ rest: String) -> String {
        let seconds = Double(instant.nanoseconds - start.nanoseconds) / 1e9
        let time = padded(EventLog.fixed(seconds), to: 9)
        let gap = String(repeating: " ", count: max(1, 12 - name.utf8.count))
        let seat = seat.isEmpty ? "-" : seat
        return printable(rest.isEmpty ? "\(time)  \(seat)  \(name)" : "\(time)  \(seat)  \(name)\(gap)\(rest)") + "\n"
    }

    /// Three decimals always, so that the column stays.
    static func fixed(_ seconds: Double) -> String {
        let milliseconds = Int64((max(0, seconds) * 1000).rounded())
        let tail = String(milliseconds % 1000)
        return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - tail.utf8.count) + tail
    }

    private func padded(_ text: String, to width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.utf8.count)) + text
    }

    func place(_ point: Point) -> String { "\(short(point.x)), \(short(point.y))" }

    func short(_ value: Double) -> String { decimalText(value, places: 2) ?? "?" }
}
