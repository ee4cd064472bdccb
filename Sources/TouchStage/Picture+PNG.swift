internal import CPNG

/// Why a picture could not be read or written.
public struct PictureError: Error, Equatable, Sendable, CustomStringConvertible {
    public var path: String
    /// libpng's words.
    public var reason: String

    public var description: String { "\(path): \(reason)" }
}

extension Picture {
    /// Reads a PNG file of any kind.
    public init(png path: String) throws(PictureError) {
        var image = unsafe png_image()
        unsafe fw_png_init(&image)
        guard unsafe png_image_begin_read_from_file(&image, path) != 0 else {
            throw unsafe PictureError(path: path, image)
        }
        unsafe image.format = fw_png_argb32()
        let width = unsafe Int(image.width)
        let height = unsafe Int(image.height)
        var pixels = [UInt32](repeating: 0, count: width * height)
        // SAFETY: the format has 4 bytes a pixel, so the array holds the whole image without gaps between rows.
        let isRead = unsafe pixels.withUnsafeMutableBytes {
            unsafe png_image_finish_read(&image, nil, $0.baseAddress, 0, nil) != 0
        }
        guard isRead else { throw unsafe PictureError(path: path, image) }
        for index in pixels.indices where pixels[index] >> 24 != 0xFF { pixels[index] = premultiplied(pixels[index]) }
        self.init(width: width, height: height, pixels: pixels)
    }

    /// Writes a PNG file with straight alpha, as the format has it. An opaque picture is read back as it was; of a
    /// translucent one the colours may differ by the rounding of the division.
    public func write(png path: String) throws(PictureError) {
        var straight = pixels
        for index in straight.indices where straight[index] >> 24 != 0xFF {
            straight[index] = unpremultiplied(straight[index])
        }
        var image = unsafe png_image()
        unsafe fw_png_init(&image)
        unsafe image.width = UInt32(width)
        unsafe image.height = UInt32(height)
        unsafe image.format = fw_png_argb32()
        // SAFETY: as in init; libpng reads only.
        let isWritten = unsafe straight.withUnsafeBytes {
            unsafe png_image_write_to_file(&image, path, 0, $0.baseAddress, 0, nil) != 0
        }
        guard isWritten else { throw unsafe PictureError(path: path, image) }
    }
}

extension PictureError {
    fileprivate init(path: String, _ image: png_image) {
        var image = unsafe image
        self.path = path
        // SAFETY: a NUL-terminated array within `image`, copied here.
        reason = unsafe String(cString: fw_png_message(&image))
        unsafe png_image_free(&image)
    }
}

private func premultiplied(_ pixel: UInt32) -> UInt32 {
    let alpha = pixel >> 24
    func channel(_ shift: UInt32) -> UInt32 { ((((pixel >> shift) & 0xFF) * alpha + 127) / 255) << shift }
    return alpha << 24 | channel(16) | channel(8) | channel(0)
}

private func unpremultiplied(_ pixel: UInt32) -> UInt32 {
    let alpha = pixel >> 24
    guard alpha > 0 else { return 0 }
    func channel(_ shift: UInt32) -> UInt32 { min(255, (((pixel >> shift) & 0xFF) * 255 + alpha / 2) / alpha) << shift }
    return alpha << 24 | channel(16) | channel(8) | channel(0)
}
