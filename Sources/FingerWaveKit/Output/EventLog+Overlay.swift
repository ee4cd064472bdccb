internal import Gestures
internal import Presentation
internal import Recording
internal import TouchDevices

/// What an overlay says beside the touches: where it shows them.
extension EventLog {
    /// It is connected, and knows its outputs.
    func overlayReady(_ outputs: [OutputFacts]) {
        switch format {
        case .json:
            var line = JSONLine(type: "ready")
            let list = outputs.map { facts in
                var line = JSONLine()
                line.add("name", facts.name)
                line.add("width", facts.logicalSize?.width ?? 0)
                line.add("height", facts.logicalSize?.height ?? 0)
                return line
            }
            line.add("outputs", list)
            writer.write(line.line)
        case .text: writer.write("ready: " + outputs.map { $0.label }.joined(separator: ", ") + "\n")
        }
    }

    /// An output's surface shows a picture of a new size or scale.
    func overlay(_ output: String, _ geometry: SurfaceGeometry) {
        let (width, height) = (geometry.logicalSize.width, geometry.logicalSize.height)
        switch format {
        case .json:
            var line = JSONLine(type: "configure")
            line.add("output", output)
            line.add("width", width)
            line.add("height", height)
            line.add("scale", geometry.scale.factor)
            writer.write(line.line)
        case .text:
            let scale = decimalText(geometry.scale.factor, places: 4) ?? "?"
            writer.write("configure: \(output), \(width)x\(height) logical px at scale \(scale)\n")
        }
    }

    func mapping(_ device: TouchDevice, _ decision: OutputMapping.Decision, _ outputs: [OutputFacts]) {
        let (name, why) = decision.words(outputs)
        switch format {
        case .json:
            var line = JSONLine(type: "mapping")
            line.add("seat", device.seat)
            line.add("device", device.sysname)
            if let name { line.add("output", name) }
            line.add("why", why)
            writer.write(line.line)
        case .text: writer.write("mapping: \(device.label) lies on \(name ?? "no output"): \(why)\n")
        }
    }

    /// A contact began or moved where no output is.
    func nowhere(_ line: TouchLine, at instant: Instant) {
        switch format {
        case .json: writer.write(line.json)
        case .text:
            let id = line.id.map { "\($0)" } ?? "?"
            writer.write(row(instant, line.seat ?? "", line.kind.name, "\(id), on no output"))
        }
    }

    /// One contact was taken away.
    func cancel(_ id: Int32, _ key: StreamKey, at instant: Instant) {
        switch format {
        case .json:
            var line = TouchLine(.cancel, seat: key.seat, device: key.device, id: id)
            if isRecording { line.arrival = instant.nanoseconds / 1000 }
            writer.write(line)
        case .text: writer.write(row(instant, key.seat, "cancel", "\(id)"))
        }
    }
}
