import CLibc
import CLinuxShims
import EventLoop
import Gestures
import Ripples
import Testing

@testable import FingerWaveKit
@testable import WireProxy

/// An app's socket, a compositor's socket, and the link between, turned by hand.
private final class LinkRig {
    static let base: UInt32 = 768

    let loop = EventLoop()
    let link: ProxyLink
    private(set) var app: Int32
    private(set) var compositor: Int32
    private let note = Note()

    private final class Note { var lines: [String] = [] }
    var notes: [String] { note.lines }

    init(isReady: Bool = true) throws {
        var app: [Int32] = [-1, -1]
        var compositor: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &app) == 0)
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &compositor) == 0)
        for socket in app + compositor { _ = fw_set_nonblocking(socket, 1) }
        let made = AppConnection(
            look: AppConnection.Look(), draws: true, takesPointer: false,
            clock: { Instant(nanoseconds: 0) })
        let connection = try #require(made)
        link = ProxyLink(app: app[1], compositor: compositor[1], connection, loop) { [note] in note.lines.append($0) }
        (self.app, self.compositor) = (app[0], compositor[0])
        if isReady { try makeReady() }
    }

    deinit {
        link.end()
        closeApp()
        closeCompositor()
    }

    func closeApp() {
        LinkRig.end(app)
        app = -1
    }

    func closeCompositor() {
        LinkRig.end(compositor)
        compositor = -1
    }

    /// Closes a socket, whoever else has it.
    private static func end(_ socket: Int32) {
        guard socket >= 0 else { return }
        shutdown(socket, Int32(SHUT_RDWR))
        close(socket)
    }

    /// One turn of the program's loop.
    func turn() {
        link.endTurn()
        loop.turn(wait: false)
        link.endTurn()
    }

    /// The compositor has no globals, and gives all numbers back.
    func makeReady() throws {
        turn()
        #expect(take(compositor).count == 12 * 768)
        give(compositor, (3...769 as ClosedRange<UInt32>).flatMap { message(1, 1, $0) })
        for _ in 0..<4 { turn() }
        #expect(link.connection.isReady)
    }

    func message(_ object: UInt32, _ opcode: UInt32, _ words: UInt32...) -> [UInt8] {
        ([object, UInt32(8 + 4 * words.count) << 16 | opcode] + words).flatMap { word in
            withUnsafeBytes(of: word) { Array($0) }
        }
    }

    /// Writes as much as goes.
    @discardableResult
    func give(_ socket: Int32, _ bytes: [UInt8]) -> Int {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { fw_send(socket, $0.baseAddress, $0.count) }
            if count <= 0 { break }
            sent += count
        }
        return sent
    }

    /// All that is there.
    func take(_ socket: Int32) -> [UInt8] {
        var all: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = recv(socket, &chunk, chunk.count, Int32(MSG_DONTWAIT))
            if count <= 0 { return all }
            all += chunk[..<count]
        }
    }

    func isAtEnd(_ socket: Int32) -> Bool {
        var byte: UInt8 = 0
        // Time for a program of another test that is just being forked, and has all sockets until its exec.
        var waiting = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        _ = poll(&waiting, 1, 10_000)
        return recv(socket, &byte, 1, Int32(MSG_DONTWAIT) | Int32(MSG_PEEK)) == 0
    }
}

@Suite struct RunLinkTests {
    private static let limit = 1 << 20
    /// What one call of the system brings at most.
    private static let read = 1 << 17

    /// wl_display.sync with numbers that follow each other.
    private func syncs(_ rig: LinkRig, _ range: Range<UInt32>) -> [UInt8] { range.flatMap { rig.message(1, 0, $0) } }

    @Test func nothingIsLostOfAnAppThatConnectsAndClosesBeforeWeAreReady() throws {
        let rig = try LinkRig(isReady: false)
        let sent = syncs(rig, 2..<1000)
        #expect(rig.give(rig.app, sent) == sent.count)
        rig.closeApp()
        rig.turn()
        rig.turn()
        try rig.makeReady()
        for _ in 0..<4 { rig.turn() }
        #expect(
            rig.take(rig.compositor) == (2..<1000 as Range<UInt32>).flatMap { rig.message(1, 0, $0 + LinkRig.base) })
        #expect(rig.link.isEnded && rig.isAtEnd(rig.compositor))
    }

    @Test func whatTheAppHasAskedForReachesASlowCompositor() throws {
        let rig = try LinkRig()
        let sent = syncs(rig, 2..<70_000)
        var next = 0
        // The compositor does not read meanwhile.
        for _ in 0..<200 where next < sent.count {
            next += rig.give(rig.app, Array(sent[next...]))
            rig.turn()
        }
        #expect(next == sent.count)
        rig.closeApp()
        for _ in 0..<4 { rig.turn() }
        #expect(!rig.link.isEnded, "the end came before what was asked for")
        // Events for the app that is gone hold nothing up.
        rig.give(rig.compositor, rig.message(1, 1, 2 + LinkRig.base))
        var received: [UInt8] = []
        for _ in 0..<200 where !rig.link.isEnded {
            received += rig.take(rig.compositor)
            rig.turn()
        }
        received += rig.take(rig.compositor)
        #expect(received == (2..<70_000 as Range<UInt32>).flatMap { rig.message(1, 0, $0 + LinkRig.base) })
        #expect(rig.link.isEnded && rig.isAtEnd(rig.compositor))
    }

    @Test func whatAnAppAskedForBeforeItWentWithoutReadingIsPassedOn() throws {
        let rig = try LinkRig()
        rig.give(rig.app, syncs(rig, 2..<10))
        // Its end is found when it is written to.
        rig.give(rig.compositor, rig.message(1, 1, 2 + LinkRig.base))
        rig.closeApp()
        rig.link.endTurn()
        for _ in 0..<4 { rig.turn() }
        #expect(rig.take(rig.compositor) == (2..<10 as Range<UInt32>).flatMap { rig.message(1, 0, $0 + LinkRig.base) })
        #expect(rig.link.isEnded && rig.isAtEnd(rig.compositor))
    }

    @Test func theAppReadsTheCompositorsLastErrorAfterItsEnd() throws {
        let rig = try LinkRig()
        // Requests that nobody will read any more: the compositor's end is one with unread data.
        rig.give(rig.app, syncs(rig, 2..<10))
        rig.turn()
        let text: [UInt8] = Array("bad\0".utf8)
        var error = rig.message(1, 0, 2 + LinkRig.base, 3, 4) + text
        error[6] = UInt8(error.count)
        rig.give(rig.compositor, error)
        rig.closeCompositor()
        rig.give(rig.app, syncs(rig, 10..<20))
        for _ in 0..<4 { rig.turn() }
        var expected = rig.message(1, 0, 2, 3, 4) + text
        expected[6] = UInt8(expected.count)
        #expect(rig.take(rig.app) == expected)
        #expect(rig.isAtEnd(rig.app) && rig.link.isEnded)
        #expect(rig.notes == [])
    }

    @Test func anAppThatReadsNothingMakesTheCompositorWait() throws {
        let rig = try LinkRig()
        let events = (0..<100_000 as Range<UInt32>).flatMap { rig.message(1, 1, $0 + 2 + LinkRig.base) }
        var sent = 0
        var most = 0
        for _ in 0..<400 {
            sent += rig.give(rig.compositor, Array(events[(sent % events.count)...]))
            rig.turn()
            most = max(most, rig.link.connection.forwarder.toApp.count)
        }
        #expect(most >= Self.limit && most <= Self.limit + Self.read, "\(most) bytes waited")
        #expect(sent < Self.limit + 3 * Self.read + (1 << 20), "\(sent) bytes were taken from the compositor")
        // It reads after all, and has missed nothing.
        var received: [UInt8] = []
        for _ in 0..<400 where received.count < sent {
            received += rig.take(rig.app)
            rig.turn()
        }
        #expect(received.count == sent)
        let all = (0..<100_000 as Range<UInt32>).flatMap { rig.message(1, 1, $0 + 2) }
        #expect((0..<sent).allSatisfy { received[$0] == all[$0 % all.count] })
    }

    @Test func aCompositorThatReadsNothingMakesTheAppWait() throws {
        let rig = try LinkRig()
        let requests = syncs(rig, 2..<300_000)
        var sent = 0
        var most = 0
        for _ in 0..<400 {
            sent += rig.give(rig.app, Array(requests[sent...]))
            rig.turn()
            most = max(most, rig.link.connection.forwarder.toCompositor.count)
        }
        #expect(sent < requests.count)
        #expect(most >= Self.limit && most <= Self.limit + Self.read, "\(most) bytes waited")
        var received: [UInt8] = []
        for _ in 0..<400 where received.count < sent {
            received += rig.take(rig.compositor)
            rig.turn()
        }
        #expect(
            received.count == sent - sent % 12
                && received.suffix(12) == rig.message(1, 0, UInt32(sent / 12 + 1) + LinkRig.base)[...])
    }

    /// `count` times `message` with a descriptor each, as far as the socket and what is behind it take them.
    private func give(
        _ rig: LinkRig, _ socket: Int32, _ count: Int, _ message: (Int) -> [UInt8]
    ) -> (sent: Int, most: Int) {
        let output = WireOutput()
        let forwarder = rig.link.connection.forwarder
        var (sent, most) = (0, 0)
        for index in 0..<count {
            message(index).withUnsafeBytes { output.append($0, descriptors: [(0, fw_memfd("test"))]) }
            for _ in 0..<4 {
                _ = output.flush(to: socket)
                rig.turn()
            }
            most = max(most, forwarder.toApp.descriptorCount, forwarder.toCompositor.descriptorCount)
            if !output.isEmpty { break }
            sent += 1
        }
        return (sent, most)
    }

    /// All that comes until nothing does, and how many descriptors with it.
    private func takeAll(_ rig: LinkRig, _ socket: Int32) -> (bytes: [UInt8], descriptors: Int) {
        let input = WireInput()
        var (bytes, count) = ([UInt8](), 0)
        var quiet = 0
        while quiet < 4 {
            quiet += 1
            while case .received = input.receive(from: socket) {
                quiet = 0
                input.withBytes { bytes += $0 }
                input.drop(input.count)
                while let descriptor = input.takeDescriptor() {
                    _ = close(descriptor)
                    count += 1
                }
            }
            rig.turn()
        }
        return (bytes, count)
    }

    /// wl_registry.bind
    private func bind(_ rig: LinkRig, _ name: String, as id: UInt32) -> [UInt8] {
        var words: [UInt32] = [1, UInt32(name.utf8.count + 1)]
        var text = Array(name.utf8) + [0]
        while text.count % 4 != 0 { text.append(0) }
        for index in stride(from: 0, to: text.count, by: 4) {
            words.append(text[index..<index + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) })
        }
        words += [1, id]
        let all = [2, UInt32(8 + 4 * words.count) << 16] + words
        return all.flatMap { word in withUnsafeBytes(of: word) { Array($0) } }
    }

    @Test(arguments: [false, true]) func descriptorsThatWaitMakeTheAppWait(itGoes: Bool) throws {
        let rig = try LinkRig()
        rig.give(rig.app, rig.message(1, 1, 2) + bind(rig, "wl_shm", as: 3))
        rig.turn()
        rig.turn()
        _ = rig.take(rig.compositor)
        // wl_shm.create_pool
        let (sent, most) = give(rig, rig.app, 2500) { rig.message(3, 0, UInt32($0) + 4, 64) }
        #expect(sent < 2500 && most <= 32 + 28, "\(most) descriptors waited after \(sent) pools")
        if itGoes {
            rig.closeApp()
            for _ in 0..<4 { rig.turn() }
            #expect(!rig.link.isEnded)
        }
        let (bytes, descriptors) = takeAll(rig, rig.compositor)
        #expect(bytes.count == 16 * sent && descriptors == sent, "\(descriptors) of \(sent)")
        #expect(rig.notes == [] && rig.link.isEnded == itGoes)
    }

    @Test func descriptorsThatWaitMakeTheCompositorWait() throws {
        let rig = try LinkRig()
        // wl_seat.get_keyboard
        rig.give(rig.app, rig.message(1, 1, 2) + bind(rig, "wl_seat", as: 3) + rig.message(3, 1, 4))
        rig.turn()
        rig.turn()
        _ = rig.take(rig.compositor)
        // wl_keyboard.keymap
        let (sent, most) = give(rig, rig.compositor, 2500) { _ in rig.message(4 + LinkRig.base, 0, 1, 64) }
        #expect(sent < 2500 && most <= 32 + 28, "\(most) descriptors waited after \(sent) keymaps")
        let (bytes, descriptors) = takeAll(rig, rig.app)
        #expect(bytes.count == 16 * sent && descriptors == sent, "\(descriptors) of \(sent)")
        #expect(rig.notes == [] && !rig.link.isEnded)
    }

    @Test func anAppThatNamesWhatNeverWasIsToldAsByACompositor() throws {
        let rig = try LinkRig()
        rig.give(rig.app, rig.message(1, 0, 2) + rig.message(77, 3) + rig.message(1, 0, 3))
        for _ in 0..<4 { rig.turn() }
        let received = rig.take(rig.app)
        #expect(Array(received.prefix(4)) == [1, 0, 0, 0] && received[4] == 0, "no wl_display.error")
        #expect(String(decoding: received, as: UTF8.self).contains("the app named object 77, which never was"))
        #expect(rig.isAtEnd(rig.app) && rig.notes.count == 1)
        // What was right before it has gone through, and nothing after.
        #expect(rig.take(rig.compositor) == rig.message(1, 0, 2 + LinkRig.base))
        #expect(rig.isAtEnd(rig.compositor))
    }

    @Test func aCompositorThatSpeaksOfWhatNeverWasEndsTheConnection() throws {
        let rig = try LinkRig()
        rig.give(rig.compositor, rig.message(5000, 0))
        for _ in 0..<4 { rig.turn() }
        #expect(rig.isAtEnd(rig.app) && rig.isAtEnd(rig.compositor) && rig.notes.count == 1)
    }

    /// In a process of its own: other tests open and close descriptors at the same time.
    @Test func theEndClosesBothSocketsAndNothingElse() async {
        await #expect(processExitsWith: .success) {
            let before = RunLinkTests.openDescriptors()
            do {
                let rig = try LinkRig()
                rig.give(rig.app, (2..<10 as Range<UInt32>).flatMap { rig.message(1, 0, $0) })
                rig.turn()
                rig.link.end()
                rig.link.end()
                #expect(rig.isAtEnd(rig.app))
                _ = rig.take(rig.compositor)
                #expect(rig.isAtEnd(rig.compositor))
            }
            for _ in 0..<50 { _ = try LinkRig() }
            // The process opens a few for itself meanwhile; a leak would be of one for each at least.
            #expect(RunLinkTests.openDescriptors() < before + 50)
        }
    }

    private static func openDescriptors() -> Int {
        guard let folder = opendir("/proc/self/fd") else { return 0 }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        return count
    }
}
