internal import Gestures

/// Whether a new picture waits for the app's next request, to go out with it: of an app that draws each frame, as under a
/// scrolling finger, the compositor is then woken once for both.
///
/// Both are asked for by the same frame, so the app's request is near. Where it was not, later pictures go at once.
struct PictureHold {
    /// How long a picture waits at most: a quarter of a frame at 120 a second, so that it is seen with the same frame.
    private static let patience: Int64 = .milliseconds(2)
    /// Pictures that are further apart are not frame by frame.
    private static let recency: Int64 = .milliseconds(50)
    /// How many pictures go at once after one that waited in vain.
    private static let restraint = 60

    /// Until when a picture waits; nil when none does.
    private(set) var deadline: Instant?
    private var last: Instant?
    private var hasAppCommitted = false
    private var goingAtOnce = 0

    /// The app has asked for a picture of its own.
    mutating func noteCommit() { hasAppCommitted = true }

    /// A picture was drawn, and nothing else is to go to the compositor now.
    mutating func begin(at now: Instant) {
        let isFrameByFrame = last.map { now - $0 < PictureHold.recency } ?? false
        last = now
        defer { hasAppCommitted = false }
        if goingAtOnce > 0 {
            goingAtOnce -= 1
        } else if isFrameByFrame, hasAppCommitted {
            deadline = now + PictureHold.patience
        }
    }

    /// Whatever waits goes out now.
    mutating func end() { deadline = nil }

    /// Time has passed.
    mutating func advance(to now: Instant) {
        guard let deadline, deadline <= now else { return }
        self.deadline = nil
        goingAtOnce = PictureHold.restraint
    }
}
