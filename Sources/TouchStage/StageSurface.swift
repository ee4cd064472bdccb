public import WaylandProtocols
public import WaylandServerProtocols
internal import WaylandServer

/// A wl_surface and what was committed to it.
public final class StageSurface {
    public let resource: WlSurfaceResource
    unowned let stage: Stage

    /// What the surface is for; it keeps its first role for life.
    public enum Role {
        case none
        case window(StageWindow)
        case layer(StageLayerSurface)
        case subsurface(StageSubsurface)
        case cursor
        case popup
    }
    public internal(set) var role = Role.none

    // MARK: Committed state

    /// The buffer on show, even if it was given back meanwhile.
    public var buffer: StageBuffer? { current.buffer }
    /// What the surface shows, in buffer px; nil while it has no content.
    public var picture: Picture? { current.picture }
    /// Surface-local px; (0, 0) without content.
    public var size: (width: Int32, height: Int32) { current.mapping?.surfaceSize ?? (0, 0) }
    public var bufferScale: Int32 { current.scale }
    public var bufferTransform: WlOutput.Transform { current.transform }
    /// Where the surface takes touches and clicks; nil: everywhere.
    public var inputRegion: StageRegion? { current.inputRegion }
    public var opaqueRegion: StageRegion? { current.opaqueRegion }
    /// The viewport's destination, when it has one.
    public var viewportDestination: (width: Int32, height: Int32)? {
        current.destination.map { ($0.width, $0.height) }
    }
    /// What the last commit with a buffer declared as changed, in buffer px.
    public internal(set) var damage: [StageRect] = []
    /// How many commits were applied, and how many of them brought a buffer.
    public internal(set) var commitCount = 0
    public internal(set) var contentCount = 0
    /// Frame callbacks that wait for an answer.
    public var waitingFrameCallbacks: Int { current.callbacks.count }
    /// Set to leave this surface's frame callbacks unanswered, as if it were hidden.
    public var isHidden = false
    /// The outputs the client was told that the surface is on.
    public internal(set) var enteredOutputs: [StageOutput] = []
    /// The subsurfaces and this surface itself, lowest first.
    public internal(set) var stack: [StageSurface] = []

    var current = State()
    var pending = SurfaceUpdate()
    var cached = SurfaceUpdate()
    var pendingStack: [StageSurface]?
    var viewport: WpViewportResource?
    var fractionalScale: WpFractionalScaleV1Resource?
    var sentPreferred: Preferred?

    struct State {
        var buffer: StageBuffer?
        var picture: Picture?
        var mapping: BufferMapping?
        var scale: Int32 = 1
        var transform = WlOutput.Transform.normal
        var source: BufferMapping.Source?
        var destination: BufferMapping.Destination?
        var inputRegion: StageRegion?
        var opaqueRegion: StageRegion?
        var callbacks: [WlCallbackResource] = []
        var feedbacks: [WpPresentationFeedbackResource] = []
    }

    struct Preferred: Equatable {
        var scale120: UInt32
        var transform: WlOutput.Transform
    }

    init(stage: Stage, _ resource: WlSurfaceResource) {
        self.stage = stage
        self.resource = resource
        stack = [self]
        resource.onRequest = { [unowned self] request in receive(request) }
        resource.onDestroy = { [unowned self] in end() }
    }

    private func end() {
        switch role {
        case .subsurface(let role): role.parent?.remove(self)
        default: break
        }
        for child in stack where child !== self {
            if case .subsurface(let role) = child.role { role.parent = nil }
        }
        letGo()
        if let buffer = current.buffer, stage.options.releases != .manual { buffer.release() }
        // What nobody will answer any more goes with the surface, as compositors do it.
        for callback in current.callbacks + pending.callbacks { callback.destroy() }
        for feedback in current.feedbacks + pending.feedbacks {
            feedback.sendDiscarded()
            feedback.destroy()
        }
        current = State()
        for seat in stage.seats { seat.forget(self) }
        stage.surfaceOf[ObjectIdentifier(resource)] = nil
        stage.surfaces.removeAll { $0 === self }
    }

    /// Of what holds this surface in its turn: itself in its stack, and a window.
    func letGo() {
        stack = []
        pendingStack = nil
        role = .none
    }

    func remove(_ child: StageSurface) {
        stack.removeAll { $0 === child }
        pendingStack?.removeAll { $0 === child }
    }

    // MARK: Requests

    private func receive(_ request: WlSurfaceResource.Request) {
        switch request {
        case .attach(let buffer, let x, let y): attach(buffer, x, y)
        case .damage(let x, let y, let width, let height):
            pending.surfaceDamage.append(StageRect(x: x, y: y, width: width, height: height))
        case .damageBuffer(let x, let y, let width, let height):
            pending.bufferDamage.append(StageRect(x: x, y: y, width: width, height: height))
        case .frame(let callback): pending.callbacks.append(callback)
        case .setInputRegion(let region):
            pending.inputRegion = .some(region.flatMap { stage.regionOf[ObjectIdentifier($0)] })
        case .setOpaqueRegion(let region):
            pending.opaqueRegion = .some(region.flatMap { stage.regionOf[ObjectIdentifier($0)] })
        case .setBufferScale(let scale):
            guard scale >= 1 else {
                return stage.refuse(resource, code: WlSurface.Error.invalidScale.rawValue, "buffer scale \(scale)")
            }
            pending.scale = scale
        case .setBufferTransform(let transform):
            guard transform.rawValue <= 7 else {
                return stage.refuse(
                    resource, code: WlSurface.Error.invalidTransform.rawValue, "buffer transform \(transform.rawValue)")
            }
            pending.transform = transform
        case .commit: commit()
        case .destroy:
            switch role {
            case .window(let window) where window.toplevel.isAlive: refuseOrphan("xdg_toplevel")
            case .layer(let layer) where layer.resource.isAlive: refuseOrphan("zwlr_layer_surface_v1")
            default: break
            }
        default: break
        }
    }

    private func refuseOrphan(_ name: String) {
        stage.refuse(resource, code: WlSurface.Error.defunctRoleObject.rawValue, "destroyed before its \(name)")
    }

    private func attach(_ resource: WlBufferResource?, _ x: Int32, _ y: Int32) {
        if self.resource.version >= 5, x != 0 || y != 0 {
            return stage.refuse(
                self.resource, code: WlSurface.Error.invalidOffset.rawValue, "attach with the offset (\(x), \(y))")
        }
        let buffer = resource.flatMap { stage.bufferOf[ObjectIdentifier($0)] }
        if let buffer, buffer.isHeld {
            stage.note(
                Violation(
                    kind: .heldBufferAttached, interface: "wl_surface", objectID: self.resource.objectID,
                    text: "attached wl_buffer#\(buffer.resource.objectID), which was not released yet"))
        }
        pending.content = buffer.map(SurfaceUpdate.Content.buffer) ?? .nothing
    }

    func adopt(_ viewport: WpViewportResource, from manager: WpViewporterResource) {
        guard self.viewport == nil else {
            return stage.refuse(
                manager, code: WpViewporter.Error.viewportExists.rawValue,
                "wl_surface#\(resource.objectID) has a viewport")
        }
        self.viewport = viewport
        viewport.onDestroy = { [weak self] in
            self?.viewport = nil
            self?.pending.source = .some(nil)
            self?.pending.destination = .some(nil)
        }
        viewport.onRequest = { [weak self, unowned viewport] request in self?.receive(request, of: viewport) }
    }

    private func receive(_ request: WpViewportResource.Request, of viewport: WpViewportResource) {
        if case .destroy = request { return }
        guard resource.isAlive else {
            return stage.refuse(viewport, code: WpViewport.Error.noSurface.rawValue, "the surface was destroyed")
        }
        switch request {
        case .setSource(let x, let y, let width, let height):
            if x == -1, y == -1, width == -1, height == -1 {
                pending.source = .some(nil)
            } else if x < 0 || y < 0 || width <= 0 || height <= 0 {
                stage.refuse(
                    viewport, code: WpViewport.Error.badValue.rawValue, "source \(width)x\(height) at (\(x), \(y))")
            } else {
                pending.source = BufferMapping.Source(x: x, y: y, width: width, height: height)
            }
        case .setDestination(let width, let height):
            if width == -1, height == -1 {
                pending.destination = .some(nil)
            } else if width <= 0 || height <= 0 {
                stage.refuse(viewport, code: WpViewport.Error.badValue.rawValue, "destination \(width)x\(height)")
            } else {
                pending.destination = BufferMapping.Destination(width: width, height: height)
            }
        default: break
        }
    }

    func adopt(_ scale: WpFractionalScaleV1Resource, from manager: WpFractionalScaleManagerV1Resource) {
        guard fractionalScale == nil else {
            return stage.refuse(
                manager, code: WpFractionalScaleManagerV1.Error.fractionalScaleExists.rawValue,
                "wl_surface#\(resource.objectID) has a fractional scale")
        }
        fractionalScale = scale
        scale.onDestroy = { [weak self] in self?.fractionalScale = nil }
        if stage.options.entersAutomatically { scale.sendPreferredScale(scale: preferred.scale120) }
    }
}
