/// When `fingerwave run` ends: with its app, but what the app has started and left behind may go on while it is connected.
struct AppEnding: Equatable {
    /// What is left behind connects within 5 s of the app's end, or is a service that nothing is waited for.
    static let grace: Int64 = 5_000_000_000
    /// A compositor takes a gone app's last requests within 3 s; what is connected still when we were told to end has as
    /// long to end by itself.
    static let patience: Int64 = 3_000_000_000

    enum Decision: Equatable {
        /// Decide again when something has changed, and at that time (the monotonic clock's ns).
        case goOn(until: Int64?)
        case end
    }

    /// What is there of the app besides itself.
    struct Remains: Equatable {
        /// Processes that it has started and that live.
        var hasProcesses: Bool
        var connections: Int
        /// Those whose other end is closed; the compositor has not taken all that they asked for.
        var closedConnections: Int
    }

    /// The app was told to end, by a signal or `fingerwave ctl`.
    var isToldToEnd = false
    private var endOfApp: Int64?
    private var lastAlive: Int64?

    /// The app has ended.
    mutating func appEnded(at now: Int64) { endOfApp = now }

    mutating func decide(_ remains: Remains, now: Int64) -> Decision {
        guard let endOfApp else { return .goOn(until: nil) }
        if remains.connections == 0 {
            let end = endOfApp + AppEnding.grace
            return isToldToEnd || !remains.hasProcesses || now >= end ? .end : .goOn(until: end)
        }
        if remains.closedConnections < remains.connections {
            lastAlive = now
            if !isToldToEnd { return .goOn(until: nil) }
        }
        let end = (isToldToEnd ? endOfApp : max(endOfApp, lastAlive ?? 0)) + AppEnding.patience
        return now >= end ? .end : .goOn(until: end)
    }
}
