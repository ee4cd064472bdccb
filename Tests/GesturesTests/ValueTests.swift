import Gestures
import Testing

@Suite struct InstantTests {
    @Test func arithmeticIsInNanoseconds() {
        let instant = Instant.milliseconds(3)
        #expect((instant + 5).nanoseconds == 3_000_005)
        #expect((instant - 5).nanoseconds == 2_999_995)
        #expect(Instant.milliseconds(10) - instant == 7_000_000)
        #expect(Instant.milliseconds(10).millisecondsSince(instant) == 7)
        #expect(instant.millisecondsSince(.milliseconds(10)) == -7)
    }

    @Test func arithmeticSaturatesInsteadOfTrapping() {
        let first = Instant(nanoseconds: .min)
        let last = Instant(nanoseconds: .max)
        #expect(last + 1 == last)
        #expect(first - 1 == first)
        #expect(first + -1 == first)
        #expect(last - -1 == last)
        #expect(last - first == .max)
        #expect(first - last == .min)
        #expect(Instant.milliseconds(.max) == last)
        #expect(Instant.milliseconds(.min) == first)
    }
}

@Suite struct RectTests {
    private let rect = Rect(x: 10, y: 20, width: 30, height: 40)

    @Test func containsItsOriginButNotItsFarEdges() {
        #expect(rect.contains(Point(x: 10, y: 20)))
        #expect(!rect.contains(Point(x: 40, y: 20)))
        #expect(!rect.contains(Point(x: 10, y: 60)))
        #expect(!rect.contains(Point(x: 9.9, y: 20)))
    }

    @Test func rectanglesThatShareAnEdgeDoNotIntersect() {
        #expect(rect.intersects(Rect(x: 39, y: 59, width: 5, height: 5)))
        #expect(!rect.intersects(Rect(x: 40, y: 20, width: 5, height: 5)))
        #expect(!rect.intersects(Rect(x: 15, y: 25, width: 0, height: 5)))
        #expect(rect.intersection(Rect(x: 0, y: 0, width: 20, height: 30)) == Rect(x: 10, y: 20, width: 10, height: 10))
        #expect(rect.intersection(Rect(x: 0, y: 0, width: 5, height: 5)) == .empty)
    }

    @Test func anEmptyRectangleAddsNothingToAUnion() {
        #expect(rect.union(.empty) == rect)
        #expect(Rect.empty.union(rect) == rect)
        #expect(rect.union(Rect(x: 0, y: 50, width: 5, height: 30)) == Rect(x: 0, y: 20, width: 40, height: 60))
    }

    @Test func insetByMoreThanHalfLeavesNothing() {
        #expect(rect.inset(by: 5) == Rect(x: 15, y: 25, width: 20, height: 30))
        #expect(rect.inset(by: -5) == Rect(x: 5, y: 15, width: 40, height: 50))
        #expect(rect.inset(by: 15).isEmpty)
    }

    @Test func aSideThatIsNoNumberMakesItEmpty() {
        #expect(Rect(x: 0, y: 0, width: .nan, height: 5).isEmpty)
        #expect(Rect(x: 0, y: 0, width: -1, height: 5).isEmpty)
    }
}
