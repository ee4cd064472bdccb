/// Protocol A: each frame tells of all fingers anew, a packet for each, most panels without ids. Who is who follows
/// from where they were.
extension EvdevDecoder {
    /// Of a frame: who is who takes their number to the third.
    static let mostPackets = 64

    mutating func endPacket(_ line: Int, _ items: inout [RecordingItem]) {
        hasPacketEnd = true
        defer { packet = Packet() }
        // One without a place says that no finger is there.
        guard packet.place.x != nil, packet.place.y != nil else { return }
        guard packets.count < EvdevDecoder.mostPackets else {
            sayOnce(.tooMany("contacts", most: EvdevDecoder.mostPackets), line, &items)
            return
        }
        packets.append(packet)
    }

    /// Gives the frame's packets their slots, and lifts who has none.
    mutating func settlePackets(_ line: Int, _ items: inout [RecordingItem]) {
        guard hasPacketEnd else { return }
        hasPacketEnd = false
        let found = packets
        packets = []
        var places = [Int?](repeating: nil, count: found.count)
        var isTaken = [Bool](repeating: false, count: max(slots.count, 1))
        matchIDs(found, &places, &isTaken)
        matchNeighbours(found, &places, &isTaken)
        for slot in slots.indices where slots[slot].isDown && !isTaken[slot] {
            change(slot)
            lift(slot)
        }
        for index in found.indices {
            let slot = places[index] ?? freeSlot(&isTaken)
            let isNew = places[index] == nil
            change(slot)
            slots[slot].hasMoved = isNew || slots[slot].place != found[index].place
            slots[slot].place = found[index].place
            slots[slot].trackingID = found[index].trackingID ?? -1
            slots[slot].isDown = true
        }
    }

    private func matchIDs(_ found: [Packet], _ places: inout [Int?], _ isTaken: inout [Bool]) {
        for index in found.indices {
            guard let id = found[index].trackingID, id >= 0 else { continue }
            let slot = slots.indices.first { slots[$0].isDown && slots[$0].trackingID == id && !isTaken[$0] }
            guard let slot else { continue }
            places[index] = slot
            isTaken[slot] = true
        }
    }

    /// The nearest pair first, then the nearest of those that are left. A packet whose id is new is a new finger.
    private func matchNeighbours(_ found: [Packet], _ places: inout [Int?], _ isTaken: inout [Bool]) {
        while true {
            var best: (packet: Int, slot: Int, distance: Double)?
            for index in found.indices where places[index] == nil && (found[index].trackingID ?? -1) < 0 {
                for slot in slots.indices where slots[slot].isDown && !isTaken[slot] {
                    let distance = distance(found[index], slots[slot])
                    if distance < best?.distance ?? .infinity { best = (index, slot, distance) }
                }
            }
            guard let best else { return }
            places[best.packet] = best.slot
            isTaken[best.slot] = true
        }
    }

    private func distance(_ packet: Packet, _ slot: Slot) -> Double {
        let dx = Double(packet.place.x ?? 0) - Double(slot.place.x ?? 0)
        let dy = Double(packet.place.y ?? 0) - Double(slot.place.y ?? 0)
        return dx * dx + dy * dy
    }

    /// The first that no finger has, nor had in the frame before: its end is still to be told.
    private func freeSlot(_ isTaken: inout [Bool]) -> Int {
        let slot =
            isTaken.indices.first { !isTaken[$0] && !($0 < slots.count && slots[$0].isReported) }
            ?? isTaken.count
        if slot == isTaken.count { isTaken.append(true) } else { isTaken[slot] = true }
        return slot
    }
}
