/// How fast a contact moves: a least-squares line through its moving samples of the last 100 ms.
///
/// Samples that did not move are left out, so an `up` that comes late does not slow a fling down. The place of coming down
/// is left out as soon as there are enough others, since panels hold the first motions back and then deliver them in one
/// leap.
package struct VelocityEstimator: Sendable {
    private struct Sample: Sendable {
        var instant: Instant
        var position: Point
        var isStart: Bool
    }

    private var samples: [Sample] = []
    /// 100 ms of a 640 Hz panel; a faster one loses old samples, not its answer.
    private static let capacity = 64

    package init() {}

    package mutating func start(at position: Point, _ instant: Instant) {
        samples.removeAll(keepingCapacity: true)
        samples.reserveCapacity(16)
        samples.append(Sample(instant: instant, position: position, isStart: true))
    }

    package mutating func move(to position: Point, _ instant: Instant, window: Int64) {
        guard samples.last?.position != position else { return }
        if samples.count == Self.capacity { samples.removeFirst() }
        samples.append(Sample(instant: instant, position: position, isStart: false))
        let old = samples.prefix { instant - $0.instant > window }.count
        samples.removeFirst(old)
    }

    /// Forgets what came before `position`: the contact was never there.
    package mutating func jump(to position: Point, _ instant: Instant) { start(at: position, instant) }

    /// Logical px/s at `instant`; zero when it has not moved for longer than `window` ns.
    package func velocity(at instant: Instant, window: Int64) -> Point {
        guard let last = samples.last, instant - last.instant <= window else { return .zero }
        let used = samples.count > 3 && samples[0].isStart ? samples[1...] : samples[...]
        guard used.count > 1 else { return .zero }
        // Times relative to the last sample: doubles of ns since the clock's beginning would lose digits.
        var meanTime = 0.0
        var mean = Point.zero
        for sample in used {
            meanTime += Double(sample.instant - last.instant)
            mean = mean + sample.position
        }
        let count = Double(used.count)
        meanTime /= count
        mean = Point(x: mean.x / count, y: mean.y / count)
        var spread = 0.0
        var slope = Point.zero
        for sample in used {
            let time = Double(sample.instant - last.instant) - meanTime
            spread += time * time
            slope.x += time * (sample.position.x - mean.x)
            slope.y += time * (sample.position.y - mean.y)
        }
        guard spread > 0 else { return .zero }
        return Point(x: slope.x / spread * 1e9, y: slope.y / spread * 1e9)
    }
}
