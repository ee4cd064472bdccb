import Recording
import Testing

@testable import FingerWaveKit

@Suite struct EvdevStateTests {
    private func event(_ type: UInt16, _ code: UInt16, _ value: Int32) -> EvdevEvent {
        EvdevEvent(time: 5, type: type, code: code, value: value)
    }

    private func words(_ events: [EvdevEvent]) -> [[Int]] {
        events.map { [Int($0.type), Int($0.code), Int($0.value)] }
    }

    @Test func whatIsDownIsSaidAgain() {
        var state = EvdevState()
        #expect(state.frame(time: 1).isEmpty)
        let events = [(57, 12), (53, 100), (54, 200), (47, 3), (57, 13), (53, 300), (54, 400), (0, 100), (1, 200)]
        for (code, value) in events { state.note(event(3, UInt16(code), Int32(value))) }
        state.note(event(1, EvdevCode.btnTouch, 1))
        state.note(event(0, 0, 0))
        state.note(event(3, 53, 310))
        #expect(
            words(state.frame(time: 9)) == [
                [3, 47, 0], [3, 57, 12], [3, 53, 100], [3, 54, 200], [3, 47, 3], [3, 57, 13], [3, 53, 310],
                [3, 54, 400], [1, 330, 1], [3, 0, 100], [3, 1, 200], [0, 0, 0],
            ])
        #expect(state.frame(time: 9).allSatisfy { $0.time == 9 })
        // One is lifted while the other slot is the current one, which it stays for what follows.
        state.note(event(3, 57, -1))
        #expect(
            words(state.frame(time: 9)).prefix(5) == [
                [3, 47, 0], [3, 57, 12], [3, 53, 100], [3, 54, 200], [3, 47, 3],
            ])
        state.note(event(3, 47, 0))
        state.note(event(3, 57, -1))
        state.note(event(1, EvdevCode.btnTouch, 0))
        #expect(state.frame(time: 9).isEmpty)
    }

    @Test func slotsThatNoPanelHasCostNothing() {
        var state = EvdevState()
        for slot: Int32 in [-1, .max, .min, 256] {
            state.note(event(3, 47, slot))
            state.note(event(3, 57, 1))
        }
        #expect(state.frame(time: 1).isEmpty && state.slots.isEmpty)
    }

    /// A panel may have keys of its own, and a keyboard may call itself a touchscreen.
    @Test func keysAreNoTouches() {
        for key: UInt16 in [1, 30, 0x66, 0x8B, 0xD9, 0xFF, 0x100, 0x110, 0x130, 0x150, 0x160, 0x2FF] {
            #expect(!EvdevNode.isOfTouch(event(1, key, 1)), "\(key)")
        }
        #expect(!EvdevNode.isOfTouch(event(4, 4, 30)))
        for (type, code) in [(1, 330), (1, 0x145), (3, 57), (0, 0), (4, 5)] as [(UInt16, UInt16)] {
            #expect(EvdevNode.isOfTouch(event(type, code, 1)))
        }
    }
}
