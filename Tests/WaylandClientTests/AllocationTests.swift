import Glibc
import Testing
import WaylandClient
import WaylandProtocols

/// Swift objects that were allocated within `counting`. Only touched in a process with nothing else to do.
nonisolated(unsafe) private var allocations = 0
nonisolated(unsafe) private var original: Allocate?
nonisolated(unsafe) private var kept: [Box] = []
nonisolated(unsafe) private var last: WlTouch.Event?

private typealias Allocate = @convention(c) (UnsafeRawPointer?, Int, Int) -> UnsafeMutableRawPointer?

private final class Box {
    let bytes = (0, 0, 0, 0, 0, 0)
}

/// The Swift runtime's hook before its allocator, made for instruments.
private struct AllocationHook {
    let hook: UnsafeMutablePointer<Allocate>
    /// Set by the runtime when it finds a hook changed; with it, retaining what is no plain object crashes.
    let isSeen: UnsafeMutablePointer<UInt8>

    init?() {
        guard let hook = dlsym(nil, "_swift_allocObject"),
            let isSeen = dlsym(nil, "_swift_enableSwizzlingOfAllocationAndRefCountingFunctions_forInstrumentsOnly")
        else { return nil }
        self.hook = hook.assumingMemoryBound(to: Allocate.self)
        self.isSeen = isSeen.assumingMemoryBound(to: UInt8.self)
        original = self.hook.pointee
    }

    func counting(_ body: () throws -> Void) rethrows {
        hook.pointee = { type, size, mask in
            allocations += 1
            return original!(type, size, mask)
        }
        defer {
            hook.pointee = original!
            isSeen.pointee = 0
        }
        try body()
    }
}

/// Bytes that malloc has given out, those of libwayland and of Swift; 0 where it does not say (sanitizers).
private func bytesInUse() -> Int {
    #if arch(x86_64)
        // mallinfo2 returns a struct of ten words in memory whose address the caller passes first.
        typealias Report = @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer
        guard let symbol = dlsym(nil, "mallinfo2") else { return 0 }
        var words = [Int](repeating: 0, count: 10)
        words.withUnsafeMutableBytes { _ = unsafeBitCast(symbol, to: Report.self)($0.baseAddress!) }
        return words[7]
    #else
        return 0
    #endif
}

@Suite struct AllocationTests {
    /// Delivers wl_touch.motion many times and says what that cost.
    private static func cost(
        of events: Int, _ hook: AllocationHook, _ handler: @escaping (WlTouch.Event) -> Void
    ) throws -> (objects: Int, bytes: Int) {
        let peer = try RawPeer()
        let touch = peer.touch()
        touch.onEvent = handler
        let motion = RawPeer.message(touch.objectID, 2, [.word(1), .word(2), .word(3), .word(4)])
        let block = [UInt8]((0..<100).map { _ in motion }.joined())
        // The first time round, caches and lazy values are filled.
        peer.write(block)
        try peer.dispatch()
        allocations = 0
        let before = bytesInUse()
        for _ in 0..<events / 100 {
            peer.write(block)
            try hook.counting { try peer.connection.readAndDispatch() }
        }
        return (allocations, bytesInUse() - before)
    }

    @Test func anEventCostsNoAllocationOfOurs() async {
        await #expect(processExitsWith: .success) {
            let hook = try #require(AllocationHook())
            let events = 100_000
            var count = 0
            let silent = try AllocationTests.cost(of: events, hook) { event in
                count += 1
                last = event
            }
            #expect(count == events + 100)
            #expect(silent.objects == 0, "Swift objects per event: \(Double(silent.objects) / Double(events))")
            #expect(silent.bytes < 4096, "bytes that stay: \(silent.bytes)")

            // The same measurement of handlers that do allocate finds it: what it does not find is not there.
            let passing = try AllocationTests.cost(of: events, hook) { _ in
                _ = Unmanaged.passRetained(Box()).autoreleased()
            }
            #expect(passing.objects >= events)
            kept.reserveCapacity(events + 100)
            let keeping = try AllocationTests.cost(of: events, hook) { _ in kept.append(Box()) }
            #expect(keeping.objects == events)
            #expect(keeping.bytes >= events * 64 || bytesInUse() == 0)
        }
    }
}

extension Unmanaged {
    /// Gives the reference up at once, out of the optimiser's sight.
    @inline(never)
    fileprivate func autoreleased() -> Int {
        release()
        return 0
    }
}
