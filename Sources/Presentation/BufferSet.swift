package import Pixman

/// Memory that a compositor reads from, and tells when it is done with.
package protocol BufferStorage: AnyObject {
    /// The pixels; all transparent in new storage.
    var image: Image { get }

    /// Has `handler` called at each release, until ``discard()``.
    func setReleaseHandler(_ handler: @escaping () -> Void)

    /// Gives the memory back. Not called while the compositor holds it.
    func discard()
}

/// The buffers of one surface, and what each may be used for now.
///
/// A buffer is idle, being drawn into, or held by the compositor from its commit to its release. One that is no longer
/// wanted while it is held is doomed: it is given back after its release and never used again. Pixels are reached only
/// through ``DrawingBuffer``, which only an idle buffer gives out, so that nothing is drawn under the compositor's eyes.
///
/// There are never more than ``limit``, doomed ones included: a compositor that holds on to buffers while the window is
/// resized does not make the process grow. It must release what a later commit has replaced, so waiting ends.
package final class BufferSet<Storage: BufferStorage> {
    package enum State {
        case idle
        case drawing
        case held
        case doomed
    }

    /// One for the screen, one on its way there, one to draw into.
    package static var limit: Int { 3 }

    /// After so many commits without use a buffer is given back: a burst had needed it.
    private static var idleCommits: Int { 120 }

    private var slots: [Slot] = []
    private var commitCount = 0

    package init() {}

    /// How many buffers are in `state`.
    package func count(in state: State) -> Int {
        var count = 0
        for slot in slots where slot.state == state { count += 1 }
        return count
    }

    /// An idle buffer of `size`: the one used last, which has the least to be repainted, else a new one from `make`. Nil
    /// when the limit is reached: a release must come first. Buffers of another size are given up.
    package func acquire(
        _ size: PixelSize, make: (PixelSize) throws(PresentationError) -> Storage
    ) throws(PresentationError) -> DrawingBuffer<Storage>? {
        giveUp { $0.storage.image.size != size }
        var youngest: Slot?
        for slot in slots where slot.state == .idle && slot.lastCommit >= youngest?.lastCommit ?? 0 { youngest = slot }
        if let youngest {
            youngest.state = .drawing
            return DrawingBuffer(youngest, of: self)
        }
        guard slots.count < Self.limit else { return nil }
        let slot = Slot(try make(size))
        slots.append(slot)
        // Keeps the set alive until the last release, also when nobody else does any longer. Discarding ends the cycle.
        slot.storage.setReleaseHandler { self.release(slot) }
        return DrawingBuffer(slot, of: self)
    }

    /// Gives up all buffers: idle ones at once, held ones after their release.
    package func giveUpAll() { giveUp { _ in true } }

    /// Gives back all buffers, those too that the compositor holds: for when their surface is gone, and nothing of them is
    /// shown any more. No release need come then.
    package func discardAll() {
        let all = slots
        slots.removeAll()
        for slot in all where slot.state != .drawing { slot.storage.discard() }
    }

    fileprivate func commit(_ committed: Slot, damage: Region) {
        commitCount += 1
        committed.state = .held
        committed.stale = Region()
        committed.isNew = false
        committed.lastCommit = commitCount
        for slot in slots where slot !== committed { slot.stale.formUnion(damage) }
        giveUp { $0.state == .idle && commitCount - $0.lastCommit > Self.idleCommits }
    }

    private func release(_ slot: Slot) {
        switch slot.state {
        case .held: slot.state = .idle
        case .doomed: remove(slot)
        // A release that nobody waits for.
        case .idle, .drawing: break
        }
    }

    private func giveUp(_ isUnwanted: (Slot) -> Bool) {
        for slot in slots where isUnwanted(slot) {
            switch slot.state {
            case .idle: remove(slot)
            case .held: slot.state = .doomed
            case .drawing, .doomed: break
            }
        }
    }

    private func remove(_ slot: Slot) {
        slots.removeAll { $0 === slot }
        slot.storage.discard()
    }

    fileprivate final class Slot {
        let storage: Storage
        var state = State.drawing
        /// Where its pixels are not those of the last commit.
        var stale: Region
        /// True while its pixels are those that it was made with.
        var isNew = true
        var lastCommit = 0

        init(_ storage: Storage) {
            self.storage = storage
            stale = Region(storage.image.size.rect)
        }
    }
}

/// A buffer that may be drawn into: until it is committed, or dropped, which makes it idle again.
package struct DrawingBuffer<Storage: BufferStorage>: ~Copyable {
    private let slot: BufferSet<Storage>.Slot
    private let set: BufferSet<Storage>

    fileprivate init(_ slot: BufferSet<Storage>.Slot, of set: BufferSet<Storage>) {
        self.slot = slot
        self.set = set
    }

    deinit {
        guard slot.state == .drawing else { return }
        // Nobody knows what was drawn.
        slot.state = .idle
        slot.isNew = false
        slot.stale = Region(slot.storage.image.size.rect)
    }

    /// Where its pixels are not those of the last commit.
    package var stale: Region { slot.stale }

    /// True when its pixels are all transparent: nothing was ever drawn into it.
    package var isNew: Bool { slot.isNew }

    /// Gives out the pixels, for the time of the call.
    package borrowing func draw(_ body: (Image) -> Void) { body(slot.storage.image) }

    /// Hands the buffer over to the compositor. It is now the whole truth; the others are stale in `damage`.
    package consuming func commit(damage: Region) -> Storage {
        set.commit(slot, damage: damage)
        return slot.storage
    }
}
