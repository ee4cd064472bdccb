internal import Gestures
internal import Inspection
internal import Recording

/// Which faults people were told of: one that goes on, as with a compositor that never sends a frame, would be every other
/// line. It is said when it begins, and again when it comes back; between, the statistics count it.
struct SaidFaults {
    /// ns without it, after which it has come back. Our choice.
    private static let rest: Int64 = 10_000_000_000

    private struct Kind: Hashable {
        var seat: String?
        var device: String?
        var fault: Fault
    }

    private var last: [Kind: Instant] = [:]

    mutating func isNews(_ report: FaultReport, at now: Instant) -> Bool {
        let before = last.updateValue(now, forKey: Kind(seat: report.seat, device: report.device, fault: report.fault))
        return before.map { now - $0 >= SaidFaults.rest } ?? true
    }
}

/// The inspector's figures, as lines.
extension EventLog {
    func statistics(_ report: StatisticsReport, at now: Instant) {
        switch format {
        case .json: writer.write(json(report))
        case .text: writer.write(row(now, report.seat ?? "all", "statistics", start(report.device) + text(report)))
        }
    }

    func fault(_ report: FaultReport, at now: Instant) {
        switch format {
        case .json:
            var line = JSONLine(type: "fault")
            if let seat = report.seat { line.add("seat", seat) }
            if let device = report.device { line.add("device", device) }
            line.add("fault", report.fault.name)
            line.add("count", report.count)
            writer.write(line.line)
        case .text:
            guard saidFaults.isNews(report, at: now) else { return }
            writer.write(
                row(
                    now, report.seat ?? "all", "fault",
                    start(report.device) + "\(report.fault.name), \(report.count) so far"))
        }
    }

    /// A commit that showed a touch, and what became of it.
    ///
    /// - Parameter output: the one that it was on, where there are several.
    func presented(_ shown: ShownTouch, _ outcome: PresentationOutcome, output: String?) {
        let instant: Instant? = if case .presented(let instant) = outcome { instant } else { nil }
        let commit = shown.committed.millisecondsSince(shown.arrival)
        let photons = instant.map { $0.millisecondsSince(shown.arrival) }
        let delivery = shown.stamped.map { shown.arrival.millisecondsSince($0) }
        switch format {
        case .json:
            var line = JSONLine(type: "presented")
            if let output { line.add("output", output) }
            if let delivery { line.add("delivery", thousandths(delivery)) }
            line.add("commit", thousandths(commit))
            if let photons { line.add("photons", thousandths(photons)) }
            if outcome == .discarded { line.add("discarded", true) }
            writer.write(line.line)
        case .text:
            var rest = "\(short(commit)) ms to the commit"
            if let photons { rest += ", \(short(photons)) ms to photons" }
            if outcome == .discarded { rest += ", never seen" }
            if let output { rest += ", \(output)" }
            if let delivery { rest += "; the touch was \(short(delivery)) ms old when it came" }
            writer.write(row(instant ?? shown.committed, "all", "presented", rest))
        }
    }

    /// us are as fine as any of these clocks is read.
    private func thousandths(_ milliseconds: Double) -> Double { (milliseconds * 1000).rounded() / 1000 }

    // MARK: JSON

    private func json(_ report: StatisticsReport) -> String {
        let statistics = report.statistics
        var line = JSONLine(type: "statistics")
        if let seat = report.seat { line.add("seat", seat) }
        if let device = report.device { line.add("device", device) }
        line.add("contacts", statistics.contacts)
        line.add("most", statistics.mostContacts)
        line.add("begun", statistics.contactCount)
        line.add("events", statistics.eventCount)
        line.add("rate", report.eventsPerSecond)
        if let interval = statistics.interval {
            line.add("interval", summary(interval))
            line.add("histogram", statistics.intervals.counts)
        }
        if let gesture = statistics.lastGesture { line.add("last", gesture) }
        if let latency = report.latency {
            let measured = measurements(latency)
            if !measured.isEmpty {
                line.add(
                    "latency",
                    measured.map { measurement in
                        var object = JSONLine()
                        object.add("from", measurement.from)
                        object.add("to", measurement.to)
                        add(measurement.summary, to: &object)
                        return object
                    })
            }
            if latency.discarded > 0 { line.add("discarded", latency.discarded) }
            switch latency.photonSource {
            case .ready, .unasked: break
            case .absent, .otherClock: line.add("photons", "unavailable")
            }
        }
        let faults = report.faults.seen
        if !faults.isEmpty {
            line.add(
                "faults",
                faults.map { fault, count in
                    var object = JSONLine()
                    object.add("fault", fault.name)
                    object.add("count", count)
                    return object
                })
        }
        return line.line
    }

    private func summary(_ summary: Summary) -> JSONLine {
        var object = JSONLine()
        add(summary, to: &object)
        return object
    }

    private func add(_ summary: Summary, to object: inout JSONLine) {
        object.add("count", summary.count)
        object.add("median", thousandths(summary.median))
        object.add("p99", thousandths(summary.percentile99))
    }

    private typealias Measurement = (from: String, to: String, summary: Summary)

    private func measurements(_ latency: StatisticsReport.Latency) -> [Measurement] {
        var list: [Measurement] = []
        for (from, figures) in [("arrival", latency.sinceArrival), ("stamp", latency.sinceStamp)] {
            if let commit = figures.commit { list.append((from, "commit", commit)) }
            if let photons = figures.photons { list.append((from, "photons", photons)) }
        }
        return list
    }

    // MARK: Text

    private func start(_ device: String?) -> String { device.map { "\($0): " } ?? "" }

    private func text(_ report: StatisticsReport) -> String {
        let statistics = report.statistics
        var text =
            "\(statistics.contacts) contact\(statistics.contacts == 1 ? "" : "s"), "
            + "at most \(statistics.mostContacts), \(statistics.contactCount) in all; "
            + "\(statistics.eventCount) event\(statistics.eventCount == 1 ? "" : "s"), \(report.eventsPerSecond)/s"
        if let interval = statistics.interval { text += "; every " + words(interval) }
        if let latency = report.latency {
            for measurement in measurements(latency) {
                text += "; \(measurement.from) to \(measurement.to) " + words(measurement.summary)
            }
        }
        for (fault, count) in report.faults.seen { text += "; \(fault.name) \(count)" }
        return text
    }

    private func words(_ summary: Summary) -> String {
        "\(short(summary.median)) ms (p99 \(short(summary.percentile99)))"
    }
}
