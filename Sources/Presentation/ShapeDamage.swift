package import Gestures
package import Pixman
package import Ripples

/// The pixels of a buffer that may differ between a picture of `old` and one of `new`.
///
/// A shape that is in both, in the same order among those that are in both, changes nothing. Labels are left out: see
/// ``PlacedLabels``.
///
/// `scale` is buffer pixels for one logical px, `origin` the buffer's top left corner in logical px.
package func damage(
    from old: [Shape], to new: [Shape], scale: Double, origin: Point = .zero, within size: PixelSize
) -> Region {
    var region = Region()
    if old == new { return region }
    let space = PixelSpace(scale: scale, origin: origin)
    var capsules: [Capsule] = []
    func add(_ shape: Shape) {
        forEachPart(of: shape, in: space, &capsules) { region.formUnion($0.intersection(size.rect)) }
    }
    forEachDifference(from: old, to: new, add)
    return region
}

/// Calls `body` with what is in one of both alone, and with both when two have changed places.
func forEachDifference<Element: Hashable>(from old: [Element], to new: [Element], _ body: (Element) -> Void) {
    let isOld = Membership(old)
    let isNew = Membership(new)
    var oldIndex = 0
    var newIndex = 0
    while oldIndex < old.count, newIndex < new.count {
        if old[oldIndex] == new[newIndex] {
            oldIndex += 1
            newIndex += 1
        } else if !isNew.contains(old[oldIndex]) {
            body(old[oldIndex])
            oldIndex += 1
        } else if !isOld.contains(new[newIndex]) {
            body(new[newIndex])
            newIndex += 1
        } else {
            // The order has changed.
            body(old[oldIndex])
            body(new[newIndex])
            oldIndex += 1
            newIndex += 1
        }
    }
    for element in old[oldIndex...] { body(element) }
    for element in new[newIndex...] { body(element) }
}

/// Tells whether a list holds an element. Few are compared one by one, which is sooner done than to hash them all.
private struct Membership<Element: Hashable> {
    private let list: [Element]
    private let set: Set<Element>?

    init(_ list: [Element]) {
        self.list = list
        set = list.count > 16 ? Set(list) : nil
    }

    func contains(_ element: Element) -> Bool { set?.contains(element) ?? list.contains(element) }
}

/// Calls `body` with rectangles that together hold all that a shape covers, and not much more.
///
/// `scale` is pixels for one logical px; the rectangles are in pixels from the surface's top left corner.
package func forEachPart(of shape: Shape, scale: Double, _ body: (PixelRect) -> Void) {
    var capsules: [Capsule] = []
    let isRigid =
        switch shape {
        case .disc(let disc): disc.isRigid
        case .stroke(let stroke): stroke.isRigid
        case .arc, .label: false
        }
    forEachPart(of: shape, in: PixelSpace(scale: scale, origin: .zero), &capsules) { part in
        guard isRigid else { return body(part) }
        // In the buffer, whose pixels may be others, it lies up to half a pixel beside its place.
        body(PixelRect(x: part.x - 1, y: part.y - 1, width: part.width + 2, height: part.height + 2))
    }
}

/// `capsules` is empty before and after; it is the caller's for its memory.
private func forEachPart(
    of shape: Shape, in space: PixelSpace, _ capsules: inout [Capsule], _ body: (PixelRect) -> Void
) {
    switch shape {
    case .disc(let disc):
        if let disc = PixelDisc(disc, in: space) { body(disc.bounds) }
    case .stroke(let stroke):
        if stroke.isRigid { return stroke.bounds(in: space).map(body) ?? () }
        guard stroke.appendCapsules(to: &capsules, in: space) else { return }
        for capsule in capsules { capsule.forEachPart { body($0) } }
        capsules.removeAll(keepingCapacity: true)
    case .arc(let arc): PixelArc(arc, in: space)?.forEachPart { body($0) }
    case .label: break
    }
}
