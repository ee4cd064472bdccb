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

    /// Of the buffer; empty until the first ``resize(to:scale:)``.
    package private(set) var size = PixelSize(width: 0, height: 0)
    /// Buffer pixels for one logical px.
    package private(set) var scale = 1.0
    package let buffers = BufferSet<Storage>()

    /// What the last frame showed.
    private var shownShapes: [Shape] = []
    /// What has changed since the last frame other than by shapes.
    private var pending = Region()
    private let painter = ShapePainter()
    private let text = TextRenderer()
    private var labels = PlacedLabels()
    private var shownLabels: [PlacedLabel] = []

    package init(background: PremultipliedColor) { self.background = background }

    /// Why labels are not drawn; nil when they are, and before the first one.
    package var textFailure: String? { text.failure }

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
    package var isDirty: Bool { !size.isEmpty && (!pending.isEmpty || shapes != shownShapes) }

    /// Draws the next frame into an idle buffer, or into a new one from `make`.
    package func compose(make: (PixelSize) throws(PresentationError) -> Storage) throws(PresentationError) -> Outcome {
        var damage = pending
        damage.formUnion(Presentation.damage(from: shownShapes, to: shapes, scale: scale, within: size))
        labels.place(shapes, on: size, scale: scale, text)
        forEachDifference(from: shownLabels, to: labels.all) { damage.formUnion($0.plate) }
        if damage.isEmpty {
            shownShapes = shapes
            shownLabels = labels.all
            return .unchanged
        }
        guard let buffer = try buffers.acquire(size, make: make) else { return .noBuffer }
        var region = damage
        region.formUnion(buffer.stale)
        let isNew = buffer.isNew
        buffer.draw { image in
            painter.paint(
                shapes, on: image, region: region, background: background, scale: scale, groundIsClear: isNew)
            text.draw(labels.all, on: image, region: region, scale: scale)
        }
        shownShapes = shapes
        shownLabels = labels.all
        pending = Region()
        return .frame(buffer.commit(damage: damage), damage: damage)
    }
}
