package import Gestures
package import Pixman
package import Ripples

/// Turns shapes into buffers to commit, and repaints only what it must. Knows nothing of Wayland.
package final class FrameComposer<Storage: BufferStorage> {
    package enum Outcome {
        /// Commit this, with this damage in buffer pixels.
        case frame(Storage, damage: Region)
        /// No pixel has changed.
        case unchanged
        /// The compositor holds all buffers. What there is to draw stays to be drawn.
        case noBuffer
    }

    /// From the lowest to the topmost.
    package var shapes: [Shape] = []

    package var background: PremultipliedColor {
        didSet { if background != oldValue { setNeedsRedraw() } }
    }

    /// Lies under everything in place of the background; of the buffer's size.
    package var ground: Image? {
        didSet { if ground !== oldValue { setNeedsRedraw() } }
    }

    /// Of the buffer; empty until the first ``resize(to:scale:)``.
    package private(set) var size = PixelSize(width: 0, height: 0)
    /// Buffer pixels for one logical px.
    package private(set) var scale = 1.0
    /// The buffer's top left corner, in the logical px of the shapes.
    package var origin = Point.zero {
        didSet { if origin != oldValue { setNeedsRedraw() } }
    }
    package let buffers = BufferSet<Storage>()

    /// What the last frame showed.
    private var shownShapes: [Shape] = []
    /// What has changed since the last frame other than by shapes.
    private var pending = Region()
    private var shownLabels: [PlacedLabel] = []
    private let drawing: SurfaceDrawing
    /// False when the buffer is one piece of a surface of which somebody else places the labels.
    private let isWhole: Bool

    /// - Parameter drawing: given for a piece of a surface, whose owner places the labels before each frame.
    package init(background: PremultipliedColor, drawing: SurfaceDrawing? = nil) {
        self.background = background
        self.drawing = drawing ?? SurfaceDrawing()
        isWhole = drawing == nil
    }

    /// Why labels are not drawn; nil when they are, and before the first one.
    package var textFailure: String? { drawing.textFailure }

    /// Makes the next frame a whole one, unless nothing has changed.
    package func resize(to size: PixelSize, scale: Double) {
        if size == self.size, scale == self.scale { return }
        self.size = size
        self.scale = scale
        setNeedsRedraw()
    }

    /// Makes the next frame a whole one.
    package func setNeedsRedraw() { pending = Region(size.rect) }

    /// Whether ``compose(make:)`` has something to do.
    package var isDirty: Bool {
        if size.isEmpty { return false }
        // Of a whole surface the labels follow from the shapes.
        return !pending.isEmpty || shapes != shownShapes || !isWhole && labels != shownLabels
    }

    private var labels: [PlacedLabel] {
        drawing.labels(
            from: (Int32((origin.x * scale).rounded()), Int32((origin.y * scale).rounded())), size: size)
    }

    /// Draws the next frame into an idle buffer, or into a new one from `make`.
    package func compose(make: (PixelSize) throws(PresentationError) -> Storage) throws(PresentationError) -> Outcome {
        if isWhole { drawing.placeLabels(of: shapes, on: size, scale: scale) }
        let labels = labels
        var damage = pending
        damage.formUnion(Presentation.damage(from: shownShapes, to: shapes, scale: scale, origin: origin, within: size))
        forEachDifference(from: shownLabels, to: labels) { damage.formUnion($0.plate.intersection(size.rect)) }
        if damage.isEmpty {
            shownShapes = shapes
            shownLabels = labels
            return .unchanged
        }
        guard let buffer = try buffers.acquire(size, make: make) else { return .noBuffer }
        var region = damage
        region.formUnion(buffer.stale)
        let isNew = buffer.isNew
        buffer.draw { image in
            if let ground { image.copy(ground, in: region) }
            drawing.painter.paint(
                shapes, on: image, region: region, background: ground == nil ? background : .clear, scale: scale,
                origin: origin, groundIsClear: isNew || ground != nil)
            drawing.text.draw(labels, on: image, region: region, scale: scale)
        }
        shownShapes = shapes
        shownLabels = labels
        pending = Region()
        return .frame(buffer.commit(damage: damage), damage: damage)
    }
}
