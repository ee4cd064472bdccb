import Gestures
import Testing
import WireTables

@testable import WireProxy

/// An app and a compositor that say anything at all, by seed: nothing crashes, and what goes out are whole messages. What
/// libFuzzer finds of this kind is looked for by `meson-helpers/fuzz wire`; this is the part that every run of the tests does.
@Suite struct RandomPeersTests {
    private typealias Dice = RandomMessageTests.Dice

    /// Mostly small numbers, and now and then a large one.
    private func word(_ dice: inout Dice) -> UInt32 {
        switch dice.roll(12) {
        case 0: 0
        case 1: .max
        case 2: 0x7fff_ffff
        case 3: 0x8000_0000
        case 4: 0xff00_0000 + UInt32(dice.roll(3))
        case 5: UInt32(truncatingIfNeeded: dice.next())
        default: UInt32(dice.roll(24))
        }
    }

    private func message(_ dice: inout Dice, _ object: UInt32) -> Message {
        var message = Message(object, UInt16(dice.roll(14)))
        for _ in 0..<dice.roll(8) { message.append(word(&dice)) }
        message.descriptors = dice.roll(12) == 0 ? dice.roll(4) : 0
        return message
    }

    private func step(_ rig: RawRig, _ dice: inout Dice) throws {
        switch dice.roll(12) {
        case 0, 1, 2, 3: rig.app.send([message(&dice, dice.roll(10) == 0 ? word(&dice) : UInt32(1 + dice.roll(24)))])
        case 4, 5: rig.compositor.send([message(&dice, UInt32(1 + dice.roll(24)) + RawRig.base)])
        case 6: rig.compositor.send([message(&dice, UInt32(dice.roll(770)))])
        case 7:
            rig.touch(UInt32(7 + dice.roll(6)), UInt32(dice.roll(3)), UInt32(dice.roll(400)), UInt32(dice.roll(300)))
        case 8: rig.lift(UInt32(dice.roll(3)))
        case 9:
            let bytes = (0..<dice.roll(40)).map { _ in UInt8(truncatingIfNeeded: dice.next()) }
            if dice.roll(8) == 0 { (dice.roll(2) == 0 ? rig.app : rig.compositor).output.append(bytes) }
        case 10: rig.proxy.setPaused(dice.roll(2) == 0)
        default: try rig.tick(milliseconds: Int64(dice.roll(700)))
        }
        try rig.pump()
    }

    @Test(arguments: 0..<8) func doNoHarm(group: UInt64) throws {
        for seed in group * 8..<group * 8 + 8 {
            var dice = Dice(state: seed)
            let rig = try RawRig()
            rig.isStrict = false
            rig.proxy.asksPresentation = seed % 2 == 0
            rig.proxy.reports.onCommit = { _, _ in { _ in } }
            try rig.bindGlobals()
            rig.window(7)
            rig.window(10)
            try rig.pump()
            do {
                for _ in 0..<150 { try step(rig, &dice) }
            } catch let fault as Forwarder.Fault {
                #expect(!fault.description.isEmpty)
            }
            #expect(Message.parse(rig.compositor.received).length == rig.compositor.received.count, "seed \(seed)")
            #expect(Message.parse(rig.app.received).length == rig.app.received.count, "seed \(seed)")
        }
    }
}
