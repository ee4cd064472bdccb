import Gestures
import Pixman
import Ripples
import TouchStage
import WaylandClient
import WaylandProtocols

@testable import Presentation

/// A window on a stage whose content a presenter draws, as the program's window does.
final class PresenterRig {
    let stage: Stage
    let connection: Connection
    let globals: Globals
    let surface: WlSurface
    let presenter: SurfacePresenter
    let background: Color
    var now = Instant.milliseconds(1)
    private(set) var errors: [PresentationError] = []
    private(set) var frames: [UInt32] = []
    private let xdgSurface: XdgSurface
    private let toplevel: XdgToplevel
    private let fractionalScale: WpFractionalScaleV1?
    private var configured: (width: Int32, height: Int32) = (0, 0)

    init(
        _ options: Stage.Options = Stage.Options(), background: Color = Color(red: 32, green: 48, blue: 64),
        size: (width: Int32, height: Int32) = (120, 80)
    ) throws {
        stage = try Stage(options)
        connection = try stage.connect()
        globals = Globals(connection)
        try stage.pump(connection)
        self.background = background
        let compositor = try globals.require(WlCompositor.self, versions: 1...6)
        surface = compositor.createSurface()
        xdgSurface = try globals.require(XdgWmBase.self, versions: 1...6).getXdgSurface(surface: surface)
        toplevel = xdgSurface.getToplevel()
        presenter = SurfacePresenter(
            compositor: compositor, surface: surface, shm: try globals.require(WlShm.self, versions: 1...2),
            viewport: globals.bindIfOffered(WpViewporter.self, versions: 1...1)?.getViewport(surface: surface),
            background: background)
        fractionalScale = globals.bindIfOffered(WpFractionalScaleManagerV1.self, versions: 1...1)?
            .getFractionalScale(surface: surface)
        fractionalScale?.onEvent = { [unowned self] event in
            if case .preferredScale(let scale) = event { presenter.setScale(numerator120: Int32(scale)) }
        }
        presenter.onFrame = { [unowned self] time in frames.append(time) }
        toplevel.onEvent = { [unowned self] event in
            if case .configure(let width, let height, _) = event { configured = (width, height) }
        }
        xdgSurface.onEvent = { [unowned self] event in
            guard case .configure(let serial) = event else { return }
            xdgSurface.ackConfigure(serial: serial)
            presenter.resize(to: configured.width > 0 ? configured : size)
            presenter.setNeedsCommit()
        }
        surface.commit()
        try pump()
    }

    deinit {
        presenter.destroy()
        connection.disconnect()
    }

    /// Lets client and stage talk until nothing is left to say, drawing after each turn.
    func pump() throws {
        try stage.pump(connection) { [unowned self] in
            do throws(PresentationError) {
                try presenter.drawIfNeeded(now: now)
            } catch {
                errors.append(error)
            }
        }
    }

    func configure(_ width: Int32, _ height: Int32) throws {
        stage.window!.configure(width: width, height: height)
        try pump()
    }

    /// The surface as the stage has it.
    var shown: StageSurface { stage.window!.surface }

    /// What the stage shows, and what a full repaint of the presenter's content would be.
    var picture: Pixels? {
        shown.picture.map {
            Pixels(size: PixelSize(width: Int32($0.width), height: Int32($0.height)), words: $0.pixels)
        }
    }

    var expected: Pixels? {
        presenter.geometry.map {
            fullRepaint(
                presenter.shapes, size: $0.bufferSize, scale: $0.scale.factor,
                background: PremultipliedColor(background))
        }
    }
}

extension Stage.Options {
    static func with(_ change: (inout Stage.Options) -> Void) -> Stage.Options {
        var options = Stage.Options()
        change(&options)
        return options
    }
}
