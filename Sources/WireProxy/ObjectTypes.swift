internal import WireTables

/// Which interface the objects of a connection have, by the app's ids.
///
/// An id keeps its last interface after its object's end until it is used anew: events for it may still be under way, and
/// a request for it is the compositor's to refuse.
struct ObjectTypes {
    /// Ids from here on are the server's.
    static let firstServerID: UInt32 = 0xff00_0000
    /// As many objects as libwayland lets a client have.
    private static let limit = 1 << 24

    private static let none = UInt16.max
    private var client: [UInt16]
    private var server: [UInt16] = []

    init(display: InterfaceID) { client = [ObjectTypes.none, display.rawValue] }

    /// Nil for an id that was never used.
    subscript(id: UInt32) -> InterfaceID? {
        var number = ObjectTypes.none
        if id < ObjectTypes.firstServerID {
            if id < client.count { number = client[Int(id)] }
        } else {
            let index = Int(id - ObjectTypes.firstServerID)
            if index < server.count { number = server[index] }
        }
        return number == ObjectTypes.none ? nil : InterfaceID(rawValue: number)
    }

    /// False for the ids that are neither the server's nor can ever be a client's.
    static func mayExist(_ id: UInt32) -> Bool { id < limit || id >= firstServerID }

    /// False when the id leaves a gap or is one of the other side's, which neither side of Wayland may do.
    mutating func begin(_ id: UInt32, _ interface: InterfaceID, byServer: Bool) -> Bool {
        guard (id >= ObjectTypes.firstServerID) == byServer else { return false }
        if !byServer { return ObjectTypes.set(&client, Int(id), interface) }
        return ObjectTypes.set(&server, Int(id - ObjectTypes.firstServerID), interface)
    }

    private static func set(_ row: inout [UInt16], _ index: Int, _ interface: InterfaceID) -> Bool {
        if index < row.count {
            row[index] = interface.rawValue
        } else if index == row.count, index < limit {
            row.append(interface.rawValue)
        } else {
            return false
        }
        return true
    }
}
