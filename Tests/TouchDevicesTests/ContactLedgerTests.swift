import Gestures
import Testing

@testable import TouchDevices

@Suite struct ContactLedgerTests {
    private static let place = Point(x: 0.5, y: 0.25)

    private func down(_ id: Int32, _ time: UInt64 = 1) -> DeviceTouch.Kind {
        .down(id: id, microseconds: time, place: ContactLedgerTests.place)
    }

    private func motion(_ id: Int32, _ time: UInt64 = 2) -> DeviceTouch.Kind {
        .motion(id: id, microseconds: time, place: ContactLedgerTests.place)
    }

    /// Takes all of `kinds` and returns what was passed on.
    private func pass(_ kinds: [DeviceTouch.Kind], _ ledger: inout ContactLedger) -> [DeviceTouch.Kind] {
        var passed: [DeviceTouch.Kind] = []
        for kind in kinds { passed += ledger.take(kind) }
        return passed
    }

    @Test func whatIsInOrderPasses() {
        var ledger = ContactLedger()
        let kinds = [
            down(0), down(3), .frame, motion(3), .frame, .up(id: 0, microseconds: 3), .frame,
            .cancel(id: 3, microseconds: 4), .frame,
        ]
        #expect(pass(kinds, &ledger) == kinds)
        #expect(ledger.ids.isEmpty)
    }

    @Test func whatIsNotDownIsPassedOver() {
        var ledger = ContactLedger()
        #expect(pass([motion(1), .up(id: 1, microseconds: 2), .cancel(id: 1, microseconds: 2)], &ledger) == [])
        #expect(pass([down(1), .up(id: 1, microseconds: 2), .up(id: 1, microseconds: 3)], &ledger).count == 2)
    }

    /// No frame after nothing: consumers count it as a fault of the device.
    @Test func aFrameAfterNothingIsPassedOver() {
        var ledger = ContactLedger()
        #expect(pass([.frame, motion(1), .frame], &ledger) == [])
        #expect(pass([down(1), .frame, .frame], &ledger) == [down(1), .frame])
    }

    @Test func aSecondDownEndsTheFirstContact() {
        var ledger = ContactLedger()
        #expect(
            pass([down(1), down(1, 7)], &ledger) == [down(1), .cancel(id: 1, microseconds: 7), down(1, 7)])
        #expect(ledger.ids == [1])
    }

    @Test func theEndOfADeviceCancelsWhatIsDown() {
        var ledger = ContactLedger()
        _ = pass([down(4), down(2), .frame], &ledger)
        #expect(
            ledger.end(microseconds: 9) == [.cancel(id: 4, microseconds: 9), .cancel(id: 2, microseconds: 9), .frame])
        #expect(ledger.end(microseconds: 10) == [] && ledger.take(motion(4)) == [])
    }

    /// libinput cancels what was down itself, and its frame comes too; then there is nothing left to say.
    @Test func theEndOfADeviceSaysNothingTwice() {
        var ledger = ContactLedger()
        _ = pass([down(4), .frame, .cancel(id: 4, microseconds: 8), .frame], &ledger)
        #expect(ledger.end(microseconds: 9) == [])
        _ = pass([down(4), .frame, .cancel(id: 4, microseconds: 8)], &ledger)
        #expect(ledger.end(microseconds: 9) == [.frame])
    }

    /// However wrong the events are, each contact begins and ends by turns, and none is left at the end.
    @Test func eachContactBeginsAndEndsByTurns() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<500 {
            var ledger = ContactLedger()
            var passed: [DeviceTouch.Kind] = []
            for time in 0..<UInt64(60) {
                let id = Int32.random(in: 0..<4, using: &random)
                let kind: DeviceTouch.Kind =
                    switch Int.random(in: 0..<5, using: &random) {
                    case 0: down(id, time)
                    case 1: motion(id, time)
                    case 2: .up(id: id, microseconds: time)
                    case 3: .cancel(id: id, microseconds: time)
                    default: .frame
                    }
                passed += ledger.take(kind)
            }
            passed += ledger.end(microseconds: 60)
            var live: Set<Int32> = []
            var hasNews = false
            for kind in passed {
                switch kind {
                case .down(let id, _, _): #expect(live.insert(id).inserted)
                case .motion(let id, _, _): #expect(live.contains(id))
                case .up(let id, _), .cancel(let id, _): #expect(live.remove(id) != nil)
                case .frame: #expect(hasNews)
                }
                hasNews = kind != .frame
            }
            #expect(live.isEmpty && !hasNews)
        }
    }
}
