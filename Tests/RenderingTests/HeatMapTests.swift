import Foundation
import Gestures
import Pixman
import Ripples
import Testing

@testable import Rendering

@Suite struct HeatMapTests {
    private static let size = Size(width: 400, height: 200)
    private static let long = Instant(nanoseconds: 0)...Instant.milliseconds(60_000)

    /// A finger that comes down, is at the places at their times (ms), and is lifted at the last one.
    private static func map(
        _ places: [(time: Int64, x: Double, y: Double)], span: ClosedRange<Instant> = long, density: Double? = 6
    ) -> HeatMap {
        var map = HeatMap(size: size, pixelsPerMillimetre: density, span: span)
        for (index, place) in places.enumerated() {
            let instant = Instant.milliseconds(place.time)
            let contact = Contact(
                source: SourceID(rawValue: 0), id: 0, serial: 1, position: Point(x: place.x, y: place.y), began: instant
            )
            let phase: ContactFrame.Phase = index == 0 ? .began : index == places.count - 1 ? .ended : .moved
            map.add(ContactFrame.Change(phase: phase, contact: contact), at: instant)
        }
        return map
    }

    /// A panel that tells four times as often makes the same map, but for the cells' own width.
    @Test func timeCountsAndNotSamples() {
        func map(_ step: Int64) -> HeatMap {
            Self.map(
                stride(from: Int64(0), through: 400, by: Int64.Stride(step)).map { ($0, 50 + Double($0) / 2, 100) })
        }
        let (slow, fast) = (map(20), map(5))
        #expect(slow.sampleCount == 20 && fast.sampleCount == 80)
        #expect(slow.total == 400_000 && fast.total == 400_000)
        let (a, b) = (slow.density, fast.density)
        for (one, other) in zip(a.cells, b.cells) {
            #expect(abs(Double(one) - Double(other)) <= 0.1 * Double(a.most))
        }
    }

    /// A panel says nothing of a finger that rests: the time is spent where it was, not on its way to where it goes then.
    @Test func aRestIsSpentWhereTheFingerWas() {
        let map = Self.map([(0, 40, 100), (2000, 360, 100), (2010, 360, 100)])
        let density = map.density
        func near(_ x: Double) -> UInt64 {
            density.cells[Int(100 / map.cell) * map.columns + Int(x / map.cell)]
        }
        #expect(near(40) == density.most && near(200) < density.most / 100)
    }

    @Test func onlyTheSpanCounts() {
        let span = Instant.milliseconds(100)...Instant.milliseconds(250)
        let map = Self.map([(0, 40, 100), (200, 40, 100), (1000, 40, 100)], span: span)
        #expect(map.total == 150_000 && map.sampleCount == 1 && map.contactCount == 0)
    }

    @Test func whatIsOutsideCountsAndIsNotShown() {
        let map = Self.map([(0, -50, 100), (200, -50, 100), (300, 1e300, 100)])
        #expect(map.total == 300_000 && map.density.most < 40_000)
    }

    /// One second on one spot, spread over the bell, is a second again in all.
    @Test func theUnitIsTrue() {
        let map = Self.map([(0, 200, 100), (1000, 200, 100)])
        let density = map.density
        let all = density.cells.reduce(0) { $0 + $1 }
        #expect(abs(Double(all) - 1_000_000) < 1000)
        // The middle of three boxes of seven cells of 2/3 mm, on either axis.
        #expect(abs(density.mostInUnit / (37.0 / 343 * 37 / 343 * 15 * 15) - 1) < 0.01)
        #expect(density.unit == "s per cm²")
        #expect(Self.map([(0, 1, 1)], density: nil).density.unit == "s per 100x100 px")
    }

    @Test func aMapOfNothingIsDark() {
        let map = Self.map([])
        #expect(map.density.most == 0 && map.density.warmth(0) == 0)
        let picture = map.picture(scale: 0.5, background: .black)
        #expect(picture.image.size == PixelSize(width: 200, height: 154))
    }

    /// Texts as wide as their characters, 7 px each.
    @Test(arguments: (0...90).map { Double($0) * 10 })
    func nothingOfTheLegendLiesOverAnotherThing(width: Double) {
        let legend = HeatLegend(
            width: width, figures: ["0", "0.12", "0.49 s per 100x100 px"],
            words: "12 contacts, 480 samples, 3.1 s of touch"
        ) { Size(width: 7 * Double($0.count), height: 20) }
        let places = [legend.bar] + legend.texts.map(\.place)
        for (index, place) in places.enumerated() {
            #expect(!places[..<index].contains { $0.intersects(place) }, "\(places)")
            #expect(place.x >= 0 && place.maxY <= legend.height && (index == 0 || place.maxX <= width))
        }
        #expect(legend.texts.contains { $0.text.hasPrefix("12") } == (width >= 292))
        #expect(width < 140 || places.count > 1)
        #expect(width < 600 || legend.height == 54 && places.count == 5)
    }

    /// By luminance, which lightness follows, over black.
    @Test func warmerIsLighter() {
        func lightness(_ color: PremultipliedColor) -> Double {
            func linear(_ channel: UInt8) -> Double {
                let share = Double(channel) / 255
                return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
            }
            return 0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722 * linear(color.blue)
        }
        let all = HeatColors.all.map(lightness)
        #expect(HeatColors.all.count == 256)
        for index in 1..<256 { #expect(all[index] >= all[index - 1], "\(index)") }
        #expect(all[255] > 0.85 && all[128] > 0.08)
    }

    @Test func theMapLooksAsItDid() throws {
        let places: [(Int64, Double, Double)] = [
            (0, 40, 100), (300, 40, 100), (310, 60, 90), (320, 90, 80), (330, 130, 70), (340, 180, 70), (350, 240, 90),
            (360, 310, 130), (900, 320, 135), (901, 320, 135),
        ]
        let image = Self.map(places).picture(scale: 0.5, background: Color(red: 32, green: 40, blue: 48)).image
        // Without the legend, whose font is the machine's.
        let map = Image(size: PixelSize(width: 200, height: 100))
        map.compositeOver(image, at: map.size.rect)
        #expect(try isGolden("heat-map", map))
    }
}
