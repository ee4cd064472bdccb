import Gestures
import Testing

@Suite struct MotionTests {
    private typealias Path = (id: Int32, from: Point, to: Point)

    /// Fingers that go from place to place in ten steps of 8 ms.
    private func glide(_ paths: [Path], steps: Int = 10) -> [Step] {
        (1...steps).flatMap { step -> [Step] in
            let share = Double(step) / Double(steps)
            return [.wait(8)]
                + paths.map {
                    .motion(
                        $0.id, $0.from.x + ($0.to.x - $0.from.x) * share, $0.from.y + ($0.to.y - $0.from.y) * share)
                } + [.frame]
        }
    }

    private func play(_ paths: [Path]) -> Rig {
        var rig = Rig()
        rig.run(paths.map { .down($0.id, $0.from.x, $0.from.y) } + [.frame])
        rig.run(glide(paths))
        rig.run(paths.map { .up($0.id) } + [.frame])
        return rig
    }

    private func p(_ x: Double, _ y: Double) -> Point { Point(x: x, y: y) }

    /// The kinds, each once, in order.
    private func kinds(_ rig: Rig) -> [String] {
        var kinds: [String] = []
        for action in rig.actions {
            let kind = String(action.split(separator: " ")[0])
            if !kinds.contains(kind) { kinds.append(kind) }
        }
        return kinds
    }

    @Test func oneFingerPansWithTranslationAndVelocity() throws {
        let rig = play([(0, p(100, 100), p(180, 100))])
        #expect(rig.actions.first == "pan began")
        guard case .pan(let pan) = try #require(rig.gestures.first { $0.name == "pan" && $0.phase == .ended }) else {
            return
        }
        #expect(pan.hand.start == p(100, 100))
        #expect(pan.hand.translation == p(80, 0))
        #expect(abs(pan.velocity.x - 1000) < 1e-6)
        #expect(pan.velocity.y == 0)
        #expect(pan.hand.duration == 80)
    }

    @Test func twoFingersTogetherScroll() {
        let rig = play([(0, p(100, 100), p(100, 300)), (1, p(180, 100), p(180, 300))])
        #expect(kinds(rig) == ["scroll", "swipe"])
        #expect(rig.actions.count { $0.hasSuffix("ended") } == 2)
    }

    @Test func threeFingersTogetherPan() throws {
        let rig = play([(0, p(0, 0), p(200, 0)), (1, p(60, 0), p(260, 0)), (2, p(120, 0), p(320, 0))])
        #expect(kinds(rig) == ["pan", "swipe"])
        guard case .swipe(let swipe) = try #require(rig.gestures.first { $0.name == "swipe" }) else { return }
        #expect(swipe.direction == .right)
        #expect(swipe.hand.fingers == 3)
    }

    @Test func fingersThatMoveApartPinch() throws {
        let rig = play([(0, p(200, 100), p(150, 100)), (1, p(300, 100), p(350, 100))])
        #expect(kinds(rig) == ["pinch"])
        guard case .pinch(let pinch) = try #require(rig.gestures.last { $0.name == "pinch" }) else { return }
        #expect(pinch.phase == .ended)
        #expect(pinch.scale == 2)
        #expect(pinch.hand.location == p(250, 100))
    }

    @Test func oneOfTwoFingersMovingAwayIsAPinchAndNoScroll() {
        let rig = play([(0, p(200, 100), p(200, 100)), (1, p(300, 100), p(420, 100))])
        #expect(kinds(rig) == ["pinch"])
    }

    @Test func fingersThatTurnRotateClockwiseOnTheScreen() throws {
        // A quarter turn about (200, 200): the finger on the right goes to the bottom.
        let rig = play([(0, p(260, 200), p(200, 260)), (1, p(140, 200), p(200, 140))])
        #expect(kinds(rig).first == "rotation")
        guard case .rotation(let rotation) = try #require(rig.gestures.last { $0.name == "rotation" }) else { return }
        #expect(abs(rotation.degrees - 90) < 1e-9)
        #expect(rotation.phase == .ended)
    }

    @Test func aRotationGoesOnBeyondAFullTurn() throws {
        var rig = Rig(.down(0, 260, 200), .down(1, 140, 200), .frame)
        // Steps of 3-4-5 triangles: 36.87 degrees each, 20 of them.
        var (x, y) = (60.0, 0.0)
        for _ in 0..<20 {
            (x, y) = (0.8 * x - 0.6 * y, 0.6 * x + 0.8 * y)
            rig.run(.wait(8), .motion(0, 200 + x, 200 + y), .motion(1, 200 - x, 200 - y), .frame)
        }
        guard case .rotation(let rotation) = try #require(rig.gestures.last { $0.name == "rotation" }) else { return }
        #expect(abs(rotation.degrees - 20 * 36.869_897_645_844_02) < 1e-6)
    }

    @Test func aPivotAboutOneStillFingerIsARotation() {
        var rig = Rig(.down(0, 200, 200), .down(1, 400, 200), .frame)
        var (x, y) = (200.0, 0.0)
        for _ in 0..<10 {
            // 5-12-13: 22.6 degrees.
            (x, y) = (12 * x / 13 - 5 * y / 13, 5 * x / 13 + 12 * y / 13)
            rig.run(.wait(16), .motion(1, 200 + x, 200 + y), .frame)
        }
        rig.run(.up(0), .up(1), .frame)
        #expect(kinds(rig) == ["rotation"])
    }

    @Test func pinchAndRotationMayGoTogether() {
        let rig = play([(0, p(240, 200), p(200, 320)), (1, p(160, 200), p(200, 80))])
        #expect(Set(kinds(rig)) == ["pinch", "rotation"])
        #expect(rig.actions.count { $0.hasSuffix("ended") } == 2)
    }

    @Test func liftingOneFingerEndsTheGestureAndTheOthersDoNothingMore() {
        var rig = Rig(.down(0, 100, 100), .down(1, 180, 100), .frame)
        rig.run(glide([(0, p(100, 100), p(100, 300)), (1, p(180, 100), p(180, 300))]))
        rig.run(.up(0), .frame)
        let before = rig.actions
        #expect(before.contains("scroll ended"))
        rig.run(glide([(1, p(180, 300), p(180, 600))]))
        rig.run(.up(1), .frame)
        #expect(rig.actions == before)
    }

    @Test func whatIsLeftOfAHandThatHasBegunToLiftDoesNotPan() {
        var rig = Rig(.down(0, 100, 100), .down(1, 180, 100), .frame, .wait(50), .up(0), .frame)
        rig.run(glide([(1, p(180, 100), p(180, 400))]))
        rig.run(.up(1), .frame)
        #expect(rig.actions.isEmpty)
    }

    @Test func aFingerThatJoinsBeginsTheRotationAnew() throws {
        // The first two turn by a quarter with the fingers too near for a rotation; then the third comes.
        var rig = Rig(.down(0, 105, 100), .down(1, 95, 100), .frame, .wait(10))
        rig.run(.motion(0, 100, 105), .motion(1, 100, 95), .frame, .wait(10), .down(2, 250, 100), .frame)
        #expect(rig.actions.isEmpty)
        rig.run(.wait(10), .motion(2, 250, 160), .frame)
        guard case .rotation(let rotation) = try #require(rig.gestures.last) else { return }
        #expect(rotation.phase == .began)
        #expect(rotation.degrees > 0 && rotation.degrees < 45)
    }

    @Test func aFingerThatJoinsAPanTurnsItIntoSomethingElse() {
        var rig = Rig(
            .down(0, 100, 100), .frame, .wait(30), .motion(0, 100, 130), .frame, .wait(30), .down(1, 180, 130), .frame)
        #expect(rig.actions == ["pan began", "pan cancelled"])
        rig.run(glide([(0, p(100, 130), p(100, 330)), (1, p(180, 130), p(180, 330))]))
        #expect(rig.actions[2] == "scroll began")
    }

    @Test func fingersThatCameDownOneByOnePinchTogether() {
        var rig = Rig(.down(0, 200, 100), .frame, .wait(300), .down(1, 300, 100), .frame, .wait(50))
        rig.run(glide([(0, p(200, 100), p(120, 100)), (1, p(300, 100), p(380, 100))]))
        rig.run(.up(0), .up(1), .frame)
        #expect(kinds(rig) == ["pinch"])
    }

    @Test func aFingerThatPanLatelyStillTakesInASecondOne() {
        var rig = Rig(.down(0, 200, 100), .frame)
        rig.run(glide([(0, p(200, 100), p(200, 200))]))
        rig.run(.wait(300), .down(1, 300, 200), .frame)
        #expect(rig.actions.last == "pan changed")
        rig.run(glide([(0, p(200, 200), p(150, 200)), (1, p(300, 200), p(350, 200))]))
        #expect(rig.actions.contains("pan cancelled"))
        #expect(rig.actions.last == "pinch changed")
    }

    @Test func aPalmAtRestStaysOutOfAPan() {
        var rig = Rig(.down(0, 200, 100), .frame, .wait(600), .advance, .down(1, 300, 100), .frame)
        rig.run(glide([(1, p(300, 100), p(400, 100))]))
        rig.run(.up(1), .frame)
        #expect(kinds(rig) == ["long-press", "pan", "swipe"])
    }

    @Test func twoPeoplePanSeparately() {
        let rig = play([(0, p(100, 100), p(200, 100)), (1, p(900, 100), p(800, 100))])
        #expect(rig.actions.count { $0 == "pan began" } == 2)
        #expect(rig.actions.count { $0 == "pan ended" } == 2)
        #expect(Set(rig.gestures.compactMap { $0.hand?.number }).count == 2)
    }

    @Test func aCancelCancelsWhatMoves() {
        let cases: [[Path]] = [
            [(0, p(0, 0), p(90, 0))],
            [(0, p(0, 0), p(90, 0)), (1, p(60, 0), p(150, 0))],
            [(0, p(100, 0), p(0, 0)), (1, p(150, 0), p(250, 0))],
        ]
        for paths in cases {
            var rig = Rig()
            rig.run(paths.map { .down($0.id, $0.from.x, $0.from.y) } + [.frame])
            rig.run(glide(paths))
            rig.run(.cancel)
            #expect(rig.actions.count { $0.hasSuffix("began") } == 1)
            #expect(rig.actions.count { $0.hasSuffix("cancelled") } == 1)
            #expect(!rig.actions.contains { $0.hasSuffix("ended") })
        }
    }
}
