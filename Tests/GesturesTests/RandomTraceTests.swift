import Gestures
import Testing

/// Random traces of one to ten ids with lost ups, reused ids, cancels, lost surfaces, pens and wrapping clocks.
@Suite struct RandomTraceTests {
    private static let blocks: Range<UInt64> = 0..<30
    private static let tracesInABlock: UInt64 = 100

    // MARK: Traces

    private struct Trace {
        /// What the hands do, with no frame in it. Balanced: at its end nothing is down.
        var steps: [Step] = []
        var kind = Contact.Kind.finger

        /// Without what drives the two clocks apart.
        var onOneClock: Trace {
            var trace = self
            trace.steps = steps.filter {
                switch $0 {
                case .stamp, .arriveLater: false
                default: true
                }
            }
            return trace
        }
    }

    private func trace(_ random: inout SeededGenerator) -> Trace {
        let ids = (0..<Int.random(in: 1...10, using: &random)).map { _ in
            Bool.random(using: &random)
                ? Int32.random(in: 0..<20, using: &random) : Int32.random(in: .min ... .max, using: &random)
        }
        var trace = Trace()
        if Int.random(in: 0..<8, using: &random) == 0 { trace.kind = .stylus }
        // Some clocks wrap within the trace, some stand at 0.
        let isStuck = Int.random(in: 0..<10, using: &random) == 0
        // Some people tap at one place.
        let reach = Bool.random(using: &random) ? 1.0 : 0.1
        var places: [Int32: Point] = [:]
        trace.steps = [.stamp(Bool.random(using: &random) ? .max - 300 : 0)]
        for _ in 0..<Int.random(in: 1...60, using: &random) {
            let id = ids.randomElement(using: &random)!
            let x = Double.random(in: -50..<900, using: &random) * reach
            let y = Double.random(in: -50..<500, using: &random) * reach
            switch Int.random(in: 0..<43, using: &random) {
            case 0: trace.steps.append(.cancel)
            case 1: trace.steps.append(.surfaceGone(Int.random(in: 0...1, using: &random)))
            case 2: trace.steps.append(.stamp(UInt32.random(in: 0 ... .max, using: &random)))
            case 3: trace.steps.append(.end)
            case 4: trace.steps.append(.lose(id))
            // A down of a live id is a lost up.
            case 5..<15:
                trace.steps.append(.down(id, x, y, target: Int.random(in: 0...3, using: &random) / 3))
                places[id] = Point(x: x, y: y)
                // Quick ones, so that some traces tap again and again.
                if Bool.random(using: &random) { trace.steps += [.wait(30), .up(id)] }
            case 15..<20:
                trace.steps.append(trace.kind == .stylus ? .stroke(id, x, y, pressure: 0.5) : .motion(id, x, y))
                places[id] = Point(x: x, y: y)
            case 20, 21:
                // Everything glides together.
                for (id, place) in places.sorted(by: { $0.key < $1.key }) {
                    places[id] = Point(x: place.x + (x / reach - 425) / 8, y: place.y + (y / reach - 225) / 8)
                    trace.steps.append(.motion(id, places[id]!.x, places[id]!.y))
                }
            case 22..<26:
                // A small motion, which a tap may have.
                if case .down(let last, let x, let y, _) = trace.steps.last {
                    trace.steps.append(.motion(last, x + 3, y - 2))
                }
            default: trace.steps.append(.up(id))
            }
            let longest: Int64 = Int.random(in: 0..<6, using: &random) == 0 ? 600 : 60
            let pause = Int64.random(in: 0..<longest, using: &random)
            if Bool.random(using: &random) { trace.steps.append(isStuck ? .arriveLater(pause) : .wait(pause)) }
        }
        trace.steps += Set(ids).sorted().map { .up($0) }
        return trace
    }

    private func run(_ trace: Trace, waits: Bool = false, boundary: (Int) -> [Step]) -> Rig {
        var configuration = GestureConfiguration()
        configuration.waitsForDoubleTap = waits
        var rig = Rig(configuration: configuration)
        rig.tracker = ContactTracker(source: rig.tracker.source, kind: trace.kind)
        for (index, step) in trace.steps.enumerated() {
            rig.run(step)
            rig.run(boundary(index))
        }
        rig.run(.frame)
        if waits { rig.run(.wait(2_000), .advance) }
        return rig
    }

    // MARK: What holds

    @Test(arguments: blocks) func whatHolds(block: UInt64) {
        for seed in (block * Self.tracesInABlock)..<((block + 1) * Self.tracesInABlock) {
            let problems = problems(seed)
            #expect(problems.isEmpty, "seed \(seed)")
        }
    }

    private func problems(_ seed: UInt64) -> [String] {
        var random = SeededGenerator(seed: seed)
        let trace = trace(&random)
        let plain = run(trace) { _ in [.frame] }
        let waiting = run(trace, waits: true) { _ in [.frame] }
        var problems = story(plain) + story(waiting) + times(plain) + waits(waiting, like: plain)

        // However frames are split, the result is the same.
        let waits = Bool.random(using: &random)
        let splits: [[[Step]]] = [[[]], [[.endTurn]], [[.frame], [.endTurn], [], []]]
        let split = splits.randomElement(using: &random)!
        let boundaries = trace.steps.map { _ in split.randomElement(using: &random)! }
        let other = run(trace, waits: waits) { boundaries[$0] }
        if other.gestures != (waits ? waiting : plain).gestures { problems.append("frames matter, waits: \(waits)") }

        // Deadlines change nothing but the moment, whenever somebody looks.
        let even = trace.onOneClock
        let looks = even.steps.map { _ in Int.random(in: 0..<3, using: &random) > 0 }
        let reference = run(even, waits: waits) { _ in [.frame] }
        let looking = run(even, waits: waits) { looks[$0] ? [.endTurn, .advance] : [.endTurn] }
        if looking.gestures != reference.gestures { problems.append("advance matters, waits: \(waits)") }
        return problems
    }

    /// Each contact and each gesture begins once and ends once, and nothing taps that should not.
    private func story(_ rig: Rig) -> [String] {
        var problems: [String] = []
        func expect(_ condition: Bool, _ text: String) { if !condition { problems.append(text) } }
        expect(rig.tracker.contacts.isEmpty, "something is down after a balanced trace")
        expect(rig.recognizer.nextDeadline == nil, "something is due after the end")
        var live: Set<UInt64> = []
        var spoilt: Set<UInt64> = []
        var over: Set<UInt64> = []
        var tapped: Set<UInt64> = []
        var open: Set<String> = []
        for change in rig.changes {
            let serial = change.contact.serial
            switch change.phase {
            case .began: expect(!over.contains(serial) && live.insert(serial).inserted, "a contact began twice")
            case .moved: expect(live.contains(serial), "a contact moved that was not there")
            case .ended, .cancelled:
                expect(live.remove(serial) != nil, "a contact ended that was not there")
                over.insert(serial)
            }
        }
        expect(live.isEmpty, "a contact did not end")
        var terminals = 0
        for gesture in rig.gestures {
            switch gesture {
            case .contactBegan(let contact): expect(live.insert(contact.serial).inserted, "begun twice")
            case .contactMoved(let contact): expect(live.contains(contact.serial), "moved while up")
            case .contactLeftSlop(let contact):
                expect(live.contains(contact.serial) && spoilt.insert(contact.serial).inserted, "slop twice")
            case .contactEnded(let contact):
                terminals += 1
                expect(live.remove(contact.serial) != nil, "ended while up")
            case .contactCancelled(let contact):
                terminals += 1
                expect(live.remove(contact.serial) != nil, "cancelled while up")
                spoilt.insert(contact.serial)
            case .tap(let tap):
                expect(tap.count >= 1 && (1...10).contains(tap.fingers), "an odd tap")
                expect(tap.duration >= 0 && tap.duration < 500, "a tap took \(tap.duration) ms")
                expect(tap.fingers == 1 || tap.contacts[0].kind == .finger, "pens tapped together")
                for contact in tap.contacts {
                    expect(!live.contains(contact.serial), "tapped while down")
                    expect(!spoilt.contains(contact.serial), "tapped after slop or cancel")
                    expect(tapped.insert(contact.serial).inserted, "tapped twice")
                }
            case .hover: problems.append("a hover of a finger")
            case .swipe(let swipe): expect(swipe.hand.fingers > 0, "a swipe of nothing")
            case .longPress, .drag, .pan, .scroll, .pinch, .rotation:
                guard let hand = gesture.hand else { continue }
                expect(hand.fingers > 0 && hand.duration >= 0, "a hand of nothing, or before its time")
                expect(hand.location.isFinite && hand.start.isFinite, "a place that is none")
                expect(isSane(gesture), "a number that cannot be: \(gesture)")
                let key = "\(hand.number) \(gesture.name)"
                switch gesture.phase {
                case .began: expect(open.insert(key).inserted, "\(key) began twice")
                case .changed: expect(open.contains(key), "\(key) changed without beginning")
                case .ended, .cancelled: expect(open.remove(key) != nil, "\(key) ended without beginning")
                }
            }
        }
        expect(live.isEmpty, "a contact's end was not said")
        expect(open.isEmpty, "did not end: \(open)")
        expect(terminals == over.count, "\(terminals) ends said of \(over.count)")
        return problems
    }

    private func isSane(_ gesture: Gesture) -> Bool {
        switch gesture {
        case .drag(let motion), .pan(let motion), .scroll(let motion):
            motion.velocity.distance(to: .zero) <= GestureConfiguration().maximumFlingVelocity * 1.000_001
        case .pinch(let pinch): pinch.scale >= 0 && pinch.scale.isFinite
        case .rotation(let rotation): rotation.degrees.isFinite
        default: true
        }
    }

    private func times(_ rig: Rig) -> [String] {
        var problems: [String] = []
        var last = Instant(nanoseconds: .min)
        for change in rig.changes {
            if change.contact.instant < change.contact.began { problems.append("a negative duration") }
            if change.contact.instant < last { problems.append("time went backwards") }
            last = change.contact.instant
        }
        for frame in rig.frames where frame.instant != frame.changes.last?.contact.instant {
            problems.append("a frame of another time than its last change")
        }
        return problems
    }

    /// Waiting joins taps and does nothing else.
    private func waits(_ waiting: Rig, like plain: Rig) -> [String] {
        func rest(_ rig: Rig) -> [Gesture] { rig.gestures.filter { $0.name != "tap" } }
        var problems: [String] = []
        if rest(waiting) != rest(plain) { problems.append("waiting changes what is no tap") }
        if !Set(waiting.taps).isSubset(of: Set(plain.taps)) { problems.append("waiting makes taps of its own") }
        if waiting.taps.reduce(0, { $0 + $1.count }) != plain.taps.count { problems.append("waiting loses taps") }
        return problems
    }

    @Test func theTracesContainWhatTheyAreToTest() {
        var taps = 0
        var multiple = 0
        var double = 0
        var joined = 0
        var slops = 0
        var pens = 0
        var kinds: Set<String> = []
        var faults = FaultCounters()
        for seed in 0..<600 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            let trace = trace(&random)
            let rig = run(trace) { _ in [.frame] }
            taps += rig.taps.count
            multiple += rig.taps.count { $0.fingers > 1 }
            double += rig.taps.count { $0.count == 2 }
            pens += rig.taps.count { $0.contacts[0].kind == .stylus }
            joined += run(trace, waits: true) { _ in [.frame] }.taps.count { $0.count > 1 }
            kinds.formUnion(rig.gestures.map(\.name))
            slops += rig.gestures.count { $0.name == "slop" }
            faults = faults + rig.faults
        }
        #expect(taps > 300)
        #expect(multiple > 10)
        #expect(double > 50)
        #expect(joined > 50)
        #expect(pens > 20)
        #expect(slops > 100)
        #expect(kinds.isSuperset(of: ["tap", "long-press", "drag", "pan", "scroll", "pinch", "rotation", "swipe"]))
        #expect(faults.duplicateDown > 100)
        #expect(faults.timeBackwards > 100)
        #expect(faults.unknownUp > 100)
    }
}
