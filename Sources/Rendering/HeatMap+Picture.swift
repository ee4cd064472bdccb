internal import Gestures
package import Pixman
internal import Recording
package import Ripples

extension HeatMap {
    /// Logical px below the map, for its legend.
    private static let footer = 54.0
    private static let bar = (width: 256.0, height: 12.0)

    /// The map over its ground, and below it what its colours mean. `ground` lies under all of the map.
    ///
    /// - Parameter scale: pixels for one logical px of the map.
    package func picture(scale: Double, background: Color, ground: Image? = nil) -> RenderedPicture {
        let map = PixelSize(
            width: Int32((size.width * scale).rounded()), height: Int32((size.height * scale).rounded()))
        // A small map's legend must be read too.
        let legend = max(1, scale)
        let whole = PixelSize(width: map.width, height: map.height + Int32((HeatMap.footer * legend).rounded()))
        let density = density
        let ink = Color.ink(on: background)
        let canvas = FrameCanvas(size: whole, scale: legend, background: background)
        let width = min(HeatMap.bar.width, Double(map.width) / legend - 24)
        let bar = Rect(x: 12, y: Double(map.height) / legend + 10, width: max(0, width), height: HeatMap.bar.height)
        var shapes: [Shape] = []
        for (share, side, unit) in [(0.0, 0.0, ""), (0.5, 0.5, ""), (1, 0.5, " \(density.unit)")] {
            let text = short(density.mostInUnit * share * share) + unit
            let place = Point(x: bar.x + bar.width * share, y: bar.maxY)
            shapes.append(.label(.plain(text, at: place, from: (side, 0), color: ink)))
        }
        let words =
            "\(contactCount) contact\(contactCount == 1 ? "" : "s") in \(reportCount) reports, "
            + "\(short(Double(total) / 1_000_000)) s of touch"
        shapes.append(
            .label(.plain(words, at: Point(x: bar.maxX + 16, y: bar.y + bar.height / 2), from: (0, 0.5), color: ink)))
        _ = canvas.show(shapes)
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
