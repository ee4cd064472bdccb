internal import Gestures
internal import Input
internal import Presentation
internal import Recording
internal import TouchDevices
internal import WaylandProtocols

/// What is recorded of a window session: its touches, and what is known of where they came from.
final class WindowRecording {
    let log: EventLog
    private let target: any RecordingTarget
    /// The touchscreens of the machine, as far as udev tells; none is opened.
    private let devices: [ListedDevice]
    /// Seats and outputs as they were told last, each by a name of its own.
    private var told: [(key: String, line: String)] = []
    /// Seats or outputs may have changed.
    var isStale = true

    init(_ target: any RecordingTarget, devices: [ListedDevice], start: Instant) {
        self.target = target
        self.devices = devices
        log = EventLog(target, format: .json, start: start, isRecording: true)
    }

    /// All that a file of it begins with, but for the first line.
    func opening(of session: WindowSession) -> String {
        guard !told.isEmpty, session.isRunning else { return "" }
        var text = facts(of: session)
        if let geometry = session.reported {
            let size = Size(width: Double(geometry.logicalSize.width), height: Double(geometry.logicalSize.height))
            var line = TouchLine(.other("configure"))
            line.size = size
            text += line.json
        }
        return text
    }

    /// What the compositor has, for the recording's beginning.
    func facts(of session: WindowSession) -> String {
        var report = InfoReport()
        report.layerShell = session.globals.all.first { $0.interface == "zwlr_layer_shell_v1" }?.version
        report.globals = session.globals.all.map {
            CompositorSurvey.Global(interface: $0.interface, version: $0.version)
        }
        report.seats = session.seats.map {
            CompositorSurvey.Seat(name: $0.input.name, capabilities: $0.input.capabilities)
        }
        report.outputs = session.outputs.all
        report.devices = devices
        return report.json
    }

    /// Writes the facts once they are known, and later what has changed of them.
    func endTurn(_ session: WindowSession) {
        guard isStale, session.isRunning else { return }
        isStale = false
        let isFirst = told.isEmpty
        var now: [(key: String, line: String)] = []
        for seat in session.seats {
            let facts = CompositorSurvey.Seat(name: seat.input.name, capabilities: seat.input.capabilities)
            now.append(("seat \(seat.global)", facts.json.line))
        }
        for output in session.outputs.all { now.append(("output \(output.global)", output.json.line)) }
        defer { told = now }
        if isFirst { return target.writeFacts(facts(of: session)) }
        for old in told where !now.contains(where: { $0.key == old.key }) {
            // The line itself says whose end it is.
            target.writeFacts(String(old.line.dropLast(2)) + ",\"removed\":true}\n")
        }
        for new in now where !told.contains(where: { $0 == new }) { target.writeFacts(new.line) }
    }
}
