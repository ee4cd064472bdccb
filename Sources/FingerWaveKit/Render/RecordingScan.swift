internal import Gestures

/// What must be known of a recording before its first picture is made.
struct RecordingScan {
    /// Of the last thing that happened.
    private(set) var end = Instant(nanoseconds: 0)
    /// As the whole recording tells them.
    var surfaces = RecordedSurfaces(size: nil)
    /// What of it is asked for.
    private let span: ClosedRange<Instant>

    /// - Parameters: ns since the first stamp; nil for no bound.
    init(from: Int64? = nil, to: Int64? = nil) {
        let start = Instant(nanoseconds: from ?? 0)
        span = start...max(start, Instant(nanoseconds: to ?? .max))
    }

    /// What happened on one surface.
    struct Traffic {
        var contactCount = 0
        /// How far it was touched, logical px.
        var reach = Size.zero
        /// Logical px that hold the surface whenever it was touched; nil where nobody told its size by then.
        private(set) var size: Size?
        /// How that is known.
        private(set) var basis = RecordedSurface.Basis.assumed
        /// While something was down.
        var touched: [ClosedRange<Instant>] = []
        /// In the middle of the longest time with the most contacts at once, of what is asked for.
        var busiest: (instant: Instant, contacts: Int)?

        private let span: ClosedRange<Instant>
        private var downCount = 0
        private var since = Instant(nanoseconds: 0)
        private var longest: Int64 = -1

        init(within span: ClosedRange<Instant>) { self.span = span }

        /// How large the surface is while something touches it. What is known better counts alone.
        mutating func hold(_ surface: RecordedSurface) {
            guard let new = surface.size, surface.basis != .assumed else { return }
            let old = surface.basis == basis ? size ?? new : new
            basis = surface.basis
            size = Size(width: max(old.width, new.width), height: max(old.height, new.height))
        }

        mutating func count(_ change: ContactFrame.Change, at instant: Instant) {
            let position = change.contact.position
            if position.isFinite {
                reach = Size(width: max(reach.width, position.x), height: max(reach.height, position.y))
            }
            switch change.phase {
            case .began:
                settle(instant)
                contactCount += 1
                downCount += 1
                if downCount == 1 { touched.append(instant...instant) }
            case .moved: break
            case .ended, .cancelled:
                settle(instant)
                downCount = max(0, downCount - 1)
                if downCount == 0, let last = touched.last {
                    touched[touched.count - 1] = last.lowerBound...max(last.lowerBound, instant)
                }
            }
        }

        private mutating func settle(_ instant: Instant) {
            defer { since = max(since, instant) }
            guard downCount > 0, since <= instant, span.overlaps(since...instant) else { return }
            let part = (since...instant).clamped(to: span)
            let time = part.upperBound - part.lowerBound
            let most = busiest?.contacts ?? 0
            guard downCount > most || downCount == most && time > longest else { return }
            longest = time
            busiest = (part.lowerBound + time / 2, downCount)
        }
    }

    /// By the surfaces' numbers.
    private(set) var traffic: [Traffic] = []

    /// - Parameter surfaces: as they are by then.
    mutating func count(_ moment: RecordedGestures.Moment, on surfaces: RecordedSurfaces) {
        end = max(end, moment.time)
        for change in moment.frame?.changes ?? [] {
            let number = RecordedSurfaces.number(change.contact.target)
            guard number >= 0 else { continue }
            while traffic.count <= number { traffic.append(Traffic(within: span)) }
            traffic[number].hold(surfaces.all[number])
            traffic[number].count(change, at: moment.time)
        }
    }

    /// The number of the surface with the most contacts; nil when nothing was touched.
    var main: Int? {
        var best: Int?
        for index in traffic.indices where traffic[index].contactCount > best.map({ traffic[$0].contactCount }) ?? 0 {
            best = index
        }
        return best
    }
}

extension RecordingScan.Traffic {
    /// So many moments within `span`, spread evenly over the time in which something was down: a sheet has no empty tiles, and
    /// the times that stand on them tell of the pauses. The last of several is when the last finger is lifted, which shows
    /// what became of it.
    func moments(_ count: Int, within span: ClosedRange<Instant>) -> [Instant] {
        var parts: [ClosedRange<Instant>] = []
        for part in touched where part.overlaps(span) { parts.append(part.clamped(to: span)) }
        var total: Int64 = 0
        for part in parts { total += part.upperBound - part.lowerBound }
        if total == 0 {
            parts = [span]
            total = span.upperBound - span.lowerBound
        }
        var moments: [Instant] = []
        var (index, before) = (0, Int64(0))
        for number in 0..<count {
            let share = count > 1 ? (Double(number) + 0.5) / (Double(count) - 0.5) : 0.5
            let place = Int64((Double(total) * share).rounded())
            while index < parts.count - 1, place > before + (parts[index].upperBound - parts[index].lowerBound) {
                before += parts[index].upperBound - parts[index].lowerBound
                index += 1
            }
            moments.append(parts[index].lowerBound + (place - before))
        }
        return moments
    }
}
