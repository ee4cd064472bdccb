internal import Gestures
internal import Presentation
internal import Ripples
internal import WaylandClient
internal import WaylandProtocols

/// A layer surface that covers one output and takes no input: as long as this object lives, it is on its way to the screen or
/// there.
///
/// Handlers refer to it unowned: they end with ``destroy()``, which deinit calls.
final class LayerSurface {
    let surface: WlSurface
    let presenter: SurfacePresenter
    private let layer: ZwlrLayerSurfaceV1
    private let fractional: WpFractionalScaleV1?
    private var unacknowledged: UInt32?
    private var asked: (width: UInt32, height: UInt32) = (0, 0)
    private var isDestroyed = false

    /// The compositor has said its size: it may be drawn.
    private(set) var isConfigured = false
    /// The compositor has taken it away.
    private(set) var isClosed = false
    /// There is a configure to be applied.
    var hasNews: Bool { unacknowledged != nil }
    /// wp_fractional_scale_v1 has told another scale, in 120ths.
    var onScale: ((Int32) -> Void)?

    /// Makes the first commit, without a buffer as the layer shell demands.
    ///
    /// - Parameter scale120: what its output's last surface was told, so that the first picture is sharp at once.
    init(_ globals: OverlayGlobals, on output: WlOutput, scale120: Int32?, outputScale: Int32) {
        surface = globals.compositor.createSurface()
        // Before anything else, and for every surface anew: whatever it covers takes all input as if it were not there.
        let nothing = globals.compositor.createRegion()
        surface.setInputRegion(region: nothing)
        nothing.destroy()
        layer = globals.layerShell.getLayerSurface(
            surface: surface, output: output, layer: .overlay, namespace: "fingerwave")
        layer.setAnchor(anchor: [.top, .bottom, .left, .right])
        // Panels neither move it nor are moved by it.
        layer.setExclusiveZone(zone: -1)
        layer.setKeyboardInteractivity(keyboardInteractivity: .none)
        let viewport = globals.viewporter?.getViewport(surface: surface)
        // A fractional scale can only be honoured with a viewport.
        fractional = viewport == nil ? nil : globals.fractionalScale?.getFractionalScale(surface: surface)
        presenter = SurfacePresenter(
            compositor: globals.compositor, surface: surface, shm: globals.shm, viewport: viewport, background: .clear)
        presenter.setOutputScale(outputScale)
        if fractional != nil, let scale120 { presenter.setScale(numerator120: scale120) }
        // SAFETY: see the type's comment.
        layer.onEvent = { [unowned(unsafe) self] event in unsafe self.receive(event) }
        fractional?.onEvent = { [unowned(unsafe) self] event in
            guard case .preferredScale(let scale) = event else { return }
            unsafe self.presenter.setScale(numerator120: Int32(bitPattern: scale))
            unsafe self.onScale?(Int32(bitPattern: scale))
        }
        surface.commit()
    }

    deinit { destroy() }

    /// Takes it from the screen, its role before the surface.
    func destroy() {
        if isDestroyed { return }
        isDestroyed = true
        presenter.destroy()
        fractional?.destroy()
        layer.destroy()
        surface.destroy()
    }

    private func receive(_ event: ZwlrLayerSurfaceV1.Event) {
        switch event {
        case .configure(let serial, let width, let height):
            unacknowledged = serial
            asked = (width, height)
        case .closed: isClosed = true
        }
    }

    /// Acknowledges the newest configure, once a turn. `size` is the output's, for a compositor that leaves it to us.
    func applyConfigure(_ size: Size) {
        guard let serial = unacknowledged else { return }
        unacknowledged = nil
        isConfigured = true
        layer.ackConfigure(serial: serial)
        presenter.resize(
            to: (
                asked.width > 0 ? Int32(clamping: asked.width) : Int32(size.width.rounded()),
                asked.height > 0 ? Int32(clamping: asked.height) : Int32(size.height.rounded())
            ))
        presenter.setNeedsCommit()
    }
}
