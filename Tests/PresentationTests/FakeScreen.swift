import Pixman

@testable import Presentation

/// Shows what a compositor would, keeps buffers for as long as it likes, and looks whether they are written to meanwhile.
final class FakeScreen {
    /// What is seen when damage alone is read: right only if all that changed is damaged.
    private(set) var pixels: Pixels?
    /// What is seen when the whole buffer is read: right only if all that was stale is repainted.
    private(set) var buffer: Pixels?
    private(set) var held: [(storage: FakeStorage, pixels: Pixels)] = []
    private(set) var faults: [String] = []

    func show(_ storage: FakeStorage, damage: Region) {
        if held.contains(where: { $0.storage === storage }) { faults.append("a held buffer was attached") }
        checkHeldBuffers()
        let new = storage.image.pixels
        if pixels?.size == new.size {
            for rect in damage.rects { pixels?.copy(rect, from: new) }
        } else {
            pixels = new
        }
        buffer = new
        held.append((storage, new))
    }

    func release(_ index: Int) {
        checkHeldBuffers()
        held.remove(at: index).storage.release()
    }

    func checkHeldBuffers() {
        for (storage, pixels) in held {
            if storage.isDiscarded { faults.append("a held buffer was freed") }
            if storage.image.pixels != pixels { faults.append("a held buffer was written to") }
        }
    }
}
