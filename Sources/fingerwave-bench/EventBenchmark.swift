/// Reading and delivering events, against a client in C in this process.
enum EventBenchmark {
    static let title = "Events: reading and delivering one, from socket to handler"

    /// In one batch: what fits into a socket's buffer.
    private static let batch = 2000

    static func run(_ options: CommandLineOptions) throws(BenchError) -> [Figure] {
        let clients: [any BenchClient] = [
            try CClient(name: "C listener", usesListeners: true),
            try CClient(name: "C dispatcher", usesListeners: false),
            try SwiftClient(),
        ]
        var figures: [Figure] = []
        for kind in EventKind.allCases {
            let contest = Contest(clients, rounds: options.isQuick ? 5 : 301)
            figures += try contest.run("events", kind.rawValue, reference: "C listener") {
                client throws(BenchError) in
                let ids = client.ids
                try client.socket.send(
                    kind.message(count: batch, touch: ids.touch, pointer: ids.pointer, surface: ids.surface))
                let before = client.received.count
                return Contest.Turn(count: batch) {
                    client.dispatch() && client.received.count == before + UInt64(batch)
                }
            }
        }
        let sums = clients.map(\.received.sum)
        guard sums.allSatisfy({ $0 == sums[0] }) else { throw BenchError("the clients did not see the same events") }
        return figures
    }
}

/// Sending requests, against a client in C in this process.
enum RequestBenchmark {
    static let title = "Requests: sending one, from call to socket"

    private static let batch: Int32 = 2000

    static func run(_ options: CommandLineOptions) throws(BenchError) -> [Figure] {
        let clients: [any BenchClient] = [
            try CClient(name: "C marshal_flags", usesListeners: true), try SwiftClient(),
        ]
        let kinds: [(name: String, send: (any BenchClient) -> Void, bytes: Int)] = [
            ("wl_surface.damage_buffer", { $0.damageBuffer(count: batch) }, 24),
            ("wl_surface.attach", { $0.attachNothing(count: batch) }, 20),
        ]
        var figures: [Figure] = []
        for kind in kinds {
            let contest = Contest(clients, rounds: options.isQuick ? 5 : 301)
            figures += try contest.run("requests", kind.name, reference: "C marshal_flags") { client in
                Contest.Turn(count: Int(batch)) {
                    kind.send(client)
                    client.flush()
                    return true
                } check: {
                    client.socket.drain() == Int(batch) * kind.bytes
                }
            }
        }
        return figures
    }
}
