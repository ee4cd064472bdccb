internal import Gestures
internal import Pixman
internal import Presentation
internal import Recording
internal import Rendering
internal import Ripples

// Pictures that stand still, as PNG.
extension RenderJob {
    /// Of a plot, logical px.
    private static let plotWidth = 1200.0

    func writePicture(_ out: String) throws(Failure) {
        #if PNG
            let image = try picture()
            let bytes = try failing(out) { () throws(RenderingError) in try image.png() }
            let file = try OutputFile(path: out, .whole)
            try file.write(bytes)
            try file.finish()
        #endif
    }

    func picture() throws(Failure) -> Image {
        switch kind {
        case .sheet: try sheet()
        case .heatMap: try heatMap()
        case .plot: try places()
        case .velocity: try velocities()
        case .interval: try intervals()
        default: try moment()
        }
    }

    // MARK: Touches as they look

    private func moment() throws(Failure) -> Image {
        let busiest = traffic.busiest
        let time = options.at.map { Instant(nanoseconds: $0) } ?? busiest?.instant ?? span.lowerBound
        if options.at == nil {
            let contacts = busiest.map { "\($0.contacts) contact\($0.contacts == 1 ? "" : "s")" } ?? "nothing"
            note = "shows \(EventLog.fixed(seconds(time))) s, with \(contacts) down; --at shows another moment"
        }
        let canvas = FrameCanvas(size: pixels, scale: options.scale, background: background, ground: ground)
        try play(1, at: { _ in time }, style) { (_, shapes) throws(Failure) in _ = canvas.show(shapes) }
        textFailure = canvas.textFailure
        return canvas.image
    }

    private func sheet() throws(Failure) -> Image {
        let tiles = options.tiles
        let times = traffic.moments(tiles.columns * tiles.rows, within: span)
        let scale = tileScale
        let layout = SheetLayout(
            columns: tiles.columns, rows: tiles.rows, tile: pixels, gap: Int32((6 * options.scale).rounded()))
        let whole = layout.size
        try RenderJob.check(
            whole, longestSide: RenderJob.longestSheet, remedy: "say fewer --tiles, or a smaller --scale")
        let image = Image(size: whole)
        let frame = background.edge
        image.fill(Region(whole.rect), with: PremultipliedColor(frame))
        // On a tile marks of their own size would be specks.
        var style = style
        let growth = max(1, 0.5 * options.scale / scale)
        style.startRadius *= growth
        style.endRadius *= growth
        let canvas = FrameCanvas(size: pixels, scale: scale, background: background, ground: ground)
        try play(times.count, at: { times[$0] }, style) { (index, shapes) throws(Failure) in
            let caption = Label(
                lines: [EventLog.fixed(seconds(times[index])) + " s"], placement: .heading,
                size: 13 * max(1, options.scale) / scale)
            _ = canvas.show(shapes + [.label(caption)])
            image.copy(canvas.image, to: layout.place(index))
        }
        textFailure = canvas.textFailure
        return image
    }

    // MARK: Touches as numbers

    private func heatMap() throws(Failure) -> Image {
        var map = HeatMap(size: size, pixelsPerMillimetre: surface.pixelsPerMillimetre, span: span)
        try read { (moment) throws(Failure) in
            for change in moment.frame?.changes ?? [] where change.contact.target == target {
                map.add(change, at: moment.time)
            }
        }
        let picture = map.picture(scale: options.scale, background: background, ground: ground)
        textFailure = picture.textFailure
        return picture.image
    }

    private func draw(_ plot: Plot) -> Image {
        let canvas = FrameCanvas(
            size: PixelSize(
                width: Int32((plot.size.width * options.scale).rounded()),
                height: Int32((plot.size.height * options.scale).rounded())), scale: options.scale,
            background: background)
        _ = canvas.show(plot.shapes)
        textFailure = canvas.textFailure
        return canvas.image
    }

    private func makePlot(_ height: Double, _ axes: [Plot.Axis]) -> Plot {
        Plot(
            size: Size(width: RenderJob.plotWidth, height: height),
            span: seconds(span.lowerBound)...seconds(span.upperBound),
            axes: axes, background: background)
    }

    private func seconds(_ instant: Instant) -> Double { Double(instant.nanoseconds) / 1e9 }

    private func places() throws(Failure) -> Image {
        var plot = makePlot(
            720,
            [
                Plot.Axis("x, px", 0...size.width, isHeld: true),
                Plot.Axis("y, px", 0...size.height, isDown: true, isHeld: true),
            ])
        var fingers = FingerNumbers()
        try read { (moment) throws(Failure) in
            for change in moment.frame?.changes ?? [] where change.contact.target == target {
                let finger = fingers.number(of: change)
                let serial = change.contact.serial
                for (axis, value) in [change.contact.position.x, change.contact.position.y].enumerated() {
                    plot.add(
                        Plot.Key(axis: axis, serial: serial), finger: finger, seconds: seconds(moment.time),
                        value: value, phase: moment.phase(of: change))
                }
            }
        }
        plot.title = "Where each finger is"
        return draw(plot)
    }

    private func velocities() throws(Failure) -> Image {
        let density = surface.pixelsPerMillimetre
        // Twice: the axis must reach as far as the fastest.
        var fastest = 0.0
        try forEachSpeed { (_, _, _, _, speed) in fastest = max(fastest, speed ?? 0) }
        let unit = density == nil ? "px/s" : "mm/s"
        var plot = makePlot(480, [Plot.Axis(unit, 0...max(1, 1.05 * fastest))])
        try forEachSpeed { (change, phase, finger, time, speed) in
            let key = Plot.Key(axis: 0, serial: change.contact.serial)
            plot.add(key, finger: finger, seconds: time, value: speed, phase: phase)
        }
        let window = settings.gestures.velocityWindow / 1_000_000
        plot.title = "How fast each finger is, over the last \(window) ms; gaps: no samples"
        return draw(plot)
    }

    /// The speed of each change, as the recogniser reckons it: in mm/s, or px/s where nobody knows how many px are a mm. The
    /// first sample of a contact, and the first behind a silence, tell of none.
    private func forEachSpeed(
        _ body: (ContactFrame.Change, ContactFrame.Phase, Int, Double, Double?) -> Void
    ) throws(Failure) {
        let window = settings.gestures.velocityWindow
        let unit = surface.pixelsPerMillimetre ?? 1
        var estimators: [UInt64: (velocity: VelocityEstimator, seconds: Double)] = [:]
        var fingers = FingerNumbers()
        try read { (moment) throws(Failure) in
            for change in moment.frame?.changes ?? [] where change.contact.target == target {
                let (contact, finger) = (change.contact, fingers.number(of: change))
                let before = estimators[contact.serial]
                var estimator = before?.velocity ?? VelocityEstimator()
                let time = seconds(moment.time)
                let isKnown = before.map { !Plot.isSilence(from: $0.seconds, to: time) } ?? false
                if change.phase == .began {
                    estimator.start(at: contact.position, moment.time)
                } else {
                    estimator.move(to: contact.position, moment.time, window: window)
                }
                estimators[contact.serial] = change.phase.isTerminal ? nil : (estimator, time)
                let velocity = estimator.velocity(at: moment.time, window: window)
                let speed = velocity.distance(to: .zero) / unit
                body(change, moment.phase(of: change), finger, time, isKnown ? speed : nil)
            }
        }
    }

    private func intervals() throws(Failure) -> Image {
        var all = IntervalFigures()
        try forEachInterval { (_, time, interval) in all.add(interval, at: time) }
        var plot = makePlot(480, [Plot.Axis("ms", 0...max(20, 1.1 * (all.longest?.length ?? 0)))])
        try forEachInterval { (source, time, interval) in
            guard interval <= IntervalFigures.pause else { return }
            plot.dot(0, finger: source + 1, seconds: time, value: interval)
        }
        plot.title = "Between frames while a finger moves: " + (all.text ?? "no finger does")
        if all.count == 0 {
            note = "has no intervals in it: \(all.text ?? "no finger moves"); --as plot shows where it is touched"
        }
        plot.series = "device"
        return draw(plot)
    }

    /// ms between a frame of one source in which a finger moves and the frame before it, while something is down. As `info`
    /// reckons the rate: how long a tap lasts says nothing of it.
    private func forEachInterval(_ body: (Int, Double, Double) -> Void) throws(Failure) {
        var last: [SourceID: Instant] = [:]
        var down: [SourceID: Int] = [:]
        try read { (moment) throws(Failure) in
            guard let frame = moment.frame, frame.changes.contains(where: { $0.contact.target == target }) else {
                return
            }
            let hasMoved = frame.changes.contains { $0.phase == .moved }
            if let before = last[frame.source], hasMoved, span.contains(moment.time), moment.time > before {
                body(frame.source.rawValue, seconds(moment.time), moment.time.millisecondsSince(before))
            }
            for change in frame.changes {
                if change.phase == .began { down[frame.source, default: 0] += 1 }
                if change.phase.isTerminal { down[frame.source, default: 0] -= 1 }
            }
            last[frame.source] = down[frame.source, default: 0] > 0 ? moment.time : nil
        }
    }
}

/// Fingers by the lowest number that is free, from 1, as colours are given to them.
private struct FingerNumbers {
    private var serials: [UInt64?] = []

    mutating func number(of change: ContactFrame.Change) -> Int {
        let serial = change.contact.serial
        let index: Int
        if let known = serials.firstIndex(of: serial) {
            index = known
        } else if let free = serials.firstIndex(of: nil) {
            index = free
        } else {
            index = serials.count
            serials.append(nil)
        }
        serials[index] = change.phase.isTerminal ? nil : serial
        return index + 1
    }
}

extension IntervalFigures {
    /// Nil when there is none.
    fileprivate var text: String? {
        let pauses = pauseWords
        guard count > 0 else { return pauses }
        let text = "half within \(quantile(0.5)) ms, 99 % \(quantile(0.99)) ms, all \(quantile(1)) ms"
        return text + (pauses.map { " but \($0)" } ?? "")
    }

    private var pauseWords: String? {
        guard let pause = longestPause else { return nil }
        let (length, end) = (decimalText(pause.length, places: 0) ?? "?", decimalText(pause.seconds, places: 2) ?? "?")
        if pauseCount == 1 { return "a pause of \(length) ms until \(end) s" }
        return "\(pauseCount) pauses, the longest \(length) ms until \(end) s"
    }
}

extension Color {
    /// A little lighter or darker, so that the ground of this colour has an edge.
    fileprivate var edge: Color {
        let brightness = 299 * Int(red) + 587 * Int(green) + 114 * Int(blue)
        func channel(_ value: UInt8) -> UInt8 { brightness < 128_000 ? value + (255 - value) / 4 : value - value / 4 }
        return Color(red: channel(red), green: channel(green), blue: channel(blue), alpha: max(alpha, 128))
    }
}
