package import Gestures
internal import Input

/// The touches, clicks and pens that an app gets on one connection, seat by seat.
///
/// An app may bind a seat twice and may have several wl_touch of it, and gets each event on each: only one is listened to, the
/// one that speaks first when nothing is down. One of before the touchscreen went and came again never speaks any more, but an
/// app need not, and before version 3 cannot, release it.
package final class SeatWatch {
    /// One global of a seat, however often the app has bound it.
    package final class Seat {
        let global: UInt32
        package let connection: Int
        /// No other seat of the program's connections has it.
        package let number: UInt32
        /// With what tells it from the same seat of another connection.
        package var name: String { ownName + suffix }
        fileprivate var ownName: String
        fileprivate var suffix: String
        var contacts: SeatContacts
        /// The app's live objects, the one that is listened to first.
        fileprivate var touches: [UInt32] = []
        var pointers: [UInt32] = []
        /// Whose pens are listened to.
        var penFamily: PenWatch.Family?
        fileprivate var downs: [Down] = []
        /// When touches that the compositor was asked to take over count as taken over, if nothing is heard of them.
        fileprivate var handOver: Instant?

        package var touchFaults: FaultCounters { contacts.touchFaults }
        package var liveContacts: [Contact] { contacts.liveContacts }
        /// See ``ContactTracker/noteEnd()``.
        package func noteEnd() { contacts.noteEnd() }

        fileprivate init(global: UInt32, index: Int, connection: Int, suffix: String) {
            self.global = global
            self.connection = connection
            // No compositor has 16 seats.
            let number = connection << 4 + index
            self.number = UInt32(truncatingIfNeeded: number)
            ownName = "seat\(index)"
            self.suffix = suffix
            contacts = SeatContacts(
                touchSource: SourceID(rawValue: 3 * number), pointerSource: SourceID(rawValue: 3 * number + 1),
                penSource: SourceID(rawValue: 3 * number + 2),
                // Each event is taken alone: compositors before wl_pointer 5 send no frame.
                pointerHasFrames: false)
        }
    }

    /// A touch that is down.
    fileprivate struct Down {
        let id: Int32
        /// By which an app names it.
        let serial: UInt32
        var spot: Spot
        /// Nothing more is expected of it: the compositor has taken it over, or whoever was told of it is gone. It is a contact
        /// again when it is heard of.
        var isTaken = false

        /// It is a contact.
        var isLive: Bool { !isTaken && spot.root != nil }
    }

    private(set) var seats: [Seat] = []
    /// Stands behind the names of all.
    var suffix = "" { didSet { for seat in seats { seat.suffix = suffix } } }
    private(set) var seatObjects: [UInt32: Seat] = [:]
    private var touchObjects: [UInt32: Seat] = [:]
    /// What is down, by whom was told of it, whether it is listened to or not.
    private var told: [(object: UInt32, id: Int32)] = []
    var pointerObjects: [UInt32: Seat] = [:]
    var pens = PenWatch()
    /// Whose the pens are.
    var penSeats: [PenWatch.Family: Seat] = [:]
    /// Whether clicks stand in for touches.
    let takesPointer: Bool
    /// The program's number for the app's connection.
    private let connection: Int

    /// Where a surface lies in its window; nil for one that is in no window.
    let locate: (UInt32) -> (root: UInt32, offset: Point)?
    var pointerSpots: [UInt32: Spot] = [:]

    var onRaw: ((RawTouchEvent, Seat) -> Void)?
    var onTool: ((RawToolEvent, Seat) -> Void)?
    var onFrame: ((ContactFrame, Seat) -> Void)?
    /// A touch came down on a surface that is in no window that is known.
    var onStray: ((_ surface: UInt32) -> Void)?

    init(takesPointer: Bool, connection: Int, locate: @escaping (UInt32) -> (root: UInt32, offset: Point)?) {
        self.takesPointer = takesPointer
        self.connection = connection
        self.locate = locate
    }

    /// How many are down now.
    var contactCount: Int { seats.reduce(0) { $0 + $1.contacts.contactCount } }

    // MARK: Objects

    func beginSeat(_ object: UInt32, global: UInt32) {
        let seat: Seat
        if let known = seats.first(where: { $0.global == global }) {
            seat = known
        } else {
            seat = Seat(global: global, index: seats.count, connection: connection, suffix: suffix)
            seats.append(seat)
        }
        seatObjects[object] = seat
    }

    func name(_ object: UInt32, _ name: String) {
        if !name.isEmpty { seatObjects[object]?.ownName = name }
    }

    func beginTouch(_ object: UInt32, of seat: UInt32) {
        guard let seat = seatObjects[seat] else { return }
        endTouch(object, arrival: nil)
        touchObjects[object] = seat
        seat.touches.append(object)
    }

    /// `arrival` nil when the number was only used anew.
    func endTouch(_ object: UInt32, arrival: Instant?) {
        guard let seat = touchObjects.removeValue(forKey: object) else { return }
        let wasFirst = seat.touches.first == object
        seat.touches.removeAll { $0 == object }
        told.removeAll { $0.object == object }
        guard wasFirst else { return }
        if seat.touches.isEmpty {
            (seat.downs, seat.handOver) = ([], nil)
            if let arrival { deliver(seat.contacts.endTouch(arrival: arrival), seat) }
        } else {
            passOn(seat, arrival)
        }
    }

    /// The wl_touch that was listened to is gone. Another one goes on about the fingers that it was told of, and may do so about
    /// others.
    private func passOn(_ seat: Seat, _ arrival: Instant?) {
        if let speaker = seat.touches.firstIndex(where: { object in told.contains { $0.object == object } }) {
            seat.touches.swapAt(0, speaker)
        }
        var ids: [Int32] = []
        for index in seat.downs.indices where seat.downs[index].isLive {
            let id = seat.downs[index].id
            if told.contains(where: { $0.object == seat.touches[0] && $0.id == id }) { continue }
            ids.append(id)
            seat.downs[index].isTaken = true
        }
        if let arrival, !ids.isEmpty { deliver(seat.contacts.endTouches(ids: ids, arrival: arrival), seat) }
    }

    /// When the touch capability goes neither up nor cancel comes for what is down.
    func capabilities(_ object: UInt32, hasTouch: Bool, hasPointer: Bool, arrival: Instant) {
        guard let seat = seatObjects[object] else { return }
        if !hasTouch {
            (seat.downs, seat.handOver) = ([], nil)
            told.removeAll { told in seat.touches.contains(told.object) }
            deliver(seat.contacts.endTouch(arrival: arrival), seat)
        }
        if !hasPointer { deliver(seat.contacts.endPointer(arrival: arrival), seat) }
    }

    /// The compositor has taken a global away. Nothing more is heard of a seat that it was, whatever objects of it the app
    /// keeps; another may have its number.
    func endSeat(global: UInt32, arrival: Instant) {
        guard let seat = seats.first(where: { $0.global == global }) else { return }
        endContacts(of: seat, arrival)
        for object in seat.touches { touchObjects[object] = nil }
        told.removeAll { told in seat.touches.contains(told.object) }
        for object in seat.pointers { pointerObjects[object] = nil }
        (seat.touches, seat.pointers) = ([], [])
        forgetPens(of: seat)
    }

    /// The connection ends, and with it whatever is down.
    func end(arrival: Instant) {
        for seat in seats {
            seat.noteEnd()
            endContacts(of: seat, arrival)
        }
    }

    private func endContacts(of seat: Seat, _ arrival: Instant) {
        (seat.downs, seat.handOver) = ([], nil)
        deliver(seat.contacts.endTouch(arrival: arrival), seat)
        deliver(seat.contacts.endPointer(arrival: arrival), seat)
        endPens(seat, arrival)
    }

    /// A surface is not shown any more: nor is what was on it. Weston, mutter and KWin send no up for the touches.
    func endLostContacts(arrival: Instant) {
        for lost in pens.endLost(locate) { lose(lost, arrival) }
        endLostPointers(arrival)
        for seat in seats {
            var ids: [Int32] = []
            for index in seat.downs.indices where seat.downs[index].spot.isLost(locate) {
                ids.append(seat.downs[index].id)
                seat.downs[index].spot.root = nil
            }
            if !ids.isEmpty { deliver(seat.contacts.endTouches(ids: ids, arrival: arrival), seat) }
        }
    }

    /// How long a touch may say nothing after the app has asked the compositor to move the window by it, or to drag something.
    /// A finger that moves a window reports each 5 to 20 ms, so silence means that the compositor keeps its reports to itself;
    /// one that refuses goes on.
    static let handOverPatience: Int64 = .milliseconds(300)

    /// When ``endTurn(arrival:)`` has something to do though nothing came.
    var nextDeadline: Instant? {
        var next = pens.nextDeadline
        for seat in seats { if let due = seat.handOver { next = min(next ?? due, due) } }
        return next
    }

    /// The app asks the compositor to move or resize its window, or to drag something, by the touch or pen that came with
    /// `serial`.
    /// Weston says nothing more of that touch, nor of others on the seat; mutter cancels those that move a window, and
    /// compositors that refuse go on.
    func handOver(serial: UInt32, arrival: Instant) {
        let due = arrival + SeatWatch.handOverPatience
        let seat = seats.first { seat in seat.downs.contains { $0.serial == serial } }
        if let seat { seat.handOver = due } else { pens.handOver(serial: serial, due: due) }
    }

    func endTurn(arrival: Instant) {
        for taken in pens.takeOver(arrival) { lose(taken, arrival) }
        for seat in seats {
            if let due = seat.handOver, due <= arrival {
                seat.handOver = nil
                for index in seat.downs.indices { seat.downs[index].isTaken = true }
                deliver(seat.contacts.abandonTouches(arrival: arrival), seat)
            }
            for frame in seat.contacts.endTurn(arrival: arrival) { deliver(frame, seat) }
        }
    }

    func deliver(_ frame: ContactFrame?, _ seat: Seat) {
        if let frame { onFrame?(frame, seat) }
    }

    // MARK: Touches

    /// As ``listenerOfTouch(_:)``, of what comes down.
    private func listenerOfDown(_ object: UInt32) -> Seat? {
        if let seat = touchObjects[object], seat.touches.first != object, !seat.downs.contains(where: { $0.isLive }) {
            seat.touches.removeAll { $0 == object }
            seat.touches.insert(object, at: 0)
        }
        return listenerOfTouch(object)
    }

    private func listener(_ object: UInt32) -> Seat? {
        guard let seat = touchObjects[object], seat.touches.first == object else { return nil }
        return seat
    }

    /// The same when a touch is heard of, which the compositor has not taken over then. A frame alone tells of none: KWin sends
    /// them on.
    private func listenerOfTouch(_ object: UInt32) -> Seat? {
        let seat = listener(object)
        seat?.handOver = nil
        return seat
    }

    private func forget(_ id: Int32, of object: UInt32) { told.removeAll { $0 == (object, id) } }

    private func note(_ kind: RawTouchEvent.Kind, _ seat: Seat, _ arrival: Instant) {
        onRaw?(RawTouchEvent(kind: kind, arrival: arrival), seat)
    }

    func down(_ object: UInt32, _ arguments: MessageReader, arrival: Instant) {
        var arguments = arguments
        let serial = arguments.uint()
        let time = arguments.uint()
        let surface = arguments.uint()
        let id = arguments.int()
        forget(id, of: object)
        if touchObjects[object] != nil { told.append((object, id)) }
        guard let seat = listenerOfDown(object) else { return }
        let spot = Spot(surface, locate)
        if spot.root == nil { onStray?(surface) }
        seat.downs.removeAll { $0.id == id }
        seat.downs.append(Down(id: id, serial: serial, spot: spot))
        let position = Point(x: arguments.fixed(), y: arguments.fixed()) + spot.offset
        let target = spot.target
        note(.down(id: id, time: time, position: position, target: target), seat, arrival)
        let frames = seat.contacts.touchDown(id: id, time: time, at: position, target: target, arrival: arrival)
        for frame in frames { deliver(frame, seat) }
    }

    func motion(_ object: UInt32, _ arguments: MessageReader, arrival: Instant) {
        guard let seat = listenerOfTouch(object) else { return }
        var arguments = arguments
        let time = arguments.uint()
        let id = arguments.int()
        var position = Point(x: arguments.fixed(), y: arguments.fixed())
        var returned: Spot?
        if let index = seat.downs.firstIndex(where: { $0.id == id }) {
            position = position + seat.downs[index].spot.follow(locate)
            if seat.downs[index].isTaken { returned = seat.downs[index].spot }
            seat.downs[index].isTaken = false
        }
        note(.motion(id: id, time: time, position: position), seat, arrival)
        guard let returned else {
            return seat.contacts.touchMotion(id: id, time: time, to: position, arrival: arrival)
        }
        // It was not taken over after all, and is a contact again from here on.
        let frames = seat.contacts.touchDown(
            id: id, time: time, at: position, target: returned.target, arrival: arrival)
        for frame in frames { deliver(frame, seat) }
    }

    func up(_ object: UInt32, _ arguments: MessageReader, arrival: Instant) {
        var arguments = arguments
        _ = arguments.uint()
        let time = arguments.uint()
        let id = arguments.int()
        forget(id, of: object)
        guard let seat = listenerOfTouch(object) else { return }
        seat.downs.removeAll { $0.id == id }
        note(.up(id: id, time: time), seat, arrival)
        seat.contacts.touchUp(id: id, time: time, arrival: arrival)
    }

    func shape(_ object: UInt32, _ arguments: MessageReader, arrival: Instant) {
        guard let seat = listenerOfTouch(object) else { return }
        var arguments = arguments
        let id = arguments.int()
        let (major, minor) = (arguments.fixed(), arguments.fixed())
        note(.shape(id: id, major: major, minor: minor), seat, arrival)
        seat.contacts.touchShape(id: id, major: major, minor: minor)
    }

    func orientation(_ object: UInt32, _ arguments: MessageReader, arrival: Instant) {
        guard let seat = listenerOfTouch(object) else { return }
        var arguments = arguments
        let id = arguments.int()
        let degrees = arguments.fixed()
        note(.orientation(id: id, degrees: degrees), seat, arrival)
        seat.contacts.touchOrientation(id: id, degrees: degrees)
    }

    func frame(_ object: UInt32, arrival: Instant) {
        guard let seat = listener(object) else { return }
        note(.frame, seat, arrival)
        deliver(seat.contacts.touchFrame(arrival: arrival), seat)
    }

    func cancel(_ object: UInt32, arrival: Instant) {
        told.removeAll { $0.object == object }
        guard let seat = listenerOfTouch(object) else { return }
        seat.downs.removeAll()
        note(.cancel, seat, arrival)
        deliver(seat.contacts.touchCancel(arrival: arrival), seat)
    }
}
