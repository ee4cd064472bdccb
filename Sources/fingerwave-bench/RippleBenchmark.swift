internal import CBench
internal import Gestures
internal import Pixman
internal import Presentation
internal import Ripples

/// Drawing ripples, against touching their pixels once.
enum RippleBenchmark {
    static let title = "Ripples: drawing one of radius 75 logical px on a screen of 1920x1080 logical px"

    /// In one turn.
    private static let batch = 64

    /// Where the ripples of a turn are: what is near in the cache decides as much as what is drawn.
    private enum Places: String, CaseIterable {
        /// All at one place: their pixels stay in the second-level cache.
        case one = "at one place"
        /// All over the screen: pixels, and the addresses of their pages, come from farther.
        case many = "all over"
    }

    static func run(_ options: CommandLineOptions) -> [Figure] {
        var figures: [Figure] = []
        for scale in [1.0, 2.0] {
            for places in Places.allCases { figures += run(places, scale: scale, rounds: options.isQuick ? 3 : 101) }
        }
        return figures
    }

    private static func run(_ places: Places, scale: Double, rounds: Int) -> [Figure] {
        let size = PixelSize(width: Int32(1920 * scale), height: Int32(1080 * scale))
        let subject = "scale \(Int(scale)), \(places.rawValue)"
        let shapes = makeShapes(places)
        let regions = shapes.map { damage(from: [], to: [.disc($0)], scale: scale, within: size) }
        let image = Image(size: size)
        let spans = spans(of: shapes, on: image, scale: scale)
        let painter = ShapePainter()
        let animation = Animation(places == .one ? [shapes[0]] : Array(shapes.prefix(10)), size, scale: scale)

        let ways: [(name: String, count: Int, body: () -> Void)] = [
            (
                "write", batch,
                { unsafe withPixels(of: image) { unsafe fw_bench_set($0, spans, Int32(spans.count), 0x99) } }
            ),
            (
                "read, change, write", batch,
                {
                    unsafe withPixels(of: image) {
                        unsafe fw_bench_change($0, spans, Int32(spans.count), 0x0101_0101)
                    }
                }
            ),
            (
                "ShapePainter", batch,
                {
                    for (shape, region) in zip(shapes, regions) {
                        painter.paint([.disc(shape)], on: image, region: region, background: .clear, scale: scale)
                    }
                }
            ),
            (
                "FrameComposer", batch / animation.count * animation.count,
                { for _ in 0..<batch / animation.count { animation.advance() } }
            ),
        ]
        var samples = ways.map { _ in Samples() }
        // The first rounds make the composer's buffers and do not count.
        for round in -3..<rounds {
            if round % 10 == 0 { Progress.show("ripples: \(subject), round \(round) of \(rounds)") }
            for place in ways.indices {
                let index = (place + round + 3) % ways.count
                let time = Clock.nanoseconds(ways[index].body)
                if round >= 0 { samples[index].add(time / 1000 / Double(ways[index].count)) }
            }
        }
        return zip(ways, samples).map { way, times in
            Figure("ripples", subject, way.name, metric: "a ripple", unit: "us", times)
                .comparing(times, with: [(ways[0].name, samples[0]), (ways[1].name, samples[1])])
        }
    }

    /// Most of them between whole pixels; the same in each run.
    private static func makeShapes(_ places: Places) -> [Disc] {
        let style = RippleStyle()
        var state: UInt32 = 2024
        func next(_ range: Range<Double>) -> Double {
            state = state &* 1_664_525 &+ 1_013_904_223
            return range.lowerBound + (range.upperBound - range.lowerBound) * Double(state >> 8) / 16_777_216
        }
        return (0..<batch).map { _ in
            let isFixed = places == .one
            return Disc(
                center: isFixed ? Point(x: 960.3, y: 540.6) : Point(x: next(80..<1840), y: next(80..<1000)), radius: 75,
                fill: style.color.fading(to: 0.6), outline: style.outline.fading(to: 0.6),
                outlineWidth: style.outlineWidth)
        }
    }

    /// The pixels of all shapes whose centres lie in them, row by row. ``makeShapes(_:)`` keeps them within the picture.
    private static func spans(of shapes: [Disc], on image: Image, scale: Double) -> [fw_bench_span] {
        var spans: [fw_bench_span] = []
        for shape in shapes {
            let (x, y) = (shape.center.x * scale, shape.center.y * scale)
            let radius = (shape.radius + shape.outlineWidth) * scale
            for row in Int((y - radius).rounded(.down))...Int(y + radius) {
                let above = Double(row) + 0.5 - y
                let half = max(0, radius * radius - above * above).squareRoot()
                let left = Int((x - half - 0.5).rounded(.up))
                let right = Int((x + half - 0.5).rounded(.up))
                guard left < right else { continue }
                spans.append(
                    fw_bench_span(first: Int32(row * image.stride / 4 + left), count: Int32(right - left)))
            }
        }
        return spans
    }

    /// Calls `body` with the first of all pixels.
    private static func withPixels(of image: Image, _ body: (UnsafeMutablePointer<UInt32>) -> Void) {
        image.withPixels { pixels in
            // SAFETY: the picture is not empty.
            unsafe pixels.withUnsafeMutableBufferPointer { unsafe body($0.baseAddress!) }
        }
    }
}

/// Frames of a few ripples that all grow or shrink a little from one to the next, in buffers that come back when the next
/// one is committed: what an application does sixty times a second, but for the protocol.
private final class Animation {
    private let composer = FrameComposer<MemoryStorage>(background: .clear)
    private let shapes: [Shape]
    private let shrunk: [Shape]
    private var isShrunk = false
    private var shown: MemoryStorage?

    init(_ shapes: [Disc], _ size: PixelSize, scale: Double) {
        self.shapes = shapes.map { .disc($0) }
        shrunk = shapes.map { disc in
            var disc = disc
            disc.radius -= 0.25
            return .disc(disc)
        }
        composer.resize(to: size, scale: scale)
    }

    var count: Int { shapes.count }

    func advance() {
        isShrunk.toggle()
        composer.shapes = isShrunk ? shrunk : shapes
        // A storage of this kind is always made.
        guard let outcome = try? composer.compose(make: { MemoryStorage($0) }), case .frame(let next, _) = outcome
        else {
            return
        }
        shown?.release()
        shown = next
    }
}

private final class MemoryStorage: BufferStorage {
    let image: Image
    private var onRelease: (() -> Void)?

    init(_ size: PixelSize) { image = Image(size: size) }

    func setReleaseHandler(_ handler: @escaping () -> Void) { onRelease = handler }

    func release() { onRelease?() }

    func discard() { onRelease = nil }
}
