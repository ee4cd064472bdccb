package import Pixman

/// A frame of a film as YUV4MPEG2 has it: the luma of each pixel, then two planes with the chroma of each four, after
/// the word `FRAME`. Limited range, 8 bits; chroma lies in the middle of its four pixels.
///
/// What makes luma and chroma of colours is BT.709 for pictures that are wider than 1279 px or higher than 576, and BT.601
/// for others: players choose so where nothing is said, and the format has no word for it.
package final class PlanarFrame {
    package let size: PixelSize
    /// The whole frame, with its header.
    package private(set) var bytes: [UInt8]

    private let weights: Weights
    private let lumaStart: Int
    private let chromaWidth: Int
    private let chromaHeight: Int

    /// Black.
    package init(size: PixelSize) {
        self.size = size
        weights =
            size.width >= 1280 || size.height > 576
            ? Weights(red: 0.2126, blue: 0.0722) : Weights(red: 0.299, blue: 0.114)
        chromaWidth = (Int(size.width) + 1) / 2
        chromaHeight = (Int(size.height) + 1) / 2
        bytes = Array("FRAME\n".utf8)
        lumaStart = bytes.count
        bytes += [UInt8](repeating: 16, count: Int(size.width) * Int(size.height))
        bytes += [UInt8](repeating: 128, count: 2 * chromaWidth * chromaHeight)
    }

    /// What a file of such frames begins with: so many frames in so many seconds.
    package func fileHeader(frames: Int, seconds: Int) -> String {
        "YUV4MPEG2 W\(size.width) H\(size.height) F\(frames):\(seconds) Ip A1:1 C420jpeg XCOLORRANGE=LIMITED\n"
    }

    /// Takes the pixels of `region` over from `image`, which has the same size and is opaque.
    package func update(from image: Image, in region: Region) {
        for rect in region.rects {
            let inside = rect.intersection(size.rect)
            if !inside.isEmpty { update(from: image, inside) }
        }
    }

    private func update(from image: Image, _ rect: PixelRect) {
        let (width, height) = (Int(size.width), Int(size.height))
        let stride = image.stride / 4
        let columns = Int(rect.x) / 2..<(Int(rect.right) + 1) / 2
        let rows = Int(rect.y) / 2..<(Int(rect.bottom) + 1) / 2
        let weights = weights
        let (chromaWidth, chromaCount, lumaStart) = (chromaWidth, chromaWidth * chromaHeight, lumaStart)
        image.withPixels { pixels in
            // SAFETY: rows and columns stay within the picture, whose last ones stand in for what an odd size lacks; the
            // planes are as large as the picture, rounded up to four pixels. Both live through the call.
            unsafe pixels.withUnsafeMutableBufferPointer { source in
                unsafe bytes.withUnsafeMutableBufferPointer { target in
                    let luma = unsafe target.baseAddress! + lumaStart
                    let blue = unsafe luma + width * height
                    let red = unsafe blue + chromaCount
                    for row in rows {
                        let (above, below) = (2 * row, min(2 * row + 1, height - 1))
                        let upper = unsafe source.baseAddress! + above * stride
                        let lower = unsafe source.baseAddress! + below * stride
                        let upperLuma = unsafe luma + above * width
                        let lowerLuma = unsafe luma + below * width
                        for column in columns {
                            let (left, right) = (2 * column, min(2 * column + 1, width - 1))
                            let a = unsafe upper[left]
                            let b = unsafe upper[right]
                            let c = unsafe lower[left]
                            let d = unsafe lower[right]
                            unsafe upperLuma[left] = weights.luma(a)
                            unsafe upperLuma[right] = weights.luma(b)
                            unsafe lowerLuma[left] = weights.luma(c)
                            unsafe lowerLuma[right] = weights.luma(d)
                            // Red and blue of all four at once: their sums stay within 16 bits.
                            let both = (a & 0xff00ff) &+ (b & 0xff00ff) &+ (c & 0xff00ff) &+ (d & 0xff00ff)
                            let green = (a >> 8 & 0xff) &+ (b >> 8 & 0xff) &+ (c >> 8 & 0xff) &+ (d >> 8 & 0xff)
                            let place = row * chromaWidth + column
                            let (r, g, b4) = (Int32(both >> 16), Int32(green), Int32(both & 0xffff))
                            unsafe blue[place] = weights.blueChroma(r, g, b4)
                            unsafe red[place] = weights.redChroma(r, g, b4)
                        }
                    }
                }
            }
        }
    }

    /// The weights of red, green and blue in luma and chroma, in units of 1/65536; sums of chroma are of four pixels.
    private struct Weights {
        private let luma: (red: Int32, green: Int32, blue: Int32)
        private let blueDifference: (red: Int32, green: Int32, blue: Int32)
        private let redDifference: (red: Int32, green: Int32, blue: Int32)

        /// - Parameters: the luma coefficients of the standard; green has the rest.
        init(red: Double, blue: Double) {
            func units(_ value: Double) -> Int32 { Int32((value * 65536).rounded()) }
            let range = 219.0 / 255
            let all = units(range)
            luma = (units(range * red), all - units(range * red) - units(range * blue), units(range * blue))
            // A grey has no chroma at all: each three of weights add up to nothing.
            let half = 112.0 / 255
            let (redInBlue, blueInRed) = (units(-half * red / (1 - blue)), units(-half * blue / (1 - red)))
            blueDifference = (redInBlue, -units(half) - redInBlue, units(half))
            redDifference = (units(half), -units(half) - blueInRed, blueInRed)
        }

        @inline(__always)
        func luma(_ pixel: UInt32) -> UInt8 {
            let (red, green, blue) = (Int32(pixel >> 16 & 0xff), Int32(pixel >> 8 & 0xff), Int32(pixel & 0xff))
            let sum = luma.red &* red &+ luma.green &* green &+ luma.blue &* blue
            return UInt8(truncatingIfNeeded: (sum &+ (16 << 16 | 1 << 15)) >> 16)
        }

        @inline(__always)
        func blueChroma(_ red: Int32, _ green: Int32, _ blue: Int32) -> UInt8 {
            let sum = blueDifference.red &* red &+ blueDifference.green &* green &+ blueDifference.blue &* blue
            return UInt8(truncatingIfNeeded: (sum &+ (128 << 18 | 1 << 17)) >> 18)
        }

        @inline(__always)
        func redChroma(_ red: Int32, _ green: Int32, _ blue: Int32) -> UInt8 {
            let sum = redDifference.red &* red &+ redDifference.green &* green &+ redDifference.blue &* blue
            return UInt8(truncatingIfNeeded: (sum &+ (128 << 18 | 1 << 17)) >> 18)
        }
    }
}
