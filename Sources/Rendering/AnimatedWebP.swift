#if WEBP
    internal import CWebP
    package import Pixman

    /// An animation in the WebP format, without loss. The library finds out itself what changes from one frame to the next.
    @safe
    package final class AnimatedWebP {
        /// Pixels that the format has room for, on either side.
        private static let mostPixels: Int32 = 16383

        // SAFETY: owned by self and deleted by deinit alone.
        private let encoder: OpaquePointer
        private var settings = WebPConfig()

        package init(size: PixelSize) throws(RenderingError) {
            guard max(size.width, size.height) <= AnimatedWebP.mostPixels else {
                throw RenderingError("WebP has no room for \(size.width)x\(size.height) pixels")
            }
            var options = WebPAnimEncoderOptions()
            guard unsafe WebPAnimEncoderOptionsInit(&options) != 0, unsafe WebPConfigInit(&settings) != 0,
                // From 0, fast, to 9, small: beyond 3 the time doubles for a few percent.
                unsafe WebPConfigLosslessPreset(&settings, 3) != 0,
                let encoder = unsafe WebPAnimEncoderNew(size.width, size.height, &options)
            else { throw RenderingError("libwebp refuses \(size.width)x\(size.height) pixels") }
            unsafe self.encoder = encoder
        }

        deinit { unsafe WebPAnimEncoderDelete(encoder) }

        /// Shows `frame` from this moment on, ms.
        package func add(_ frame: StraightFrame, at milliseconds: Int32) throws(RenderingError) {
            var picture = unsafe WebPPicture()
            guard unsafe WebPPictureInit(&picture) != 0 else { throw RenderingError("libwebp is another one") }
            unsafe picture.use_argb = 1
            unsafe picture.width = frame.size.width
            unsafe picture.height = frame.size.height
            unsafe picture.argb_stride = frame.size.width
            // SAFETY: the picture borrows the pixels and is only read, for the length of the call.
            let isAdded = unsafe frame.pixels.withUnsafeBufferPointer { pixels in
                unsafe picture.argb = UnsafeMutablePointer(mutating: pixels.baseAddress)
                return unsafe WebPAnimEncoderAdd(encoder, &picture, milliseconds, &settings) != 0
            }
            guard isAdded else { throw failure }
        }

        /// The whole file; the last frame is shown until this moment, ms.
        package func finish(at milliseconds: Int32) throws(RenderingError) -> [UInt8] {
            var data = unsafe WebPData()
            unsafe WebPDataInit(&data)
            defer { unsafe WebPDataClear(&data) }
            guard unsafe WebPAnimEncoderAdd(encoder, nil, milliseconds, nil) != 0,
                unsafe WebPAnimEncoderAssemble(encoder, &data) != 0
            else { throw failure }
            // SAFETY: libwebp's own memory of that size, copied before it is cleared.
            return unsafe Array(UnsafeBufferPointer(start: data.bytes, count: data.size))
        }

        private var failure: RenderingError {
            guard let words = unsafe WebPAnimEncoderGetError(encoder) else { return RenderingError("libwebp failed") }
            return unsafe RenderingError("libwebp: \(String(cString: words))")
        }
    }
#endif
