/// Tells the events of a WAYLAND_DEBUG log that were heard twice.
///
/// A client that has several wl_touch of one seat, as Firefox has, is told of each event by each of them, with the same
/// arguments. Which seat an object is of need not stand in a log: an event that another object has had in its last two
/// frames just so, serials and stamps included, is a copy.
struct CopiedTouches {
    /// More are all taken for whole.
    private static let mostObjects = 64
    /// Of a frame: more fingers and samples than come in one.
    private static let mostEvents = 256

    private struct Object {
        var number: UInt32
        /// Hashes of what passed in the frame before the last one that ended, and since.
        var before: [UInt64] = []
        var since: [UInt64] = []
        /// Its last event of a contact was one.
        var isCopying = false
    }

    private var objects: [Object] = []

    /// - Parameter hash: of the message with its arguments.
    mutating func isCopy(_ kind: TouchLine.Kind, of number: UInt32, _ hash: UInt64) -> Bool {
        let index: Int
        if let found = objects.firstIndex(where: { $0.number == number }) {
            index = found
        } else {
            guard objects.count < CopiedTouches.mostObjects else { return false }
            objects.append(Object(number: number))
            index = objects.count - 1
        }
        switch kind {
        case .frame, .cancel:
            // Neither has an argument: it belongs to what came before it.
            objects[index].before = objects[index].since
            objects[index].since = []
        case .down, .motion, .up, .shape, .orientation:
            let isCopy =
                objects.count > 1
                && objects.contains {
                    $0.number != number && ($0.since.contains(hash) || $0.before.contains(hash))
                }
            objects[index].isCopying = isCopy
            if !isCopy, objects[index].since.count < CopiedTouches.mostEvents { objects[index].since.append(hash) }
        case .device, .tool, .pointer, .other: break
        }
        return objects[index].isCopying
    }

    /// The object is gone, or its number is another one's now: whether that ends contacts which count.
    mutating func end(_ number: UInt32) -> Bool {
        guard let index = objects.firstIndex(where: { $0.number == number }) else {
            return objects.count == CopiedTouches.mostObjects
        }
        return !objects.remove(at: index).isCopying
    }
}
