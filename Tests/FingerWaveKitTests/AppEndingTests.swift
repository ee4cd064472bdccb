import Testing

@testable import FingerWaveKit

@Suite struct AppEndingTests {
    private static let second: Int64 = 1_000_000_000

    private func remains(processes: Bool = false, _ connections: Int = 0, closed: Int = 0) -> AppEnding.Remains {
        AppEnding.Remains(hasProcesses: processes, connections: connections, closedConnections: closed)
    }

    @Test func whileTheAppRunsNothingEnds() {
        var ending = AppEnding()
        ending.isToldToEnd = true
        #expect(ending.decide(remains(), now: 100 * Self.second) == .goOn(until: nil))
    }

    @Test func withTheAppAllEndsAtOnce() {
        var ending = AppEnding()
        ending.appEnded(at: 7 * Self.second)
        #expect(ending.decide(remains(), now: 7 * Self.second) == .end)
    }

    @Test func whatIsLeftBehindHasAWhileToConnect() {
        var ending = AppEnding()
        ending.appEnded(at: 7 * Self.second)
        let end = 7 * Self.second + AppEnding.grace
        #expect(ending.decide(remains(processes: true), now: 7 * Self.second) == .goOn(until: end))
        #expect(ending.decide(remains(processes: true), now: end - 1) == .goOn(until: end))
        // A service that never connects holds nothing up.
        #expect(ending.decide(remains(processes: true), now: end) == .end)
        // What is connected may stay for as long as it likes.
        #expect(ending.decide(remains(processes: true, 1), now: 1000 * Self.second) == .goOn(until: nil))
        #expect(ending.decide(remains(processes: true), now: 1001 * Self.second) == .end)
    }

    @Test func whatIsLeftBehindAndEndsIsNotWaitedFor() {
        var ending = AppEnding()
        ending.appEnded(at: 7 * Self.second)
        _ = ending.decide(remains(processes: true), now: 7 * Self.second)
        #expect(ending.decide(remains(), now: 8 * Self.second) == .end)
    }

    @Test func aCompositorThatReadsNothingIsWaitedForAWhile() {
        var ending = AppEnding()
        ending.appEnded(at: 7 * Self.second)
        let end = 7 * Self.second + AppEnding.patience
        #expect(ending.decide(remains(2, closed: 2), now: 7 * Self.second) == .goOn(until: end))
        #expect(ending.decide(remains(1, closed: 1), now: end) == .end)
    }

    @Test func theWhileBeginsWhenTheLastConnectionIsClosed() {
        var ending = AppEnding()
        ending.appEnded(at: 7 * Self.second)
        #expect(ending.decide(remains(2, closed: 1), now: 50 * Self.second) == .goOn(until: nil))
        let end = 50 * Self.second + AppEnding.patience
        #expect(ending.decide(remains(2, closed: 2), now: 51 * Self.second) == .goOn(until: end))
        #expect(ending.decide(remains(2, closed: 2), now: end) == .end)
    }

    @Test func whoIsToldToEndDoesSo() {
        var ending = AppEnding()
        ending.isToldToEnd = true
        ending.appEnded(at: 7 * Self.second)
        let end = 7 * Self.second + AppEnding.patience
        // What a script has started and is connected gets the time to end by itself.
        #expect(ending.decide(remains(processes: true, 1), now: 8 * Self.second) == .goOn(until: end))
        #expect(ending.decide(remains(processes: true, 1), now: end) == .end)
        // What is not has had none.
        #expect(ending.decide(remains(processes: true), now: 8 * Self.second) == .end)
    }
}
