/// Goes through one line of a recording byte by byte. Nothing here makes a String unless it is asked for one: a
/// recording has millions of lines.
struct LineCursor {
    private let bytes: [UInt8]
    /// Of the next byte.
    private(set) var position: Int
    /// Behind the line's last byte; its line feed is not in it.
    private(set) var end: Int

    init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        position = range.lowerBound
        end = range.upperBound
    }

    init(_ text: String) {
        let bytes = Array(text.utf8)
        self.init(bytes, 0..<bytes.count)
    }

    var isAtEnd: Bool { position >= end }
    var rest: Range<Int> { position..<end }
    var next: UInt8? { position < end ? bytes[position] : nil }

    func byte(at offset: Int) -> UInt8? { position + offset < end ? bytes[position + offset] : nil }

    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    func bytes(_ range: Range<Int>) -> [UInt8] { Array(bytes[range]) }

    /// FNV-1a, of 64 bits.
    func hash(_ range: Range<Int>) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for index in range { hash = (hash ^ UInt64(bytes[index])) &* 0x100_0000_01B3 }
        return hash
    }

    /// Nil for a line without colours: those of a terminal, from ESC [ to a letter.
    var withoutColours: LineCursor? {
        let escape: UInt8 = 0x1B
        guard bytes[rest].contains(escape) else { return nil }
        var plain: [UInt8] = []
        var index = position
        while index < end {
            if bytes[index] == escape, index + 1 < end, bytes[index + 1] == UInt8(ascii: "[") {
                index += 2
                while index < end, !(0x40...0x7E).contains(bytes[index]) { index += 1 }
            } else {
                plain.append(bytes[index])
            }
            index += 1
        }
        return LineCursor(plain, 0..<plain.count)
    }

    /// The rest without bounds checks, for the one parser that has to be as fast as the disk. The body must stay within
    /// it.
    func withRest<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        // SAFETY: the range lies within the array: every move is held to the line's end.
        unsafe bytes.withUnsafeBytes { unsafe body(UnsafeRawBufferPointer(rebasing: $0[rest])) }
    }

    // MARK: Moving

    /// Blanks and tabs, and a carriage return that a file from elsewhere has at the end of its lines.
    mutating func skipBlanks() {
        while position < end, bytes[position] == 0x20 || bytes[position] == 0x09 || bytes[position] == 0x0D {
            position += 1
        }
    }

    mutating func skip(_ count: Int = 1) { position = min(end, position + count) }

    mutating func move(to place: Int) { position = max(0, min(end, place)) }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard position < end, bytes[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    func starts(with word: StaticString) -> Bool {
        let count = word.utf8CodeUnitCount
        guard end - position >= count else { return false }
        // SAFETY: a StaticString's bytes live as long as the program, and `count` is theirs.
        let start = unsafe word.utf8Start
        for index in 0..<count where unsafe bytes[position + index] != start[index] { return false }
        return true
    }

    mutating func take(word: StaticString) -> Bool {
        guard starts(with: word) else { return false }
        position += word.utf8CodeUnitCount
        return true
    }

    /// Whether the rest has it, and where.
    func find(_ word: StaticString) -> Int? {
        var copy = self
        while copy.end - copy.position >= word.utf8CodeUnitCount {
            if copy.starts(with: word) { return copy.position }
            copy.position += 1
        }
        return nil
    }

    /// Up to the next blank, colon, comma, bracket or star.
    mutating func word() -> Range<Int> {
        let start = position
        loop: while let next {
            switch next {
            case 0x20, 0x09, 0x0D, UInt8(ascii: ":"), UInt8(ascii: ","), UInt8(ascii: "("), UInt8(ascii: ")"),
                UInt8(ascii: "*"):
                break loop
            default: position += 1
            }
        }
        return start..<position
    }

    /// Ends the line at its last byte that is no blank, and before `comment` where that begins one.
    mutating func trimEnd(comment: Unicode.Scalar? = nil) {
        if let comment {
            var index = position
            while index < end {
                if bytes[index] == UInt8(ascii: comment) { end = index }
                index += 1
            }
        }
        while end > position, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 || bytes[end - 1] == 0x0D { end -= 1 }
    }

    // MARK: Numbers

    /// Zeros in front change nothing: evemu pads decimals with them, behind the sign. Nil without a digit, and from
    /// 10^18.
    mutating func decimal() -> Int64? {
        let isNegative = take("-")
        if !isNegative { _ = take("+") }
        let start = position
        var value: Int64 = 0
        while position < end {
            let digit = bytes[position] &- 0x30
            guard digit < 10 else { break }
            guard value < 100_000_000_000_000_000 else { return nil }
            value = value &* 10 &+ Int64(digit)
            position += 1
        }
        guard position > start else { return nil }
        return isNegative ? -value : value
    }

    mutating func decimal<Number: FixedWidthInteger>(_: Number.Type) -> Number? {
        decimal().flatMap { Number(exactly: $0) }
    }

    /// Without a prefix. Nil without a digit, and beyond 64 bits.
    mutating func hexadecimal() -> UInt64? {
        let start = position
        var value: UInt64 = 0
        while position < end {
            let byte = bytes[position]
            let digit: UInt8
            switch byte {
            case 0x30...0x39: digit = byte &- 0x30
            case 0x41...0x46: digit = byte &- 0x37
            case 0x61...0x66: digit = byte &- 0x57
            default:
                return position > start ? value : nil
            }
            guard value >> 60 == 0 else { return nil }
            value = value << 4 | UInt64(digit)
            position += 1
        }
        return position > start ? value : nil
    }

    mutating func hexadecimal<Number: FixedWidthInteger>(_: Number.Type) -> Number? {
        hexadecimal().flatMap { Number(exactly: $0) }
    }

    /// A time such as `12.345678` or `12,345678` in μs; digits behind the sixth are cut off. Nil beyond 10^11 s, some three thousand
    /// years.
    mutating func seconds() -> Int64? {
        let isNegative = next == UInt8(ascii: "-")
        guard let whole = decimal(), whole.magnitude < 100_000_000_000 else { return nil }
        var fraction: Int64 = 0
        var places = 0
        if takeDecimalMark() {
            while position < end {
                let digit = bytes[position] &- 0x30
                guard digit < 10 else { break }
                if places < 6 {
                    fraction = fraction &* 10 &+ Int64(digit)
                    places += 1
                }
                position += 1
            }
            guard places > 0 else { return nil }
            while places < 6 {
                fraction &*= 10
                places += 1
            }
        }
        return whole &* 1_000_000 &+ (isNegative ? -fraction : fraction)
    }

    /// A point, or the comma that other languages have: it stands between two digits, as none does that separates numbers.
    private mutating func takeDecimalMark() -> Bool {
        if take(".") { return true }
        guard next == UInt8(ascii: ","), let digit = byte(at: 1), (0x30...0x39).contains(digit) else { return false }
        position += 1
        return true
    }

    /// A decimal number with or without a fraction.
    mutating func number() -> Double? {
        let start = position
        if !take("-") { _ = take("+") }
        let first = position
        while let next, (0x30...0x39).contains(next) { position += 1 }
        guard position > first else { return nil }
        let mark = position
        if takeDecimalMark() { while let next, (0x30...0x39).contains(next) { position += 1 } }
        guard position - first < 64 else { return nil }
        guard mark < position, bytes[mark] == UInt8(ascii: ",") else { return decimalNumber(bytes[start..<position]) }
        return decimalNumber(bytes[start..<position].map { $0 == UInt8(ascii: ",") ? UInt8(ascii: ".") : $0 })
    }
}
