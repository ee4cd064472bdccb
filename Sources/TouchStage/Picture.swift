internal import CLibc
internal import CPixman

/// Pixels: 32 bits each, 0xAARRGGBB, colours premultiplied by alpha, row after row from the upper left.
public struct Picture: Equatable, Sendable {
    public let width: Int
    public let height: Int
    public var pixels: [UInt32]

    public init(width: Int, height: Int, fill: UInt32 = 0) {
        self.width = width
        self.height = height
        pixels = Array(repeating: fill, count: width * height)
    }

    /// `pixels` has `width * height` elements.
    public init(width: Int, height: Int, pixels: [UInt32]) {
        precondition(pixels.count == width * height, "a picture of \(width)x\(height) with \(pixels.count) pixels")
        self.width = width
        self.height = height
        self.pixels = pixels
    }

    public subscript(x: Int, y: Int) -> UInt32 {
        get {
            precondition(x >= 0 && x < width && y >= 0 && y < height, "pixel (\(x), \(y)) of \(width)x\(height)")
            return pixels[y * width + x]
        }
        set {
            precondition(x >= 0 && x < width && y >= 0 && y < height, "pixel (\(x), \(y)) of \(width)x\(height)")
            pixels[y * width + x] = newValue
        }
    }

    public static func == (a: Picture, b: Picture) -> Bool {
        guard a.width == b.width, a.height == b.height else { return false }
        // SAFETY: both arrays have width * height elements of 4 bytes and live through the call.
        return unsafe a.pixels.withUnsafeBytes { one in
            unsafe b.pixels.withUnsafeBytes { other in
                unsafe one.count == 0 || memcmp(one.baseAddress!, other.baseAddress!, one.count) == 0
            }
        }
    }

    /// How many pixels differ from `other`, which has the same size, by more than `tolerance` in some channel (0 to 255).
    public func countDifferences(_ other: Picture, tolerance: Int = 0) -> Int {
        precondition(width == other.width && height == other.height, "pictures of two sizes")
        var count = 0
        for y in 0..<height where !rowEquals(other, y) {
            for x in 0..<width where Picture.distance(self[x, y], other[x, y]) > tolerance { count += 1 }
        }
        return count
    }

    /// The smallest rectangle around all pixels that differ from `other`, which has the same size; nil when none does.
    public func boundsOfDifferences(_ other: Picture) -> StageRect? {
        precondition(width == other.width && height == other.height, "pictures of two sizes")
        var left = width
        var right = -1
        var top = height
        var bottom = -1
        for y in 0..<height where !rowEquals(other, y) {
            top = min(top, y)
            bottom = y
            for x in 0..<width where pixels[y * width + x] != other.pixels[y * width + x] {
                left = min(left, x)
                right = max(right, x)
            }
        }
        guard bottom >= 0 else { return nil }
        return StageRect(
            x: Int32(left), y: Int32(top), width: Int32(right - left + 1), height: Int32(bottom - top + 1))
    }

    /// The greatest difference of two pixels' channels.
    public static func distance(_ a: UInt32, _ b: UInt32) -> Int {
        var most = 0
        for shift in stride(from: UInt32(0), to: 32, by: 8) {
            most = max(most, abs(Int((a >> shift) & 0xFF) - Int((b >> shift) & 0xFF)))
        }
        return most
    }

    private func rowEquals(_ other: Picture, _ y: Int) -> Bool {
        // SAFETY: row y lies within both arrays, which live through the call.
        unsafe pixels.withUnsafeBufferPointer { one in
            unsafe other.pixels.withUnsafeBufferPointer { two in
                unsafe memcmp(one.baseAddress! + y * width, two.baseAddress! + y * width, width * 4) == 0
            }
        }
    }

    /// Takes the pixels of `rect` over from `other`, which has the same size.
    mutating func copy(_ rect: StageRect, from other: Picture) {
        let inside = rect.intersection(StageRect(x: 0, y: 0, width: Int32(width), height: Int32(height)))
        guard !inside.isEmpty else { return }
        let width = self.width
        // SAFETY: the rectangle was cut to both pictures, which live through the call.
        unsafe pixels.withUnsafeMutableBufferPointer { target in
            unsafe other.pixels.withUnsafeBufferPointer { source in
                for y in Int(inside.y)..<Int(inside.y + inside.height) {
                    let start = y * width + Int(inside.x)
                    unsafe memcpy(target.baseAddress! + start, source.baseAddress! + start, Int(inside.width) * 4)
                }
            }
        }
    }

    /// pixman counts in 16 bits.
    private var isForPixman: Bool { (1...32767).contains(width) && (1...32767).contains(height) }

    /// Draws `source` over the rectangle `target`; `map` leads from this picture's px to the source's.
    mutating func composite(_ source: Picture, into target: StageRect, map: Affine) {
        guard source.isForPixman, isForPixman else { return }
        let width = self.width
        let height = self.height
        // SAFETY: pixman reads the source's pixels and writes ours within the sizes given; both images end before the
        // arrays' pointers do.
        unsafe source.pixels.withUnsafeBufferPointer { from in
            unsafe pixels.withUnsafeMutableBufferPointer { onto in
                let image = unsafe pixman_image_create_bits(
                    PIXMAN_a8r8g8b8, Int32(source.width), Int32(source.height),
                    UnsafeMutablePointer(mutating: from.baseAddress), Int32(source.width * 4))
                let canvas = unsafe pixman_image_create_bits(
                    PIXMAN_a8r8g8b8, Int32(width), Int32(height), onto.baseAddress, Int32(width * 4))
                // pixman's origin is the target's corner.
                let shifted = Affine.shift(Double(target.x), Double(target.y)).then(map)
                var transform = pixman_transform()
                transform.matrix.0 = (fixed(shifted.a), fixed(shifted.b), fixed(shifted.c))
                transform.matrix.1 = (fixed(shifted.d), fixed(shifted.e), fixed(shifted.f))
                transform.matrix.2 = (0, 0, fixed(1))
                unsafe pixman_image_set_transform(image, &transform)
                unsafe pixman_image_set_filter(image, PIXMAN_FILTER_NEAREST, nil, 0)
                unsafe pixman_image_composite32(
                    PIXMAN_OP_OVER, image, nil, canvas, 0, 0, 0, 0, target.x, target.y, target.width, target.height)
                unsafe pixman_image_unref(image)
                unsafe pixman_image_unref(canvas)
            }
        }
    }
}

/// 16.16; what does not fit is far outside of any picture, and clamped.
private func fixed(_ value: Double) -> pixman_fixed_t { fw_pixman_double_to_fixed(min(max(value, -32767), 32767)) }
