// A libFuzzer target: an app and a compositor that say anything at all, to what stands between them. Built and run by
// `meson-helpers/fuzz wire`.

import CLibc
import CLinuxShims
import Gestures
import Ripples
import WireProxy

@_silgen_name("LLVMFuzzerRunDriver")
func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

@_cdecl("fuzz_wire_main")
public func fuzzMain(_ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> CInt {
    var count = count
    var arguments = unsafe arguments
    return unsafe runDriver(&count, &arguments) { start, length in
        unsafe fuzzOneInput(UnsafeBufferPointer(start: start, count: length))
        return 0
    }
}

private func fuzzOneInput(_ bytes: UnsafeBufferPointer<UInt8>) {
    let before = openDescriptors()
    do {
        var input = Input(bytes: unsafe Array(bytes))
        // Numbers for some thirty cells, which is more than fingers here make; or so few that they are soon used up.
        let talk = Talk(reserving: input.byte() & 1 == 0 ? 160 : 40)
        talk.prepare()
        while !input.isAtEnd, !talk.hasEnded { talk.step(&input) }
        talk.end()
    }
    precondition(openDescriptors() == before, "descriptors leak")
}

private func openDescriptors() -> Int {
    guard let folder = unsafe opendir("/proc/self/fd") else { return 0 }
    defer { unsafe closedir(folder) }
    var count = 0
    while unsafe readdir(folder) != nil { count += 1 }
    return count
}

/// What the fuzzer made up, read byte by byte; zeros behind its end.
private struct Input {
    let bytes: [UInt8]
    var next = 0

    var isAtEnd: Bool { next >= bytes.count }

    mutating func byte() -> UInt8 {
        defer { next += 1 }
        return next < bytes.count ? bytes[next] : 0
    }

    /// Small numbers, and now and then a large one.
    mutating func word() -> UInt32 {
        let first = byte()
        switch first {
        case 0..<0xf0: return UInt32(first)
        case 0xf0..<0xf4: return UInt32(first & 3) << 24 | UInt32(byte()) << 16 | UInt32(byte()) << 8 | UInt32(byte())
        case 0xf4..<0xf8: return 0xff00_0000 | UInt32(first & 3)
        case 0xf8: return 0x7fff_ffff
        case 0xf9: return 0x8000_0000
        default: return UInt32(bitPattern: Int32(Int8(bitPattern: first)))
        }
    }
}

private final class Talk {
    /// What an app may well bind; the objects of the first ten begin at 3, the other two are 25 and 26.
    private static let globals = [
        "wl_compositor", "wl_subcompositor", "wl_shm", "wl_seat", "xdg_wm_base", "wp_viewporter",
        "wp_fractional_scale_manager_v1", "zwp_linux_dmabuf_v1", "wp_single_pixel_buffer_manager_v1",
        "wl_data_device_manager", "wl_output", "zwp_tablet_manager_v2",
    ]
    private static let tool: UInt32 = 0xff00_0000

    private let reserved: UInt32
    private let proxy: AppConnection
    // What the proxy has sent is read by these.
    private let atApp = WireInput()
    private let atCompositor = WireInput()
    private let app: (own: Int32, others: Int32)
    private let compositor: (own: Int32, others: Int32)
    private(set) var hasEnded = false

    init(reserving reserved: UInt32) {
        self.reserved = reserved
        app = Talk.pair()
        compositor = Talk.pair()
        let time = Time()
        guard
            let proxy = AppConnection(
                look: AppConnection.Look(), draws: true, takesPointer: true,
                reserving: reserved, clock: { time.now })
        else { fatalError("no tables") }
        self.proxy = proxy
        self.time = time
        proxy.asksPresentation = true
        proxy.reports.onCommit = { _, _ in { _ in } }
    }

    private final class Time { var now = Instant(nanoseconds: 1_000_000_000) }
    private let time: Time

    private static func pair() -> (Int32, Int32) {
        var pair: [Int32] = [-1, -1]
        guard unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0 else { fatalError("no sockets") }
        return (pair[0], pair[1])
    }

    // MARK: Talk

    private func message(_ object: UInt32, _ opcode: UInt16, _ words: [UInt32], text: String? = nil) -> [UInt8] {
        var body: [UInt8] = []
        func add(_ word: UInt32) { unsafe withUnsafeBytes(of: word) { unsafe body.append(contentsOf: $0) } }
        for (index, word) in words.enumerated() {
            if index == 1, let text {
                add(UInt32(text.utf8.count + 1))
                body += text.utf8
                repeat { body.append(0) } while body.count % 4 != 0
            }
            add(word)
        }
        var bytes: [UInt8] = []
        for word in [object, UInt32(8 + body.count) << 16 | UInt32(opcode)] {
            unsafe withUnsafeBytes(of: word) { unsafe bytes.append(contentsOf: $0) }
        }
        return bytes + body
    }

    private func request(_ object: UInt32, _ opcode: UInt16, _ words: UInt32..., descriptors: Int = 0) {
        send(message(object, opcode, words), fromApp: true, descriptors)
    }

    private func event(_ object: UInt32, _ opcode: UInt16, _ words: UInt32..., text: String? = nil) {
        send(message(object, opcode, words, text: text), fromApp: false, 0)
    }

    private func send(_ bytes: [UInt8], fromApp: Bool, _ descriptors: Int) {
        let output = WireOutput()
        // SAFETY: the bytes are copied within the call.
        unsafe bytes.withUnsafeBytes { bytes in
            unsafe output.append(bytes, descriptors: (0..<descriptors).map { _ in (0, unsafe fw_memfd("fuzz")) })
        }
        _ = output.flush(to: fromApp ? app.others : compositor.others)
        do throws(Forwarder.Fault) {
            let forwarder = proxy.forwarder
            if fromApp {
                while case .received = forwarder.fromApp.receive(from: app.own) { try proxy.forwardRequests() }
            } else {
                while case .received = forwarder.fromCompositor.receive(from: compositor.own) {
                    try forwarder.forwardEvents()
                }
            }
        } catch {
            precondition(!error.description.isEmpty)
            hasEnded = true
        }
        drain()
    }

    /// Takes what goes out, on both sides: whole messages, and their descriptors.
    private func drain() {
        for (output, socket, input, other) in [
            (proxy.forwarder.toApp, app.own, atApp, app.others),
            (proxy.forwarder.toCompositor, compositor.own, atCompositor, compositor.others),
        ] {
            var bytes: [UInt8] = []
            while true {
                let result = output.flush(to: socket)
                while case .received = input.receive(from: other) {
                    unsafe input.withBytes { unsafe bytes.append(contentsOf: $0) }
                    input.drop(input.count)
                    while let descriptor = input.takeDescriptor() { _ = close(descriptor) }
                }
                if result != .blocked { break }
            }
            var place = 0
            while place + 8 <= bytes.count {
                let size = Int(bytes[place + 6]) | Int(bytes[place + 7]) << 8
                precondition(size >= 8, "a message of no possible size goes out")
                place += size
            }
            precondition(place == bytes.count, "half a message goes out")
        }
    }

    /// Brings everything to where a window is shown and a finger may come.
    func prepare() {
        drain()
        for (index, name) in Talk.globals.enumerated() { event(2, 0, UInt32(index), 1, text: name) }
        event(2, 0, UInt32(Talk.globals.count), 1, text: "wp_presentation")
        // All at once, as a compositor answers: this is most of what a run costs.
        send((3...reserved + 1).flatMap { message(1, 1, [$0]) }, fromApp: false, 0)
        precondition(proxy.isReady)
        request(1, 1, 2)
        for (index, name) in Talk.globals.prefix(10).enumerated() { bind(UInt32(3 + index), name) }
        // Surface 13 with xdg_surface 14 and xdg_toplevel 15; touch 16, pointer 17; pool 18 with buffer 19; viewport 20 and
        // fractional scale 21; surface 22 with subsurface 23; dmabuf params 24.
        request(3, 0, 13)
        request(7, 2, 14, 13)
        request(14, 1, 15)
        request(13, 6)
        request(6, 2, 16)
        request(6, 0, 17)
        request(5, 0, 18, 4096, descriptors: 1)
        request(18, 0, 19, 0, 200, 100, 800, 0)
        request(13, 1, 19, 0, 0)
        request(13, 6)
        request(8, 1, 20, 13)
        request(9, 1, 21, 13)
        request(3, 0, 22)
        request(4, 1, 23, 22, 13)
        request(10, 1, 24)
        // The tablets of the seat are 27, with a pen; the surface is on the output.
        for (index, name) in Talk.globals.dropFirst(10).enumerated() { bind(UInt32(25 + index), name) }
        request(26, 0, 27, 6)
        event(27 + reserved, 1, Talk.tool)
        event(13 + reserved, 0, 25 + reserved)
        proxy.endTurn()
        drain()
        precondition(!hasEnded)
    }

    private func bind(_ id: UInt32, _ name: String) {
        send(message(2, 0, [0, 1, id], text: name), fromApp: true, 0)
    }

    /// One thing that somebody does.
    func step(_ input: inout Input) {
        let kind = input.byte()
        switch kind & 15 {
        case 0, 1:
            // Bytes as they come.
            let count = Int(input.byte())
            let descriptors = Int(input.byte() & 3)
            var bytes: [UInt8] = []
            for _ in 0..<count { bytes.append(input.byte()) }
            if !bytes.isEmpty { send(bytes, fromApp: kind & 1 == 0, descriptors) }
        case 2, 3:
            time.now = time.now + Int64(input.byte()) * 8_000_000
            proxy.endTurn()
            drain()
        case 4:
            // The next frame, and what the compositor is done with, by our numbers.
            let id = reserved + 1 - input.word() % reserved
            event(id, 0, 0)
            // What became of a picture.
            if kind & 32 != 0 { event(id, 1, input.word(), input.word(), input.word(), 0, 0, 0, 0) }
            if kind & 64 != 0 { event(id, 2) }
            if kind & 16 != 0 { event(1, 1, id) }
        case 5:
            // wl_touch.down and its end
            let finger = UInt32(input.byte() & 3)
            event(16 + reserved, 0, 1, 2, 13 + reserved, finger, input.word() << 8, input.word() << 8)
            if kind & 16 != 0 { event(16 + reserved, 3) }
            if kind & 32 != 0 { event(16 + reserved, 1, 1, 2, finger) }
            if kind & 64 != 0 { event(16 + reserved, 3) }
            proxy.endTurn()
            drain()
        case 8:
            // The pen comes above the window, moves, and goes down, up or away.
            if kind & 16 != 0 { event(Talk.tool, 6, 1, input.word(), 13 + reserved) }
            event(Talk.tool, 10, input.word() << 8, input.word() << 8)
            if kind & 32 != 0 { event(Talk.tool, 8, 1) }
            if kind & 64 != 0 { event(Talk.tool, 9) }
            if kind & 128 != 0 { event(Talk.tool, 7) }
            event(Talk.tool, 18, 2)
            proxy.endTurn()
            drain()
        case 6: bind(input.word(), Talk.globals[Int(input.byte()) % Talk.globals.count])
        case 7:
            proxy.setPaused(kind & 16 != 0)
            if kind & 32 != 0 { proxy.clear() }
            drain()
        default:
            // A message of whole words.
            let fromApp = kind & 1 == 0
            let object = input.word()
            let opcode = UInt16(input.byte() & 31)
            var words: [UInt32] = []
            for _ in 0..<(kind >> 4) { words.append(input.word()) }
            let isMoved = !fromApp && object > 1 && object < 0xff00_0000 && kind & 6 != 2
            send(
                message(isMoved ? object &+ reserved : object, opcode, words), fromApp: fromApp,
                kind & 6 == 6 ? 1 : 0)
        }
    }

    func end() {
        proxy.endTurn()
        proxy.end()
        for socket in [app.own, app.others, compositor.own, compositor.others] { _ = close(socket) }
    }
}
