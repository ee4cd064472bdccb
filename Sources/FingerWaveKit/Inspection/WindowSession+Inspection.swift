internal import Gestures
internal import Presentation
internal import Ripples

/// The inspector, the figures in the log, and what goes wrong with the picture itself.
extension WindowSession {
    /// Shows the inspector, or goes back to the style before it.
    func toggleInspector() {
        isInspecting.toggle()
        fitLook()
    }

    /// Figures are gathered from the first moment on that somebody wants them.
    func startInspection(_ now: Instant) {
        guard inspection == nil, log != nil || isInspecting, let window else { return }
        let inspection = SessionInspection(
            replay == nil ? globals : nil, log: log, logsPresented: settings.run.logsPresented, clock: clock)
        self.inspection = inspection
        inspection.realClock = realClock
        // SAFETY: it is taken away before the inspection ends.
        window.presenter.willCommit = { [unowned(unsafe) inspection, surface = window.surface] in
            unsafe inspection.willCommit(surface)
        }
        for source in contactSources { inspection.adopt(source, at: now) }
    }

    /// When the picture needs another look though nothing happens.
    var inspectionDeadline: Instant? {
        let labels = isInspecting && !isHeld && !isPaused ? inspection?.nextDeadline : nil
        return [labels, heldBuffers.deadline(since: waitingForReleaseSince)].compactMap { $0 }.min()
    }

    /// Not of a recording, whose time is none that buffers are held by.
    private var waitingForReleaseSince: Instant? {
        replay == nil ? window?.presenter.waitingForReleaseSince : nil
    }

    /// After the turn's picture: what it shows, and why it may not.
    func inspectPicture(_ now: Instant) {
        guard let presenter = window?.presenter else { return }
        if !presenter.isBehind { inspection?.pictureIsUpToDate() }
        if heldBuffers.check(since: waitingForReleaseSince, at: now) {
            inspection?.noteHeldBuffers()
            if !saysHeldBuffers {
                saysHeldBuffers = true
                complain(
                    "fingerwave: the picture stands still: the compositor has released no buffer for "
                        + "\(HeldBuffers.patience / 1_000_000_000) s; it must release what a later commit has replaced\n"
                )
            }
        }
        if let failure = presenter.textFailure, !saysTextFailure {
            saysTextFailure = true
            complain("fingerwave: no labels are shown: \(failure)\n")
        }
    }
}
