internal import Gestures
internal import WireTables

/// Touches that only move while no picture can be shown, with all that is needed to hear of them later as if at once.
///
/// Touchscreens report about twice as often as pictures are shown. What nobody can see yet is reckoned when it can be seen,
/// several moves in one go: each turn that does the reckoning begins with it out of the caches, which costs more than the
/// reckoning.
struct TouchBacklog {
    /// What is heard of later.
    enum Event {
        /// wl_touch.motion or wl_touch.frame.
        case message(WatchedMessage, UInt32, Words)
        /// The turn was over: what no frame had closed was closed by that.
        case turnEnd
    }

    /// A motion's arguments: time, id, x, y.
    typealias Words = (UInt32, UInt32, UInt32, UInt32)

    /// Of a compositor that asks for no picture, more than this is not kept.
    private static let limit = 64

    private var events: [(event: Event, arrival: Instant)] = []
    /// Something that no frame has closed is the last of them.
    private var isOpen = false

    var isEmpty: Bool { events.isEmpty }
    var count: Int { events.count }

    /// False for what is to be heard at once, after those that wait.
    mutating func take(
        _ message: WatchedMessage, of object: UInt32, _ arguments: MessageReader, arrival: Instant
    ) -> Bool {
        guard events.count < TouchBacklog.limit else { return false }
        var arguments = arguments
        var words: Words = (0, 0, 0, 0)
        switch message {
        case .wlTouchMotion:
            words = (arguments.uint(), arguments.uint(), arguments.uint(), arguments.uint())
            isOpen = true
        case .wlTouchFrame: isOpen = false
        default: return false
        }
        events.append((.message(message, object, words), arrival))
        return true
    }

    mutating func endTurn(arrival: Instant) {
        guard isOpen else { return }
        isOpen = false
        events.append((.turnEnd, arrival))
    }

    /// Calls `body` with all of them, the oldest first, and keeps none.
    mutating func empty(_ body: (Event, Instant) -> Void) {
        for (event, arrival) in events { body(event, arrival) }
        events.removeAll(keepingCapacity: true)
        isOpen = false
    }
}
