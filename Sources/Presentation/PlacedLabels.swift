internal import Pixman
internal import Ripples

/// A label and where its plate lies, in buffer pixels: all pixels that it touches.
struct PlacedLabel: Hashable {
    var label: Label
    var plate: PixelRect
}

/// The labels among some shapes, placed. Placing measures text, so it is done anew only when something has changed.
struct PlacedLabels {
    /// In their order; those that cannot be drawn or seen are left out.
    private(set) var all: [PlacedLabel] = []

    private var labels: [Label] = []
    /// Of the whole, buffer pixels.
    var surfaceSize: PixelSize { surface }
    private var surface = PixelSize(width: 0, height: 0)
    private var scale = 0.0

    mutating func place(_ shapes: [Shape], on surface: PixelSize, scale: Double, _ text: TextRenderer) {
        var labels: [Label] = []
        for case .label(let label) in shapes { labels.append(label) }
        if labels == self.labels, surface == self.surface, scale == self.scale { return }
        self.labels = labels
        self.surface = surface
        self.scale = scale
        var drawable: [Label] = []
        var sizes: [PixelSize] = []
        for label in labels {
            guard let size = text.plateSize(of: label, scale: scale) else { continue }
            drawable.append(label)
            sizes.append(size)
        }
        let plates = LabelLayout(surface: surface, scale: scale).place(drawable, sizes: sizes)
        all = zip(drawable, plates).compactMap { $1.isEmpty ? nil : PlacedLabel(label: $0, plate: $1) }
    }
}
