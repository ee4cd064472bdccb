internal import CBench
internal import Glibc
internal import WaylandClient
internal import WaylandProtocols

/// A client that measures what lies between it and its compositor, and prints a line for each figure. RunBenchmark starts
/// it, direct and through others.
enum WireClient {
    /// What it measures, in the order of its lines.
    enum Measure: String, CaseIterable {
        /// The median time from a wl_display.sync to its answer, microseconds, with a pause before each.
        case spaced = "round trip, one in 200 us"
        /// The same without a pause.
        case backToBack = "round trip, back to back"
        /// Microseconds for a request of many.
        case bulk = "request in bulk"
        /// Microseconds for an object that is made, used, destroyed and given back.
        case object = "object made and destroyed"
    }

    /// The word before each figure.
    static let mark = "figure"
    /// What is printed at the end, when the client is still connected and waits.
    static let end = "measured"

    static func run(isQuick: Bool) throws(BenchError) {
        do throws(ConnectionError) {
            try measure(isQuick: isQuick)
        } catch {
            throw BenchError("the client lost its compositor: \(error)")
        }
    }

    private static func measure(isQuick: Bool) throws(ConnectionError) {
        let connection = try Connection.connect()
        let globals = Globals(connection)
        try connection.wait { globals.isComplete }
        guard let compositor = globals.bindIfOffered(WlCompositor.self, versions: 4...6) else {
            return Progress.error("the compositor has no wl_compositor")
        }
        let part = isQuick ? 10 : 1
        try print(.spaced, roundTrips(connection, count: 1500 / part, pause: 200))
        try print(.backToBack, roundTrips(connection, count: 6000 / part, pause: nil))
        try print(.bulk, requests(connection, compositor.createSurface(), count: 200_000 / part))
        try print(.object, objects(connection, compositor, count: 20_000 / part))
        Swift.print(end)
        _ = fflush(nil)
        // Its memory, and that of what it goes through, is looked at now.
        try connection.wait(milliseconds: 2000) { false }
    }

    private static func print(_ measure: Measure, _ value: Double) {
        Swift.print(mark, value, measure.rawValue)
    }

    private static func roundTrip(_ connection: Connection) throws(ConnectionError) {
        let callback = connection.display.sync()
        var isAnswered = false
        callback.onEvent = { _ in isAnswered = true }
        try connection.wait { isAnswered }
    }

    private static func roundTrips(
        _ connection: Connection, count: Int, pause: Int?
    ) throws(ConnectionError) -> Double {
        var samples = Samples()
        for _ in 0..<count {
            if let pause { _ = usleep(UInt32(pause)) }
            let begin = now
            try roundTrip(connection)
            samples.add(now - begin)
        }
        return samples.median
    }

    private static func requests(
        _ connection: Connection, _ surface: WlSurface, count: Int
    ) throws(ConnectionError) -> Double {
        let begin = now
        // Between answers no more than what any socket holds.
        for number in 1...count {
            surface.damage(x: 0, y: 0, width: 10, height: 10)
            if number % 500 == 0 { try roundTrip(connection) }
        }
        try roundTrip(connection)
        return (now - begin) / Double(count)
    }

    private static func objects(
        _ connection: Connection, _ compositor: WlCompositor, count: Int
    ) throws(ConnectionError) -> Double {
        let begin = now
        for number in 1...count {
            let region = compositor.createRegion()
            region.add(x: 0, y: 0, width: 1, height: 1)
            region.destroy()
            if number % 200 == 0 { try roundTrip(connection) }
        }
        try roundTrip(connection)
        return (now - begin) / Double(count)
    }

    /// Microseconds of the monotonic clock.
    private static var now: Double {
        var time = timespec()
        unsafe _ = clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
    }
}
