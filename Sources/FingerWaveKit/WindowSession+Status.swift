internal import Gestures
internal import Input
internal import Presentation
internal import Recording
internal import WaylandProtocols

/// What `ctl status` tells of a window.
extension WindowSession {
    /// `line` with what concerns the window, then a line for each seat and output.
    func status(_ line: JSONLine) -> [String] {
        var line = line
        line.add("uptime", (Double(clock().nanoseconds - start.nanoseconds) / 1e8).rounded() / 10)
        line.add("paused", isPaused)
        line.add("held", isHeld)
        line.add("style", settings.text(of: "style") ?? "wave")
        if let geometry = window?.presenter.geometry {
            line.add("width", geometry.logicalSize.width)
            line.add("height", geometry.logicalSize.height)
            line.add("scale", geometry.scale.factor)
        }
        line.add("contacts", contactSources.reduce(0) { $0 + $1.liveContacts.count })
        line.add("touches", counts.touches)
        line.add("cancelled", counts.cancelled)
        line.add("taps", counts.taps)
        line.add("gestures", counts.gestures)
        line.add("faults", contactSources.reduce(0) { $0 + $1.touchFaults.total })
        return [line.line] + seats.map(seatLine) + outputs.all.map { $0.json.line }
    }

    private func seatLine(_ seat: SessionSeat) -> String {
        var line = CompositorSurvey.Seat(name: seat.input.name, capabilities: seat.input.capabilities).json
        line.add("contacts", seat.input.liveContacts.count)
        return line.line
    }
}

extension OutputFacts {
    var json: JSONLine {
        var line = JSONLine(type: "output")
        line.add("name", name)
        line.add("width", width)
        line.add("height", height)
        line.add("scale", scale)
        line.add("transform", transform)
        line.add("millimetres", "\(physicalWidth)x\(physicalHeight)")
        return line
    }
}
