internal import CLibc
internal import CLinuxShims
package import Pixman

/// Memory that can be shared with the compositor: an anonymous file, mapped here. All zero when new.
@safe
package final class SharedMemory {
    package let byteCount: Int

    // SAFETY: a mapping of `byteCount` bytes, unmapped by deinit alone.
    private let address: UnsafeMutableRawPointer
    private var descriptor: Int32

    package init(byteCount: Int) throws(PresentationError) {
        self.byteCount = byteCount
        let descriptor = unsafe fw_memfd("fingerwave")
        guard descriptor >= 0 else {
            throw .sharedMemory(call: .memfdCreate, byteCount: byteCount, errno: fw_errno())
        }
        do throws(PresentationError) {
            unsafe address = try SharedMemory.map(descriptor, byteCount)
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
    }

    deinit {
        closeDescriptor()
        unsafe _ = munmap(address, byteCount)
    }

    /// Sizes, seals and maps the file.
    private static func map(_ descriptor: Int32, _ byteCount: Int) throws(PresentationError) -> UnsafeMutableRawPointer
    {
        while ftruncate(descriptor, byteCount) != 0 {
            guard fw_errno() == EINTR else {
                throw .sharedMemory(call: .ftruncate, byteCount: byteCount, errno: fw_errno())
            }
        }
        guard fw_seal_shrink(descriptor) == 0 else {
            throw .sharedMemory(call: .seal, byteCount: byteCount, errno: fw_errno())
        }
        let address = unsafe mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
        // MAP_FAILED, which is no pointer that Swift can import.
        guard let address = unsafe address, UInt(bitPattern: address) != UInt.max else {
            throw .sharedMemory(call: .mmap, byteCount: byteCount, errno: fw_errno())
        }
        return unsafe address
    }

    /// Calls `body` with the file's descriptor, and closes it: whoever needs it has its own by then.
    package func handOver(_ body: (Int32) -> Void) {
        body(descriptor)
        closeDescriptor()
    }

    private func closeDescriptor() {
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
    }

    /// The memory as a picture of `size`, rows without gaps, which keeps it alive. It must fit.
    package func image(_ size: PixelSize) -> Image {
        let stride = Int(size.width) * 4
        precondition(stride * Int(size.height) <= byteCount, "a picture larger than its memory")
        // SAFETY: page-aligned, large enough as just seen, and unmapped by self's deinit alone.
        return unsafe Image(size: size, stride: stride, bits: address, owner: self)
    }
}
