import Foundation
import Gestures
import Ripples
import Testing

/// WCAG 2's contrast ratio of the default mark against what lies under it.
@Suite struct ContrastTests {
    private func luminance(_ rgb: [Double]) -> Double {
        let linear = rgb.map { channel in
            let share = channel / 255
            return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }

    private func contrast(_ a: [Double], _ b: [Double]) -> Double {
        let (first, second) = (luminance(a), luminance(b))
        return (max(first, second) + 0.05) / (min(first, second) + 0.05)
    }

    private func over(_ color: Color, _ ground: [Double]) -> [Double] {
        let alpha = Double(color.alpha) / 255
        return zip([color.red, color.green, color.blue], ground).map { Double($0) * alpha + $1 * (1 - alpha) }
    }

    private var mark: Disc { mark(RippleStyle()) }

    private func mark(_ style: RippleStyle) -> Disc {
        var controller = RippleController(style: style)
        let contact = Contact(
            source: SourceID(rawValue: 0), id: 0, serial: 1, position: .zero, began: .milliseconds(0))
        controller.handle([.contactBegan(contact)], at: .milliseconds(0))
        return controller.discs[0]
    }

    private func best(on ground: [Double]) -> Double {
        max(contrast(over(mark.fill, ground), ground), contrast(over(mark.outline, ground), ground))
    }

    @Test func theMarkIsSeenOnEveryGrey() {
        for grey in 0...255 {
            let ground = [Double](repeating: Double(grey), count: 3)
            #expect(best(on: ground) >= 3, "grey \(grey)")
        }
    }

    @Test func theMarkIsSeenOnEveryColour() {
        for red in stride(from: 0.0, through: 255, by: 17) {
            for green in stride(from: 0.0, through: 255, by: 17) {
                for blue in stride(from: 0.0, through: 255, by: 17) {
                    #expect(best(on: [red, green, blue]) >= 3, "\(red) \(green) \(blue)")
                }
            }
        }
    }

    @Test func fillAndOutlineAreToldApart() {
        for grey in 0...255 {
            let ground = [Double](repeating: Double(grey), count: 3)
            #expect(contrast(over(mark.fill, ground), over(mark.outline, ground)) >= 3, "grey \(grey)")
        }
    }

    @Test func aColourOfTheUsersIsSeenOnAGroundOfTheSameColour() {
        for name in ["white", "black", "red", "blue", "lime", "yellow", "grey", "orange", "navy", "aqua"] {
            var style = RippleStyle()
            style.setColor(Color(name)!)
            #expect(style.color == Color(name)!)
            let ground = [style.color.red, style.color.green, style.color.blue].map(Double.init)
            #expect(contrast(over(mark(style).outline, ground), ground) >= 3, "\(name)")
        }
    }

    @Test func theOutlineIsThin() {
        #expect(mark.outlineWidth > 0 && mark.outlineWidth <= 2)
    }
}
