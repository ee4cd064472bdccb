internal import Gestures
internal import Pixman
internal import Ripples

/// Where labels stand in a buffer. The same labels on the same surface always stand the same way.
///
/// Headings come first, in rows from the top left corner, and labels that are pinned. Then each other label beside its anchor: to its right, else to its left,
/// above or below, wherever it fits without covering what was placed before; where that cannot be had, wherever it fits.
/// No label leaves the surface; one that is larger than the surface shows its upper left part.
struct LabelLayout {
    /// Buffer pixels.
    let surface: PixelSize
    /// Buffer pixels for one logical px.
    let scale: Double

    /// Between two headings, logical px.
    private static let spacing = 1.0

    /// The labels' plates, in their order. `sizes` are the plates' sizes in buffer pixels, one for each label.
    func place(_ labels: [Label], sizes: [PixelSize]) -> [PixelRect] {
        var rects = [PixelRect](repeating: .empty, count: labels.count)
        var taken = placeHeadings(labels, sizes, &rects)
        for index in labels.indices {
            guard case .pinned(let x, let y) = labels[index].placement else { continue }
            let (anchor, size) = (pixels(labels[index].anchor), sizes[index])
            rects[index] = inside(
                x: anchor.x - Int32((Double(size.width) * x).rounded()),
                y: anchor.y - Int32((Double(size.height) * y).rounded()), size)
            taken.append(rects[index])
        }
        for index in labels.indices where labels[index].placement == .beside {
            let rect = beside(labels[index], sizes[index], taken)
            rects[index] = rect
            taken.append(rect)
        }
        return rects
    }

    private func placeHeadings(_ labels: [Label], _ sizes: [PixelSize], _ rects: inout [PixelRect]) -> [PixelRect] {
        var taken: [PixelRect] = []
        let spacing = Int32((Self.spacing * scale).rounded())
        var x: Int32 = 0
        var y: Int32 = 0
        var rowHeight: Int32 = 0
        for index in labels.indices where labels[index].placement == .heading {
            let size = sizes[index]
            if x > 0, x + size.width > surface.width {
                x = 0
                y += rowHeight + spacing
                rowHeight = 0
            }
            let rect = PixelRect(x: x, y: y, width: size.width, height: size.height).intersection(surface.rect)
            rects[index] = rect
            if !rect.isEmpty { taken.append(rect) }
            x += size.width + spacing
            rowHeight = max(rowHeight, size.height)
        }
        return taken
    }

    private func beside(_ label: Label, _ size: PixelSize, _ taken: [PixelRect]) -> PixelRect {
        let anchor = pixels(label.anchor)
        let gap = pixels(max(0, label.gap))
        let middle = (x: anchor.x - size.width / 2, y: anchor.y - size.height / 2)
        let candidates = [
            (x: anchor.x + gap, y: middle.y, isSideways: true),
            (x: anchor.x - gap - size.width, y: middle.y, isSideways: true),
            (x: middle.x, y: anchor.y - gap - size.height, isSideways: false),
            (x: middle.x, y: anchor.y + gap, isSideways: false),
        ]
        var fitting: PixelRect?
        for candidate in candidates {
            let rect = inside(x: candidate.x, y: candidate.y, size)
            // Moved along the side it stands on a label is beside its anchor still; moved towards it, it covers it.
            guard candidate.isSideways ? rect.x == candidate.x : rect.y == candidate.y else { continue }
            if !taken.contains(where: { !$0.intersection(rect).isEmpty }) { return rect }
            if fitting == nil { fitting = rect }
        }
        return fitting ?? inside(x: candidates[0].x, y: candidates[0].y, size)
    }

    private func pixels(_ place: Point) -> (x: Int32, y: Int32) { (pixels(place.x), pixels(place.y)) }

    private func pixels(_ value: Double) -> Int32 {
        // Far outside it is all the same how far.
        let limit = 1e6
        let scaled = value * scale
        return scaled.isNaN ? 0 : Int32(min(limit, max(-limit, scaled)).rounded())
    }

    /// Moved into the surface; what is larger than it begins at its upper left.
    private func inside(x: Int32, y: Int32, _ size: PixelSize) -> PixelRect {
        PixelRect(
            x: max(0, min(x, surface.width - size.width)), y: max(0, min(y, surface.height - size.height)),
            width: size.width, height: size.height
        ).intersection(surface.rect)
    }
}
