import Ripples

extension RippleController {
    /// The discs among its shapes.
    /// As they are seen: with colours that have faded.
    var discs: [Disc] {
        shapes.compactMap { shape in
            guard case .disc(var disc) = shape else { return nil }
            disc.fill = disc.fill.fading(to: disc.opacity)
            disc.outline = disc.outline.fading(to: disc.opacity)
            return disc
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
