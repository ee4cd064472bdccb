internal import Inspection
internal import WaylandClient
internal import WaylandProtocols

/// Asks wp_presentation when a commit was seen.
///
/// Handlers refer to it unowned: its owner ends it, or the connection, before it lets go of it.
final class PresentationFeedback {
    private let presentation: WpPresentation
    private var clock = PresentationClock()
    private var waiting: [WpPresentationFeedback] = []
    /// ``source`` has changed.
    var onChange: (() -> Void)?

    /// Nil when the compositor has no wp_presentation.
    init?(_ globals: Globals) {
        guard let presentation = globals.bindIfOffered(WpPresentation.self, versions: 1...2) else { return nil }
        self.presentation = presentation
        // SAFETY: see the type's comment.
        presentation.onEvent = { [unowned(unsafe) self] event in
            guard case .clockId(let clock) = event else { return }
            unsafe self.clock.id = clock
            unsafe self.onChange?()
        }
    }

    var source: PhotonSource { clock.source }

    /// Asks about the surface's next commit.
    func request(_ surface: WlSurface, _ answer: @escaping (PresentationOutcome) -> Void) {
        guard waiting.count < PresentationOutcome.waitingLimit else { return }
        let feedback = presentation.feedback(surface: surface)
        waiting.append(feedback)
        // SAFETY: see the type's comment; `end` discards what waits.
        feedback.onEvent = { [unowned(unsafe) self, unowned(unsafe) feedback] event in
            switch event {
            case .syncOutput: return
            case .presented(let high, let low, let nanoseconds, _, _, _, _):
                unsafe self.forget(feedback)
                answer(unsafe self.clock.presented(high, low, nanoseconds))
            case .discarded:
                unsafe self.forget(feedback)
                answer(.discarded)
            }
        }
    }

    /// No answer comes after this.
    func end() {
        for feedback in waiting { feedback.discard() }
        waiting.removeAll()
        onChange = nil
        presentation.destroy()
    }

    private func forget(_ feedback: WpPresentationFeedback) { waiting.removeAll { $0 === feedback } }
}
