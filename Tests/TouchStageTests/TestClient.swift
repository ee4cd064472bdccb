import CLibc
import CLinuxShims
import TouchStage
import WaylandClient
import WaylandProtocols

/// A small client on a stage, by the raw bindings: it behaves as its test tells it to, well or badly.
final class TestClient {
    let stage: Stage
    let connection: Connection
    let globals: Globals
    let compositor: WlCompositor
    let shm: WlShm
    let windowManager: XdgWmBase?

    init(_ stage: Stage) throws {
        self.stage = stage
        connection = try stage.connect()
        globals = Globals(connection)
        try stage.pump(connection)
        compositor = try globals.require(WlCompositor.self, versions: 1...6)
        shm = try globals.require(WlShm.self, versions: 1...2)
        windowManager = globals.bindIfOffered(XdgWmBase.self, versions: 1...6)
        windowManager?.onEvent = { [windowManager] event in
            if case .ping(let serial) = event { windowManager?.pong(serial: serial) }
        }
    }

    deinit { connection.disconnect() }

    func pump() throws { try stage.pump(connection) }

    func bind<T: WaylandObject>(_ type: T.Type) throws -> T {
        try globals.require(type, versions: 1...T.interface.version)
    }

    func buffer(_ width: Int32, _ height: Int32, _ color: UInt32 = 0xFFFF_FFFF) -> TestBuffer {
        TestBuffer(shm, width, height, color)
    }
}

/// A buffer in a memory file of its own.
final class TestBuffer {
    let object: WlBuffer
    let width: Int
    let height: Int
    let pixels: UnsafeMutableBufferPointer<UInt32>
    private(set) var releases = 0
    private let descriptor: Int32

    init(_ shm: WlShm, _ width: Int32, _ height: Int32, _ color: UInt32, format: WlShm.Format = .argb8888) {
        self.width = Int(width)
        self.height = Int(height)
        let bytes = Int(width * height * 4)
        descriptor = fw_memfd("test-buffer")
        precondition(descriptor >= 0 && ftruncate(descriptor, bytes) == 0)
        let memory = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)!
        pixels = UnsafeMutableBufferPointer(
            start: memory.assumingMemoryBound(to: UInt32.self), count: Int(width * height))
        pixels.update(repeating: color)
        let pool = shm.createPool(fd: descriptor, size: Int32(bytes))
        object = pool.createBuffer(offset: 0, width: width, height: height, stride: width * 4, format: format)
        pool.destroy()
        object.onEvent = { [weak self] _ in self?.releases += 1 }
    }

    deinit {
        munmap(pixels.baseAddress, pixels.count * 4)
        close(descriptor)
    }

    subscript(x: Int, y: Int) -> UInt32 {
        get { pixels[y * width + x] }
        set { pixels[y * width + x] = newValue }
    }
}

/// A window that acknowledges what it is told, and draws when its test does.
final class TestWindow {
    let surface: WlSurface
    let xdgSurface: XdgSurface
    let toplevel: XdgToplevel
    var configures: [(width: Int32, height: Int32, states: [UInt32])] = []
    var serials: [UInt32] = []
    var acknowledges = true
    var isClosed = false

    init(_ client: TestClient) throws {
        surface = client.compositor.createSurface()
        xdgSurface = client.windowManager!.getXdgSurface(surface: surface)
        toplevel = xdgSurface.getToplevel()
        toplevel.onEvent = { [unowned self] event in
            switch event {
            case .configure(let width, let height, let states): configures.append((width, height, states.words))
            case .close: isClosed = true
            default: break
            }
        }
        xdgSurface.onEvent = { [unowned self] event in
            guard case .configure(let serial) = event else { return }
            serials.append(serial)
            if acknowledges { xdgSurface.ackConfigure(serial: serial) }
        }
    }

    deinit {
        toplevel.destroy()
        xdgSurface.destroy()
        surface.destroy()
    }

    /// A window that was configured and shows `buffer`.
    convenience init(_ client: TestClient, showing buffer: TestBuffer) throws {
        try self.init(client)
        surface.commit()
        try client.pump()
        show(buffer)
        try client.pump()
    }

    func show(_ buffer: TestBuffer) {
        surface.attach(buffer: buffer.object, x: 0, y: 0)
        surface.damageBuffer(x: 0, y: 0, width: Int32(buffer.width), height: Int32(buffer.height))
        surface.commit()
    }
}
