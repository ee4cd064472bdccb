package import Gestures
internal import Pixman
package import Ripples
internal import WaylandClient
package import WaylandProtocols

/// Shows shapes on one wl_surface.
///
/// The order of calls: the owner gives the surface its role, commits it once without a buffer, and waits for its role's
/// configure event. At each configure it acknowledges, then calls ``resize(to:)`` and ``setNeedsCommit()``. After every
/// turn of its loop it sets ``shapes`` and ``wantsFrames`` and calls ``drawIfNeeded(now:)``, the one place that attaches and
/// commits. ``onFrame`` says when the next frame makes sense. Before the surface is destroyed comes ``destroy()``.
///
/// Between changes nothing happens: a frame callback is asked for only with a frame that shows a shape or while
/// ``wantsFrames``. While a callback is outstanding, and while the compositor holds all buffers, changes wait and add up.
@safe
package final class SurfacePresenter {
    /// More rectangles than this are not worth their requests; their bounds are sent instead.
    private static let damageRectLimit = 32

    /// What to show, from the lowest to the topmost, in surface-local logical px.
    package var shapes: [Shape] {
        get { composer.shapes }
        set { composer.shapes = newValue }
    }

    /// Set while something changes with time alone: each frame then asks for the next, even if it changes no pixel.
    package var wantsFrames = false

    /// The compositor has shown a frame, or found time to: draw the next. The argument is its own clock, in ms.
    package var onFrame: ((UInt32) -> Void)?

    /// All events of the surface, after this object has seen them: the owner needs enter and leave for
    /// ``setOutputScale(_:)``.
    package var onSurfaceEvent: ((WlSurface.Event) -> Void)?

    /// Called right before the commit of a picture, for requests that must go with it, such as wp_presentation.feedback.
    package var willCommit: (() -> Void)?

    /// What is to be shown is not what was committed last: a frame callback or a buffer is waited for.
    package var isBehind: Bool { composer.isDirty }

    /// Whether ``drawIfNeeded(now:)`` may commit: while a frame callback is awaited, it does so only for what cannot wait.
    package var mayCommit: Bool { frameCallback == nil || needsCommit || geometry != committedGeometry }

    /// Why labels are not drawn; nil when they are, and before the first one.
    package var textFailure: String? { composer.textFailure }

    /// Since when there is something to draw but the compositor holds all buffers; nil when that is not so.
    package private(set) var waitingForReleaseSince: Instant?

    /// How the surface and its buffers relate now; nil before the first ``resize(to:)``.
    package private(set) var geometry: SurfaceGeometry?

    private let compositor: WlCompositor
    private let surface: WlSurface
    private let shm: WlShm
    private let viewport: WpViewport?
    private let composer: FrameComposer<ShmBuffer>
    private var scaleSources = ScaleSources()
    private var logicalSize: LogicalSize?
    private var committedGeometry: SurfaceGeometry?
    private var committedOpaqueSize: LogicalSize?
    private var frameCallback: WlCallback?
    private var needsCommit = false

    /// The surface's events come here from now on. `viewport` is the surface's own, and belongs to this object; without it
    /// fractional scales are not used.
    package init(
        compositor: WlCompositor, surface: WlSurface, shm: WlShm, viewport: WpViewport?, background: Color
    ) {
        self.compositor = compositor
        self.surface = surface
        self.shm = shm
        self.viewport = viewport
        composer = FrameComposer(background: PremultipliedColor(background))
        // SAFETY: destroy(), which deinit calls, takes this handler away: it never outlives self.
        surface.onEvent = { [unowned(unsafe) self] event in unsafe self.receive(event) }
    }

    deinit { destroy() }

    /// Ends drawing. The surface is the owner's and lives on, showing what it shows. Buffers that the compositor holds are
    /// freed when it releases them, at the latest with the connection.
    package func destroy() {
        surface.onEvent = nil
        willCommit = nil
        frameCallback?.discard()
        frameCallback = nil
        viewport?.destroy()
        geometry = nil
        logicalSize = nil
        composer.buffers.giveUpAll()
    }

    // MARK: What to show

    /// Straight alpha. An opaque one spares the compositor what lies below.
    package func setBackground(_ color: Color) { composer.background = PremultipliedColor(color) }

    /// Makes the next frame a whole one.
    package func setNeedsRedraw() { composer.setNeedsRedraw() }

    /// Asks for a commit though no pixel may have changed: for what others have set on the surface, such as an
    /// acknowledged configure.
    package func setNeedsCommit() { needsCommit = true }

    // MARK: Size and scale

    /// The surface's new size in logical px, both positive.
    package func resize(to size: (width: Int32, height: Int32)) {
        logicalSize = LogicalSize(width: max(1, size.width), height: max(1, size.height))
        updateGeometry()
    }

    /// What wp_fractional_scale_v1.preferred_scale said, in 120ths.
    package func setScale(numerator120: Int32) {
        scaleSources.fractional = numerator120
        updateGeometry()
    }

    /// The largest scale of the outputs that the surface is on; used when the compositor has no better way to tell.
    package func setOutputScale(_ scale: Int32) {
        scaleSources.output = scale
        updateGeometry()
    }

    private func receive(_ event: WlSurface.Event) {
        if case .preferredBufferScale(let factor) = event {
            scaleSources.preferred = factor
            updateGeometry()
        }
        onSurfaceEvent?(event)
    }

    private func updateGeometry() {
        guard let logicalSize else { return }
        let scale = scaleSources.choice(hasViewport: viewport != nil, surfaceVersion: surface.version)
        let geometry = SurfaceGeometry(logicalSize: logicalSize, scale: scale)
        if geometry == self.geometry { return }
        self.geometry = geometry
        composer.resize(to: geometry.bufferSize, scale: scale.factor)
    }

    // MARK: Frames

    /// Draws and commits when there is something to and it may be done now. Call once after each turn of the loop.
    ///
    /// True when it has committed. On an error what there is to draw stays to be drawn.
    @discardableResult
    package func drawIfNeeded(now: Instant) throws(PresentationError) -> Bool {
        guard let geometry else { return false }
        let isDirty = composer.isDirty
        if !isDirty { waitingForReleaseSince = nil }
        // A new size is drawn though the last frame was not shown yet: the compositor waits for it, and may be hiding the
        // surface until it comes.
        guard isDirty, frameCallback == nil || geometry != committedGeometry else {
            return commitStateIfNeeded(geometry)
        }
        switch try composer.compose(make: { (size) throws(PresentationError) in try ShmBuffer(size, shm: shm) }) {
        case .frame(let buffer, let damage):
            waitingForReleaseSince = nil
            commit(buffer, damage, geometry)
            return true
        case .unchanged:
            waitingForReleaseSince = nil
            // A shape that is out of sight may come into sight.
            if frameCallback == nil, !shapes.isEmpty { needsCommit = true }
            return commitStateIfNeeded(geometry)
        case .noBuffer:
            if waitingForReleaseSince == nil { waitingForReleaseSince = now }
            return commitStateIfNeeded(geometry)
        }
    }

    private func commit(_ buffer: ShmBuffer, _ damage: Region, _ geometry: SurfaceGeometry) {
        surface.attach(buffer: buffer.buffer, x: 0, y: 0)
        send(damage, geometry)
        setOpaqueRegion(geometry.logicalSize)
        willCommit?()
        commitState(geometry)
    }

    /// Commits without a buffer if there is a reason to; not while a size has still to be drawn that may have been
    /// acknowledged, and not before there is content.
    private func commitStateIfNeeded(_ geometry: SurfaceGeometry) -> Bool {
        guard let committedGeometry else { return false }
        let isResized = geometry != committedGeometry
        if isResized, composer.isDirty { return false }
        guard needsCommit || isResized || wantsFrames && frameCallback == nil && !composer.isDirty else { return false }
        commitState(geometry)
        return true
    }

    private func commitState(_ geometry: SurfaceGeometry) {
        if geometry != committedGeometry {
            if surface.version >= WlSurface.Since.setBufferScale { surface.setBufferScale(scale: geometry.bufferScale) }
            setViewportDestination(geometry)
            setOpaqueRegion(geometry.logicalSize)
            committedGeometry = geometry
        }
        if frameCallback == nil, wantsFrames || !shapes.isEmpty { requestFrame() }
        needsCommit = false
        surface.commit()
    }

    private func setViewportDestination(_ geometry: SurfaceGeometry) {
        if let size = geometry.viewportDestination {
            viewport?.setDestination(width: size.width, height: size.height)
        } else if committedGeometry?.viewportDestination != nil {
            viewport?.setDestination(width: -1, height: -1)
        }
    }

    private func send(_ damage: Region, _ geometry: SurfaceGeometry) {
        let rects = damage.rectCount > Self.damageRectLimit ? [damage.bounds] : damage.rects
        for rect in rects {
            if surface.version >= WlSurface.Since.damageBuffer {
                surface.damageBuffer(x: rect.x, y: rect.y, width: rect.width, height: rect.height)
            } else {
                let rect = geometry.surfaceRect(rect)
                surface.damage(x: rect.x, y: rect.y, width: rect.width, height: rect.height)
            }
        }
    }

    private func setOpaqueRegion(_ size: LogicalSize) {
        let opaqueSize = composer.background.isOpaque ? size : nil
        if opaqueSize == committedOpaqueSize { return }
        committedOpaqueSize = opaqueSize
        guard let opaqueSize else { return surface.setOpaqueRegion(region: nil) }
        let region = compositor.createRegion()
        region.add(x: 0, y: 0, width: opaqueSize.width, height: opaqueSize.height)
        surface.setOpaqueRegion(region: region)
        region.destroy()
    }

    private func requestFrame() {
        let callback = surface.frame()
        // SAFETY: destroy(), which deinit calls, discards the callback: the handler never outlives self.
        callback.onEvent = { [unowned(unsafe) self] event in
            switch event {
            case .done(let milliseconds):
                unsafe self.frameCallback = nil
                unsafe self.onFrame?(milliseconds)
            }
        }
        frameCallback = callback
    }
}
