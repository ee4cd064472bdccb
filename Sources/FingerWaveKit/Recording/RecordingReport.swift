internal import Gestures
internal import Recording

/// What `fingerwave info FILE` says of a recording, as text and as lines.
struct RecordingReport {
    let path: String
    let format: String
    /// The program that packed the file.
    let packing: String?
    let summary: RecordingSummary

    /// Reads the file to its end.
    init(path: String) throws(Failure) {
        var file = RecordingFile(path: path)
        var touches = RecordingTouches()
        var summary = RecordingSummary()
        var settled: [RecordingItem] = []
        try file.read { (item) throws(Failure) in
            summary.count(read: item)
            touches.handle(item, into: &settled)
            for item in settled { summary.count(settled: item) }
            settled.removeAll(keepingCapacity: true)
        }
        if let refusal = file.refusal(summary) { throw refusal }
        self.path = path
        format = file.reader.format?.name ?? "unknown"
        packing = file.reader.compression?.program
        self.summary = summary
    }

    // MARK: Text

    var text: String {
        let packed = packing.map { ", packed by \($0)" } ?? ""
        var text = "\(path): \(format)\(packed), \(summary.lineCount) lines\n"
        for device in summary.devices { text += "  " + words(device) + "\n" }
        for source in summary.sources { text += "  " + words(source) + "\n" }
        if summary.sources.isEmpty { text += "  no touches\n" }
        for fault in summary.faults {
            let count = fault.count > 1 ? " (\(fault.count) times)" : ""
            text += "\(path):\(fault.line): \(fault.kind.description)\(count)\n"
        }
        if summary.otherFaults > 0 { text += "and \(summary.otherFaults) more of other kinds\n" }
        return text
    }

    private func words(_ device: EvdevDevice) -> String {
        var words = device.node.map { "\($0): " } ?? ""
        words += device.name.isEmpty ? "(no name)" : device.name
        if let width = (device.axis(EvdevCode.positionX) ?? device.axis(EvdevCode.x))?.millimetres,
            let height = (device.axis(EvdevCode.positionY) ?? device.axis(EvdevCode.y))?.millimetres
        {
            words += ", \(decimal(width)) x \(decimal(height)) mm"
        }
        if let count = device.touchCount { words += ", \(count) touches" }
        return words
    }

    private func words(_ source: RecordingSummary.Source) -> String {
        var words = [source.seat, source.device].compactMap { $0 }.joined(separator: " ")
        if words.isEmpty { words = "touches" }
        words += ": \(source.contactCount) contacts, \(source.mostAtOnce) at once, \(source.cancelledCount) cancelled, "
        words += "\(source.leftDown.count) left down; \(source.frameCount) frames in \(decimal(source.duration)) s"
        if let rate = source.rate { words += ", \(decimal(rate)) a second while a finger moves" }
        return words
    }

    private func decimal(_ value: Double) -> String { decimalText(value, places: 1) ?? "?" }

    // MARK: JSON

    var json: String {
        var lines: [JSONLine] = []
        var recording = JSONLine(type: "recording")
        recording.add("file", path)
        recording.add("format", format)
        if let packing { recording.add("packed", packing) }
        recording.add("lines", summary.lineCount)
        recording.add("events", summary.eventCount)
        recording.add("contacts", summary.contactCount)
        recording.add("left_down", summary.leftDownCount)
        lines.append(recording)
        for device in summary.devices {
            var line = JSONLine(type: "described")
            if let node = device.node { line.add("device", node) }
            line.add("name", device.name)
            line.add("vendor", device.vendor)
            line.add("product", device.product)
            if let count = device.touchCount { line.add("touches", count) }
            lines.append(line)
        }
        lines += summary.sources.map(json)
        for fault in summary.faults {
            var line = JSONLine(type: "oddity")
            line.add("line", fault.line)
            line.add("what", fault.kind.description)
            line.add("count", fault.count)
            lines.append(line)
        }
        return lines.map { $0.line }.joined()
    }

    private func json(_ source: RecordingSummary.Source) -> JSONLine {
        var line = JSONLine(type: "touches")
        if let seat = source.seat { line.add("seat", seat) }
        if let device = source.device { line.add("device", device) }
        line.add("contacts", source.contactCount)
        line.add("most", source.mostAtOnce)
        line.add("cancelled", source.cancelledCount)
        line.add("left_down", source.leftDown.sorted().map { Int($0) })
        line.add("frames", source.frameCount)
        line.add("duration", source.duration)
        if let rate = source.rate { line.add("rate", rate) }
        return line
    }
}
