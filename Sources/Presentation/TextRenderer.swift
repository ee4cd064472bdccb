internal import Pixman
internal import Ripples

/// Draws labels. Fonts are loaded when the first label of their size is measured, and none before.
final class TextRenderer {
    /// Why no label can be drawn; nil as long as nothing speaks against it.
    private(set) var failure: String?

    #if FCFT
        /// By pixel size. A surface has labels of few sizes; after that many it has changed its scale.
        private var fonts: [Int32: Font] = [:]
        private static let fontLimit = 4
        private let load: (Int32) -> Font?

        init(load: @escaping (Int32) -> Font? = { Font(pixelSize: $0) }) { self.load = load }

        private func font(_ label: Label, _ scale: Double) -> Font? {
            guard failure == nil, label.size > 0, label.size * scale < 1000 else { return nil }
            let size = max(1, Int32((label.size * scale).rounded()))
            if let font = fonts[size] { return font }
            guard let font = load(size) else {
                failure = "fontconfig has no font"
                return nil
            }
            if fonts.count == Self.fontLimit { fonts.removeAll() }
            fonts[size] = font
            return font
        }

        /// The size of a label's plate in buffer pixels; nil when it cannot be drawn.
        func plateSize(of label: Label, scale: Double) -> PixelSize? {
            guard let font = font(label, scale) else { return nil }
            let padding = Self.padding(label, scale)
            var width: Int32 = 0
            for line in label.lines { width = max(width, font.width(of: line)) }
            return PixelSize(
                width: width + 2 * padding.x, height: Int32(label.lines.count) * font.lineHeight + 2 * padding.y)
        }

        /// Draws the label on its plate, and nothing outside of it.
        private func draw(_ placed: PlacedLabel, on image: Image, within region: Region, scale: Double) {
            let label = placed.label
            let rect = placed.plate
            var clip = region
            clip.formIntersection(rect)
            guard !clip.isEmpty, let font = font(label, scale) else { return }
            image.setClip(clip)
            if label.plate.alpha > 0 { image.compositeOver(Ink(PremultipliedColor(label.plate)), in: rect) }
            let ink = Ink(PremultipliedColor(label.color))
            let padding = Self.padding(label, scale)
            var y = rect.y + padding.y
            for line in label.lines {
                font.draw(line, x: rect.x + padding.x, y: y, ink: ink, on: image)
                y += font.lineHeight
            }
        }

        /// Draws labels from first to last, within `region`. A pixel's value does not depend on the region.
        func draw(_ labels: [PlacedLabel], on image: Image, region: Region, scale: Double) {
            guard !labels.isEmpty else { return }
            var region = region
            region.formIntersection(image.size.rect)
            for label in labels where region.intersects(label.plate) {
                draw(label, on: image, within: region, scale: scale)
            }
            image.setClip(nil)
        }

        /// Between plate and text, pixels.
        private static func padding(_ label: Label, _ scale: Double) -> (x: Int32, y: Int32) {
            (x: Int32((label.size * scale * 0.35).rounded()), y: Int32((label.size * scale * 0.15).rounded()))
        }
    #else
        func plateSize(of label: Label, scale: Double) -> PixelSize? {
            failure = "this build was made without fcft"
            return nil
        }

        func draw(_ labels: [PlacedLabel], on image: Image, region: Region, scale: Double) {}
    #endif
}
