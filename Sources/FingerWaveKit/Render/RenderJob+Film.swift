internal import CLibc
internal import Gestures
internal import Pixman
internal import Rendering
internal import Ripples

// Moving pictures: only what changes is painted and converted, and a frame that shows nothing new is written again as it is.
extension RenderJob {
    /// Frames that a film may have: a day of 60 a second.
    private static let mostFrames = 5_184_000

    func writeFilm(_ out: String) throws(Failure) {
        let rate = FrameRate(options.framesPerSecond ?? (kind == .webp ? 25 : 60))
        let length = span.upperBound - span.lowerBound
        let count = rate.frames(in: length)
        guard count <= RenderJob.mostFrames else {
            throw .usage(
                "the film is too long", why: "\(count) frames", remedy: "say --from and --to, or fewer --fps")
        }
        switch kind {
        case .webp: try writeWebP(out, rate, count)
        case .y4m: try writeY4M(out, rate, count)
        default: try writeRaw(out, rate, count)
        }
    }

    /// Calls `body` with each frame, and with what of it is new.
    private func film(
        _ rate: FrameRate, _ count: Int, _ body: (FrameCanvas, Region, Int) throws(Failure) -> Void
    ) throws(Failure) {
        let canvas = FrameCanvas(size: pixels, scale: options.scale, background: background, ground: ground)
        try play(count, at: { span.lowerBound + rate.time($0) }, style) { (index, shapes) throws(Failure) in
            try body(canvas, canvas.show(shapes), index)
            progress.show(index + 1, of: count)
        }
        textFailure = canvas.textFailure
    }

    private func writeY4M(_ out: String, _ rate: FrameRate, _ count: Int) throws(Failure) {
        let file = try OutputFile(path: out, .whole)
        file.enlargePipe()
        let frame = PlanarFrame(size: pixels)
        var header = frame.fileHeader(frames: rate.frames, seconds: rate.seconds)
        try file.write(&header)
        try film(rate, count) { (canvas, damage, _) throws(Failure) in
            frame.update(from: canvas.image, in: damage)
            try file.write(frame.bytes)
        }
        try file.finish()
    }

    private func writeRaw(_ out: String, _ rate: FrameRate, _ count: Int) throws(Failure) {
        let file = try OutputFile(path: out, .whole)
        file.enlargePipe()
        let frame = StraightFrame(size: pixels)
        try film(rate, count) { (canvas, damage, _) throws(Failure) in
            frame.update(from: canvas.image, in: damage)
            try file.write(pixels: frame.pixels)
        }
        try file.finish()
    }

    private func writeWebP(_ out: String, _ rate: FrameRate, _ count: Int) throws(Failure) {
        #if WEBP
            let animation = try failing(out) { () throws(RenderingError) in try AnimatedWebP(size: pixels) }
            let frame = StraightFrame(size: pixels)
            func milliseconds(_ index: Int) -> Int32 { Int32(clamping: (rate.time(index) + 500_000) / 1_000_000) }
            try film(rate, count) { (canvas, damage, index) throws(Failure) in
                guard index == 0 || !damage.isEmpty else { return }
                frame.update(from: canvas.image, in: damage)
                try failing(out) { () throws(RenderingError) in try animation.add(frame, at: milliseconds(index)) }
            }
            let bytes = try failing(out) { () throws(RenderingError) in try animation.finish(at: milliseconds(count)) }
            let file = try OutputFile(path: out, .whole)
            try file.write(bytes)
            try file.finish()
        #endif
    }

    func failing<Result>(
        _ out: String, _ body: () throws(RenderingError) -> Result
    ) throws(Failure) -> Result {
        do throws(RenderingError) {
            return try body()
        } catch {
            throw Failure("cannot make \(out)", why: error.reason, remedy: "say a smaller --scale", code: .badInput)
        }
    }
}

/// Frames a second as a ratio of whole numbers, so that no rounding adds up.
struct FrameRate: Equatable {
    let frames: Int
    let seconds: Int

    init(_ rate: Double) {
        // Television's are whole ones divided by 1.001; people write 23.98 for 24/1.001 too.
        let television = (rate * 1001 / 1000).rounded()
        if rate == rate.rounded() {
            (frames, seconds) = (Int(rate), 1)
        } else if (television * 1000 / 1001 - rate).magnitude < min(0.005, 2e-4 * rate) {
            (frames, seconds) = (Int(television) * 1000, 1001)
        } else {
            (frames, seconds) = (Int((rate * 1000).rounded()), 1000)
        }
    }

    /// ns from the beginning to this frame.
    func time(_ index: Int) -> Int64 { Int64(index) * Int64(seconds) * 1_000_000_000 / Int64(frames) }

    /// How many begin within so many ns, and one that shows their end.
    func frames(in length: Int64) -> Int {
        let (product, overflow) = length.multipliedReportingOverflow(by: Int64(frames))
        return overflow ? .max : Int(product / (Int64(seconds) * 1_000_000_000)) + 1
    }
}
