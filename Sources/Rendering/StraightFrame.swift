package import Pixman

/// A frame whose colours are not multiplied by alpha, 0xAARRGGBB: as files and encoders want it.
package final class StraightFrame {
    package let size: PixelSize
    package private(set) var pixels: [UInt32]

    /// Transparent.
    package init(size: PixelSize) {
        self.size = size
        pixels = [UInt32](repeating: 0, count: Int(size.width) * Int(size.height))
    }

    /// Takes the pixels of `region` over from `image`, which has the same size.
    package func update(from image: Image, in region: Region) {
        let width = Int(size.width)
        image.withPixels { source in
            for rect in region.rects {
                let inside = rect.intersection(size.rect)
                for y in Int(inside.y)..<Int(inside.y) + max(0, Int(inside.height)) {
                    for x in Int(inside.x)..<Int(inside.x) + Int(inside.width) {
                        let pixel = source[y * (image.stride / 4) + x]
                        pixels[y * width + x] = pixel >> 24 == 0xff ? pixel : PremultipliedColor(argb: pixel).straight
                    }
                }
            }
        }
    }
}
