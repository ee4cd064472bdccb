import Gestures
import Testing

@testable import Inspection

@Suite struct SampleWindowTests {
    @Test func anEmptyOneHasNothingToSay() { #expect(SampleWindow().summary == nil) }

    @Test(arguments: [(1, 1.0, 1.0), (2, 1, 2), (100, 50, 99), (101, 51, 100), (200, 100, 198)])
    func percentilesAreValuesByNearestRank(count: Int, median: Double, top: Double) {
        var window = SampleWindow()
        // Not in order.
        for value in 1...count where value % 2 == 0 { window.add(Double(value)) }
        for value in 1...count where value % 2 == 1 { window.add(Double(value)) }
        #expect(window.summary == Summary(count: count, median: median, percentile99: top))
    }

    @Test func onlyTheLastValuesCount() {
        var window = SampleWindow(capacity: 4)
        for value in [900, 900, 900, 1, 2, 3, 4] { window.add(Double(value)) }
        #expect(window.summary == Summary(count: 4, median: 2, percentile99: 4))
        #expect(window.total == 7)
    }
}

@Suite struct IntervalHistogramTests {
    /// Hz and the bin that it must have for itself.
    @Test(arguments: [
        (1000, 0), (500, 1), (250, 2), (180, 3), (120, 4), (90, 5), (60, 6), (50, 7), (30, 8), (20, 9), (5, 10),
    ])
    func eachCommonReportRateHasABinOfItsOwn(hertz: Int, bin: Int) {
        var histogram = IntervalHistogram()
        histogram.add(1000 / Double(hertz))
        #expect(histogram.counts.firstIndex(of: 1) == bin)
        #expect(histogram.total == 1)
    }

    @Test func aBoundBelongsToTheBinAboveIt() {
        var histogram = IntervalHistogram()
        for bound in IntervalHistogram.bounds { histogram.add(bound) }
        #expect(histogram.counts == [0] + [Int](repeating: 1, count: IntervalHistogram.bounds.count))
    }

    @Test func barsShowEveryBinThatHoldsAnything() {
        var histogram = IntervalHistogram()
        #expect(histogram.bars == "···········")
        for _ in 0..<1000 { histogram.add(8.3) }
        histogram.add(16.7)
        #expect(histogram.bars == "····█·▂····")
    }
}

@Suite struct EventRateTests {
    @Test func countsTheLastSecondOnly() {
        var rate = EventRate()
        for step in 0..<400 { rate.add(1, at: .milliseconds(10_000 + Int64(step) * 10)) }
        #expect((95...100).contains(rate.perSecond(at: .milliseconds(13_990))))
        #expect((45...50).contains(rate.perSecond(at: .milliseconds(14_490))))
        #expect(rate.perSecond(at: .milliseconds(15_000)) == 0)
    }

    @Test func aBurstIsNotLost() {
        var rate = EventRate()
        rate.add(3000, at: .milliseconds(5))
        #expect(rate.perSecond(at: .milliseconds(6)) == 3000)
    }

    @Test func aClockThatStandsOrGoesBackStillCounts() {
        var rate = EventRate()
        rate.add(1, at: .milliseconds(60_000))
        rate.add(1, at: .milliseconds(10))
        rate.add(1, at: Instant(nanoseconds: -5))
        #expect(rate.perSecond(at: .milliseconds(60_000)) == 3)
    }
}

@Suite struct FigureTextTests {
    @Test(arguments: [
        (0.04, "0.0"), (0.05, "0.1"), (-0.04, "0.0"), (-1.26, "-1.3"), (99.96, "100.0"), (.nan, "?"), (.infinity, "?"),
        (-2e9, "?"),
    ])
    func roundsAndRefusesNonsense(value: Double, text: String) { #expect(figure(value) == text) }

    @Test func keepsItsWidth() {
        #expect(figure(8.25, width: 5) == "  8.3" && figure(7, width: 2) == " 7" && figure(123, width: 2) == "123")
        #expect(figure(0.5, places: 0) == "1" && figure(3.14159, places: 3) == "3.142")
    }
}
