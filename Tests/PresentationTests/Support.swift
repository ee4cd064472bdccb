import Gestures
import Pixman
import Ripples

@testable import Presentation

/// Random numbers that are the same in every run: SplitMix64.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }

    mutating func chance(_ probability: Double) -> Bool { Double.random(in: 0..<1, using: &self) < probability }

    /// Somewhere on or near a surface of `width` and `height` logical px.
    mutating func shape(width: Double, height: Double, radii: ClosedRange<Double> = 0...40) -> RippleShape {
        RippleShape(
            center: Point(
                x: Double.random(in: -20...(width + 20), using: &self),
                y: Double.random(in: -20...(height + 20), using: &self)),
            radius: Double.random(in: radii, using: &self), fill: color(), outline: color(),
            outlineWidth: Double.random(in: 0...3, using: &self))
    }

    mutating func color() -> Color {
        let word = next()
        return Color(
            red: UInt8(truncatingIfNeeded: word), green: UInt8(truncatingIfNeeded: word >> 8),
            blue: UInt8(truncatingIfNeeded: word >> 16), alpha: UInt8(truncatingIfNeeded: word >> 24))
    }
}

extension Image {
    /// All pixels, row after row without gaps.
    var pixels: [UInt32] {
        withPixels { span in
            var all: [UInt32] = []
            all.reserveCapacity(Int(size.width) * Int(size.height))
            for y in 0..<Int(size.height) {
                for x in 0..<Int(size.width) { all.append(span[y * (stride / 4) + x]) }
            }
            return all
        }
    }

    /// Sets every pixel to noise, so that what is not repainted is seen.
    func scribble() {
        withPixels { span in
            for index in span.indices { span[index] = 0x5a00_a55a ^ UInt32(truncatingIfNeeded: index &* 2_654_435_761) }
        }
    }

    convenience init(width: Int32, height: Int32) { self.init(size: PixelSize(width: width, height: height)) }
}

/// A whole picture, painted at once.
func fullRepaint(
    _ shapes: [RippleShape], size: PixelSize, scale: Double, background: PremultipliedColor
) -> [UInt32] {
    let image = Image(size: size)
    image.scribble()
    RipplePainter().paint(shapes, on: image, region: Region(size.rect), background: background, scale: scale)
    return image.pixels
}
