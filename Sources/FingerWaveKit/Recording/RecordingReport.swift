internal import Gestures
internal import Recording

/// What `fingerwave info FILE` says of a recording, as text and as lines.
struct RecordingReport {
    let path: String
    let format: String
    /// The program that packed the file.
    let packing: String?
    let summary: RecordingSummary
    let gestures: GestureCounts
    /// What they were made on, as far as it is known how large that is.
    let surfaces: [RecordedSurface]

    /// Reads the file to its end.
    ///
    /// - Parameter size: of what was touched, logical px; nil: as the recording tells it.
    init(path: String, size: WindowOptions.Size? = nil) throws(Failure) {
        var file = RecordingFile(path: path)
        var touches = RecordingTouches()
        let told = size.map { Size(width: Double($0.width), height: Double($0.height)) }
        var summary = RecordingSummary(size: told)
        var settled: [RecordingItem] = []
        let recorded = RecordedGestures(size: told)
        var gestures = GestureCounts()
        func count(_ moment: RecordedGestures.Moment) { for gesture in moment.gestures { gestures.count(gesture) } }
        try file.read { (item) throws(Failure) in
            summary.count(read: item)
            if case .device = item.content { recorded.handle(item, count) }
            touches.handle(item, into: &settled)
            for item in settled {
                summary.count(settled: item)
                recorded.handle(item, count)
            }
            settled.removeAll(keepingCapacity: true)
        }
        if let refusal = file.refusal(summary) { throw refusal }
        recorded.finish(count)
        self.gestures = gestures
        surfaces = recorded.surfaces.all.filter { $0.isTouched }
        self.path = path
        format = file.reader.format?.name ?? "unknown"
        packing = file.reader.compression?.program
        self.summary = summary
    }

    /// What makes it none to rely on; nil when nothing does.
    var failure: Failure? {
        let oddities = summary.faults.reduce(summary.otherFaults) { $0 + $1.count }
        var words: [String] = []
        if oddities > 0 { words.append(count(oddities, "oddity", "oddities")) }
        if summary.gapCount > 0 { words.append(count(summary.gapCount, "gap", "gaps")) }
        let leftDown = count(summary.leftDownCount, "contact", "contacts") + " left down"
        if summary.leftDownCount > 0 { words.append(leftDown) }
        guard !words.isEmpty else { return nil }
        return Failure("\(path) has faults", why: words.joined(separator: ", "), remedy: "", code: .faults)
    }

    // MARK: Text

    var text: String {
        let packed = packing.map { ", packed by \($0)" } ?? ""
        var text = printable(path) + ": \(format)\(packed), \(count(summary.lineCount, "line", "lines"))\n"
        for device in summary.devices { text += "  " + printable(words(device)) + "\n" }
        for line in summary.namedDevices {
            if case .device(let facts) = line.kind { text += "  " + printable(words(facts, of: line.device)) + "\n" }
        }
        for source in summary.sources {
            text += "  " + printable(words(source)) + "\n"
            if let words = words(source.intervals) { text += "    " + words + "\n" }
        }
        for tools in summary.pens { text += "  " + printable(words(pens: tools)) + "\n" }
        for tools in summary.pointers {
            let presses = count(tools.contactCount, "press", "presses")
            text += "  " + printable("\(start(tools, "pointer")): \(presses), \(lines(tools))") + "\n"
        }
        text += summary.isWithoutContacts ? "  no touches\n" : "  " + printable(gestureWords) + "\n"
        if summary.gapCount > 0 {
            text += "  \(count(summary.gapCount, "gap", "gaps")): \(count(summary.lostLineCount, "line", "lines")) "
            text += "could not be written\n"
        }
        for fault in summary.faults {
            let count = fault.count > 1 ? " (\(fault.count) times)" : ""
            text += printable("\(path):\(fault.line): \(fault.kind.description)\(count)") + "\n"
        }
        if summary.otherFaults > 0 { text += "and \(summary.otherFaults) more of other kinds\n" }
        return text
    }

    private func words(_ device: EvdevDevice) -> String {
        var facts = TouchLineDevice(.added, name: device.name)
        if let width = (device.axis(EvdevCode.positionX) ?? device.axis(EvdevCode.x))?.millimetres,
            let height = (device.axis(EvdevCode.positionY) ?? device.axis(EvdevCode.y))?.millimetres
        {
            facts.millimetres = Size(width: width, height: height)
        }
        facts.touchCount = device.touchCount
        return words(facts, of: device.node)
    }

    private func words(_ facts: TouchLineDevice, of node: String?) -> String {
        var words = node.map { "\($0): " } ?? ""
        let name = facts.name ?? ""
        words += name.isEmpty ? "(no name)" : name
        if let size = facts.millimetres { words += ", \(decimal(size.width)) x \(decimal(size.height)) mm" }
        if let most = facts.touchCount { words += ", \(count(Int(most), "touch", "touches"))" }
        return words
    }

    private func words(_ source: RecordingSummary.Source) -> String {
        var words = [source.seat, source.device].compactMap { $0 }.joined(separator: " ")
        if words.isEmpty { words = "touches" }
        words += ": \(count(source.contactCount, "contact", "contacts")), \(source.mostAtOnce) at once, "
        words += "\(source.cancelledCount) cancelled, \(source.leftDown.count) left down; "
        words += "\(count(source.frameCount, "frame", "frames")) in \(decimal(source.duration)) s"
        if let rate = source.rate { words += ", \(decimal(rate)) a second while a finger moves" }
        return words
    }

    /// What tells of frames that were lost; nil where nothing moved.
    private func words(_ intervals: IntervalFigures) -> String? {
        var words: [String] = []
        if let longest = intervals.longest {
            let (median, most) = (intervals.quantile(0.5), intervals.quantile(0.99))
            words.append("median \(median) ms, 99 % within \(most) ms, the longest " + self.words(longest))
        }
        if let pause = intervals.longestPause {
            let pauses = count(intervals.pauseCount, "pause", "pauses")
            words.append("\(pauses) over 100 ms, the longest " + self.words(pause))
        }
        return words.isEmpty ? nil : "between its frames: " + words.joined(separator: "; ")
    }

    private func words(_ extreme: IntervalFigures.Extreme) -> String {
        "\(decimalText(extreme.length, places: 0) ?? "?") ms, until \(decimalText(extreme.seconds, places: 3) ?? "?") s "
            + "(line \(extreme.line))"
    }

    private func words(pens tools: RecordingSummary.Tools) -> String {
        let pens = count(tools.tools.count, "pen", "pens")
        return "\(start(tools, "tablet")): \(pens), down \(count(tools.contactCount, "time", "times")), \(lines(tools))"
    }

    private func start(_ tools: RecordingSummary.Tools, _ what: String) -> String {
        [tools.seat, what].compactMap { $0 }.joined(separator: " ")
    }

    private func lines(_ tools: RecordingSummary.Tools) -> String { count(tools.lineCount, "line", "lines") }

    private func count(_ number: Int, _ one: String, _ more: String) -> String {
        "\(number) \(number == 1 ? one : more)"
    }

    private var gestureWords: String {
        let counts = gestures.all.map { made in
            var others: [String] = []
            if made.stylus > 0 { others.append("stylus \(made.stylus)") }
            if made.pointer > 0 { others.append("pointer \(made.pointer)") }
            return "\(made.name) \(made.count)" + (others.isEmpty ? "" : " (\(others.joined(separator: ", ")))")
        }
        let places = surfaces.map { surface in
            (surfaces.count > 1 ? (surface.name ?? "window") + " " : "") + words(surface)
        }
        return "gestures: "
            + ([counts.isEmpty ? "none" : counts.joined(separator: ", ")] + places).joined(separator: "; ")
    }

    private func words(_ surface: RecordedSurface) -> String {
        guard let size = surface.firstSize else { return "on an output of unknown size (--size tells it)" }
        let words =
            "on \(decimalText(size.width, places: 0) ?? "?")x\(decimalText(size.height, places: 0) ?? "?") logical px"
        return switch surface.basis {
        case .told: words
        case .recorded: words + ", as recorded"
        case .millimetres: words + ", by its millimetres"
        case .range: words + ", by its units: its size is not known (--size tells it)"
        case .assumed: words + ", which are assumed: its size is not known (--size tells it)"
        }
    }

    private func decimal(_ value: Double) -> String { decimalText(value, places: 1) ?? "?" }

    // MARK: JSON

    var json: String {
        var lines: [JSONLine] = []
        var recording = JSONLine(type: "recording")
        recording.add("file", path)
        recording.add("format", format)
        if let packing { recording.add("packed", packing) }
        recording.add("lines", summary.lineCount)
        recording.add("events", summary.eventCount)
        recording.add("contacts", summary.contactCount)
        recording.add("left_down", summary.leftDownCount)
        if summary.gapCount > 0 {
            recording.add("gaps", summary.gapCount)
            recording.add("lost_lines", summary.lostLineCount)
        }
        lines.append(recording)
        for device in summary.devices {
            var line = JSONLine(type: "described")
            if let node = device.node { line.add("device", node) }
            line.add("name", device.name)
            line.add("vendor", device.vendor)
            line.add("product", device.product)
            if let count = device.touchCount { line.add("touches", count) }
            lines.append(line)
        }
        for named in summary.namedDevices {
            guard case .device(let facts) = named.kind else { continue }
            var line = JSONLine(type: "described")
            if let device = named.device { line.add("device", device) }
            line.add("name", facts.name ?? "")
            if let count = facts.touchCount { line.add("touches", count) }
            lines.append(line)
        }
        lines += summary.sources.map(json)
        for tools in summary.pens {
            var line = json(tools, type: "pens")
            line.add("tools", tools.tools.sorted().map { Int($0) })
            lines.append(line)
        }
        for tools in summary.pointers { lines.append(json(tools, type: "pointer")) }
        for surface in surfaces { lines.append(json(surface)) }
        for made in gestures.all {
            var line = JSONLine(type: "gestures")
            line.add("gesture", made.name)
            line.add("count", made.count)
            if made.stylus > 0 { line.add("stylus", made.stylus) }
            if made.pointer > 0 { line.add("pointer", made.pointer) }
            lines.append(line)
        }
        for fault in summary.faults {
            var line = JSONLine(type: "oddity")
            line.add("line", fault.line)
            line.add("what", fault.kind.description)
            line.add("count", fault.count)
            lines.append(line)
        }
        return lines.map { $0.line }.joined()
    }

    private func json(_ surface: RecordedSurface) -> JSONLine {
        var line = JSONLine(type: "surface")
        if let name = surface.name { line.add("name", name) }
        if let size = surface.firstSize {
            line.add("width", size.width)
            line.add("height", size.height)
        }
        line.add("known_by", basis(surface))
        return line
    }

    private func basis(_ surface: RecordedSurface) -> String {
        switch surface.basis {
        case .told: "option"
        case .recorded: "recording"
        case .millimetres: "millimetres"
        case .range: "units"
        case .assumed: surface.firstSize == nil ? "nothing" : "assumption"
        }
    }

    private func json(_ tools: RecordingSummary.Tools, type: String) -> JSONLine {
        var line = JSONLine(type: type)
        if let seat = tools.seat { line.add("seat", seat) }
        line.add("contacts", tools.contactCount)
        line.add("lines", tools.lineCount)
        return line
    }

    private func json(_ extreme: IntervalFigures.Extreme) -> JSONLine {
        var line = JSONLine()
        line.add("milliseconds", extreme.length)
        line.add("until", extreme.seconds)
        line.add("line", extreme.line)
        return line
    }

    private func json(_ source: RecordingSummary.Source) -> JSONLine {
        var line = JSONLine(type: "touches")
        if let seat = source.seat { line.add("seat", seat) }
        if let device = source.device { line.add("device", device) }
        line.add("contacts", source.contactCount)
        line.add("most", source.mostAtOnce)
        line.add("cancelled", source.cancelledCount)
        line.add("left_down", source.leftDown.sorted().map { Int($0) })
        line.add("frames", source.frameCount)
        line.add("duration", source.duration)
        if let rate = source.rate { line.add("rate", rate) }
        if let longest = source.intervals.longest {
            line.add("interval_median", source.intervals.quantile(0.5))
            line.add("interval_99", source.intervals.quantile(0.99))
            line.add("longest_interval", json(longest))
        }
        if let pause = source.intervals.longestPause {
            line.add("pauses", source.intervals.pauseCount)
            line.add("longest_pause", json(pause))
        }
        return line
    }
}
