internal import Gestures
internal import Pixman
internal import Presentation
internal import Ripples

/// What is drawn above one window of an app: a container subsurface on it that is ours, and in it cells of a grid, as many
/// as the shapes touch. Only the container and the cells are ever committed, never a surface of the app.
final class Overlay {
    /// More cells than this are not shown at a time: the numbers and the memory of a connection are not endless.
    private static let cellLimit = 96
    /// Cells that are kept for the next touch.
    private static let spareLimit = 12
    /// A window that nobody sees gets no frame callback; what was to be taken away is taken away then, ns.
    private static let patience: Int64 = .milliseconds(500)

    private struct Place: Hashable {
        var column: Int
        var row: Int
    }

    let root: UInt32
    private let objects: OwnObjects
    private let forwarder: Forwarder
    private let surface: UInt32
    private let subsurface: UInt32
    private let emptyRegion: UInt32
    private var dot: WireBuffer?
    private var cells: [Place: Cell] = [:]
    private var spares: [Cell] = []
    private var isMapped = false
    private var frame: UInt32?
    private var frameSince = Instant(nanoseconds: 0)
    /// Something was shown at the last drawing and nothing is to be shown now: unmapped at the next.
    private var isClearing = false
    private(set) var isEnded = false

    /// The compositor asks for the next picture.
    var onFrame: (() -> Void)?

    /// To be made right after the app's own request that gives the root its role. Nil when no number is left.
    init?(above root: UInt32, _ objects: OwnObjects, _ forwarder: Forwarder) {
        guard objects.canDraw, objects.available >= 8, let compositor = objects.compositor,
            let subcompositor = objects.subcompositor, let surface = objects.take(), let subsurface = objects.take(),
            let region = objects.take()
        else { return nil }
        self.root = root
        self.objects = objects
        self.forwarder = forwarder
        self.surface = surface
        self.subsurface = subsurface
        emptyRegion = region
        let parent = forwarder.compositorID(root)
        forwarder.inject { requests in
            requests.message(compositor, 0, surface)
            requests.message(compositor, 1, region)
            requests.message(surface, 5, region)
            requests.message(subcompositor, 1, subsurface, surface, parent)
            requests.message(subsurface, 5)
        }
    }

    /// Before the app destroys the root.
    func destroy() {
        guard !isEnded else { return }
        isEnded = true
        for cell in cells.values { cell.destroy() }
        for cell in spares { cell.destroy() }
        cells.removeAll()
        spares.removeAll()
        dot?.discard()
        if let frame { objects.forget(frame) }
        forwarder.inject { requests in
            requests.message(subsurface, 0)
            requests.message(surface, 0)
            requests.message(emptyRegion, 0)
        }
    }

    /// Above the app's topmost subsurface, with the app's next commit.
    func restack(above sibling: UInt32) {
        let sibling = forwarder.compositorID(sibling)
        forwarder.inject { $0.message(subsurface, 2, sibling) }
    }

    /// The root's size or scale is another: cells lie otherwise. They are gone before the app's commit.
    func reset() {
        guard !cells.isEmpty || !spares.isEmpty else { return }
        for cell in cells.values { cell.destroy() }
        for cell in spares { cell.destroy() }
        cells.removeAll()
        spares.removeAll()
        if isMapped { forwarder.inject { $0.message(surface, 6) } }
    }

    // MARK: Drawing

    /// When ``draw(_:size:scale120:isAnimating:now:)`` has something to do though no frame callback came; nil for never.
    var deadline: Instant? { frame != nil && isClearing ? frameSince + Overlay.patience : nil }

    /// Shows `shapes`, which lie in `bounds` of the root if any. Does nothing while the compositor has not asked for another
    /// picture, but for a window that it seems not to show at all.
    func draw(
        _ shapes: [Shape], within bounds: Size?, scale120: Int32, isAnimating: Bool, now: Instant
    ) throws(PresentationError) {
        if isEnded { return }
        if let frame {
            guard now - frameSince >= Overlay.patience else { return }
            objects.forget(frame)
            self.frame = nil
        }
        if isClearing, shapes.isEmpty { return unmap() }
        var wanted: [Place: [Shape]] = [:]
        for shape in shapes {
            forEachPlace(shape, within: bounds) { place in
                guard wanted[place] != nil || wanted.count < Overlay.cellLimit else { return }
                // A shape of many parts comes to a cell once.
                if wanted[place]?.last != shape { wanted[place, default: []].append(shape) }
            }
        }
        var isChanged = false
        for (place, cell) in cells where wanted[place] == nil {
            if try cell.draw([]) {
                isChanged = true
            } else if !cell.composer.isDirty {
                // It has been clear for a frame: some compositors leave the picture of what is unmapped at once.
                cell.unmap()
                cells[place] = nil
                if spares.count < Overlay.spareLimit { spares.append(cell) } else { cell.destroy() }
                isChanged = true
            }
        }
        for (place, shapes) in wanted {
            guard let cell = cells[place] ?? makeCell(place, within: bounds, scale120) else { continue }
            if try cell.draw(shapes) { isChanged = true }
        }
        isClearing = shapes.isEmpty && isMapped
        guard isChanged || isAnimating && !shapes.isEmpty else { return }
        try map()
        if isAnimating || isClearing || cells.contains(where: { wanted[$0.key] == nil }) { requestFrame(now) }
        forwarder.inject { $0.message(surface, 6) }
    }

    private func forEachPlace(_ shape: Shape, within bounds: Size?, _ body: (Place) -> Void) {
        forEachPart(of: shape, scale: 1) { part in
            var (left, top) = (Double(part.x), Double(part.y))
            var (right, bottom) = (Double(part.right), Double(part.bottom))
            if let bounds {
                (left, top) = (max(0, left), max(0, top))
                (right, bottom) = (min(bounds.width, right), min(bounds.height, bottom))
            }
            guard left < right, top < bottom, right - left < 1e5, bottom - top < 1e5 else { return }
            // The last column and row are those of the last pixel that is covered.
            let columns = Int((left / Cell.side).rounded(.down))...Int(((right - 1) / Cell.side).rounded(.down))
            let rows = Int((top / Cell.side).rounded(.down))...Int(((bottom - 1) / Cell.side).rounded(.down))
            for row in rows { for column in columns { body(Place(column: column, row: row)) } }
        }
    }

    private func makeCell(_ place: Place, within bounds: Size?, _ scale120: Int32) -> Cell? {
        var area = Rect(
            x: Double(place.column) * Cell.side, y: Double(place.row) * Cell.side, width: Cell.side, height: Cell.side)
        if let bounds {
            area.width = min(area.width, bounds.width.rounded(.down) - area.x)
            area.height = min(area.height, bounds.height.rounded(.down) - area.y)
            guard area.x >= 0, area.y >= 0, area.width >= 1, area.height >= 1 else { return nil }
        }
        guard let cell = spares.popLast() ?? Cell(on: surface, emptyRegion: emptyRegion, objects, forwarder) else {
            return nil
        }
        // Without a viewport only whole scales can be had.
        cell.place(at: area, scale120: cell.viewport == nil ? (scale120 + 119) / 120 * 120 : scale120)
        cells[place] = cell
        return cell
    }

    private func map() throws(PresentationError) {
        if isMapped { return }
        if dot == nil {
            dot = try WireBuffer(PixelSize(width: 1, height: 1), objects, forwarder)
            dot?.setReleaseHandler {}
        }
        guard let dot else { return }
        isMapped = true
        forwarder.inject { requests in
            requests.message(surface, 1, dot.id, 0, 0)
            requests.message(surface, 2, 0, 0, 1, 1)
        }
    }

    /// The container goes, with all cells in it: nothing is left for the compositor to blend.
    private func unmap() {
        isClearing = false
        for cell in cells.values {
            cell.unmap()
            if spares.count < Overlay.spareLimit { spares.append(cell) } else { cell.destroy() }
        }
        cells.removeAll()
        guard isMapped else { return }
        isMapped = false
        forwarder.inject { requests in
            requests.message(surface, 6)
            requests.message(surface, 1, 0, 0, 0)
            requests.message(surface, 6)
        }
    }

    /// The compositor asks for the next picture.
    func receiveFrame(_ id: UInt32) {
        if id == frame { frame = nil }
        onFrame?()
    }

    private func requestFrame(_ now: Instant) {
        guard let id = objects.take() else { return }
        objects.listen(to: id, .overlay(self))
        frame = id
        frameSince = now
        forwarder.inject { $0.message(surface, 3, id) }
    }
}
