import Pixman
import Testing

@testable import Presentation

@Suite struct SurfaceGeometryTests {
    @Test(
        arguments: [
            (120, 801, 801), (150, 801, 1001), (180, 801, 1202), (240, 801, 1602), (360, 801, 2403), (132, 5, 6),
            (140, 3, 4),
            (108, 5, 5),
        ] as [(Int32, Int32, Int32)])
    func aFractionalScaleRoundsHalfAwayFromZero(numerator: Int32, logical: Int32, buffer: Int32) {
        let geometry = SurfaceGeometry(
            logicalSize: LogicalSize(width: logical, height: 1), scale: .fractional(numerator))
        #expect(geometry.bufferSize.width == buffer)
        #expect(geometry.viewportDestination == LogicalSize(width: logical, height: 1))
        #expect(geometry.bufferScale == 1)
    }

    @Test func anIntegerScaleNeedsNoViewport() {
        let geometry = SurfaceGeometry(logicalSize: LogicalSize(width: 100, height: 50), scale: .integer(3))
        #expect(geometry.bufferSize == PixelSize(width: 300, height: 150))
        #expect(geometry.bufferScale == 3)
        #expect(geometry.viewportDestination == nil)
    }

    @Test func noBufferIsEmpty() {
        let geometry = SurfaceGeometry(logicalSize: LogicalSize(width: 1, height: 1), scale: .fractional(30))
        #expect(geometry.bufferSize == PixelSize(width: 1, height: 1))
    }

    @Test func surfaceDamageIsRoundedOutwards() {
        let doubled = SurfaceGeometry(logicalSize: LogicalSize(width: 100, height: 100), scale: .integer(2))
        #expect(
            doubled.surfaceRect(PixelRect(x: 3, y: 4, width: 4, height: 3))
                == PixelRect(x: 1, y: 2, width: 3, height: 2))
        let fractional = SurfaceGeometry(logicalSize: LogicalSize(width: 100, height: 100), scale: .fractional(150))
        #expect(
            fractional.surfaceRect(PixelRect(x: 1, y: 5, width: 1, height: 120))
                == PixelRect(x: 0, y: 4, width: 2, height: 96))
    }

    @Test func aFractionalScaleIsUsedOnlyThroughAViewport() {
        var sources = ScaleSources()
        sources.fractional = 150
        sources.output = 2
        #expect(sources.choice(hasViewport: true, surfaceVersion: 6) == .fractional(150))
        #expect(sources.choice(hasViewport: false, surfaceVersion: 6) == .integer(2))
    }

    @Test func thePreferredScaleGoesBeforeTheOutputs() {
        var sources = ScaleSources()
        sources.output = 3
        #expect(sources.choice(hasViewport: true, surfaceVersion: 6) == .integer(3))
        sources.preferred = 2
        #expect(sources.choice(hasViewport: true, surfaceVersion: 6) == .integer(2))
    }

    @Test func oldSurfacesAndSenselessScalesGiveOne() {
        var sources = ScaleSources()
        sources.output = 2
        #expect(sources.choice(hasViewport: true, surfaceVersion: 2) == .integer(1))
        sources.output = 0
        sources.fractional = 0
        #expect(sources.choice(hasViewport: true, surfaceVersion: 6) == .integer(1))
    }
}
