internal import EventLoop
internal import Gestures
internal import Input
internal import Recording
internal import Ripples

/// Plays a recording in a window's session, as its keys say.
///
/// The source's and the session's handlers refer to it unowned: ``end()`` ends them.
final class WindowPlayer {
    private let source: ReplaySource
    private let session: WindowSession
    private let replay: WindowReplay
    private let exitsAtEnd: Bool
    private var hasBegun = false
    /// When the last line was said.
    private var said: Instant?
    private(set) var failure: Failure?

    /// ns between the first picture and the first touch: many compositors give the window its last size a moment after
    /// the first one. Our choice.
    private static let patience: Int64 = 300_000_000

    /// The source has begun.
    init(_ source: ReplaySource, _ session: WindowSession, exitsAtEnd: Bool) {
        self.source = source
        self.session = session
        self.exitsAtEnd = exitsAtEnd
        replay = WindowReplay(session, size: source.size)
        session.replay = replay
        // SAFETY: see the type's comment.
        replay.onKey = { [unowned(unsafe) self] key in unsafe self.act(on: key) }
        replay.title = { [unowned(unsafe) self] in unsafe self.title }
        replay.isStill = { [unowned(unsafe) source] in unsafe source.isPaused }
        source.onEvent = { [unowned(unsafe) self] event, arrival in unsafe self.receive(event, arrival) }
        source.onRestart = { [unowned(unsafe) self] in unsafe self.replay.end(clears: true) }
    }

    func end() {
        source.end()
        source.onEvent = nil
        source.onRestart = nil
        replay.end(clears: false)
        replay.onKey = { _ in false }
    }

    func endTurn() {
        guard !hasBegun, session.isShown else { return }
        hasBegun = true
        source.beginShowing(after: WindowPlayer.patience)
    }

    /// The recording is over, nothing of it is to be seen any more, and nobody wants to see it again.
    var isDone: Bool { exitsAtEnd && source.isOver && session.ripples.isIdle }

    private func receive(_ event: SourceEvent, _ arrival: Instant) {
        switch event {
        case .problem(let text, let isNote):
            if !isNote || session.settings.run.isVerbose { complain("fingerwave: \(text)\n") }
        case .failed(let failure): self.failure = failure
        case .ended:
            replay.end(clears: false)
            replay.showTitle()
        case .other, .description, .device, .touch:
            if let said { replay.streams.pass(said, to: arrival) { replay.endTurn($0) } }
            said = arrival
            replay.streams.take(event, arrival: arrival)
        }
    }

    private func act(on key: Keysym) -> Bool {
        switch key {
        case .space: source.setPaused(!source.isPaused)
        case .period, .right: source.step()
        case .home, .r:
            guard source.canRestart else {
                complain("fingerwave: standard input cannot be played again: name a file\n")
                return true
            }
            source.restart()
        case .plus, .equal, .keypadAdd: source.changeSpeed(faster: true)
        case .minus, .keypadSubtract: source.changeSpeed(faster: false)
        default: return false
        }
        replay.showTitle()
        return true
    }

    private var title: String {
        var words = source.path == "-" ? "standard input" : source.path
        if source.clock.speed != 1 { words += ", speed \(decimalText(source.clock.speed, places: 3) ?? "?")" }
        if source.isPaused { words += ", paused" } else if source.isOver { words += ", at its end" }
        return "FingerWave: " + words
    }
}
