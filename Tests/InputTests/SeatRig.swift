import CLibc
import Gestures
import Testing
import WaylandClient
import WaylandProtocols
import WaylandServer
import WaylandServerProtocols

@testable import Input

/// A seat as the compositor sees it: what one client has asked of it.
final class ServerSeat {
    let resource: WlSeatResource
    private(set) var touches: [WlTouchResource] = []
    private(set) var pointers: [WlPointerResource] = []
    private(set) var keyboards: [WlKeyboardResource] = []
    /// What set_cursor got, newest last: the serial and whether there was a surface.
    private(set) var cursors: [(serial: UInt32, surface: WlSurfaceResource?, hotspot: [Int32])] = []
    private(set) var releases = 0

    init(_ resource: WlSeatResource) {
        self.resource = resource
        resource.onRequest = { [unowned self] request in
            switch request {
            case .getTouch(let touch): touches.append(touch)
            case .getPointer(let pointer):
                pointers.append(pointer)
                pointer.onRequest = { [unowned self] request in
                    if case .setCursor(let serial, let surface, let x, let y) = request {
                        cursors.append((serial, surface, [x, y]))
                    }
                }
            case .getKeyboard(let keyboard): keyboards.append(keyboard)
            case .release: releases += 1
            }
        }
    }

    var touch: WlTouchResource { touches.last! }
    var pointer: WlPointerResource { pointers.last! }
    var keyboard: WlKeyboardResource { keyboards.last! }
}

/// A surface on both sides, with the number that its contacts carry.
struct Window {
    let surface: WlSurface
    let resource: WlSurfaceResource
    let target: Int
}

/// A compositor with seats and surfaces and little else, and FingerWave's input as its client, on one thread. Time is
/// ``now`` and stands still between steps.
final class SeatRig {
    let server: Server
    let client: ServerClient
    let connection: Connection
    let globals: Globals
    let targets = SurfaceTargets()
    var now = Instant.milliseconds(1000)

    // The compositor's side.
    private(set) var seatGlobals: [ServerGlobal] = []
    private(set) var serverSeats: [ServerSeat] = []
    private(set) var serverSurfaces: [WlSurfaceResource] = []
    private(set) var attached: [WlBufferResource?] = []
    private(set) var shapeDevices: [WpCursorShapeDeviceV1Resource] = []
    private(set) var shapesSet: [(serial: UInt32, shape: WpCursorShapeDeviceV1.Shape)] = []

    // The client's.
    private(set) var frames: [ContactFrame] = []
    private(set) var raw: [RawTouchEvent] = []
    private(set) var keys: [KeyPress] = []
    private(set) var problems: [InputProblem] = []

    init(seatVersions: [UInt32] = [10], hasShapes: Bool = false, hasShm: Bool = false) throws {
        server = try Server()
        let (client, descriptor) = try #require(server.connectClient())
        self.client = client
        connection = try Connection.connect(fileDescriptor: descriptor)
        globals = Globals(connection)
        server.addGlobal(WlCompositorResource.self, version: 6) { [unowned self] in serve($0) }
        for version in seatVersions {
            let global = server.addGlobal(WlSeatResource.self, version: version) { [unowned self] in
                serverSeats.append(ServerSeat($0))
            }
            seatGlobals.append(try #require(global))
        }
        if hasShapes {
            server.addGlobal(WpCursorShapeManagerV1Resource.self, version: 1) { [unowned self] in serve($0) }
        }
        if hasShm { server.addGlobal(WlShmResource.self, version: 1) { _ in } }
        try pump()
    }

    deinit {
        connection.disconnect()
        server.shutDown()
    }

    private func serve(_ compositor: WlCompositorResource) {
        compositor.onRequest = { [unowned self] request in
            guard case .createSurface(let surface) = request else { return }
            serverSurfaces.append(surface)
            surface.onRequest = { [unowned self] request in
                if case .attach(let buffer, _, _) = request { attached.append(buffer) }
            }
        }
    }

    private func serve(_ manager: WpCursorShapeManagerV1Resource) {
        manager.onRequest = { [unowned self] request in
            let device: WpCursorShapeDeviceV1Resource
            switch request {
            case .getPointer(let made, _), .getTabletToolV2(let made, _): device = made
            case .destroy: return
            }
            shapeDevices.append(device)
            device.onRequest = { [unowned self] request in
                if case .setShape(let serial, let shape) = request { shapesSet.append((serial, shape)) }
            }
        }
    }

    /// Lets everything that is under way arrive, both ways. The turn of the client's loop does not end by it.
    func pump() throws {
        for _ in 0..<4 {
            _ = try connection.flush()
            server.dispatch()
            server.flush()
            try connection.readAndDispatch()
        }
    }

    func advance(_ milliseconds: Int64) { now = now + .milliseconds(milliseconds) }

    /// The input of the seat whose global came at this place, and its other side.
    func seat(
        _ index: Int = 0, tablets: ZwpTabletManagerV2? = nil, cursors: Cursors? = nil
    ) throws -> (SeatInput, ServerSeat) {
        let offered = globals.all.filter { $0.interface == "wl_seat" }
        let object = try #require(globals.bind(offered[index], WlSeat.self, versions: SeatInput.versions))
        let input = SeatInput(
            seat: object, fallbackName: "seat\(index)", touch: SourceID(rawValue: 3 * index + 1),
            pointer: SourceID(rawValue: 3 * index + 2), pen: SourceID(rawValue: 3 * index + 3), surfaces: targets,
            tablets: tablets, cursors: cursors
        ) { [unowned self] in now }
        input.onFrame = { [unowned self] in frames.append($0) }
        input.onRaw = { [unowned self] in raw.append($0) }
        input.onKey = { [unowned self] in keys.append($0) }
        input.onProblem = { [unowned self] in problems.append($0) }
        try pump()
        return (input, try #require(serverSeats.last))
    }

    func window() throws -> Window {
        let compositor = try globals.require(WlCompositor.self, versions: 1...6)
        let surface = compositor.createSurface()
        try pump()
        return Window(
            surface: surface, resource: try #require(serverSurfaces.last), target: targets.register(surface))
    }

    var changes: [ContactFrame.Change] { frames.flatMap(\.changes) }
    var phases: [ContactFrame.Phase] { changes.map(\.phase) }
}

extension WlSeatResource {
    func offer(_ capabilities: WlSeat.Capability) { sendCapabilities(capabilities: capabilities) }
}
