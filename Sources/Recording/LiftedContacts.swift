internal import Gestures

/// The contacts that one source lifted a moment ago: what comes down there at once is the same finger, whose touch the
/// panel had lost.
struct LiftedContacts: Equatable {
    /// ms. Our choice, well below the 40 ms that Android's ViewConfiguration wants between two taps of a double tap: a
    /// finger takes longer.
    static let longest: UInt32 = 30
    /// Logical px, and a share of a panel's width and height. Our choice.
    private static let reach = (pixels: 10.0, share: 0.01)
    /// As many fingers as hands have.
    private static let most = 10

    private struct Lifted: Equatable {
        var id: Int32
        var time: UInt32
        var place: TouchLine.Place
    }

    /// Where each is that is down.
    private var places: [Int32: TouchLine.Place] = [:]
    private var lifted: [Lifted] = []

    mutating func move(_ id: Int32, to place: TouchLine.Place?) { if let place { places[id] = place } }

    mutating func lift(_ id: Int32, at time: UInt32?) {
        guard let place = places.removeValue(forKey: id), let time else { return }
        if lifted.count == LiftedContacts.most { lifted.removeFirst() }
        lifted.append(Lifted(id: id, time: time, place: place))
    }

    mutating func cancel(_ id: Int32?) { if let id { places[id] = nil } else { places = [:] } }

    /// Which contact was there, and how many ms ago it was lifted; each is given once.
    mutating func take(near place: TouchLine.Place?, at time: UInt32?) -> (id: Int32, milliseconds: UInt32)? {
        guard let place, let time, !lifted.isEmpty else { return nil }
        lifted.removeAll { time &- $0.time > LiftedContacts.longest }
        guard let index = lifted.lastIndex(where: { LiftedContacts.isNear($0.place, place) }) else { return nil }
        let found = lifted.remove(at: index)
        return (found.id, time &- found.time)
    }

    private static func isNear(_ a: TouchLine.Place, _ b: TouchLine.Place) -> Bool {
        switch (a, b) {
        case (.output(let a), .output(let b)): a.distance(to: b) <= reach.pixels
        case (.panel(let a), .panel(let b)): a.distance(to: b) <= reach.share
        default: false
        }
    }
}
