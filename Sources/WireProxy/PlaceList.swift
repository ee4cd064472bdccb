/// What there is at some places of a grid, from the first row to the last. They are few: they are looked for one by one,
/// which is sooner done than to hash them.
struct PlaceList<Value> {
    struct Entry {
        let place: CellGrid.Place
        var value: Value
    }

    private(set) var entries: [Entry] = []

    var isEmpty: Bool { entries.isEmpty }
    var count: Int { entries.count }

    func index(of place: CellGrid.Place) -> Int? { entries.firstIndex { $0.place == place } }

    /// Nil where there is nothing; set to nil it is taken away.
    subscript(place: CellGrid.Place) -> Value? {
        get { index(of: place).map { entries[$0].value } }
        set {
            if let index = index(of: place) {
                if let newValue { entries[index].value = newValue } else { entries.remove(at: index) }
            } else if let newValue {
                let next = entries.firstIndex { place < $0.place } ?? entries.count
                entries.insert(Entry(place: place, value: newValue), at: next)
            }
        }
    }

    /// Changes what is there, in place.
    mutating func change(at index: Int, _ body: (inout Value) -> Void) { body(&entries[index].value) }

    mutating func removeAll() { entries.removeAll(keepingCapacity: true) }
}
