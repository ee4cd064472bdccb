internal import Gestures

/// What stands below a heat map, in logical px from the map's lower left corner: a bar of its colours, what they mean, and words.
/// Nothing of it lies over anything else: what does not fit is left out.
struct HeatLegend {
    private static let margin = 12.0
    private static let longestBar = 256.0

    let bar: Rect
    private(set) var texts: [(text: String, place: Rect)] = []
    private(set) var height = 54.0
    private let width: Double

    /// - Parameters:
    ///   - width: of the map, logical px.
    ///   - figures: at the bar's beginning, middle and end.
    ///   - measure: the size of a text, logical px.
    init(width: Double, figures: [String], words: String, measure: (String) -> Size) {
        self.width = width
        bar = Rect(
            x: HeatLegend.margin, y: 10, width: max(0, min(HeatLegend.longestBar, width - 2 * HeatLegend.margin)),
            height: 12)
        // The last one has the unit, and the middle one can be done without.
        for (index, share, side) in [(2, 1.0, 0.5), (0, 0.0, 0.0), (1, 0.5, 0.5)] {
            let size = measure(figures[index])
            let x = min(bar.x + bar.width * share - size.width * side, width - size.width)
            _ = put(figures[index], Rect(x: x, y: bar.maxY, width: size.width, height: size.height))
        }
        let size = measure(words)
        var place = Rect(x: bar.maxX + 16, y: bar.maxY - size.height, width: size.width, height: size.height)
        if put(words, place) { return }
        // In a row of its own.
        (place.x, place.y) = (bar.x, texts.reduce(bar.maxY) { max($0, $1.place.maxY) })
        if put(words, place) { height = max(height, place.maxY + 4) }
    }

    private mutating func put(_ text: String, _ place: Rect) -> Bool {
        guard place.x >= 0, place.maxX <= width, !texts.contains(where: { $0.place.intersects(place) }) else {
            return false
        }
        texts.append((text, place))
        return true
    }
}
