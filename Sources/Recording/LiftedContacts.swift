internal import Gestures

/// Where the contacts of one source are, and which it lifted a moment ago: what comes down there at once, or as far on as
/// the finger was moving, is the same finger, whose touch the panel had lost.
struct LiftedContacts: Equatable {
    /// ms, well below the 40 ms that Android's ViewConfiguration wants between two taps of a double tap: a finger takes
    /// longer. One that was on its way is back later only where another one comes down ahead of it. Our choice.
    static let longest: (resting: UInt32, moving: UInt32) = (30, 60)
    /// Logical px. Our choice; and this share of the way that the finger made meanwhile.
    private static let reach = (pixels: 10.0, share: 0.25)
    /// Logical px from where it came down: what was lifted within is a tap.
    private static let slop = GestureConfiguration.usualDensity * GestureConfiguration.touchSlopMillimetres
    /// ms that a speed is reckoned over, at least, and after which one that told nothing more was at rest.
    private static let spans: (speed: UInt32, rest: UInt32) = (20, 50)
    /// As many fingers as hands have.
    private static let most = 10

    struct Sample: Equatable {
        /// Logical px.
        var place: Point
        /// ms.
        var time: UInt32
    }

    /// A contact that is down, or was.
    private struct Track: Equatable {
        var id: Int32
        var start: Point
        /// From oldest to latest: the first two are apart by ``spans`` at least.
        var oldest, middle, latest: Sample
        var hasLeft = false
        /// When it was lifted, ms.
        var end: UInt32 = 0

        init(_ id: Int32, _ sample: Sample) {
            self.id = id
            start = sample.place
            (oldest, middle, latest) = (sample, sample, sample)
        }

        mutating func move(to sample: Sample) {
            if sample.time &- middle.time >= spans.speed { (oldest, middle) = (middle, latest) }
            latest = sample
            if start.distance(to: sample.place) > slop { hasLeft = true }
        }

        /// Logical px in so many ms.
        func way(in milliseconds: UInt32) -> (x: Double, y: Double) {
            let time = Double(latest.time &- oldest.time)
            guard hasLeft, time > 0 else { return (0, 0) }
            let factor = Double(milliseconds) / time
            return ((latest.place.x - oldest.place.x) * factor, (latest.place.y - oldest.place.y) * factor)
        }
    }

    // Arrays and no dictionary: hands have few fingers.
    private var tracks: [Track] = []
    private var lifted: [Track] = []

    mutating func begin(_ id: Int32, _ sample: Sample) {
        cancel(id)
        tracks.append(Track(id, sample))
    }

    private func index(of id: Int32) -> Int? { tracks.firstIndex { $0.id == id } }

    /// Where it was before; nil for one that did not come down.
    mutating func move(_ id: Int32, _ sample: Sample) -> Sample? {
        guard let index = index(of: id) else { return nil }
        let before = tracks[index].latest
        tracks[index].move(to: sample)
        return before
    }

    mutating func lift(_ id: Int32, at time: UInt32?) {
        guard let index = index(of: id) else { return }
        var track = tracks.remove(at: index)
        guard let time else { return }
        if lifted.count == LiftedContacts.most { lifted.removeFirst() }
        if time &- track.latest.time > LiftedContacts.spans.rest { track.oldest = track.latest }
        track.end = time
        lifted.append(track)
    }

    mutating func cancel(_ id: Int32?) { tracks.removeAll { id == nil || $0.id == id } }

    /// Which contact was there, and how many ms ago it was lifted; each is given once.
    mutating func take(near sample: Sample) -> (id: Int32, milliseconds: UInt32)? {
        guard !lifted.isEmpty else { return nil }
        lifted.removeAll { sample.time &- $0.end > LiftedContacts.longest.moving }
        guard let index = lifted.lastIndex(where: { LiftedContacts.isSame($0, sample) }) else { return nil }
        let found = lifted.remove(at: index)
        return (found.id, sample.time &- found.end)
    }

    private static func isSame(_ lifted: Track, _ sample: Sample) -> Bool {
        let last = lifted.latest
        let way = lifted.way(in: sample.time &- last.time)
        let length = Point.zero.distance(to: Point(x: way.x, y: way.y))
        guard length > 0 || sample.time &- lifted.end <= longest.resting else { return false }
        // It may have become slower: anywhere on its way.
        let (x, y) = (sample.place.x - last.place.x, sample.place.y - last.place.y)
        let share = length > 0 ? min(max(0, (x * way.x + y * way.y) / (length * length)), 1) : 0
        let beside = Point(x: x, y: y).distance(to: Point(x: way.x * share, y: way.y * share))
        return beside <= reach.pixels + reach.share * length
    }
}
