internal import EventLoop
internal import Recording
internal import WaylandClient
internal import WaylandProtocols

/// What a compositor says of its seats and outputs, asked once.
///
/// Handlers refer to it unowned: they run within ``ask(_:)``, and end with the connection, which it ends.
final class CompositorSurvey {
    struct Seat: Equatable {
        var name: String
        var capabilities: WlSeat.Capability = []
    }

    struct Global: Equatable {
        var interface: String
        var version: UInt32
    }

    /// A compositor that has not answered by then will not: 5 s.
    private static let limit: Int64 = 5_000_000_000

    private(set) var seats: [Seat] = []
    private(set) var outputs: [OutputFacts] = []
    /// The version of zwlr_layer_shell_v1; nil where it is not offered.
    private(set) var layerShell: UInt32?

    private(set) var globalList: [Global] = []

    private let connection: Connection
    private let globals: Globals
    private let bound = Outputs()
    private var isBound = false
    private var isDescribed = false

    private init(_ connection: Connection) {
        self.connection = connection
        globals = Globals(connection)
    }

    /// - Parameter display: the compositor's socket; nil: as the environment says.
    static func ask(_ display: String?) throws(ConnectionError) -> CompositorSurvey {
        let survey = CompositorSurvey(try Connection.connect(to: display))
        defer { survey.connection.disconnect() }
        try survey.listen()
        survey.outputs = survey.bound.all
        survey.bound.end()
        return survey
    }

    private func listen() throws(ConnectionError) {
        let loop = EventLoop()
        let end = EventLoop.now + CompositorSurvey.limit
        loop.schedule(at: end) {}
        // What is there to be read is read in the loop below, where an error can be thrown.
        let watch = loop.watch(connection.fileDescriptor, .readable) { _ in }
        while !isDescribed {
            let result = try connection.flush()
            loop.setInterest(result == .done ? .readable : [.readable, .writable], of: watch)
            loop.turn(wait: true)
            guard EventLoop.now < end else { throw .stalled }
            try connection.readAndDispatch()
            if globals.isComplete, !isBound { bind() }
        }
    }

    private func bind() {
        isBound = true
        bound.wantsLayout = true
        bound.manager = globals.bindIfOffered(ZxdgOutputManagerV1.self, versions: 1...3)
        globalList = globals.all.map { Global(interface: $0.interface, version: $0.version) }
        for global in globals.all {
            switch global.interface {
            case WlOutput.interface.name: bound.add(global, globals)
            case WlSeat.interface.name: addSeat(global)
            case ZwlrLayerShellV1.interface.name: layerShell = global.version
            default: break
            }
        }
        // SAFETY: see the type's comment.
        connection.display.sync().onEvent = { [unowned(unsafe) self] _ in unsafe self.isDescribed = true }
    }

    private func addSeat(_ global: Globals.Global) {
        guard let seat = globals.bind(global, WlSeat.self, versions: 1...10) else { return }
        let index = seats.count
        // Version 1 has no name.
        seats.append(Seat(name: "seat\(index)"))
        // SAFETY: see the type's comment.
        seat.onEvent = { [unowned(unsafe) self] event in
            switch event {
            case .name(let name): unsafe self.seats[index].name = name
            case .capabilities(let capabilities): unsafe self.seats[index].capabilities = capabilities
            }
        }
    }
}

extension CompositorSurvey.Seat {
    var json: JSONLine {
        var line = JSONLine(type: "seat")
        line.add("name", name)
        line.add("touch", capabilities.contains(.touch))
        line.add("pointer", capabilities.contains(.pointer))
        line.add("keyboard", capabilities.contains(.keyboard))
        return line
    }
}
