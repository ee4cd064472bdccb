#if PNG
    package import Pixman
    internal import PNGFiles

    extension Image {
        /// A PNG file's picture.
        package convenience init(png path: String) throws(RenderingError) {
            let picture: PNGPicture
            do throws(PNGError) { picture = try PNGPicture(path: path) } catch { throw RenderingError(error.reason) }
            // pixman counts in 16 bits.
            guard (1...32767).contains(picture.width), (1...32767).contains(picture.height) else {
                throw RenderingError("\(picture.width)x\(picture.height) pixels are too many")
            }
            self.init(size: PixelSize(width: Int32(picture.width), height: Int32(picture.height)))
            withPixels { pixels in for index in picture.pixels.indices { pixels[index] = picture.pixels[index] } }
        }

        /// The picture as a PNG file.
        package func png() throws(RenderingError) -> [UInt8] {
            var pixels: [UInt32] = []
            let (width, height) = (Int(size.width), Int(size.height))
            pixels.reserveCapacity(width * height)
            withPixels { all in
                for y in 0..<height { for x in 0..<width { pixels.append(all[y * (stride / 4) + x]) } }
            }
            do throws(PNGError) {
                return try PNGPicture(width: width, height: height, pixels: pixels).encoded()
            } catch { throw RenderingError(error.reason) }
        }
    }
#endif
