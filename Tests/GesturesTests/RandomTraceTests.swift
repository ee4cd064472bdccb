import Gestures
import Testing

/// Random traces of one to ten ids with lost ups, reused ids, cancels, lost surfaces and wrapping clocks.
@Suite struct RandomTraceTests {
    private static let seeds: Range<UInt64> = 0..<120

    /// What the hands do, with no frame in it. Balanced: at its end nothing is down.
    private func trace(_ random: inout SeededGenerator) -> [Step] {
        let ids = (0..<Int.random(in: 1...10, using: &random)).map { _ in
            Bool.random(using: &random)
                ? Int32.random(in: 0..<20, using: &random) : Int32.random(in: .min ... .max, using: &random)
        }
        // Some clocks wrap within the trace, some stand at 0.
        let isStuck = Int.random(in: 0..<10, using: &random) == 0
        var places: [Int32: Point] = [:]
        var steps: [Step] = [.stamp(Bool.random(using: &random) ? .max - 300 : 0)]
        for _ in 0..<Int.random(in: 1...200, using: &random) {
            let id = ids.randomElement(using: &random)!
            let x = Double.random(in: -50..<900, using: &random)
            let y = Double.random(in: -50..<500, using: &random)
            switch Int.random(in: 0..<40, using: &random) {
            case 0: steps.append(.cancel)
            case 1: steps.append(.surfaceGone(Int.random(in: 0...1, using: &random)))
            case 2: steps.append(.stamp(UInt32.random(in: 0 ... .max, using: &random)))
            case 3: steps.append(.end)
            // A down of a live id is a lost up.
            case 4..<14:
                steps.append(.down(id, x, y, target: Int.random(in: 0...3, using: &random) / 3))
                places[id] = Point(x: x, y: y)
            case 14..<19:
                steps.append(.motion(id, x, y))
                places[id] = Point(x: x, y: y)
            case 19:
                // Everything glides together.
                for (id, place) in places.sorted(by: { $0.key < $1.key }) {
                    places[id] = Point(x: place.x + (x - 425) / 8, y: place.y + (y - 225) / 8)
                    steps.append(.motion(id, places[id]!.x, places[id]!.y))
                }
            case 20..<24:
                // A small motion, so that some traces tap.
                if case .down(let last, let x, let y, _) = steps.last { steps.append(.motion(last, x + 3, y - 2)) }
            default: steps.append(.up(id))
            }
            let pause = Int64.random(in: 0..<60, using: &random)
            if Bool.random(using: &random) { steps.append(isStuck ? .arriveLater(pause) : .wait(pause)) }
        }
        return steps + Set(ids).sorted().map { .up($0) }
    }

    private func run(_ steps: [Step], framing: (Int) -> Step?) -> Rig {
        var rig = Rig()
        for (index, step) in steps.enumerated() {
            rig.run(step)
            if let boundary = framing(index) { rig.run(boundary) }
        }
        rig.run(.frame)
        return rig
    }

    @Test(arguments: seeds) func theTableIsEmptyAfterABalancedTrace(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let rig = run(trace(&random)) { _ in .frame }
        #expect(rig.tracker.contacts.isEmpty)
    }

    @Test(arguments: seeds) func eachContactBeginsOnceAndEndsOnce(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let rig = run(trace(&random)) { _ in .endTurn }
        var live: Set<UInt64> = []
        var over: Set<UInt64> = []
        for change in rig.changes {
            let serial = change.contact.serial
            switch change.phase {
            case .began:
                #expect(!over.contains(serial))
                #expect(live.insert(serial).inserted)
            case .moved: #expect(live.contains(serial))
            case .ended, .cancelled:
                #expect(live.remove(serial) != nil)
                over.insert(serial)
            }
        }
        #expect(live.isEmpty)
    }

    @Test(arguments: seeds) func gesturesKeepTheContactsStory(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let rig = run(trace(&random)) { _ in .frame }
        var live: Set<UInt64> = []
        var spoilt: Set<UInt64> = []
        var tapped: Set<UInt64> = []
        for gesture in rig.gestures {
            switch gesture {
            case .contactBegan(let contact): #expect(live.insert(contact.serial).inserted)
            case .contactMoved(let contact): #expect(live.contains(contact.serial))
            case .contactLeftSlop(let contact):
                #expect(live.contains(contact.serial))
                #expect(spoilt.insert(contact.serial).inserted)
            case .contactEnded(let contact): #expect(live.remove(contact.serial) != nil)
            case .contactCancelled(let contact):
                #expect(live.remove(contact.serial) != nil)
                spoilt.insert(contact.serial)
            case .tap(let tap):
                #expect(tap.count >= 1)
                #expect((1...10).contains(tap.fingers))
                #expect(tap.duration >= 0 && tap.duration <= 500)
                for contact in tap.contacts {
                    #expect(!live.contains(contact.serial), "tapped while down")
                    #expect(!spoilt.contains(contact.serial), "tapped after slop or cancel")
                    #expect(tapped.insert(contact.serial).inserted, "tapped twice")
                }
            default: break
            }
        }
        #expect(live.isEmpty)
        let ended = rig.changes.count { $0.phase.isTerminal }
        let reported = rig.gestures.count { $0.name == "contact" && ($0.phase == .ended || $0.phase == .cancelled) }
        #expect(ended == reported)
    }

    @Test(arguments: seeds) func eachGestureEndsOnce(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let rig = run(trace(&random)) { _ in .frame }
        var open: Set<String> = []
        for gesture in rig.gestures {
            guard let hand = gesture.hand else { continue }
            #expect(hand.fingers > 0)
            #expect(hand.duration >= 0)
            #expect(hand.location.isFinite && hand.start.isFinite)
            if case .swipe = gesture { continue }
            let key = "\(hand.number) \(gesture.name)"
            switch gesture.phase {
            case .began: #expect(open.insert(key).inserted, "\(key) began twice")
            case .changed: #expect(open.contains(key), "\(key) changed without beginning")
            case .ended, .cancelled: #expect(open.remove(key) != nil, "\(key) ended without beginning")
            }
        }
        #expect(open.isEmpty)
        #expect(rig.recognizer.nextDeadline == nil)
    }

    @Test(arguments: seeds) func deadlinesChangeNothingButTheMoment(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let steps = trace(&random).filter {
            switch $0 {
            case .stamp, .arriveLater: false
            default: true
            }
        }
        let reference = run(steps) { _ in .frame }
        var rig = Rig()
        for step in steps {
            rig.run(step, .frame, .advance)
        }
        #expect(rig.gestures == reference.gestures)
    }

    @Test(arguments: seeds) func nothingIsNegative(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let rig = run(trace(&random)) { _ in .frame }
        var last = Instant(nanoseconds: .min)
        for change in rig.changes {
            #expect(change.contact.instant >= change.contact.began)
            #expect(change.contact.instant >= last)
            last = change.contact.instant
        }
        for frame in rig.frames {
            #expect(!frame.changes.isEmpty)
            #expect(frame.instant == frame.changes.last?.contact.instant)
        }
    }

    @Test(arguments: seeds) func theResultIsTheSameHoweverFramesAreSplit(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let steps = trace(&random)
        let reference = run(steps) { _ in .frame }
        #expect(run(steps) { _ in nil }.gestures == reference.gestures)
        #expect(run(steps) { _ in .endTurn }.gestures == reference.gestures)
        let boundaries = steps.map { _ in [Step.frame, .endTurn, nil, nil].randomElement(using: &random)! }
        #expect(run(steps) { boundaries[$0] }.gestures == reference.gestures)
    }

    @Test func theTracesContainWhatTheyAreToTest() {
        var taps = 0
        var multiple = 0
        var slops = 0
        var kinds: Set<String> = []
        var faults = FaultCounters()
        for seed in Self.seeds {
            var random = SeededGenerator(seed: seed)
            let rig = run(trace(&random)) { _ in .frame }
            taps += rig.taps.count
            multiple += rig.taps.count { $0.fingers > 1 }
            kinds.formUnion(rig.gestures.map(\.name))
            slops += rig.gestures.count { $0.name == "slop" }
            faults = faults + rig.faults
        }
        #expect(taps > 100)
        #expect(multiple > 10)
        #expect(slops > 100)
        #expect(kinds.isSuperset(of: ["tap", "long-press", "drag", "pan", "scroll", "pinch", "rotation", "swipe"]))
        #expect(faults.duplicateDown > 100)
        #expect(faults.timeBackwards > 100)
        #expect(faults.unknownUp > 100)
    }
}
