/// Something to be seen: what styles make, and what a renderer draws. Surface-local logical px, colours with straight alpha.
public enum Shape: Hashable, Sendable {
    case disc(Disc)
    case stroke(Stroke)
    case arc(Arc)
    /// Drawn above whatever is not a label.
    case label(Label)
}
