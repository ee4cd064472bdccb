internal import Gestures
internal import WaylandProtocols

extension SeatInput {
    func startTablets(_ manager: ZwpTabletManagerV2, _ seat: WlSeat, _ cursors: Cursors?) -> TabletInput {
        let tablets = TabletInput(manager.getTabletSeat(seat: seat), surfaces: surfaces, cursors: cursors) { self.now }
        // The cycle is broken by `remove`, or by the end of the connection.
        tablets.onEvent = { event in
            self.onTool?(event)
            self.emit(self.contacts.tool(event))
        }
        tablets.onLost = { tool in self.emit(self.contacts.loseTool(tool, arrival: self.now)) }
        return tablets
    }
}
