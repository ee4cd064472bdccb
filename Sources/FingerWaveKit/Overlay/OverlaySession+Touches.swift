internal import Gestures
internal import Input
internal import Recording
internal import Ripples
internal import TouchDevices

/// Touches, from what the source says to the gestures that are shown.
extension OverlaySession {
    func add(_ device: TouchDevice) {
        devices.removeAll { StreamKey($0) == StreamKey(device) }
        devices.append(device)
        log?.device(.added, device, at: clock())
        mapDevices()
    }

    func remove(_ device: TouchDevice) {
        devices.removeAll { StreamKey($0) == StreamKey(device) }
        mappings[StreamKey(device)] = nil
        remarks.forget(StreamKey(device))
        log?.device(.removed, device, at: clock())
        guard let index = streams.firstIndex(where: { $0.key == StreamKey(device) }) else { return }
        let stream = streams.remove(at: index)
        let now = clock()
        stream.end(arrival: now) { handle($0, stream) }
        deliver(stream.recognizer.advance(to: Instant(nanoseconds: .max)), stream)
        inspection?.removeSeat(stream)
    }

    /// So many lines are kept while the compositor tells what there is: a start takes milliseconds.
    private static let mostEarly = 4096

    /// What came while the compositor told what there is happened all the same.
    func handleEarly() {
        let lines = early
        early.removeAll()
        for (line, arrival) in lines { handle(line, arrival: arrival) }
        if endsEarly { endTouches() }
    }

    /// One event of the source, which the program got at `arrival`.
    func handle(_ line: TouchLine, arrival: Instant) {
        guard isRunning else {
            if early.count < OverlaySession.mostEarly { early.append((line, arrival)) }
            return
        }
        guard let stream = stream(StreamKey(line)) else { return remarks.tellTooMany() }
        let time = stream.stamp(line.time, arrival: arrival)
        var spot: Spot?
        switch (line.kind, line.id) {
        case (.down, let id?):
            spot = self.spot(of: line)
            tellIfNowhere(line, spot)
            if let spot {
                let target = Int(spot.output.global)
                note(.down(id: id, time: time, position: spot.position, target: target), stream, spot, arrival)
                fit(stream, to: spot.output)
            } else {
                log?.nowhere(line, at: arrival)
            }
        case (.motion, let id?):
            spot = self.spot(of: line, isBound: false)
            // Its output has gone, and its contact with it.
            guard let spot else { return log?.nowhere(line, at: arrival) ?? () }
            note(.motion(id: id, time: time, position: spot.position), stream, spot, arrival)
        case (.up, let id?): note(.up(id: id, time: time), stream, nil, arrival)
        case (.shape(let major, let minor), let id?):
            note(.shape(id: id, major: major, minor: minor), stream, nil, arrival)
        case (.orientation(let degrees), let id?):
            note(.orientation(id: id, degrees: degrees), stream, nil, arrival)
        case (.frame, _): note(.frame, stream, nil, arrival)
        case (.tool(let tool), _):
            return handle(tool, line, stream, time, arrival)
        case (.pointer(let phase), _):
            spot = self.spot(of: line, isBound: phase == .began)
            guard let spot else { return log?.nowhere(line, at: arrival) ?? () }
            if phase == .began {
                tellIfNowhere(line, spot)
                fit(stream, to: spot.output)
            }
        case (.cancel, let id?): log?.cancel(id, stream.key, at: arrival)
        case (.cancel, nil):
            // Without a device it is the whole seat's.
            for other in streams where other.key.seat == stream.key.seat {
                guard stream.key.device == nil || other === stream else { continue }
                note(.cancel, other, nil, arrival)
                take(line, other, time, nil, arrival)
            }
            return
        case (.down, nil), (.motion, nil), (.up, nil), (.shape, nil), (.orientation, nil), (.device, _), (.other, _):
            return
        }
        take(line, stream, time, spot, arrival)
    }

    private func take(_ line: TouchLine, _ stream: TouchStream, _ time: UInt32, _ spot: Spot?, _ arrival: Instant) {
        let target = spot.map { Int($0.output.global) }
        stream.handle(line, time: time, at: spot?.position, target: target, arrival: arrival) { handle($0, stream) }
    }

    /// A pen, on the output that its lines name, or else on the first one: where it comes near has no place yet.
    private func handle(
        _ tool: ToolLine, _ line: TouchLine, _ stream: TouchStream, _ time: UInt32, _ arrival: Instant
    ) {
        guard let output = output(of: line) else { return log?.nowhere(line, at: arrival) ?? () }
        if tool.event == .motion { fit(stream, to: output) }
        let position = spot(of: line, isBound: false)?.position
        let target = Int(output.global)
        if let event = RawToolEvent(line, time: time, at: position, target: target, arrival: arrival) {
            log?.tool(event, seat: stream.key.seat)
        }
        stream.handle(line, time: time, at: position, target: target, arrival: arrival) { handle($0, stream) }
    }

    /// What no frame has closed by the end of a turn, and what time alone has made of it.
    func endStreamTurns(_ now: Instant) {
        for stream in streams {
            stream.endTurn(arrival: now) { handle($0, stream) }
            if let deadline = stream.recognizer.nextDeadline, deadline <= now {
                deliver(stream.recognizer.advance(to: now), stream)
            }
        }
    }

    /// The source says nothing any more: what is down is over.
    func endTouches() {
        guard isRunning else {
            endsEarly = true
            return
        }
        let now = clock()
        for stream in streams {
            stream.end(arrival: now) { handle($0, stream) }
            deliver(stream.recognizer.advance(to: Instant(nanoseconds: .max)), stream)
            inspection?.removeSeat(stream)
        }
        streams.removeAll()
    }

    /// An output is gone, and with it what was on it.
    func end(contactsOn output: UInt32, of stream: TouchStream) {
        stream.endContacts(target: Int(output), arrival: clock()) { handle($0, stream) }
        stream.recognizer.setSurfaceSize(nil, target: Int(output))
        if stream.fittedTo == output { stream.fittedTo = nil }
    }

    /// Nil for one too many.
    private func stream(_ key: StreamKey) -> TouchStream? {
        if let stream = streams.first(where: { $0.key == key }) { return stream }
        guard streams.count < RecordedStreams.most else { return nil }
        let stream = TouchStream(
            key, number: streamCount, configuration: settings.gestures.configuration(pixelsPerMillimetre: nil))
        streamCount += 1
        streams.append(stream)
        return stream
    }

    /// Tells the recogniser how large its distances and the output are.
    private func fit(_ stream: TouchStream, to output: OutputFacts) {
        stream.recognizer.setSurfaceSize(output.logicalSize, target: Int(output.global))
        guard stream.fittedTo != output.global else { return }
        stream.fittedTo = output.global
        stream.recognizer.configuration = settings.gestures.configuration(
            pixelsPerMillimetre: output.pixelsPerMillimetre)
    }

    private func handle(_ frame: ContactFrame, _ stream: TouchStream) {
        log?.pointer(frame, seat: stream.key.seat)
        inspection?.handle(frame, stream)
        deliver(stream.recognizer.handle(frame), stream)
    }

    private func deliver(_ gestures: [Gesture], _ stream: TouchStream) {
        guard !gestures.isEmpty else { return }
        for gesture in gestures {
            counts.count(gesture)
            log?.gesture(gesture, seat: stream.key.seat)
        }
        inspection?.handle(gestures, stream)
        guard !isPaused else { return }
        let now = clock()
        for screen in screens {
            let own = gestures.filter { $0.target == Int(screen.global) }
            if !own.isEmpty { screen.handle(own, at: now) }
        }
    }

    // MARK: Places

    /// A place on an output, in its logical px.
    struct Spot {
        var output: OutputFacts
        var position: Point
    }

    /// Nil where there is no output.
    ///
    /// - Parameter isBound: the place must be on the output: a contact that began there may leave it.
    private func spot(of line: TouchLine, isBound: Bool = true) -> Spot? {
        let spot: Spot?
        switch line.place {
        case .output(let position): spot = output(of: line).map { Spot(output: $0, position: position) }
        case .panel(let fraction):
            guard case .output(let global, _)? = mapping(of: line),
                let facts = outputs.facts(global: global), let size = facts.logicalSize
            else { return nil }
            spot = Spot(
                output: facts, position: PanelPlace.onOutput(fraction, transform: facts.transform, size: size))
        case nil: spot = nil
        }
        guard let spot, let size = spot.output.logicalSize else { return nil }
        return !isBound || PanelPlace.isWithin(spot.position, size) ? spot : nil
    }

    /// What places in logical px are on.
    private func output(of line: TouchLine) -> OutputFacts? {
        if let name = line.output ?? settings.overlay.output { outputs.facts(named: name) } else { outputs.first }
    }

    /// A touch that nobody can see is told of: once for each output.
    private func tellIfNowhere(_ line: TouchLine, _ spot: Spot?) {
        if let spot, let alone = settings.overlay.output, spot.output.name != alone {
            remarks.tellNowhere(spot.output.label, "--output draws on \(alone) alone")
        } else if spot == nil, case .output? = line.place, let name = line.output, outputs.facts(named: name) == nil {
            remarks.tellNowhere(name, "there is no such output")
        }
    }

    /// A touchscreen that told nothing of itself is taken for what its lines say.
    private func mapping(of line: TouchLine) -> OutputMapping.Decision? {
        let key = StreamKey(line)
        if let known = mappings[key] { return known }
        let device = TouchDevice(
            number: 0, name: "", sysname: line.device ?? "", path: "", vendor: 0, product: 0, seat: key.seat,
            millimetres: nil, outputName: line.output, calibration: nil, touchCount: nil)
        let decision = decide(device)
        remark(device, decision)
        return decision
    }

    /// Decides anew where every touchscreen lies, and says what has changed.
    func mapDevices() {
        guard isRunning else { return }
        let old = mappings
        mappings.removeAll()
        for device in devices { decide(device) }
        for (key, decision) in old where mappings[key] != decision {
            // Its places are another output's now.
            guard let stream = streams.first(where: { $0.key == key }) else { continue }
            for screen in screens { end(contactsOn: screen.global, of: stream) }
        }
        for device in devices where old[StreamKey(device)] != mappings[StreamKey(device)] { tell(device) }
    }

    @discardableResult
    private func decide(_ device: TouchDevice) -> OutputMapping.Decision {
        let decision = OutputMapping.decide(device, outputs: outputs.all, rules: settings.mapping.map)
        mappings[StreamKey(device)] = decision
        return decision
    }

    private func tell(_ device: TouchDevice) {
        guard let decision = mappings[StreamKey(device)] else { return }
        log?.mapping(device, decision, outputs.all)
        remark(device, decision)
    }

    private func remark(_ device: TouchDevice, _ decision: OutputMapping.Decision) {
        let (name, why) = decision.words(outputs.all)
        // What is a guess, or no good, is said to everybody.
        let isSure = if case .output(_, let reason) = decision { !reason.isGuess } else { false }
        let isSilent = isSure && !settings.run.isVerbose
        let label = device.label.isEmpty ? "a touchscreen without a name" : device.label
        remarks.tell(StreamKey(device), "\(label) lies on \(name ?? "no output"): \(why)", isSilent: isSilent)
    }

    private func note(
        _ kind: RawTouchEvent.Kind, _ stream: TouchStream, _ spot: Spot?, _ arrival: Instant
    ) {
        let event = RawTouchEvent(kind: kind, arrival: arrival)
        log?.raw(event, seat: stream.key.seat, device: stream.key.device, output: spot?.output.name)
        inspection?.raw(event, stream)
    }
}
