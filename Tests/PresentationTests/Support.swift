import CLibc
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
    mutating func point(width: Double, height: Double) -> Point {
        Point(
            x: Double.random(in: -20...(width + 20), using: &self),
            y: Double.random(in: -20...(height + 20), using: &self))
    }

    mutating func disc(width: Double, height: Double, radii: ClosedRange<Double> = 0...40) -> Disc {
        Disc(
            center: point(width: width, height: height), radius: Double.random(in: radii, using: &self), fill: color(),
            outline: color(), outlineWidth: Double.random(in: 0...3, using: &self))
    }

    /// One of any kind but labels, which the painter leaves alone.
    mutating func shape(width: Double, height: Double, radii: ClosedRange<Double> = 0...40) -> Shape {
        var disc = disc(width: width, height: height, radii: radii)
        switch Int.random(in: 0..<6, using: &self) {
        case 0..<3: return .disc(disc)
        case 3:
            disc.softness = Double.random(in: 0...disc.radius, using: &self)
            return .disc(disc)
        case 4:
            return .arc(
                Arc(
                    center: disc.center, radius: disc.radius, start: Double.random(in: -400...400, using: &self),
                    sweep: Double.random(in: -400...400, using: &self),
                    lineRadius: Double.random(in: 0...5, using: &self), color: disc.fill, outline: disc.outline,
                    outlineWidth: disc.outlineWidth))
        default:
            let nodes = (0..<Int.random(in: 0...5, using: &self)).map { _ in
                Stroke.Node(
                    point(width: width, height: height), radius: Double.random(in: 0...5, using: &self),
                    opacity: Double.random(in: 0...1, using: &self))
            }
            var stroke = Stroke(
                nodes: nodes, color: disc.fill, outline: disc.outline, outlineWidth: disc.outlineWidth)
            stroke.isRigid = chance(0.5)
            return .stroke(stroke)
        }
    }

    mutating func label(width: Double, height: Double) -> Label {
        let lines = (0..<Int.random(in: 0...3, using: &self)).map { _ in
            String((0..<Int.random(in: 0...6, using: &self)).map { _ in "a1.Wj▃ é".randomElement(using: &self)! })
        }
        return Label(
            lines: lines, placement: chance(0.5) ? .heading : .beside, anchor: point(width: width, height: height),
            gap: Double.random(in: 0...10, using: &self), size: Double.random(in: 3...9, using: &self), color: color(),
            plate: color())
    }

    mutating func color() -> Color {
        let word = next()
        return Color(
            red: UInt8(truncatingIfNeeded: word), green: UInt8(truncatingIfNeeded: word >> 8),
            blue: UInt8(truncatingIfNeeded: word >> 16), alpha: UInt8(truncatingIfNeeded: word >> 24))
    }
}

extension Shape {
    mutating func grow(by growth: Double) {
        switch self {
        case .disc(var disc):
            disc.radius += growth
            self = .disc(disc)
        case .arc(var arc):
            arc.radius += growth
            self = .arc(arc)
        case .stroke(var stroke):
            for index in stroke.nodes.indices { stroke.nodes[index].radius += growth }
            self = .stroke(stroke)
        case .label(var label):
            label.anchor.x += growth
            self = .label(label)
        }
    }
}

/// Pixels, compared at once: tests run without optimisation.
struct Pixels: Equatable, CustomStringConvertible {
    let size: PixelSize
    var words: [UInt32]

    static func == (a: Pixels, b: Pixels) -> Bool {
        a.size == b.size
            && a.words.withUnsafeBytes { one in
                b.words.withUnsafeBytes { other in memcmp(one.baseAddress!, other.baseAddress!, one.count) == 0 }
            }
    }

    var description: String { "\(size.width)x\(size.height) pixels" }

    subscript(x: Int32, y: Int32) -> UInt32 { words[Int(y) * Int(size.width) + Int(x)] }

    /// Takes the pixels of `rect` from `other`, which has the same size.
    mutating func copy(_ rect: PixelRect, from other: Pixels) {
        for y in rect.y..<rect.bottom {
            let start = Int(y) * Int(size.width) + Int(rect.x)
            words.replaceSubrange(start..<start + Int(rect.width), with: other.words[start..<start + Int(rect.width)])
        }
    }
}

extension Image {
    /// All pixels. The picture's rows must have no gaps.
    var pixels: Pixels {
        precondition(stride == Int(size.width) * 4)
        return Pixels(size: size, words: withPixels { span in span.withUnsafeBufferPointer { Array($0) } })
    }

    /// Sets every pixel to what no test draws, so that what is not repainted is seen.
    func scribble() { fill(Region(size.rect), with: PremultipliedColor(argb: 0x5a00_a55a)) }

    convenience init(width: Int32, height: Int32) { self.init(size: PixelSize(width: width, height: height)) }
}

/// A whole picture, painted at once.
func fullRepaint(
    _ shapes: [Shape], size: PixelSize, scale: Double, background: PremultipliedColor
) -> Pixels {
    let image = Image(size: size)
    image.scribble()
    ShapePainter().paint(shapes, on: image, region: Region(size.rect), background: background, scale: scale)
    let text = TextRenderer()
    var labels = PlacedLabels()
    labels.place(shapes, on: size, scale: scale, text)
    text.draw(labels.all, on: image, region: Region(size.rect), scale: scale)
    return image.pixels
}
