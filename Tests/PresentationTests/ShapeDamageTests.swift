import Gestures
import Pixman
import Ripples
import Testing

@testable import Presentation

@Suite struct ShapeDamageTests {
    private let size = PixelSize(width: 200, height: 100)

    private func disc(_ x: Double, _ y: Double, _ radius: Double = 5) -> Shape {
        .disc(Disc(center: Point(x: x, y: y), radius: radius, fill: .white, outline: .black, outlineWidth: 1))
    }

    @Test func nothingChangedIsNoDamage() {
        let shapes = [disc(10, 10), disc(50, 50)]
        #expect(damage(from: shapes, to: shapes, scale: 1, within: size).isEmpty)
    }

    @Test func aShapeThatMovesDamagesBothPlacesRoundedOutwards() {
        let region = damage(from: [disc(20.5, 20.5)], to: [disc(60.25, 20.5)], scale: 1, within: size)
        #expect(
            region.rects == [
                PixelRect(x: 14, y: 14, width: 13, height: 13), PixelRect(x: 54, y: 14, width: 13, height: 13),
            ])
    }

    @Test func theScaleAppliesBeforeTheRounding() {
        let region = damage(from: [], to: [disc(20, 20)], scale: 1.25, within: size)
        #expect(region.rects == [PixelRect(x: 17, y: 17, width: 16, height: 16)])
    }

    @Test func shapesThatStayDamageNothingWhenOthersComeAndGo() {
        let stays = disc(100, 50)
        let gone = damage(from: [disc(10, 10), stays, disc(30, 80)], to: [stays], scale: 1, within: size)
        #expect(!gone.intersects(PixelRect(x: 94, y: 44, width: 12, height: 12)))
        #expect(gone.contains(x: 10, y: 10) && gone.contains(x: 30, y: 80))
        let come = damage(from: [stays], to: [disc(10, 10), stays, disc(30, 80)], scale: 1, within: size)
        #expect(come == gone)
    }

    /// Many are looked up otherwise than few.
    @Test(arguments: [3, 16, 17, 40]) func onlyWhatDiffersIsDamagedHoweverMuchThereIs(count: Int) {
        let stay = (0..<count).map { disc(20 + 4 * Double($0), 50, 1) }
        for place in [0, count / 2, count] {
            var more = stay
            more.insert(disc(100, 10), at: place)
            let region = damage(from: stay, to: more, scale: 1, within: size)
            #expect(region.rects == [PixelRect(x: 94, y: 4, width: 12, height: 12)])
            #expect(damage(from: more, to: stay, scale: 1, within: size) == region)
        }
    }

    @Test func aChangedOrderDamages() {
        let region = damage(
            from: [disc(10, 10), disc(12, 10)], to: [disc(12, 10), disc(10, 10)], scale: 1, within: size)
        #expect(region.contains(x: 11, y: 10))
    }

    @Test func damageStaysWithinTheBuffer() {
        let region = damage(from: [], to: [disc(0, 0, 20), disc(199, 99, 20), disc(-500, 0)], scale: 1, within: size)
        #expect(region.bounds == size.rect)
        #expect(damage(from: [], to: [disc(-500, 0)], scale: 1, within: size).isEmpty)
    }

    @Test func everyPixelThatDiffersIsDamaged() {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<40 {
            var shapes = (0..<Int.random(in: 0...6, using: &random)).map { _ in
                random.shape(width: 200, height: 100, radii: 0...20)
            }
            let old = shapes
            for _ in 0..<3 {
                switch Int.random(in: 0..<4, using: &random) {
                case 0: shapes.append(random.shape(width: 200, height: 100, radii: 0...20))
                case 1 where !shapes.isEmpty: shapes.remove(at: Int.random(in: 0..<shapes.count, using: &random))
                case 2 where !shapes.isEmpty: shapes[0].grow(by: 1)
                default: shapes.shuffle(using: &random)
                }
            }
            let region = damage(from: old, to: shapes, scale: 1, within: size)
            let ground = PremultipliedColor(argb: 0xff80_8080)
            let before = fullRepaint(old, size: size, scale: 1, background: ground)
            let after = fullRepaint(shapes, size: size, scale: 1, background: ground)
            var patched = before
            for rect in region.rects { patched.copy(rect, from: after) }
            #expect(patched == after)
        }
    }
}
