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

    /// Adds `value` where there is nothing; nil where there are `limit` already.
    mutating func index(of place: CellGrid.Place, adding value: Value, upTo limit: Int) -> Int? {
        if let index = index(of: place) { return index }
        if entries.count >= limit { return nil }
        return insert(value, at: place)
    }

    private mutating func insert(_ value: Value, at place: CellGrid.Place) -> Int {
        let index = entries.firstIndex { place < $0.place } ?? entries.count
        entries.insert(Entry(place: place, value: value), at: index)
        return index
    }

    /// Nil where there is nothing; set to nil it is taken away.
    subscript(place: CellGrid.Place) -> Value? {
        get { index(of: place).map { entries[$0].value } }
        set {
            if let index = index(of: place) {
                if let newValue { entries[index].value = newValue } else { entries.remove(at: index) }
            } else if let newValue {
                _ = insert(newValue, at: place)
            }
        }
    }

    /// Changes what is there, in place.
    mutating func change(at index: Int, _ body: (inout Value) -> Void) { body(&entries[index].value) }

    mutating func removeAll() { entries.removeAll(keepingCapacity: true) }
}
