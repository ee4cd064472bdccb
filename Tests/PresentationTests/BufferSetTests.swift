import Pixman
import Testing

@testable import Presentation

/// A buffer without a compositor.
final class FakeStorage: BufferStorage {
    let image: Image
    private(set) var isDiscarded = false
    private var releaseHandler: (() -> Void)?

    init(_ size: PixelSize) { image = Image(size: size) }

    func setReleaseHandler(_ handler: @escaping () -> Void) { releaseHandler = handler }

    func release() { releaseHandler?() }

    func discard() {
        isDiscarded = true
        releaseHandler = nil
    }
}

@Suite struct BufferSetTests {
    private let small = PixelSize(width: 8, height: 8)
    private let large = PixelSize(width: 16, height: 16)
    private let set = BufferSet<FakeStorage>()

    /// Draws a frame of `size` with `damage`; nil when there is no buffer.
    private func frame(_ size: PixelSize, damage: Region? = nil) -> FakeStorage? {
        guard let buffer = try! set.acquire(size, make: { FakeStorage($0) }) else { return nil }
        return buffer.commit(damage: damage ?? Region(size.rect))
    }

    private struct NoBuffer: Error {}

    private func drawing(_ size: PixelSize) throws -> DrawingBuffer<FakeStorage> {
        guard let buffer = try set.acquire(size, make: { FakeStorage($0) }) else { throw NoBuffer() }
        return buffer
    }

    @Test func heldBuffersAreNotGivenOut() {
        let first = frame(small)!
        let second = frame(small)!
        let third = frame(small)!
        #expect(first !== second && second !== third && first !== third)
        #expect(frame(small) == nil)
        #expect(set.count(in: .held) == 3)
        second.release()
        #expect(frame(small) === second)
        #expect(frame(small) == nil)
    }

    @Test func theYoungestIdleBufferIsTaken() {
        let first = frame(small)!
        let second = frame(small)!
        second.release()
        first.release()
        #expect(frame(small) === second)
        #expect(frame(small) === first)
    }

    @Test func aBufferIsStaleWhereLaterFramesChanged() throws {
        let first = frame(small)!
        let damage = Region(PixelRect(x: 1, y: 1, width: 2, height: 2))
        let more = Region(PixelRect(x: 5, y: 0, width: 2, height: 2))
        _ = frame(small, damage: damage)
        _ = frame(small, damage: more)
        first.release()
        var both = damage
        both.formUnion(more)
        let buffer = try drawing(small)
        #expect(buffer.stale == both)
    }

    @Test func aNewBufferIsStaleEverywhere() throws {
        let buffer = try drawing(small)
        #expect(buffer.stale == Region(small.rect))
        #expect(buffer.isNew == true)
    }

    @Test func aDroppedDrawingMakesTheBufferIdleAndStaleEverywhere() throws {
        let first = frame(small)!
        first.release()
        do {
            let buffer = try drawing(small)
            #expect(buffer.stale == Region())
            buffer.draw { $0.scribble() }
        }
        #expect(set.count(in: .idle) == 1)
        let again = try drawing(small)
        #expect(again.stale == Region(small.rect))
        #expect(again.isNew == false)
    }

    @Test func whileOneIsDrawnAnotherIsGivenOut() throws {
        let buffer = try drawing(small)
        let other = frame(small)!
        let drawn = buffer.commit(damage: Region())
        #expect(drawn !== other)
    }

    @Test func anotherSizeFreesIdleBuffersAtOnceAndHeldOnesAtTheirRelease() {
        let held = frame(small)!
        let idle = frame(small)!
        idle.release()
        _ = frame(large)
        #expect(idle.isDiscarded)
        #expect(!held.isDiscarded)
        #expect(set.count(in: .doomed) == 1)
        held.release()
        #expect(held.isDiscarded)
        #expect(set.count(in: .doomed) == 0)
    }

    @Test func aDoomedBufferIsNotUsedAgainWhenItsSizeReturns() {
        let held = frame(small)!
        _ = frame(large)
        #expect(frame(small) !== held)
        #expect(!held.isDiscarded)
    }

    @Test func aResizeStormHoldsNoMoreThanThreeBuffers() {
        var held: [FakeStorage] = []
        for side in Int32(1)...20 {
            if let storage = frame(PixelSize(width: side, height: side)) { held.append(storage) }
        }
        #expect(held.count == 3)
        held[0].release()
        #expect(frame(large) != nil)
        #expect(frame(large) == nil)
    }

    @Test func aReleaseTwiceOverChangesNothing() {
        let first = frame(small)!
        first.release()
        first.release()
        #expect(set.count(in: .idle) == 1)
        #expect(frame(small) === first)
        #expect(set.count(in: .held) == 1)
    }

    @Test func givingUpAllDoomsWhatIsHeld() {
        let held = frame(small)!
        let idle = frame(small)!
        idle.release()
        set.giveUpAll()
        #expect(idle.isDiscarded && !held.isDiscarded)
        held.release()
        #expect(held.isDiscarded)
    }

    @Test func aBufferOfABurstIsGivenBackWhenItStaysUnused() {
        let first = frame(small)!
        let second = frame(small)!
        first.release()
        second.release()
        var last = second
        for _ in 0..<200 {
            last = frame(small)!
            last.release()
        }
        #expect(last === second)
        #expect(first.isDiscarded && !second.isDiscarded)
    }

    @Test func aFailureToMakeABufferLeavesTheSetAsItWas() {
        let failure = PresentationError.bufferTooLarge(small)
        #expect(throws: failure) {
            _ = try set.acquire(small) { (_) throws(PresentationError) -> FakeStorage in throw failure }
        }
        #expect(frame(small) != nil)
    }
}
