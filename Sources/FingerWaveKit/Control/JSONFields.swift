/// The fields of one flat JSON object, as ``JSONLine`` writes it, for showing them to people.
struct JSONFields {
    /// Strings without their quotes, everything else as it stands.
    private(set) var fields: [(key: String, value: String)] = []

    /// nil when the line is no such object.
    init?(_ line: String) {
        var rest = Array(line.utf8)[...]
        guard rest.popFirst() == UInt8(ascii: "{"), rest.popLast() == UInt8(ascii: "}") else { return nil }
        while !rest.isEmpty {
            guard let key = JSONFields.string(&rest), rest.popFirst() == UInt8(ascii: ":") else { return nil }
            if rest.first == UInt8(ascii: "\"") {
                guard let value = JSONFields.string(&rest) else { return nil }
                fields.append((key, value))
            } else {
                let end = rest.firstIndex(of: UInt8(ascii: ",")) ?? rest.endIndex
                fields.append((key, String(decoding: rest[..<end], as: UTF8.self)))
                rest = rest[end...]
            }
            guard rest.isEmpty || rest.popFirst() == UInt8(ascii: ",") else { return nil }
        }
    }

    subscript(key: String) -> String? { fields.first { $0.key == key }?.value }

    private static func string(_ rest: inout ArraySlice<UInt8>) -> String? {
        guard rest.popFirst() == UInt8(ascii: "\"") else { return nil }
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: bytes, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let escaped = rest.popFirst() else { return nil }
                switch escaped {
                case UInt8(ascii: "n"): bytes.append(0x0A)
                case UInt8(ascii: "t"): bytes.append(0x09)
                case UInt8(ascii: "r"): bytes.append(0x0D)
                case UInt8(ascii: "u"):
                    let digits = rest.prefix(4)
                    guard digits.count == 4,
                        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
                    else { return nil }
                    rest = rest.dropFirst(4)
                    bytes.append(value)
                default: bytes.append(escaped)
                }
            default: bytes.append(byte)
            }
        }
        return nil
    }
}
