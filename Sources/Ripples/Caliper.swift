internal import Gestures

/// What measures a pinch or a rotation: lines between its fingers, with jaws that point the way they go, and an arc for the
/// turn.
struct Caliper: Sendable {
    private static let fade = 0.25

    let hand: UInt64
    /// The fingers' marks.
    private(set) var points: [Point]
    /// The fingers' contacts.
    let serials: [UInt64]
    private var scale: Double?
    private var degrees: Double?
    private var isOver = false
    /// ns since it ended.
    private var age: Int64 = 0

    init(hand: UInt64, contacts: [(serial: UInt64, place: Point)]) {
        self.hand = hand
        serials = contacts.map { $0.serial }
        points = contacts.map { $0.place }
    }

    var isLive: Bool { !isOver }
    var hasFaded: Bool { isOver && seconds >= Self.fade }

    private var seconds: Double { Double(age) / 1_000_000_000 }

    mutating func move(_ serial: UInt64, to place: Point) {
        guard !isOver, let index = serials.firstIndex(of: serial) else { return }
        points[index] = place
    }

    mutating func pinch(_ scale: Double) { self.scale = scale }
    mutating func rotate(_ degrees: Double) { self.degrees = degrees }
    mutating func end() { isOver = true }

    mutating func advance(by passed: Int64) {
        if isOver { age = age.addingSaturating(passed) }
    }

    func draw(on canvas: inout Canvas) {
        guard points.count > 1 else { return }
        let share = isOver ? 1 - Easing.linear.progress(at: seconds / Self.fade) : 1
        var center = Point.zero
        for point in points { center = center + point }
        center = Point(x: center.x / Double(points.count), y: center.y / Double(points.count))
        for point in points { drawJaw(from: center, to: point, share: share, on: &canvas) }
        if let degrees, degrees.isFinite {
            drawTurn(center, degrees, share: share, on: &canvas)
        } else {
            canvas.dot(center, radius: 2.5, share: share)
        }
    }

    /// Half of what lies between two fingers.
    private func drawJaw(from center: Point, to finger: Point, share: Double, on canvas: inout Canvas) {
        let away = finger - center
        let length = away.distance(to: .zero)
        let unit = canvas.unit
        let start = (degrees == nil ? 7 : 24) * unit
        let end = length - canvas.style.startRadius - 5 * unit
        guard end > start, length.isFinite else { return }
        let along = Point(x: away.x / length, y: away.y / length)
        func at(_ distance: Double, _ across: Double) -> Point {
            Point(
                x: center.x + along.x * distance - along.y * across,
                y: center.y + along.y * distance + along.x * across)
        }
        let jaw = 7 * unit
        // One line, so that its parts do not darken each other: the shaft, a bar across its end, and a head that points
        // outwards when the fingers have spread, inwards when they have closed.
        var points = [at(start, 0), at(end, 0), at(end, -jaw), at(end, jaw), at(end, 0)]
        if let scale, end - start > 2 * jaw {
            let tip = scale >= 1 ? end - 3 * unit : end - jaw - 3 * unit
            let back = scale >= 1 ? tip - jaw : tip + jaw
            points += [at(tip, 0), at(back, -jaw * 0.8), at(tip, 0), at(back, jaw * 0.8)]
        }
        canvas.line(points, width: 2.5, share: share)
    }

    /// From where the first finger's direction was at the start to where it is.
    private func drawTurn(_ center: Point, _ degrees: Double, share: Double, on canvas: inout Canvas) {
        let away = points[0] - center
        let length = away.distance(to: .zero)
        guard length > 0, length.isFinite else { return }
        let radius = 15 * canvas.unit
        // As seen, a turn is never more than a whole one.
        let turn = degrees.magnitude < 360 ? degrees : 360
        let now = angle(x: away.x, y: away.y) * 180 / .pi
        canvas.arc(center, radius: radius, start: now - turn, sweep: turn, width: 3, share: share)
        canvas.dot(
            Point(x: center.x + away.x / length * radius, y: center.y + away.y / length * radius), radius: 3.5,
            share: share)
    }
}
