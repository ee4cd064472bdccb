import Pixman
import Testing

@Suite struct RegionTests {
    private let left = PixelRect(x: 0, y: 0, width: 10, height: 10)
    private let right = PixelRect(x: 5, y: 5, width: 10, height: 10)

    @Test func anEmptyRegionHasNoRectangles() {
        #expect(Region().isEmpty)
        #expect(Region(.empty).rects == [])
        #expect(Region(PixelRect(x: 3, y: 3, width: -1, height: 5)).isEmpty)
    }

    @Test func aUnionCoversBothAndCountsNoPixelTwice() {
        var region = Region(left)
        region.formUnion(right)
        #expect(region.bounds == PixelRect(x: 0, y: 0, width: 15, height: 15))
        let area = region.rects.reduce(0) { $0 + Int($1.width) * Int($1.height) }
        #expect(area == 100 + 100 - 25)
        #expect(region.rectCount == region.rects.count)
        #expect(region.contains(x: 14, y: 14))
        #expect(!region.contains(x: 0, y: 10))
    }

    @Test func intersectionSubtractionAndTranslation() {
        var common = Region(left)
        common.formIntersection(right)
        #expect(common.rects == [PixelRect(x: 5, y: 5, width: 5, height: 5)])

        var rest = Region(left)
        rest.subtract(Region(right))
        #expect(!rest.contains(x: 5, y: 5))
        #expect(rest.contains(x: 4, y: 5))

        common.translate(x: -5, y: 1)
        #expect(common.rects == [PixelRect(x: 0, y: 6, width: 5, height: 5)])
    }

    @Test func aCopyDoesNotSeeLaterChanges() {
        let original = Region(left)
        var copy = original
        copy.formUnion(right)
        copy.translate(x: 100, y: 0)
        #expect(original.rects == [left])
        #expect(copy != original)
    }

    @Test func touchingWithoutOverlapIsNoIntersection() {
        let region = Region(left)
        #expect(region.intersects(PixelRect(x: 9, y: 9, width: 1, height: 1)))
        #expect(!region.intersects(PixelRect(x: 10, y: 0, width: 5, height: 5)))
        #expect(!region.intersects(PixelRect(x: 0, y: 0, width: 0, height: 5)))
    }

    /// pixman itself writes beyond the picture's memory, or into the row before.
    @Test func aFillStaysWithinThePicture() {
        let image = Image(size: PixelSize(width: 4, height: 4))
        image.fill(Region(PixelRect(x: -2, y: 1, width: 3, height: 1)), with: PremultipliedColor(argb: 1))
        image.fill(Region(PixelRect(x: 3, y: 3, width: 9, height: 9)), with: PremultipliedColor(argb: 1))
        let filled = image.withPixels { pixels in pixels.indices.filter { pixels[$0] != 0 } }
        #expect(filled == [4, 15])
    }
}
