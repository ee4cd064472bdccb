internal import WaylandProtocols
public import WaylandServerProtocols
internal import WaylandServer

/// A wl_subsurface: a surface that moves with its parent.
public final class StageSubsurface {
    public let resource: WlSubsurfaceResource
    public internal(set) weak var parent: StageSurface?
    private unowned let surface: StageSurface
    /// Committed position: px of the parent.
    public private(set) var position: (x: Int32, y: Int32) = (0, 0)
    /// What the client asked for; the parent's mode counts too.
    public private(set) var asksForSync = true

    private var pendingPosition: (x: Int32, y: Int32)?

    init(_ resource: WlSubsurfaceResource, surface: StageSurface, parent: StageSurface) {
        self.resource = resource
        self.surface = surface
        self.parent = parent
        resource.onRequest = { [unowned self] request in receive(request) }
        resource.onDestroy = { [weak self, weak surface] in
            guard let self, let surface else { return }
            self.parent?.remove(surface)
            self.parent = nil
        }
    }

    /// Whether commits wait for the parent's: when any surface up the tree asks for it.
    var isSynchronized: Bool {
        if asksForSync { return true }
        if case .subsurface(let above) = parent?.role { return above.isSynchronized }
        return false
    }

    func applyPosition() {
        if let pendingPosition { position = pendingPosition }
        pendingPosition = nil
    }

    private func receive(_ request: WlSubsurfaceResource.Request) {
        switch request {
        case .setPosition(let x, let y): pendingPosition = (x, y)
        case .placeAbove(let sibling): place(sibling, 1)
        case .placeBelow(let sibling): place(sibling, 0)
        case .setSync: asksForSync = true
        case .setDesync:
            asksForSync = false
            guard !isSynchronized else { return }
            let update = surface.cached
            surface.cached = SurfaceUpdate()
            if !update.isEmpty { surface.apply(update) }
        default: break
        }
    }

    private func place(_ sibling: WlSurfaceResource?, _ offset: Int) {
        guard let parent else { return }
        var stack = parent.pendingStack ?? parent.stack
        stack.removeAll { $0 === surface }
        guard let place = stack.firstIndex(where: { $0.resource === sibling }) else {
            return surface.stage.refuse(
                resource, code: WlSubsurface.Error.badSurface.rawValue, "placed by a surface that is no sibling")
        }
        stack.insert(surface, at: place + offset)
        parent.pendingStack = stack
    }
}

extension Stage {
    func makeSubsurface(
        _ role: WlSubsurfaceResource, _ child: WlSurfaceResource?, _ parent: WlSurfaceResource?,
        from manager: WlSubcompositorResource
    ) {
        guard let child = surface(child), let parent = surface(parent) else { return }
        var isFree = false
        switch child.role {
        case .none: isFree = child !== parent
        case .subsurface(let old): isFree = child !== parent && !old.resource.isAlive
        default: break
        }
        guard isFree else {
            return refuse(
                manager, code: WlSubcompositor.Error.badSurface.rawValue,
                "wl_surface#\(child.resource.objectID) cannot become a subsurface")
        }
        child.role = .subsurface(StageSubsurface(role, surface: child, parent: parent))
        parent.pendingStack = (parent.pendingStack ?? parent.stack) + [child]
    }
}
