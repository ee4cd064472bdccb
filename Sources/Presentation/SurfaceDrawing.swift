package import Pixman
package import Ripples

/// What the buffers of one surface are drawn with: the painter, the text, and where the labels stand. A surface in one piece
/// has one buffer; one that is shown in pieces shares this among them, so that labels are placed on the whole.
package final class SurfaceDrawing {
    let painter = ShapePainter()
    let text = TextRenderer()
    private var labels = PlacedLabels()

    package init() {}

    /// Why labels are not drawn; nil when they are, and before the first one.
    package var textFailure: String? { text.failure }

    /// Places the labels among `shapes` on the whole surface, `size` in buffer pixels.
    package func placeLabels(of shapes: [Shape], on size: PixelSize, scale: Double) {
        labels.place(shapes, on: size, scale: scale, text)
    }

    /// The labels' plates, in buffer pixels from the surface's top left corner.
    package var plates: [PixelRect] { labels.all.map { $0.plate } }

    /// The labels that touch the part of the surface that begins at `origin` in buffer pixels, seen from there.
    func labels(from origin: (x: Int32, y: Int32), size: PixelSize) -> [PlacedLabel] {
        if origin == (0, 0), size.width >= labels.surfaceSize.width, size.height >= labels.surfaceSize.height {
            return labels.all
        }
        return labels.all.compactMap { label in
            var label = label
            label.plate.x -= origin.x
            label.plate.y -= origin.y
            return label.plate.intersection(size.rect).isEmpty ? nil : label
        }
    }
}
