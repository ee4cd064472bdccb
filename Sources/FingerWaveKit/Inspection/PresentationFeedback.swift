internal import CLibc
internal import Gestures
internal import Inspection
internal import WaylandClient
internal import WaylandProtocols

/// Asks wp_presentation when a commit was seen.
///
/// Handlers refer to it unowned: its owner ends it, or the connection, before it lets go of it.
final class PresentationFeedback {
    /// What became of a commit.
    enum Outcome {
        /// Nil when the compositor's clock is not CLOCK_MONOTONIC.
        case presented(Instant?)
        case discarded
    }

    /// A compositor that answers nothing must not make us grow.
    private static let limit = 16

    private let presentation: WpPresentation
    private var clock: UInt32?
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
            unsafe self.clock = clock
            unsafe self.onChange?()
        }
    }

    var source: PhotonSource {
        switch clock {
        case nil: .absent
        case UInt32(CLOCK_MONOTONIC): .ready
        case let clock?: .otherClock(clock)
        }
    }

    /// Asks about the surface's next commit.
    func request(_ surface: WlSurface, _ answer: @escaping (Outcome) -> Void) {
        guard waiting.count < Self.limit else { return }
        let feedback = presentation.feedback(surface: surface)
        waiting.append(feedback)
        // SAFETY: see the type's comment; `end` discards what waits.
        feedback.onEvent = { [unowned(unsafe) self, unowned(unsafe) feedback] event in
            switch event {
            case .syncOutput: return
            case .presented(let high, let low, let nanoseconds, _, _, _, _):
                unsafe self.forget(feedback)
                answer(.presented(unsafe self.instant(high, low, nanoseconds)))
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

    private func instant(_ high: UInt32, _ low: UInt32, _ nanoseconds: UInt32) -> Instant? {
        guard source == .ready else { return nil }
        let seconds = Int64(bitPattern: UInt64(high) << 32 | UInt64(low))
        return .milliseconds(0) + .milliseconds(seconds.multipliedSaturating(by: 1000)) + Int64(nanoseconds)
    }
}

extension Int64 {
    fileprivate func multipliedSaturating(by factor: Int64) -> Int64 {
        let (product, overflow) = multipliedReportingOverflow(by: factor)
        return overflow ? (self < 0) != (factor < 0) ? .min : .max : product
    }
}
