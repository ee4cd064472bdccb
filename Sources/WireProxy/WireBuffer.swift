internal import CLinuxShims
internal import Pixman
internal import Presentation

/// A wl_buffer of our own on an app's connection, in memory shared with the compositor.
final class WireBuffer: BufferStorage {
    let image: Image
    let id: UInt32
    private let objects: OwnObjects
    private let forwarder: Forwarder
    private var onRelease: (() -> Void)?

    /// Nil when no number is left, or no descriptor.
    init?(_ size: PixelSize, _ objects: OwnObjects, _ forwarder: Forwarder) throws(PresentationError) {
        guard let shm = objects.shm, objects.available >= 2 else { return nil }
        let byteCount = Int(size.width) * 4 * Int(size.height)
        let memory = try SharedMemory(byteCount: byteCount)
        var descriptor: Int32 = -1
        memory.handOver { descriptor = fw_dup_cloexec($0) }
        guard descriptor >= 0, let pool = objects.take() else { return nil }
        let image = memory.image(size)
        var release: (() -> Void)?
        guard let id = objects.take({ _, _ in release?() }) else { return nil }
        self.image = image
        self.id = id
        self.objects = objects
        self.forwarder = forwarder
        release = { [unowned(unsafe) self] in
            // SAFETY: `discard` takes the handler away before this object goes.
            unsafe self.onRelease?()
        }
        forwarder.inject { requests in
            requests.message(shm, 0, pool)
            requests.append(descriptor: descriptor)
            requests.append(Int32(byteCount))
            // ARGB8888 is 0.
            requests.message(
                pool, 0, id, 0, UInt32(size.width), UInt32(size.height), UInt32(image.stride), 0)
            requests.message(pool, 1)
        }
    }

    func setReleaseHandler(_ handler: @escaping () -> Void) { onRelease = handler }

    func discard() {
        onRelease = nil
        objects.forget(id)
        forwarder.inject { $0.message(id, 0) }
    }
}
