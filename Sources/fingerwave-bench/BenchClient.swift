internal import CBench
internal import Glibc
internal import WaylandClient
internal import WaylandProtocols

/// A client with a seat's objects and a surface, whose handlers add up what the events carry.
protocol BenchClient: AnyObject {
    var name: String { get }
    var socket: SocketPair { get }
    var ids: (touch: UInt32, pointer: UInt32, surface: UInt32) { get }
    /// How many events have come so far, and the sum of their coordinates.
    var received: (count: UInt64, sum: Double) { get }
    /// Reads and delivers all that the socket holds.
    func dispatch() -> Bool
    func damageBuffer(count: Int32)
    func attachNothing(count: Int32)
    func flush()
}

/// Versions that libwayland's own tables of 2022 have too.
private let seatVersion: UInt32 = 7
private let compositorVersion: UInt32 = 4

/// A client in C. With listeners as nearly every client has them, or with wl_proxy_add_dispatcher and a `switch`: the
/// least that libwayland needs for an event.
@safe
final class CClient: BenchClient {
    let name: String
    let socket: SocketPair
    // SAFETY: libwayland's objects; ended by deinit alone.
    private var client: fw_bench_client
    // SAFETY: the handlers' data, freed after the objects.
    private let sum = UnsafeMutablePointer<fw_bench_sum>.allocate(capacity: 1)

    init(name: String, usesListeners: Bool) throws(BenchError) {
        self.name = name
        socket = try SocketPair()
        unsafe client = fw_bench_open(socket.clientEnd, seatVersion, compositorVersion)
        unsafe sum.initialize(to: fw_bench_sum())
        guard unsafe client.display != nil else { throw .system("libwayland does not take the socket") }
        let outcome = unsafe usesListeners ? fw_bench_listen(&client, sum) : fw_bench_add_dispatchers(&client, sum)
        if outcome < 0 { throw BenchError("libwayland does not take the handlers") }
        socket.drain()
    }

    deinit {
        unsafe fw_bench_close(&client)
        unsafe sum.deallocate()
    }

    var ids: (touch: UInt32, pointer: UInt32, surface: UInt32) {
        unsafe (wl_proxy_get_id(client.touch), wl_proxy_get_id(client.pointer), wl_proxy_get_id(client.surface))
    }

    var received: (count: UInt64, sum: Double) {
        unsafe (sum.pointee.events, sum.pointee.x + sum.pointee.y + Double(sum.pointee.numbers))
    }

    func dispatch() -> Bool { unsafe fw_bench_dispatch(client.display) == 0 }

    func damageBuffer(count: Int32) { unsafe fw_bench_damage_buffer(client.surface, count) }

    func attachNothing(count: Int32) { unsafe fw_bench_attach_nothing(client.surface, count) }

    func flush() { unsafe _ = wl_display_flush(client.display) }
}

/// The same client on the Swift bindings.
final class SwiftClient: BenchClient {
    let name = "FingerWave"
    let socket: SocketPair
    private let connection: Connection
    private let touch: WlTouch
    private let pointer: WlPointer
    private let surface: WlSurface
    private let sum = Sum()

    private final class Sum {
        var events: UInt64 = 0
        var numbers: UInt64 = 0
        var x = 0.0
        var y = 0.0
    }

    init() throws(BenchError) {
        socket = try SocketPair()
        do throws(ConnectionError) {
            connection = try Connection.connect(fileDescriptor: socket.clientEnd)
        } catch {
            throw BenchError("libwayland does not take the socket")
        }
        let registry = connection.display.getRegistry()
        let seat = registry.bind(name: 1, WlSeat.self, version: seatVersion)
        pointer = seat.getPointer()
        touch = seat.getTouch()
        surface = registry.bind(name: 2, WlCompositor.self, version: compositorVersion).createSurface()
        touch.onEvent = { [sum] event in
            switch event {
            case .motion(let time, let id, let x, let y):
                sum.events += 1
                sum.numbers += UInt64(time &+ UInt32(bitPattern: id))
                sum.x += x
                sum.y += y
            case .down(_, let time, let surface, let id, let x, let y):
                sum.events += 1
                sum.numbers += UInt64(time &+ UInt32(bitPattern: id)) + (surface != nil ? 1 : 0)
                sum.x += x
                sum.y += y
            case .frame: sum.events += 1
            default: break
            }
        }
        pointer.onEvent = { [sum] event in
            if case .motion(let time, let x, let y) = event {
                sum.events += 1
                sum.numbers += UInt64(time)
                sum.x += x
                sum.y += y
            }
        }
        flush()
        socket.drain()
    }

    deinit { connection.disconnect() }

    var ids: (touch: UInt32, pointer: UInt32, surface: UInt32) {
        (touch.objectID, pointer.objectID, surface.objectID)
    }

    var received: (count: UInt64, sum: Double) { (sum.events, sum.x + sum.y + Double(sum.numbers)) }

    func dispatch() -> Bool {
        do throws(ConnectionError) {
            while try connection.readAndDispatch() > 0 {}
            return true
        } catch {
            return false
        }
    }

    func damageBuffer(count: Int32) {
        for index in 0..<count { surface.damageBuffer(x: index, y: index, width: 16, height: 16) }
    }

    func attachNothing(count: Int32) {
        for _ in 0..<count { surface.attach(buffer: nil, x: 0, y: 0) }
    }

    func flush() { _ = try? connection.flush() }
}
