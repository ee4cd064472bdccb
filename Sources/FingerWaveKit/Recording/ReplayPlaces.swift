internal import Gestures
internal import Recording
internal import TouchDevices

/// Where recorded touches are in a window: as large as it can hold them, in the middle, neither stretched nor squeezed.
struct ReplayPlaces {
    /// Logical px, by the output's name; "" for lines that name none.
    private var sizes: [String: Size] = [:]
    private var first: Size?
    /// mm, by the device.
    private var panels: [StreamKey: Size] = [:]

    mutating func note(_ line: TouchLine) {
        guard case .configure(let size) = line.kind, size.width >= 1, size.height >= 1 else { return }
        sizes[line.output ?? ""] = size
        first = first ?? size
    }

    mutating func note(_ device: TouchDevice) { panels[StreamKey(device)] = device.millimetres }

    /// How much larger the window shows what `x` and `y` of this line are on.
    func scale(of line: TouchLine, in window: Size) -> Double {
        size(of: line).map { min(window.width / $0.width, window.height / $0.height) } ?? 1
    }

    /// In the window's logical px; nil for a line without a place. Where nobody has said how large what was touched is,
    /// places stay what they are, and a panel is the window.
    func place(of line: TouchLine, in window: Size) -> Point? {
        switch line.place {
        case .output(let point):
            guard let size = size(of: line) else { return point }
            return ReplayPlaces.fit(point, of: size, in: window)
        case .panel(let fraction):
            let size = panels[StreamKey(line)] ?? window
            return ReplayPlaces.fit(
                Point(x: fraction.x * size.width, y: fraction.y * size.height), of: size, in: window)
        case nil: return nil
        }
    }

    private func size(of line: TouchLine) -> Size? { sizes[line.output ?? ""] ?? first }

    private static func fit(_ point: Point, of size: Size, in window: Size) -> Point {
        guard size.width > 0, size.height > 0 else { return point }
        let scale = min(window.width / size.width, window.height / size.height)
        return Point(
            x: (window.width - size.width * scale) / 2 + point.x * scale,
            y: (window.height - size.height * scale) / 2 + point.y * scale)
    }
}
