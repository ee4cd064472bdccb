internal import CLibc

/// Numbers as people write them on a command line. Always with a decimal point, whatever the locale.
enum NumberText {
    /// A finite decimal number, such as `0.6`, `.5` or `12`; nil for anything else, hexadecimal and `nan` included.
    static func double(_ text: String) -> Double? {
        let bytes = Array(text.utf8)
        let allowed = bytes.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E || $0 == 0x2D || $0 == 0x2B }
        guard allowed, bytes.contains(where: { (0x30...0x39).contains($0) }) else { return nil }
        // SAFETY: strtod stays within the NUL-terminated copy, and `end` points into it. The program never calls
        // setlocale, so the C locale's point is in force.
        return unsafe text.withCString { start in
            var end: UnsafeMutablePointer<CChar>?
            let value = unsafe strtod(start, &end)
            guard let end = unsafe end, unsafe end.pointee == 0, value.isFinite else { return nil }
            return value
        }
    }

    /// `640x480`: two whole numbers from 1 to 16384.
    static func size(_ text: String) -> (width: Int32, height: Int32)? {
        let parts = text.split(separator: "x", omittingEmptySubsequences: false)
        guard parts.count == 2, let width = Int32(parts[0]), let height = Int32(parts[1]) else { return nil }
        guard (1...16384).contains(width), (1...16384).contains(height) else { return nil }
        return (width, height)
    }
}

/// How many operands were given, for a failure.
func given(_ count: Int) -> String {
    switch count {
    case 0: "none was given"
    case 1: "1 was given"
    default: "\(count) were given"
    }
}
