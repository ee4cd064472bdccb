public import WaylandProtocols

extension PaintBrushV1 {
    /// One dot, to show that generated and hand-written code live in one module.
    public func dot(on surface: WlSurface) {
        paint(surface: surface, transform: .normal, strokes: [])
    }
}
