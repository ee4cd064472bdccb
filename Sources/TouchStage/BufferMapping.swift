internal import WaylandProtocols

/// An affine map of the plane: (x, y) to (a x + b y + c, d x + e y + f).
struct Affine: Equatable {
    var a = 1.0
    var b = 0.0
    var c = 0.0
    var d = 0.0
    var e = 1.0
    var f = 0.0

    func callAsFunction(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
        (a * x + b * y + c, d * x + e * y + f)
    }

    /// First self, then `next`.
    func then(_ next: Affine) -> Affine {
        Affine(
            a: next.a * a + next.b * d, b: next.a * b + next.b * e, c: next.a * c + next.b * f + next.c,
            d: next.d * a + next.e * d, e: next.d * b + next.e * e, f: next.d * c + next.e * f + next.f)
    }

    static func scale(_ x: Double, _ y: Double) -> Affine { Affine(a: x, e: y) }
    static func shift(_ x: Double, _ y: Double) -> Affine { Affine(c: x, f: y) }
}

extension WlOutput.Transform {
    /// Whether width and height change places.
    var swapsSides: Bool { rawValue & 1 != 0 }

    /// Where a point of the upright picture lies in the buffer that was turned by this transform (wl_output.transform:
    /// quarter turns are counter-clockwise, a flip comes before the turn). `width` and `height` are the upright picture's.
    func intoBuffer(width: Double, height: Double) -> Affine {
        switch self {
        case ._90: Affine(a: 0, b: 1, c: 0, d: -1, e: 0, f: width)
        case ._180: Affine(a: -1, b: 0, c: width, d: 0, e: -1, f: height)
        case ._270: Affine(a: 0, b: -1, c: height, d: 1, e: 0, f: 0)
        case .flipped: Affine(a: -1, b: 0, c: width, d: 0, e: 1, f: 0)
        case .flipped90: Affine(a: 0, b: 1, c: 0, d: 1, e: 0, f: 0)
        case .flipped180: Affine(a: 1, b: 0, c: 0, d: 0, e: -1, f: height)
        case .flipped270: Affine(a: 0, b: -1, c: height, d: -1, e: 0, f: width)
        default: Affine()
        }
    }
}

/// How a surface shows its buffer: transform first, then scale, then the viewport (wl_surface, viewporter).
struct BufferMapping: Equatable {
    var bufferWidth: Int32
    var bufferHeight: Int32
    var transform: WlOutput.Transform = .normal
    var scale: Int32 = 1
    /// In px after transform and scale.
    var source: Source?
    /// Surface-local px.
    var destination: Destination?

    struct Source: Equatable {
        var x: Double
        var y: Double
        var width: Double
        var height: Double
    }

    struct Destination: Equatable {
        var width: Int32
        var height: Int32
    }

    /// The buffer's size turned upright, in buffer px.
    var uprightSize: (width: Double, height: Double) {
        transform.swapsSides
            ? (Double(bufferHeight), Double(bufferWidth)) : (Double(bufferWidth), Double(bufferHeight))
    }

    /// The size without the viewport.
    private var plainSize: (width: Double, height: Double) {
        (uprightSize.width / Double(scale), uprightSize.height / Double(scale))
    }

    private var shownSource: Source {
        source ?? Source(x: 0, y: 0, width: plainSize.width, height: plainSize.height)
    }

    /// The surface's size in surface-local px.
    var surfaceSize: (width: Int32, height: Int32) {
        if let destination { return (destination.width, destination.height) }
        return (Int32(shownSource.width), Int32(shownSource.height))
    }

    /// From surface-local px to buffer px.
    var intoBuffer: Affine {
        let shown = shownSource
        let size = surfaceSize
        return Affine.scale(shown.width / Double(size.width), shown.height / Double(size.height))
            .then(.shift(shown.x, shown.y)).then(.scale(Double(scale), Double(scale)))
            .then(transform.intoBuffer(width: uprightSize.width, height: uprightSize.height))
    }

    /// The buffer px that a surface-local rectangle touches.
    func bufferRect(_ rect: StageRect) -> StageRect {
        let size = surfaceSize
        let inside = rect.intersection(StageRect(x: 0, y: 0, width: size.width, height: size.height))
        guard !inside.isEmpty else { return inside }
        let map = intoBuffer
        let one = map(Double(inside.x), Double(inside.y))
        let other = map(Double(inside.x) + Double(inside.width), Double(inside.y) + Double(inside.height))
        // Rounding errors of a division must not widen the rectangle by a pixel.
        let slack = 1.0 / 1024
        let left = (min(one.x, other.x) + slack).rounded(.down)
        let top = (min(one.y, other.y) + slack).rounded(.down)
        let right = (max(one.x, other.x) - slack).rounded(.up)
        let bottom = (max(one.y, other.y) - slack).rounded(.up)
        return StageRect(
            x: Int32(left), y: Int32(top), width: Int32(right - left), height: Int32(bottom - top)
        ).intersection(StageRect(x: 0, y: 0, width: bufferWidth, height: bufferHeight))
    }
}
