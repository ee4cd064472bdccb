internal import Gestures
internal import Ripples

extension TouchInspector {
    /// Kept free around a contact for its own mark and slop ring, logical px.
    private static let gap = 30.0
    /// Text that tells of something wrong.
    private static let warning = Color(red: 255, green: 200, blue: 90)

    /// What to say of one contact: its name, its place, how long it is down and how fast, then what its device tells of it.
    func label(for inspected: InspectedContact, at now: Instant, isStuck: Bool) -> Label {
        let contact = inspected.contact
        let kind =
            switch contact.kind {
            case .finger: ""
            case .pointer: " pointer"
            case .stylus: " pen"
            }
        let age = max(0, now.millisecondsSince(inspected.arrival)) / 1000
        var lines = [
            "#\(contact.id) \(inspected.seat)\(kind)",
            "\(figure(contact.position.x)), \(figure(contact.position.y))",
            "\(figure(age)) s  \(figure(inspected.speed(at: now), places: 0)) px/s",
        ]
        if let pressure = contact.pressure { lines.append("pressure \(figure(pressure, places: 2))") }
        if let tilt = contact.tilt { lines.append("tilt \(figure(tilt.x, places: 0)), \(figure(tilt.y, places: 0))°") }
        if let shape = contact.shape {
            var line = "\(figure(shape.major)) by \(figure(shape.minor))"
            if let degrees = contact.orientation { line += ", \(figure(degrees, places: 0))°" }
            lines.append(line)
        }
        if isStuck { lines.append("stuck?") }
        var label = labelStyle
        label.lines = lines
        label.placement = .beside
        label.anchor = contact.position
        label.gap = Self.gap
        if isStuck { label.color = Self.warning }
        return label
    }

    /// One label for each figure, so that one that changes has only itself redrawn; of a width that stays.
    func makeHeading(at now: Instant) -> [Label] {
        var cells = [
            cell("contacts \(figure(statistics.contacts, width: 2)) most \(figure(statistics.mostContacts, width: 2))"),
            cell(rate(at: now)),
            cell("interval \(summary(statistics.interval))"),
            cell("1.5 \(statistics.intervals.bars) 70 ms"),
            cell(commitFigures),
        ]
        if showsPhotons { cells.append(cell(photonFigures)) }
        cells.append(cell("last \(statistics.lastGesture ?? "-")"))
        for (fault, count) in faults.seen {
            var warning = cell("\(fault.name) \(count)")
            warning.color = Self.warning
            cells.append(warning)
        }
        return cells
    }

    private func cell(_ text: String) -> Label {
        var label = labelStyle
        label.lines = [text]
        label.placement = .heading
        return label
    }

    /// In brackets when nothing is touched: nothing counts on then, and the figure is of the last touch.
    private func rate(at now: Instant) -> String {
        let rate = statistics.eventsPerSecond(at: now)
        let text = statistics.contacts > 0 ? "\(rate) " : "(\(rate))"
        return "events/s " + String(repeating: " ", count: max(0, 6 - text.utf8.count)) + text
    }

    private func summary(_ summary: Summary?) -> String {
        guard let summary else { return "    -" }
        return "\(figure(summary.median, width: 5)) p99 \(figure(summary.percentile99, width: 5)) ms"
    }

    /// From the stamp when it is known what it means, which is the whole truth; else from the arrival.
    private var commitFigures: String {
        if let summary = latency.sinceStamp.commit { return "stamp to commit \(self.summary(summary))" }
        return "arrival to commit \(summary(latency.sinceArrival.commit))"
    }

    private var photonFigures: String {
        switch photonSource {
        case .absent: "photons: no wp_presentation"
        case .unasked: "photons: not asked for"
        case .otherClock(let clock): "photons: clock \(clock) is not CLOCK_MONOTONIC"
        case .ready:
            if let summary = latency.sinceStamp.photons {
                "stamp to photons \(self.summary(summary))"
            } else {
                "arrival to photons \(summary(latency.sinceArrival.photons))"
            }
        }
    }
}
