internal import Gestures
package import Pixman
internal import Presentation
internal import Recording
package import Ripples

extension HeatMap {
    /// The map over its ground, and below it what its colours mean. `ground` lies under all of the map.
    ///
    /// - Parameter scale: pixels for one logical px of the map.
    package func picture(scale: Double, background: Color, ground: Image? = nil) -> RenderedPicture {
        let map = PixelSize(
            width: Int32((size.width * scale).rounded()), height: Int32((size.height * scale).rounded()))
        // A small map's legend must be read too.
        let legend = max(1, scale)
        let density = density
        let figures = [short(0), short(density.mostInUnit / 4), short(density.mostInUnit) + " \(density.unit)"]
        let words =
            "\(contactCount) contact\(contactCount == 1 ? "" : "s"), "
            + "\(sampleCount) sample\(sampleCount == 1 ? "" : "s"), "
            + "\(short(Double(total) / 1_000_000)) s of touch"
        let drawing = SurfaceDrawing()
        let layout = HeatLegend(width: Double(map.width) / legend, figures: figures, words: words) {
            drawing.size(of: $0, scale: legend)
        }
        let whole = PixelSize(width: map.width, height: map.height + Int32((layout.height * legend).rounded()))
        let canvas = FrameCanvas(size: whole, scale: legend, background: background)
        let (ink, top) = (Color.ink(on: background), Double(map.height) / legend)
        _ = canvas.show(
            layout.texts.map { text in
                let place = Point(x: text.place.x, y: top + text.place.y)
                return .label(.plain(text.text, at: place, from: (0, 0), color: ink))
            })
        var bar = layout.bar
        bar.y += top
        if let ground { canvas.image.copy(ground, in: Region(map.rect)) }
        let picture = Image(size: map)
        paint(density, on: picture)
        canvas.image.compositeOver(picture, at: map.rect)
        paintBar(bar, legend, on: canvas.image)
        return RenderedPicture(image: canvas.image, textFailure: canvas.textFailure)
    }

    /// Each pixel between the four cells whose middles are nearest.
    private func paint(_ density: Density, on image: Image) {
        let warmth = density.cells.map { density.warmth($0) * 255 }
        let (width, height) = (Int(image.size.width), Int(image.size.height))
        let (across, down) = (size.width / Double(width) / cell, size.height / Double(height) / cell)
        image.withPixels { pixels in
            for y in 0..<height {
                let (top, lower) = HeatMap.between((Double(y) + 0.5) * down - 0.5, rows)
                let (first, second) = (top * columns, min(top + 1, rows - 1) * columns)
                for x in 0..<width {
                    let (left, right) = HeatMap.between((Double(x) + 0.5) * across - 0.5, columns)
                    let next = min(left + 1, columns - 1)
                    let upper = warmth[first + left] * (1 - right) + warmth[first + next] * right
                    let under = warmth[second + left] * (1 - right) + warmth[second + next] * right
                    let value = upper * (1 - lower) + under * lower
                    pixels[y * width + x] = HeatColors.all[Int(value + 0.5)].argb
                }
            }
        }
    }

    /// The cell before `place`, which counts in cells, and how much of the way to the next one it is.
    private static func between(_ place: Double, _ count: Int) -> (cell: Int, share: Double) {
        let place = min(max(0, place), Double(count - 1))
        return (Int(place), place - place.rounded(.down))
    }

    private func paintBar(_ bar: Rect, _ scale: Double, on image: Image) {
        let left = Int32((bar.x * scale).rounded())
        let right = Int32((bar.maxX * scale).rounded())
        for x in left..<right {
            let share = Double(x - left) / Double(max(1, right - left - 1))
            let column = PixelRect(
                x: x, y: Int32((bar.y * scale).rounded()), width: 1, height: Int32((bar.height * scale).rounded()))
            image.compositeOver(Ink(HeatColors.all[Int(share * 255 + 0.5)]), in: column)
        }
    }
}

extension SurfaceDrawing {
    /// Of a plain label, logical px; nothing where text cannot be drawn.
    fileprivate func size(of text: String, scale: Double) -> Size {
        // Larger than any label, which would be cut.
        let surface = PixelSize(width: 1 << 16, height: 1 << 16)
        placeLabels(
            of: [.label(.plain(text, at: .zero, from: (0, 0), color: .black))], on: surface, scale: scale)
        guard let plate = plates.first else { return .zero }
        return Size(width: Double(plate.width) / scale, height: Double(plate.height) / scale)
    }
}

/// A picture that is done.
package struct RenderedPicture {
    package var image: Image
    /// Why it has no text; nil when it has all of it.
    package var textFailure: String?
}

/// With about three digits.
func short(_ value: Double) -> String {
    decimalText(value, places: value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2) ?? "?"
}
