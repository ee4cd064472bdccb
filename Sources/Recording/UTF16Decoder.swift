/// Makes UTF-8 of UTF-16, as PowerShell writes what it redirects into a file.
final class UTF16Decoder: Decompressor {
    /// Bytes of one character, at most.
    private static let room = 4

    private let isBigEndian: Bool
    /// The first byte of two.
    private var half: UInt8?
    private var leading: UInt16?

    /// By a file's first bytes: its byte order mark; nil for what is no UTF-16.
    init?(_ head: ArraySlice<UInt8>) {
        if head.starts(with: [0xFF, 0xFE]) {
            isBigEndian = false
        } else if head.starts(with: [0xFE, 0xFF]) {
            isBigEndian = true
        } else {
            return nil
        }
    }

    func unpack(
        _ input: [UInt8], at position: inout Int, end: Int, into output: inout [UInt8]
    ) -> DecompressedPortion {
        var count = 0
        while position < end, count + 2 * UTF16Decoder.room <= output.count {
            let byte = input[position]
            position += 1
            guard let first = half else {
                half = byte
                continue
            }
            half = nil
            let unit = isBigEndian ? UInt16(first) << 8 | UInt16(byte) : UInt16(byte) << 8 | UInt16(first)
            take(unit, into: &output, &count)
        }
        // A portion that is full says that more is to be unpacked: this one never is.
        return DecompressedPortion(count: count)
    }

    private func take(_ unit: UInt16, into output: inout [UInt8], _ count: inout Int) {
        if let high = leading {
            leading = nil
            if unit & 0xFC00 == 0xDC00 {
                let value = 0x1_0000 + (UInt32(high & 0x3FF) << 10 | UInt32(unit & 0x3FF))
                return put(value, into: &output, &count)
            }
            put(0xFFFD, into: &output, &count)
        }
        switch unit {
        // The mark itself is none of the text.
        case 0xFEFF: break
        case 0xD800...0xDBFF: leading = unit
        case 0xDC00...0xDFFF: put(0xFFFD, into: &output, &count)
        default: put(UInt32(unit), into: &output, &count)
        }
    }

    private func put(_ value: UInt32, into output: inout [UInt8], _ count: inout Int) {
        guard let scalar = Unicode.Scalar(value) else { return }
        for byte in UTF8.encode(scalar) ?? UTF8.EncodedScalar() {
            output[count] = byte
            count += 1
        }
    }

    /// Half of a character is cut, which the line's missing end tells.
    func finish() -> Bool { true }
}
