package import Gestures

/// What an app's surfaces are to each other: a pure model, fed with the app's own requests in the order in which it makes
/// them. State that the protocol keeps until wl_surface.commit is kept until then here too.
package struct Scene {
    /// What the owner has to do now.
    package enum Change: Equatable {
        /// A window or popup has begun: hang ours above it.
        case rootBegan(UInt32)
        /// It is about to end; what hangs on it goes first.
        case rootEnded(UInt32)
        /// Something that was shown is not any more, or is in no window.
        case hidden
        /// The topmost of the app's subsurfaces of this root and the root itself is that one now; ours goes above it.
        case restacked(root: UInt32, above: UInt32)
        /// The root's size, scale or geometry has changed, or the box around it and its subsurfaces.
        case changed(root: UInt32)
    }

    package struct Surface {
        package internal(set) var isRoot = false
        var parent: UInt32?
        var subsurface: UInt32?
        /// Of the surface as a subsurface: what it commits counts with its parent's next commit.
        var isSynchronized = true
        var position = Point.zero
        /// Counts with what is ``cached`` of the parent.
        var cachedPosition: Point?
        var pendingPosition: Point?
        /// The app's subsurfaces on this surface, from the lowest, in the order that its requests asked for; ``itself``
        /// stands for the surface among them.
        var children = [Surface.itself]
        var current = Content()
        /// Committed, and kept back until the parent's commit.
        var cached: Content?
        var pending = Content()
        var fractionalScale: UInt32?
        /// Of a root: the box around it and all that is shown of its subsurfaces; nil where its size is not known.
        var extent: Rect?
        /// Of a popup: the root that it belongs to.
        var popupParent: UInt32?

        static let itself: UInt32 = 0
    }

    /// What decides about a surface's size, and about where its edges are.
    struct Content: Equatable {
        var hasBuffer = false
        /// Of the buffer, px; nil when there is none or its size was not seen.
        var buffer: Size?
        var scale: Int32 = 1
        var isTurned = false
        var destination: Size?
        var source: Size?
        /// Where the app says that its window's edges are.
        var geometry: Rect?
        /// Of a popup's window in its parent's, as the compositor has told it.
        var popupPosition: Point?

        /// Logical px; nil when it is not known.
        var size: Size? {
            if let destination { return destination }
            if let source { return source }
            guard let buffer else { return nil }
            let scale = Double(max(1, scale))
            let size = Size(width: buffer.width / scale, height: buffer.height / scale)
            return isTurned ? Size(width: size.height, height: size.width) : size
        }
    }

    /// A circle cannot be made by a compositor's rules; a broken app must not hang us all the same.
    static let depthLimit = 64
    /// No window reaches as far, logical px.
    private static let farAway = 1e5

    package internal(set) var surfaces: [UInt32: Surface] = [:]
    private var buffers: [UInt32: Size] = [:]
    private var dmabufParams: [UInt32: Size] = [:]
    var xdgSurfaces: [UInt32: UInt32] = [:]
    /// The surfaces that the objects of a root's role make windows of.
    var roleObjects: [UInt32: UInt32] = [:]
    var subsurfaces: [UInt32: UInt32] = [:]
    /// From the lowest.
    var popups: [UInt32] = []
    private var viewports: [UInt32: UInt32] = [:]
    private var fractionalScales: [UInt32: UInt32] = [:]

    package init() {}

    // MARK: Questions

    /// The root that a surface belongs to, and where the surface lies on it, logical px. Nil for surfaces that are in no
    /// window.
    package func root(of surface: UInt32) -> (root: UInt32, offset: Point)? { find(surface) { _ in true } }

    /// The same of surfaces that are shown, with all that they hang on: no other can be touched.
    package func shownRoot(of surface: UInt32) -> (root: UInt32, offset: Point)? {
        find(surface) { $0.current.hasBuffer }
    }

    private func find(_ surface: UInt32, where isMeant: (Surface) -> Bool) -> (root: UInt32, offset: Point)? {
        var id = surface
        var offset = Point.zero
        for _ in 0..<Scene.depthLimit {
            guard let surface = surfaces[id], isMeant(surface) else { return nil }
            if surface.isRoot { return (id, offset) }
            guard let parent = surface.parent else { return nil }
            offset = offset + surface.position
            id = parent
        }
        return nil
    }

    /// Logical px; nil when it is not known.
    package func size(of surface: UInt32) -> Size? { surfaces[surface]?.current.size }

    /// Where something may hang on a root and move nothing, logical px; nil when that is not known.
    ///
    /// A window's edges are by xdg-shell those of the box around its surface and all its subsurfaces, ours among them, or
    /// where the app says, but not beyond that box. So nothing may hang over an edge of the box, unless the app has put the
    /// window's own edge within it. What lies beside a popup is shown on its parent.
    package func bounds(of root: UInt32) -> Rect? {
        guard let surface = surfaces[root] else { return nil }
        if surface.popupParent != nil { return window(of: root) }
        guard let geometry = surface.current.geometry else { return surface.extent }
        guard let box = surface.extent else { return geometry }
        let left = geometry.x < box.x ? box.x : -Scene.farAway
        let top = geometry.y < box.y ? box.y : -Scene.farAway
        let right = geometry.maxX > box.maxX ? box.maxX : Scene.farAway
        let bottom = geometry.maxY > box.maxY ? box.maxY : Scene.farAway
        return Rect(x: left, y: top, width: right - left, height: bottom - top)
    }

    /// What the compositor has told an app that asked for fractional scales: physical px on 120 logical px.
    package func fractionalScale(of surface: UInt32) -> UInt32? { surfaces[surface]?.fractionalScale }

    /// Buffer px for a logical px, in 120ths, as an app draws that goes by the fractional scales that it is told; nil for
    /// another.
    package func fractionalScale120(of surface: UInt32) -> Int32? {
        guard let surface = surfaces[surface], let scale = surface.fractionalScale, surface.current.destination != nil
        else { return nil }
        return Int32(min(max(scale, 60), 1200))
    }

    /// wl_surface.set_buffer_scale's; 1 to 10.
    package func bufferScale(of surface: UInt32) -> Int32 { min(max(1, surfaces[surface]?.current.scale ?? 1), 10) }

    /// The windows and popups.
    package var roots: [UInt32] { surfaces.keys.filter { surfaces[$0]?.isRoot == true } }

    /// How many windows and popups there are.
    package var rootCount: Int { surfaces.values.count { $0.isRoot } }

    // MARK: Surfaces

    package mutating func createSurface(_ id: UInt32) { surfaces[id] = Surface() }

    package mutating func destroySurface(_ id: UInt32) -> [Change] {
        guard let surface = surfaces[id] else { return [] }
        // Its wl_subsurface means nothing any more, though the app may destroy it later, nor does what else belongs to it: the
        // next surface may have its number.
        let changes = surface.subsurface.map { destroySubsurface($0) } ?? []
        Scene.forget(id, in: &viewports)
        Scene.forget(id, in: &fractionalScales)
        Scene.forget(id, in: &xdgSurfaces)
        Scene.forget(id, in: &roleObjects)
        forgetPopup(id)
        surfaces[id] = nil
        for child in surface.children {
            if let child = subsurfaces[child] { surfaces[child]?.parent = nil }
        }
        return surface.isRoot ? [.rootEnded(id)] : changes
    }

    @inline(never)
    private static func forget(_ surface: UInt32, in objects: inout [UInt32: UInt32]) {
        objects = objects.filter { $0.value != surface }
    }

    package mutating func attach(_ buffer: UInt32, to id: UInt32) {
        surfaces[id]?.pending.hasBuffer = buffer != 0
        surfaces[id]?.pending.buffer = buffer == 0 ? nil : buffers[buffer]
    }

    package mutating func setBufferScale(_ scale: Int32, of id: UInt32) { surfaces[id]?.pending.scale = scale }

    package mutating func setBufferTransform(_ transform: UInt32, of id: UInt32) {
        surfaces[id]?.pending.isTurned = transform & 1 == 1
    }

    // MARK: Buffers

    package mutating func beginBuffer(_ id: UInt32, width: Int32, height: Int32) {
        guard width > 0, height > 0 else { return }
        buffers[id] = Size(width: Double(width), height: Double(height))
    }

    package mutating func endBuffer(_ id: UInt32) { buffers[id] = nil }

    /// zwp_linux_buffer_params_v1.create: the buffer comes with an event.
    package mutating func expectBuffer(of params: UInt32, width: Int32, height: Int32) {
        guard width > 0, height > 0 else { return }
        dmabufParams[params] = Size(width: Double(width), height: Double(height))
    }

    package mutating func receiveBuffer(_ id: UInt32, of params: UInt32) {
        buffers[id] = dmabufParams.removeValue(forKey: params)
    }

    // MARK: Viewports and scales

    package mutating func beginViewport(_ id: UInt32, of surface: UInt32) { viewports[id] = surface }

    package mutating func endViewport(_ id: UInt32) {
        guard let surface = viewports.removeValue(forKey: id) else { return }
        surfaces[surface]?.pending.destination = nil
        surfaces[surface]?.pending.source = nil
    }

    /// wp_viewport.set_destination; -1 takes it away.
    package mutating func setDestination(_ width: Int32, _ height: Int32, of viewport: UInt32) {
        guard let surface = viewports[viewport] else { return }
        let isSet = width > 0 && height > 0
        surfaces[surface]?.pending.destination =
            isSet ? Size(width: Double(width), height: Double(height)) : nil
    }

    /// wp_viewport.set_source; -1 takes it away.
    package mutating func setSource(_ width: Double, _ height: Double, of viewport: UInt32) {
        guard let surface = viewports[viewport] else { return }
        let isSet = width > 0 && height > 0
        surfaces[surface]?.pending.source = isSet ? Size(width: width, height: height) : nil
    }

    package mutating func beginFractionalScale(_ id: UInt32, of surface: UInt32) { fractionalScales[id] = surface }

    package mutating func endFractionalScale(_ id: UInt32) { fractionalScales[id] = nil }

    package mutating func preferScale(_ scale: UInt32, by id: UInt32) -> [Change] {
        guard let surface = fractionalScales[id], surfaces[surface] != nil else { return [] }
        surfaces[surface]?.fractionalScale = scale
        return surfaces[surface]?.isRoot == true ? [.changed(root: surface)] : []
    }
}
