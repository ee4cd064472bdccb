import Gestures
import Testing

@Suite struct EventClockTests {
    private func run(_ events: [(stamp: UInt32, arrival: Int64)]) -> (since: [Double], clock: EventClock) {
        var clock = EventClock()
        let instants = events.map { clock.instant(stamp: $0.stamp, arrival: .milliseconds($0.arrival)) }
        return (instants.map { $0.millisecondsSince(instants[0]) }, clock)
    }

    @Test func theFirstEventIsWhenItArrived() {
        var clock = EventClock()
        #expect(clock.instant(stamp: 77, arrival: .milliseconds(9_000)) == .milliseconds(9_000))
    }

    @Test func distancesAreTheStampsNotTheArrivals() {
        let (since, clock) = run([(1000, 50), (1016, 90), (1084, 91)])
        #expect(since == [0, 16, 84])
        #expect(clock.backwards == 0)
    }

    @Test func theClockWrapsAfter49Days() {
        let (since, clock) = run([(.max - 9, 0), (.max, 9), (5, 15)])
        #expect(since == [0, 9, 15])
        #expect(clock.backwards == 0)
    }

    @Test func aStampSlightlyOutOfOrderIsClampedAndTheNextIsRight() {
        let (since, clock) = run([(1000, 0), (1020, 20), (1015, 21), (1030, 30)])
        #expect(since == [0, 20, 20, 30])
        #expect(clock.backwards == 1)
    }

    @Test func aClockSetBackDuringATouchGoesOnWithoutNegativeDistances() {
        let (since, clock) = run([(1_000_000, 0), (1_000_010, 10), (990_020, 20), (990_030, 30)])
        #expect(since == [0, 10, 20, 30])
        #expect(clock.backwards == 1)
    }

    @Test func aStampOfAnotherClockIsReplacedByItsArrival() {
        let (since, clock) = run([(1000, 0), (0, 600)])
        #expect(since == [0, 600])
        #expect(clock.backwards == 1)
    }

    @Test func aStampOfAnotherClockWithoutAnyWaitIsClamped() {
        #expect(run([(1000, 0), (0, 0)]).since == [0, 0])
    }

    @Test func stampsThatNeverChangeFallBackOnArrivals() {
        let (since, clock) = run([(0, 0), (0, 16), (0, 600)])
        #expect(since == [0, 16, 600])
        #expect(clock.backwards == 0)
    }

    @Test func equalStampsOfARunningClockAreOneMoment() {
        #expect(run([(10, 0), (20, 10), (20, 12), (30, 20)]).since == [0, 10, 10, 20])
    }

    @Test func aClockThatStandsStillFallsBackOnArrivalsAndGoesOnFromThere() {
        let (since, _) = run([(10, 0), (20, 10), (20, 410), (20, 610), (40, 630), (60, 650)])
        // The step that ends the standstill counts from where the clock stood: it may have caught up.
        #expect(since == [0, 10, 410, 610, 610, 630])
    }

    @Test func aSilenceLongerThanTheStampsCanTellIsTakenFromTheArrivals() {
        let days = Int64(30 * 24 * 3600 * 1000)
        let (since, clock) = run([
            (1000, 0), (1000 &+ UInt32(truncatingIfNeeded: days), days),
            (1010 &+ UInt32(truncatingIfNeeded: days), days + 10),
        ])
        #expect(since == [0, Double(days), Double(days + 10)])
        #expect(clock.backwards == 0)
    }

    @Test func anArrivalClockThatGoesBackwardsIsHarmless() {
        #expect(run([(0, 500), (0, 400), (0, 450), (0, 510)]).since == [0, 0, 0, 10])
        #expect(run([(1000, 500), (0, 100), (10, 90)]).since == [0, 0, 10])
    }

    @Test func whatHasNoStampIsReckonedFromTheLastOne() {
        var clock = EventClock()
        #expect(clock.instant(arrival: .milliseconds(7)) == .milliseconds(7))
        _ = clock.instant(stamp: 100, arrival: .milliseconds(10))
        _ = clock.instant(stamp: 400, arrival: .milliseconds(20))
        #expect(clock.instant(arrival: .milliseconds(25)) == .milliseconds(315))
        #expect(clock.instant(arrival: .milliseconds(25)) == .milliseconds(315))
    }

    @Test(arguments: 0..<50) func noSequenceOfStampsGoesBackwards(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var clock = EventClock()
        var arrival = Instant(nanoseconds: Int64.random(in: .min ... .max, using: &random))
        var stamp = UInt32.random(in: 0 ... .max, using: &random)
        var last = clock.instant(stamp: stamp, arrival: arrival)
        for _ in 0..<500 {
            switch Int.random(in: 0..<8, using: &random) {
            case 0: stamp = UInt32.random(in: 0 ... .max, using: &random)
            case 1: arrival = Instant(nanoseconds: Int64.random(in: .min ... .max, using: &random))
            case 2: stamp &-= 3
            default: stamp &+= UInt32.random(in: 0..<20, using: &random)
            }
            arrival = arrival + .milliseconds(Int64.random(in: -2..<20, using: &random))
            let next =
                Bool.random(using: &random)
                ? clock.instant(stamp: stamp, arrival: arrival) : clock.instant(arrival: arrival)
            #expect(next >= last, "seed \(seed)")
            last = next
        }
    }
}
