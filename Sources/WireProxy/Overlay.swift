internal import Gestures
internal import Inspection
internal import Pixman
internal import Presentation
internal import Ripples

/// What is drawn above one window of an app: a container subsurface on it that is ours, and in it cells of a grid, as many
/// as the shapes touch. Only the container and the cells are ever committed, never a surface of the app.
final class Overlay {
    /// More cells than this are not shown at a time: the numbers and the memory of a connection are not endless.
    private static let cellLimit = 96
    /// Cells that are kept for the next touch.
    private static let spareLimit = 4
    /// A window that nobody sees gets no frame callback; what there is to do is done then, ns.
    private static let patience: Int64 = .milliseconds(500)
    /// Frame callbacks that may be late at a time. One that is lost must not make every later wave slow.
    private static let frameLimit = 4
    /// How many are to be free for one: it takes three, and its first picture the others.
    static let numbers = 8

    let root: UInt32
    private let objects: OwnObjects
    private let forwarder: Forwarder
    private let surface: UInt32
    private let subsurface: UInt32
    private let emptyRegion: UInt32
    private let drawing = SurfaceDrawing()
    private var dot: WireBuffer?
    private var cells = PlaceList<Cell>()
    private var spares: [Cell] = []
    private var grid = CellGrid()
    private var isMapped = false
    /// The frame callbacks that have not come, and the surfaces that they were asked for.
    private var frames: [(id: UInt32, surface: UInt32)] = []
    /// Until when the next picture waits for a frame callback; nil when there is none to wait for.
    private(set) var deadline: Instant?
    /// Where the newest shape was: there is a finger, so that part of the window is on the screen. Its cell's frame callbacks
    /// set the pace; mutter answers none of a surface beyond the screen's edge, where the container may well lie.
    private var pace: CellGrid.Place?
    /// Something was shown at the last drawing and nothing is to be shown now: unmapped at the next.
    private var isClearing = false
    private(set) var isEnded = false
    var isShown: Bool { isMapped && !cells.isEmpty }
    /// Something of what is to be shown could not be drawn: the compositor has all buffers.
    private(set) var isBehind = false

    /// The compositor asks for the next picture.
    var onFrame: (() -> Void)?
    /// Something else is shown with the commit that is about to go out. What is returned is told what becomes of it.
    var willCommit: ((Instant) -> ((PresentationOutcome) -> Void)?)?

    /// To be made right after the app's own request that gives the root its role. Nil when no number is left.
    init?(above root: UInt32, _ objects: OwnObjects, _ forwarder: Forwarder) {
        guard objects.canDraw, objects.available >= Overlay.numbers, let compositor = objects.compositor,
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
        destroyCells()
        for frame in frames { objects.forget(frame.id) }
        frames.removeAll()
        deadline = nil
        forwarder.inject { requests in
            requests.message(subsurface, 0)
            requests.message(surface, 0)
            requests.message(emptyRegion, 0)
        }
        dot?.discard()
        dot = nil
    }

    /// Above the app's topmost subsurface, with the app's next commit.
    func restack(above sibling: UInt32) {
        let sibling = forwarder.compositorID(sibling)
        forwarder.inject { $0.message(subsurface, 2, sibling) }
    }

    /// The root's size or scale is another: cells lie otherwise. They are gone before the app's commit.
    func reset() {
        guard !cells.isEmpty || !spares.isEmpty else { return }
        destroyCells()
        if isMapped { forwarder.inject { $0.message(surface, 6) } }
        // What was shown is shown again at once, with the app's new picture.
        deadline = nil
    }

    private func destroyCells() {
        for entry in cells.entries { destroy(entry.value) }
        for cell in spares { destroy(cell) }
        cells.removeAll()
        spares.removeAll()
    }

    // MARK: Drawing

    /// Whether the compositor is still to ask for the next picture.
    func isWaiting(at now: Instant) -> Bool { deadline.map { now < $0 } ?? false }

    /// Shows `shapes` on a root of this size, and nothing beyond `bounds`, logical px. Does nothing while the compositor has
    /// not asked for another picture, but for a window that it seems not to show at all.
    func draw(
        _ shapes: [Shape], on size: Size?, within bounds: Rect, scale120: Int32, isAnimating: Bool, now: Instant
    ) throws(PresentationError) {
        if isEnded || isWaiting(at: now) { return }
        deadline = nil
        isBehind = false
        if isClearing, shapes.isEmpty { return unmap() }
        if cells.isEmpty { grid = CellGrid(around: shapes.last, scale120: scale120) }
        let (wanted, newest) = distribute(shapes, on: size, within: bounds, scale120)
        var (isChanged, isUnfinished) = try clearOthers(than: wanted)
        for part in wanted.entries {
            guard let cell = cells[part.place] ?? makeCell(part.place, within: bounds, scale120) else { continue }
            cell.isLeaving = false
            if try cell.draw(part.value.shapes) { isChanged = true }
            // The compositor has all its buffers: the next frame may find one.
            if cell.composer.isDirty { isBehind = true }
        }
        if isBehind { isUnfinished = true }
        isClearing = shapes.isEmpty && isMapped
        guard isChanged || isUnfinished || isClearing || isAnimating && !shapes.isEmpty else { return }
        try map()
        if let newest, cells.index(of: newest) != nil { pace = newest }
        requestFeedback(now)
        requestFrame(now)
        for entry in cells.entries { entry.value.commitNews() }
        forwarder.inject { $0.message(surface, 6) }
    }

    /// Why labels are not drawn; nil when they are, and before the first one.
    var textFailure: String? { drawing.textFailure }

    /// What one cell is to show.
    private struct Part {
        var shapes: [Shape] = []
        /// Which of all the shapes it has got last; -1 for none.
        var last = -1
    }

    /// The shapes that each cell shows, and where the newest of all is.
    private func distribute(
        _ shapes: [Shape], on size: Size?, within bounds: Rect, _ scale120: Int32
    ) -> (wanted: PlaceList<Part>, newest: CellGrid.Place?) {
        var wanted = PlaceList<Part>()
        if shapes.isEmpty { return (wanted, nil) }
        /// The index of a shape, or -1 for a label, which needs the cell alone.
        func add(_ part: PixelRect, _ shape: Int) {
            grid.forEachPlace(part, within: bounds) { place in
                guard let index = wanted.index(of: place, adding: Part(), upTo: Overlay.cellLimit), shape >= 0
                else { return }
                wanted.change(at: index) { part in
                    // A shape of many parts comes to a cell once.
                    if part.last == shape { return }
                    part.last = shape
                    part.shapes.append(shapes[shape])
                }
            }
        }
        var box = PixelRect.empty
        for index in shapes.indices {
            box = .empty
            forEachPart(of: shapes[index], scale: 1) { part in
                add(part, index)
                box = box.union(part)
            }
        }
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
                    bottom: Int32((Double(plate.bottom) / scale).rounded(.up))), -1)
        }
        return (wanted, grid.place(inMiddleOf: box))
    }

    /// Clears the cells that nothing is shown in, and takes those from the screen that have been clear for a frame: some
    /// compositors leave the picture of what is unmapped at once. Unfinished while there is a cell to be taken away.
    private func clearOthers(
        than wanted: PlaceList<Part>
    ) throws(PresentationError) -> (isChanged: Bool, isUnfinished: Bool) {
        var isChanged = false
        var isUnfinished = false
        for entry in cells.entries where wanted.index(of: entry.place) == nil {
            let cell = entry.value
            // Also when no buffer was there to clear it with: it does not stay for ever.
            if cell.isLeaving || !cell.isMapped {
                retire(cell)
                cells[entry.place] = nil
                isChanged = true
            } else {
                cell.isLeaving = true
                if try cell.draw([]) { isChanged = true }
                isUnfinished = true
            }
        }
        return (isChanged, isUnfinished)
    }

    private func retire(_ cell: Cell) {
        cell.unmap()
        // A frame callback that was not answered ends with its surface alone.
        let isAwaited = frames.contains { $0.surface == cell.surface }
        if isAwaited || spares.count == Overlay.spareLimit { destroy(cell) } else { spares.append(cell) }
    }

    private func destroy(_ cell: Cell) {
        stopWaiting(for: cell)
        cell.destroy()
    }

    /// A cell that is not shown gets no frame callback any more.
    private func stopWaiting(for cell: Cell) {
        for frame in frames where frame.surface == cell.surface { objects.forget(frame.id) }
        frames.removeAll { $0.surface == cell.surface }
    }

    private func makeCell(_ place: CellGrid.Place, within bounds: Rect, _ scale120: Int32) -> Cell? {
        guard let area = grid.area(of: place, within: bounds) else { return nil }
        guard let cell = spares.popLast() ?? Cell(on: surface, emptyRegion: emptyRegion, drawing, objects, forwarder)
        else {
            return nil
        }
        // Without a viewport only whole scales can be had, and with an old compositor none.
        let wholeScale = objects.compositorVersion >= 3 ? (scale120 + 119) / 120 * 120 : 120
        cell.place(at: area, scale120: cell.viewport == nil ? wholeScale : scale120)
        cells[place] = cell
        return cell
    }

    private func map() throws(PresentationError) {
        if isMapped { return }
        if dot == nil, objects.available >= 2 {
            dot = try WireBuffer(PixelSize(width: 1, height: 1), objects, forwarder)
        }
        // Numbers come back as objects go.
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
        deadline = nil
        for entry in cells.entries { retire(entry.value) }
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
        frames.removeAll { $0.id == id }
        deadline = nil
        onFrame?()
    }

    /// The frame callback will not come, unless it has come.
    func loseFrame(_ id: UInt32) { frames.removeAll { $0.id == id } }

    private func requestFrame(_ now: Instant) {
        deadline = now + Overlay.patience
        guard frames.count < Overlay.frameLimit, let id = objects.take() else { return }
        objects.listen(to: id, .overlay(self))
        guard let paced, paced.isMapped else {
            frames.append((id, surface))
            return forwarder.inject { $0.message(surface, 3, id) }
        }
        frames.append((id, paced.surface))
        paced.requestFrame(id)
    }

    /// The cell with the newest shape, or one that there is.
    private var paced: Cell? { pace.flatMap { cells[$0] } ?? cells.entries.first?.value }

    /// Asks what becomes of what is new, by the cell with the newest of it.
    private func requestFeedback(_ now: Instant) {
        let newest = paced.flatMap { $0.hasNews ? $0 : nil } ?? cells.entries.first { $0.value.hasNews }?.value
        guard let newest, let answer = willCommit?(now) else { return }
        objects.requestFeedback(newest.surface, answer)
    }
}
