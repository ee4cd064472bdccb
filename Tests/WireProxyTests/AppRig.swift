import CLibc
import CLinuxShims
import Gestures
import Inspection
import Ripples
import Testing
import TouchStage
import WaylandClient
import WaylandProtocols

@testable import WireProxy

/// An app, what stands between, and a compositor, all in this process: a client of the real library, an ``AppConnection``,
/// and a stage. Time is the stage's, and moves by hand.
final class AppRig {
    /// Numbers up to here are ours on the compositor's side; the app's n is n + 768 there.
    static let lastOwn: UInt32 = 769

    let stage: Stage
    /// Nil when the app speaks with the stage itself.
    let proxy: AppConnection?
    let connection: Connection
    private(set) var globals: Globals
    private var appSocket: Int32 = -1
    private var compositorSocket: Int32 = -1
    private(set) var notes: [String] = []
    private(set) var raw: [RawTouchLine] = []
    private(set) var tools: [ToolLine] = []
    private(set) var gestures: [Gesture] = []
    /// The commits that show something else, of which the compositor is asked, with whether it can tell.
    private(set) var commits: [(root: Int, source: PhotonSource)] = []
    /// What it answered.
    private(set) var outcomes: [PresentationOutcome] = []
    /// The most that waited for one side at a time, bytes.
    private(set) var mostWaiting = 0

    struct RawTouchLine: Equatable {
        var text: String
        var seat: String
    }

    struct ToolLine {
        var text: String
        var tool: Int32
        var type: ZwpTabletToolV2.TypeValue
        var seat: String
    }

    struct NoTables: Error {}

    /// - Parameter listens: false for a proxy whose touches nobody hears of.
    init(
        _ options: Stage.Options = Stage.Options(), isDirect: Bool = false, draws: Bool = true,
        takesPointer: Bool = false, asksPresentation: Bool = false, look: AppConnection.Look = AppConnection.Look(),
        listens: Bool = true
    ) throws {
        stage = try Stage(options)
        stage.keepsJournal = true
        if isDirect {
            proxy = nil
            connection = try stage.connect()
        } else {
            compositorSocket = stage.connectClient()
            var pair: [Int32] = [-1, -1]
            try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
            appSocket = pair[1]
            connection = try Connection.connect(fileDescriptor: pair[0])
            let proxy = AppConnection(
                look: look, draws: draws, takesPointer: takesPointer,
                clock: { [unowned stage] in Instant(nanoseconds: stage.now) })
            guard let proxy else { throw NoTables() }
            self.proxy = proxy
            proxy.asksPresentation = asksPresentation
        }
        globals = Globals(connection)
        proxy?.reports.onNote = { [unowned self] in notes.append($0) }
        if listens { listen() }
        try pump()
    }

    private func listen() {
        proxy?.reports.onRaw = { [unowned self] in raw.append(RawTouchLine(text: "\($0.kind)", seat: $1.name)) }
        proxy?.reports.onTool = { [unowned self] in
            tools.append(ToolLine(text: "\($0.kind)", tool: $0.tool, type: $0.type, seat: $1.name))
        }
        proxy?.reports.onGestures = { [unowned self] all, _ in gestures += all }
        proxy?.reports.onCommit = { [unowned self] root, source in
            commits.append((root, source))
            return { [unowned self] in outcomes.append($0) }
        }
    }

    deinit {
        connection.disconnect()
        proxy?.reports = AppConnection.Reports()
        proxy?.end()
        if appSocket >= 0 { close(appSocket) }
        if compositorSocket >= 0 { close(compositorSocket) }
    }

    // MARK: Talk

    /// Lets all three talk until they are quiet.
    func pump() throws {
        for _ in 0..<500 {
            _ = try connection.flush()
            let passed = try pass()
            let journal = stage.journal.count
            stage.turn()
            let answered = try pass()
            let delivered = try connection.readAndDispatch()
            let drawn = try endTurn()
            if !passed, !answered, delivered == 0, !drawn, stage.journal.count == journal { return }
        }
        Issue.record("they talk without end")
    }

    /// What the app has written by now reaches the compositor; nothing else happens.
    func passRequests() throws {
        _ = try connection.flush()
        _ = try pass()
        stage.turn()
    }

    /// What the link between two sockets does; true when something went through.
    private func pass() throws -> Bool {
        guard let proxy else { return false }
        let forwarder = proxy.forwarder
        var isBusy = false
        while case .received = forwarder.fromCompositor.receive(from: compositorSocket) {
            isBusy = true
            try forwarder.forwardEvents()
        }
        if proxy.isReady {
            while case .received = forwarder.fromApp.receive(from: appSocket) {
                isBusy = true
                try proxy.forwardRequests()
            }
        }
        mostWaiting = max(mostWaiting, forwarder.toApp.count, forwarder.toCompositor.count)
        if !proxy.isHoldingPicture {
            isBusy = isBusy || !forwarder.toCompositor.isEmpty
            _ = forwarder.toCompositor.flush(to: compositorSocket)
        }
        _ = forwarder.toApp.flush(to: appSocket)
        return isBusy
    }

    private func endTurn() throws -> Bool {
        guard let proxy else { return false }
        proxy.endTurn()
        return try pass()
    }

    /// Frame by frame, as a screen of 62.5 Hz; `fires` says whether the compositor asks for new pictures.
    func advance(milliseconds: Int64, fires: Bool = true) throws {
        for _ in 0..<(milliseconds + 15) / 16 {
            stage.advance(milliseconds: 16)
            if fires { stage.fireFrameCallbacks() }
            try pump()
        }
    }

    /// Waits as the program's loop does with a compositor that asks for nothing: until there is no deadline any more.
    func runDeadlines() throws {
        for _ in 0..<200 {
            guard let deadline = proxy?.nextDeadline else { return }
            stage.advance(nanoseconds: max(0, deadline.nanoseconds - stage.now))
            try pump()
        }
        Issue.record("there is always something to wait for")
    }

    func bind<T: WaylandObject>(_ type: T.Type) throws -> T {
        try globals.require(type, versions: 1...T.interface.version)
    }

    // MARK: Touches

    func touch(_ id: Int32 = 0, _ x: Double, _ y: Double, on surface: StageSurface? = nil) throws {
        stage.seat.touch.down(id, x: x, y: y, on: surface)
        stage.seat.touch.frame()
        try pump()
    }

    func move(_ id: Int32 = 0, _ x: Double, _ y: Double) throws {
        stage.seat.touch.motion(id, x: x, y: y)
        stage.seat.touch.frame()
        try pump()
    }

    func lift(_ id: Int32 = 0) throws {
        stage.seat.touch.up(id)
        stage.seat.touch.frame()
        try pump()
    }

    // MARK: What is seen

    /// The stage's surfaces that are ours.
    var own: [StageSurface] { stage.surfaces.filter { $0.resource.objectID <= AppRig.lastOwn } }
    var mappedOwn: [StageSurface] { own.filter { $0.picture != nil } }
    var apps: [StageSurface] { stage.surfaces.filter { $0.resource.objectID > AppRig.lastOwn } }

    /// Nothing of ours is on the screen, no frame is asked for, and nothing is to come.
    func expectNothingLeft(_ location: SourceLocation = #_sourceLocation) {
        #expect(mappedOwn.isEmpty, sourceLocation: location)
        #expect(own.allSatisfy { $0.waitingFrameCallbacks == 0 }, sourceLocation: location)
        #expect(proxy?.nextDeadline == nil, sourceLocation: location)
        #expect(stage.violations == [], sourceLocation: location)
    }

    /// How many requests of this name on this interface came, of the app's objects or of ours.
    func count(_ interface: String, _ name: String, ofApp: Bool) -> Int {
        stage.journal.count {
            $0.isRequest && $0.interface == interface && $0.name == name
                && ($0.objectID > AppRig.lastOwn || proxy == nil) == ofApp
        }
    }

    /// Where ours lie in the root, logical px, with their sizes.
    var cells: [(x: Int32, y: Int32, width: Int32, height: Int32)] {
        mappedOwn.compactMap { surface in
            guard case .subsurface(let role) = surface.role else { return nil }
            var (x, y) = role.position
            if let parent = role.parent, parent.resource.objectID <= AppRig.lastOwn,
                case .subsurface(let above) = parent.role
            {
                (x, y) = (x + above.position.x, y + above.position.y)
            }
            return (x, y, surface.size.width, surface.size.height)
        }
    }
}

/// A well-behaved app: windows of one colour.
final class TestApp {
    let rig: AppRig
    let compositor: WlCompositor
    let shm: WlShm
    let shell: XdgWmBase
    let seat: WlSeat
    let touch: WlTouch
    /// What it was told, without serials and times.
    private(set) var log: [String] = []
    /// How often it has committed its surfaces.
    var commits = 0
    /// Of the last touch that came down.
    private(set) var serial: UInt32 = 0

    init(_ rig: AppRig) throws {
        self.rig = rig
        for global in rig.globals.all { log.append("global \(global.interface) \(global.version)") }
        compositor = try rig.bind(WlCompositor.self)
        shm = try rig.bind(WlShm.self)
        shell = try rig.bind(XdgWmBase.self)
        seat = try rig.bind(WlSeat.self)
        touch = seat.getTouch()
        seat.onEvent = { [weak self] event in self?.note("seat \(event)") }
        touch.onEvent = { [weak self] event in
            if case .down(let serial, _, _, _, _, _) = event { self?.serial = serial }
            self?.note(TestApp.text(event))
        }
        shell.onEvent = { [shell] event in
            if case .ping(let serial) = event { shell.pong(serial: serial) }
        }
        try rig.pump()
    }

    func note(_ line: String) { log.append(line) }

    static func text(_ event: WlTouch.Event) -> String {
        switch event {
        case .down(_, _, _, let id, let x, let y): "down \(id) \(x) \(y)"
        case .up(_, _, let id): "up \(id)"
        case .motion(_, let id, let x, let y): "motion \(id) \(x) \(y)"
        default: "\(event)"
        }
    }

    func surface() -> WlSurface {
        let surface = compositor.createSurface()
        surface.onEvent = { [weak self] event in
            switch event {
            case .enter: self?.note("enter")
            case .leave: self?.note("leave")
            default: self?.note("\(event)")
            }
        }
        return surface
    }

    func commit(_ surface: WlSurface) {
        commits += 1
        surface.commit()
    }

    func buffer(_ width: Int32, _ height: Int32, _ color: UInt32) -> WlBuffer {
        let bytes = width * height * 4
        let file = fw_memfd("app")
        precondition(file >= 0 && ftruncate(file, Int(bytes)) == 0)
        let memory = mmap(nil, Int(bytes), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)!
        UnsafeMutableBufferPointer(
            start: memory.assumingMemoryBound(to: UInt32.self), count: Int(width * height)
        ).update(repeating: color)
        munmap(memory, Int(bytes))
        let pool = shm.createPool(fd: file, size: bytes)
        close(file)
        let buffer = pool.createBuffer(offset: 0, width: width, height: height, stride: width * 4, format: .argb8888)
        pool.destroy()
        buffer.onEvent = { [weak self] _ in self?.note("release") }
        return buffer
    }

    func show(_ surface: WlSurface, _ width: Int32, _ height: Int32, _ color: UInt32) {
        surface.attach(buffer: buffer(width, height, color), x: 0, y: 0)
        surface.damage(x: 0, y: 0, width: .max, height: .max)
        commit(surface)
    }
}

/// A window of a ``TestApp``.
final class TestAppWindow {
    static let color: UInt32 = 0xFF20_4060

    let app: TestApp
    let surface: WlSurface
    private(set) var xdgSurface: XdgSurface
    private(set) var toplevel: XdgToplevel
    private var isOpen = false

    /// Shown, with a buffer of this size; `prepare` is called before the first commit with content.
    init(_ app: TestApp, _ width: Int32 = 300, _ height: Int32 = 200, prepare: (TestAppWindow) -> Void = { _ in })
        throws
    {
        self.app = app
        surface = app.surface()
        xdgSurface = app.shell.getXdgSurface(surface: surface)
        toplevel = xdgSurface.getToplevel()
        try open(width, height, prepare)
    }

    private func open(_ width: Int32, _ height: Int32, _ prepare: (TestAppWindow) -> Void) throws {
        isOpen = true
        toplevel.onEvent = { [weak app] event in app?.note("toplevel \(event)") }
        xdgSurface.onEvent = { [weak app, unowned xdgSurface] event in
            guard case .configure(let serial) = event else { return }
            app?.note("configure")
            xdgSurface.ackConfigure(serial: serial)
        }
        app.commit(surface)
        try app.rig.pump()
        prepare(self)
        app.show(surface, width, height, TestAppWindow.color)
        try app.rig.pump()
    }

    /// Ends the role, and leaves the surface.
    func close() throws {
        guard isOpen else { return }
        isOpen = false
        toplevel.destroy()
        xdgSurface.destroy()
        try app.rig.pump()
    }

    /// The same role again on the same surface.
    func reopen(_ width: Int32 = 300, _ height: Int32 = 200) throws {
        surface.attach(buffer: nil, x: 0, y: 0)
        app.commit(surface)
        try app.rig.pump()
        xdgSurface = app.shell.getXdgSurface(surface: surface)
        toplevel = xdgSurface.getToplevel()
        try open(width, height) { _ in }
    }

    func destroy() throws {
        try close()
        surface.destroy()
        try app.rig.pump()
    }
}

extension Stage.Options {
    static func with(_ change: (inout Stage.Options) -> Void) -> Stage.Options {
        var options = Stage.Options()
        change(&options)
        return options
    }
}

extension Picture {
    /// The middle of what differs from `other`, and how wide and high it is; nil when nothing does.
    func difference(from other: Picture) -> (x: Double, y: Double, width: Int, height: Int)? {
        boundsOfDifferences(other).map { bounds in
            (
                Double(bounds.x) + Double(bounds.width) / 2, Double(bounds.y) + Double(bounds.height) / 2,
                Int(bounds.width), Int(bounds.height)
            )
        }
    }
}
