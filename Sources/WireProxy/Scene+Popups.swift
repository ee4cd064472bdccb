package import Gestures

// Where an app's popups lie.
extension Scene {
    package var hasPopups: Bool { !popups.isEmpty }

    /// xdg_surface.get_popup, which makes `role`. `parent` is an xdg_surface, or null where another protocol tells it.
    package mutating func beginPopup(_ xdgSurface: UInt32, role: UInt32, parent: UInt32) -> [Change] {
        let changes = beginRoot(xdgSurface, role: role)
        guard let surface = roleObjects[role] else { return changes }
        forgetPopup(surface)
        surfaces[surface]?.popupParent = xdgSurfaces[parent]
        popups.append(surface)
        return changes
    }

    /// zwlr_layer_surface_v1.get_popup
    package mutating func setParent(_ layerSurface: UInt32, ofPopup role: UInt32) {
        if let surface = roleObjects[role] { surfaces[surface]?.popupParent = roleObjects[layerSurface] }
    }

    /// xdg_popup.configure: from the popup's next commit on its window's corner is there in its parent's window.
    package mutating func placePopup(_ role: UInt32, _ x: Int32, _ y: Int32) {
        guard let surface = roleObjects[role] else { return }
        surfaces[surface]?.pending.popupPosition = Point(x: Double(x), y: Double(y))
    }

    mutating func forgetPopup(_ surface: UInt32) {
        popups.removeAll { $0 == surface }
        surfaces[surface]?.popupParent = nil
        surfaces[surface]?.pending.popupPosition = nil
        for popup in popups where surfaces[popup]?.popupParent == surface { surfaces[popup]?.popupParent = nil }
    }

    /// The window that a popup belongs to in the end, and where the popup's surface lies on that, logical px; a window is
    /// where it is itself. Nil when it is not known.
    package func place(of root: UInt32) -> (top: UInt32, offset: Point)? {
        var id = root
        var offset = Point.zero
        for _ in 0..<Scene.depthLimit {
            guard let surface = surfaces[id] else { return nil }
            guard let parent = surface.popupParent else { return (id, offset) }
            guard let place = surface.current.popupPosition, let own = window(of: id), let other = window(of: parent)
            else { return nil }
            offset = offset + other.origin + place - own.origin
            id = parent
        }
        return nil
    }

    /// What of a root counts as the window, logical px on its surface; nil when that is not known.
    func window(of root: UInt32) -> Rect? {
        guard let surface = surfaces[root] else { return nil }
        guard let box = surface.extent else { return surface.current.geometry }
        return surface.current.geometry.map { $0.intersection(box) } ?? box
    }
}
