internal import Gestures

/// How often which gesture was made. Each counts once, whatever became of it.
struct GestureCounts: Equatable {
    /// In the order in which they are told; a double tap is the second tap of one.
    private static let names = [
        "tap", "double-tap", "long-press", "drag", "pan", "scroll", "pinch", "rotation", "swipe", "edge-swipe",
    ]

    private var counts = [Int](repeating: 0, count: names.count)

    /// Those that were made at all.
    var all: [(name: String, count: Int)] {
        zip(GestureCounts.names, counts).filter { $0.1 > 0 }.map { (name: $0.0, count: $0.1) }
    }

    mutating func count(_ gesture: Gesture) {
        switch gesture {
        case .contactBegan, .contactMoved, .contactLeftSlop, .contactEnded, .contactCancelled, .hover: return
        case .tap(let tap): if tap.count == 2 { count("double-tap") }
        case .swipe: break
        default: guard gesture.phase == .began else { return }
        }
        count(gesture.name)
    }

    private mutating func count(_ name: String) {
        if let index = GestureCounts.names.firstIndex(of: name) { counts[index] += 1 }
    }
}
