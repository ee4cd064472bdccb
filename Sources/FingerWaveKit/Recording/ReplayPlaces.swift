internal import Gestures
internal import Recording
internal import TouchDevices

/// Where recorded touches are in a window: as large as it can hold them, in the middle, neither stretched nor squeezed.
struct ReplayPlaces {
    private var surfaces = RecordedSurfaces(size: nil)

    /// The size that a line tells.
    mutating func note(_ line: TouchLine) { _ = surfaces.note(line) }

    mutating func note(_ device: TouchDevice) { _ = surfaces.note(DeviceLine.line(.added, device)) }

    mutating func describe(_ device: EvdevDevice, number: Int) { surfaces.describe(device, number: number) }

    private mutating func surface(of line: TouchLine) -> RecordedSurface {
        // One that is new is there only afterwards.
        let number = surfaces.number(of: line)
        return surfaces.all[number]
    }

    /// How much larger the window shows what this line is on, and where that begins.
    private mutating func fitting(_ line: TouchLine, in window: Size) -> (scale: Double, x: Double, y: Double) {
        let surface = surface(of: line)
        // Where nobody has said how large what was touched is, places stay what they are.
        guard let size = surface.size, size.width > 0, size.height > 0 else { return (1, 0, 0) }
        let scale = min(window.width / size.width, window.height / size.height)
        return (scale, (window.width - size.width * scale) / 2, (window.height - size.height * scale) / 2)
    }

    /// A length in logical px of whatever was touched, as the window shows it.
    mutating func length(_ length: Double, of line: TouchLine, in window: Size) -> Double {
        length * fitting(line, in: window).scale
    }

    /// In the window's logical px; nil for a line without a place.
    mutating func place(of line: TouchLine, in window: Size) -> Point? {
        guard let place = line.place else { return nil }
        let point = surface(of: line).position(place)
        let (scale, x, y) = fitting(line, in: window)
        return Point(x: x + point.x * scale, y: y + point.y * scale)
    }
}
