internal import Presentation
internal import Ripples
internal import WaylandClient
internal import WaylandProtocols

/// The globals that a window is made from, bound once.
struct WindowGlobals {
    let compositor: WlCompositor
    let shm: WlShm
    let wmBase: XdgWmBase
    let viewporter: WpViewporter?
    let fractionalScale: WpFractionalScaleManagerV1?
    let decoration: ZxdgDecorationManagerV1?
    let tablets: ZwpTabletManagerV2?

    init(_ globals: Globals) throws(ConnectionError) {
        compositor = try globals.require(WlCompositor.self, versions: 1...6)
        shm = try globals.require(WlShm.self, versions: 1...1)
        wmBase = try globals.require(XdgWmBase.self, versions: 1...6)
        viewporter = globals.bindIfOffered(WpViewporter.self, versions: 1...1)
        fractionalScale = globals.bindIfOffered(WpFractionalScaleManagerV1.self, versions: 1...1)
        decoration = globals.bindIfOffered(ZxdgDecorationManagerV1.self, versions: 1...1)
        tablets = globals.bindIfOffered(ZwpTabletManagerV2.self, versions: 1...2)
    }

    /// What this compositor's versions cost, for `--verbose`.
    var shortcomings: [String] {
        var list: [String] = []
        if compositor.version < 4 { list.append("wl_compositor \(compositor.version): damage in whole logical px") }
        if compositor.version < 6 && fractionalScale == nil {
            list.append("wl_compositor \(compositor.version): scale is guessed from the entered outputs")
        }
        if fractionalScale == nil || viewporter == nil {
            list.append(
                "no wp_fractional_scale_v1 with wp_viewporter: fractional scales are resampled by the compositor")
        }
        if tablets == nil {
            list.append("no zwp_tablet_manager_v2: pens are seen only as far as they move the pointer")
        }
        if decoration == nil { list.append("no zxdg_decoration_manager_v1: the window may have no frame") }
        return list
    }
}

/// An xdg_toplevel: its size and state. What is drawn in it is the presenter's.
final class Window {
    /// What a configure sequence asks for, gathered until its xdg_surface.configure.
    private struct State: Equatable {
        var width: Int32 = 0
        var height: Int32 = 0
        var isFullscreen = false
        /// Maximised or tiled: the size is the compositor's to choose.
        var isSizeFixed = false
    }

    /// The least that shows a whole wave's beginning and leaves room to grab the window.
    static let minimumSize: (width: Int32, height: Int32) = (120, 120)
    static let defaultSize: (width: Int32, height: Int32) = (640, 480)

    let surface: WlSurface
    let presenter: SurfacePresenter
    private let xdgSurface: XdgSurface
    private let toplevel: XdgToplevel
    private let decoration: ZxdgToplevelDecorationV1?
    private let fractional: WpFractionalScaleV1?
    private let outputs: Outputs

    private var pending = State()
    private var current = State()
    private var bounds: (width: Int32, height: Int32)?
    /// What the window returns to from full screen.
    private var floatingSize: (width: Int32, height: Int32)
    /// The newest configure that was not acknowledged.
    private var unacknowledged: UInt32?
    private var entered: [WlOutput] = []

    private(set) var logicalSize: (width: Int32, height: Int32) = (0, 0)
    /// The person or the compositor closed it.
    var onClose: (() -> Void)?
    /// It came onto an output or left one, and ``pixelsPerMillimetre`` may have changed.
    var onOutputChange: (() -> Void)?

    init(_ globals: WindowGlobals, outputs: Outputs, size: (width: Int32, height: Int32)?, background: Color) {
        self.outputs = outputs
        floatingSize = size ?? Window.defaultSize
        surface = globals.compositor.createSurface()
        xdgSurface = globals.wmBase.getXdgSurface(surface: surface)
        toplevel = xdgSurface.getToplevel()
        decoration = globals.decoration?.getToplevelDecoration(toplevel: toplevel)
        let viewport = globals.viewporter?.getViewport(surface: surface)
        // A fractional scale can only be honoured with a viewport.
        fractional = viewport == nil ? nil : globals.fractionalScale?.getFractionalScale(surface: surface)
        presenter = SurfacePresenter(
            compositor: globals.compositor, surface: surface, shm: globals.shm, viewport: viewport,
            background: background)
        listen(globals.wmBase)
    }

    /// Names the window, asks for its state and makes the first commit, without a buffer as xdg_shell demands.
    func open(title: String, appID: String, fullscreen: Bool, on output: WlOutput?) {
        toplevel.setTitle(title: title)
        toplevel.setAppId(appId: appID)
        toplevel.setMinSize(width: Window.minimumSize.width, height: Window.minimumSize.height)
        decoration?.setMode(mode: .serverSide)
        if fullscreen { toplevel.setFullscreen(output: output) }
        surface.commit()
    }

    func setTitle(_ title: String) { toplevel.setTitle(title: title) }

    func toggleFullscreen() {
        if current.isFullscreen { toplevel.unsetFullscreen() } else { toplevel.setFullscreen(output: nil) }
    }

    /// Acknowledges the newest configure, once a turn, and takes its size on. Before it nothing may be drawn.
    func applyConfigure() {
        guard let serial = unacknowledged else { return }
        unacknowledged = nil
        xdgSurface.ackConfigure(serial: serial)
        current = pending
        logicalSize = chooseSize()
        if !current.isFullscreen && !current.isSizeFixed { floatingSize = logicalSize }
        presenter.resize(to: logicalSize)
        presenter.setNeedsCommit()
    }

    private func chooseSize() -> (width: Int32, height: Int32) {
        var (width, height) = floatingSize
        if let bounds, current.width == 0 {
            if bounds.width > 0 { width = min(width, bounds.width) }
            if bounds.height > 0 { height = min(height, bounds.height) }
        }
        // 0 means "choose yourself", for each side alone.
        if current.width > 0 { width = current.width }
        if current.height > 0 { height = current.height }
        return (width, height)
    }

    /// The outputs' scales may have changed.
    func updateScale() {
        presenter.setOutputScale(entered.compactMap { outputs.facts(of: $0)?.scale }.max() ?? 1)
    }

    /// Logical px on one mm of the output that the window is on; nil as long as none tells its size.
    var pixelsPerMillimetre: Double? {
        guard let geometry = presenter.geometry else { return nil }
        for output in entered {
            guard let facts = outputs.facts(of: output), facts.width > 0, facts.physicalWidth > 0 else { continue }
            return Double(facts.width) / Double(facts.physicalWidth) / geometry.scale.factor
        }
        return nil
    }

    /// Destroys the window, its role before its surface as xdg_shell demands.
    func close() {
        presenter.destroy()
        fractional?.destroy()
        decoration?.destroy()
        toplevel.destroy()
        xdgSurface.destroy()
        surface.destroy()
        entered.removeAll()
    }

    // MARK: Events

    // SAFETY: each handler goes with its object in `close()`; the owner closes the window or ends the connection before
    // it lets go of it.
    private func listen(_ wmBase: XdgWmBase) {
        wmBase.onEvent = { [unowned(unsafe) wmBase] event in
            if case .ping(let serial) = event { unsafe wmBase.pong(serial: serial) }
        }
        xdgSurface.onEvent = { [unowned(unsafe) self] event in
            if case .configure(let serial) = event { unsafe self.unacknowledged = serial }
        }
        toplevel.onEvent = { [unowned(unsafe) self] event in unsafe self.receive(event) }
        presenter.onSurfaceEvent = { [unowned(unsafe) self] event in unsafe self.receive(event) }
        fractional?.onEvent = { [unowned(unsafe) self] event in
            guard case .preferredScale(let scale) = event else { return }
            unsafe self.presenter.setScale(numerator120: Int32(bitPattern: scale))
        }
    }

    private func receive(_ event: XdgToplevel.Event) {
        switch event {
        case .configure(let width, let height, let states):
            let states = states.words.map { XdgToplevel.State(rawValue: $0) }
            pending = State(
                width: max(0, width), height: max(0, height), isFullscreen: states.contains(.fullscreen),
                isSizeFixed: states.contains(.maximized) || states.contains(.tiledLeft) || states.contains(.tiledRight))
        case .configureBounds(let width, let height): bounds = (width, height)
        case .close: onClose?()
        case .wmCapabilities: break
        }
    }

    private func receive(_ event: WlSurface.Event) {
        switch event {
        case .enter(let output):
            guard let output else { return }
            entered.append(output)
            onOutputChange?()
            updateScale()
        case .leave(let output):
            entered.removeAll { $0 === output || !$0.isAlive }
            onOutputChange?()
            updateScale()
        case .preferredBufferScale, .preferredBufferTransform: break
        }
    }
}
