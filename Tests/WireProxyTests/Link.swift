import CLibc
import CLinuxShims
import Testing
import WireTables

@testable import WireProxy

/// A message as it went over the wire.
struct Message: Equatable, CustomStringConvertible {
    var object: UInt32
    var opcode: UInt16
    var body: [UInt8] = []
    var descriptors = 0

    init(_ object: UInt32, _ opcode: UInt16, _ words: UInt32..., descriptors: Int = 0) {
        self.object = object
        self.opcode = opcode
        for word in words { append(word) }
        self.descriptors = descriptors
    }

    mutating func append(_ word: UInt32) { withUnsafeBytes(of: word) { body.append(contentsOf: $0) } }

    mutating func append(_ text: String) {
        append(UInt32(text.utf8.count + 1))
        body += text.utf8
        repeat { body.append(0) } while body.count % 4 != 0
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        for word in [object, UInt32(8 + body.count) << 16 | UInt32(opcode)] {
            withUnsafeBytes(of: word) { bytes.append(contentsOf: $0) }
        }
        return bytes + body
    }

    var words: [UInt32] {
        stride(from: 0, to: body.count, by: 4).map { index in
            body.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: index, as: UInt32.self) }
        }
    }

    /// The whole messages that bytes begin with, and how long they are together.
    static func parse(_ bytes: [UInt8]) -> (messages: [Message], length: Int) {
        var messages: [Message] = []
        var start = 0
        while bytes.count >= start + 8 {
            let (object, word) = bytes.withUnsafeBytes {
                (
                    $0.loadUnaligned(fromByteOffset: start, as: UInt32.self),
                    $0.loadUnaligned(fromByteOffset: start + 4, as: UInt32.self)
                )
            }
            let size = Int(word >> 16)
            guard size >= 8, bytes.count >= start + size else { break }
            var message = Message(object, UInt16(truncatingIfNeeded: word))
            message.body = Array(bytes[start + 8..<start + size])
            messages.append(message)
            start += size
        }
        return (messages, start)
    }

    var description: String { "\(object).\(opcode) \(words) +\(descriptors)" }
}

/// A forwarder between two sockets, with an app at one and a compositor at the other, both played by the test.
final class Link: ForwarderObserver {
    /// One end, and what came out of it so far.
    final class End {
        let socket: Int32
        let output = WireOutput()
        let input = WireInput()
        private(set) var received: [UInt8] = []
        private(set) var descriptors: [Int32] = []
        private(set) var mostDescriptorsAtOnce = 0

        init(_ socket: Int32) { self.socket = socket }

        deinit {
            _ = close(socket)
            for descriptor in descriptors { _ = close(descriptor) }
        }

        func send(_ messages: [Message]) {
            for message in messages {
                let numbers = (0..<message.descriptors).map { _ in (0, fw_memfd("test")) }
                output.append(message.bytes, descriptors: numbers)
            }
        }

        func receive() { while receiveOnce() {} }

        /// Takes what one call of the system brings; false when there is nothing.
        func receiveOnce() -> Bool {
            guard case .received = input.receive(from: socket) else { return false }
            mostDescriptorsAtOnce = max(mostDescriptorsAtOnce, input.descriptorCount)
            input.withBytes { received += $0 }
            input.drop(input.count)
            while let descriptor = input.takeDescriptor() { descriptors.append(descriptor) }
            return true
        }

        var descriptorCount: Int { descriptors.count }

        /// What has come in whole, without taking it.
        var wholeMessages: [Message] { Message.parse(received).messages }

        /// The messages that came since the last call, without telling whose the descriptors are.
        func takeMessages() -> [Message] {
            receive()
            let (messages, length) = Message.parse(received)
            received.removeFirst(length)
            return messages
        }

        func takeDescriptors() -> [Int32] {
            defer { descriptors.removeAll() }
            return descriptors
        }
    }

    static let reserved: UInt32 = 8
    let forwarder: Forwarder
    let app: End
    let compositor: End
    private let appSocket: Int32
    private let compositorSocket: Int32

    private(set) var watched: [WatchedMessage] = []
    private(set) var ownEvents: [UInt32] = []
    private(set) var deleted: [UInt32] = []
    private(set) var hidden: [String] = []
    private(set) var errors: [String] = []
    /// What to inject before and after the watched request.
    var before: [WatchedMessage: UInt32] = [:]
    var after: [WatchedMessage: UInt32] = [:]

    init() throws {
        forwarder = try #require(Forwarder(reserving: Link.reserved))
        var pair: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
        app = End(pair[0])
        appSocket = pair[1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
        compositor = End(pair[0])
        compositorSocket = pair[1]
        forwarder.observer = self
    }

    deinit {
        forwarder.observer = nil
        _ = close(appSocket)
        _ = close(compositorSocket)
    }

    /// Everything that was sent goes through, both ways.
    func pump() throws {
        for _ in 0..<1000 {
            let appResult = app.output.flush(to: app.socket)
            let compositorResult = compositor.output.flush(to: compositor.socket)
            while case .received = forwarder.fromApp.receive(from: appSocket) { try forwarder.forwardRequests() }
            while case .received = forwarder.fromCompositor.receive(from: compositorSocket) {
                try forwarder.forwardEvents()
            }
            _ = forwarder.toApp.flush(to: appSocket)
            _ = forwarder.toCompositor.flush(to: compositorSocket)
            app.receive()
            compositor.receive()
            if appResult == .done, compositorResult == .done, forwarder.toApp.isEmpty, forwarder.toCompositor.isEmpty {
                return
            }
        }
        Issue.record("nothing goes through any more")
    }

    /// What the app has sent goes on, as far as the compositor's socket takes it.
    func forward() throws {
        while case .received = forwarder.fromApp.receive(from: appSocket) { try forwarder.forwardRequests() }
        _ = forwarder.toCompositor.flush(to: compositorSocket)
    }

    /// The app makes a registry (2) and binds what the test needs: 3 is wl_compositor, 4 wl_shm, 5 wl_seat.
    func bindGlobals() throws {
        app.send([Message(1, 1, 2)])
        for (index, name) in ["wl_compositor", "wl_shm", "wl_seat"].enumerated() {
            var bind = Message(2, 0, UInt32(index + 1))
            bind.append(name)
            bind.append(1)
            bind.append(UInt32(3 + index))
            app.send([bind])
        }
        try pump()
        _ = compositor.takeMessages()
    }

    // MARK: ForwarderObserver

    func willForward(_ message: WatchedMessage, of object: UInt32, _ arguments: MessageReader) {
        watched.append(message)
        if let mark = before[message] { forwarder.inject { $0.message(2, 99, mark) } }
    }

    func didForward(_ message: WatchedMessage, of object: UInt32) {
        if let mark = after[message] { forwarder.inject { $0.message(2, 99, mark) } }
    }

    func received(_ message: WatchedMessage, of object: UInt32, _ arguments: MessageReader) { watched.append(message) }
    func receivedOwn(_ opcode: UInt16, of object: UInt32, _ arguments: MessageReader) { ownEvents.append(object) }
    func deletedOwn(_ object: UInt32) { deleted.append(object) }
    func failed(over object: UInt32?, code: UInt32, _ text: String) {
        errors.append("\(object.map { "\($0)" } ?? "own") \(code) \(text)")
    }
    func hid(_ interface: String) { hidden.append(interface) }
}

extension WireOutput {
    func append(_ messages: [UInt8], descriptors: [(message: Int, descriptor: Int32)] = []) {
        // SAFETY: the bytes are copied within the call.
        unsafe messages.withUnsafeBytes { unsafe append($0, descriptors: descriptors) }
    }
}
