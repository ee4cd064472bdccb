internal import Gestures
internal import Input
internal import Recording
internal import TouchDevices

/// Touchscreens and what they say, before any compositor.
extension EventLog {
    func device(_ event: TouchLineDevice.Event, _ device: TouchDevice, at now: Instant) {
        switch format {
        case .json: writer.write(DeviceLine.line(event, device))
        case .text:
            let name = event == .added ? "added" : "removed"
            writer.write(row(now, device.seat, name, "\(device.sysname): \(DeviceLine.words(device))"))
        }
    }

    /// One event as its source told it.
    func touch(_ line: TouchLine, at arrival: Instant) {
        switch format {
        case .json: writer.write(line)
        case .text:
            let time = line.time ?? 0
            let position = if case .output(let point) = line.place { point } else { Point.zero }
            if case .pointer(let phase) = line.kind {
                return pointer(phase, at: position, seat: line.seat ?? "", arrival)
            }
            if let event = RawToolEvent(line, time: time, at: position, target: 0, arrival: arrival) {
                return tool(event, seat: line.seat ?? "")
            }
            let words = [line.device, line.id.map { "\($0)" }, words(of: line)].compactMap { $0 }
            writer.write(row(arrival, line.seat ?? "", line.kind.name, words.joined(separator: " ")))
        }
    }

    /// Ends all contacts that a reader of the log may hold to be down.
    func lostTouches(of device: TouchDevice, at now: Instant) {
        switch format {
        case .json: writer.write(TouchLine(.cancel, seat: device.seat, device: device.sysname).json)
        case .text: writer.write(row(now, device.seat, "cancel", "\(device.sysname) all: lines were lost"))
        }
    }

    private func words(of line: TouchLine) -> String? {
        switch line.kind {
        case .shape(let major, let minor): return "\(short(major)) by \(short(minor))"
        case .orientation(let degrees): return "\(short(degrees)) degrees"
        default: break
        }
        return switch line.place {
        case .panel(let point): "at \(panelPlace(point))"
        case .output(let point): "at \(place(point))" + (line.output.map { ", \($0)" } ?? "")
        case nil: nil
        }
    }

    /// Fine enough for panels of 10000 px.
    private func panelPlace(_ point: Point) -> String {
        "\(decimalText(point.x, places: 4) ?? "?"), \(decimalText(point.y, places: 4) ?? "?")"
    }
}

/// A touchscreen and its touches as lines.
enum DeviceLine {
    static func line(_ event: TouchLineDevice.Event, _ device: TouchDevice) -> TouchLine {
        let facts = TouchLineDevice(
            event, number: device.number, name: device.name, millimetres: device.millimetres,
            calibration: device.calibration, touchCount: device.touchCount)
        return TouchLine(.device(facts), seat: device.seat, device: device.sysname, output: device.outputName)
    }

    /// `time` is the kernel's stamp in ms, modulo 2^32, as wl_touch has it.
    static func touch(_ kind: DeviceTouch.Kind, of device: TouchDevice) -> TouchLine {
        func line(_ kind: TouchLine.Kind, _ id: Int32, _ microseconds: UInt64, _ place: Point? = nil) -> TouchLine {
            TouchLine(
                kind, seat: device.seat, device: device.sysname, id: id,
                time: UInt32(truncatingIfNeeded: microseconds / 1000), place: place.map { .panel($0) })
        }
        return switch kind {
        case .down(let id, let microseconds, let place): line(.down, id, microseconds, place)
        case .motion(let id, let microseconds, let place): line(.motion, id, microseconds, place)
        case .up(let id, let microseconds): line(.up, id, microseconds)
        case .cancel(let id, let microseconds): line(.cancel, id, microseconds)
        case .frame: TouchLine(.frame, seat: device.seat, device: device.sysname)
        }
    }

    /// What it is, for people.
    static func words(_ device: TouchDevice) -> String {
        var text = device.name.isEmpty ? "a touchscreen" : device.name
        if !device.path.isEmpty { text += ", \(device.path)" }
        if device.vendor != 0 || device.product != 0 { text += ", \(device.ids)" }
        if let size = device.millimetres {
            text += ", \(decimalText(size.width, places: 0) ?? "?") x \(decimalText(size.height, places: 0) ?? "?") mm"
        }
        if let count = device.touchCount { text += count == 1 ? ", 1 touch" : ", \(count) touches" }
        if let output = device.outputName { text += ", for \(output)" }
        if let matrix = device.calibration {
            text += ", calibrated by " + matrix.map { decimalText($0, places: 4) ?? "?" }.joined(separator: " ")
        }
        return text
    }
}
