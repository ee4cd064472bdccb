internal import Gestures
internal import Input
internal import WireTables

/// Pens. An app may ask for the tablets of a seat several times, and is told of each pen by each: only the first
/// zwp_tablet_seat_v2 that lives is listened to.
extension SeatWatch {
    /// zwp_tablet_manager_v2.get_tablet_seat
    func beginTabletSeat(_ object: UInt32, of seat: UInt32) {
        guard let seat = seatObjects[seat] else { return }
        endTabletSeat(object, arrival: nil)
        tabletSeatObjects[object] = seat
        seat.tabletSeats.append(object)
        pens.begin(tabletSeat: object)
    }

    /// `arrival` nil when the number was only used anew.
    func endTabletSeat(_ object: UInt32, arrival: Instant?) {
        guard let seat = tabletSeatObjects.removeValue(forKey: object) else { return }
        let wasFirst = seat.tabletSeats.first == object
        seat.tabletSeats.removeAll { $0 == object }
        pens.end(tabletSeat: object)
        if wasFirst, let arrival { endPens(seat, arrival) }
    }

    func addTool(_ tool: UInt32, to tabletSeat: UInt32) { pens.add(tool: tool, to: tabletSeat) }

    func endTool(_ tool: UInt32, arrival: Instant) {
        if let lost = pens.end(tool: tool) { lose(lost, arrival) }
    }

    func removeTablet(_ tablet: UInt32, arrival: Instant) {
        for lost in pens.remove(tablet: tablet) { lose(lost, arrival) }
    }

    /// An event of a zwp_tablet_tool_v2.
    func tool(_ message: WatchedMessage, of object: UInt32, _ arguments: MessageReader, arrival: Instant) {
        let heard = pens.receive(message, of: object, arguments, arrival: arrival, locate: locate)
        guard let (event, tabletSeat) = heard, let seat = penSeat(tabletSeat) else { return }
        onTool?(event, seat)
        for frame in seat.contacts.tool(event) { deliver(frame, seat) }
    }

    func endPens(_ seat: Seat, _ arrival: Instant) {
        for frame in seat.contacts.endPens(arrival: arrival) { deliver(frame, seat) }
    }

    private func lose(_ pen: (tabletSeat: UInt32, number: Int32), _ arrival: Instant) {
        guard let seat = penSeat(pen.tabletSeat) else { return }
        for frame in seat.contacts.loseTool(pen.number, arrival: arrival) { deliver(frame, seat) }
    }

    private func penSeat(_ tabletSeat: UInt32) -> Seat? {
        guard let seat = tabletSeatObjects[tabletSeat], seat.tabletSeats.first == tabletSeat else { return nil }
        return seat
    }
}
