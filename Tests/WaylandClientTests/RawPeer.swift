import CLibc
import CLinuxShims
import Testing
import TouchStage
import WaylandClient
import WaylandProtocols

/// The compositor's end of a socket, without a compositor: a test writes what bytes it likes and reads what came.
final class RawPeer {
    private(set) var descriptor: Int32
    let connection: Connection

    init() throws {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        descriptor = ends[1]
        connection = try Connection.connect(fileDescriptor: ends[0])
    }

    deinit {
        connection.disconnect()
        hangUp()
    }

    func hangUp() {
        if descriptor >= 0 {
            // For all: a program that another test starts at this moment has a copy until it begins.
            shutdown(descriptor, Int32(SHUT_RDWR))
            close(descriptor)
        }
        descriptor = -1
    }

    // MARK: Events

    /// One piece of a message's body.
    enum Piece {
        case word(UInt32)
        case string(String)
        case bytes([UInt8])
    }

    static func message(_ object: UInt32, _ opcode: UInt16, _ pieces: [Piece] = [], size: UInt16? = nil) -> [UInt8] {
        var body: [UInt8] = []
        func put(_ word: UInt32) { withUnsafeBytes(of: word) { body.append(contentsOf: $0) } }
        func put(padded bytes: [UInt8]) {
            put(UInt32(bytes.count))
            body += bytes
            while body.count % 4 != 0 { body.append(0) }
        }
        for piece in pieces {
            switch piece {
            case .word(let word): put(word)
            case .string(let string): put(padded: Array(string.utf8) + [0])
            case .bytes(let bytes): put(padded: bytes)
            }
        }
        let tail = body
        body = []
        put(object)
        put(UInt32(size ?? UInt16(8 + tail.count)) << 16 | UInt32(opcode))
        return body + tail
    }

    func event(_ object: Proxy, _ opcode: UInt16, _ pieces: [Piece] = [], descriptors: [Int32] = []) {
        write(RawPeer.message(object.objectID, opcode, pieces), descriptors: descriptors)
    }

    /// wl_display.error
    func error(about object: UInt32, code: UInt32, _ text: String) {
        write(RawPeer.message(1, 0, [.word(object), .word(code), .string(text)]))
    }

    /// wl_display.delete_id
    func deleteID(_ id: UInt32) { write(RawPeer.message(1, 1, [.word(id)])) }

    func write(_ bytes: [UInt8], descriptors: [Int32] = []) {
        let sent = bytes.withUnsafeBytes { bytes -> Int in
            var vector = iovec(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
            // A cmsghdr is a length, a level and a type; what it carries follows it.
            let head = MemoryLayout<cmsghdr>.size
            let length = head + 4 * descriptors.count
            var control = [UInt64](repeating: 0, count: (length + 7) / 8)
            return control.withUnsafeMutableBytes { control in
                withUnsafeMutablePointer(to: &vector) { vector in
                    var message = msghdr()
                    message.msg_iov = vector
                    message.msg_iovlen = 1
                    if !descriptors.isEmpty {
                        let header = control.baseAddress!.assumingMemoryBound(to: cmsghdr.self)
                        header.pointee.cmsg_len = length
                        header.pointee.cmsg_level = SOL_SOCKET
                        header.pointee.cmsg_type = Int32(SCM_RIGHTS)
                        for (index, descriptor) in descriptors.enumerated() {
                            control.storeBytes(of: descriptor, toByteOffset: head + 4 * index, as: Int32.self)
                        }
                        message.msg_control = control.baseAddress
                        message.msg_controllen = length
                    }
                    return sendmsg(descriptor, &message, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
                }
            }
        }
        #expect(sent == bytes.count, "the test's own socket is full or closed")
    }

    // MARK: Requests

    struct Request: Equatable {
        var object: UInt32
        var opcode: UInt16
        var body: [UInt8]
    }

    private var unread: [UInt8] = []

    /// What the client has sent since the last call; descriptors that came with it are dropped by the kernel.
    func requests() -> [Request] {
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            if count <= 0 { break }
            unread += buffer[..<count]
        }
        var found: [Request] = []
        var place = 0
        func word(_ at: Int) -> UInt32 {
            unread.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: at, as: UInt32.self) }
        }
        while place + 8 <= unread.count {
            let size = Int(word(place + 4) >> 16)
            guard size >= 8, place + size <= unread.count else { break }
            found.append(
                Request(
                    object: word(place), opcode: UInt16(truncatingIfNeeded: word(place + 4)),
                    body: Array(unread[place + 8..<place + size])))
            place += size
        }
        unread.removeFirst(place)
        return found
    }

    // MARK: Turns

    /// Reads until nothing comes, as a loop would that polls the socket.
    func dispatch() throws(ConnectionError) {
        while true {
            try connection.readAndDispatch()
            var poll = pollfd(fd: connection.fileDescriptor, events: Int16(POLLIN), revents: 0)
            if CLibc.poll(&poll, 1, 0) == 0 { return }
        }
    }

    /// The error that dispatching ends in; nil when there is none.
    func failure() -> ConnectionError? {
        do throws(ConnectionError) {
            _ = try connection.flush()
            try dispatch()
            return nil
        } catch {
            return error
        }
    }

    // MARK: Objects, made without asking whether a compositor has them

    lazy var registry: WlRegistry = connection.display.getRegistry()

    func bind<T: WaylandObject>(_ type: T.Type, version: UInt32? = nil) -> T {
        registry.bind(name: 1, type, version: version ?? T.interface.version)
    }

    func surface() -> WlSurface { bind(WlCompositor.self).createSurface() }

    func touch() -> WlTouch { bind(WlSeat.self).getTouch() }
}

/// A pipe whose read end tells when the last copy of its write end was closed.
struct Canary {
    let reader: Int32
    let writer: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        (reader, writer) = (ends[0], ends[1])
        // Other tests start programs meanwhile, which must not keep the pipe open.
        for end in ends { #expect(fw_set_cloexec(end) == 0) }
    }

    /// How many descriptors of this process are one of the pipe's two ends.
    var count: Int { OpenDescriptors.count(sameFileAs: writer) }

    /// Closes the test's own copy and says whether that was the last.
    func isLast() -> Bool {
        close(writer)
        defer { close(reader) }
        var poll = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
        // Time for a program of another test that was just forked to come to its exec; a leak uses it up and fails.
        return CLibc.poll(&poll, 1, 5000) == 1 && poll.revents & Int16(POLLHUP) != 0
    }
}

/// Counts its ends.
final class Witness {
    private let ended: () -> Void

    init(_ ended: @escaping () -> Void) { self.ended = ended }

    deinit { ended() }
}

/// A small generator of repeatable numbers (SplitMix64).
struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
