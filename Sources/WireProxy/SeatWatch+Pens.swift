internal import Gestures
internal import Input
internal import WireTables

/// Pens. An app may ask for the tablets of a seat several times, and is told of each pen each time: only the pens of one
/// zwp_tablet_seat_v2 are listened to, those that speak first when none is near.
extension SeatWatch {
    /// zwp_tablet_manager_v2.get_tablet_seat
    func beginTabletSeat(_ object: UInt32, of seat: UInt32) {
        guard let seat = seatObjects[seat] else { return }
        endTabletSeat(object)
        penSeats[pens.begin(tabletSeat: object)] = seat
    }

    /// The app lets go of it, and goes on to hear of the tools that came by it.
    func endTabletSeat(_ object: UInt32) { forget(pens.end(tabletSeat: object)) }

    func addTool(_ tool: UInt32, to tabletSeat: UInt32) { pens.add(tool: tool, to: tabletSeat) }

    func endTool(_ tool: UInt32, arrival: Instant) {
        guard let lost = pens.end(tool: tool) else { return }
        lose(lost, arrival)
        forget(lost.family)
    }

    func removeTablet(_ tablet: UInt32, arrival: Instant) {
        for lost in pens.remove(tablet: tablet) { lose(lost, arrival) }
    }

    /// An event of a zwp_tablet_tool_v2.
    func tool(_ message: WatchedMessage, of object: UInt32, _ arguments: MessageReader, arrival: Instant) {
        let heard = pens.receive(message, of: object, arguments, arrival: arrival, locate: locate)
        guard let heard, let seat = listener(heard) else { return }
        onTool?(heard.event, seat)
        // One that comes back is where it is first, and down then.
        if let target = heard.returned { take(heard.event.of(.proximityIn(target: target)), seat) }
        take(heard.event, seat)
        if heard.returned != nil, heard.isDown { take(heard.event.of(.down), seat) }
        if heard.event.kind == .removed { forget(heard.family) }
    }

    func endPens(_ seat: Seat, _ arrival: Instant) {
        for frame in seat.contacts.endPens(arrival: arrival) { deliver(frame, seat) }
    }

    func lose(_ pen: PenWatch.Pen, _ arrival: Instant) {
        guard let seat = penSeats[pen.family], seat.penFamily == pen.family else { return }
        for frame in seat.contacts.loseTool(pen.number, arrival: arrival) { deliver(frame, seat) }
    }

    /// Nothing more is heard of a seat's pens.
    func forgetPens(of seat: Seat) {
        for (family, owner) in penSeats where owner === seat {
            pens.end(family)
            penSeats[family] = nil
        }
        seat.penFamily = nil
    }

    private func take(_ event: RawToolEvent, _ seat: Seat) {
        for frame in seat.contacts.tool(event) { deliver(frame, seat) }
    }

    /// The seat, if the pen is one that is listened to.
    private func listener(_ heard: PenWatch.Heard) -> Seat? {
        guard let seat = penSeats[heard.family] else { return nil }
        if seat.penFamily == heard.family { return seat }
        if let other = seat.penFamily {
            guard case .proximityIn = heard.event.kind, !pens.isAnyNear(other) else { return nil }
        }
        seat.penFamily = heard.family
        return seat
    }

    /// Unless something may still be heard of it.
    private func forget(_ family: PenWatch.Family?) {
        guard let family, pens.isOver(family), let seat = penSeats.removeValue(forKey: family) else { return }
        if seat.penFamily == family { seat.penFamily = nil }
    }
}

extension RawToolEvent {
    /// Something else of the same pen at the same time.
    fileprivate func of(_ kind: Kind) -> RawToolEvent {
        var event = self
        event.kind = kind
        return event
    }
}
