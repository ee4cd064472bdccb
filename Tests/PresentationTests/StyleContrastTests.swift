import Foundation
import Gestures
import Pixman
import Ripples
import Testing

@testable import Presentation

/// WCAG 2.2, 1.4.11: what is needed to see a thing has a contrast of 3:1 against what is beside it. Measured in what is drawn.
@Suite struct StyleContrastTests {
    private let side: Int32 = 320
    /// So that a line of 1.5 px covers a pixel whole, wherever it lies.
    private let scale = 2.0

    enum Ground: String, CaseIterable {
        case white, black, middle, photo
    }

    private func ground(_ kind: Ground) -> Image {
        let image = Image(width: side, height: side)
        switch kind {
        case .white: image.fill(Region(image.size.rect), with: PremultipliedColor(argb: 0xffff_ffff))
        case .black: image.fill(Region(image.size.rect), with: PremultipliedColor(argb: 0xff00_0000))
        case .middle: image.fill(Region(image.size.rect), with: PremultipliedColor(argb: 0xff80_8080))
        case .photo: paintPhoto(on: image)
        }
        return image
    }

    /// A bright sky over dark hills, leaves in the light, and grain.
    private func paintPhoto(on image: Image) {
        var random = SeededGenerator(seed: 11)
        let side = Int(side)
        var pixels = [(red: Double, green: Double, blue: Double)](repeating: (0, 0, 0), count: side * side)
        for y in 0..<side {
            for x in 0..<side {
                let height = Double(y) / Double(side)
                let hill = 0.45 + 0.12 * sin(Double(x) / 19) + 0.05 * sin(Double(x) / 5)
                pixels[y * side + x] =
                    height < hill
                    ? (120 + 135 * height * 2, 170 + 80 * height * 2, 250) : (60 - 40 * height, 90 - 50 * height, 30)
            }
        }
        for _ in 0..<500 {
            let (x, y) = (Int.random(in: 0..<side, using: &random), Int.random(in: side / 3..<side, using: &random))
            let light = Double.random(in: 0...1, using: &random)
            for dy in 0..<Int.random(in: 1...5, using: &random) {
                for dx in 0..<Int.random(in: 1...5, using: &random) where y + dy < side && x + dx < side {
                    pixels[(y + dy) * side + x + dx] = (240 * light, 255 * light, 80 * light)
                }
            }
        }
        image.withPixels { span in
            for index in pixels.indices {
                let grain = Double.random(in: -12...12, using: &random)
                let channel = { (value: Double) in UInt32(min(255, max(0, value + grain))) }
                let (red, green, blue) = pixels[index]
                span[index] = 0xff00_0000 | channel(red) << 16 | channel(green) << 8 | channel(blue)
            }
        }
    }

    private func luminance(_ pixel: UInt32) -> Double {
        func linear(_ shift: UInt32) -> Double {
            let share = Double(pixel >> shift & 255) / 255
            return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear(16) + 0.7152 * linear(8) + 0.0722 * linear(0)
    }

    /// The mark goes all around the contact: along each way outwards there must be a place where it stands out from the ground
    /// around that place. The least of all ways' best.
    private func contrast(_ shapes: [Shape], on kind: Ground) -> Double {
        let image = ground(kind)
        let before = image.pixels
        ShapePainter().paint(
            shapes, on: image, region: Region(image.size.rect), background: .clear, scale: scale, groundIsClear: true)
        let after = image.pixels
        let mark = fullRepaint(shapes, size: image.size, scale: scale, background: .clear)
        var worst = Double.infinity
        for way in 0..<32 {
            let direction = Point.direction(degrees: Double(way) * 360 / 32)
            var best = 1.0
            for step in 8..<120 {
                let distance = Double(step)
                let (x, y) = (Int32(160 + direction.x * distance), Int32(160 + direction.y * distance))
                // What is mostly ground is an edge, no part of the mark.
                guard mark[x, y] >> 24 >= 128 else { continue }
                var around = 0.0
                for dy in Int32(-2)...2 {
                    for dx in Int32(-2)...2 { around += luminance(before[x + dx, y + dy]) / 25 }
                }
                let seen = luminance(after[x, y])
                best = max(best, (max(seen, around) + 0.05) / (min(seen, around) + 0.05))
            }
            worst = min(worst, best)
        }
        return worst
    }

    private func shapes(_ style: RippleStyle, finger: Int = 1) -> [Shape] {
        var scene = StyleScene(style, surfaceSize: Size(width: 160, height: 160))
        // The others are out of sight.
        for _ in 1..<finger { _ = scene.down(-5000, -5000) }
        _ = scene.down(80, 80)
        scene.wait(420)
        return scene.controller.shapes
    }

    private func style(_ kind: RippleStyle.Kind, _ change: (inout RippleStyle) -> Void = { _ in }) -> RippleStyle {
        var style = RippleStyle()
        style.kind = kind
        change(&style)
        return style
    }

    @Test(arguments: RippleStyle.Kind.allCases, Ground.allCases)
    func everyStylesMarkIsSeen(kind: RippleStyle.Kind, ground: Ground) {
        #expect(contrast(shapes(style(kind)), on: ground) >= 3)
        #expect(contrast(shapes(style(kind) { $0.highContrast = true }), on: ground) >= 3)
    }

    @Test(arguments: 1...FingerColors.all.count, Ground.allCases)
    func everyFingersColourIsSeen(finger: Int, ground: Ground) {
        for kind in [RippleStyle.Kind.wave, .crosshair] {
            #expect(contrast(shapes(style(kind) { $0.colorByFinger = true }, finger: finger), on: ground) >= 3)
        }
    }

    @Test(arguments: RippleStyle.Kind.allCases) func withoutItsOutlineItIsNot(kind: RippleStyle.Kind) {
        let bare = style(kind) { $0.outline = .clear }
        #expect(contrast(shapes(bare), on: .white) < 3)
    }
}
