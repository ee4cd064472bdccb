internal import Gestures

/// What a session has seen since its start.
struct SessionCounts: Equatable {
    /// Fingers that came down.
    var touches = 0
    var taps = 0
    var cancelled = 0
    /// Gestures that ended, taps included.
    var gestures = 0

    mutating func count(_ gesture: Gesture) {
        switch gesture {
        case .contactBegan: touches += 1
        case .contactCancelled: cancelled += 1
        case .tap:
            taps += 1
            gestures += 1
        case .longPress(let press): if press.phase == .ended { gestures += 1 }
        case .drag(let motion), .pan(let motion), .scroll(let motion): if motion.phase == .ended { gestures += 1 }
        case .pinch(let pinch): if pinch.phase == .ended { gestures += 1 }
        case .rotation(let rotation): if rotation.phase == .ended { gestures += 1 }
        case .swipe: gestures += 1
        default: break
        }
    }
}
