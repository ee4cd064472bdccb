internal import CLibc
internal import Gestures

/// What udev's properties say, read from their texts.
enum UdevText {
    /// The six numbers of LIBINPUT_CALIBRATION_MATRIX; nil when it turns nothing or is none.
    static func calibration(_ text: String) -> [Double]? {
        let words = text.split(separator: " ")
        guard words.count == 6 else { return nil }
        var matrix: [Double] = []
        for word in words {
            guard let number = number(String(word)) else { return nil }
            matrix.append(number)
        }
        return turned(matrix)
    }

    /// nil for the identity.
    static func turned(_ matrix: [Double]) -> [Double]? { matrix == [1, 0, 0, 0, 1, 0] ? nil : matrix }

    /// ID_INPUT_WIDTH_MM and ID_INPUT_HEIGHT_MM; nil unless both are sizes.
    static func millimetres(_ width: String?, _ height: String?) -> Size? {
        guard let width = width.flatMap(number), let height = height.flatMap(number), width > 0, height > 0 else {
            return nil
        }
        return Size(width: width, height: height)
    }

    /// Hexadecimal, as sysfs has vendor and product; 0 when it is none.
    static func identifier(_ text: String?) -> UInt32 { text.flatMap { UInt32($0, radix: 16) } ?? 0 }

    /// A finite number; udev's texts come from people.
    private static func number(_ text: String) -> Double? {
        // SAFETY: strtod stays within the NUL-terminated copy, and `end` points into it.
        unsafe text.withCString { start in
            var end: UnsafeMutablePointer<CChar>?
            let value = unsafe strtod(start, &end)
            guard let end = unsafe end, unsafe end != start, unsafe end.pointee == 0, value.isFinite else { return nil }
            return value
        }
    }
}
