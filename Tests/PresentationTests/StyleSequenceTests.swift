import Gestures
import Pixman
import Ripples
import Testing

@testable import Presentation

/// Fingers that do anything, for a recogniser that says what it was.
private struct RandomHands {
    private var tracker = ContactTracker(source: SourceID(rawValue: 0))
    private var recognizer = GestureRecognizer()
    private var fingers: [Int32: (place: Point, way: Point)] = [:]
    private let size: Size

    init(on size: Size) {
        self.size = size
        recognizer.setSurfaceSize(size, target: 0)
    }

    /// What a frame's time brings.
    mutating func act(at now: Instant, using random: inout SeededGenerator) -> [Gesture] {
        let time = UInt32(truncatingIfNeeded: now.nanoseconds / 1_000_000)
        var gestures = recognizer.advance(to: now)
        for id in Int32(0)..<5 {
            if let finger = fingers[id] {
                let place = finger.place + finger.way
                fingers[id]?.place = place
                if finger.way != .zero { tracker.motion(id: id, time: time, at: place, arrival: now) }
                if random.chance(0.15) {
                    tracker.up(id: id, time: time, arrival: now)
                    fingers[id] = nil
                }
            } else if random.chance(0.12) {
                let place = random.point(width: size.width, height: size.height)
                let speed = [0.0, 0, 1, 6].randomElement(using: &random)!
                let way = Point.direction(degrees: Double.random(in: 0..<360, using: &random))
                fingers[id] = (place, Point(x: way.x * speed, y: way.y * speed))
                _ = tracker.down(id: id, time: time, at: place, target: 0, arrival: now)
            }
        }
        if let frame = tracker.frame(arrival: now) { gestures += recognizer.handle(frame) }
        if random.chance(0.03), let frame = tracker.cancel(arrival: now) {
            gestures += recognizer.handle(frame)
            fingers.removeAll()
        }
        return gestures
    }

    mutating func leave(at now: Instant) -> [Gesture] {
        fingers.removeAll()
        return tracker.end(arrival: now).map { recognizer.handle($0) } ?? []
    }
}

@Suite struct StyleSequenceTests {
    private let size = Size(width: 110, height: 80)

    private func isFinite(_ shape: Shape) -> Bool {
        switch shape {
        case .disc(let disc): disc.center.isFinite && disc.radius.isFinite && disc.softness.isFinite
        case .arc(let arc):
            arc.center.isFinite && arc.radius.isFinite && arc.start.isFinite && arc.sweep.isFinite
                && arc.lineRadius.isFinite
        case .stroke(let stroke):
            stroke.nodes.allSatisfy { $0.position.isFinite && $0.radius.isFinite && $0.opacity.isFinite }
        case .label: false
        }
    }

    /// Whatever hands do: what is repainted in part looks as if all was, the numbers make sense, there are not too many
    /// shapes, and in the end there are none.
    @Test(arguments: RippleStyle.Kind.allCases, 0..<3 as Range<UInt64>)
    func anyHandsGiveThePixelsOfAFullRepaint(kind: RippleStyle.Kind, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed * 31 + 5)
        var style = RippleStyle()
        style.kind = kind
        style.startRadius = 6
        style.endRadius = 30
        style.duration = 0.4
        style.colorByFinger = seed == 1
        style.highContrast = seed == 2
        style.reducedMotion = random.chance(0.3)
        var controller = RippleController(style: style)
        controller.surfaceSize = size
        let scale = [1, 1.5, 1.25][Int(seed)]
        let background = PremultipliedColor(random.color())
        let composer = FrameComposer<FakeStorage>(background: background)
        composer.resize(
            to: PixelSize(width: Int32(size.width * scale), height: Int32(size.height * scale)), scale: scale)
        let screen = FakeScreen()
        var hands = RandomHands(on: size)
        var now = Instant.milliseconds(5000)
        var drawn = 0

        func draw(checked: Bool) throws {
            composer.shapes = controller.shapes
            #expect(composer.shapes.allSatisfy(isFinite))
            #expect(composer.shapes.count < 2000)
            guard composer.isDirty,
                case .frame(let storage, let damage) = try composer.compose(make: { FakeStorage($0) })
            else { return }
            screen.show(storage, damage: damage)
            if screen.held.count > 1 { screen.release(0) }
            guard checked else { return }
            drawn += 1
            let expected = fullRepaint(composer.shapes, size: composer.size, scale: scale, background: background)
            #expect(screen.pixels == expected)
            #expect(screen.buffer == expected)
        }

        for step in 0..<60 {
            now = now + .milliseconds(Int64.random(in: 4...40, using: &random))
            controller.handle(hands.act(at: now, using: &random), at: now)
            controller.advance(to: now)
            try draw(checked: step % 4 == 0)
        }
        controller.handle(hands.leave(at: now), at: now)
        for _ in 0..<20 {
            now = now + .milliseconds(150)
            controller.advance(to: now)
            try draw(checked: false)
        }
        #expect(controller.isIdle && !controller.isAnimating)
        #expect(screen.pixels == fullRepaint([], size: composer.size, scale: scale, background: background))
        #expect(screen.faults == [])
        #expect(drawn > 5, "nothing happened")
    }

    /// The samples of an hour's drawing do not pile up.
    @Test(arguments: [RippleStyle.Kind.trail, .inspect]) func longDrawingStaysBounded(kind: RippleStyle.Kind) {
        var style = RippleStyle()
        style.kind = kind
        var scene = StyleScene(style)
        var fingers = (0..<10).map { scene.down(Double($0) * 30, 0) }
        var most = 0
        for step in 1...1500 {
            scene.wait(1)
            for index in fingers.indices { scene.move(&fingers[index], Double(index) * 30, Double(step)) }
            if step % 100 == 0 {
                var nodes = 0
                for shape in scene.controller.shapes {
                    if case .stroke(let stroke) = shape { nodes += stroke.nodes.count }
                }
                most = max(most, nodes)
            }
        }
        #expect(most <= 10 * 270, "\(most)")
    }
}
