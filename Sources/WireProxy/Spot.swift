internal import Gestures

/// The surface that something is on, and where that lies in its window.
struct Spot {
    let surface: UInt32
    /// The window; nil for a surface that is in none.
    var root: UInt32?
    /// Of the surface in the window, logical px: the last that is known.
    private(set) var offset: Point

    /// By the owner's number for the window.
    var target: Int? { root.map { Int($0) } }

    init(_ surface: UInt32, _ locate: (UInt32) -> (root: UInt32, offset: Point)?) {
        let place = locate(surface)
        self.surface = surface
        root = place?.root
        offset = place?.offset ?? .zero
    }

    /// Where the surface lies now. A subsurface may move under a finger, and compositors go by where it is then (weston,
    /// mutter, KWin and sway; wlroots' own simplest compositor by where it was).
    mutating func follow(_ locate: (UInt32) -> (root: UInt32, offset: Point)?) -> Point {
        if let root, let place = locate(surface), place.root == root { offset = place.offset }
        return offset
    }

    /// It was in a window, and is not any more.
    func isLost(_ locate: (UInt32) -> (root: UInt32, offset: Point)?) -> Bool {
        root != nil && locate(surface)?.root != root
    }
}
