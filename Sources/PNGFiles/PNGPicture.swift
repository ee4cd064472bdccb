internal import CPNG
internal import Pixman

/// Why a PNG file could not be read or written.
package struct PNGError: Error, Equatable, Sendable {
    /// libpng's words.
    package var reason: String
}

/// What a PNG file shows: pixels of 32 bits, 0xAARRGGBB, colours premultiplied by alpha, row after row from the upper left.
package struct PNGPicture: Sendable {
    package let width: Int
    package let height: Int
    package private(set) var pixels: [UInt32]

    /// `pixels` has `width * height` elements.
    package init(width: Int, height: Int, pixels: [UInt32]) {
        precondition(pixels.count == width * height, "a picture of \(width)x\(height) with \(pixels.count) pixels")
        self.width = width
        self.height = height
        self.pixels = pixels
    }

    /// Reads a PNG file of any kind, but no larger one than `mostPixels`: a few bytes can claim to be thousands of
    /// millions.
    package init(path: String, mostPixels: Int = 1 << 28) throws(PNGError) {
        var image = unsafe png_image()
        unsafe fw_png_init(&image)
        guard unsafe png_image_begin_read_from_file(&image, path) != 0 else { throw unsafe PNGError(image) }
        unsafe image.format = fw_png_argb32()
        width = unsafe Int(image.width)
        height = unsafe Int(image.height)
        guard width <= mostPixels / max(1, height) else {
            unsafe png_image_free(&image)
            throw PNGError(reason: "\(width)x\(height) pixels are too many")
        }
        pixels = [UInt32](repeating: 0, count: width * height)
        // SAFETY: the format has 4 bytes a pixel, so the array holds the whole image without gaps between rows.
        let isRead = unsafe pixels.withUnsafeMutableBytes {
            unsafe png_image_finish_read(&image, nil, $0.baseAddress, 0, nil) != 0
        }
        guard isRead else { throw unsafe PNGError(image) }
        for index in pixels.indices where pixels[index] >> 24 != 0xFF {
            pixels[index] = PremultipliedColor(straight: pixels[index]).argb
        }
    }

    /// The bytes of a file with straight alpha, as the format has it. An opaque picture is read back as it was; of a
    /// translucent one the colours may differ by the rounding of the division. Equal pictures make equal ones.
    package func encoded() throws(PNGError) -> [UInt8] {
        var straight = pixels
        for index in straight.indices where straight[index] >> 24 != 0xFF {
            straight[index] = PremultipliedColor(argb: straight[index]).straight
        }
        var image = unsafe png_image()
        unsafe fw_png_init(&image)
        unsafe image.width = UInt32(width)
        unsafe image.height = UInt32(height)
        unsafe image.format = fw_png_argb32()
        // As large as it can become, so that it is made only once.
        var count = unsafe fw_png_size_limit(&image)
        var bytes = [UInt8](repeating: 0, count: Int(count))
        // SAFETY: the array has `count` bytes and the other one all pixels, as in init; both live through the call.
        let isWritten = unsafe bytes.withUnsafeMutableBytes { bytes in
            unsafe straight.withUnsafeBytes { pixels in
                unsafe png_image_write_to_memory(&image, bytes.baseAddress, &count, 0, pixels.baseAddress, 0, nil) != 0
            }
        }
        guard isWritten else { throw unsafe PNGError(image) }
        bytes.removeLast(bytes.count - Int(count))
        return bytes
    }
}

extension PNGError {
    fileprivate init(_ image: png_image) {
        var image = unsafe image
        // SAFETY: a NUL-terminated array within `image`, copied here.
        reason = unsafe String(cString: fw_png_message(&image))
        unsafe png_image_free(&image)
    }
}
