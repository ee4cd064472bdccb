import Gestures
import Pixman
import Ripples
import Testing

@testable import WireProxy

@Suite struct CellGridTests {
    private func disc(_ x: Double, _ y: Double) -> Shape {
        .disc(Disc(center: Point(x: x, y: y), radius: 15, fill: .white))
    }

    private static let everywhere = Rect(x: -1e5, y: -1e5, width: 2e5, height: 2e5)

    private func places(
        _ grid: CellGrid, _ part: PixelRect, within bounds: Rect = CellGridTests.everywhere
    ) -> [CellGrid.Place] {
        var places: [CellGrid.Place] = []
        grid.forEachPlace(part, within: bounds) { places.append($0) }
        return places
    }

    /// Scales that compositors offer, and one that divides nothing.
    @Test(arguments: [90, 120, 121, 132, 150, 160, 180, 210, 240, 300, 360])
    func cellsBeginAndEndAtWholePixelsOfTheBuffer(scale120: Int32) throws {
        let grid = CellGrid(around: disc(333.3, 271.8), scale120: scale120)
        for column in -2...2 {
            let place = CellGrid.Place(column: column, row: -column)
            let area = try #require(grid.area(of: place, within: Self.everywhere))
            #expect(area.width >= 155 && area.width <= 240)
            for length in [area.x, area.y, area.width, area.height] {
                let pixels = length * Double(scale120) / 120
                #expect(abs(pixels - pixels.rounded()) < 1e-9, "\(length)")
            }
        }
    }

    @Test(arguments: [120, 150, 180, 210, 240]) func theFirstShapesWaveFitsIntoItsCell(scale120: Int32) {
        for step in 0..<50 {
            let (x, y) = (200 + Double(step) * 0.37, -300 - Double(step) * 0.61)
            let grid = CellGrid(around: disc(x, y), scale120: scale120)
            let reach = 76.5 + 0.5
            let wave = PixelRect(
                left: Int32((x - reach).rounded(.down)), top: Int32((y - reach).rounded(.down)),
                right: Int32((x + reach).rounded(.up)), bottom: Int32((y + reach).rounded(.up)))
            #expect(places(grid, wave) == [CellGrid.Place(column: 0, row: 0)])
            #expect(grid.place(inMiddleOf: wave) == CellGrid.Place(column: 0, row: 0))
        }
    }

    @Test func partsAreCutAtTheWindowsEdges() throws {
        let grid = CellGrid(around: disc(10, 190), scale120: 120)
        let window = Rect(x: -40, y: 30, width: 340.5, height: 170)
        let all = places(
            grid, PixelRect(left: -500, top: -500, right: 900, bottom: 900), within: window)
        var covered = 0.0
        for place in all {
            let area = try #require(grid.area(of: place, within: window))
            #expect(area.x >= -40 && area.y >= 30 && area.maxX <= 300 && area.maxY <= 200)
            covered += area.width * area.height
        }
        #expect(covered == 340 * 170)
        #expect(places(grid, PixelRect(left: -9, top: 0, right: 0, bottom: 30), within: window).isEmpty)
        #expect(grid.area(of: CellGrid.Place(column: 9, row: 0), within: window) == nil)
    }

    @Test func whatIsFarAwayHasNoMiddle() {
        let grid = CellGrid(around: disc(.infinity, 9e9), scale120: 120)
        #expect(grid.place(inMiddleOf: PixelRect(left: 0, top: 0, right: 2, bottom: 2)) != nil)
        #expect(grid.place(inMiddleOf: PixelRect(left: 1_000_000, top: 0, right: 1_000_002, bottom: 2)) == nil)
        #expect(grid.place(inMiddleOf: .empty) == nil)
    }
}
