import Gestures
import Testing

@testable import Ripples

/// What every style must do, whatever it looks like.
@Suite struct StyleTests {
    static let start = Instant.milliseconds(10_000)
    private let place = Point(x: 100, y: 80)

    private func at(_ milliseconds: Int64) -> Instant { Self.start + .milliseconds(milliseconds) }

    private func contact(_ serial: UInt64 = 1, _ kind: Contact.Kind = .finger) -> Contact {
        Contact(
            source: SourceID(rawValue: 0), id: Int32(serial), serial: serial, kind: kind, position: place,
            began: Self.start)
    }

    private func tap(_ contact: Contact, count: Int = 1) -> Gesture {
        .tap(
            Tap(
                source: contact.source, location: contact.position, instant: Self.start, duration: 80, count: count,
                contacts: [contact]))
    }

    private func hand(_ contacts: [Contact], fingers: Int? = nil) -> Hand {
        var middle = Point.zero
        for contact in contacts { middle = middle + contact.position }
        let count = Double(contacts.count)
        return Hand(
            number: 1, source: contacts[0].source, target: 0, fingers: fingers ?? contacts.count,
            location: Point(x: middle.x / count, y: middle.y / count), start: contacts[0].start,
            began: Self.start, instant: Self.start)
    }

    private func controller(
        _ kind: RippleStyle.Kind, _ change: (inout RippleStyle) -> Void = { _ in }
    ) -> RippleController {
        var style = RippleStyle()
        style.kind = kind
        change(&style)
        var controller = RippleController(style: style)
        controller.surfaceSize = Size(width: 400, height: 300)
        return controller
    }

    // MARK: Each style

    @Test func namesAreTheirOwnAndReadBack() {
        let kinds = RippleStyle.Kind.allCases
        #expect(Set(kinds.map(\.name)).count == kinds.count)
        for kind in kinds {
            #expect(RippleStyle.Kind(name: kind.name) == kind)
            #expect(!kind.help.isEmpty)
        }
        #expect(RippleStyle.Kind(name: "wav") == nil)
        #expect(RippleStyle().kind == .wave)
    }

    @Test(arguments: RippleStyle.Kind.allCases)
    func aMarkIsSeenOnDownAndStaysWhileHeld(kind: RippleStyle.Kind) {
        var controller = controller(kind)
        controller.handle([.contactBegan(contact())], at: Self.start)
        controller.advance(to: at(16))
        #expect(!controller.shapes.isEmpty)
        controller.advance(to: at(3_600_000))
        #expect(!controller.shapes.isEmpty)
        #expect(!controller.isIdle)
    }

    @Test(arguments: RippleStyle.Kind.allCases)
    func aRestingFingerCostsNothingOnceItsPressIsShown(kind: RippleStyle.Kind) {
        var controller = controller(kind)
        controller.handle([.contactBegan(contact())], at: Self.start)
        controller.advance(to: at(499))
        #expect(controller.isAnimating)
        controller.advance(to: at(500))
        controller.handle([.longPress(LongPress(phase: .began, hand: hand([contact()])))], at: at(500))
        // The samples of a path have gone by then.
        controller.advance(to: at(2_100))
        #expect(!controller.isAnimating)
        let before = controller.shapes
        controller.advance(to: at(60_000))
        #expect(controller.shapes == before)
    }

    @Test(arguments: RippleStyle.Kind.allCases)
    func everythingGoes(kind: RippleStyle.Kind) {
        let ends: [[Gesture]] = [
            [.contactEnded(contact())], [.contactCancelled(contact())], [.contactEnded(contact()), tap(contact())],
            [.contactEnded(contact()), tap(contact(), count: 3)],
        ]
        for end in ends {
            for held: Int64 in [0, 60, 2_000] {
                var controller = controller(kind)
                controller.handle([.contactBegan(contact())], at: Self.start)
                controller.handle(end, at: at(held))
                #expect(controller.isAnimating)
                #expect(!controller.isIdle)
                controller.advance(to: at(held + 3_000))
                #expect(controller.isIdle && controller.shapes.isEmpty)
                #expect(!controller.isAnimating)
            }
        }
    }

    @Test(arguments: RippleStyle.Kind.allCases)
    func cancelDoesNotLookLikeLifting(kind: RippleStyle.Kind) {
        var (cancelled, lifted) = (controller(kind), controller(kind))
        cancelled.handle([.contactBegan(contact())], at: Self.start)
        lifted.handle([.contactBegan(contact())], at: Self.start)
        cancelled.handle([.contactCancelled(contact())], at: at(600))
        lifted.handle([.contactEnded(contact())], at: at(600))
        #expect(cancelled.arcs.count == 4 && cancelled.arcs.allSatisfy { $0.sweep < 90 }, "a broken ring")
        #expect(cancelled.shapes.count == 4, "and hollow")
        #expect(lifted.arcs.allSatisfy { $0.sweep >= 360 })
    }

    @Test(arguments: RippleStyle.Kind.allCases)
    func eachFurtherTapOfARowIsSeen(kind: RippleStyle.Kind) {
        var counts: [Int] = []
        for count in 1...4 {
            var controller = controller(kind)
            controller.handle([.contactBegan(contact())], at: Self.start)
            controller.handle([.contactEnded(contact()), tap(contact(), count: count)], at: at(60))
            controller.advance(to: at(160))
            counts.append(controller.arcs.count)
        }
        #expect(counts == (0..<4).map { counts[0] + $0 }, "one ring more for each")
    }

    @Test(arguments: RippleStyle.Kind.allCases)
    func pressingIsShownAsItGrowsAndWhenItIsThere(kind: RippleStyle.Kind) {
        func progress(_ controller: RippleController) -> [Double] {
            controller.arcs.filter { $0.start == -90 }.map(\.sweep)
        }
        var controller = controller(kind)
        controller.handle([.contactBegan(contact())], at: Self.start)
        controller.advance(to: at(150))
        #expect(progress(controller).isEmpty, "a quick tap shows none")
        controller.advance(to: at(325))
        #expect(progress(controller) == [180])
        controller.advance(to: at(500))
        let rings = controller.arcs.count
        controller.handle([.longPress(LongPress(phase: .began, hand: hand([contact()])))], at: at(500))
        #expect(controller.arcs.count == rings + 1)
    }

    @Test(arguments: RippleStyle.Kind.allCases)
    func aFingerThatLeftTheSlopPressesNoMore(kind: RippleStyle.Kind) {
        var controller = controller(kind)
        controller.handle([.contactBegan(contact()), .contactLeftSlop(contact())], at: Self.start)
        controller.advance(to: at(400))
        #expect(controller.arcs.allSatisfy { $0.start != -90 })
    }

    @Test(arguments: RippleStyle.Kind.allCases)
    func aPensMarkIsNoFingers(kind: RippleStyle.Kind) {
        var (finger, pen) = (controller(kind), controller(kind))
        finger.handle([.contactBegan(contact())], at: Self.start)
        pen.handle([.contactBegan(contact(1, .stylus))], at: Self.start)
        #expect(pen.strokes.contains { $0.nodes.count == 5 && $0.nodes.first == $0.nodes.last }, "a diamond")
        #expect(!finger.strokes.contains { $0.nodes.count == 5 && $0.nodes.first == $0.nodes.last })
    }

    @Test(arguments: RippleStyle.Kind.allCases)
    func withReducedMotionNothingButOpacityChanges(kind: RippleStyle.Kind) {
        // Shapes without their colours.
        func geometry(_ controller: RippleController) -> [Shape] {
            controller.shapes.map { shape in
                switch shape {
                case .disc(let disc): .disc(Disc(center: disc.center, radius: disc.radius, fill: .clear))
                case .arc(let arc):
                    .arc(
                        Arc(
                            center: arc.center, radius: arc.radius, start: arc.start, sweep: arc.sweep,
                            lineRadius: arc.lineRadius, color: .clear))
                case .stroke(let stroke): .stroke(Stroke(nodes: stroke.nodes, color: .clear))
                case .label: shape
                }
            }
        }
        var controller = controller(kind) { $0.reducedMotion = true }
        controller.handle([.contactBegan(contact())], at: Self.start)
        controller.advance(to: at(160))
        let held = geometry(controller)
        for time: Int64 in stride(from: 176, to: 500, by: 16) {
            controller.advance(to: at(time))
            #expect(geometry(controller) == held)
        }
        controller.handle([.contactEnded(contact()), tap(contact(), count: 2)], at: at(500))
        controller.advance(to: at(516))
        let tapped = geometry(controller)
        var time: Int64 = 532
        while !controller.isIdle {
            controller.advance(to: at(time))
            #expect(controller.isIdle || geometry(controller) == tapped)
            time += 16
        }
        #expect(time > 700)
    }

    @Test(arguments: RippleStyle.Kind.allCases)
    func highContrastIsBlackAndWhiteAndOpaque(kind: RippleStyle.Kind) {
        var controller = controller(kind) {
            $0.setColor(Color(red: 255, green: 0, blue: 0))
            $0.highContrast = true
        }
        controller.handle([.contactBegan(contact()), .contactBegan(contact(2, .stylus))], at: Self.start)
        controller.advance(to: at(400))
        for shape in controller.shapes {
            let colors =
                switch shape {
                case .disc(let disc): [disc.fill, disc.outline]
                case .arc(let arc): [arc.color, arc.outline]
                case .stroke(let stroke): [stroke.color, stroke.outline]
                case .label(let label): [label.color, label.plate]
                }
            for color in colors { #expect([.white, .black, .clear].contains(color), "\(shape)") }
        }
    }

    // MARK: Fingers

    @Test func numbersAreGivenByArrivalAndAgainOnlyWhenTheirMarkHasGone() {
        var controller = controller(.dot) { $0.colorByFinger = true }
        func colors() -> [Color] { controller.discs.filter { $0.radius == 15 }.map { $0.fill } }
        func colors(_ fingers: Int...) -> [Color] {
            fingers.map { FingerColors.color(of: $0).fading(to: 0.92) }
        }
        controller.handle([.contactBegan(contact(11)), .contactBegan(contact(12))], at: Self.start)
        #expect(colors() == colors(1, 2))
        controller.handle([.contactEnded(contact(11)), .contactBegan(contact(13))], at: at(10))
        #expect(Array(colors().dropFirst()) == colors(2, 3), "the first's mark is still fading")
        controller.advance(to: at(400))
        controller.handle([.contactBegan(contact(14))], at: at(400))
        #expect(colors() == colors(2, 3, 1))
    }

    @Test func dotsCountTheFinger() {
        var controller = controller(.dot) { $0.colorByFinger = true }
        for serial in 1...7 as ClosedRange<UInt64> {
            let (dots, bars) = (controller.discs.filter { $0.radius == 2 }.count, controller.arcs.count)
            controller.handle([.contactBegan(contact(serial))], at: Self.start)
            #expect(controller.discs.filter { $0.radius == 2 }.count - dots == [1, 2, 3, 4, 0, 1, 2][Int(serial) - 1])
            #expect(controller.arcs.count - bars == (serial < 5 ? 0 : 2), "a bar and its rim")
        }
    }

    @Test func coloursAreToldApartByLightnessWhereTheyFollowEachOther() {
        let lightness = FingerColors.all.map {
            (299 * Int($0.red) + 587 * Int($0.green) + 114 * Int($0.blue)) / 1000
        }
        #expect(Set(FingerColors.all).count == 7)
        for (a, b) in zip(lightness, lightness.dropFirst()) { #expect(abs(a - b) >= 30, "\(a) \(b)") }
    }

    // MARK: Gestures

    @Test func aSwipeDrawsAnArrowThatGoes() {
        for (direction, x, y) in [
            (Swipe.Direction.left, -1.0, 0.0), (.right, 1, 0), (.up, 0, -1), (.down, 0, 1),
        ] {
            var controller = controller(.wave)
            let swipe = Swipe(hand: hand([contact()]), direction: direction, edge: nil, velocity: .zero)
            controller.handle([.swipe(swipe)], at: Self.start)
            let nodes = controller.strokes[0].nodes
            let way = nodes[1].position - nodes[0].position
            #expect(way.x * x + way.y * y > 50, "from its tail to its tip")
            #expect(controller.isAnimating && !controller.isIdle)
            controller.advance(to: at(700))
            #expect(controller.isIdle)
        }
    }

    @Test func anArrowStaysOnTheSurface() {
        var controller = controller(.wave)
        for (x, y) in [(0.0, 0.0), (400, 300), (-500, 900)] {
            for direction in [Swipe.Direction.left, .right, .up, .down] {
                var contact = contact()
                contact.position = Point(x: x, y: y)
                controller.handle(
                    [.swipe(Swipe(hand: hand([contact]), direction: direction, edge: nil, velocity: .zero))],
                    at: Self.start)
            }
        }
        for time: Int64 in [0, 300, 690] {
            controller.advance(to: at(time))
            for stroke in controller.strokes {
                for node in stroke.nodes {
                    #expect((0...400).contains(node.position.x) && (0...300).contains(node.position.y))
                }
            }
        }
    }

    @Test func anEdgeSwipesArrowHasABarAndEachFingerAHead() {
        func nodes(edge: Swipe.Edge?, fingers: Int) -> Int {
            var controller = controller(.wave)
            controller.handle(
                [
                    .swipe(
                        Swipe(
                            hand: hand([contact()], fingers: fingers), direction: .right, edge: edge, velocity: .zero))
                ], at: Self.start)
            return controller.strokes[0].nodes.count
        }
        #expect(nodes(edge: .left, fingers: 1) == nodes(edge: nil, fingers: 1) + 2)
        #expect(nodes(edge: nil, fingers: 3) == nodes(edge: nil, fingers: 1) + 10)
    }

    @Test func aPinchHasACaliperBetweenItsFingersAsLongAsItLasts() {
        var controller = controller(.wave)
        var (a, b) = (contact(1), contact(2))
        let c = contact(3)
        b.position = Point(x: 300, y: 80)
        controller.handle([.contactBegan(a), .contactBegan(b)], at: Self.start)
        func pinch(_ phase: GesturePhase, _ scale: Double) -> Gesture {
            .pinch(Pinch(phase: phase, hand: hand([a, b]), scale: scale))
        }
        controller.handle([pinch(.began, 1.5)], at: at(10))
        #expect(controller.strokes.count == 2)
        #expect(controller.strokes.allSatisfy { $0.nodes.allSatisfy { (115...285).contains($0.position.x) } })
        controller.advance(to: at(5_000))
        #expect(!controller.isAnimating, "fingers at rest")
        #expect(controller.strokes.count == 2)
        // Another finger, which is not part of it, is not measured.
        controller.handle([.contactBegan(c)], at: at(5_000))
        a.position.y = 200
        b.position.y = 200
        controller.handle([.contactMoved(a), .contactMoved(b), pinch(.changed, 0.5)], at: at(5_010))
        #expect(controller.strokes.allSatisfy { $0.nodes.contains { $0.position.y == 200 } })
        controller.handle([pinch(.ended, 0.5)], at: at(5_020))
        #expect(controller.isAnimating)
        controller.advance(to: at(5_270))
        #expect(controller.strokes.isEmpty)
    }

    @Test func aRotationsCaliperShowsTheTurn() {
        var controller = controller(.wave)
        let (a, b) = (contact(1), contact(2))
        var far = b
        far.position = Point(x: 300, y: 80)
        controller.handle([.contactBegan(a), .contactBegan(far)], at: Self.start)
        controller.advance(to: at(600))
        for degrees in [40.0, -75, 800] {
            controller.handle(
                [.rotation(Rotation(phase: .changed, hand: hand([a, far]), degrees: degrees))], at: at(700))
            #expect(controller.arcs.map(\.sweep) == [degrees == 800 ? 360 : degrees])
            #expect(controller.strokes.count == 2, "one caliper, not one for each change")
        }
    }

    @Test func aPenOverTheSurfaceIsShownLightlyUntilItTouchesOrGoes() {
        var controller = controller(.wave)
        func hover(_ phase: Hover.Phase, _ x: Double = 50) -> Gesture {
            .hover(
                Hover(
                    phase: phase, source: SourceID(rawValue: 3), id: 1, position: Point(x: x, y: 60),
                    instant: Self.start))
        }
        controller.handle([hover(.began)], at: Self.start)
        controller.handle([hover(.moved, 70)], at: at(10))
        #expect(controller.strokes.count == 1, "one pen, one mark")
        #expect(controller.strokes[0].nodes.contains { $0.position.x == 70 })
        #expect(controller.strokes[0].color.alpha < 200)
        #expect(!controller.isIdle && !controller.isAnimating)
        controller.handle([hover(.ended)], at: at(20))
        #expect(controller.isIdle)
    }

    // MARK: Paths

    @Test(arguments: [120, 1000]) func aTrailIsOfAllSamplesAndBounded(rate: Int64) {
        var controller = controller(.trail)
        var contacts = (1...10 as ClosedRange<UInt64>).map { contact($0) }
        controller.handle(contacts.map { .contactBegan($0) }, at: Self.start)
        for sample in 1...(rate * 2) {
            for index in contacts.indices {
                contacts[index].position = Point(x: Double(sample), y: Double(index) * 20)
            }
            controller.handle(contacts.map { .contactMoved($0) }, at: at(sample * 1000 / rate))
        }
        #expect(controller.strokes.count == 10)
        for stroke in controller.strokes {
            let count = stroke.nodes.count
            if rate == 120 {
                #expect((64...68).contains(count), "0.55 s of 120 Hz")
            } else {
                #expect((128...RipplePath.capacity).contains(count))
                #expect(
                    stroke.nodes.last!.position.x - stroke.nodes[0].position.x > 500, "thinned out, not cut off")
            }
            #expect(stroke.nodes.last!.radius > stroke.nodes[0].radius)
            #expect(stroke.nodes.last!.opacity > stroke.nodes[0].opacity)
        }
    }

    @Test func aTrailIsDroppedAtOnceOnCancel() {
        var controller = controller(.trail)
        var finger = contact()
        controller.handle([.contactBegan(finger)], at: Self.start)
        finger.position.x += 90
        controller.handle([.contactMoved(finger)], at: at(20))
        #expect(controller.strokes.count == 1)
        controller.handle([.contactCancelled(finger)], at: at(30))
        #expect(controller.strokes.isEmpty)
    }

    @Test func pathsAreKeptOnlyByStylesThatShowThem() {
        var controller = controller(.wave)
        var finger = contact()
        controller.handle([.contactBegan(finger)], at: Self.start)
        finger.position.x += 90
        controller.handle([.contactMoved(finger)], at: at(20))
        controller.style.kind = .trail
        #expect(controller.strokes.isEmpty)
        finger.position.x += 90
        controller.handle([.contactMoved(finger)], at: at(40))
        finger.position.x += 90
        controller.handle([.contactMoved(finger)], at: at(60))
        #expect(controller.strokes.count == 1)
        controller.style.kind = .wave
        controller.advance(to: at(80))
        controller.style.kind = .trail
        #expect(controller.strokes.isEmpty)
    }

    @Test func aCrosshairGoesFromEdgeToEdge() {
        var controller = controller(.crosshair)
        controller.handle([.contactBegan(contact())], at: Self.start)
        let places = controller.strokes.flatMap { $0.nodes.map(\.position) }
        #expect(places.map(\.x).min() == 0 && places.map(\.x).max() == 400)
        #expect(places.map(\.y).min() == 0 && places.map(\.y).max() == 300)
    }

    @Test func theInspectorsSlopRingIsTheRecognisersAndBreaksWhenItIsLeft() {
        var controller = controller(.inspect)
        var configuration = GestureConfiguration()
        configuration.touchSlop = 33
        controller.fit(configuration)
        controller.handle([.contactBegan(contact())], at: Self.start)
        #expect(controller.arcs.filter { $0.radius == 33 }.map(\.sweep) == [360])
        controller.handle([.contactLeftSlop(contact())], at: at(10))
        #expect(controller.arcs.filter { $0.radius == 33 }.count == 8)
    }

    @Test func theLongPressIsTheRecognisers() {
        var controller = controller(.wave)
        var configuration = GestureConfiguration()
        configuration.longPressTimeout = .milliseconds(1150)
        controller.fit(configuration)
        controller.handle([.contactBegan(contact())], at: Self.start)
        controller.advance(to: at(650))
        #expect(controller.arcs.map(\.sweep) == [180])
    }
}
