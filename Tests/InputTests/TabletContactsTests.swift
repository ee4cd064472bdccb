import Gestures
import Testing

@testable import Input

/// The rules of pens, without a compositor.
struct TabletContactsTests {
    private struct Pens {
        var contacts = TabletContacts(source: SourceID(rawValue: 7))
        var frames: [ContactFrame] = []
        var now = Instant.milliseconds(5_000)

        init() {}

        mutating func say(_ kinds: RawToolEvent.Kind..., tool: Int32 = 1) {
            for kind in kinds {
                frames += contacts.handle(RawToolEvent(kind: kind, tool: tool, type: .pen, arrival: now))
            }
        }

        mutating func come(_ x: Double, _ y: Double, target: Int? = 3, time: UInt32 = 100, tool: Int32 = 1) {
            say(.proximityIn(target: target), .motion(Point(x: x, y: y)), .frame(time: time), tool: tool)
        }

        /// `began 1` for contacts, `hover began 1` for hovers.
        var story: [String] {
            frames.flatMap { frame -> [String] in
                if let hover = frame.hover { return ["hover \(hover.phase) \(hover.id)"] }
                return frame.changes.map { "\($0.phase) \($0.contact.id)" }
            }
        }

        var changes: [ContactFrame.Change] { frames.flatMap(\.changes) }
    }

    @Test("A pen that comes, writes and goes: hovers, is a contact, hovers, and is gone")
    func stroke() {
        var pens = Pens()
        pens.come(10, 20)
        pens.say(.motion(Point(x: 11, y: 20)), .frame(time: 110))
        pens.say(.down, .pressure(32_768), .tilt(Contact.Tilt(x: 10, y: -5)), .frame(time: 120))
        pens.say(.motion(Point(x: 14, y: 22)), .pressure(65_535), .frame(time: 130))
        pens.say(.pressure(0), .up, .frame(time: 140))
        pens.say(.proximityOut, .frame(time: 150))
        #expect(
            pens.story == [
                "hover began 1", "hover moved 1", "hover ended 1", "began 1", "moved 1", "moved 1", "ended 1",
                "hover began 1", "hover ended 1",
            ])
        let began = pens.changes[0].contact
        #expect(began.kind == .stylus && began.target == 3)
        #expect(began.position == Point(x: 11, y: 20))
        #expect(began.pressure == 32_768.0 / 65_535)
        #expect(began.tilt == Contact.Tilt(x: 10, y: -5))
        #expect(pens.changes[1].contact.pressure == 1)
        #expect(pens.changes.map { $0.contact.instant.millisecondsSince(began.began) } == [0, 10, 20, 20])
        #expect(pens.contacts.tracker.contacts.isEmpty)
        #expect(pens.contacts.tracker.faults.total == 0)
    }

    @Test("Nothing leaves before the frame, whatever the order within it")
    func oneFrame() {
        var pens = Pens()
        pens.say(.proximityIn(target: 3), .down, .pressure(100), .motion(Point(x: 1, y: 2)))
        #expect(pens.frames.isEmpty)
        pens.say(.frame(time: 5))
        #expect(pens.story == ["began 1"])
        #expect(pens.changes[0].contact.position == Point(x: 1, y: 2))
    }

    @Test("A frame that never comes holds nothing back beyond the turn")
    func noFrame() {
        var pens = Pens()
        pens.say(.proximityIn(target: 3), .motion(Point(x: 1, y: 2)), .down)
        pens.frames += pens.contacts.endTurn(arrival: pens.now)
        pens.now = pens.now + .milliseconds(60)
        pens.say(.up)
        pens.frames += pens.contacts.endTurn(arrival: pens.now)
        #expect(pens.story == ["began 1", "ended 1", "hover began 1"])
        #expect(pens.changes[1].contact.instant.millisecondsSince(pens.changes[0].contact.began) == 60)
        pens.frames += pens.contacts.endTurn(arrival: pens.now)
        #expect(pens.story.count == 3)
    }

    @Test("What leaves while it is down is cancelled")
    func leavesWhileDown() {
        let ends: [(String, (inout Pens) -> Void)] = [
            ("proximity_out", { $0.say(.proximityOut, .frame(time: 130)) }),
            (
                "proximity_out without a frame",
                {
                    $0.say(.proximityOut)
                    $0.frames += $0.contacts.endTurn(arrival: $0.now)
                }
            ),
            ("removed", { $0.say(.removed) }),
            ("its tablet is gone", { $0.frames += $0.contacts.lose(1, arrival: $0.now) }),
            ("its surface is gone", { $0.frames += $0.contacts.endContacts(target: 3, arrival: $0.now) }),
            ("its seat is gone", { $0.frames += $0.contacts.end(arrival: $0.now) }),
            ("it comes again without having gone", { $0.say(.proximityIn(target: 3)) }),
        ]
        for (name, end) in ends {
            var pens = Pens()
            pens.come(10, 20)
            pens.say(.down, .frame(time: 120))
            end(&pens)
            #expect(pens.story == ["hover began 1", "hover ended 1", "began 1", "cancelled 1"], "\(name)")
            #expect(pens.contacts.tracker.contacts.isEmpty, "\(name)")
            pens.frames += pens.contacts.end(arrival: pens.now)
            #expect(pens.story.count == 4, "\(name)")
        }
    }

    @Test("A hover ends once, however it ends")
    func hoverEnds() {
        let ends: [(inout Pens) -> Void] = [
            { $0.say(.proximityOut, .frame(time: 130)) }, { $0.say(.removed) },
            { $0.frames += $0.contacts.lose(1, arrival: $0.now) },
            { $0.frames += $0.contacts.endContacts(target: 3, arrival: $0.now) },
            { $0.frames += $0.contacts.end(arrival: $0.now) },
        ]
        for end in ends {
            var pens = Pens()
            pens.come(10, 20)
            end(&pens)
            pens.frames += pens.contacts.end(arrival: pens.now)
            #expect(pens.story == ["hover began 1", "hover ended 1"])
        }
    }

    @Test("Lifted and gone in one frame is a stroke that ended, and no hover after it")
    func liftedAndGone() {
        var pens = Pens()
        pens.come(10, 20)
        pens.say(.down, .frame(time: 120))
        pens.say(.up, .proximityOut, .frame(time: 130))
        #expect(pens.story == ["hover began 1", "hover ended 1", "began 1", "ended 1"])
    }

    @Test("A dot made within one frame is a contact that began and ended")
    func dot() {
        var pens = Pens()
        pens.come(10, 20)
        pens.say(.down, .up, .frame(time: 120))
        #expect(pens.story == ["hover began 1", "hover ended 1", "began 1", "ended 1", "hover began 1"])
    }

    @Test("A pen over somebody else's surface is nothing here")
    func elsewhere() {
        var pens = Pens()
        pens.come(10, 20, target: nil)
        pens.say(.down, .frame(time: 110))
        pens.say(.up, .frame(time: 120))
        pens.say(.proximityOut, .frame(time: 130))
        #expect(pens.frames.isEmpty)
    }

    @Test("Buttons, wheel and slider make no contact")
    func buttons() {
        var pens = Pens()
        pens.come(10, 20)
        let before = pens.frames.count
        pens.say(
            .button(0x14B, isPressed: true), .slider(5), .wheel(degrees: 15, clicks: 1), .rotation(3),
            .frame(time: 120))
        pens.say(.button(0x14B, isPressed: false), .frame(time: 130))
        #expect(pens.frames.count == before)
    }

    @Test("Two pens are two contacts, and their hover tells them apart")
    func twoPens() {
        var pens = Pens()
        pens.come(10, 20, tool: 1)
        pens.come(90, 20, tool: 2)
        pens.say(.down, .frame(time: 120), tool: 2)
        pens.say(.down, .frame(time: 121), tool: 1)
        pens.say(.up, .frame(time: 130), tool: 2)
        #expect(
            pens.story == [
                "hover began 1", "hover began 2", "hover ended 2", "began 2", "hover ended 1", "began 1", "ended 2",
                "hover began 2",
            ])
        #expect(Set(pens.changes.map(\.contact.serial)).count == 2)
    }

    @Test("A pen that was up and down away from us comes down anew as a new contact")
    func serials() {
        var pens = Pens()
        for _ in 0..<3 {
            pens.come(10, 20)
            pens.say(.down, .frame(time: 120))
            pens.say(.up, .proximityOut, .frame(time: 130))
        }
        #expect(Set(pens.changes.map(\.contact.serial)).count == 3)
    }

    @Test("Random events: every contact and every hover begins once and ends once", arguments: 0..<8 as Range<UInt64>)
    func random(block: UInt64) {
        for seed in (block * 250)..<((block + 1) * 250) {
            var random = SeededGenerator(seed: seed)
            var pens = Pens()
            var time: UInt32 = Bool.random(using: &random) ? .max - 200 : 5
            var recognizer = GestureRecognizer()
            for _ in 0..<Int.random(in: 1...80, using: &random) {
                let tool = Int32.random(in: 1...3, using: &random)
                let place = Point(
                    x: .random(in: -5..<400, using: &random), y: .random(in: -5..<300, using: &random))
                time &+= UInt32.random(in: 0..<30, using: &random)
                pens.now = pens.now + .milliseconds(Int64.random(in: 0..<30, using: &random))
                switch Int.random(in: 0..<24, using: &random) {
                case 0..<3: pens.say(.proximityIn(target: [nil, 3, 4].randomElement(using: &random)!), tool: tool)
                case 3..<7: pens.say(.motion(place), tool: tool)
                case 7..<10: pens.say(.down, tool: tool)
                case 10..<13: pens.say(.up, tool: tool)
                case 13: pens.say(.proximityOut, tool: tool)
                case 14: pens.say(.pressure(.random(in: 0 ... .max, using: &random)), tool: tool)
                case 15: pens.say(.removed, tool: tool)
                case 16: pens.frames += pens.contacts.endTurn(arrival: pens.now)
                case 17:
                    pens.frames += pens.contacts.endContacts(target: 3, arrival: pens.now)
                    pens.frames += pens.contacts.lose(tool, arrival: pens.now)
                default: pens.say(.frame(time: time), tool: tool)
                }
            }
            pens.frames += pens.contacts.end(arrival: pens.now)
            var open: Set<UInt64> = []
            var hovering: Set<Int32> = []
            var problems: [String] = []
            for frame in pens.frames {
                if let hover = frame.hover {
                    let fits =
                        switch hover.phase {
                        case .began: hovering.insert(hover.id).inserted
                        case .moved: hovering.contains(hover.id)
                        case .ended: hovering.remove(hover.id) != nil
                        }
                    if !fits || !frame.changes.isEmpty { problems.append("hover \(hover.phase)") }
                } else if frame.changes.isEmpty {
                    problems.append("an empty frame")
                }
                for change in frame.changes {
                    let contact = change.contact
                    if contact.pressure.map({ !(0...1).contains($0) }) == true { problems.append("pressure") }
                    if contact.instant < contact.began { problems.append("time") }
                    let fits =
                        switch change.phase {
                        case .began: open.insert(contact.serial).inserted && !hovering.contains(contact.id)
                        case .moved: open.contains(contact.serial)
                        case .ended, .cancelled: open.remove(contact.serial) != nil
                        }
                    if !fits { problems.append("\(change.phase)") }
                }
                for case .tap(let tap) in recognizer.handle(frame) where tap.fingers != 1 {
                    problems.append("pens tapped together")
                }
            }
            #expect(problems.isEmpty && open.isEmpty && hovering.isEmpty, "seed \(seed)")
            #expect(pens.contacts.tracker.contacts.isEmpty, "seed \(seed)")
        }
    }
}

/// SplitMix64 (Steele, Lea, Flood 2014): the same numbers from the same seed everywhere.
private struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
