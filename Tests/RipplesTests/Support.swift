import Ripples

extension RippleController {
    /// The discs among its shapes.
    var discs: [Disc] {
        shapes.compactMap { shape in
            if case .disc(let disc) = shape { disc } else { nil }
        }
    }
}
