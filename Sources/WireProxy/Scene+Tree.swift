package import Gestures

// What an app's surfaces are to each other, and when what they say of themselves counts.
extension Scene {
    // MARK: Roles

    package mutating func beginXdgSurface(_ id: UInt32, of surface: UInt32) { xdgSurfaces[id] = surface }

    /// The next xdg_surface of the same surface begins without a geometry.
    package mutating func endXdgSurface(_ id: UInt32) {
        if let surface = xdgSurfaces.removeValue(forKey: id) { surfaces[surface]?.pending.geometry = nil }
    }

    /// xdg_surface.set_window_geometry: holds from the next commit on. The compositor refuses an empty one.
    package mutating func setGeometry(_ geometry: Rect, of xdgSurface: UInt32) {
        guard let surface = xdgSurfaces[xdgSurface], !geometry.isEmpty else { return }
        surfaces[surface]?.pending.geometry = geometry
    }

    /// xdg_surface.get_toplevel or get_popup, which make `role`. A surface may be given the same role again, and is a root
    /// already then.
    package mutating func beginRoot(_ xdgSurface: UInt32, role: UInt32) -> [Change] {
        xdgSurfaces[xdgSurface].map { beginRoot(ofSurface: $0, role: role) } ?? []
    }

    /// The surface gets a role by which it is a window, bar or background; without an xdg_surface it has no geometry.
    package mutating func beginRoot(ofSurface surface: UInt32, role: UInt32) -> [Change] {
        guard let known = surfaces[surface] else { return [] }
        roleObjects[role] = surface
        if known.isRoot { return [] }
        surfaces[surface]?.isRoot = true
        _ = updateExtent(of: surface)
        return [.rootBegan(surface)]
    }

    /// The object that makes a window of a surface goes, and with it what was shown, until the surface's next commit with
    /// content.
    package mutating func endRole(_ role: UInt32) -> [Change] {
        guard let surface = roleObjects.removeValue(forKey: role) else { return [] }
        forgetPopup(surface)
        guard surfaces[surface]?.current.hasBuffer == true else { return [] }
        surfaces[surface]?.current.hasBuffer = false
        return [.hidden]
    }

    // MARK: Commits

    /// What is pending counts from now on, or with the commit of what the surface hangs on.
    package mutating func commit(_ id: UInt32) -> [Change] {
        guard let surface = surfaces[id] else { return [] }
        for child in surface.children {
            guard let child = subsurfaces[child], let position = surfaces[child]?.pendingPosition else { continue }
            surfaces[child]?.cachedPosition = position
            surfaces[child]?.pendingPosition = nil
        }
        surfaces[id]?.cached = surface.pending
        return isSynchronized(id) ? [] : apply(id)
    }

    /// Whether a commit would move, show or hide what may be touched.
    package func moves(byCommitOf id: UInt32) -> Bool {
        guard let surface = surfaces[id] else { return false }
        return moves(id, surface.pending, Scene.depthLimit)
    }

    private func moves(_ id: UInt32, _ content: Content, _ depth: Int) -> Bool {
        guard let surface = surfaces[id], depth > 0 else { return false }
        if content.hasBuffer != surface.current.hasBuffer { return true }
        return surface.children.contains { child in
            guard let id = subsurfaces[child], let child = surfaces[id] else { return false }
            if let next = child.pendingPosition ?? child.cachedPosition, next != child.position { return true }
            return moves(id, child.cached ?? child.current, depth - 1)
        }
    }

    /// wl_subsurface.set_sync and set_desync. What was kept back counts at once when there is nothing to wait for any more.
    package mutating func setSynchronized(_ isSynchronized: Bool, _ id: UInt32) -> [Change] {
        guard let surface = subsurfaces[id] else { return [] }
        surfaces[surface]?.isSynchronized = isSynchronized
        return self.isSynchronized(surface) ? [] : apply(surface)
    }

    /// By itself, or by something that it hangs on.
    private func isSynchronized(_ surface: UInt32) -> Bool {
        var id = surface
        for _ in 0..<Scene.depthLimit {
            guard let surface = surfaces[id], let parent = surface.parent else { return false }
            if surface.isSynchronized { return true }
            id = parent
        }
        return true
    }

    /// What applying has changed.
    private struct Outcome {
        var isHidden = false
        /// Where something is, or how large.
        var isMoved = false
    }

    private mutating func apply(_ id: UInt32) -> [Change] {
        let before = surfaces[id]?.current
        var outcome = Outcome()
        apply(id, &outcome, Scene.depthLimit)
        var changes: [Change] = outcome.isHidden ? [.hidden] : []
        let isChanged = surfaces[id]?.current != before
        if isChanged || outcome.isMoved, let root = root(of: id)?.root {
            let isOther = updateExtent(of: root)
            if isOther || isChanged && root == id { changes.append(.changed(root: root)) }
        }
        return changes
    }

    /// Also of all that hangs on it and waited for it.
    private mutating func apply(_ id: UInt32, _ outcome: inout Outcome, _ depth: Int) {
        guard let surface = surfaces[id], depth > 0 else { return }
        if let content = surface.cached {
            if surface.current.hasBuffer, !content.hasBuffer { outcome.isHidden = true }
            if surface.current != content { outcome.isMoved = true }
            surfaces[id]?.current = content
            surfaces[id]?.cached = nil
        }
        for child in surface.children {
            guard let child = subsurfaces[child], let known = surfaces[child] else { continue }
            if let position = known.cachedPosition {
                if position != known.position { outcome.isMoved = true }
                surfaces[child]?.position = position
                surfaces[child]?.cachedPosition = nil
            }
            // It has waited, though it need not any more.
            if known.cached != nil || isSynchronized(child) { apply(child, &outcome, depth - 1) }
        }
    }

    // MARK: Boxes

    /// True when it is another.
    private mutating func updateExtent(of root: UInt32) -> Bool {
        let extent = size(of: root).map { size in
            var box = Rect(x: 0, y: 0, width: size.width, height: size.height)
            extend(&box, byChildrenOf: root, at: .zero, Scene.depthLimit)
            return box
        }
        defer { surfaces[root]?.extent = extent }
        return surfaces[root]?.extent != extent
    }

    private func extend(_ box: inout Rect, byChildrenOf id: UInt32, at origin: Point, _ depth: Int) {
        guard let surface = surfaces[id], depth > 0 else { return }
        for child in surface.children {
            guard let id = subsurfaces[child], let child = surfaces[id], child.current.hasBuffer else { continue }
            let place = origin + child.position
            if let size = child.current.size {
                box = box.union(Rect(x: place.x, y: place.y, width: size.width, height: size.height))
            }
            extend(&box, byChildrenOf: id, at: place, depth - 1)
        }
    }

    private mutating func changesOfExtent(around surface: UInt32) -> [Change] {
        guard let root = root(of: surface)?.root, updateExtent(of: root) else { return [] }
        return [.changed(root: root)]
    }

    // MARK: Subsurfaces

    package mutating func beginSubsurface(_ id: UInt32, of surface: UInt32, on parent: UInt32) -> [Change] {
        guard surface != parent, surfaces[surface] != nil, surfaces[parent] != nil else { return [] }
        if let old = surfaces[surface]?.subsurface { _ = destroySubsurface(old) }
        surfaces[surface]?.parent = parent
        surfaces[surface]?.subsurface = id
        surfaces[surface]?.isSynchronized = true
        surfaces[surface]?.position = .zero
        surfaces[surface]?.pendingPosition = nil
        surfaces[surface]?.cachedPosition = nil
        surfaces[parent]?.children.append(id)
        subsurfaces[id] = surface
        return restacking(parent) + changesOfExtent(around: surface)
    }

    package mutating func destroySubsurface(_ id: UInt32) -> [Change] {
        guard let surface = subsurfaces.removeValue(forKey: id) else { return [] }
        let parent = surfaces[surface]?.parent
        if let parent { surfaces[parent]?.children.removeAll { $0 == id } }
        surfaces[surface]?.parent = nil
        surfaces[surface]?.subsurface = nil
        return [.hidden] + (parent.map { changesOfExtent(around: $0) } ?? [])
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
