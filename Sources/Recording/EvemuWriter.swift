/// Writes evemu 1.3, as `evemu-play` and `evemu-device` read it.
package enum EvemuWriter {
    /// The description of the device, which comes before its events.
    package static func header(_ device: EvdevDevice) -> String {
        var text = "# EVEMU 1.3\nN: \(singleLine(device.name))\n"
        text += "I: \(hex(device.bus)) \(hex(device.vendor)) \(hex(device.product)) \(hex(device.version))\n"
        text += masks("P:", device.properties ?? [])
        let types = [EvdevCode.syn] + device.codes.map { $0.type }
        text += masks("B: 00", types)
        var type: UInt16 = 0
        while type < 0x20 {
            let codes = device.codes.filter { $0.type == type }.map { $0.code }
            if !codes.isEmpty { text += masks("B: \(hex(type, digits: 2))", codes) }
            type += 1
        }
        for axis in device.axes {
            text += "A: \(hex(axis.code, digits: 2)) \(axis.minimum) \(axis.maximum) \(axis.fuzz) \(axis.flat)"
            text += " \(axis.resolution)\n"
        }
        return text
    }

    /// With the line's end. Times before 0 are written as 0.
    package static func line(_ event: EvdevEvent) -> String {
        let time = max(0, event.time)
        let value = String(event.value.magnitude)
        let padding = String(repeating: "0", count: max(0, (event.value < 0 ? 3 : 4) - value.utf8.count))
        return "E: \(time / 1_000_000).\(digits(time % 1_000_000)) \(hex(event.type)) \(hex(event.code)) "
            + (event.value < 0 ? "-" : "") + padding + value + "\n"
    }

    /// Bytes of eight bits each, the lowest first, eight a line.
    private static func masks(_ start: String, _ bits: [UInt16]) -> String {
        let lines = Int((bits.max() ?? 0) / 64) + 1
        var bytes = [UInt8](repeating: 0, count: lines * 8)
        for bit in bits { bytes[Int(bit / 8)] |= 1 << UInt8(bit % 8) }
        var text = ""
        for line in 0..<lines {
            text += start
            for byte in bytes[line * 8..<line * 8 + 8] { text += " " + hex(UInt16(byte), digits: 2) }
            text += "\n"
        }
        return text
    }

    private static func hex(_ number: UInt16, digits: Int = 4) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }

    /// Six digits of a second.
    static func digits(_ microseconds: Int64) -> String {
        let text = String(microseconds)
        return String(repeating: "0", count: 6 - text.utf8.count) + text
    }

    /// A name's line feeds would begin lines of their own.
    static func singleLine(_ text: String) -> String {
        var line = ""
        for scalar in text.unicodeScalars { line.unicodeScalars.append(scalar.value < 0x20 ? " " : scalar) }
        return line
    }
}
