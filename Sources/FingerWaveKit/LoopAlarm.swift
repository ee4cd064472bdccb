internal import EventLoop

/// Wakes a loop at one moment that moves, for what comes about by time alone; nothing else happens then, but that the turn
/// ends.
///
/// The loop's handler refers to it unowned: its owner leaves the loop before it lets go of this.
final class LoopAlarm {
    private let loop: EventLoop
    private var pending: (token: EventLoop.Token, due: Int64)?

    init(_ loop: EventLoop) { self.loop = loop }

    /// The monotonic clock's ns; nil for never.
    func set(_ due: Int64?) {
        guard due != pending?.due else { return }
        if let pending { loop.cancel(pending.token) }
        pending = due.map { due in
            // SAFETY: see the type's comment.
            (loop.schedule(at: due) { [unowned(unsafe) self] in unsafe self.pending = nil }, due)
        }
    }
}
