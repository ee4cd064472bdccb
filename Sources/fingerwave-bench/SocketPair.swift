internal import CBench
internal import Glibc

/// The two ends of a compositor's connection. The compositor's end is only bytes: its cost is in no figure.
final class SocketPair {
    /// For libwayland, which closes it.
    let clientEnd: Int32
    private let serverEnd: Int32
    private var sink = [UInt8](repeating: 0, count: 65536)

    init() throws(BenchError) {
        var ends: [Int32] = [-1, -1]
        guard unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw .system("no socket pair")
        }
        clientEnd = ends[0]
        serverEnd = ends[1]
    }

    deinit { close(serverEnd) }

    /// Puts all of `message` into the socket; nobody reads meanwhile, so it must fit.
    func send(_ message: [UInt32]) throws(BenchError) {
        let count = unsafe message.withUnsafeBytes { bytes in
            unsafe Glibc.send(serverEnd, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT))
        }
        guard count == message.count * 4 else { throw .system("the socket does not hold \(message.count * 4) bytes") }
    }

    /// Throws away what the client has sent. Returns how much that was.
    @discardableResult
    func drain() -> Int {
        var total = 0
        while true {
            let count = unsafe recv(serverEnd, &sink, sink.count, Int32(MSG_DONTWAIT))
            if count <= 0 { return total }
            total += count
        }
    }
}
