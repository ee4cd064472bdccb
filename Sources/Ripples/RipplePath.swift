internal import Gestures

/// Where a contact has been lately: every sample, as long as there are not more than a hand can tell apart.
struct RipplePath: Sendable {
    struct Sample: Sendable {
        var position: Point
        /// 0 to 1; nil for what does not tell.
        var pressure: Double?
        /// ns on its controller's clock.
        var time: Int64
    }

    /// Half a second of a 480 Hz panel. A faster one loses every second of the older samples, not the way that was gone.
    static let capacity = 256

    private(set) var samples: [Sample] = []

    var isEmpty: Bool { samples.isEmpty }
    /// One sample alone is where the contact is.
    var isSeen: Bool { samples.count > 1 }

    mutating func append(_ position: Point, pressure: Double?, at time: Int64) {
        if samples.isEmpty { samples.reserveCapacity(32) }
        if let last = samples.last, last.position == position { return }
        if samples.count >= Self.capacity { thin() }
        samples.append(Sample(position: position, pressure: pressure, time: time))
    }

    /// Forgets what is older than `time`.
    mutating func forget(before time: Int64) {
        guard let first = samples.first, first.time < time else { return }
        samples.removeAll { $0.time < time }
    }

    mutating func removeAll() { samples = [] }

    /// - Parameter later: ns.
    mutating func move(by distance: Point, later: Int64) {
        for index in samples.indices {
            samples[index].position = samples[index].position + distance
            samples[index].time = samples[index].time.addingSaturating(later)
        }
    }

    private mutating func thin() {
        var kept = 0
        for index in samples.indices where index >= Self.capacity / 2 || index % 2 == 0 {
            samples[kept] = samples[index]
            kept += 1
        }
        samples.removeLast(samples.count - kept)
    }
}
