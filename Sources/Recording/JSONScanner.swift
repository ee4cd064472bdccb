/// Goes through JSON text byte by byte: RFC 8259, without a tree.
package struct JSONScanner {
    /// How deep lists and objects may stand within one another: a text that somebody sends must not exhaust the stack.
    package static let deepest = 16

    private let bytes: [UInt8]
    /// Of the next byte.
    private(set) var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    func problem(_ what: String) -> JSONProblem { JSONProblem(what, column: position + 1) }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func skipSpace() {
        while let byte = next, byte == 0x20 || (0x09...0x0A).contains(byte) || byte == 0x0D { position += 1 }
    }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    func text(from start: Int) -> String { String(decoding: bytes[start..<position], as: UTF8.self) }

    // MARK: Structure

    /// A member's name with its colon and the space around them.
    mutating func key() throws(JSONProblem) -> String {
        skipSpace()
        let start = position
        try skipString()
        let key = try text(ofStringAt: start)
        skipSpace()
        guard take(":") else { throw problem("no colon") }
        skipSpace()
        return key
    }

    /// True behind a comma, false behind `end`.
    mutating func takeComma(before end: Unicode.Scalar) throws(JSONProblem) -> Bool {
        skipSpace()
        if take(",") { return true }
        guard take(end) else { throw problem(isAtEnd ? "an end too early" : "neither , nor \(end)") }
        return false
    }

    /// Goes over the value that begins here and says what it is.
    mutating func skipValue(depth: Int = 0) throws(JSONProblem) -> JSONFields.Kind {
        guard let next else { throw problem("an end too early") }
        switch next {
        case UInt8(ascii: "\""):
            try skipString()
            return .string
        case UInt8(ascii: "{"):
            try skipInside(depth, end: "}", hasKeys: true)
            return .object
        case UInt8(ascii: "["):
            try skipInside(depth, end: "]", hasKeys: false)
            return .list
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            try skipNumber()
            return .number
        default:
            for word in ["true", "false", "null"] where takeWord(word) { return .word }
            throw problem("no value")
        }
    }

    private mutating func skipInside(_ depth: Int, end: Unicode.Scalar, hasKeys: Bool) throws(JSONProblem) {
        guard depth < JSONScanner.deepest else { throw problem("too much within one another") }
        position += 1
        skipSpace()
        if take(end) { return }
        repeat {
            skipSpace()
            if hasKeys { _ = try key() }
            _ = try skipValue(depth: depth + 1)
        } while try takeComma(before: end)
    }

    private mutating func takeWord(_ word: String) -> Bool {
        guard bytes[position...].starts(with: word.utf8) else { return false }
        position += word.utf8.count
        return true
    }

    // MARK: Numbers

    private mutating func skipDigits() -> Bool {
        let start = position
        while let byte = next, (0x30...0x39).contains(byte) { position += 1 }
        return position > start
    }

    private mutating func skipNumber() throws(JSONProblem) {
        _ = take("-")
        if !take("0"), !skipDigits() { throw problem("a number without digits") }
        if take("."), !skipDigits() { throw problem("a number without digits") }
        if take("e") || take("E") {
            _ = take("+") || take("-")
            guard skipDigits() else { throw problem("a number without digits") }
        }
        if let byte = next, (0x30...0x39).contains(byte) { throw problem("a number that begins with 0") }
    }

    /// The numbers of the list that begins here; nil when it has something else. The text is known to be JSON.
    mutating func numbers() -> [Double]? {
        var numbers: [Double] = []
        guard take("[") else { return nil }
        while true {
            skipSpace()
            if take("]") { return numbers }
            let start = position
            guard (try? skipNumber()) != nil, let number = decimalNumber(bytes[start..<position]) else { return nil }
            numbers.append(number)
            skipSpace()
            _ = take(",")
        }
    }

    /// The same for a list of such lists.
    mutating func lists() -> [[Double]]? {
        var lists: [[Double]] = []
        guard take("[") else { return nil }
        while true {
            skipSpace()
            if take("]") { return lists }
            guard let numbers = numbers() else { return nil }
            lists.append(numbers)
            skipSpace()
            _ = take(",")
        }
    }

    // MARK: Strings

    private mutating func skipString() throws(JSONProblem) {
        guard take("\"") else { throw problem(isAtEnd ? "an end too early" : "no string") }
        while let byte = next {
            if byte < 0x20 { throw problem("a control character within a string") }
            position += 1
            if byte == UInt8(ascii: "\"") { return }
            // What is escaped is looked at when the text is wanted; here it must only not end the string.
            if byte == UInt8(ascii: "\\") {
                guard !isAtEnd else { break }
                position += 1
            }
        }
        throw problem("a string without its end")
    }

    /// The text of the string at `start`, which ends where we are.
    func text(ofStringAt start: Int) throws(JSONProblem) -> String {
        var text: [UInt8] = []
        var index = start + 1
        let end = position - 1
        while index < end {
            guard bytes[index] == UInt8(ascii: "\\") else {
                text.append(bytes[index])
                index += 1
                continue
            }
            switch bytes[index + 1] {
            case UInt8(ascii: "n"): text.append(0x0A)
            case UInt8(ascii: "t"): text.append(0x09)
            case UInt8(ascii: "r"): text.append(0x0D)
            case UInt8(ascii: "b"): text.append(0x08)
            case UInt8(ascii: "f"): text.append(0x0C)
            case let byte where byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "/"):
                text.append(byte)
            case UInt8(ascii: "u"):
                let (scalar, length) = try scalar(at: index, end: end)
                text.append(contentsOf: Array(String(Character(scalar)).utf8))
                index += length
                continue
            default: throw JSONProblem("an escape that there is not", column: index + 1)
            }
            index += 2
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// What `\uXXXX` stands for, or two of them for one scalar beyond U+FFFF, and how many bytes it takes up. Half of such
    /// a pair stands for U+FFFD.
    private func scalar(at index: Int, end: Int) throws(JSONProblem) -> (Unicode.Scalar, Int) {
        guard let first = unit(at: index, end: end) else {
            throw JSONProblem("an escape that there is not", column: index + 1)
        }
        if let scalar = Unicode.Scalar(first) { return (scalar, 6) }
        guard first < 0xDC00, let second = unit(at: index + 6, end: end), (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00))
        else { return ("\u{FFFD}", 6) }
        return (scalar, 12)
    }

    private func unit(at index: Int, end: Int) -> UInt16? {
        guard index + 6 <= end, bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u") else {
            return nil
        }
        var unit: UInt16 = 0
        for byte in bytes[index + 2..<index + 6] {
            let digit: UInt8
            switch byte {
            case 0x30...0x39: digit = byte - 0x30
            case 0x41...0x46: digit = byte - 0x41 + 10
            case 0x61...0x66: digit = byte - 0x61 + 10
            default: return nil
            }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }
}

/// The number that a JSON number's text stands for; nil when it is larger than a Double. Exact to 15 digits, as Clinger
/// showed ("How to read floating point numbers accurately", 1990); beyond them the last place may be off.
func decimalNumber(_ text: some Sequence<UInt8>) -> Double? {
    var mantissa: UInt64 = 0
    var exponent = 0
    var isNegative = false
    var isFraction = false
    var tail: (value: Int, isNegative: Bool)?
    for byte in text {
        switch byte {
        case UInt8(ascii: "-"):
            if tail == nil { isNegative = true } else { tail?.isNegative = true }
        case UInt8(ascii: "."): isFraction = true
        case UInt8(ascii: "e"), UInt8(ascii: "E"): tail = (0, false)
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            let digit = byte - 0x30
            if let value = tail?.value {
                // No Double is as large: more digits change nothing.
                tail?.value = min(value * 10 + Int(digit), 100_000)
            } else if mantissa < 1_000_000_000_000_000_000 {
                mantissa = mantissa * 10 + UInt64(digit)
                if isFraction { exponent -= 1 }
            } else if !isFraction {
                exponent += 1
            }
        default: break
        }
    }
    if let tail { exponent += tail.isNegative ? -tail.value : tail.value }
    let magnitude = scaled(Double(mantissa), exponent)
    guard magnitude.isFinite else { return nil }
    return isNegative ? -magnitude : magnitude
}

/// `value` times ten to the power of `exponent`. Powers up to the 22nd are exact.
private func scaled(_ value: Double, _ exponent: Int) -> Double {
    guard value != 0 else { return 0 }
    var result = value
    var left = max(-400, min(400, exponent))
    while left != 0, result != 0, result.isFinite {
        let step = min(22, left.magnitude)
        var power = 1.0
        for _ in 0..<step { power *= 10 }
        if left > 0 {
            result *= power
            left -= Int(step)
        } else {
            result /= power
            left += Int(step)
        }
    }
    return result
}
