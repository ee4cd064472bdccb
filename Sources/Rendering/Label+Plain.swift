internal import Gestures
internal import Ripples

extension Label {
    /// Text without a plate, exactly there: `from` says which point of it is at the anchor, in parts of its width and height.
    static func plain(
        _ text: String, at anchor: Point, from: (x: Double, y: Double), color: Color, size: Double = 13
    ) -> Label {
        Label(
            lines: [text], placement: .pinned(x: from.x, y: from.y), anchor: anchor, size: size, color: color,
            plate: .clear)
    }
}

extension Color {
    /// What is read on it best; grey enough not to glare.
    static func ink(on ground: Color) -> Color {
        // Perceived brightness, ITU-R BT.601.
        let brightness = 299 * Int(ground.red) + 587 * Int(ground.green) + 114 * Int(ground.blue)
        let isDark = brightness < 128_000 && ground.alpha > 127
        return isDark ? Color(red: 225, green: 230, blue: 235) : Color(red: 30, green: 35, blue: 40)
    }
}
