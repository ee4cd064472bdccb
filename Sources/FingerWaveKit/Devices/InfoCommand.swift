internal import EventLoop
internal import Gestures
internal import Recording
internal import TouchDevices
internal import WaylandClient
internal import WaylandProtocols

/// What `fingerwave info` takes.
package struct InfoOptions: OptionTable {
    package var json = false
    /// The compositor's socket; nil: as the environment says.
    package var display: String?
    /// Of what was touched in recordings, logical px; nil: as they tell it.
    package var size: WindowOptions.Size?
    /// Recordings are to be without faults.
    package var check = false

    package init() {}

    package static let topic: HelpTopic? = .info

    /// That what is said has something to speak of.
    package func check(_ files: [String]) throws(Failure) {
        guard files.isEmpty, check || size != nil else { return }
        throw .usage(
            "--\(check ? "check" : "size") is for recordings", why: "none was given", remedy: "name a FILE")
    }

    package static let entries: [OptionEntry<InfoOptions>] = [
        OptionEntry("json", .flag, "print JSON Lines", get: { $0.json }, put: { $0.json = $1 }),
        OptionEntry(
            "display", .optional(.text("SOCKET"), or: ""), "the compositor ($WAYLAND_DISPLAY)",
            get: { $0.display }, put: { $0.display = $1 }),
        OptionEntry(
            "size", .optional(.touchedSize, or: "auto"), "FILE: of what was touched, px or 95x57mm", get: { $0.size },
            put: { $0.size = $1 }),
        OptionEntry(
            "check", .flag, "FILE: end with status 6 when it has faults", get: { $0.check }, put: { $0.check = $1 }),
    ]
}

/// All that `fingerwave info` can be told.
package struct InfoSettings: OptionGroup {
    package var info = InfoOptions()
    package var mapping = MappingOptions()

    package init() {}

    package static var specs: [OptionSpec] { InfoOptions.specs + MappingOptions.specs }

    package mutating func set(_ option: ParsedOption) throws(Failure) -> Bool {
        if try info.set(option) { return true }
        return try mapping.set(option)
    }

    package func text(of name: String) -> String? { info.text(of: name) ?? mapping.text(of: name) }
}

/// `fingerwave info`: lists what there is, whatever of it can be reached.
struct InfoCommand {
    private let options: InfoOptions
    private let rules: [OutputMapping.Rule]

    /// Reads the configuration files: they may say where touchscreens lie.
    init(_ launch: Launch) throws(Failure) {
        let settled: Settled<InfoSettings> = try launch.settle()
        options = settled.settings.info
        rules = settled.settings.mapping.map
    }

    /// What is to be printed.
    func text() -> String {
        var survey: CompositorSurvey?
        var failure: Failure?
        do throws(ConnectionError) {
            survey = try CompositorSurvey.ask(options.display)
        } catch {
            failure = Failure(error)
        }
        var devices: [ListedDevice] = []
        var problem: DeviceProblem?
        do throws(DeviceProblem) { devices = try InfoCommand.listed() } catch { problem = error }
        for text in OutputMapping.missing(
            of: rules, devices: problem == nil ? devices.map { $0.device } : nil, outputs: survey?.outputs)
        {
            complain("fingerwave: \(text)\n")
        }
        let report = InfoReport(
            compositorFailure: failure, layerShell: survey?.layerShell, globals: survey?.globalList ?? [],
            seats: survey?.seats ?? [],
            outputs: survey?.outputs ?? [], devices: devices, deviceFailure: problem, rules: rules)
        return options.json ? report.json : report.text
    }

    /// udev's touchscreens; what can be read is opened for a moment, since libinput knows more of it.
    private static func listed() throws(DeviceProblem) -> [ListedDevice] {
        var listed = try TouchDeviceList.all()
        let readable = listed.filter { $0.problem == nil }.map { $0.device.path }
        guard !readable.isEmpty else { return listed }
        let reader = try TouchDeviceReader(.devices(readable)) { Instant(nanoseconds: EventLoop.now) }
        var problems: [String: DeviceProblem] = [:]
        reader.onEvent = { event in
            guard case .problem(let problem) = event, let path = problem.path else { return }
            problems[path] = problem
        }
        reader.dispatch()
        for index in listed.indices {
            let path = listed[index].device.path
            if let device = reader.devices.first(where: { $0.path == path }) { listed[index].device = device }
            if let problem = problems[path] { listed[index].problem = problem }
        }
        reader.close()
        return listed
    }
}

/// What was found, as text and as lines.
struct InfoReport {
    /// Why there is nothing of the compositor; nil when it answered.
    var compositorFailure: Failure?
    var layerShell: UInt32?
    var globals: [CompositorSurvey.Global] = []
    var seats: [CompositorSurvey.Seat] = []
    var outputs: [OutputFacts] = []
    var devices: [ListedDevice] = []
    var deviceFailure: DeviceProblem?
    var rules: [OutputMapping.Rule] = []

    /// Where an overlay would show a touchscreen's touches, and why; nil without a compositor.
    private func mapping(of device: TouchDevice) -> (output: String?, why: String)? {
        guard compositorFailure == nil else { return nil }
        return OutputMapping.decide(device, outputs: outputs, rules: rules).words(outputs)
    }

    // MARK: JSON

    var json: String {
        var lines: [JSONLine] = []
        var compositor = JSONLine(type: "compositor")
        compositor.add("answers", compositorFailure == nil)
        if let compositorFailure { compositor.add("why", compositorFailure.why) }
        if let layerShell { compositor.add("layer_shell", layerShell) }
        if !globals.isEmpty {
            compositor.add(
                "globals",
                globals.map { global in
                    var line = JSONLine()
                    line.add("interface", global.interface)
                    line.add("version", global.version)
                    return line
                })
        }
        lines.append(compositor)
        lines += seats.map { $0.json }
        lines += outputs.map { $0.json } + devices.map(json)
        if let deviceFailure {
            var line = JSONLine(type: "devices")
            line.add("problem", deviceFailure.description)
            lines.append(line)
        }
        return lines.map { $0.line }.joined()
    }

    private func json(_ listed: ListedDevice) -> JSONLine {
        let device = listed.device
        var line = JSONLine(type: "touchscreen")
        line.add("device", device.sysname)
        line.add("path", device.path)
        line.add("name", device.name)
        line.add("seat", device.seat)
        line.add("vendor", device.vendor)
        line.add("product", device.product)
        if let size = device.millimetres { line.add("millimetres", [size.width, size.height]) }
        if let count = device.touchCount { line.add("touches", count) }
        if let output = device.outputName { line.add("wl_output", output) }
        if let matrix = device.calibration { line.add("calibration", matrix) }
        if let mapping = mapping(of: device) {
            if let output = mapping.output { line.add("output", output) }
            line.add("why", mapping.why)
        }
        line.add("readable", listed.problem == nil)
        if let problem = listed.problem { line.add("problem", problem.description) }
        return line
    }

    // MARK: Text

    var text: String {
        var text = "Compositor: " + compositorWords + "\n"
        if compositorFailure == nil {
            text += "\nSeats:" + list(seats.map { ($0.name, words($0.capabilities)) })
            text += "\nOutputs:" + list(outputs.map { ($0.name.isEmpty ? "(no name)" : $0.name, words($0)) })
        }
        text += "\nTouchscreens:"
        if let deviceFailure { return text + " " + printable(deviceFailure.description) + "\n" }
        text += list(devices.map { ($0.device.sysname, words($0.device)) })
        for problem in devices.compactMap({ $0.problem }) { text += "\n" + printable(problem.description) + "\n" }
        return text
    }

    private var compositorWords: String {
        if let compositorFailure { return printable("none: \(compositorFailure.why); \(compositorFailure.remedy)") }
        return layerShell.map { "layer-shell version \($0)" } ?? "no layer-shell, so no overlay"
    }

    /// Each on a line of its own below.
    private func list(_ items: [(name: String, words: String)]) -> String {
        guard !items.isEmpty else { return " none\n" }
        let items = items.map { (name: printable($0.name), words: printable($0.words)) }
        let width = (items.map { $0.name.utf8.count }.max() ?? 0) + 2
        return "\n"
            + items.map { item in
                "  " + item.name + String(repeating: " ", count: width - item.name.utf8.count) + item.words + "\n"
            }.joined()
    }

    private func words(_ capabilities: WlSeat.Capability) -> String {
        var words: [String] = []
        if capabilities.contains(.touch) { words.append("touch") }
        if capabilities.contains(.pointer) { words.append("pointer") }
        if capabilities.contains(.keyboard) { words.append("keyboard") }
        return words.isEmpty ? "has nothing" : words.joined(separator: ", ")
    }

    private func words(_ device: TouchDevice) -> String {
        var text = DeviceLine.words(device) + ", \(device.seat)"
        if let mapping = mapping(of: device) { text += "; on \(mapping.output ?? "no output"): \(mapping.why)" }
        return text
    }

    private func words(_ output: OutputFacts) -> String {
        var text = "\(output.width)x\(output.height) px"
        if output.physicalWidth > 0, output.physicalHeight > 0 {
            text += ", \(output.physicalWidth) x \(output.physicalHeight) mm"
        }
        if let size = output.layoutSize {
            text +=
                ", \(decimalText(size.width, places: 0) ?? "?")x\(decimalText(size.height, places: 0) ?? "?") logical px"
        }
        text += ", scale \(output.scale)"
        let turn = ["", ", turned by 90", ", turned by 180", ", turned by 270"][Int(output.transform & 3)]
        if output.transform & 4 != 0 { text += ", mirrored" }
        return text + turn
    }
}
