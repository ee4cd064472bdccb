/// One JSON object on one line, built field by field in the order given.
package struct JSONLine {
    private var text = "{"

    package init(type: String) { add("type", type) }

    /// An object within another.
    package init() {}

    private mutating func addKey(_ key: StaticString) {
        if text.utf8.count > 1 { text += "," }
        text += "\"\(key)\":"
    }

    package mutating func add(_ key: StaticString, _ value: String) {
        addKey(key)
        text += JSONLine.quoted(value)
    }

    /// A string with its quotes and escapes.
    static func quoted(_ value: String) -> String {
        var text = "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\t": text += "\\t"
            case "\r": text += "\\r"
            case _ where scalar.value < 0x20:
                let hex = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - hex.utf8.count) + hex
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }

    package mutating func add(_ key: StaticString, _ value: some BinaryInteger) {
        addKey(key)
        text += String(value)
    }

    package mutating func add(_ key: StaticString, _ value: Bool) {
        addKey(key)
        text += value ? "true" : "false"
    }

    /// A number with up to eight decimals, so that every 24.8 fixed-point value is exact; null when it is none.
    package mutating func add(_ key: StaticString, _ value: Double) {
        addKey(key)
        text += decimalText(value) ?? "null"
    }

    package mutating func add(_ key: StaticString, _ object: JSONLine) {
        addKey(key)
        text += object.object
    }

    package mutating func add(_ key: StaticString, _ objects: [JSONLine]) {
        addKey(key)
        text += "[" + objects.map { $0.object }.joined(separator: ",") + "]"
    }

    package mutating func add(_ key: StaticString, _ numbers: [Int]) {
        addKey(key)
        text += "[" + numbers.map { String($0) }.joined(separator: ",") + "]"
    }

    package mutating func add(_ key: StaticString, _ numbers: [Double]) {
        addKey(key)
        text += "[" + numbers.map { decimalText($0) ?? "null" }.joined(separator: ",") + "]"
    }

    package mutating func add(_ key: StaticString, _ lists: [[Int]]) {
        addKey(key)
        let texts = lists.map { "[" + $0.map { String($0) }.joined(separator: ",") + "]" }
        text += "[" + texts.joined(separator: ",") + "]"
    }

    private var object: String { text + "}" }

    /// The line with its end.
    package var line: String { object + "\n" }
}

/// `value` in plain decimal notation, rounded to `places` (at most 8) with trailing zeros cut; nil beyond ±10^10 or if
/// not a number.
package func decimalText(_ value: Double, places: Int = 8) -> String? {
    guard value.magnitude < 1e10 else { return nil }
    var unit: Int64 = 1
    for _ in 0..<places { unit *= 10 }
    let scaled = Int64((value.magnitude * Double(unit)).rounded())
    var text = value < 0 && scaled != 0 ? "-" : ""
    text += String(scaled / unit)
    var fraction = scaled % unit
    guard fraction != 0 else { return text }
    var digits = places
    while fraction % 10 == 0 {
        fraction /= 10
        digits -= 1
    }
    let tail = String(fraction)
    return text + "." + String(repeating: "0", count: digits - tail.utf8.count) + tail
}
