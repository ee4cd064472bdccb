internal import CBench
internal import FoundationEssentials
internal import Glibc

/// Prints tables for people, or JSON Lines.
struct Report {
    var isJSON: Bool

    func write(_ machine: Machine) {
        if isJSON { return writeLine(machine) }
        print(
            "\(machine.processor), \(machine.cores) cores, \(machine.architecture), \(machine.kernel)", terminator: "")
        print(", load \(machine.load.text)")
        if !machine.isOptimized { print("A debug build: its figures say nothing. Use swift run -c release.") }
    }

    func write(_ figures: [Figure], title: String) {
        Progress.clear()
        if figures.isEmpty { return }
        if isJSON { return figures.forEach(writeLine) }
        print("\n\(title)")
        for line in Table(figures).lines { print("  " + line) }
    }

    /// False when something that is here did not run.
    func write(_ outcome: Outcome, title: String) -> Bool {
        write(outcome.figures, title: title)
        outcome.notes.forEach(write)
        return !outcome.notes.contains { $0.isFailure }
    }

    func write(_ note: Note) {
        Progress.clear()
        if isJSON { return writeLine(note) }
        print("  \(note.benchmark): \(note.subject) \(note.isFailure ? "failed" : "left out"): \(note.reason)")
    }

    private func writeLine(_ value: some Encodable) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // These types have strings, finite numbers and nothing else; a NaN comes from a benchmark without a round.
        guard let data = try? encoder.encode(value) else { return Progress.error("a figure is no number") }
        print(String(decoding: data, as: UTF8.self))
        _ = fflush(nil)
    }
}

/// Figures of one benchmark: a row for each thing that was done and who did it, a column for each metric and ratio.
struct Table {
    private struct Column: Hashable {
        enum Content: Hashable { case median, spread, ratio(to: String) }
        var metric: String
        var unit: String
        var content: Content

        var head: String {
            switch content {
            case .median: "\(metric), \(unit)"
            case .spread: "25%-75%"
            case .ratio(let reference): "/ \(reference)"
            }
        }

        func cell(_ figure: Figure) -> String {
            switch content {
            case .median: figure.median.text
            case .spread: "\(figure.low.text)-\(figure.high.text)"
            case .ratio(let reference): figure.ratios[reference]?.text ?? ""
            }
        }
    }

    private var rows: [[String]] = []

    init(_ figures: [Figure]) {
        let columns = Table.columns(figures)
        rows.append(["", ""] + columns.map(\.head))
        var place: [[String]: Int] = [:]
        for figure in figures {
            let key = [figure.subject, figure.variant]
            let row = place[key] ?? rows.count
            if row == rows.count {
                place[key] = row
                rows.append(key + columns.map { _ in "" })
            }
            for (index, column) in columns.enumerated() where column.metric == figure.metric {
                rows[row][index + 2] = column.cell(figure)
            }
        }
    }

    private static func columns(_ figures: [Figure]) -> [Column] {
        var columns: [Column] = []
        for metric in figures.map(\.metric).uniqued() {
            let all = figures.filter { $0.metric == metric }
            columns.append(Column(metric: metric, unit: all[0].unit, content: .median))
            if metric == figures[0].metric { columns.append(Column(metric: metric, unit: "", content: .spread)) }
            for reference in all.flatMap({ $0.ratios.keys.sorted() }).uniqued() {
                columns.append(Column(metric: metric, unit: "", content: .ratio(to: reference)))
            }
        }
        return columns
    }

    /// The two names to the left, all else to the right; what is done is said once.
    var lines: [String] {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        var subject = ""
        return rows.map { row in
            var cells = row
            if row[0] == subject { cells[0] = "" }
            subject = row[0]
            var line = ""
            for (index, cell) in cells.enumerated() {
                let padding = String(repeating: " ", count: widths[index] - cell.count)
                line += index < 2 ? cell + padding + "  " : padding + cell + "  "
            }
            while line.last == " " { line.removeLast() }
            return line
        }
    }
}

extension Sequence where Element: Hashable {
    /// Each element once, where it stands first.
    fileprivate func uniqued() -> [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
