import CLibc
import CLinuxShims
import Gestures
import Ripples
import Testing
import WireTables

@testable import WireProxy

/// An ``AppConnection`` between an app and a compositor that are played word by word, to misbehave as no library would.
final class RawRig {
    static let base: UInt32 = 768

    /// What the compositor does by itself.
    struct Manners {
        var globals: [(name: String, version: UInt32)] = [
            ("wl_compositor", 5), ("wl_subcompositor", 1), ("wl_shm", 1), ("wp_viewporter", 1), ("wl_seat", 7),
            ("xdg_wm_base", 5), ("wp_presentation", 1),
        ]
        /// wl_display.delete_id for what was destroyed.
        var deletes = true
    }

    var manners: Manners
    let proxy: AppConnection
    let app: Link.End
    let compositor: Link.End
    var now = Instant(nanoseconds: 1_000_000_000)
    private(set) var notes: [String] = []
    /// The app's requests as the compositor got them, by the app's numbers.
    private(set) var requests: [Message] = []
    /// Ours, by the compositor's numbers.
    private(set) var own: [Message] = []
    /// What a strict compositor would say.
    private(set) var violations: [String] = []
    /// Whether requests are looked at and answered.
    var isStrict = true
    private let appSocket: Int32
    private let compositorSocket: Int32
    private var types: [UInt32: InterfaceID] = [:]
    private var alive: Set<UInt32> = [1]
    private var highest: UInt32 = 1
    /// wl_callbacks of wl_surface.frame, which end with their surface.
    private var frames: [(surface: UInt32, callback: UInt32)] = []
    /// Numbers that were destroyed and are not given back yet.
    private(set) var withheld: [UInt32] = []

    private static let destructors: [String: UInt16] = [
        "wl_surface": 0, "wl_subsurface": 0, "wl_buffer": 0, "wl_region": 0, "wl_shm_pool": 1, "wp_viewport": 0,
        "xdg_toplevel": 0, "xdg_surface": 0,
    ]

    init(_ manners: Manners = Manners()) throws {
        self.manners = manners
        var pair: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
        app = Link.End(pair[0])
        appSocket = pair[1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
        compositor = Link.End(pair[0])
        compositorSocket = pair[1]
        let clock = Clock()
        let proxy = AppConnection(
            look: AppConnection.Look(), draws: true, takesPointer: false,
            clock: { clock.rig?.now ?? Instant(nanoseconds: 0) })
        self.proxy = try #require(proxy)
        types[1] = WireTables.interface(named: "wl_display")
        clock.rig = self
        self.proxy.reports.onNote = { [unowned self] in notes.append($0) }
    }

    private final class Clock { weak var rig: RawRig? }

    deinit {
        proxy.reports = AppConnection.Reports()
        proxy.end()
        _ = close(appSocket)
        _ = close(compositorSocket)
    }

    // MARK: Talk

    func pump() throws {
        for _ in 0..<50 {
            _ = app.output.flush(to: app.socket)
            var isBusy = try pass()
            for message in compositor.takeMessages() {
                isBusy = true
                receive(message)
            }
            for descriptor in compositor.takeDescriptors() { _ = close(descriptor) }
            _ = compositor.output.flush(to: compositor.socket)
            isBusy = try pass() || isBusy
            proxy.endTurn()
            isBusy = try pass() || isBusy
            app.receive()
            if !isBusy { return }
        }
        Issue.record("they talk without end")
    }

    private func pass() throws -> Bool {
        let forwarder = proxy.forwarder
        var isBusy = false
        while case .received = forwarder.fromCompositor.receive(from: compositorSocket) {
            isBusy = true
            try forwarder.forwardEvents()
        }
        while proxy.isReady, case .received = forwarder.fromApp.receive(from: appSocket) {
            isBusy = true
            try forwarder.forwardRequests()
        }
        isBusy = isBusy || !forwarder.toCompositor.isEmpty
        _ = forwarder.toCompositor.flush(to: compositorSocket)
        _ = forwarder.toApp.flush(to: appSocket)
        return isBusy
    }

    // MARK: The compositor

    private func receive(_ message: Message) {
        if !isStrict, message.object > RawRig.base + 1 { return }
        let id = message.object
        if id > RawRig.base + 1 || id == 1 && isOfApp(message) {
            var moved = message
            moved.object = id == 1 ? 1 : id - RawRig.base
            requests.append(moved)
        } else {
            own.append(message)
        }
        guard alive.contains(id), let interface = types[id] else {
            return violations.append("\(message) of an object that is not there")
        }
        guard let request = interface.request(message.opcode) else {
            return violations.append("\(message) does not exist in \(interface.name)")
        }
        begin(message, request)
        answer(message, interface.name.description)
    }

    private func isOfApp(_ message: Message) -> Bool { message.words.last.map { $0 > RawRig.base + 1 } ?? false }

    private func begin(_ message: Message, _ request: MessageID) {
        var offset = 0
        var named: String?
        for index in request.arguments {
            let word = message.body.withUnsafeBytes { body in
                offset + 4 <= body.count ? body.loadUnaligned(fromByteOffset: offset, as: UInt32.self) : 0
            }
            switch MessageID.argument(at: index) {
            case .string, .array:
                let end = offset + 3 + Int(word)
                guard word > 0, end <= message.body.count else { return }
                named = String(decoding: message.body[(offset + 4)..<end], as: UTF8.self)
                offset += (Int(word) + 3) & ~3
            case .newObject(let interface): begin(word, interface)
            case .newObjectOfNamedInterface: if let found = named.flatMap(lookUp) { begin(word, found) }
            default: break
            }
            offset += 4
        }
    }

    private func begin(_ id: UInt32, _ interface: InterfaceID) {
        if id > highest + 1 { violations.append("number \(id) leaves a gap") }
        if !alive.insert(id).inserted { violations.append("number \(id) is in use") }
        highest = max(highest, id)
        types[id] = interface
    }

    private func answer(_ message: Message, _ interface: String) {
        switch (interface, message.opcode) {
        case ("wl_display", 0):
            if let callback = message.words.first {
                compositor.send([Message(callback, 0, 1)])
                end(callback)
            }
        case ("wl_display", 1):
            for (index, global) in manners.globals.enumerated() {
                var event = Message(message.words[0], 0, UInt32(index))
                event.append(global.name)
                event.append(global.version)
                compositor.send([event])
            }
        case ("wl_surface", 3): if let callback = message.words.first { frames.append((message.object, callback)) }
        default:
            guard RawRig.destructors[interface] == message.opcode else { return }
            for frame in frames where frame.surface == message.object { end(frame.callback) }
            frames.removeAll { $0.surface == message.object }
            end(message.object)
        }
    }

    /// The next frame is on the screen.
    func tick(milliseconds: Int64) throws {
        now = now + .milliseconds(milliseconds)
        for (_, callback) in frames {
            compositor.send([Message(callback, 0, 1)])
            end(callback)
        }
        frames = []
        try pump()
    }

    func end(_ id: UInt32) {
        alive.remove(id)
        if manners.deletes { compositor.send([Message(1, 1, id)]) } else { withheld.append(id) }
    }

    /// Gives back what was withheld, the oldest first.
    func giveBack(_ count: Int = .max) {
        let ids = withheld.prefix(count)
        compositor.send(ids.map { Message(1, 1, $0) })
        withheld.removeFirst(ids.count)
    }

    func isAlive(_ id: UInt32) -> Bool { alive.contains(id) }

    // MARK: The app

    /// Binds what is offered: wl_compositor is 3, wl_seat 4, xdg_wm_base 5, its wl_touch 6.
    func bindGlobals() throws {
        app.send([Message(1, 1, 2)])
        for (index, name) in ["wl_compositor", "wl_seat", "xdg_wm_base"].enumerated() {
            var bind = Message(2, 0, UInt32(manners.globals.firstIndex { $0.name == name } ?? 0))
            bind.append(name)
            bind.append(5)
            bind.append(UInt32(3 + index))
            app.send([bind])
        }
        app.send([Message(4, 2, 6)])
        try pump()
    }

    /// A toplevel: `first` is its surface, then its xdg_surface, then its xdg_toplevel.
    func window(_ first: UInt32) {
        app.send([
            Message(3, 0, first), Message(5, 2, first + 1, first), Message(first + 1, 1, first + 2), Message(first, 6),
        ])
        // It is shown, with a buffer of which nothing is known, and says where it is.
        app.send([Message(first + 1, 3, 0, 0, 300, 200), Message(first, 1, 999, 0, 0), Message(first, 6)])
    }

    func touch(_ surface: UInt32, _ id: UInt32 = 0, _ x: UInt32 = 100, _ y: UInt32 = 80) {
        let base = RawRig.base
        compositor.send([
            Message(6 + base, 0, 9, 1000, surface + base, id, x << 8, y << 8), Message(6 + base, 3),
        ])
    }

    func lift(_ id: UInt32 = 0) {
        compositor.send([Message(6 + RawRig.base, 1, 9, 1010, id), Message(6 + RawRig.base, 3)])
    }
}
