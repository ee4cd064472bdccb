internal import Gestures
internal import Recording

/// A length on the screen, as people write it: `18`, `18px` or `3mm`.
package struct Length: Equatable, Sendable {
    package enum Unit: String, Sendable {
        /// Logical px.
        case px
        case mm
    }

    package var value: Double
    package var unit: Unit

    package static func px(_ value: Double) -> Length { Length(value: value, unit: .px) }
    package static func mm(_ value: Double) -> Length { Length(value: value, unit: .mm) }

    /// Logical px. `pixelsPerMillimetre` is nil where no output tells it.
    package func pixels(pixelsPerMillimetre: Double?) -> Double {
        switch unit {
        case .px: value
        case .mm: GestureConfiguration.pixels(millimetres: value, pixelsPerMillimetre: pixelsPerMillimetre)
        }
    }
}

extension OptionKind<Length> {
    /// `range` is in logical px, and for mm at the usual density.
    package static func length(_ range: ClosedRange<Double>) -> OptionKind {
        let (low, high) = (range.lowerBound, range.upperBound)
        let density = GestureConfiguration.usualDensity
        let takes =
            "\(decimalText(low, places: 2) ?? "")px to \(decimalText(high, places: 2) ?? "")px, or "
            + "\(decimalText(low / density, places: 2) ?? "")mm to \(decimalText(high / density, places: 2) ?? "")mm"
        return OptionKind(
            .required("LEN"),
            read: { (option) throws(Failure) -> Length in
                guard let length = Length(option.value), range.contains(length.pixels(pixelsPerMillimetre: nil)) else {
                    throw .badValue(option, takes)
                }
                return length
            },
            write: { (decimalText($0.value) ?? "0") + $0.unit.rawValue })
    }
}

extension Length {
    /// nil when it is none.
    init?(_ text: String) {
        let unit: Unit = text.utf8.suffix(2).elementsEqual("mm".utf8) ? .mm : .px
        let hasUnit = unit == .mm || text.utf8.suffix(2).elementsEqual("px".utf8)
        guard let value = NumberText.double(hasUnit ? String(text.dropLast(2)) : text) else { return nil }
        self.init(value: value, unit: unit)
    }
}

/// A bare number is px, as on the command line.
extension Length: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: Int) { self = .px(Double(value)) }
}
