import Gestures
import Testing

@Suite struct TapTests {
    private func tap(_ id: Int32, _ x: Double, _ y: Double, for milliseconds: Int64 = 50) -> [Step] {
        [.down(id, x, y), .frame, .wait(milliseconds), .up(id), .frame]
    }

    @Test func aTapSaysWhereHowLongAndWithWhat() throws {
        let rig = Rig(
            .down(3, 10.5, 20.25, target: 9), .frame, .wait(40), .motion(3, 12, 21), .frame, .wait(44), .up(3), .frame)
        #expect(rig.gestureStory == ["contact began", "contact changed", "contact ended", "tap ended"])
        let tap = try #require(rig.taps.first)
        #expect(tap.location == Point(x: 12, y: 21))
        #expect(tap.duration == 84)
        #expect(tap.count == 1)
        #expect(tap.fingers == 1)
        #expect(tap.target == 9)
        #expect(tap.source == SourceID(rawValue: 1))
        #expect(tap.contacts.map(\.id) == [3])
        #expect(tap.instant == .milliseconds(1_000_084))
    }

    @Test func anyMotionUpToTheSlopIsATap() {
        #expect(Rig(.down(0, 0, 0), .motion(0, 18, 0), .up(0), .frame).taps.count == 1)
        #expect(Rig(.down(0, 0, 0), .motion(0, 18.01, 0), .up(0), .frame).taps.isEmpty)
        #expect(Rig(.down(0, 0, 0), .motion(0, 13, 13), .up(0), .frame).taps.isEmpty)
    }

    @Test func slopIsMeasuredFromTheAnchorNotFromTheLastSample() {
        let creep = (1...5).map { Step.motion(0, Double($0) * 5, 0) }
        var rig = Rig(.down(0, 0, 0))
        rig.run(creep + [.up(0), .frame])
        #expect(rig.taps.isEmpty)
    }

    @Test func onceOutOfTheSlopNeverATapAgain() {
        let rig = Rig(
            .down(0, 0, 0), .motion(0, 30, 0), .motion(0, 0, 0), .motion(0, 40, 0), .motion(0, 0, 0), .up(0), .frame)
        #expect(rig.taps.isEmpty)
        #expect(
            rig.gestureStory == [
                "contact began", "contact changed", "slop ended", "pan began", "contact changed", "pan changed",
                "contact changed", "pan changed", "contact changed", "pan changed", "contact ended", "pan ended",
            ])
    }

    @Test func slopScalesWithThePanelsDensity() {
        // 120 px/cm: 8 px are 0.7 mm, and 3 mm are 36 px.
        var configuration = GestureConfiguration()
        configuration.setTouchSlop(pixelsPerMillimetre: 12)
        #expect(configuration.touchSlop == 36)
        #expect(Rig(.down(0, 0, 0), .motion(0, 35, 0), .up(0), .frame, configuration: configuration).taps.count == 1)
        #expect(Rig(.down(0, 0, 0), .motion(0, 37, 0), .up(0), .frame, configuration: configuration).taps.isEmpty)
    }

    @Test func aPanelThatLiesAboutItsSizeGetsASlopThatWorks() {
        var configuration = GestureConfiguration()
        for nonsense in [0, -3, .nan, .infinity] {
            configuration.setTouchSlop(pixelsPerMillimetre: nonsense)
            #expect(configuration.touchSlop == 18)
        }
        configuration.setTouchSlop(pixelsPerMillimetre: 0.1)
        #expect(configuration.touchSlop == 8)
        configuration.setTouchSlop(pixelsPerMillimetre: 1000)
        #expect(configuration.touchSlop == 60)
    }

    @Test func whatIsHeldForLongerThanTheTimeoutIsNoTap() {
        var rig = Rig()
        rig.run(tap(0, 0, 0, for: 499))
        #expect(rig.taps.count == 1)
        rig.run(tap(0, 0, 0, for: 500))
        #expect(rig.taps.count == 1)
    }

    @Test func aCancelledContactIsNoTap() {
        let rig = Rig(.down(0, 0, 0), .frame, .wait(20), .cancel)
        #expect(rig.gestureStory == ["contact began", "contact cancelled"])
    }

    // MARK: Counts

    @Test func tapsInQuickSuccessionAreCountedAndEachDeliveredAtOnce() {
        var rig = Rig()
        for _ in 0..<4 {
            rig.run(tap(0, 100, 100))
            rig.run(.wait(150))
        }
        #expect(rig.taps.map(\.count) == [1, 2, 3, 4])
    }

    @Test func thePauseOfADoubleTapIsFromUpToDown() {
        var rig = Rig()
        rig.run(tap(0, 0, 0))
        rig.run(.wait(300))
        rig.run(tap(0, 0, 0, for: 400))
        rig.run(.wait(301))
        rig.run(tap(0, 0, 0))
        #expect(rig.taps.map(\.count) == [1, 2, 1])
    }

    @Test func tapsFarApartAreCountedSeparately() {
        var rig = Rig()
        rig.run(tap(0, 0, 0))
        rig.run(.wait(100))
        rig.run(tap(0, 100, 0))
        rig.run(.wait(100))
        rig.run(tap(0, 201, 0))
        #expect(rig.taps.map(\.count) == [1, 2, 1])
    }

    @Test func twoPeopleDoubleTappingAtOnceAreBothCounted() {
        var rig = Rig()
        for _ in 0..<2 {
            rig.run(tap(0, 0, 0, for: 60))
            rig.run(.wait(60))
            rig.run(tap(1, 900, 0, for: 60))
            rig.run(.wait(60))
        }
        #expect(rig.taps.map { "\(Int($0.location.x)) \($0.count)" } == ["0 1", "900 1", "0 2", "900 2"])
    }

    @Test func aDragBetweenTwoTapsDoesNotHideTheFirst() {
        var rig = Rig()
        rig.run(tap(0, 0, 0))
        rig.run(.wait(50), .down(1, 500, 500), .motion(1, 600, 500), .up(1), .frame, .wait(50))
        rig.run(tap(0, 0, 0))
        #expect(rig.taps.map(\.count) == [1, 2])
    }

    @Test func tapsOnDifferentSurfacesAreCountedSeparately() {
        let rig = Rig(
            .down(0, 5, 5, target: 1), .wait(50), .up(0), .wait(50), .down(0, 5, 5, target: 2), .wait(50), .up(0),
            .frame)
        #expect(rig.taps.map(\.count) == [1, 1])
    }

    @Test func aContactThatBouncesIsOneTapAndTheDoubleTapIsReckonedFromItsEnd() {
        var rig = Rig()
        rig.run(tap(0, 0, 0))
        rig.run(.wait(12))
        rig.run(tap(0, 2, 0, for: 100))
        #expect(rig.taps.map(\.count) == [1])
        rig.run(.wait(290))
        rig.run(tap(0, 0, 0))
        #expect(rig.taps.map(\.count) == [1, 2])
    }

    @Test func whatComesDownElsewhereOrLaterOrInTheSameMomentIsNoBounce() {
        for (pause, x) in [(Int64(12), 19.0), (21, 0), (0, 0)] {
            var rig = Rig()
            rig.run(tap(0, 0, 0))
            rig.run(.wait(pause))
            rig.run(tap(0, x, 0))
            #expect(rig.taps.count == 2, "\(pause) ms, \(x) px")
        }
    }

    // MARK: Fingers

    @Test func fingersTogetherAreOneTapAtTheirMiddle() throws {
        let rig = Rig(
            .down(0, 100, 100), .frame, .wait(30), .down(1, 200, 140), .frame, .wait(50), .up(1), .frame, .wait(20),
            .up(0), .frame)
        let tap = try #require(rig.taps.first)
        #expect(rig.taps.count == 1)
        #expect(tap.fingers == 2)
        #expect(tap.location == Point(x: 150, y: 120))
        #expect(tap.duration == 100)
        #expect(tap.contacts.map(\.id) == [1, 0])
        #expect(rig.gestureStory.suffix(3) == ["contact ended", "contact ended", "tap ended"])
    }

    @Test(arguments: 1...10) func upToTenFingersAreOneTap(fingers: Int) {
        var rig = Rig()
        for id in 0..<Int32(fingers) { rig.run(.wait(5), .down(id, Double(id) * 80, 0), .frame) }
        for id in 0..<Int32(fingers) { rig.run(.wait(5), .up(id), .frame) }
        #expect(rig.taps.map(\.fingers) == [fingers])
    }

    @Test func fingersFarApartInPlaceAreSeparateTaps() {
        let rig = Rig(
            .down(0, 100, 100), .down(1, 500, 100), .frame, .wait(60), .up(0), .frame, .wait(20), .up(1), .frame)
        #expect(rig.taps.map(\.location.x) == [100, 500])
        #expect(rig.taps.map(\.fingers) == [1, 1])
        #expect(rig.taps.map(\.duration) == [60, 80])
    }

    @Test func fingersFarApartInTimeAreSeparateTaps() {
        let rig = Rig(
            .down(0, 100, 100), .frame, .wait(101), .down(1, 150, 100), .frame, .wait(60), .up(1), .frame, .wait(20),
            .up(0), .frame)
        #expect(rig.taps.map(\.fingers) == [1, 1])
        #expect(rig.taps.map(\.location.x) == [150, 100])
    }

    @Test func aFingerThatComesAfterOneWasLiftedIsANewTap() {
        let rig = Rig(
            .down(0, 100, 100), .wait(20), .down(1, 150, 100), .wait(20), .up(0), .wait(20), .down(2, 120, 100),
            .wait(20), .up(1), .wait(20), .up(2), .frame)
        #expect(rig.taps.map(\.fingers) == [2, 1])
    }

    @Test func aPalmAtRestDoesNotJoinATap() {
        let rig = Rig(
            .down(0, 100, 100), .frame, .wait(3_000), .down(1, 150, 100), .frame, .wait(60), .up(1), .frame,
            .wait(5_000),
            .up(0), .frame)
        #expect(rig.taps.map(\.fingers) == [1])
    }

    @Test func oneFingersSlopSpoilsTheWholeHandsTap() {
        let rig = Rig(
            .down(0, 100, 100), .down(1, 150, 100), .frame, .wait(30), .up(0), .frame, .motion(1, 250, 100), .frame,
            .up(1),
            .frame)
        #expect(rig.taps.isEmpty)
    }

    @Test func oneFingersCancelSpoilsTheWholeHandsTap() {
        // The second down of id 0 shows that its first contact was taken away.
        let rig = Rig(
            .down(0, 100, 100), .down(1, 150, 100), .frame, .wait(120), .down(0, 800, 100), .frame, .wait(20), .up(1),
            .frame, .wait(20), .up(0), .frame)
        #expect(rig.taps.map(\.location.x) == [800])
    }

    @Test func fingersOfDifferentSurfacesAreDifferentHands() {
        let rig = Rig(
            .down(0, 5, 5, target: 1), .down(1, 9, 9, target: 2), .wait(50), .up(0), .up(1), .frame)
        #expect(rig.taps.map(\.fingers) == [1, 1])
    }

    @Test func twoFingerTapsAreCountedAmongThemselves() {
        var rig = Rig()
        for _ in 0..<2 {
            rig.run(.down(0, 0, 0), .down(1, 60, 0), .frame, .wait(50), .up(0), .up(1), .frame, .wait(100))
        }
        rig.run(tap(0, 30, 0))
        #expect(rig.taps.map(\.fingers) == [2, 2, 1])
        #expect(rig.taps.map(\.count) == [1, 2, 1])
    }

    @Test func aMissedUpDoesNotRaiseTheFingersOfLaterTaps() {
        var rig = Rig()
        for _ in 0..<10 {
            rig.run(.down(0, 100, 100), .frame, .wait(500))
            rig.run(tap(1, 140, 100))
            rig.run(.wait(500))
        }
        #expect(rig.taps.count == 10)
        #expect(rig.taps.allSatisfy { $0.fingers == 1 })
        #expect(rig.tracker.contacts.count == 1)
    }

    // MARK: Frames that no tracker makes

    @Test func framesForContactsThatNeverBeganAreIgnored() {
        var recognizer = GestureRecognizer()
        let contact = Contact(source: SourceID(rawValue: 1), id: 0, serial: 5, position: .zero, began: .milliseconds(1))
        for phase in [ContactFrame.Phase.moved, .ended, .cancelled] {
            let frame = ContactFrame(
                source: contact.source, instant: .milliseconds(2), changes: [.init(phase: phase, contact: contact)])
            #expect(recognizer.handle(frame).isEmpty)
        }
    }

    @Test func aContactThatBeginsTwiceBeginsOnce() {
        var recognizer = GestureRecognizer()
        let contact = Contact(source: SourceID(rawValue: 1), id: 0, serial: 5, position: .zero, began: .milliseconds(1))
        let frame = ContactFrame(
            source: contact.source, instant: .milliseconds(2),
            changes: [.init(phase: .began, contact: contact), .init(phase: .began, contact: contact)])
        #expect(recognizer.handle(frame) == [.contactBegan(contact)])
    }
}
