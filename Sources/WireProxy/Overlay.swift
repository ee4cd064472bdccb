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

    private struct Place: Hashable, Comparable {
        var column: Int
        var row: Int

        static func < (a: Place, b: Place) -> Bool { (a.row, a.column) < (b.row, b.column) }
    }

    let root: UInt32
    private let objects: OwnObjects
    private let forwarder: Forwarder
    private let surface: UInt32
    private let subsurface: UInt32
    private let emptyRegion: UInt32
    private let drawing = SurfaceDrawing()
    private var dot: WireBuffer?
    private var cells: [Place: Cell] = [:]
    private var spares: [Cell] = []
    private var isMapped = false
    private var frame: UInt32?
    private var frameSince = Instant(nanoseconds: 0)
    /// Where the newest shape was: there is a finger, so that part of the window is on the screen. Its cell's frame callbacks
    /// set the pace; mutter answers none of a surface beyond the screen's edge, where the container may well lie.
    private var pace: Place?
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
        if let frame { objects.forget(frame) }
        frame = nil
        guard !cells.isEmpty || !spares.isEmpty else { return }
        for cell in cells.values { cell.destroy() }
        for cell in spares { cell.destroy() }
        cells.removeAll()
        spares.removeAll()
        if isMapped { forwarder.inject { $0.message(surface, 6) } }
    }

    // MARK: Drawing

    /// When there is something to draw though no frame callback came; nil for never.
    var deadline: Instant? { frame != nil ? frameSince + Overlay.patience : nil }

    /// Shows `shapes` on a root of this size, logical px, and with `isClipped` nothing beyond it. Does nothing while the
    /// compositor has not asked for another picture, but for a window that it seems not to show at all.
    func draw(
        _ shapes: [Shape], on size: Size?, isClipped: Bool, scale120: Int32, isAnimating: Bool, now: Instant
    ) throws(PresentationError) {
        if isEnded { return }
        if let frame {
            guard now - frameSince >= Overlay.patience else { return }
            objects.forget(frame)
            self.frame = nil
        }
        if isClearing, shapes.isEmpty { return unmap() }
        let bounds = isClipped ? size : nil
        let wanted = distribute(shapes, on: size, within: bounds, scale120)
        var isChanged = try clearOthers(than: wanted)
        for place in wanted.keys.sorted() {
            guard let cell = cells[place] ?? makeCell(place, within: bounds, scale120) else { continue }
            if try cell.draw(wanted[place] ?? []) { isChanged = true }
        }
        isClearing = shapes.isEmpty && isMapped
        guard isChanged || isAnimating && !shapes.isEmpty else { return }
        try map()
        if let place = shapes.last.flatMap(middle), cells[place] != nil { pace = place }
        requestFrame(now)
        forwarder.inject { $0.message(surface, 6) }
    }

    /// The shapes that each cell shows.
    private func distribute(
        _ shapes: [Shape], on size: Size?, within bounds: Size?, _ scale120: Int32
    ) -> [Place: [Shape]] {
        var wanted: [Place: [Shape]] = [:]
        func add(_ part: PixelRect, _ shape: Shape?) {
            forEachPlace(part, within: bounds) { place in
                guard wanted[place] != nil || wanted.count < Overlay.cellLimit else { return }
                let isThere = shape == nil || wanted[place]?.last == shape
                // A shape of many parts comes to a cell once; a label needs the cell alone.
                wanted[place, default: []] += isThere ? [] : [shape].compactMap { $0 }
            }
        }
        for shape in shapes { forEachPart(of: shape, scale: 1) { add($0, shape) } }
        let scale = Double(scale120) / 120
        if let size {
            drawing.placeLabels(
                of: shapes,
                on: PixelSize(
                    width: Int32(min(size.width * scale, 32767)), height: Int32(min(size.height * scale, 32767))),
                scale: scale)
        }
        for plate in drawing.plates {
            add(
                PixelRect(
                    left: Int32((Double(plate.x) / scale).rounded(.down)),
                    top: Int32((Double(plate.y) / scale).rounded(.down)),
                    right: Int32((Double(plate.right) / scale).rounded(.up)),
                    bottom: Int32((Double(plate.bottom) / scale).rounded(.up))), nil)
        }
        return wanted
    }

    /// Clears the cells that nothing is shown in, and takes those from the screen that have been clear for a frame: some
    /// compositors leave the picture of what is unmapped at once. True when something has changed.
    private func clearOthers(than wanted: [Place: [Shape]]) throws(PresentationError) -> Bool {
        var isChanged = false
        for place in cells.keys.sorted() where wanted[place] == nil {
            guard let cell = cells[place] else { continue }
            if try cell.draw([]) {
                isChanged = true
            } else if !cell.composer.isDirty {
                retire(cell)
                cells[place] = nil
                isChanged = true
            }
        }
        return isChanged
    }

    private func retire(_ cell: Cell) {
        cell.unmap()
        if spares.count < Overlay.spareLimit { spares.append(cell) } else { cell.destroy() }
    }

    private func forEachPlace(_ part: PixelRect, within bounds: Size?, _ body: (Place) -> Void) {
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

    private func makeCell(_ place: Place, within bounds: Size?, _ scale120: Int32) -> Cell? {
        var area = Rect(
            x: Double(place.column) * Cell.side, y: Double(place.row) * Cell.side, width: Cell.side, height: Cell.side)
        if let bounds {
            area.width = min(area.width, bounds.width.rounded(.down) - area.x)
            area.height = min(area.height, bounds.height.rounded(.down) - area.y)
            guard area.x >= 0, area.y >= 0, area.width >= 1, area.height >= 1 else { return nil }
        }
        guard let cell = spares.popLast() ?? Cell(on: surface, emptyRegion: emptyRegion, drawing, objects, forwarder) else {
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
        for place in cells.keys.sorted() { if let cell = cells[place] { retire(cell) } }
        cells.removeAll()
        guard isMapped else { return }
        isMapped = false
        forwarder.inject { requests in
            requests.message(surface, 6)
            requests.message(surface, 1, 0, 0, 0)
            requests.message(surface, 6)
        }
    }

    /// The place in the middle of a shape; nil when it is empty or far away.
    private func middle(of shape: Shape) -> Place? {
        var box: PixelRect?
        forEachPart(of: shape, scale: 1) { part in
            let other = box ?? part
            box = PixelRect(
                left: min(other.x, part.x), top: min(other.y, part.y), right: max(other.right, part.right),
                bottom: max(other.bottom, part.bottom))
        }
        guard let box else { return nil }
        let (x, y) = ((Double(box.x) + Double(box.right)) / 2, (Double(box.y) + Double(box.bottom)) / 2)
        guard abs(x) < 1e5, abs(y) < 1e5 else { return nil }
        return Place(column: Int((x / Cell.side).rounded(.down)), row: Int((y / Cell.side).rounded(.down)))
    }

    private func requestFrame(_ now: Instant) {
        var id: UInt32?
        id = objects.take { [unowned(unsafe) self] _, _ in
            // SAFETY: destroy() takes the handler away, and the owner destroys before it lets go.
            unsafe self.frame = nil
            unsafe self.onFrame?()
        }
        guard let id else { return }
        frame = id
        frameSince = now
        let paced = pace.flatMap { cells[$0] } ?? cells.keys.min().flatMap { cells[$0] }
        guard let paced, paced.isMapped else { return forwarder.inject { $0.message(surface, 3, id) } }
        forwarder.inject { requests in
            requests.message(paced.surface, 3, id)
            requests.message(paced.surface, 6)
        }
    }
}
