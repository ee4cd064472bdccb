internal import Gestures
internal import Input
internal import Recording
internal import TouchDevices

/// What `ctl status` tells of an overlay.
extension OverlaySession {
    /// `line` with what concerns all of it, then a line for each output and touchscreen.
    func status(_ line: JSONLine) -> [String] {
        var line = line
        line.add("contacts", streams.reduce(0) { $0 + $1.contactCount })
        line.add("touches", counts.touches)
        line.add("cancelled", counts.cancelled)
        line.add("taps", counts.taps)
        line.add("gestures", counts.gestures)
        line.add("faults", streams.reduce(0) { $0 + $1.contacts.tracker.faults.total })
        return [line.line] + screens.map(screenLine) + devices.map(deviceLine)
    }

    private func screenLine(_ screen: OverlayOutput) -> String {
        var line = screen.facts.json
        line.add("mapped", screen.isMapped)
        return line.line
    }

    private func deviceLine(_ device: TouchDevice) -> String {
        var line = JSONLine(type: "device")
        line.add("device", device.sysname)
        line.add("name", device.name)
        line.add("seat", device.seat)
        if let words = mappings[StreamKey(device)]?.words(outputs.all) {
            if let output = words.output { line.add("output", output) }
            line.add("why", words.why)
        }
        return line.line
    }
}
