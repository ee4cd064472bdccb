package import Gestures

/// Writes a script for touch-stage.
///
/// It takes lines that fit together, as ``RecordingTouches`` makes them.
package struct StageScriptWriter {
    private struct Contact {
        var device, seat: String?
        var id: Int32
        /// In the script, where all contacts are of one seat.
        var number: Int
    }

    /// Ends all contacts at once and needs no frame.
    private static let cancelled = "cancel\n"

    package private(set) var losses: [RecordingLoss] = []
    /// Of the stage's screen, in logical px.
    private var size: Size
    /// Nobody said it: what the recording says of its window counts.
    private let isSizeRecorded: Bool
    /// Somebody did, or the recording.
    private var isSizeKnown: Bool
    private var contacts: [Contact] = []
    private var source: (device: String?, seat: String?)?
    /// ms of the last command.
    private var time: UInt32?
    private var isFrameOpen = false

    /// - Parameter size: nil: as large as what was touched, else ``RecordingConverter/stageSize``.
    package init(size: Size?) {
        self.size = size ?? RecordingConverter.stageSize
        isSizeRecorded = size == nil
        isSizeKnown = size != nil
    }

    /// Without a window there is nothing to touch.
    package var header: String { "# For touch-stage --size \(whole(size.width))x\(whole(size.height))\nwait-window\n" }

    /// A stage ends with its script: the client is to have got all of it by then.
    static let end = "sync\n"

    package mutating func text(_ line: TouchLine) -> String {
        switch line.kind {
        case .device, .tool, .pointer: return ""
        case .other:
            if isSizeRecorded, let size = line.size {
                self.size = size
                isSizeKnown = true
            }
            return ""
        case .frame:
            isFrameOpen = false
            return "frame\n"
        case .down, .motion, .up, .cancel, .shape, .orientation: break
        }
        if let source {
            if source != (line.device, line.seat) { lose(.severalSources) }
        } else {
            source = (line.device, line.seat)
        }
        let command = command(line)
        guard !command.isEmpty else { return "" }
        // Sleeping within a frame would tear it: a later time closes one whose end did not come.
        let pause = sleep(line.time)
        let frame = isFrameOpen && !pause.isEmpty ? "frame\n" : ""
        isFrameOpen = command != StageScriptWriter.cancelled
        return frame + pause + command
    }

    private mutating func lose(_ loss: RecordingLoss) { if !losses.contains(loss) { losses.append(loss) } }

    private mutating func sleep(_ stamp: UInt32?) -> String {
        guard let stamp else { return "" }
        defer { time = stamp }
        guard let time, stamp != time else { return "" }
        return "sleep \(stamp &- time)\n"
    }

    /// Its own, unless another source's contact has it.
    private func number(for id: Int32) -> Int {
        if !contacts.contains(where: { $0.number == Int(id) }) { return Int(id) }
        return (0...contacts.count).first { number in !contacts.contains { $0.number == number } } ?? 0
    }

    private func index(of line: TouchLine) -> Int? {
        contacts.firstIndex { $0.id == line.id && $0.device == line.device && $0.seat == line.seat }
    }

    private mutating func command(_ line: TouchLine) -> String {
        switch line.kind {
        case .down:
            guard let id = line.id, index(of: line) == nil else { return "" }
            if !isSizeKnown { lose(.assumedSize(width: Int(size.width), height: Int(size.height))) }
            let number = number(for: id)
            contacts.append(Contact(device: line.device, seat: line.seat, id: id, number: number))
            return "down \(number) \(place(line.place))\n"
        case .cancel: return cancel(line)
        default: break
        }
        guard let index = index(of: line) else { return "" }
        let number = contacts[index].number
        switch line.kind {
        case .motion: return "move \(number) \(place(line.place))\n"
        case .up:
            contacts.remove(at: index)
            return "up \(number)\n"
        case .shape(let major, let minor): return "shape \(number) \(decimal(major)) \(decimal(minor))\n"
        case .orientation(let degrees): return "orientation \(number) \(decimal(degrees))\n"
        default: return ""
        }
    }

    /// wl_touch cancels all contacts or none.
    private mutating func cancel(_ line: TouchLine) -> String {
        let ended = contacts.filter {
            (line.id == nil || line.id == $0.id) && (line.device == nil || line.device == $0.device)
                && (line.seat == nil || line.seat == $0.seat)
        }
        guard !ended.isEmpty else { return "" }
        if ended.count == contacts.count {
            contacts = []
            return StageScriptWriter.cancelled
        }
        lose(.cancels)
        var text = ""
        for contact in ended {
            contacts.removeAll { $0.number == contact.number }
            text += "up \(contact.number)\n"
        }
        return text
    }

    private func place(_ place: TouchLine.Place?) -> String {
        switch place {
        case .output(let point): "\(decimal(point.x)) \(decimal(point.y))"
        case .panel(let point): "\(decimal(point.x * size.width)) \(decimal(point.y * size.height))"
        case nil: "0 0"
        }
    }

    /// Places travel as 24.8 fixed-point numbers: three digits tell them apart.
    private func decimal(_ value: Double) -> String { decimalText(value, places: 3) ?? "0" }

    private func whole(_ value: Double) -> String { decimalText(value, places: 0) ?? "0" }
}
