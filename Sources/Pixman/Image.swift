internal import CPixman

/// A picture of premultiplied ARGB8888 pixels that pixman draws on and from.
///
/// Not safe to share between threads.
@safe
package final class Image {
    package let size: PixelSize
    /// Bytes from one row to the next.
    package let stride: Int

    // SAFETY: pixman's image, freed by deinit alone. It points at `bits`.
    let raw: OpaquePointer
    // SAFETY: `stride * size.height` bytes, owned by self when `owner` is nil, else kept alive by `owner`.
    private let bits: UnsafeMutableRawPointer
    private let owner: AnyObject?
    private let ownsBits: Bool

    /// A picture with pixels of its own, all transparent. `size` must not be empty.
    package convenience init(size: PixelSize) {
        let stride = Int(size.width) * 4
        let count = stride * Int(size.height)
        let bits = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 16)
        unsafe bits.initializeMemory(as: UInt8.self, repeating: 0, count: count)
        unsafe self.init(size: size, stride: stride, bits: bits, owner: nil, ownsBits: true)
    }

    /// A picture over foreign memory.
    ///
    /// The caller answers for it that `bits` holds `stride * size.height` bytes, aligned to 4, for as long as `owner`
    /// lives; the picture keeps `owner` alive. `stride` is a multiple of 4.
    @unsafe
    package convenience init(size: PixelSize, stride: Int, bits: UnsafeMutableRawPointer, owner: AnyObject) {
        unsafe self.init(size: size, stride: stride, bits: bits, owner: owner, ownsBits: false)
    }

    private init(size: PixelSize, stride: Int, bits: UnsafeMutableRawPointer, owner: AnyObject?, ownsBits: Bool) {
        precondition(!size.isEmpty && stride >= Int(size.width) * 4 && stride % 4 == 0, "an image of no valid size")
        self.size = size
        self.stride = stride
        unsafe self.bits = bits
        self.owner = owner
        self.ownsBits = ownsBits
        let words = unsafe bits.assumingMemoryBound(to: UInt32.self)
        guard
            let image = unsafe pixman_image_create_bits_no_clear(
                PIXMAN_a8r8g8b8, size.width, size.height, words, Int32(stride))
        else { fatalError("no memory for an image") }
        unsafe raw = image
    }

    deinit {
        unsafe _ = pixman_image_unref(raw)
        if ownsBits { unsafe bits.deallocate() }
    }

    /// Sets the pixels of `region` to `color`, whatever was there. What lies outside the picture is ignored.
    package func fill(_ region: Region, with color: PremultipliedColor) {
        var wide = pixman_color(
            red: UInt16(color.red) * 257, green: UInt16(color.green) * 257, blue: UInt16(color.blue) * 257,
            alpha: UInt16(color.alpha) * 257)
        // pixman fills what it is told, and does not look whether that is there.
        let region = region.intersection(size.rect)
        let succeeded = unsafe region.withBoxes { boxes in
            unsafe pixman_image_fill_boxes(PIXMAN_OP_SRC, raw, &wide, Int32(boxes.count), boxes.baseAddress)
        }
        if succeeded == 0 { fatalError("no memory for a fill") }
    }

    /// Restricts ``compositeOver(_:from:at:)`` to `region`; nil lifts the restriction.
    package func setClip(_ region: Region?) {
        let succeeded =
            if let region {
                unsafe region.withRaw { unsafe pixman_image_set_clip_region32(raw, $0) }
            } else {
                unsafe pixman_image_set_clip_region32(raw, nil)
            }
        if succeeded == 0 { fatalError("no memory for a clip") }
    }

    /// Lays `source` over the picture: its part that begins at `origin` goes to `target`, within the clip. `opacity` is of
    /// all of it, 0 to 1.
    package func compositeOver(
        _ source: Image, from origin: (x: Int32, y: Int32) = (0, 0), at target: PixelRect, opacity: Double = 1
    ) {
        var mask: OpaquePointer?
        if !(opacity >= 1) {
            // In this order a NaN ends as 0.
            var color = pixman_color(red: 0, green: 0, blue: 0, alpha: UInt16(min(1, max(0, opacity)) * 65535))
            unsafe mask = pixman_image_create_solid_fill(&color)
            if unsafe mask == nil { fatalError("no memory for a mask") }
        }
        unsafe pixman_image_composite32(
            PIXMAN_OP_OVER, source.raw, mask, raw, origin.x, origin.y, 0, 0, target.x, target.y, target.width,
            target.height)
        if unsafe mask != nil { unsafe _ = pixman_image_unref(mask) }
    }

    /// Calls `body` with all pixels, row after row, each row `stride / 4` pixels long.
    package func withPixels<R>(_ body: (inout MutableSpan<UInt32>) -> R) -> R {
        let count = stride / 4 * Int(size.height)
        // SAFETY: the bits live as long as self; the span cannot outlive the call.
        let words = unsafe UnsafeMutableBufferPointer(start: bits.assumingMemoryBound(to: UInt32.self), count: count)
        var span = unsafe MutableSpan(_unsafeElements: words)
        return body(&span)
    }

    /// One pixel, which must lie within ``size``.
    package func pixel(x: Int32, y: Int32) -> UInt32 {
        withPixels { $0[Int(y) * (stride / 4) + Int(x)] }
    }
}

extension MutableSpan<UInt32> {
    /// Sets the pixels with these indices, which must exist.
    @inlinable
    package mutating func fill(_ range: Range<Int>, with pixel: UInt32) {
        // SAFETY: the slice is checked against the span's bounds, and used within the call.
        unsafe withUnsafeMutableBufferPointer { unsafe $0[range].update(repeating: pixel) }
    }
}
