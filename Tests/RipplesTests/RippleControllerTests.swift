import Gestures
import Ripples
import Testing

@Suite struct RippleControllerTests {
    private let start = Instant.milliseconds(10_000)
    private let place = Point(x: 100, y: 50)

    private func at(_ milliseconds: Int64) -> Instant { start + .milliseconds(milliseconds) }

    private func contact(_ serial: UInt64 = 1, at position: Point? = nil) -> Contact {
        Contact(
            source: SourceID(rawValue: 0), id: Int32(serial), serial: serial, position: position ?? place, began: start)
    }

    private func tap(_ contacts: [Contact]) -> Gesture {
        .tap(
            Tap(
                source: SourceID(rawValue: 0), location: contacts[0].position, instant: start, duration: 80,
                contacts: contacts))
    }

    /// Radius and alpha of each shape.
    private func look(_ controller: RippleController) -> [[Double]] {
        controller.discs.map { [$0.radius, Double($0.fill.alpha)] }
    }

    // MARK: The mark

    @Test func aMarkIsThereAtOnceOnDown() {
        var controller = RippleController()
        #expect(controller.isIdle)
        controller.handle([.contactBegan(contact())], at: start)
        #expect(controller.discs.map(\.center) == [place])
        #expect(look(controller) == [[15, 153]])
        #expect(!controller.isIdle)
    }

    @Test func theMarkFollowsTheFinger() {
        var controller = RippleController()
        controller.handle([.contactBegan(contact())], at: start)
        controller.handle([.contactMoved(contact(1, at: Point(x: 300, y: 7)))], at: at(16))
        #expect(controller.discs.map(\.center) == [Point(x: 300, y: 7)])
    }

    @Test func aRestingFingerNeedsNoWakeUp() {
        var controller = RippleController()
        controller.handle([.contactBegan(contact())], at: start)
        #expect(!controller.isAnimating)
        #expect(controller.nextDeadline == at(150), "the progress of a long press is to be shown")
        controller.advance(to: at(150))
        #expect(controller.isAnimating && controller.nextDeadline == nil)
        controller.advance(to: at(500))
        let before = controller.shapes
        #expect(!controller.isAnimating)
        controller.advance(to: at(3_600_000))
        #expect(controller.shapes == before)
        #expect(!controller.isAnimating)
    }

    @Test func aFingerThatLeftTheSlopKeepsItsMarkUntilLiftedThenFades() {
        var controller = RippleController()
        let moved = contact(1, at: Point(x: 300, y: 7))
        controller.handle([.contactBegan(contact())], at: start)
        controller.handle([.contactMoved(moved), .contactLeftSlop(moved)], at: at(100))
        controller.advance(to: at(5_000))
        #expect(look(controller) == [[15, 153]])
        controller.handle([.contactEnded(moved)], at: at(5_000))
        #expect(look(controller) == [[15, 153]])
        #expect(controller.isAnimating)
        controller.advance(to: at(5_100))
        #expect(look(controller) == [[15, 77]])
        controller.advance(to: at(5_200))
        #expect(controller.isIdle)
    }

    @Test func aCancelledContactIsABrokenRingThatFades() {
        var controller = RippleController()
        controller.handle([.contactBegan(contact())], at: start)
        controller.handle([.contactCancelled(contact())], at: at(100))
        var alphas: [UInt8] = []
        for milliseconds in stride(from: Int64(100), to: 600, by: 50) {
            controller.advance(to: at(milliseconds))
            #expect(controller.discs.isEmpty, "hollow")
            #expect(controller.arcs.map(\.sweep) == [50, 50, 50, 50])
            #expect(Set(controller.arcs.map(\.radius)) == [18])
            alphas.append(controller.arcs[0].color.alpha)
        }
        #expect(alphas == alphas.sorted(by: >) && alphas[0] > 200 && alphas[9] < 60)
        controller.advance(to: at(600))
        #expect(controller.isIdle)
    }

    // MARK: The wave

    @Test func aTapsWaveGrowsFromTheMarkAndIsRemovedAtItsEnd() {
        var controller = RippleController()
        controller.handle([.contactBegan(contact())], at: start)
        controller.handle([.contactEnded(contact()), tap([contact()])], at: at(80))
        #expect(look(controller) == [[15, 153]])
        var samples: [[Double]] = []
        for milliseconds: Int64 in [330, 580, 830] {
            controller.advance(to: at(milliseconds))
            samples += look(controller)
        }
        #expect(samples == [[30, 115], [45, 77], [60, 38]])
        controller.advance(to: at(1_079))
        #expect(controller.shapes.count == 1)
        #expect(controller.isAnimating)
        controller.advance(to: at(1_080))
        #expect(controller.shapes.isEmpty)
        #expect(controller.isIdle)
        #expect(!controller.isAnimating)
    }

    @Test func theOutlineFadesWithTheWave() {
        var controller = RippleController()
        controller.show(at: place)
        controller.advance(to: start)
        #expect(controller.discs[0].outline.alpha == 230)
        controller.advance(to: at(500))
        #expect(controller.discs[0].outline.alpha == 115)
    }

    @Test func theFramesBetweenDoNotMatter() {
        var often = RippleController()
        var seldom = RippleController()
        let gestures = [Gesture.contactBegan(contact()), .contactEnded(contact()), tap([contact()])]
        often.handle(gestures, at: start)
        seldom.handle(gestures, at: start)
        for milliseconds in Int64(0)...700 { often.advance(to: at(milliseconds)) }
        seldom.advance(to: at(700))
        #expect(often.shapes == seldom.shapes)
    }

    @Test func aTapOfManyFingersMakesAWaveAtEach() {
        var controller = RippleController()
        let a = contact(1, at: Point(x: 10, y: 10))
        let b = contact(2, at: Point(x: 90, y: 10))
        controller.handle([.contactBegan(a), .contactBegan(b)], at: start)
        controller.handle([.contactEnded(a)], at: at(60))
        controller.handle([.contactEnded(b), tap([a, b])], at: at(90))
        #expect(controller.discs.map(\.center) == [a.position, b.position])
        #expect(look(controller) == [[15, 153], [15, 153]])
        controller.advance(to: at(590))
        #expect(look(controller) == [[45, 77], [45, 77]])
    }

    @Test func aTapThatComesAfterItsMarkHasGoneStillMakesItsWave() {
        var controller = RippleController()
        let a = contact(1, at: Point(x: 10, y: 10))
        let b = contact(2, at: Point(x: 90, y: 10))
        controller.handle([.contactBegan(a), .contactBegan(b)], at: start)
        controller.handle([.contactEnded(a)], at: at(10))
        controller.handle([.contactEnded(b), tap([a, b])], at: at(450))
        #expect(Set(controller.discs.map(\.center)) == [a.position, b.position])
        #expect(look(controller) == [[15, 153], [15, 153]])
    }

    @Test func anyNumberOfWavesRunAtOnceEachInItsOwnTime() {
        var controller = RippleController()
        for serial in 1...20 as ClosedRange<UInt64> {
            let contact = contact(serial, at: Point(x: Double(serial), y: 0))
            controller.handle(
                [.contactBegan(contact), .contactEnded(contact), tap([contact])], at: at(Int64(serial) * 40))
        }
        #expect(controller.discs.map(\.center.x) == (1...20).map(Double.init))
        let radii = controller.discs.map(\.radius)
        #expect(radii == radii.sorted(by: >))
        #expect(radii.last == 15)
        controller.advance(to: at(20 * 40 + 999))
        #expect(controller.shapes.count == 1)
    }

    // MARK: Use as a library

    @Test func showMakesAWaveThatBeginsWithTheNextAdvance() {
        var controller = RippleController()
        controller.advance(to: start)
        controller.show(at: place)
        #expect(!controller.isIdle)
        #expect(controller.isAnimating)
        controller.advance(to: at(60_000))
        #expect(look(controller) == [[15, 153]])
        #expect(controller.discs.map(\.center) == [place])
        controller.advance(to: at(60_500))
        #expect(look(controller) == [[45, 77]])
        controller.advance(to: at(61_000))
        #expect(controller.isIdle)
    }

    @Test func aGestureIsAnAdvanceToo() {
        var controller = RippleController()
        controller.show(at: place)
        controller.handle([.contactBegan(contact())], at: start)
        controller.advance(to: at(500))
        #expect(look(controller) == [[45, 77], [15, 153]])
    }

    @Test(arguments: [RippleStyle.Kind.wave, .trail])
    func aWaveThatIsTakenOverRunsOnBesideItsPlace(kind: RippleStyle.Kind) {
        var style = RippleStyle()
        style.kind = kind
        var upper = RippleController(style: style)
        var lower = RippleController(style: style)
        // Their clocks begin at different times.
        lower.advance(to: at(-5000))
        upper.handle([.contactBegan(contact(1)), .contactBegan(contact(2))], at: start)
        upper.handle([.contactMoved(contact(1, at: Point(x: 110, y: 50)))], at: at(16))
        let last = contact(1, at: Point(x: 120, y: 50))
        upper.handle([.contactMoved(last)], at: at(32))
        upper.handle([.contactEnded(last), tap([last])], at: at(48))
        upper.advance(to: at(148))
        lower.advance(to: at(148))
        lower.adopt(upper, movedBy: Point(x: 7, y: -9))
        // The finger that is down stays where it is.
        upper.handle([.contactCancelled(contact(2))], at: at(148))
        for time in stride(from: Int64(148), through: 1100, by: 50) {
            upper.advance(to: at(time))
            lower.advance(to: at(time))
            let discs = upper.discs.filter { abs($0.center.x - 120) < 1e-9 }
            #expect(lower.discs.map(\.center) == discs.map { Point(x: $0.center.x + 7, y: $0.center.y - 9) })
            #expect(lower.discs.map(\.radius) == discs.map(\.radius), "\(time) ms")
            #expect(
                lower.strokes.map { $0.nodes.map { $0.position.x - 7 } }
                    == upper.strokes.filter { $0.nodes.last?.position.x == 120 }.map { $0.nodes.map { $0.position.x } })
        }
        #expect(lower.isIdle)
    }

    @Test func clearRemovesEverythingAndTheFingersTapIsStillSeen() {
        var controller = RippleController()
        controller.handle([.contactBegan(contact())], at: start)
        controller.show(at: .zero)
        controller.clear()
        #expect(controller.isIdle)
        controller.handle([.contactMoved(contact())], at: at(20))
        #expect(controller.isIdle)
        controller.handle([.contactEnded(contact()), tap([contact()])], at: at(40))
        #expect(controller.discs.map(\.center) == [place])
    }

    @Test func movesBetweenPicturesMakeNothingOlderOrYounger() {
        var controller = RippleController()
        controller.handle([.contactBegan(contact(1)), .contactBegan(contact(2))], at: start)
        controller.handle([.contactEnded(contact(1)), tap([contact(1)])], at: at(100))
        for time: Int64 in [200, 300, 400] {
            controller.handle([.contactMoved(contact(2, at: Point(x: 9, y: Double(time))))], at: at(time))
        }
        controller.advance(to: at(600))
        #expect(look(controller) == [[45, 77], [15, 153]])
        // After a pause what begins is not as old as the pause.
        controller.advance(to: at(1_200))
        controller.handle([.contactMoved(contact(2))], at: at(60_000))
        controller.handle([.contactEnded(contact(2)), tap([contact(2)])], at: at(60_000))
        controller.advance(to: at(60_500))
        #expect(look(controller) == [[45, 77]])
    }

    @Test func everyNumberOfTheStyleCounts() {
        var style = RippleStyle()
        style.color = Color(red: 1, green: 2, blue: 3)
        style.outline = Color(red: 4, green: 5, blue: 6, alpha: 100)
        style.outlineWidth = 3
        style.startRadius = 10
        style.endRadius = 20
        style.startOpacity = 1
        style.endOpacity = 0.5
        style.duration = 2
        style.radiusEasing = .easeOut
        style.opacityEasing = .easeIn
        style.liftFade = 1
        style.cancelFade = 4
        var controller = RippleController(style: style)
        controller.handle([.contactBegan(contact(1)), .contactBegan(contact(2)), .contactBegan(contact(3))], at: start)
        controller.handle(
            [.contactEnded(contact(1)), tap([contact(1)]), .contactEnded(contact(2)), .contactCancelled(contact(3))],
            at: start)
        controller.advance(to: at(500))
        #expect(controller.discs.map(\.radius) == [14.375, 10])
        #expect(controller.discs.map(\.fill.alpha) == [247, 128])
        #expect(controller.discs.map(\.outline.alpha) == [97, 50])
        // Slow at first: a 64th is gone after an eighth of its time.
        #expect(controller.arcs.map(\.outline.alpha) == [98, 98, 98, 98])
        #expect(controller.discs.allSatisfy { $0.outlineWidth == 3 && $0.fill.blue == 3 && $0.outline.blue == 6 })
        #expect(controller.discs[0].bounds == Rect(x: 82.625, y: 32.625, width: 34.75, height: 34.75))
    }

    @Test func anOpacityOfZeroShowsNothingAndStillEnds() {
        var style = RippleStyle()
        style.startOpacity = 0
        var controller = RippleController(style: style)
        controller.show(at: place)
        controller.advance(to: start)
        #expect(controller.discs.map(\.fill.alpha) == [0])
        #expect(controller.discs.map(\.outline.alpha) == [0])
        controller.advance(to: at(1_000))
        #expect(controller.isIdle)
    }

    @Test(arguments: [0, -1, .nan]) func aWaveWithoutDurationIsGoneAtTheNextAdvance(duration: Double) {
        var style = RippleStyle()
        style.duration = duration
        var controller = RippleController(style: style)
        controller.show(at: place)
        controller.advance(to: start)
        controller.advance(to: at(1))
        #expect(controller.isIdle)
    }

    // MARK: Bounds

    @Test func memoryIsBoundedAndTheWaveNearestToItsEndGoesFirst() {
        var controller = RippleController(capacity: 3)
        controller.handle([.contactBegan(contact(1))], at: start)
        for (index, x) in [10.0, 20, 30].enumerated() {
            controller.show(at: Point(x: x, y: 0))
            controller.advance(to: at(Int64(index) * 100))
        }
        #expect(controller.discs.map(\.center) == [place, Point(x: 20, y: 0), Point(x: 30, y: 0)])
    }

    @Test func marksUnderFingersGoLastAndTheOldestOfThemFirst() {
        var controller = RippleController(capacity: 2)
        for serial in 1...3 as ClosedRange<UInt64> {
            controller.handle([.contactBegan(contact(serial, at: Point(x: Double(serial), y: 0)))], at: start)
        }
        #expect(controller.discs.map(\.center.x) == [2, 3])
        let first = contact(1, at: Point(x: 1, y: 0))
        controller.handle([.contactMoved(first), .contactEnded(first)], at: at(10))
        #expect(controller.discs.map(\.center.x) == [2, 3])
    }

    @Test func aStormOfTapsStaysAtItsCapacity() {
        var controller = RippleController()
        for _ in 0..<10_000 { controller.show(at: place) }
        #expect(controller.shapes.count == 256)
        controller.advance(to: start)
        controller.advance(to: at(1_000))
        #expect(controller.isIdle)
    }

    // MARK: Time

    @Test func timeThatGoesBackwardsChangesNothingAndGoesOnFromThere() {
        var controller = RippleController()
        controller.show(at: place)
        controller.advance(to: at(0))
        controller.advance(to: at(500))
        controller.advance(to: at(-100_000))
        #expect(look(controller) == [[45, 77]])
        controller.advance(to: at(-99_750))
        #expect(look(controller) == [[60, 38]])
    }

    @Test func hugeStepsAreHarmless() {
        var controller = RippleController()
        controller.handle([.contactBegan(contact())], at: Instant(nanoseconds: .min))
        controller.advance(to: Instant(nanoseconds: .max))
        controller.advance(to: Instant(nanoseconds: .min))
        controller.advance(to: Instant(nanoseconds: .max))
        #expect(look(controller) == [[15, 153]])
        controller.show(at: place)
        controller.advance(to: Instant(nanoseconds: .min))
        controller.advance(to: Instant(nanoseconds: .max))
        #expect(controller.shapes.count == 1)
    }

    @Test func gesturesForContactsThatNeverBeganAreHarmless() {
        var controller = RippleController()
        controller.handle(
            [.contactMoved(contact()), .contactEnded(contact()), .contactCancelled(contact())], at: start)
        #expect(controller.isIdle)
        controller.handle([.contactBegan(contact()), .contactBegan(contact())], at: start)
        #expect(controller.shapes.count == 1)
    }

    @Test func liftingAfterTheTapDoesNotStopTheWave() {
        var controller = RippleController()
        controller.handle(
            [.contactBegan(contact()), tap([contact()]), .contactEnded(contact()), .contactCancelled(contact())],
            at: start)
        controller.advance(to: at(500))
        #expect(look(controller) == [[45, 77]])
    }
}
