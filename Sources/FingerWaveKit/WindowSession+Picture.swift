internal import Gestures
internal import Presentation
internal import Ripples

/// The picture, drawn at most once a turn.
extension WindowSession {
    func draw(_ now: Instant) throws(Failure) {
        guard let window else { return }
        window.applyConfigure()
        if isHeld && !isPaused {
            // The picture stands still; when it goes on, it is where it would have been.
            window.presenter.wantsFrames = false
        } else {
            ripples.advance(to: now)
            var shapes = ripples.shapes
            if isInspecting && !isPaused { inspection?.appendLabels(to: &shapes, at: now) }
            window.presenter.shapes = shapes
            // Each frame then asks for the next, and nothing else wakes us.
            window.presenter.wantsFrames = ripples.isAnimating && replay?.isStill() != true
        }
        do throws(PresentationError) {
            guard try window.presenter.drawIfNeeded(now: now) else { return }
        } catch {
            throw Failure("cannot draw", why: error.description, remedy: "", code: .noCompositor)
        }
        guard let geometry = window.presenter.geometry, geometry != reported else { return }
        log?.window(geometry, isFirst: reported == nil)
        recording?.log.window(geometry, isFirst: reported == nil)
        reported = geometry
        fitSeats()
    }
}
