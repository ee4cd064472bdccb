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
        /// It shows nothing any more, and may again.
        case rootUnmapped(UInt32)
        /// A surface is in no window any more.
        case detached
        /// The topmost of the app's subsurfaces of this root and the root itself is that one now; ours goes above it.
        case restacked(root: UInt32, above: UInt32)
        /// The root's size, scale or geometry has changed.
        case changed(root: UInt32)
    }

    package struct Surface {
        package fileprivate(set) var isRoot = false
        fileprivate var parent: UInt32?
        fileprivate var subsurface: UInt32?
        fileprivate var position = Point.zero
        fileprivate var pendingPosition: Point?
        /// The app's subsurfaces on this surface, from the lowest, in the order that its requests asked for; ``itself``
        /// stands for the surface among them.
        fileprivate var children = [Surface.itself]
        fileprivate var current = Content()
        fileprivate var pending = Content()
        fileprivate var fractionalScale: UInt32?

        fileprivate static let itself: UInt32 = 0
    }

    /// What decides about a surface's size, and about where its edges are.
    fileprivate struct Content: Equatable {
        var hasBuffer = false
        /// Of the buffer, px; nil when there is none or its size was not seen.
        var buffer: Size?
        var scale: Int32 = 1
        var isTurned = false
        var destination: Size?
        var source: Size?
        var hasGeometry = false

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

    package private(set) var surfaces: [UInt32: Surface] = [:]
    private var buffers: [UInt32: Size] = [:]
    private var dmabufParams: [UInt32: Size] = [:]
    private var xdgSurfaces: [UInt32: UInt32] = [:]
    private var subsurfaces: [UInt32: UInt32] = [:]
    private var viewports: [UInt32: UInt32] = [:]
    private var fractionalScales: [UInt32: UInt32] = [:]

    package init() {}

    // MARK: Questions

    /// The root that a surface belongs to, and where the surface lies on it, logical px. Nil for surfaces that are in no
    /// window.
    package func root(of surface: UInt32) -> (root: UInt32, offset: Point)? {
        var id = surface
        var offset = Point.zero
        // A circle cannot be made by a compositor's rules; a broken app must not hang us all the same.
        for _ in 0..<64 {
            guard let surface = surfaces[id] else { return nil }
            if surface.isRoot { return (id, offset) }
            guard let parent = surface.parent else { return nil }
            offset = offset + surface.position
            id = parent
        }
        return nil
    }

    /// Logical px; nil when it is not known.
    package func size(of surface: UInt32) -> Size? { surfaces[surface]?.current.size }

    /// True when the app has said where its window's edges are: what lies outside moves nothing then.
    package func hasGeometry(_ surface: UInt32) -> Bool { surfaces[surface]?.current.hasGeometry ?? false }

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

    package mutating func commit(_ id: UInt32) -> [Change] {
        guard var surface = surfaces[id] else { return [] }
        let isChanged = surface.current != surface.pending
        let isUnmapped = surface.current.hasBuffer && !surface.pending.hasBuffer
        surface.current = surface.pending
        surfaces[id] = surface
        for child in surface.children {
            guard let child = subsurfaces[child], let position = surfaces[child]?.pendingPosition else { continue }
            surfaces[child]?.position = position
            surfaces[child]?.pendingPosition = nil
        }
        guard isChanged, surface.isRoot else { return [] }
        return isUnmapped ? [.rootUnmapped(id), .changed(root: id)] : [.changed(root: id)]
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

    // MARK: Roles

    package mutating func beginXdgSurface(_ id: UInt32, of surface: UInt32) { xdgSurfaces[id] = surface }

    /// The next xdg_surface of the same surface begins without a geometry.
    package mutating func endXdgSurface(_ id: UInt32) -> [Change] {
        guard let surface = xdgSurfaces.removeValue(forKey: id) else { return [] }
        surfaces[surface]?.pending.hasGeometry = false
        return surfaces[surface]?.isRoot == true ? [.rootUnmapped(surface)] : []
    }

    /// xdg_surface.set_window_geometry: holds from the next commit on.
    package mutating func setGeometry(_ xdgSurface: UInt32) {
        guard let surface = xdgSurfaces[xdgSurface] else { return }
        surfaces[surface]?.pending.hasGeometry = true
    }

    /// xdg_surface.get_toplevel or get_popup. A surface may be given the same role again, and is a root already then.
    package mutating func beginRoot(_ xdgSurface: UInt32) -> [Change] {
        xdgSurfaces[xdgSurface].map { beginRoot(ofSurface: $0) } ?? []
    }

    /// The surface gets a role by which it is a window, bar or background without an xdg_surface: it has no geometry.
    package mutating func beginRoot(ofSurface surface: UInt32) -> [Change] {
        guard let known = surfaces[surface], !known.isRoot else { return [] }
        surfaces[surface]?.isRoot = true
        return [.rootBegan(surface)]
    }

    // MARK: Subsurfaces

    package mutating func beginSubsurface(_ id: UInt32, of surface: UInt32, on parent: UInt32) -> [Change] {
        guard surface != parent, surfaces[surface] != nil, surfaces[parent] != nil else { return [] }
        if let old = surfaces[surface]?.subsurface { _ = destroySubsurface(old) }
        surfaces[surface]?.parent = parent
        surfaces[surface]?.subsurface = id
        surfaces[surface]?.position = .zero
        surfaces[surface]?.pendingPosition = nil
        surfaces[parent]?.children.append(id)
        subsurfaces[id] = surface
        return restacking(parent)
    }

    package mutating func destroySubsurface(_ id: UInt32) -> [Change] {
        guard let surface = subsurfaces.removeValue(forKey: id) else { return [] }
        if let parent = surfaces[surface]?.parent { surfaces[parent]?.children.removeAll { $0 == id } }
        surfaces[surface]?.parent = nil
        surfaces[surface]?.subsurface = nil
        return [.detached]
    }

    package mutating func setPosition(_ x: Int32, _ y: Int32, of id: UInt32) {
        guard let surface = subsurfaces[id] else { return }
        surfaces[surface]?.pendingPosition = Point(x: Double(x), y: Double(y))
    }

    /// wl_subsurface.place_above and place_below, next to a sibling or to the parent itself.
    package mutating func place(_ id: UInt32, nextTo sibling: UInt32, isAbove: Bool) -> [Change] {
        guard let surface = subsurfaces[id], let parent = surfaces[surface]?.parent,
            var children = surfaces[parent]?.children, let old = children.firstIndex(of: id)
        else { return [] }
        children.remove(at: old)
        let place = children.firstIndex {
            $0 == Surface.itself ? sibling == parent : subsurfaces[$0] == sibling
        }
        // Next to what is no sibling: an error, which the compositor will name.
        guard let place else { return [] }
        children.insert(id, at: isAbove ? place + 1 : place)
        surfaces[parent]?.children = children
        return restacking(parent)
    }

    private func restacking(_ parent: UInt32) -> [Change] {
        guard let surface = surfaces[parent], surface.isRoot, let top = surface.children.last else { return [] }
        guard top != Surface.itself else { return [.restacked(root: parent, above: parent)] }
        return subsurfaces[top].map { [.restacked(root: parent, above: $0)] } ?? []
    }
}
