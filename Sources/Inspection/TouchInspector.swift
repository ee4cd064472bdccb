package import Gestures
package import Ripples

/// Watches all touches and tells what is to be known of them: as labels to be seen, and as reports to be logged.
///
/// A pure value: it has no clock and draws nothing. Seats are told apart by their owner's numbers.
package struct TouchInspector: Sendable {
    /// The heading is made anew at most this often, ns: five times a second can still be read.
    package static let refresh: Int64 = .milliseconds(200)
    /// Contacts that have been silent for longer, ns, are not worth waking up for: a lost `up` must not cost power for ever.
    package static let patience: Int64 = .milliseconds(10_000)
    /// While touched, figures are reported at most this often, ns.
    package static let reportInterval: Int64 = .milliseconds(1000)

    private struct Seat: Sendable {
        var id: UInt32
        var name: String
        /// Of a seat that is split by its devices.
        var device: String?
        var statistics = TouchStatistics()
        var stuck = StuckContacts()
        var stamps = StampBase()
        var faults = FaultCounts()
        var reportedFaults = FaultCounts()
    }

    /// Of all seats.
    package private(set) var statistics = TouchStatistics()
    package private(set) var latency = LatencyMeter()
    package var photonSource = PhotonSource.absent {
        didSet { if photonSource != oldValue { isStale = true } }
    }
    /// Whether the heading tells how long a touch took until it was seen: for who can know it.
    package var showsPhotons = true
    /// How many contacts are down.
    package var contactCount: Int { contacts.count }
    /// How the labels look: text height in logical px and colours.
    package var labelStyle = Label(lines: [])

    private var seats: [Seat] = []
    /// Of no seat, or of seats that are gone.
    private var otherFaults = FaultCounts()
    private var reportedHeldBuffers = 0
    private(set) var contacts: [InspectedContact] = []
    /// Set by what is worth a report, until it is reported.
    private var hasNews = false
    private var lastReport: Instant?

    private var heading: [Label] = []
    private var headingInstant: Instant?
    /// Something that the heading says has changed since it was made.
    private var isStale = true { didSet { if isStale { isReported = false } } }
    /// Nothing has changed since the figures were taken as due.
    package private(set) var isReported = false

    package init() {}

    // MARK: What happens

    package mutating func handle(_ frame: ContactFrame, seat id: UInt32, name: String) {
        isStale = true
        hasNews = true
        statistics.handle(frame)
        let index = seatIndex(id, name)
        seats[index].statistics.handle(frame)
        seats[index].stuck.handle(frame)
        seats[index].faults.stuckContacts = seats[index].stuck.count
        for change in frame.changes { follow(change, name, frame.arrival) }
    }

    /// Contacts that were down before anybody watched.
    package mutating func adopt(_ adopted: [Contact], seat id: UInt32, name: String, at now: Instant) {
        guard let first = adopted.first else { return }
        let changes = adopted.map { ContactFrame.Change(phase: .began, contact: $0) }
        handle(ContactFrame(source: first.source, instant: now, changes: changes), seat: id, name: name)
        for index in contacts.indices where adopted.contains(where: { $0.serial == contacts[index].contact.serial }) {
            contacts[index].predate()
        }
    }

    private mutating func follow(_ change: ContactFrame.Change, _ seat: String, _ arrival: Instant) {
        let index = contacts.firstIndex { $0.contact.serial == change.contact.serial }
        switch change.phase {
        case .began:
            if index == nil { contacts.append(InspectedContact(change.contact, seat: seat, arrival: arrival)) }
        case .moved:
            if let index { contacts[index].move(change.contact, arrival: arrival) }
        case .ended, .cancelled:
            if let index { contacts.remove(at: index) }
        }
    }

    package mutating func handle(_ gestures: [Gesture], seat id: UInt32, name: String) {
        guard gestures.contains(where: { $0.inspectorText != nil }) else { return }
        isStale = true
        statistics.handle(gestures)
        seats[seatIndex(id, name)].statistics.handle(gestures)
    }

    /// What the seat's contact rules have counted so far.
    package mutating func setFaults(_ counters: FaultCounters, seat id: UInt32, name: String) {
        let index = seatIndex(id, name)
        guard seats[index].faults.contacts != counters else { return }
        seats[index].faults.contacts = counters
        isStale = true
    }

    /// What comes for the seat comes from this device alone.
    package mutating func setDevice(_ device: String, seat id: UInt32) {
        guard let index = seats.firstIndex(where: { $0.id == id }) else { return }
        seats[index].device = device
    }

    /// The compositor has held every buffer for too long, once more.
    package mutating func noteHeldBuffers() {
        otherFaults.heldBuffers += 1
        isStale = true
    }

    /// The seat is gone, after its contacts have ended; its faults stay counted.
    package mutating func removeSeat(_ id: UInt32) {
        guard let index = seats.firstIndex(where: { $0.id == id }) else { return }
        otherFaults = otherFaults + seats.remove(at: index).faults
    }

    private mutating func seatIndex(_ id: UInt32, _ name: String) -> Int {
        if let index = seats.firstIndex(where: { $0.id == id }) {
            seats[index].name = name
            return index
        }
        seats.append(Seat(id: id, name: name))
        return seats.count - 1
    }

    /// Of all seats, and of the program.
    package var faults: FaultCounts { seats.reduce(otherFaults) { $0 + $1.faults } }

    /// The contacts that are down and look stuck.
    package var stuckSerials: [UInt64] { seats.flatMap { $0.stuck.serials } }

    /// So many contacts were ended by nobody but who plays them, and all is reported.
    package mutating func leaveDown(_ count: Int) {
        statistics.leaveDown(count)
        hasNews = false
        isReported = true
    }

    // MARK: Latency

    /// A touch event has come. `stamp` is the protocol's ms; nil for events without. `surface` is what may show it, by its
    /// owner's number.
    package mutating func touch(
        stamp: UInt32?, arrival: Instant, seat id: UInt32, name: String, on surface: Int = 0
    ) {
        let index = seatIndex(id, name)
        let stamped = stamp.flatMap { seats[index].stamps.note(stamp: $0, arrival: arrival) }
        latency.touch(arrival: arrival, stamped: stamped, on: surface)
    }

    /// Nothing was to be drawn for the touches that came.
    package mutating func nothingChanged(on surface: Int = 0) { latency.nothingChanged(on: surface) }

    /// A picture is committed. Nil when it shows no new touch.
    package mutating func commit(at now: Instant, on surface: Int = 0) -> ShownTouch? {
        let shown = latency.commit(at: now, on: surface)
        if shown != nil { isStale = true }
        return shown
    }

    /// What became of the picture that was committed with `shown`.
    package mutating func answer(_ shown: ShownTouch, _ outcome: PresentationOutcome) {
        switch outcome {
        case .presented(nil): return
        case .presented(let instant?): latency.presented(shown, at: instant)
        case .discarded: latency.discard()
        }
        isStale = true
    }

    // MARK: Reports

    /// The figures, all seats' first and then, when several have been touched, each seat's, if they are due: when the last
    /// contact has ended, and once a second while there are events.
    package mutating func takeDueReports(at now: Instant) -> [StatisticsReport] {
        guard hasNews else { return [] }
        if !contacts.isEmpty, let lastReport, now - lastReport < Self.reportInterval { return [] }
        let isFirst = lastReport == nil
        lastReport = now
        // The first second of touching is not over when it begins.
        if isFirst, !contacts.isEmpty { return [] }
        hasNews = false
        isReported = true
        return reports(at: now)
    }

    package func reports(at now: Instant) -> [StatisticsReport] {
        var list = [
            StatisticsReport(
                seat: nil, statistics: statistics, eventsPerSecond: statistics.eventsPerSecond(at: now), faults: faults,
                latency: .init(
                    sinceArrival: latency.sinceArrival, sinceStamp: latency.sinceStamp, photonSource: photonSource,
                    discarded: latency.discarded))
        ]
        let touched = seats.filter { $0.statistics.contactCount > 0 }
        guard touched.count > 1 else { return list }
        for seat in touched {
            list.append(
                StatisticsReport(
                    seat: seat.name, device: seat.device, statistics: seat.statistics,
                    eventsPerSecond: seat.statistics.eventsPerSecond(at: now), faults: seat.faults, latency: nil))
        }
        return list
    }

    /// The counters that have risen since the last call.
    package mutating func takeRisenFaults() -> [FaultReport] {
        var list: [FaultReport] = []
        for index in seats.indices where seats[index].faults != seats[index].reportedFaults {
            for (fault, count) in seats[index].faults.risen(since: seats[index].reportedFaults) {
                list.append(
                    FaultReport(
                        seat: seats[index].name, device: seats[index].device, fault: fault, count: count))
            }
            seats[index].reportedFaults = seats[index].faults
        }
        if otherFaults.heldBuffers > reportedHeldBuffers {
            reportedHeldBuffers = otherFaults.heldBuffers
            list.append(FaultReport(seat: nil, fault: .heldBuffers, count: reportedHeldBuffers))
        }
        return list
    }

    // MARK: What is seen

    /// When ``labels(at:)`` should be asked again though nothing happens; nil when nothing depends on time: then nothing
    /// need wake up for it.
    package var nextDeadline: Instant? {
        guard let headingInstant else { return nil }
        if isStale { return headingInstant + Self.refresh }
        let isTouched = contacts.contains { headingInstant - $0.heard < Self.patience }
        return isTouched ? headingInstant + Self.refresh : nil
    }

    /// The heading, from left to right, then a label for each contact.
    package mutating func labels(at now: Instant) -> [Label] {
        if headingInstant == nil || now >= headingInstant! + Self.refresh,
            isStale || !contacts.isEmpty || heading.isEmpty
        {
            heading = makeHeading(at: now)
            headingInstant = now
            isStale = false
        }
        let stuck = stuckSerials
        return heading
            + contacts.map { contact in
                label(for: contact, at: now, isStuck: stuck.contains(contact.contact.serial))
            }
    }
}
