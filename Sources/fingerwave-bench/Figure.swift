/// One measured quantity, as a JSON line has it.
struct Figure: Encodable {
    let type = "figure"
    /// `events`, `requests`, `ripples`, `start`, `run`, `recording`.
    var benchmark: String
    /// What is done: the event, the size of the ripple, ...
    var subject: String
    /// Who does it.
    var variant: String
    var metric: String
    var unit: String
    var median: Double
    /// The quartiles: half of all rounds lie between.
    var low: Double
    var high: Double
    var rounds: Int
    /// To other variants, by their names: the median of the rounds' ratios.
    var ratios: [String: Double] = [:]

    init(_ benchmark: String, _ subject: String, _ variant: String, metric: String, unit: String, _ samples: Samples) {
        self.benchmark = benchmark
        self.subject = subject
        self.variant = variant
        self.metric = metric
        self.unit = unit
        median = samples.median.roundedForPrint
        low = samples.quantile(0.25).roundedForPrint
        high = samples.quantile(0.75).roundedForPrint
        rounds = samples.values.count
    }

    func comparing(_ samples: Samples, with references: [(name: String, samples: Samples)]) -> Figure {
        var figure = self
        for reference in references {
            figure.ratios[reference.name] = samples.ratio(to: reference.samples).roundedForPrint
        }
        return figure
    }

    private enum CodingKeys: CodingKey {
        case type, benchmark, subject, variant, metric, unit, median, low, high, rounds, ratios
    }
}

/// Something that was left out, or that did not run.
struct Note: Encodable {
    let type = "note"
    var benchmark: String
    var subject: String
    var reason: String
    /// It is here, and did not run.
    var isFailure = false

    private enum CodingKeys: String, CodingKey {
        case type, benchmark, subject, reason
        case isFailure = "failure"
    }
}

/// What a benchmark on a compositor comes to.
struct Outcome {
    var figures: [Figure] = []
    var notes: [Note] = []
}

extension Double {
    fileprivate var roundedForPrint: Double { (self * 1000).rounded() / 1000 }

    /// With about three digits.
    var text: String {
        if !isFinite { return "-" }
        let decimals = abs(self) >= 99.95 ? 0 : abs(self) >= 9.995 ? 1 : 2
        let scale = [1, 10, 100][decimals]
        let whole = Int((abs(self) * Double(scale)).rounded())
        let sign = self < 0 && whole > 0 ? "-" : ""
        if decimals == 0 { return "\(sign)\(whole)" }
        let rest = String(whole % scale)
        return "\(sign)\(whole / scale)." + String(repeating: "0", count: decimals - rest.count) + rest
    }
}
