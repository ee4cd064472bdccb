import Rendering
import Testing

@Suite struct TicksTests {
    @Test(arguments: [
        (0.0...10, 6, [0.0, 2, 4, 6, 8, 10]), (0...1, 6, [0, 0.2, 0.4, 0.6, 0.8, 1]),
        (0.3...0.9, 10, [0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]), (0...1280, 8, [0, 200, 400, 600, 800, 1000, 1200]),
        (17...18, 2, [17, 18]), (-5...5, 3, [-5, 0, 5]),
    ])
    func ticksAreRoundNumbers(range: ClosedRange<Double>, most: Int, ticks: [Double]) {
        let values = Ticks.values(range, most: most)
        #expect(values.count == ticks.count && zip(values, ticks).allSatisfy { abs($0 - $1) < 1e-9 }, "\(values)")
    }

    @Test func noRangeHasNoTicks() {
        #expect(Ticks.values(1...1, most: 5).isEmpty && Ticks.values(0...(.infinity), most: 5).isEmpty)
        #expect(Ticks.values(-1e300...1e300, most: 5).count <= 5)
    }
}
