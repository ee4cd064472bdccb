internal import Gestures
internal import Inspection
internal import WireProxy

/// The log of an app that is run: what its connections are told of touches, and the figures of all of them together.
final class AppLog {
    private let log: EventLog
    private let inspection: SessionInspection
    private let logsPresented: Bool
    private let clock: () -> Instant
    /// The numbers of the connections that were touched and live, each in the place by which its seats are named.
    private var places: [Int?] = []
    /// The window that was said last.
    private var touched: TouchedWindow?

    private struct TouchedWindow: Equatable {
        var connection: Int
        var target: Int
        var size: Size
        var scale: Double
    }

    /// - Parameter clock: the monotonic time now.
    init(_ log: EventLog, logsPresented: Bool, clock: @escaping () -> Instant) {
        self.log = log
        self.clock = clock
        self.logsPresented = logsPresented
        inspection = SessionInspection(
            nil, log: log, logsPresented: logsPresented, surfaces: .ofTargets, clock: clock)
        if !logsPresented { inspection.askNothing() }
    }

    /// Logs what the connection tells from now on, by `reports`, which are to become its own and keep this.
    func listen(to connection: AppConnection, _ reports: inout AppConnection.Reports) {
        let log = log
        let inspection = inspection
        connection.asksPresentation = logsPresented
        let number = connection.number
        // SAFETY: the reports are the connection's own.
        let note = { [self, unowned(unsafe) connection] in unsafe self.note(connection) }
        reports.onTool = { event, seat in
            note()
            log.tool(event, seat: seat.name)
        }
        reports.onTouchedWindow = { [self] target, size, scale in
            let window = TouchedWindow(connection: number, target: target, size: size, scale: scale)
            if window == touched { return }
            touched = window
            log.touchedWindow(size, scale: scale)
        }
        reports.onRaw = { event, seat in
            note()
            log.raw(event, seat: seat.name)
            inspection.raw(event, seat)
        }
        reports.onFrame = { frame, seat in
            note()
            log.pointer(frame, seat: seat.name)
            inspection.handle(frame, seat)
        }
        reports.onGestures = { gestures, seat in
            for gesture in gestures { log.gesture(gesture, seat: seat.name) }
            inspection.handle(gestures, seat)
        }
        reports.onSeatEnded = { [self] seat in
            inspection.removeSeat(seat)
            for index in places.indices where places[index] == number { places[index] = nil }
        }
        reports.onCommit = { inspection.willCommit($0, number, $1) }
        reports.onUpToDate = { inspection.pictureIsUpToDate(of: $0, number) }
        for seat in connection.seats { inspection.adopt(seat, at: clock()) }
    }

    /// Of several connections that are touched the seats of all but one get another name: each has a seat of its own, and
    /// contacts that are no others' fingers.
    private func note(_ connection: AppConnection) {
        let number = connection.number
        if places.contains(number) { return }
        let place = places.firstIndex { $0 == nil } ?? places.count
        if place == places.count { places.append(nil) }
        places[place] = number
        connection.nameSeats(withSuffix: place == 0 ? "" : "/\(place + 1)")
    }

    /// After a turn's events.
    func endTurn(_ connections: @autoclosure () -> [AppConnection]) {
        // As in ReplayStreams.
        var seats: [any ContactSource] = []
        for connection in connections() { for seat in connection.seats { seats.append(seat) } }
        inspection.endTurn(seats, at: clock())
    }

    /// The figures' last word.
    func end() {
        inspection.logLast([], at: clock())
        inspection.end()
    }
}

extension SeatWatch.Seat: ContactSource {}
