import Gestures
import Testing

@Suite struct SwipeTests {
    /// Ten steps of 8 ms, then `pause` ms, then lifted.
    private func flick(
        from: Point, by step: Point, pause: Int64 = 0, size: Size? = nil, steps: Int = 10
    ) -> Rig {
        var rig = Rig()
        rig.recognizer.setSurfaceSize(size, target: 0)
        rig.run(.down(0, from.x, from.y), .frame)
        for count in 1...steps {
            rig.run(
                .wait(8), .motion(0, from.x + step.x * Double(count), from.y + step.y * Double(count)), .frame)
        }
        rig.run(.wait(pause), .up(0), .frame)
        return rig
    }

    private func lastSwipe(in rig: Rig) -> Swipe? {
        for case .swipe(let swipe) in rig.gestures { return swipe }
        return nil
    }

    @Test(arguments: [
        (Point(x: 8, y: 0), Swipe.Direction.right), (Point(x: -8, y: 2), .left), (Point(x: 3, y: 8), .down),
        (Point(x: 0, y: -8), .up),
    ])
    func theDirectionIsTheAxisOfItsVelocity(step: Point, direction: Swipe.Direction) throws {
        let swipe = try #require(lastSwipe(in: flick(from: Point(x: 300, y: 300), by: step)))
        #expect(swipe.direction == direction)
        #expect(abs(swipe.velocity.x - step.x * 125) < 1e-6)
        #expect(abs(swipe.velocity.y - step.y * 125) < 1e-6)
        #expect(swipe.edge == nil)
    }

    @Test func aDiagonalIsNoSwipe() {
        let rig = flick(from: .zero, by: Point(x: 8, y: 7))
        #expect(lastSwipe(in: rig) == nil)
        #expect(rig.actions.last == "pan ended")
    }

    @Test func aSlowPanIsNoSwipe() {
        #expect(lastSwipe(in: flick(from: .zero, by: Point(x: 0.3, y: 0), steps: 100)) == nil)
        #expect(lastSwipe(in: flick(from: .zero, by: Point(x: 0.5, y: 0), steps: 100)) != nil)
    }

    @Test func aLateLiftOffDoesNotSpoilTheVelocity() throws {
        let swipe = try #require(lastSwipe(in: flick(from: .zero, by: Point(x: 8, y: 0), pause: 60)))
        #expect(abs(swipe.velocity.x - 1000) < 1e-6)
    }

    @Test func samplesThatDoNotMoveBeforeTheLiftOffDoNotSpoilTheVelocity() throws {
        var rig = Rig(.down(0, 0, 0), .frame)
        for count in 1...10 { rig.run(.wait(8), .motion(0, Double(count) * 8, 0), .frame) }
        for _ in 0..<5 { rig.run(.wait(8), .motion(0, 80, 0), .frame) }
        rig.run(.up(0), .frame)
        #expect(abs(try #require(lastSwipe(in: rig)).velocity.x - 1000) < 1e-6)
    }

    @Test func aFingerThatStoppedBeforeItWasLiftedIsNoSwipe() {
        #expect(lastSwipe(in: flick(from: .zero, by: Point(x: 8, y: 0), pause: 150)) == nil)
    }

    @Test func aFirstSampleSpikeDoesNotSpoilTheVelocity() throws {
        var rig = Rig(.down(0, 0, 0), .frame)
        // The panel holds the first 60 px back.
        for count in 0...5 { rig.run(.wait(8), .motion(0, 60 + Double(count) * 4, 0), .frame) }
        rig.run(.up(0), .frame)
        #expect(abs(try #require(lastSwipe(in: rig)).velocity.x - 500) < 1e-6)
    }

    @Test func aJumpFromAStalePlaceGivesNoVelocity() throws {
        var rig = Rig(.down(0, 0, 0), .frame, .wait(8), .motion(0, 600, 0), .frame)
        rig.run(.wait(8), .motion(0, 600, 4), .frame, .wait(8), .motion(0, 600, 8), .frame, .up(0), .frame)
        let swipe = try #require(lastSwipe(in: rig))
        #expect(swipe.direction == .down)
        #expect(abs(swipe.velocity.y - 500) < 1e-6)
        #expect(swipe.velocity.x == 0)
    }

    @Test func onlyTheLastHundredMillisecondsCount() throws {
        var rig = Rig(.down(0, 0, 0), .frame)
        for count in 1...10 { rig.run(.wait(8), .motion(0, Double(count) * 8, 0), .frame) }
        for count in 1...20 { rig.run(.wait(8), .motion(0, 80, Double(count) * 8), .frame) }
        rig.run(.up(0), .frame)
        let swipe = try #require(lastSwipe(in: rig))
        #expect(swipe.direction == .down)
        #expect(swipe.velocity.x.magnitude < 1e-6)
        #expect(abs(swipe.velocity.y - 1000) < 1e-6)
    }

    @Test func velocitiesAreLimitedToTheFastestFling() throws {
        let swipe = try #require(lastSwipe(in: flick(from: .zero, by: Point(x: 200, y: 0))))
        #expect(abs(swipe.velocity.x - 8000) < 1e-6)
    }

    @Test func stampsThatDoNotChangeGiveNoVelocity() {
        var rig = Rig(.down(0, 0, 0))
        for count in 1...10 { rig.run(.motion(0, Double(count) * 8, 0)) }
        rig.run(.up(0), .frame)
        #expect(rig.actions.last == "pan ended")
    }

    @Test(arguments: [
        (Point(x: 5, y: 300), Point(x: 8, y: 0), Swipe.Edge.left), (Point(x: 795, y: 300), Point(x: -8, y: 0), .right),
        (Point(x: 300, y: 0), Point(x: 0, y: 8), .top), (Point(x: 300, y: 599), Point(x: 0, y: -8), .bottom),
    ])
    func aSwipeInwardsFromAnEdgeNamesTheEdge(from: Point, step: Point, edge: Swipe.Edge) throws {
        let rig = flick(from: from, by: step, size: Size(width: 800, height: 600))
        #expect(try #require(lastSwipe(in: rig)).edge == edge)
        #expect(rig.actions.last == "edge-swipe ended")
        #expect(lastSwipe(in: flick(from: from, by: step))?.edge == nil, "without a size there is no edge")
    }

    @Test func aSwipeAlongOrTowardsAnEdgeIsNoEdgeSwipe() {
        let size = Size(width: 800, height: 600)
        #expect(lastSwipe(in: flick(from: Point(x: 5, y: 100), by: Point(x: 0, y: 8), size: size))?.edge == nil)
        #expect(lastSwipe(in: flick(from: Point(x: 90, y: 100), by: Point(x: -8, y: 0), size: size))?.edge == nil)
        #expect(lastSwipe(in: flick(from: Point(x: 21, y: 100), by: Point(x: 8, y: 0), size: size))?.edge == nil)
    }
}
