import Testing

@testable import WireProxy

@Suite struct PlaceListTests {
    private func place(_ column: Int, _ row: Int) -> CellGrid.Place { CellGrid.Place(column: column, row: row) }

    @Test func itIsSortedAndFindsWhatItHas() {
        var list = PlaceList<String>()
        let places = [place(3, 1), place(-1, 2), place(0, 1), place(5, -4), place(0, 0)]
        for place in places { list[place] = "\(place.column) \(place.row)" }
        #expect(list.entries.map { $0.place } == places.sorted())
        for place in places { #expect(list[place] == "\(place.column) \(place.row)") }
        #expect(list[place(1, 0)] == nil)

        list[place(0, 1)] = "other"
        #expect(list.count == 5)
        #expect(list[place(0, 1)] == "other")
        list[place(0, 1)] = nil
        list[place(9, 9)] = nil
        #expect(list.entries.map { $0.place } == [place(5, -4), place(0, 0), place(3, 1), place(-1, 2)])
        list.removeAll()
        #expect(list.isEmpty)
    }
}
