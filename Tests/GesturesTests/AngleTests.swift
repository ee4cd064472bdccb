import Foundation
import Testing

@testable import Gestures

@Suite struct AngleTests {
    @Test func agreesWithTheMathLibrary() {
        for step in -3599...3600 {
            let radians = Double(step) * .pi / 3600
            for radius in [1e-3, 1, 1234.5] {
                let (x, y) = (radius * cos(radians), radius * sin(radians))
                #expect(abs(angle(x: x, y: y) - atan2(y, x)) < 1e-13, "\(step)")
            }
        }
    }

    @Test func theAxesAreExactEnoughAndNothingIsNotANumber() {
        #expect(angle(x: 1, y: 0) == 0)
        #expect(angle(x: -1, y: 0) == .pi)
        #expect(abs(angle(x: 0, y: 1) - .pi / 2) < 1e-15)
        #expect(abs(angle(x: 0, y: -1) + .pi / 2) < 1e-15)
        #expect(angle(x: 0, y: 0) == 0)
        for (x, y) in [(Double.infinity, 1.0), (.nan, 0), (-1, 1e-300), (-1e-300, 1e-300), (1e300, 1e300)] {
            #expect(angle(x: x, y: y).isFinite)
        }
    }
}
