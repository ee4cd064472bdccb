internal import Gestures
internal import Pixman
internal import Presentation
internal import Ripples

/// One piece of what is drawn above a window: a subsurface of our container, at a place of its own that never changes while
/// it is shown.
final class Cell {
    let surface: UInt32
    let subsurface: UInt32
    let viewport: UInt32?
    private(set) var area = Rect.empty
    private(set) var isMapped = false
    /// It shows nothing any more, or is about to: taken from the screen with the next picture.
    var isLeaving = false
    let composer: FrameComposer<WireBuffer>
    private let objects: OwnObjects
    private let forwarder: Forwarder
    /// Something is to be committed.
    private(set) var hasNews = false
    /// Not all of its buffers is shown.
    private var hasSource = false

    /// Nil when no number is left.
    init?(
        on container: UInt32, emptyRegion: UInt32, _ drawing: SurfaceDrawing, _ objects: OwnObjects,
        _ forwarder: Forwarder
    ) {
        guard let compositor = objects.compositor, let subcompositor = objects.subcompositor, objects.available >= 3,
            let surface = objects.take(), let subsurface = objects.take()
        else { return nil }
        composer = FrameComposer(background: .clear, drawing: drawing)
        self.surface = surface
        self.subsurface = subsurface
        self.objects = objects
        self.forwarder = forwarder
        viewport = objects.viewporter == nil ? nil : objects.take()
        forwarder.inject { requests in
            requests.message(compositor, 0, surface)
            requests.message(surface, 5, emptyRegion)
            requests.message(subcompositor, 1, subsurface, surface, container)
            if let viewport, let viewporter = objects.viewporter { requests.message(viewporter, 1, viewport, surface) }
        }
    }

    /// Gives it a place, logical px from the window's surface's corner; while it is not shown.
    func place(at area: Rect, scale120: Int32) {
        self.area = area
        // In whole numbers: 180 px at 162/120 are not a pixel more than 243.
        let (width, height) = (Int32(area.width) * scale120, Int32(area.height) * scale120)
        composer.origin = area.origin
        composer.resize(
            to: PixelSize(width: (width + 119) / 120, height: (height + 119) / 120), scale: Double(scale120) / 120)
        composer.setNeedsRedraw()
        forwarder.inject { requests in
            requests.message(
                subsurface, 1, UInt32(bitPattern: Int32(area.x)), UInt32(bitPattern: Int32(area.y)))
            if let viewport {
                requests.message(viewport, 2, UInt32(area.width), UInt32(area.height))
                placeSource(width, height, of: viewport, &requests)
            } else if objects.compositorVersion >= 3 {
                requests.message(surface, 8, UInt32(max(1, scale120 / 120)))
            }
        }
    }

    /// Where the window's edge is within a buffer px, that px is shown in part, and not all others squeezed. The lengths are
    /// in 120ths of a buffer px.
    private func placeSource(_ width: Int32, _ height: Int32, of viewport: UInt32, _ requests: inout MessageWriter) {
        let isPart = width % 120 != 0 || height % 120 != 0
        guard isPart || hasSource else { return }
        hasSource = isPart
        /// 24.8 fixed point; -1 for all of it.
        func fixed(_ value: Double) -> UInt32 { UInt32(bitPattern: Int32(value * 256)) }
        if isPart {
            requests.message(
                viewport, 1, 0, 0, fixed(Double(width) / 120), fixed(Double(height) / 120))
        } else {
            requests.message(viewport, 1, fixed(-1), fixed(-1), fixed(-1), fixed(-1))
        }
    }

    /// Draws what has changed, which is to be committed. False when nothing has changed or nothing can be drawn now.
    func draw(_ shapes: [Shape]) throws(PresentationError) -> Bool {
        composer.shapes = shapes
        guard composer.isDirty else { return false }
        let outcome: FrameComposer<WireBuffer>.Outcome
        do throws(PresentationError) {
            outcome = try composer.compose { (size) throws(PresentationError) in
                try WireBuffer(size, objects, forwarder)
            }
        } catch {
            // Numbers come back as objects go; memory that is not there is another matter.
            if error == .outOfObjects { return false }
            throw error
        }
        guard case .frame(let buffer, let damage) = outcome else { return false }
        isMapped = true
        hasNews = true
        forwarder.inject { requests in
            requests.message(surface, 1, buffer.id, 0, 0)
            for rect in damage.rects {
                let (opcode, rect) = objects.compositorVersion >= 4 ? (UInt16(9), rect) : (UInt16(2), wholeArea)
                requests.message(
                    surface, opcode, UInt32(bitPattern: rect.x), UInt32(bitPattern: rect.y), UInt32(rect.width),
                    UInt32(rect.height))
            }
        }
        return true
    }

    /// Asks for a frame callback, which comes when the commit is seen.
    func requestFrame(_ callback: UInt32) {
        hasNews = true
        forwarder.inject { $0.message(surface, 3, callback) }
    }

    /// Commits what is new, once: wlroots takes a commit that another one follows for one that is never seen. It is seen
    /// with the container's next commit.
    func commitNews() {
        guard hasNews else { return }
        hasNews = false
        forwarder.inject { $0.message(surface, 6) }
    }

    /// Of the surface, logical px.
    private var wholeArea: PixelRect {
        PixelRect(left: 0, top: 0, right: Int32(area.width), bottom: Int32(area.height))
    }

    /// Takes it from the screen with the container's next commit.
    func unmap() {
        guard isMapped else { return }
        isMapped = false
        isLeaving = false
        hasNews = false
        composer.shapes = []
        composer.setNeedsRedraw()
        forwarder.inject { requests in
            requests.message(surface, 1, 0, 0, 0)
            requests.message(surface, 6)
        }
    }

    func destroy() {
        forwarder.inject { requests in
            if let viewport { requests.message(viewport, 0) }
            requests.message(subsurface, 0)
            requests.message(surface, 0)
        }
        composer.buffers.discardAll()
    }
}
