import Ripples

extension RippleController {
    /// The discs among its shapes.
    var discs: [Disc] {
        shapes.compactMap { shape in
            if case .disc(let disc) = shape { disc } else { nil }
        }
    }

    var arcs: [Arc] {
        shapes.compactMap { shape in
            if case .arc(let arc) = shape { arc } else { nil }
        }
    }

    var strokes: [Stroke] {
        shapes.compactMap { shape in
            if case .stroke(let stroke) = shape { stroke } else { nil }
        }
    }
}
