internal import Gestures
internal import Pixman
internal import Presentation
internal import Ripples

/// A popup lies above its parent's window with all that is shown there, and a wave may lie on both: as that of a tap which has
/// opened the popup. So each of them shows what the others do, as far as it reaches.
extension AppConnection {
    /// A shape of another window, by the coordinates of the one that shows it too.
    struct GuestShape {
        let host: UInt32
        let shape: Shape
        /// Time alone changes it.
        let isAnimating: Bool
    }

    /// All that is to be seen on other windows than its own.
    func guestShapes(at now: Instant) -> [GuestShape] {
        var guests: [GuestShape] = []
        if isPaused || !scene.hasPopups { return guests }
        let roots = windows.keys.filter { scene.shownRoot(of: $0) != nil }.sorted()
        for owner in roots {
            guard let window = windows[owner], !window.ripples.isIdle, let place = scene.place(of: owner)
            else { continue }
            window.ripples.advance(to: now)
            for host in roots where host != owner {
                guard let other = scene.place(of: host), other.top == place.top, let bounds = scene.bounds(of: host)
                else { continue }
                for shape in window.ripples.shapes {
                    let shape = shape.moved(by: place.offset - other.offset)
                    guard shape.reaches(bounds) else { continue }
                    guests.append(
                        GuestShape(host: host, shape: shape, isAnimating: window.ripples.isAnimating))
                }
            }
        }
        return guests
    }
}

extension AppConnection {
    /// A popup is about to go, mostly for the touch that has chosen something on it: the waves go on below.
    func leaveWaves(ofPopup role: UInt32) {
        catchUp()
        guard let popup = scene.roleObjects[role], let place = scene.place(of: popup), let window = windows[popup],
            let below = windows[place.top], below !== window
        else { return }
        let now = clock()
        window.ripples.advance(to: now)
        below.ripples.advance(to: now)
        below.ripples.adopt(window.ripples, movedBy: place.offset)
        window.ripples.clear()
        setDirty()
    }
}

extension Shape {
    fileprivate func reaches(_ bounds: Rect) -> Bool {
        var isWithin = false
        forEachPart(of: self, scale: 1) { part in
            let part = Rect(
                x: Double(part.x), y: Double(part.y), width: Double(part.width), height: Double(part.height))
            if part.intersects(bounds) { isWithin = true }
        }
        return isWithin
    }

    fileprivate func moved(by distance: Point) -> Shape {
        switch self {
        case .disc(var disc):
            disc.center = disc.center + distance
            return .disc(disc)
        case .arc(var arc):
            arc.center = arc.center + distance
            return .arc(arc)
        case .stroke(var stroke):
            for index in stroke.nodes.indices {
                stroke.nodes[index].position = stroke.nodes[index].position + distance
            }
            return .stroke(stroke)
        // The inspector's alone, and placed for its own window.
        case .label: return self
        }
    }
}
