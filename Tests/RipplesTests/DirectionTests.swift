import Foundation
import Gestures
import Testing

@testable import Ripples

@Suite struct DirectionTests {
    @Test func itIsTheCosineAndTheSine() {
        for degrees in stride(from: -1000.0, through: 1000, by: 7.3) {
            let direction = Point.direction(degrees: degrees)
            #expect(abs(direction.x - cos(degrees * .pi / 180)) < 1e-13)
            #expect(abs(direction.y - sin(degrees * .pi / 180)) < 1e-13)
        }
        for (degrees, x, y) in [(0.0, 1.0, 0.0), (90, 0, 1), (180, -1, 0), (270, 0, -1), (-90, 0, -1), (360, 1, 0)] {
            #expect(Point.direction(degrees: degrees) == Point(x: x, y: y), "axes are exact")
        }
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300]) func whatIsNoAngleIsNoDirection(degrees: Double) {
        #expect(!Point.direction(degrees: degrees).isFinite)
    }
}
