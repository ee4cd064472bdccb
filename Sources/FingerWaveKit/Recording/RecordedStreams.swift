internal import Gestures
internal import Recording
internal import TouchDevices

/// Whose touches a recording has, and what they were made on: what all have in common who make contacts and gestures
/// of its lines, so that they make the same.
///
/// Lengths are those of what was touched, by its own density. Where that is shown larger or smaller, they are so too.
final class RecordedStreams {
    /// Where it is shown: as large as it can be, in the middle, neither stretched nor squeezed.
    struct Screen: Equatable {
        /// Logical px.
        var size: Size
        /// What contacts have as their target.
        var target: Int
    }

    /// Where a line's place is, on the screen or, without one, on what was touched.
    struct Spot {
        /// Nil for a line without a place.
        var position: Point?
        var target: Int
        /// How much larger it is shown.
        var scale: Double
        /// The number of what it is on.
        var surface: Int
    }

    /// At a time, as `info` counts them.
    static let most = 256
    static let tooMany = "touches of more than \(most) seats and devices: the others are passed over"
    /// Numbers are given again after so many: a recording may be played for ever.
    private static let mostNumbers = 10_000

    private(set) var all: [TouchStream] = []
    private(set) var surfaces: RecordedSurfaces
    var options: GestureOptions {
        didSet { refit() }
    }
    /// Nil: shown nowhere.
    var screen: Screen? {
        didSet { refit() }
    }
    /// What gestures are judged by where something came down last; until then, where nothing is known.
    private(set) var configuration: GestureConfiguration
    /// Touches of more seats and devices are passed over.
    var onTooMany: (() -> Void)?

    /// The same as one of `all`, for lines that follow each other.
    private var latest: TouchStream?
    /// How many there ever were.
    private var count = 0
    private var saidTooMany = false

    init(_ options: GestureOptions, _ surfaces: RecordedSurfaces, screen: Screen? = nil) {
        self.options = options
        self.surfaces = surfaces
        self.screen = screen
        configuration = options.configuration(pixelsPerMillimetre: nil)
    }

    // MARK: What is known

    /// What the recording says of a device, which no line does: its axes.
    func describe(_ device: EvdevDevice, number: Int) {
        surfaces.describe(device, number: number)
        refit()
    }

    /// The size that a line tells.
    func note(_ line: TouchLine) { if surfaces.note(line) { refit() } }

    func note(_ device: TouchDevice) { note(DeviceLine.line(.added, device)) }

    /// At once, for what is down too, as a window does it.
    private func refit() {
        for stream in all { if let number = stream.fittedTo { fit(stream, Int(number)) } }
    }

    // MARK: Streams

    /// Nil for one too many.
    func stream(_ key: StreamKey) -> TouchStream? {
        if let latest, latest.key == key { return latest }
        guard let stream = all.first(where: { $0.key == key }) ?? begin(key) else { return nil }
        latest = stream
        return stream
    }

    private func begin(_ key: StreamKey) -> TouchStream? {
        guard all.count < RecordedStreams.most else {
            if !saidTooMany { onTooMany?() }
            saidTooMany = true
            return nil
        }
        let stream = TouchStream(key, number: count % RecordedStreams.mostNumbers, configuration: configuration)
        count += 1
        all.append(stream)
        return stream
    }

    func remove(where isMeant: (TouchStream) -> Bool) {
        all.removeAll(where: isMeant)
        latest = nil
    }

    /// Whose contacts a cancel without an id ends, which came for `stream`: without a device it is the whole seat's.
    func cancelled(by stream: TouchStream) -> [TouchStream] {
        guard stream.key.device == nil else { return [stream] }
        return all.filter { $0.key.seat == stream.key.seat }
    }

    // MARK: Places

    /// Nil for a line that is nowhere.
    func spot(of line: TouchLine) -> Spot? {
        switch line.kind {
        case .tool: break
        default: if line.place == nil { return nil }
        }
        let number = surfaces.number(of: line)
        let surface = surfaces.all[number]
        let (scale, origin) = fitting(surface)
        let position = line.place.map { place in
            let point = surface.position(place)
            if scale == 1, origin == .zero, case .output = place { return point }
            // As a compositor would tell it, and a log keeps it.
            return RecordedStreams.fixed(Point(x: origin.x + point.x * scale, y: origin.y + point.y * scale))
        }
        return Spot(position: position, target: target(number), scale: scale, surface: number)
    }

    /// In the 24.8 fixed-point numbers of the wire.
    private static func fixed(_ point: Point) -> Point {
        Point(x: (point.x * 256).rounded() / 256, y: (point.y * 256).rounded() / 256)
    }

    /// What of the screen a surface is.
    func part(_ number: Int) -> RecordedPart {
        let surface = surfaces.all[number]
        let (scale, _) = fitting(surface)
        return RecordedPart(
            name: surface.name, extent: extent(surface), magnification: scale * surface.magnification,
            pixelsPerMillimetre: surface.pixelsPerMillimetre)
    }

    /// Whether who reads the screen's size alone knows all of the part.
    func isWhole(_ part: RecordedPart) -> Bool {
        guard let screen, part.magnification == 1, part.extent == .area(.zero, screen.size) else { return false }
        return part.pixelsPerMillimetre.map { $0 == GestureConfiguration.usualDensity } ?? true
    }

    /// On the screen.
    private func extent(_ surface: RecordedSurface) -> RecordedPart.Extent {
        let (scale, origin) = fitting(surface)
        switch surface.extent {
        case .unknown: return .unknown
        case .area(let corner, let size):
            return .area(
                Point(x: origin.x + corner.x * scale, y: origin.y + corner.y * scale),
                Size(width: size.width * scale, height: size.height * scale))
        }
    }

    /// How much larger the screen shows a surface, and where that begins.
    private func fitting(_ surface: RecordedSurface) -> (scale: Double, origin: Point) {
        // Where nobody has said how large what was touched is, places stay what they are.
        guard let screen, let size = surface.size, size.width > 0, size.height > 0 else { return (1, .zero) }
        let scale = min(screen.size.width / size.width, screen.size.height / size.height)
        return (
            scale,
            Point(x: (screen.size.width - size.width * scale) / 2, y: (screen.size.height - size.height * scale) / 2)
        )
    }

    /// How much larger what the stream's contacts are on is shown.
    func scale(of stream: TouchStream) -> Double {
        stream.fittedTo.map { fitting(surfaces.all[Int($0)]).scale } ?? 1
    }

    /// What gestures on it are judged by, in its own px.
    func configuration(of surface: RecordedSurface) -> GestureConfiguration {
        options.configuration(pixelsPerMillimetre: surface.pixelsPerMillimetre)
    }

    /// Tells the recogniser, when something comes down, how large its distances and what is touched are. Whether that
    /// is news.
    @discardableResult
    func fit(_ stream: TouchStream, _ spot: Spot) -> Bool {
        guard stream.fittedTo != UInt32(truncatingIfNeeded: spot.surface) else { return false }
        stream.fittedTo = UInt32(truncatingIfNeeded: spot.surface)
        fit(stream, spot.surface)
        return true
    }

    private func fit(_ stream: TouchStream, _ number: Int) {
        let surface = surfaces.all[number]
        let factor = fitting(surface).scale * surface.magnification
        configuration = configuration(of: surface).scaled(by: factor)
        stream.magnify(by: factor)
        switch extent(surface) {
        case .area(let origin, let size):
            stream.recognizer.setSurfaceSize(size, at: origin, target: target(number))
        case .unknown: stream.recognizer.setSurfaceSize(nil, at: .zero, target: target(number))
        }
        stream.recognizer.configuration = configuration
    }

    private func target(_ number: Int) -> Int { screen?.target ?? RecordedSurfaces.target(number) }
}
