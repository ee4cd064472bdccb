internal import CLibc
internal import CLinuxShims

/// What came in from one side and was not looked at yet: bytes, and the descriptors that came with them.
@safe
package final class WireInput {
    package enum Result: Equatable {
        case received
        case nothing
        /// The other side has closed; all that it sent was received.
        case closed
        case failed(errno: Int32)
        /// More descriptors came than could be taken, and some are lost.
        case lostDescriptors
    }

    // The longest message has 65535 bytes, of which all but the last may be left over from the last read.
    private static let messageLimit = 1 << 16
    private static let capacity = 2 * messageLimit
    /// What the kernel passes on at a time (SCM_MAX_FD).
    private static let descriptorLimit = 253

    // SAFETY: allocated by init, freed by deinit, used by nobody else. Filled from `start` to `end`.
    private let bytes = UnsafeMutableRawPointer.allocate(byteCount: WireInput.capacity, alignment: 16)
    private var start = 0
    private var end = 0
    private var descriptors: [Int32] = []
    private var firstDescriptor = 0
    /// Room for what one call brings.
    private var arrivals = [Int32](repeating: -1, count: WireInput.descriptorLimit)

    package init() {}

    deinit {
        while let descriptor = takeDescriptor() { _ = close(descriptor) }
        unsafe bytes.deallocate()
    }

    /// All bytes that wait, for reading and changing within the call.
    package func withBytes<R>(_ body: (UnsafeMutableRawBufferPointer) -> R) -> R {
        unsafe body(UnsafeMutableRawBufferPointer(start: bytes + start, count: end - start))
    }

    package var count: Int { end - start }

    /// Forgets the first `count` bytes.
    package func drop(_ count: Int) {
        start += min(count, end - start)
        if start == end { (start, end) = (0, 0) }
    }

    package var descriptorCount: Int { descriptors.count - firstDescriptor }

    /// The oldest descriptor, which is the caller's from now on; nil when none waits.
    package func takeDescriptor() -> Int32? {
        guard firstDescriptor < descriptors.count else { return nil }
        let descriptor = descriptors[firstDescriptor]
        firstDescriptor += 1
        if firstDescriptor == descriptors.count {
            descriptors.removeAll(keepingCapacity: true)
            firstDescriptor = 0
        }
        return descriptor
    }

    /// Takes what there is, without waiting.
    package func receive(from socket: Int32) -> Result {
        if start > 0, WireInput.capacity - end < WireInput.messageLimit {
            unsafe bytes.copyMemory(from: bytes + start, byteCount: end - start)
            end -= start
            start = 0
        }
        var count = 0
        var isTruncated: Int32 = 0
        let length = unsafe arrivals.withUnsafeMutableBufferPointer { buffer in
            unsafe fw_receive_message(
                socket, bytes + end, WireInput.capacity - end, buffer.baseAddress, buffer.count, &count, &isTruncated)
        }
        if count > 0 { descriptors += arrivals[..<count] }
        if length < 0 {
            let why = fw_errno()
            return why == EAGAIN || why == EWOULDBLOCK ? .nothing : .failed(errno: why)
        }
        if isTruncated != 0 { return .lostDescriptors }
        if length == 0 { return .closed }
        end += length
        return .received
    }
}
