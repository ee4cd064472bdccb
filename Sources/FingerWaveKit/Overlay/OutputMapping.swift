package import Gestures
internal import Recording
package import TouchDevices

/// On which output a touchscreen lies, and how that is known.
package enum OutputMapping {
    /// What somebody said: `DEVICE=OUTPUT`.
    package struct Rule: Equatable, Sendable {
        /// A device's name, its sysname (`event3`), its path, or its vendor and product (`0eef:0001`).
        package var device: String
        package var output: String

        package init(device: String, output: String) {
            self.device = device
            self.output = output
        }

        package func names(_ device: TouchDevice) -> Bool {
            self.device == device.name || self.device == device.sysname || self.device == device.path
                || self.device == device.ids
        }
    }

    /// In the order in which they are looked at.
    package enum Reason: Equatable, Sendable {
        /// By ``Rule``.
        case rule
        /// By the udev property WL_OUTPUT, which compositors go by as well.
        case udev
        case onlyOutput
        /// The first whose connector is one of ``builtInConnectors``.
        case builtIn
        /// Both are of this size, mm.
        case size(Size)
        /// Nothing else tells them apart.
        case first

        /// True when the touchscreen may as well lie on another output.
        package var isGuess: Bool { self == .first }

        package var text: String {
            switch self {
            case .rule: "--map says so"
            case .udev: "udev's WL_OUTPUT says so"
            case .onlyOutput: "the only output"
            case .builtIn: "the built-in panel"
            case .size(let size):
                "both measure about \(decimalText(size.width, places: 0) ?? "?")x"
                    + "\(decimalText(size.height, places: 0) ?? "?") mm"
            case .first: "nothing tells which: the first output; --map does"
            }
        }
    }

    package enum Decision: Equatable, Sendable {
        /// ``OutputFacts/global``.
        case output(UInt32, Reason)
        /// The output that was named is not there: its touches fall nowhere.
        case missing(name: String, Reason)
        case noOutputs
    }

    /// Connectors of panels within a device's case, as the kernel names them.
    package static let builtInConnectors = ["DSI-", "LVDS-", "eDP-", "DPI-"]

    /// How much sizes may differ and still be the same, of the larger one. Panels' touch areas are a little larger than what
    /// lights up. Our choice.
    private static let sizeTolerance = 0.1

    /// - Parameter rules: of several that name the device, the last one counts.
    package static func decide(
        _ device: TouchDevice, outputs: [OutputFacts], rules: [Rule]
    ) -> Decision {
        if let rule = rules.last(where: { $0.names(device) }) { return named(rule.output, .rule, outputs) }
        if let name = device.outputName { return named(name, .udev, outputs) }
        guard let first = outputs.first else { return .noOutputs }
        if outputs.count == 1 { return .output(first.global, .onlyOutput) }
        let builtIn = outputs.filter { output in
            builtInConnectors.contains { output.name.utf8.starts(with: $0.utf8) }
        }
        if builtIn.count == 1 { return .output(builtIn[0].global, .builtIn) }
        if let size = device.millimetres,
            let output = nearest(to: size, among: builtIn.isEmpty ? outputs : builtIn)
        {
            return .output(output.global, .size(size))
        }
        if let output = builtIn.first { return .output(output.global, .builtIn) }
        return .output(first.global, .first)
    }

    private static func named(_ name: String, _ reason: Reason, _ outputs: [OutputFacts]) -> Decision {
        outputs.first { $0.name == name }.map { .output($0.global, reason) } ?? .missing(name: name, reason)
    }

    /// What rules name that is not there; of a device that is there its place says the same.
    ///
    /// - Parameters:
    ///   - devices: nil: they are not known.
    ///   - outputs: nil: as well.
    package static func missing(
        of rules: [Rule], devices: [TouchDevice]?, outputs: [OutputFacts]?
    ) -> [String] {
        rules.compactMap { rule in
            if devices?.contains(where: { rule.names($0) }) == true { return nil }
            var missing = devices == nil ? [] : ["touchscreen \(rule.device)"]
            if let outputs, !outputs.contains(where: { $0.name == rule.output }) {
                missing.append("output \(rule.output)")
            }
            guard !missing.isEmpty else { return nil }
            return "--map \(rule.device)=\(rule.output): there is no " + missing.joined(separator: " and no ")
        }
    }

    /// The output whose size differs least, if it is about the same; which side is the longer one does not matter.
    private static func nearest(to size: Size, among outputs: [OutputFacts]) -> OutputFacts? {
        var best: (output: OutputFacts, difference: Double)?
        for output in outputs {
            let (width, height) = (Double(output.physicalWidth), Double(output.physicalHeight))
            guard width > 0, height > 0 else { continue }
            let difference = max(
                relative(max(size.width, size.height), max(width, height)),
                relative(min(size.width, size.height), min(width, height)))
            if difference <= sizeTolerance, difference < best?.difference ?? .infinity { best = (output, difference) }
        }
        return best?.output
    }

    private static func relative(_ a: Double, _ b: Double) -> Double { abs(a - b) / max(a, b) }
}

extension OutputMapping.Decision {
    /// The output's name, nil for none, and why.
    func words(_ outputs: [OutputFacts]) -> (output: String?, why: String) {
        switch self {
        case .output(let global, let reason): (outputs.first { $0.global == global }?.label, reason.text)
        case .missing(let name, let reason): (nil, "\(reason.text), but there is no output \(name)")
        case .noOutputs: (nil, "there is no output")
        }
    }
}

extension TouchDevice {
    /// Vendor and product as lsusb writes them: `0eef:0001`.
    package var ids: String { hexadecimal(vendor) + ":" + hexadecimal(product) }

    private func hexadecimal(_ number: UInt32) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
    }

    /// For people: `event3 (Goodix Capacitive TouchScreen)`.
    package var label: String { name.isEmpty ? sysname : "\(sysname) (\(name))" }
}
