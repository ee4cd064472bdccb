internal import Gestures

/// The arrow of a swipe: where it went, and at its tail a bar when it came in over an edge. It has as many heads as fingers.
struct Arrow: Sendable {
    private static let duration = 0.7

    private var place: Point
    private let direction: Point
    private let isFromEdge: Bool
    private let fingers: Int
    /// ns
    private var age: Int64 = 0

    init(_ swipe: Swipe) {
        place = swipe.hand.location
        direction =
            switch swipe.direction {
            case .left: Point(x: -1, y: 0)
            case .right: Point(x: 1, y: 0)
            case .up: Point(x: 0, y: -1)
            case .down: Point(x: 0, y: 1)
            }
        isFromEdge = swipe.edge != nil
        fingers = min(max(1, swipe.hand.fingers), 5)
    }

    var isOver: Bool { seconds >= Self.duration }

    mutating func advance(by passed: Int64) { age = age.addingSaturating(passed) }

    private var seconds: Double { Double(age) / 1_000_000_000 }

    func draw(on canvas: inout Canvas) {
        let style = canvas.style
        let length = style.endRadius * 0.9
        let time = seconds / Self.duration
        let share = 1 - Easing.easeIn.progress(at: time)
        // With reduced motion it stands in the middle of its way.
        let slide = (style.growth(Easing.easeOut.progress(at: time)) - 0.5) * style.endRadius * 0.3
        let middle = onSurface(length / 2 + style.endRadius * 0.15, canvas)
        let side = Point(x: -direction.y, y: direction.x)
        func at(_ along: Double, _ across: Double) -> Point {
            Point(
                x: middle.x + direction.x * (slide + along) + side.x * across,
                y: middle.y + direction.y * (slide + along) + side.y * across)
        }
        let head = min(14 * canvas.unit, length / 3)
        let thick = 2.25 * canvas.unit
        let tail = -length / 2
        var nodes: [Stroke.Node] = []
        if isFromEdge {
            nodes.append(Stroke.Node(at(tail, -head), radius: thick))
            nodes.append(Stroke.Node(at(tail, head), radius: thick))
            nodes.append(Stroke.Node(at(tail, 0), radius: thick))
        } else {
            nodes.append(Stroke.Node(at(tail, 0), radius: thick / 3, opacity: 0.1))
        }
        for index in 0..<fingers {
            let tip = length / 2 - Double(fingers - 1 - index) * head * 0.6
            nodes.append(Stroke.Node(at(tip, 0), radius: thick))
            nodes.append(Stroke.Node(at(tip - head, -head), radius: thick))
            nodes.append(Stroke.Node(at(tip, 0), radius: thick))
            nodes.append(Stroke.Node(at(tip - head, head), radius: thick))
            if index < fingers - 1 { nodes.append(Stroke.Node(at(tip, 0), radius: thick)) }
        }
        canvas.rigidStroke(nodes, share: share)
    }

    /// The arrow's middle, moved so that all of it is on the surface.
    private func onSurface(_ reach: Double, _ canvas: Canvas) -> Point {
        guard let size = canvas.conditions.surfaceSize else { return place }
        let reachX = min(size.width / 2, direction.x == 0 ? 20 * canvas.unit : reach)
        let reachY = min(size.height / 2, direction.y == 0 ? 20 * canvas.unit : reach)
        return Point(
            x: min(max(place.x, reachX), size.width - reachX), y: min(max(place.y, reachY), size.height - reachY))
    }
}
