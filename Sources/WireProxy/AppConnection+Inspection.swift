internal import Gestures
internal import Input
internal import Inspection
internal import Ripples

/// The inspector's labels above an app's windows. Each window has an inspector of its own, and what its heading counts is
/// what this window was touched with. They are there as long as something else of ours is: an untouched window has none.
extension AppConnection {
    /// What the inspector of a window goes by is another.
    func fitInspector(of window: Window) {
        guard window.ripples.style.kind == .inspect else { return window.inspector = nil }
        if window.inspector != nil { return }
        var inspector = TouchInspector()
        inspector.showsPhotons = asksPresentation
        for seat in watch?.seats ?? [] {
            let live = seat.liveContacts.filter { $0.target == Int(window.overlay.root) }
            inspector.adopt(live, seat: seat.global, name: seat.name, at: clock())
        }
        window.inspector = inspector
    }

    /// What is there to be touched, before a touch on it.
    func tellWindow(_ target: Int?) {
        guard let tell = reports.onTouchedWindow, let target, let size = scene.size(of: UInt32(target)) else { return }
        tell(target, size, Double(scale120(of: UInt32(target))) / 120)
    }

    func isTouched(_ root: UInt32) -> Bool {
        watch?.seats.contains { $0.liveContacts.contains { $0.target == Int(root) } } ?? false
    }

    func inspect(_ event: RawTouchEvent, _ seat: SeatWatch.Seat) {
        let stamp: UInt32
        switch event.kind {
        case .down(_, let time, _, _), .motion(_, let time, _), .up(_, let time): stamp = time
        case .frame, .cancel, .shape, .orientation: return
        }
        for (root, window) in windows where window.inspector != nil {
            guard event.targets(among: seat.liveContacts).contains(Int(root)) else { continue }
            window.inspector?.touch(stamp: stamp, arrival: event.arrival, seat: seat.global, name: seat.name)
        }
    }

    func inspect(_ frame: ContactFrame, _ seat: SeatWatch.Seat) {
        for (root, window) in windows where window.inspector != nil {
            var part = frame
            part.changes.removeAll { $0.contact.target != Int(root) }
            if part.changes.isEmpty { continue }
            window.inspector?.handle(part, seat: seat.global, name: seat.name)
            window.inspector?.setFaults(seat.contacts.touchFaults, seat: seat.global, name: seat.name)
        }
    }

    /// Adds the labels to what a window shows.
    func appendLabels(of window: Window, to shapes: inout [Shape], at now: Instant) {
        guard var inspector = window.inspector, !shapes.isEmpty || inspector.contactCount > 0 else { return }
        for label in inspector.labels(at: now) { shapes.append(.label(label)) }
        window.inspector = inspector
    }

    /// When a window's labels have something new to say though nothing happens. While a picture is awaited that one's time
    /// counts.
    func labelDeadline(of window: Window) -> Instant? {
        guard let inspector = window.inspector, inspector.contactCount > 0, !isPaused, window.overlay.deadline == nil,
            scene.bounds(of: window.overlay.root) != nil
        else { return nil }
        return inspector.nextDeadline
    }

    /// A picture that shows something else is about to go out: returns whom to tell what becomes of it, if it is asked about
    /// for the touches that it shows.
    func willCommit(_ root: UInt32, at now: Instant) -> ((PresentationOutcome) -> Void)? {
        guard let window = windows[root] else { return nil }
        let shown = window.inspector?.commit(at: now)
        let source = asksPresentation ? objects.clock.source : .unasked
        window.inspector?.photonSource = source
        let tell = reports.onCommit(Int(root), source)
        if !asksPresentation || shown == nil && tell == nil { return nil }
        // Of this window, also when its number is another's by then.
        // SAFETY: `end()` and deinit end what waits for the answer.
        return { [unowned(unsafe) self] outcome in
            if let shown { window.inspector?.answer(shown, outcome) }
            unsafe self.hasNews = true
            tell?(outcome)
        }
    }

    /// After the turn's picture, if there was one: touches that it does not show changed nothing.
    func inspectPicture(of window: Window) {
        if !window.overlay.isBehind {
            window.inspector?.nothingChanged()
            reports.onUpToDate(Int(window.overlay.root))
        }
        guard let failure = window.overlay.textFailure, !saysTextFailure else { return }
        saysTextFailure = true
        reports.onNote("no labels are shown: \(failure)")
    }
}
