internal import Gestures
internal import Inspection
internal import WireProxy

/// The log of an app that is run: what its connections are told of touches, and, when it is asked when they were seen, the
/// figures of all of them together.
final class AppLog {
    private let log: EventLog
    private let inspection: SessionInspection?
    private let clock: () -> Instant

    /// - Parameter clock: the monotonic time now.
    init(_ log: EventLog, logsPresented: Bool, clock: @escaping () -> Instant) {
        self.log = log
        self.clock = clock
        inspection =
            logsPresented
            ? SessionInspection(nil, log: log, logsPresented: true, surfaces: .ofTargets, clock: clock) : nil
    }

    /// Logs what the connection tells from now on. Its reports keep this.
    func listen(to connection: AppConnection) {
        let log = log
        connection.asksPresentation = inspection != nil
        connection.reports.onTool = { event, seat in log.tool(event, seat: seat.name) }
        guard let inspection else {
            connection.reports.onRaw = { event, seat in log.raw(event, seat: seat.name) }
            connection.reports.onFrame = { frame, seat in log.pointer(frame, seat: seat.name) }
            connection.reports.onGestures = { gestures, seat in
                for gesture in gestures { log.gesture(gesture, seat: seat.name) }
            }
            return
        }
        let number = connection.number
        connection.reports.onRaw = { event, seat in
            log.raw(event, seat: seat.name)
            inspection.raw(event, seat)
        }
        connection.reports.onFrame = { frame, seat in
            log.pointer(frame, seat: seat.name)
            inspection.handle(frame, seat)
        }
        connection.reports.onGestures = { gestures, seat in
            for gesture in gestures { log.gesture(gesture, seat: seat.name) }
            inspection.handle(gestures, seat)
        }
        connection.reports.onSeatEnded = { inspection.removeSeat($0) }
        connection.reports.onCommit = { inspection.willCommit($0, number, $1) }
        connection.reports.onUpToDate = { inspection.pictureIsUpToDate(of: $0, number) }
        for seat in connection.seats { inspection.adopt(seat, at: clock()) }
    }

    /// After a turn's events.
    func endTurn(_ connections: @autoclosure () -> [AppConnection]) {
        guard let inspection else { return }
        // As in ReplayStreams.
        var seats: [any ContactSource] = []
        for connection in connections() { for seat in connection.seats { seats.append(seat) } }
        inspection.endTurn(seats, at: clock())
    }

    /// The figures' last word.
    func end() {
        inspection?.logAll(at: clock())
        inspection?.end()
    }
}

extension SeatWatch.Seat: ContactSource {}
