internal import Gestures
internal import Pixman
internal import Presentation
internal import Recording
internal import Rendering
internal import Ripples

/// One recording that is rendered: what it shows, where, how large.
final class RenderJob {
    /// Of the longer side, and of all, in the picture's own pixels.
    private static let longestSide: Int32 = 16384
    /// As long as pixman takes them.
    static let longestSheet: Int32 = 32767
    private static let mostPixels = 1 << 28
    /// Of what was touched, in a message.
    private static let mostNames = 8
    /// Of a tile of a sheet at scale 1, pixels.
    private static let tileWidth = 320.0

    let settings: RenderSettings
    let kind: RenderOptions.Kind
    let passes: RecordingPasses
    let progress: RenderProgress
    let scan: RecordingScan
    /// The number of the surface that is shown.
    let shown: Int
    /// Logical px.
    let size: Size
    /// What is shown of the recording.
    let span: ClosedRange<Instant>
    /// Of the pictures, in their own pixels: of one tile of a sheet, and of no meaning for a plot.
    let pixels: PixelSize
    let ground: Image?
    var textFailure: String?
    /// What the picture does not say itself.
    var note: String?

    var options: RenderOptions { settings.render }
    var surface: RecordedSurface { scan.surfaces.all[shown] }
    var traffic: RecordingScan.Traffic { scan.traffic[shown] }
    /// Of contacts on what is shown.
    var target: Int { RecordedSurfaces.target(shown) }
    var background: Color { Color(settings.look.background) ?? .black }

    /// Reads the recording for what must be known of it.
    init(
        _ settings: RenderSettings, _ kind: RenderOptions.Kind, _ passes: RecordingPasses, _ progress: RenderProgress
    ) throws(Failure) {
        self.settings = settings
        self.kind = kind
        self.passes = passes
        self.progress = progress
        let told = settings.render.size.map { Size(width: Double($0.width), height: Double($0.height)) }
        let recorded = RecordedGestures(settings.gestures, size: told)
        var scan = RecordingScan(from: settings.render.from, to: settings.render.to)
        try passes.read(recorded, progress) { (moment) throws(Failure) in scan.count(moment, on: recorded.surfaces) }
        scan.surfaces = recorded.surfaces
        self.scan = scan
        for fault in passes.summary.faults {
            complain("fingerwave: \(passes.path):\(fault.line): \(fault.kind.description)\n")
        }
        shown = try RenderJob.choose(scan, settings.render.on, passes.path)
        span = try RenderJob.span(scan, settings.render, isFilm: kind.isFilm, look: settings.look)
        let surface = scan.surfaces.all[shown]
        size = RenderJob.size(of: surface, scan.traffic[shown])
        let scale = kind == .sheet ? RenderJob.tileScale(settings.render, size) : settings.render.scale
        pixels = PixelSize(
            width: Int32((size.width * scale).rounded().clamped(1, 1e6)),
            height: Int32((size.height * scale).rounded().clamped(1, 1e6)))
        ground = try RenderJob.ground(settings, kind, pixels)
        tellSize()
    }

    private static func choose(_ scan: RecordingScan, _ name: String?, _ path: String) throws(Failure) -> Int {
        guard let main = scan.main else {
            throw Failure(
                "nothing to render", why: "\(path) has no touches", remedy: "see fingerwave info \(path)",
                code: .badInput)
        }
        let touched = scan.traffic.indices.filter { scan.traffic[$0].contactCount > 0 }
        func label(_ index: Int) -> String {
            scan.surfaces.all[index].name.map { printable($0) } ?? "an output without a name"
        }
        let more = touched.count - RenderJob.mostNames
        let names = touched.prefix(RenderJob.mostNames).map(label) + (more > 0 ? ["\(more) more"] : [])
        guard let name else {
            if touched.count > 1 {
                complain(
                    "fingerwave: only touches on \(label(main)) are shown, of \(names.joined(separator: ", ")); "
                        + "--on NAME chooses\n")
            }
            return main
        }
        for index in touched where scan.surfaces.all[index].name == name { return index }
        guard touched.contains(where: { scan.surfaces.all[$0].name != nil }) else {
            throw .usage(
                "nothing was touched on \(name)", why: "the recording names no output and no panel",
                remedy: "leave --on out")
        }
        throw .usage(
            "nothing was touched on \(name)", why: "the recording has touches on \(names.joined(separator: ", "))",
            remedy: "name one of these")
    }

    /// What of the recording is shown: all of it, and in films what is left of the last wave.
    private static func span(
        _ scan: RecordingScan, _ options: RenderOptions, isFilm: Bool, look: LookOptions
    ) throws(Failure) -> ClosedRange<Instant> {
        let rest = isFilm ? Int64(max(0.5, look.duration) * 1e9) : 0
        let from = Instant(nanoseconds: options.from ?? 0)
        let to = options.to.map { Instant(nanoseconds: $0) } ?? (scan.end + rest)
        if let at = options.at, at > (scan.end + rest).nanoseconds {
            throw late("--at", scan)
        }
        guard from < to || from == to && options.from == nil, from <= scan.end else { throw late("--from", scan) }
        return from...to
    }

    private static func late(_ option: String, _ scan: RecordingScan) -> Failure {
        let seconds = decimalText(Double(scan.end.nanoseconds) / 1e9, places: 3) ?? "?"
        return .usage(
            "\(option) is beyond the recording", why: "it ends at \(seconds) s", remedy: "name an earlier time")
    }

    /// Logical px. A size that changes is that of all it was while it was touched.
    private static func size(of surface: RecordedSurface, _ traffic: RecordingScan.Traffic) -> Size {
        if let size = traffic.size, traffic.basis == surface.basis { return size }
        return surface.size ?? around(traffic.reach)
    }

    /// Logical px that hold what was touched, with room for a wave.
    private static func around(_ reach: Size) -> Size {
        func side(_ length: Double) -> Double { (max(length, 100) / 80).rounded(.up) * 80 }
        return Size(width: side(reach.width), height: side(reach.height))
    }

    private static func ground(
        _ settings: RenderSettings, _ kind: RenderOptions.Kind, _ pixels: PixelSize
    ) throws(Failure) -> Image? {
        // Plots have a size of their own.
        if kind.isPlot { return nil }
        try check(pixels, longestSide: longestSide, remedy: "say a smaller --size or --scale")
        guard let path = settings.render.backgroundImage else { return nil }
        #if PNG
            do throws(RenderingError) {
                let image = try Image(png: path).covering(pixels)
                let ground = Image(size: pixels)
                ground.fill(Region(pixels.rect), with: PremultipliedColor(Color(settings.look.background) ?? .black))
                ground.compositeOver(image, at: pixels.rect)
                return ground
            } catch {
                throw Failure("cannot read \(path)", why: error.reason, remedy: "name a PNG file", code: .badInput)
            }
        #else
            return nil
        #endif
    }

    static func check(_ pixels: PixelSize, longestSide: Int32, remedy: String) throws(Failure) {
        guard pixels.width <= longestSide, pixels.height <= longestSide,
            Int(pixels.width) * Int(pixels.height) <= mostPixels
        else {
            throw .usage(
                "the picture is too large",
                why: "\(pixels.width)x\(pixels.height) pixels, of at most \(longestSide) a side and "
                    + "\(mostPixels) in all", remedy: remedy)
        }
    }

    /// Pixels of a tile for one logical px.
    var tileScale: Double { RenderJob.tileScale(options, size) }

    private static func tileScale(_ options: RenderOptions, _ size: Size) -> Double {
        options.scale * tileWidth / size.width
    }

    /// What is a guess is said to everybody.
    private func tellSize() {
        let words = "\(decimalText(size.width, places: 0) ?? "?")x\(decimalText(size.height, places: 0) ?? "?")"
        switch surface.basis {
        case .told, .recorded, .millimetres: break
        case .range:
            complain("fingerwave: \(words) logical px, after the panel's units; --size WxH says otherwise\n")
        case .assumed:
            complain(
                "fingerwave: the recording does not tell how large what was touched is: \(words) is assumed; "
                    + "--size WxH says otherwise\n")
        }
    }

    // MARK: Going through it

    /// A pass over what happened on what is shown.
    func read(_ body: (RecordedGestures.Moment) throws(Failure) -> Void) throws(Failure) {
        try passes.read(RecordedGestures(settings.gestures, surfaces: scan.surfaces), progress, body)
    }

    /// Calls `body` with what is seen at each of the times, which ascend.
    func play(
        _ count: Int, at time: (Int) -> Instant, _ style: RippleStyle,
        _ body: (Int, [Shape]) throws(Failure) -> Void
    ) throws(Failure) {
        var ripples = RippleController(style: style)
        ripples.surfaceSize = size
        ripples.fit(RecordedGestures(settings.gestures).configuration(of: surface))
        ripples.advance(to: Instant(nanoseconds: 0))
        var shapes: [Shape] = []
        var index = 0
        func show(before end: Instant) throws(Failure) {
            while index < count, time(index) < end {
                ripples.advance(to: time(index))
                shapes.removeAll(keepingCapacity: true)
                ripples.appendShapes(to: &shapes)
                try body(index, shapes)
                index += 1
            }
        }
        try read { (moment) throws(Failure) in
            guard index < count else { return }
            try show(before: moment.time)
            let gestures = moment.gestures.filter { $0.target == target }
            if !gestures.isEmpty { ripples.handle(gestures, at: moment.time) }
        }
        try show(before: Instant(nanoseconds: .max))
    }

    var style: RippleStyle { RippleStyle(settings.look, pixelsPerMillimetre: surface.pixelsPerMillimetre) }
}

extension Double {
    /// Also when it is not a number.
    func clamped(_ low: Double, _ high: Double) -> Double { self > low ? min(self, high) : low }
}
