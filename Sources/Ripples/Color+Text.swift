extension Color {
    /// `RRGGBB`, `RRGGBBAA`, `RGB` or `RGBA` in hexadecimal, with or without a `#` before it; one of CSS's sixteen basic
    /// colour names, cyan, magenta, orange or grey; or transparent. Case does not matter.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        let digits = bytes.first == UInt8(ascii: "#") ? bytes[1...] : bytes[...]
        if let color = Color(hexadecimal: digits) ?? Color(name: text.lowercased()) {
            self = color
        } else {
            return nil
        }
    }

    /// `#RRGGBB`, or `#RRGGBBAA` when it is not opaque.
    public var text: String {
        var result = "#"
        for channel in alpha == 255 ? [red, green, blue] : [red, green, blue, alpha] {
            result += String(channel >> 4, radix: 16, uppercase: true)
            result += String(channel & 15, radix: 16, uppercase: true)
        }
        return result
    }

    private init(_ value: UInt32) {
        self.init(
            red: UInt8(truncatingIfNeeded: value >> 16), green: UInt8(truncatingIfNeeded: value >> 8),
            blue: UInt8(truncatingIfNeeded: value))
    }

    private init?(hexadecimal digits: ArraySlice<UInt8>) {
        var values: [UInt8] = []
        for byte in digits {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): values.append(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): values.append(byte - UInt8(ascii: "a") + 10)
            case UInt8(ascii: "A")...UInt8(ascii: "F"): values.append(byte - UInt8(ascii: "A") + 10)
            default: return nil
            }
        }
        switch values.count {
        case 3, 4:
            self.init(
                red: values[0] * 17, green: values[1] * 17, blue: values[2] * 17,
                alpha: values.count == 4 ? values[3] * 17 : 255)
        case 6, 8:
            self.init(
                red: values[0] << 4 | values[1], green: values[2] << 4 | values[3], blue: values[4] << 4 | values[5],
                alpha: values.count == 8 ? values[6] << 4 | values[7] : 255)
        default:
            return nil
        }
    }

    private init?(name: String) {
        guard let value = Color.named.first(where: { $0.name == name })?.value else { return nil }
        self.init(value)
        if name == "transparent" { self = .clear }
    }

    /// What ``init(_:)`` takes for a colour's name.
    public static var names: [String] { named.map { $0.name } }

    private static let named: [(name: String, value: UInt32)] = [
        ("aqua", 0x00_FF_FF), ("black", 0x00_00_00), ("blue", 0x00_00_FF), ("cyan", 0x00_FF_FF),
        ("fuchsia", 0xFF_00_FF), ("gray", 0x80_80_80), ("green", 0x00_80_00), ("grey", 0x80_80_80),
        ("lime", 0x00_FF_00), ("magenta", 0xFF_00_FF), ("maroon", 0x80_00_00), ("navy", 0x00_00_80),
        ("olive", 0x80_80_00), ("orange", 0xFF_A5_00), ("purple", 0x80_00_80), ("red", 0xFF_00_00),
        ("silver", 0xC0_C0_C0), ("teal", 0x00_80_80), ("transparent", 0), ("white", 0xFF_FF_FF),
        ("yellow", 0xFF_FF_00),
    ]
}
