import Gestures
import Testing

@testable import Inspection

@Suite struct StampBaseTests {
    /// A base that is fed so many events, each `way` ms on its way.
    private func base(_ ways: [Int64], offset: Int64 = 0, step: Int64 = 8) -> StampBase {
        var base = StampBase()
        for (index, way) in ways.enumerated() {
            let arrival = 1_000_000 + Int64(index) * step
            _ = base.note(
                stamp: UInt32(truncatingIfNeeded: arrival - way + offset), arrival: .milliseconds(arrival))
        }
        return base
    }

    @Test func stampsOfTheMonotonicClockAreKnownAfterEight() {
        #expect(!base([3, 1, 2, 900, 5, 0, 1]).isMonotonic)
        #expect(base([3, 1, 2, 900, 5, 0, 1, 7]).isMonotonic)
    }

    @Test(arguments: [-1, 1001, 86_400_000, -86_400_000, 1 << 31] as [Int64])
    func anotherBaseIsNot(way: Int64) { #expect(!base([Int64](repeating: way, count: 50)).isMonotonic) }

    @Test func oneStampThatDoesNotFitDisprovesIt() {
        #expect(!base([2, 2, 2, 2, 2, 2, 2, 2, 5000]).isMonotonic)
        #expect(!base([2, 2, 2, 2, 2, 2, 2, 2, -20, 2, 2, 2]).isMonotonic)
    }

    @Test func stampsThatStandStillProveNothing() {
        var base = StampBase()
        for index in 0..<20 { _ = base.note(stamp: 0, arrival: .milliseconds(Int64(index) * 10)) }
        #expect(!base.isMonotonic)
    }

    @Test func tellsWhenTheEventHappenedAcrossTheWrap() throws {
        var base = StampBase()
        var stamped: Instant?
        for index in 0..<12 {
            let arrival = (Int64(1) << 32) - 40 + Int64(index) * 8
            stamped = base.note(
                stamp: UInt32(truncatingIfNeeded: arrival - 4), arrival: .milliseconds(arrival) + 500_000)
        }
        #expect(stamped == .milliseconds((Int64(1) << 32) - 40 + 88 - 4))
    }
}

@Suite struct LatencyMeterTests {
    @Test func reckonsFromTheOldestTouchThatACommitShows() {
        var meter = LatencyMeter()
        meter.touch(arrival: .milliseconds(100), stamped: nil)
        meter.touch(arrival: .milliseconds(108), stamped: nil)
        #expect(meter.commit(at: .milliseconds(112)) != nil)
        #expect(meter.sinceArrival.commit == Summary(count: 1, median: 12, percentile99: 12))
        #expect(meter.sinceStamp.commit == nil)
        // The next picture shows nothing new of any touch.
        #expect(meter.commit(at: .milliseconds(128)) == nil)
        #expect(meter.sinceArrival.commit?.count == 1)
    }

    @Test func whatChangedNoPixelIsNotBlamedOnALaterPicture() {
        var meter = LatencyMeter()
        meter.touch(arrival: .milliseconds(100), stamped: nil)
        meter.nothingChanged()
        meter.touch(arrival: .milliseconds(5000), stamped: nil)
        _ = meter.commit(at: .milliseconds(5001))
        #expect(meter.sinceArrival.commit?.median == 1)
    }

    @Test func photonsAreReckonedFromTheSameTouch() throws {
        var meter = LatencyMeter()
        meter.touch(arrival: .milliseconds(100), stamped: .milliseconds(96))
        let committed = meter.commit(at: .milliseconds(103))
        let shown = try #require(committed)
        meter.presented(shown, at: .milliseconds(119))
        #expect(meter.sinceArrival == LatencyFigures(commit: .of(3), photons: .of(19)))
        #expect(meter.sinceStamp == LatencyFigures(commit: .of(7), photons: .of(23)))
    }

    @Test func aTouchIsShownByItsOwnSurface() {
        var meter = LatencyMeter()
        meter.touch(arrival: .milliseconds(100), stamped: nil, on: 1)
        meter.touch(arrival: .milliseconds(150), stamped: nil, on: 2)
        #expect(meter.commit(at: .milliseconds(152), on: 2)?.arrival == .milliseconds(150))
        #expect(meter.commit(at: .milliseconds(153), on: 2) == nil)
        meter.nothingChanged(on: 2)
        #expect(meter.commit(at: .milliseconds(160), on: 1)?.arrival == .milliseconds(100))
        #expect(meter.commit(at: .milliseconds(161)) == nil)
    }

    /// A touch is older than its arrival, so that the one figure cannot be below the other.
    @Test func bothBeginningsAreCountedOverTheSameTouches() throws {
        var meter = LatencyMeter()
        func touch(_ arrival: Int64, _ stamped: Int64?, commit: Int64) throws {
            meter.touch(arrival: .milliseconds(arrival), stamped: stamped.map { .milliseconds($0) })
            let committed = meter.commit(at: .milliseconds(commit))
            meter.presented(try #require(committed), at: .milliseconds(commit + 10))
        }
        try touch(100, nil, commit: 150)
        #expect(meter.sinceArrival == LatencyFigures(commit: .of(50), photons: .of(60)))
        try touch(200, 199, commit: 202)
        try touch(300, nil, commit: 350)
        #expect(meter.sinceArrival == LatencyFigures(commit: .of(2), photons: .of(12)))
        #expect(meter.sinceStamp == LatencyFigures(commit: .of(3), photons: .of(13)))
    }

    @Test func aPictureThatWasNeverSeenIsCountedAndNotMeasured() {
        var meter = LatencyMeter()
        meter.touch(arrival: .milliseconds(100), stamped: nil)
        _ = meter.commit(at: .milliseconds(101))
        meter.discard()
        #expect(meter.discarded == 1 && meter.sinceArrival.photons == nil)
    }

    @Test func lightBeforeTheCommitIsNotBelieved() throws {
        var meter = LatencyMeter()
        meter.touch(arrival: .milliseconds(100), stamped: nil)
        let committed = meter.commit(at: .milliseconds(110))
        let shown = try #require(committed)
        meter.presented(shown, at: .milliseconds(109))
        #expect(meter.implausible == 1 && meter.sinceArrival.photons == nil)
    }
}

@Suite struct PresentationClockTests {
    @Test func timesAreOf64BitSeconds() {
        var clock = PresentationClock()
        #expect(clock.source == .absent && clock.presented(0, 5, 0) == .presented(nil))
        clock.id = 1
        #expect(clock.source == .ready)
        #expect(clock.presented(0, 5, 7_000_001) == .presented(Instant(nanoseconds: 5_007_000_001)))
        #expect(clock.presented(1, 0, 0) == .presented(Instant(nanoseconds: 4_294_967_296_000_000_000)))
        // However broken, it saturates.
        #expect(clock.presented(0x7fff_ffff, .max, .max) == .presented(Instant(nanoseconds: .max)))
        clock.id = 0
        #expect(clock.source == .otherClock(0) && clock.presented(0, 5, 0) == .presented(nil))
    }
}

extension Summary {
    fileprivate static func of(_ value: Double) -> Summary { Summary(count: 1, median: value, percentile99: value) }
}
