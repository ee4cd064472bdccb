package import Gestures

/// How long fingers were where: time, not events, so that a panel which tells more samples makes no warmer places.
///
/// Between two samples a finger went straight from one place to the other; but what lies further back than
/// ``sampleInterval`` it spent where it was, since a panel is silent while nothing moves. Times are whole μs in cells of
/// whole numbers, so that the same touches give the same map on any machine.
package struct HeatMap {
    /// Longer than the samples of any usual panel are apart, μs.
    private static let sampleInterval: Int64 = 25_000
    /// Of a cell's side, mm. Three boxes of 7 cells make it a bell with a standard deviation of 2.3 mm, some finger's tip.
    private static let cellMillimetres = 2.0 / 3
    private static let boxRadius = 3
    private static let mostCells = 4_000_000.0

    package let size: Size
    package let columns: Int
    package let rows: Int
    /// Logical px of a cell's side.
    package let cell: Double
    /// Logical px; nil where it is not known.
    package let pixelsPerMillimetre: Double?

    /// The time from which on, and until which, touches count.
    private let span: ClosedRange<Instant>
    /// μs.
    private var dwell: [UInt64]
    private var places: [UInt64: (position: Point, instant: Instant)] = [:]
    package private(set) var contactCount = 0
    /// Places that were told: of fingers that came down, and that moved.
    package private(set) var sampleCount = 0
    /// μs of all fingers together.
    package private(set) var total: UInt64 = 0

    package init(size: Size, pixelsPerMillimetre: Double?, span: ClosedRange<Instant>) {
        self.size = size
        self.pixelsPerMillimetre = pixelsPerMillimetre
        self.span = span
        let wanted = GestureConfiguration.pixels(
            millimetres: HeatMap.cellMillimetres, pixelsPerMillimetre: pixelsPerMillimetre)
        let smallest = (size.width * size.height / HeatMap.mostCells).squareRoot()
        cell = max(wanted, smallest, 1)
        columns = max(1, Int((size.width / cell).rounded(.up)))
        rows = max(1, Int((size.height / cell).rounded(.up)))
        dwell = [UInt64](repeating: 0, count: columns * rows)
    }

    // MARK: Touches

    package mutating func add(_ change: ContactFrame.Change, at instant: Instant) {
        let contact = change.contact
        guard contact.position.isFinite else { return }
        let isCounted = span.contains(instant)
        if change.phase == .began { contactCount += isCounted ? 1 : 0 }
        if change.phase == .began || change.phase == .moved { sampleCount += isCounted ? 1 : 0 }
        if let last = places[contact.serial] {
            // A place left over from an earlier contact is no part of the way.
            let start = contact.jumped && change.phase == .moved ? contact.position : last.position
            spend(from: start, last.instant, to: contact.position, instant)
        }
        places[contact.serial] = change.phase.isTerminal ? nil : (contact.position, instant)
    }

    private mutating func spend(from start: Point, _ began: Instant, to end: Point, _ ended: Instant) {
        let (began, ended) = (began.nanoseconds / 1000, ended.nanoseconds / 1000)
        let moving = max(began, ended - HeatMap.sampleInterval)
        spend(at: start, from: began, to: moving)
        let length = start.distance(to: end)
        let time = ended - moving
        let steps = min(Int64(min(10_000, max(1, (length / cell).rounded(.up)))), max(1, time))
        for step in 0..<steps {
            let share = (Double(step) + 0.5) / Double(steps)
            let place = Point(x: start.x + (end.x - start.x) * share, y: start.y + (end.y - start.y) * share)
            spend(at: place, from: moving + time * step / steps, to: moving + time * (step + 1) / steps)
        }
    }

    /// Times in μs.
    private mutating func spend(at place: Point, from began: Int64, to ended: Int64) {
        let time = min(ended, span.upperBound.nanoseconds / 1000) - max(began, span.lowerBound.nanoseconds / 1000)
        guard time > 0 else { return }
        total += UInt64(time)
        let (column, row) = (place.x / cell, place.y / cell)
        guard column >= 0, row >= 0, column < Double(columns), row < Double(rows) else { return }
        dwell[Int(row) * columns + Int(column)] += UInt64(time)
    }

    // MARK: Density

    /// What the map shows.
    package struct Density {
        /// Of each cell, in μs; rows from above.
        package let cells: [UInt64]
        package let most: UInt64
        /// Seconds per unit of area for the warmest cell: more than a finger was there at all, where it was on less than that.
        package let mostInUnit: Double
        package let unit: String
    }

    /// The times, each spread over a finger's tip.
    package var density: Density {
        var cells = dwell
        for _ in 0..<3 {
            HeatMap.blur(&cells, lines: rows, length: columns, lineStep: columns, step: 1)
            HeatMap.blur(&cells, lines: columns, length: rows, lineStep: 1, step: columns)
        }
        let most = cells.max() ?? 0
        // 1 cm, or 100 px where nobody knows how many that is.
        let side = (pixelsPerMillimetre.map { 10 * $0 } ?? 100) / cell
        return Density(
            cells: cells, most: most, mostInUnit: Double(most) / 1_000_000 * side * side,
            unit: pixelsPerMillimetre == nil ? "s per 100x100 px" : "s per cm²")
    }

    /// Puts the mean of a cell and its neighbours on either side in each cell's place.
    private static func blur(_ cells: inout [UInt64], lines: Int, length: Int, lineStep: Int, step: Int) {
        let width = UInt64(2 * boxRadius + 1)
        var old = [UInt64](repeating: 0, count: length)
        for line in 0..<lines {
            let start = line * lineStep
            var sum: UInt64 = 0
            for index in 0..<length { old[index] = cells[start + index * step] }
            for index in 0..<min(boxRadius, length) { sum += old[index] }
            for index in 0..<length {
                if index + boxRadius < length { sum += old[index + boxRadius] }
                if index > boxRadius { sum -= old[index - boxRadius - 1] }
                cells[start + index * step] = (sum + width / 2) / width
            }
        }
    }
}

extension HeatMap.Density {
    /// How warm a cell is, 0 to 1: the root of its share of the warmest, or one finger that rested would leave all others dark.
    package func warmth(_ value: UInt64) -> Double {
        most == 0 ? 0 : (Double(value) / Double(most)).squareRoot()
    }
}
