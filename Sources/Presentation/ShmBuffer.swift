internal import CLibc
package import Pixman
package import WaylandProtocols

/// A wl_buffer in memory shared with the compositor.
///
/// It has a pool of its own, which both sides drop as soon as the buffer is made: the memory lives as long as the buffer.
package final class ShmBuffer: BufferStorage {
    package let image: Image
    package let buffer: WlBuffer

    package init(_ size: PixelSize, shm: WlShm) throws(PresentationError) {
        let byteCount = Int(size.width) * 4 * Int(size.height)
        guard byteCount <= Int(Int32.max) else { throw .bufferTooLarge(size) }
        let memory = try SharedMemory(byteCount: byteCount)
        var pool: WlShmPool?
        memory.handOver { pool = shm.createPool(fd: $0, size: Int32(byteCount)) }
        // The closure has run.
        let made = pool!
        image = memory.image(size)
        buffer = made.createBuffer(
            offset: 0, width: size.width, height: size.height, stride: Int32(image.stride), format: .argb8888)
        made.destroy()
    }

    package func setReleaseHandler(_ handler: @escaping () -> Void) {
        // Kept by the wl_buffer alone, which lets go of it when it is destroyed or the connection ends.
        buffer.onEvent = { event in
            switch event {
            case .release: handler()
            }
        }
    }

    package func discard() { buffer.destroy() }
}
