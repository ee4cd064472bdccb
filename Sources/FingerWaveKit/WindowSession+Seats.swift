internal import Gestures
internal import Input
internal import Presentation
internal import Ripples
internal import WaylandClient
internal import WaylandProtocols

/// Seats, and where their gestures go.
extension WindowSession {
    func addSeat(_ global: Globals.Global) {
        guard let proxy = globals.bind(global, WlSeat.self, versions: SeatInput.versions) else { return }
        if settings.run.isVerbose, let shortcoming = seatShortcoming(version: proxy.version) {
            complain("fingerwave: \(shortcoming)\n")
        }
        let input = SeatInput(
            seat: proxy, fallbackName: "seat\(seatCount)", touch: SourceID(rawValue: 3 * seatCount),
            pointer: SourceID(rawValue: 3 * seatCount + 1), pen: SourceID(rawValue: 3 * seatCount + 2),
            surfaces: targets, tablets: tablets, cursors: cursors, clock: clock)
        seatCount += 1
        let seat = SessionSeat(
            global: global.name, input: input, configuration: settings.gestures.configuration(pixelsPerMillimetre: nil))
        seats.append(seat)
        fit(seat)
        input.onProblem = { problem in complain("fingerwave: \(problem.description)\n") }
        // SAFETY: see the type's comment. A seat's handlers end with it, and it is kept in `seats` until then.
        input.onKey = { [unowned(unsafe) self] key in unsafe self.act(on: key) }
        input.onChange = { [unowned(unsafe) self] in unsafe self.recording?.isStale = true }
        // A recording is shown as it is: what is touched meanwhile is none of it.
        if replay != nil { return }
        input.onRaw = { [unowned(unsafe) self, unowned(unsafe) seat] event in
            unsafe self.log?.raw(event, seat: seat.input.name)
            unsafe self.recording?.log.raw(event, seat: seat.input.name)
            unsafe self.inspection?.raw(event, seat)
        }
        input.onTool = { [unowned(unsafe) self, unowned(unsafe) seat] event in
            unsafe self.log?.tool(event, seat: seat.input.name)
            unsafe self.recording?.log.tool(event, seat: seat.input.name)
        }
        input.onFrame = { [unowned(unsafe) self, unowned(unsafe) seat] frame in
            unsafe self.log?.pointer(frame, seat: seat.input.name)
            unsafe self.recording?.log.pointer(frame, seat: seat.input.name)
            unsafe self.inspection?.handle(frame, seat)
            unsafe self.deliver(seat.recognizer.handle(frame), from: seat)
        }
    }

    /// Ends a seat's contacts, and its objects; taps that waited for another one are said.
    func end(_ seat: SessionSeat) {
        seat.input.remove(arrival: clock())
        deliver(seat.recognizer.advance(to: Instant(nanoseconds: .max)), from: seat)
    }

    /// What an older seat costs; each version lacks what the ones below it lack too.
    private func seatShortcoming(version: UInt32) -> String? {
        switch version {
        case 1: "wl_seat 1: no seat names, no pointer frames, no shape of a touch"
        case 2...4: "wl_seat \(version): no pointer frames, no shape of a touch"
        case 5: "wl_seat 5: no shape or orientation of a touch"
        default: nil
        }
    }

    /// What a panel without a touchscreen costs; nil where there is one. A recording brings its own touches.
    var touchShortcoming: String? {
        if replay != nil || seats.contains(where: { $0.input.capabilities.contains(.touch) }) { return nil }
        if seats.isEmpty { return "no wl_seat: no touches and no clicks" }
        return "no seat has touch: only clicks are shown until there is a touchscreen"
    }

    func deliver(_ gestures: [Gesture], from seat: any ContactSource) {
        guard !gestures.isEmpty else { return }
        for gesture in gestures { counts.count(gesture) }
        if !isPaused { ripples.handle(gestures, at: clock()) }
        inspection?.handle(gestures, seat)
        if let log {
            for gesture in gestures { log.gesture(gesture, seat: seat.name) }
        }
    }

    /// The window's size or its output has changed.
    func fitSeats() {
        for seat in seats { fit(seat) }
        fitReplay()
        fitLook()
    }

    /// Tells a seat's recogniser how large its distances and the window are.
    func fit(_ seat: SessionSeat) {
        guard let window, let geometry = window.presenter.geometry else { return }
        seat.recognizer.configuration = settings.gestures.configuration(
            pixelsPerMillimetre: window.pixelsPerMillimetre)
        let size = Size(width: Double(geometry.logicalSize.width), height: Double(geometry.logicalSize.height))
        seat.recognizer.setSurfaceSize(size, target: targets.register(window.surface))
    }
}
