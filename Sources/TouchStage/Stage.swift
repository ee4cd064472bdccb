public import WaylandClient
internal import WaylandProtocols
public import WaylandServer
internal import WaylandServerProtocols

/// A headless compositor in the process of the test: a stage to try Wayland clients on.
///
/// The stage does nothing by itself. A test connects a client over a socket pair, moves the time by hand, scripts touches,
/// and looks at pixels and at ``violations``; no thread, no sleep, no display server:
///
///     let stage = try Stage()
///     let connection = try stage.connect()
///     ... make a window on `connection` ...
///     try stage.pump(connection)
///     stage.seat.touch.down(0, x: 100, y: 80)
///     stage.seat.touch.frame()
///     try stage.pump(connection)
///     #expect(stage.violations.isEmpty)
///     #expect(stage.screenshot()[100, 80] != 0xFF00_0000)
///
/// Coordinates are logical px of the layout, whose origin is the first output's upper left, unless a name says otherwise.
/// Windows stand with their geometry's corner at ``StageWindow/position``, (0, 0) by default. Used from one thread.
public final class Stage {
    public let options: Options
    let server: Server

    // MARK: What is on the stage

    /// All surfaces that are alive, in the order they were made.
    public internal(set) var surfaces: [StageSurface] = []
    /// Windows, lowest first.
    public internal(set) var windows: [StageWindow] = []
    /// Layer surfaces, in the order they were made.
    public internal(set) var layers: [StageLayerSurface] = []
    public internal(set) var outputs: [StageOutput] = []
    public internal(set) var seats: [StageSeat] = []
    // Clients keep their objects of what was withdrawn, and those call on it until the client destroys them.
    private var withdrawnSeats: [StageSeat] = []
    private var withdrawnOutputs: [StageOutput] = []
    /// Buffers that are alive or held.
    public internal(set) var buffers: [StageBuffer] = []

    // MARK: What was seen

    /// The rules that clients broke, in the order of the crimes. Also see ``checkHeldBuffers()``.
    public internal(set) var violations: [Violation] = []
    /// Called for each violation as it is found.
    public var onViolation: ((Violation) -> Void)?
    /// The fatal errors that clients were sent, by the stage or by libwayland.
    public internal(set) var postedErrors: [ProtocolError] = []
    /// What clients left behind when they ended: how many objects of which interface.
    public internal(set) var endedClients: [EndedClient] = []
    /// Every request and event, as `wl_surface#5.commit` and `wl_touch#9.down`, while ``keepsJournal`` is set.
    public internal(set) var journal: [JournalEntry] = []
    public var keepsJournal = false
    /// Called when a client ends, before its objects do: its last picture is still on show.
    public var onClientEnd: (() -> Void)?
    /// Called for every surface whose state was applied by a commit.
    public var onCommit: ((StageSurface) -> Void)?

    public struct EndedClient: Equatable, Sendable {
        public var processID: Int32
        public var leftBehind: [String: Int]
    }

    public struct JournalEntry: Equatable, Sendable, CustomStringConvertible {
        public var isRequest: Bool
        public var interface: String
        public var objectID: UInt32
        public var name: String

        public var description: String { "\(interface)#\(objectID).\(name)" }
    }

    // MARK: Time

    /// The hand-advanced clock, in ns. It starts at one second, so that stamp 0 is what a test sets itself.
    public internal(set) var now: Int64 = 1_000_000_000
    var lastFrame: Int64 = 1_000_000_000
    var frameCount: UInt64 = 0

    // MARK: Lookup tables, by server object

    var surfaceOf: [ObjectIdentifier: StageSurface] = [:]
    var bufferOf: [ObjectIdentifier: StageBuffer] = [:]
    var regionOf: [ObjectIdentifier: StageRegion] = [:]
    var outputOf: [ObjectIdentifier: StageOutput] = [:]
    var windowOf: [ObjectIdentifier: StageWindow] = [:]
    var offered: [StageGlobal: ServerGlobal] = [:]
    var windowManagers: [XdgWmBaseResource] = []
    var popups: [(popup: XdgPopupResource, surface: StageSurface)] = []
    var outputManagers: [(object: ZxdgOutputV1Resource, output: StageOutput)] = []
    /// Pings sent and not answered yet.
    public internal(set) var unansweredPings: Set<UInt32> = []
    /// How many objects forbid the screen to go dark.
    public internal(set) var idleInhibitorCount = 0

    /// Throws when the system has no memory or descriptors left.
    public init(_ options: Options = Options()) throws(Server.Failure) {
        self.options = options
        server = try Server()
        server.onClient = { [unowned self] client in watch(client) }
        server.onError = { [unowned self] error in note(error) }
        server.onMessage = { [unowned self] message in
            guard keepsJournal else { return }
            journal.append(
                JournalEntry(
                    isRequest: message.isRequest, interface: message.interface, objectID: message.objectID,
                    name: message.name))
        }
        for global in StageGlobal.allCases {
            if let version = options.globals[global] { offer(global, version: version) }
        }
        for state in options.outputs { addOutput(state) }
        for seat in options.seats { addSeat(seat) }
    }

    deinit {
        server.shutDown()
        for surface in surfaces { surface.letGo() }
    }

    /// Ends all clients and the stage; also happens when the last reference goes. Handlers are no longer called.
    public func shutDown() { server.shutDown() }

    // MARK: Clients

    /// The clients that are connected, in the order they came.
    public var clients: [ServerClient] { server.clients }

    /// A new client in this process: the descriptor is the client's end, for `Connection.connect(fileDescriptor:)` or
    /// WAYLAND_SOCKET, and the caller's to close. -1 when the system has no more descriptors.
    public func connectClient() -> Int32 { server.connectClient()?.fileDescriptor ?? -1 }

    /// A new client in this process, connected.
    public func connect() throws(ConnectionError) -> Connection {
        try Connection.connect(fileDescriptor: connectClient())
    }

    /// Listens on a socket in XDG_RUNTIME_DIR: `name`, or else the first free `wayland-N`. Returns the name.
    public func listen(name: String? = nil) throws(Server.Failure) -> String {
        guard let name else { return try server.listen() }
        try server.listen(name: name)
        return name
    }

    /// Readable when ``turn()`` has something to do.
    public var fileDescriptor: Int32 { server.fileDescriptor }

    /// The objects that are alive, of all clients; `interface` narrows it down (`wl_surface`).
    public func liveResources(_ interface: String? = nil) -> [Resource] {
        server.clients.flatMap(\.resources).filter { interface == nil || $0.interface.name == interface }
    }

    /// How many objects of which interface are alive.
    public var liveResourceCounts: [String: Int] { count(liveResources()) }

    func count(_ resources: [Resource]) -> [String: Int] {
        resources.reduce(into: [:]) { $0[$1.interface.name, default: 0] += 1 }
    }

    private func watch(_ client: ServerClient) {
        client.onEnd = { [unowned self, unowned client] in
            checkHeldBuffers()
            onClientEnd?()
            endedClients.append(
                EndedClient(processID: client.processID, leftBehind: count(client.resources)))
        }
    }

    private func note(_ error: PostedError) {
        postedErrors.append(
            ProtocolError(
                interface: error.interface, objectID: error.objectID, code: error.code, text: error.text))
        // What the stage posts itself it has noted under its own kind.
        guard error.interface == "wl_display" else { return }
        note(Violation(kind: .brokenRequest, interface: "wl_display", objectID: error.objectID, text: error.text))
    }

    func note(_ violation: Violation) {
        violations.append(violation)
        onViolation?(violation)
    }

    /// Notes a fault that the protocol makes fatal, and ends the client by it.
    func refuse(_ resource: Resource, code: UInt32, _ text: String) {
        refuse(resource, code: code, .protocolRule, text)
    }

    func refuse(_ resource: Resource, code: UInt32, _ kind: Violation.Kind, _ text: String) {
        note(Violation(kind: kind, interface: resource.interface.name, objectID: resource.objectID, text: text))
        if options.endsOffenders { resource.postError(code: code, text) }
    }

    // MARK: Turns

    /// Handles the requests that have come and sends the events that wait, without waiting for anything.
    public func turn() {
        server.dispatch()
        server.flush()
    }

    /// Sends the events that wait, and handles nothing.
    public func flush() { server.flush() }

    /// Lets stage and client talk until both are quiet. `afterTurn` runs after each turn of the client, as its event
    /// loop's hook would.
    ///
    /// Throws the connection's error once the client has one. A client that answers without end is cut short after 2000
    /// rounds, with a violation.
    public func pump(
        _ connection: Connection, afterTurn: () -> Void = {}
    ) throws(ConnectionError) {
        for _ in 0..<2000 {
            let before = server.messageCount
            _ = try connection.flush()
            turn()
            let delivered = try connection.readAndDispatch()
            afterTurn()
            let flushed = try connection.flush()
            turn()
            if delivered == 0, flushed == .done, server.messageCount == before { return }
        }
        note(
            Violation(
                kind: .neverQuiet, interface: "wl_display", objectID: 1,
                text: "the client still answers after 2000 rounds"))
    }

    /// Asks every client that knows xdg_wm_base whether it is alive; the answers leave ``unansweredPings`` empty.
    public func ping() {
        for manager in windowManagers where manager.isAlive {
            let serial = server.nextSerial()
            if manager.sendPing(serial: serial) { unansweredPings.insert(serial) }
        }
    }

    func nextSerial() -> UInt32 { server.nextSerial() }

    // MARK: Seats and outputs

    /// The first seat.
    public var seat: StageSeat { seats[0] }

    /// The first output.
    public var output: StageOutput { outputs[0] }

    /// The first window; nil while no client has made one.
    public var window: StageWindow? { windows.first }

    @discardableResult
    public func addSeat(_ options: SeatOptions) -> StageSeat {
        let seat = StageSeat(stage: self, options)
        seats.append(seat)
        return seat
    }

    /// Withdraws the seat, as when its last device is unplugged.
    public func removeSeat(_ seat: StageSeat) {
        seats.removeAll { $0 === seat }
        withdrawnSeats.append(seat)
        seat.global?.remove()
    }

    @discardableResult
    public func addOutput(_ state: StageOutput.State) -> StageOutput {
        let output = StageOutput(stage: self, version: options.outputVersion, state)
        outputs.append(output)
        return output
    }

    /// Withdraws the output, as when a monitor is unplugged: surfaces leave it, then the global goes.
    public func removeOutput(_ output: StageOutput) {
        outputs.removeAll { $0 === output }
        withdrawnOutputs.append(output)
        for surface in surfaces { surface.leave(output) }
        output.global?.remove()
    }
}
