internal import Gestures
internal import Ripples
internal import WireTables

/// What is heard of touches, at once or when the next picture can be shown.
extension AppConnection {
    /// Hears what has waited. Before anything else that depends on where the contacts are.
    func catchUp() {
        mayWait = false
        if !backlog.isEmpty { hearBacklog() }
    }

    /// Never inlined: many call it.
    @inline(never)
    private func hearBacklog() {
        hasNews = true
        var waiting = TouchBacklog()
        swap(&waiting, &backlog)
        waiting.empty { event, arrival in
            switch event {
            case .message(let message, let object, let words):
                // SAFETY: the reader does not outlive the call.
                unsafe withUnsafeBytes(of: words) { bytes in
                    unsafe hear(message, of: object, MessageReader(bytes), arrival)
                }
            case .turnEnd: watch?.endTurn(arrival: arrival)
            }
        }
        // For its memory.
        swap(&waiting, &backlog)
    }

    /// What the seats have seen, with all that has waited.
    var heard: SeatWatch? {
        @inline(never) get {
            catchUp()
            return watch
        }
    }

    /// Whether moves may wait for the next picture: nobody wants to hear of them, and all windows that show something have a
    /// picture on its way.
    func findWhetherMovesMayWait(at now: Instant) -> Bool {
        guard draws, reports.onRaw == nil, reports.onFrame == nil, reports.onGestures == nil else { return false }
        var isAnyShown = false
        for window in windows.values {
            if window.inspector != nil { return false }
            if window.ripples.isIdle { continue }
            guard window.overlay.isWaiting(at: now) else { return false }
            isAnyShown = true
        }
        return isAnyShown
    }
}
