import CLibc
import Testing

@testable import EventLoop

/// A pipe that closes itself.
private final class Pipe {
    let reading: Int32
    private(set) var writing: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        #expect(pipe(&ends) == 0)
        reading = ends[0]
        writing = ends[1]
    }

    func write() {
        var byte: UInt8 = 1
        #expect(CLibc.write(writing, &byte, 1) == 1)
    }

    func read() {
        var byte: UInt8 = 0
        #expect(CLibc.read(reading, &byte, 1) == 1)
    }

    func hangUp() {
        _ = close(writing)
        writing = -1
    }

    deinit {
        _ = close(reading)
        if writing >= 0 { _ = close(writing) }
    }
}

@Suite struct EventLoopTests {
    @Test func callsAHandlerOnlyWhileItsDescriptorIsReady() {
        let loop = EventLoop()
        let pipe = Pipe()
        var calls = 0
        _ = loop.watch(pipe.reading, .readable) { ready in
            #expect(ready.contains(.readable))
            pipe.read()
            calls += 1
        }
        loop.turn(wait: false)
        #expect(calls == 0)
        pipe.write()
        loop.turn(wait: true)
        loop.turn(wait: false)
        #expect(calls == 1)
    }

    @Test func callsAHandlerOfWhatSeldomHappensOnlyThen() {
        let loop = EventLoop()
        let (often, seldom, never) = (Pipe(), Pipe(), Pipe())
        var called: [String] = []
        _ = loop.watch(often.reading, .readable) { _ in
            often.read()
            called.append("often")
        }
        let token = loop.watchRarely(seldom.reading) { ready in
            #expect(ready.contains(.readable))
            seldom.read()
            called.append("seldom")
        }
        _ = loop.watchRarely(never.reading) { _ in called.append("never") }
        often.write()
        loop.turn(wait: true)
        #expect(called == ["often"])
        seldom.write()
        loop.turn(wait: true)
        loop.turn(wait: false)
        #expect(called == ["often", "seldom"])
        often.write()
        seldom.write()
        loop.turn(wait: true)
        #expect(called.sorted() == ["often", "often", "seldom", "seldom"])
        seldom.write()
        loop.unwatch(token)
        loop.turn(wait: false)
        #expect(called.count == 4)
        // Its number is free for another.
        _ = loop.watchRarely(seldom.reading) { _ in
            seldom.read()
            called.append("again")
        }
        loop.turn(wait: true)
        #expect(called.last == "again" && called.count == 5)
    }

    @Test func aRareHandlerRemovedByAnotherInTheSameTurnIsNotCalled() {
        let loop = EventLoop()
        let pipes = [Pipe(), Pipe()]
        var called = 0
        var tokens: [EventLoop.Token] = []
        for pipe in pipes {
            tokens.append(
                loop.watchRarely(pipe.reading) { _ in
                    called += 1
                    for token in tokens { loop.unwatch(token) }
                })
            pipe.write()
        }
        loop.turn(wait: true)
        loop.turn(wait: false)
        #expect(called == 1)
    }

    @Test func whatTheKernelDoesNotGatherIsWatchedAllTheSame() throws {
        let loop = EventLoop()
        // A file is always ready, and no epoll takes it.
        let file = fw_open_for_reading("/etc/passwd")
        try #require(file >= 0)
        defer { _ = close(file) }
        var calls = 0
        _ = loop.watchRarely(file) { _ in calls += 1 }
        loop.turn(wait: true)
        #expect(calls == 1)
    }

    @Test func tellsOfAHangUpThatNobodyAskedFor() {
        let loop = EventLoop()
        let pipe = Pipe()
        var seen: EventLoop.Interest = []
        _ = loop.watch(pipe.reading, []) { seen = $0 }
        pipe.hangUp()
        loop.turn(wait: true)
        #expect(!seen.isDisjoint(with: .hungUp))
    }

    @Test func aHandlerRemovedByAnotherInTheSameTurnIsNotCalled() {
        let loop = EventLoop()
        let first = Pipe()
        let second = Pipe()
        var called: [Int] = []
        var tokens: [EventLoop.Token] = []
        for (number, pipe) in [first, second].enumerated() {
            tokens.append(
                loop.watch(pipe.reading, .readable) { _ in
                    called.append(number)
                    for token in tokens { loop.unwatch(token) }
                })
            pipe.write()
        }
        loop.turn(wait: true)
        #expect(called == [0])
    }

    @Test func runsTimersInTheOrderOfTheirTimes() {
        let loop = EventLoop()
        var order: [Int] = []
        let now = EventLoop.now
        loop.schedule(at: now - 1) { order.append(3) }
        loop.schedule(at: now - 3) { order.append(1) }
        loop.schedule(at: now - 2) { order.append(2) }
        loop.turn(wait: false)
        #expect(order == [1, 2, 3])
        loop.turn(wait: false)
        #expect(order.count == 3)
    }

    @Test func aTimerCancelledByAnotherDueOneDoesNotRun() {
        let loop = EventLoop()
        var ran = false
        let late = loop.schedule(at: EventLoop.now) { ran = true }
        loop.schedule(at: EventLoop.now - 1_000_000) { loop.cancel(late) }
        loop.turn(wait: false)
        #expect(!ran)
    }

    @Test func aTimerThatSchedulesItselfAtOnceRunsOnceATurn() {
        let loop = EventLoop()
        var runs = 0
        func again() {
            runs += 1
            loop.schedule(at: EventLoop.now - 1, again)
        }
        loop.schedule(at: EventLoop.now, again)
        loop.turn(wait: true)
        #expect(runs == 1)
        loop.turn(wait: false)
        #expect(runs == 2)
    }

    @Test func waitsForATimerThatIsNotDueYet() {
        let loop = EventLoop()
        let due = EventLoop.now + 2_000_000
        var at: Int64 = 0
        loop.schedule(at: due) { at = EventLoop.now }
        while at == 0 { loop.turn(wait: true) }
        #expect(at >= due)
    }

    @Test func runsHooksBeforeTheFirstWaitAndStopsFromOne() {
        let loop = EventLoop()
        var hooks = 0
        loop.afterTurn {
            hooks += 1
            loop.stop()
        }
        loop.run()
        #expect(hooks == 1)
    }

    @Test func turnsASignalIntoACall() {
        let loop = EventLoop()
        var caught = 0
        // SIGURG is ignored by default: a process that lost the race to block it would not die.
        #expect(loop.onSignal(SIGURG) { if $0 == .process { caught += 1 } })
        #expect(raise(SIGURG) == 0)
        loop.turn(wait: true)
        #expect(caught == 1)
    }
}
