internal import Gestures

/// How often which gesture was made. Each counts once, whatever became of it.
struct GestureCounts: Equatable {
    /// In the order in which they are told; a double tap is the second tap of one.
    private static let names = [
        "tap", "double-tap", "long-press", "drag", "pan", "scroll", "pinch", "rotation", "swipe", "edge-swipe",
    ]

    struct Count: Equatable {
        var name: String
        var count = 0
        /// Those of them that no fingers made.
        var stylus = 0
        var pointer = 0
    }

    private var counts = names.map { Count(name: $0) }

    /// Those that were made at all.
    var all: [Count] { counts.filter { $0.count > 0 } }

    mutating func count(_ gesture: Gesture) {
        switch gesture {
        case .contactBegan, .contactMoved, .contactLeftSlop, .contactEnded, .contactCancelled, .hover: return
        case .tap(let tap): if tap.count == 2 { count("double-tap", gesture.kind) }
        case .swipe: break
        default: guard gesture.phase == .began else { return }
        }
        count(gesture.name, gesture.kind)
    }

    private mutating func count(_ name: String, _ kind: Contact.Kind?) {
        guard let index = GestureCounts.names.firstIndex(of: name) else { return }
        counts[index].count += 1
        switch kind {
        case .stylus: counts[index].stylus += 1
        case .pointer: counts[index].pointer += 1
        case .finger, nil: break
        }
    }
}

extension Gesture {
    /// Nil for what single contacts do.
    fileprivate var kind: Contact.Kind? {
        switch self {
        case .tap(let tap): tap.contacts.first?.kind
        case .longPress(let press): press.hand.kind
        case .drag(let motion), .pan(let motion), .scroll(let motion): motion.hand.kind
        case .pinch(let pinch): pinch.hand.kind
        case .rotation(let rotation): rotation.hand.kind
        case .swipe(let swipe): swipe.hand.kind
        default: nil
        }
    }
}
