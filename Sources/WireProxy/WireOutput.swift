internal import CLibc
internal import CLinuxShims

/// What is to go out to one side: whole messages, and the descriptors that belong to them.
///
/// A descriptor goes with the first byte of a piece that holds its message, so that it arrives neither later than the
/// message nor much earlier than it was sent.
package final class WireOutput {
    package enum Result: Equatable {
        case done
        /// The other side does not read at the moment.
        case blocked
        case failed(errno: Int32)
    }

    private struct Passenger {
        /// Where its message begins, counted from the first byte ever.
        var message: Int
        var descriptor: Int32
    }

    /// A libwayland peer takes no more at a time.
    private static let descriptorsAtOnce = 28

    private var bytes: [UInt8] = []
    private var sent = 0
    /// The place of `bytes[0]`, counted from the first byte ever.
    private var origin = 0
    private var passengers: [Passenger] = []

    package init() {}

    deinit {
        for passenger in passengers { _ = close(passenger.descriptor) }
    }

    /// How many bytes wait.
    package var count: Int { bytes.count - sent }
    package var isEmpty: Bool { bytes.count == sent }
    /// How many descriptors wait; each is open until it is sent.
    package var descriptorCount: Int { passengers.count }

    /// Whole messages. Each descriptor comes with where in `messages` its message begins, ascending; it is closed once sent.
    package func append(_ messages: UnsafeRawBufferPointer, descriptors: [(message: Int, descriptor: Int32)] = []) {
        let place = origin + bytes.count
        unsafe bytes.append(contentsOf: messages)
        for (message, descriptor) in descriptors {
            passengers.append(Passenger(message: place + message, descriptor: descriptor))
        }
    }

    /// Sends as much as the other side takes, without waiting.
    package func flush(to socket: Int32) -> Result {
        if bytes.count == sent { return .done }
        while sent < bytes.count {
            let (end, count) = nextPiece()
            let numbers = count == 0 ? [] : passengers[..<count].map { $0.descriptor }
            // SAFETY: both buffers are used within the call, with their own counts.
            let length = unsafe bytes.withUnsafeBytes { bytes in
                unsafe numbers.withUnsafeBufferPointer { numbers in
                    unsafe fw_send_message(
                        socket, bytes.baseAddress! + sent, end - sent, numbers.baseAddress, numbers.count)
                }
            }
            if length < 0 {
                let why = fw_errno()
                if why == EAGAIN || why == EWOULDBLOCK {
                    compact()
                    return .blocked
                }
                return .failed(errno: why)
            }
            sent += length
            if count == 0 { continue }
            for number in numbers { _ = close(number) }
            passengers.removeFirst(count)
        }
        origin += bytes.count
        bytes.removeAll(keepingCapacity: bytes.capacity <= 1 << 17)
        sent = 0
        return .done
    }

    /// Where the next piece ends, and how many descriptors go with it: those of its messages, cut before the message whose
    /// descriptors would be too many.
    private func nextPiece() -> (end: Int, descriptors: Int) {
        let limit = WireOutput.descriptorsAtOnce
        guard passengers.count > limit else { return (bytes.count, passengers.count) }
        let surplus = passengers[limit].message
        let count = passengers.firstIndex { $0.message == surplus } ?? limit
        // A message that has more descriptors than a peer takes is left to the peer to refuse.
        guard count > 0, surplus - origin > sent else { return (bytes.count, limit) }
        return (surplus - origin, count)
    }

    private func compact() {
        guard sent > 1 << 16 else { return }
        bytes.removeFirst(sent)
        origin += sent
        sent = 0
    }
}
