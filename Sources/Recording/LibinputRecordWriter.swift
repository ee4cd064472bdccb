/// Writes the YAML of `libinput record`, version 1, as `libinput replay` reads it: one device, a list of frames.
package struct LibinputRecordWriter {
    private var isInFrame = false
    /// Of the first event: replay counts from 0.
    private var first: Int64?

    package init() {}

    /// An event was written.
    var hasBegun: Bool { first != nil }

    /// What comes before the events.
    package static func header(_ device: EvdevDevice) -> String {
        let name = quoted(device.name)
        var text = """
            # libinput record
            version: 1
            ndevices: 1
            libinput:
              version: "none"
              git: "unknown"
            system:
              os: "unknown"
              kernel: "unknown"
              dmi: "unknown"
            devices:
            \(device.path.map { "- node: \($0)\n  evdev:" } ?? "- evdev:")
                name: \(name)
                id: [\(device.bus), \(device.vendor), \(device.product), \(device.version)]
                codes:
                  0: [0, 1, 2, 3] # EV_SYN

            """
        var type: UInt16 = 1
        while type < 0x20 {
            let codes = device.codes.filter { $0.type == type }.map { String($0.code) }
            if !codes.isEmpty { text += "      \(type): [\(codes.joined(separator: ", "))]\n" }
            type += 1
        }
        text += "    absinfo:\n"
        for axis in device.axes {
            text += "      \(axis.code): [\(axis.minimum), \(axis.maximum), \(axis.fuzz), \(axis.flat), "
            text += "\(axis.resolution)]\n"
        }
        let properties = (device.properties ?? []).map { String($0) }.joined(separator: ", ")
        let isDirect = device.properties?.contains(EvdevCode.direct) ?? false
        text += "    properties: [\(properties)]\n  hid: []\n  udev:\n    properties:\n    - ID_INPUT=1\n"
        text += isDirect ? "    - ID_INPUT_TOUCHSCREEN=1\n" : ""
        return text + "  quirks:\n  events:\n"
    }

    package mutating func text(_ event: EvdevEvent) -> String {
        let base = first ?? event.time
        first = base
        let time = max(0, event.time &- base)
        let start = isInFrame ? "" : "  - evdev:\n"
        isInFrame = !(event.type == EvdevCode.syn && event.code == EvdevCode.report)
        return start
            + "    - [\(time / 1_000_000), \(time % 1_000_000), \(event.type), \(event.code), \(event.value)]\n"
    }

    /// Double-quoted YAML, which knows JSON's escapes.
    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in EvemuWriter.singleLine(text).unicodeScalars {
            if scalar == "\"" || scalar == "\\" { quoted += "\\" }
            // Other controls are none of YAML's characters.
            quoted.unicodeScalars.append((0x7F...0x9F).contains(scalar.value) ? " " : scalar)
        }
        return quoted + "\""
    }
}
