internal import CLibc
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

    init(_ size: PixelSize, _ objects: OwnObjects, _ forwarder: Forwarder) throws(PresentationError) {
        guard let shm = objects.shm, objects.available >= 2 else { throw .outOfObjects }
        let byteCount = Int(size.width) * 4 * Int(size.height)
        let memory = try SharedMemory(byteCount: byteCount)
        // The output closes its own when it has sent it.
        var descriptor: Int32 = -1
        memory.handOver { descriptor = fw_dup_cloexec($0) }
        guard descriptor >= 0 else { throw .sharedMemory(call: .memfdCreate, byteCount: byteCount, errno: fw_errno()) }
        guard let pool = objects.take(), let id = objects.take() else {
            _ = close(descriptor)
            throw .outOfObjects
        }
        let image = memory.image(size)
        self.image = image
        self.id = id
        self.objects = objects
        self.forwarder = forwarder
        objects.listen(to: id, .buffer(self))
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

    func receiveRelease() { onRelease?() }

    /// The connection is at its end: no release will come.
    func abandon() { onRelease = nil }

    func discard() {
        onRelease = nil
        objects.forget(id)
        forwarder.inject { $0.message(id, 0) }
    }
}
