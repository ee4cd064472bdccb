extension XMLReader {
    /// Text up to the next tag.
    mutating func readText(_ text: inout [UInt8]) throws(Diagnostic) {
        while index < file.bytes.count, file.bytes[index] != UInt8(ascii: "<") {
            let start = index
            if file.bytes[index] == UInt8(ascii: "&") {
                try readReference(&text)
            } else {
                while index < file.bytes.count, file.bytes[index] != UInt8(ascii: "<"),
                    file.bytes[index] != UInt8(ascii: "&")
                { index += 1 }
                append(file.bytes[start..<index], to: &text)
            }
        }
    }

    /// Adds bytes as they are but for line ends, which XML makes one LF each.
    func append(_ bytes: ArraySlice<UInt8>, to text: inout [UInt8]) {
        var wasReturn = false
        for byte in bytes {
            if byte == UInt8(ascii: "\r") {
                text.append(UInt8(ascii: "\n"))
            } else if !(byte == UInt8(ascii: "\n") && wasReturn) {
                text.append(byte)
            }
            wasReturn = byte == UInt8(ascii: "\r")
        }
    }

    /// `&amp;` and its like, `&#10;`, `&#xA;`.
    mutating func readReference(_ text: inout [UInt8]) throws(Diagnostic) {
        let start = index
        // The longest reference that means anything is &#1114111; with a few zeros.
        let window = file.bytes[(start + 1)..<min(start + 16, file.bytes.count)]
        guard let end = window.firstIndex(of: UInt8(ascii: ";")) else {
            throw error(start, "'&' begins no reference: write &amp;")
        }
        let name = String(decoding: file.bytes[(start + 1)..<end], as: UTF8.self)
        index = end + 1
        switch name {
        case "lt": text.append(UInt8(ascii: "<"))
        case "gt": text.append(UInt8(ascii: ">"))
        case "amp": text.append(UInt8(ascii: "&"))
        case "quot": text.append(UInt8(ascii: "\""))
        case "apos": text.append(UInt8(ascii: "'"))
        default:
            guard name.hasPrefix("#") else { throw error(start, "unknown entity '&\(name);'") }
            let isHex = name.hasPrefix("#x")
            let digits = name.dropFirst(isHex ? 2 : 1)
            guard digits.utf8.first != UInt8(ascii: "+"), digits.utf8.first != UInt8(ascii: "-"),
                let number = UInt32(digits, radix: isHex ? 16 : 10), let scalar = Unicode.Scalar(number),
                number >= 0x20 || number == 9 || number == 10 || number == 13
            else { throw error(start, "'&\(name);' is no character") }
            text.append(contentsOf: String(Character(scalar)).utf8)
        }
    }

    // MARK: Small steps

    /// Steps over `token` if it is next.
    mutating func skip(_ token: String) -> Bool {
        guard file.bytes[index...].starts(with: token.utf8) else { return false }
        index += token.utf8.count
        return true
    }

    mutating func skipPast(_ token: String, what: String, from start: Int) throws(Diagnostic) {
        while index < file.bytes.count {
            if skip(token) { return }
            index += 1
        }
        throw error(start, "the \(what) is never ended")
    }

    @discardableResult
    mutating func skipSpace() -> Bool {
        let start = index
        while index < file.bytes.count, isSpace(file.bytes[index]) { index += 1 }
        return index > start
    }

    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

    func isNameByte(_ byte: UInt8, first: Bool) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
            UInt8(ascii: ":"), 0x80...:
            true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."): !first
        default: false
        }
    }

    func error(_ offset: Int, _ message: String) -> Diagnostic { file.error(offset, message) }
}
