import CLibc
import Dispatch
import Foundation
import Testing
import TouchStage
import WaylandProtocols

@testable import WaylandClient

/// A protocol whose messages hold more than one string and more than one descriptor.
private enum PairTables {
    static let all = InterfaceTable([
        InterfaceFacts(
            "pair", version: 2,
            requests: [
                MessageFacts("strings", "s?s", [.none, .none]),
                MessageFacts("files", "hh", [.none, .none]),
                MessageFacts("destroy", "2", []),
                MessageFacts("bytes", "a", [.none]),
            ], events: [])
    ])
}

private final class Pair: Proxy, WaylandObject {
    static var interface: Interface { PairTables.all[0] }
    func strings(_ a: String, _ b: String?) {
        withWireString(a) { a in withWireString(b) { b in send(0, since: 1, [a, b]) } }
    }
    func files(_ a: Int32, _ b: Int32) { send(1, since: 1, [.fd(a), .fd(b)]) }
    func destroy() { sendDestructor(2, since: 2) }
    func bytes(_ bytes: [UInt8]) { withWireArray(bytes) { send(3, since: 1, [$0]) } }
}

@Suite struct RequestTests {
    // MARK: Refusals

    @Test func newerThanTheBoundVersionIsRefused() throws {
        let peer = try RawPeer()
        let surface = peer.bind(WlCompositor.self, version: 3).createSurface()
        #expect(surface.version == 3)
        _ = try peer.connection.flush()
        _ = peer.requests()
        surface.damageBuffer(x: 0, y: 0, width: 1, height: 1)
        let expected = ConnectionError.misuse(
            interface: "wl_surface", opcode: 9, reason: .needsVersion(4, bound: 3))
        #expect(peer.connection.failure == expected)
        #expect(peer.failure() == expected)
        #expect(expected.description == "request 9 of wl_surface needs version 4, bound is 3")
        surface.commit()
        #expect(peer.requests().isEmpty, "a request went out after the refusal")
    }

    @Test func aDestructorNewerThanTheObjectEndsItWithoutARequest() throws {
        let peer = try RawPeer()
        let pair = peer.bind(Pair.self, version: 1)
        _ = try peer.connection.flush()
        _ = peer.requests()
        pair.destroy()
        #expect(!pair.isAlive && peer.failure() == nil)
        #expect(peer.requests().isEmpty)
    }

    @Test func aDestroyedArgumentIsRefusedAndNullIsNot() throws {
        let peer = try RawPeer()
        let surface = peer.surface()
        surface.attach(buffer: nil, x: 0, y: 0)
        #expect(peer.failure() == nil)
        let buffer = peer.bind(WlBuffer.self)
        buffer.destroy()
        surface.attach(buffer: buffer, x: 0, y: 0)
        #expect(
            peer.failure() == .misuse(interface: "wl_surface", opcode: 1, reason: .destroyedArgument))
    }

    /// A message is a head of 8 bytes, a length of 4, the text with its NUL, padded.
    @Test(arguments: [(4083, true), (4084, false), (100_000, false)])
    func theLongestStringThatFitsIsSentAndNoLonger(length: Int, fits: Bool) throws {
        let peer = try RawPeer()
        let toplevel = peer.bind(XdgWmBase.self).getXdgSurface(surface: peer.surface()).getToplevel()
        _ = try peer.connection.flush()
        _ = peer.requests()
        toplevel.setTitle(title: String(repeating: "x", count: length))
        if fits {
            #expect(peer.failure() == nil)
            #expect(peer.requests().map(\.body.count) == [4088])
        } else {
            #expect(peer.failure() == .misuse(interface: "xdg_toplevel", opcode: 2, reason: .tooLong))
            #expect(peer.requests().isEmpty)
        }
    }

    @Test func stringsThatFitAloneButNotTogetherAreRefused() throws {
        let peer = try RawPeer()
        let pair = peer.bind(Pair.self)
        let half = String(repeating: "x", count: 2035)
        pair.strings(half, half)
        pair.strings(half, nil)
        #expect(peer.failure() == nil)
        #expect(peer.requests().suffix(2).map(\.body.count) == [4080, 2044])
        pair.strings(half + "12345678", half + "12345678")
        #expect(peer.failure() == .misuse(interface: "pair", opcode: 0, reason: .tooLong))
    }

    @Test(arguments: [(0, true), (1, true), (4084, true), (4085, false), (70_000, false)])
    func arraysAreCountedWithTheirPadding(count: Int, fits: Bool) throws {
        let peer = try RawPeer()
        peer.bind(Pair.self).bytes([UInt8](repeating: 7, count: count))
        #expect(peer.failure() == (fits ? nil : .misuse(interface: "pair", opcode: 3, reason: .tooLong)))
        #expect((peer.requests().last?.opcode == 3) == fits)
    }

    @Test func aDescriptorThatIsNotOpenIsRefused() throws {
        for bad in [-1, Int32.max] {
            let peer = try RawPeer()
            let pool = peer.bind(WlShm.self).createPool(fd: bad, size: 4096)
            #expect(!pool.isAlive)
            #expect(
                peer.failure()
                    == .misuse(interface: "wl_shm", opcode: 0, reason: .badDescriptor(errno: EBADF)))
        }
    }

    @Test func aSentDescriptorStaysTheCallersAndItsCopyIsClosed() throws {
        let peer = try RawPeer()
        let canary = try Canary()
        _ = peer.bind(WlShm.self).createPool(fd: canary.writer, size: 4096)
        #expect(peer.failure() == nil)
        _ = peer.requests()
        #expect(fcntl(canary.writer) >= 0)
        #expect(canary.isLast(), "a copy leaks")
    }

    @Test func afterAFailureEverythingIsInert() throws {
        let peer = try RawPeer()
        let compositor = peer.bind(WlCompositor.self)
        let seat = peer.bind(WlSeat.self)
        let surface = compositor.createSurface()
        let alive = peer.connection.liveObjectCount
        _ = try peer.connection.flush()
        _ = peer.requests()
        peer.error(about: surface.objectID, code: 1, "enough")
        #expect(peer.failure() != nil)

        let made: [Proxy] = [
            compositor.createSurface(), seat.getTouch(), surface.frame(), peer.connection.display.sync(),
            peer.bind(WlShm.self).createPool(fd: 0, size: 1).createBuffer(
                offset: 0, width: 1, height: 1, stride: 4, format: .argb8888),
        ]
        for object in made {
            #expect(!object.isAlive && object.objectID == 0)
            object.discard()
        }
        surface.commit()
        surface.destroy()
        #expect(!surface.isAlive)
        #expect(peer.connection.liveObjectCount == alive - 1)
        #expect(peer.requests().isEmpty)
    }

    // MARK: A compositor that does not read

    /// Sends numbered damage until the connection fails or a flush would block.
    private func flood(_ peer: RawPeer, flushing: Bool) throws -> Int32 {
        let surface = peer.surface()
        for number in 0..<Int32(200_000) {
            surface.damage(x: number, y: 0, width: 1, height: 1)
            if peer.connection.failure != nil { return number }
            if flushing, try peer.connection.flush() == .wouldBlock { return number + 1 }
        }
        Issue.record("the socket never filled")
        return 0
    }

    private func numbers(_ requests: [RawPeer.Request]) -> [Int32] {
        requests.filter { $0.opcode == 2 && $0.body.count == 16 }
            .map { $0.body.withUnsafeBytes { $0.load(as: Int32.self) } }
    }

    @Test func endsInAnErrorAndNotInAnAbort() throws {
        let peer = try RawPeer()
        peer.connection.stallPatience = 0
        let count = try flood(peer, flushing: false)
        #expect(peer.connection.failure == .stalled)
        #expect(throws: ConnectionError.stalled) { try peer.connection.flush() }
        // What did go out is whole and in order.
        let received = numbers(peer.requests())
        #expect(received == Array(0..<Int32(received.count)) && received.count <= Int(count))
        #expect(received.count > 1000)
    }

    @Test func blocksTheFlushAndThenGoesOn() throws {
        let peer = try RawPeer()
        peer.connection.stallPatience = 0
        var count = try flood(peer, flushing: true)
        let surface = try #require(peer.connection.liveObjects.first as? WlSurface)
        // What a turn or two of a window has to say still fits behind the full socket.
        for _ in 0..<20 {
            surface.damage(x: count, y: 0, width: 1, height: 1)
            count += 1
        }
        #expect(try peer.connection.flush() == .wouldBlock)
        #expect(peer.connection.failure == nil)
        var received = numbers(peer.requests())
        #expect(try peer.connection.flush() == .done)
        received += numbers(peer.requests())
        #expect(received == Array(0..<count))
        // And the room is all there again.
        for _ in 0..<1000 { surface.damage(x: 0, y: 0, width: 1, height: 1) }
        #expect(try peer.connection.flush() == .done)
    }

    @Test func isWaitedForWhenItReadsSlowly() throws {
        let peer = try RawPeer()
        peer.connection.stallPatience = 60_000
        let copy = dup(peer.descriptor)
        // A thread of its own: tests that block share the few that tasks run on.
        let reader = SlowReader(copy)
        let surface = peer.surface()
        let count = 50_000
        for _ in 0..<count { surface.damage(x: 0, y: 0, width: 1, height: 1) }
        #expect(peer.connection.failure == nil)
        _ = try peer.connection.wait(milliseconds: 0) { false }
        while try peer.connection.flush() == .wouldBlock {}
        peer.connection.disconnect()
        // get_registry 12, bind 40, create_surface 12 bytes.
        #expect(reader.total() == 64 + count * 24)
    }

    @Test func descriptorsBeyondOneMessagesLoadAreSentInSeveral() throws {
        let peer = try RawPeer()
        let canary = try Canary()
        let pair = peer.bind(Pair.self)
        for _ in 0..<100 { pair.files(canary.writer, canary.writer) }
        #expect(peer.failure() == nil)
        #expect(peer.requests().count { $0.opcode == 1 && $0.body.isEmpty } == 100)
        peer.connection.disconnect()
        #expect(canary.isLast(), "copies leak")
    }

    @Test func descriptorsBehindAFullSocketEndInAnErrorToo() throws {
        let peer = try RawPeer()
        let canary = try Canary()
        peer.connection.stallPatience = 0
        let pair = peer.bind(Pair.self)
        _ = try flood(peer, flushing: true)
        for _ in 0..<14 { pair.files(canary.writer, canary.writer) }
        #expect(peer.connection.failure == nil)
        pair.files(canary.writer, canary.writer)
        #expect(peer.failure() == .stalled)
        peer.connection.disconnect()
        peer.hangUp()
        #expect(canary.isLast(), "copies leak")
    }
}

/// The descriptor's number when it is open, else -1.
private func fcntl(_ descriptor: Int32) -> Int32 {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? descriptor : -1
}

/// Reads all that comes until the end of it, a little at a time.
private final class SlowReader: @unchecked Sendable {
    private var count = 0
    private let end = DispatchSemaphore(value: 0)

    init(_ descriptor: Int32) {
        Thread.detachNewThread { [self] in
            var buffer = [UInt8](repeating: 0, count: 1500)
            while true {
                let length = recv(descriptor, &buffer, buffer.count, 0)
                if length <= 0 { break }
                count += length
            }
            close(descriptor)
            end.signal()
        }
    }

    /// Waits for the end.
    func total() -> Int {
        end.wait()
        return count
    }
}
