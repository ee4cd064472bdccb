/// Has clients do the same thing in turns, so that what disturbs the machine disturbs all alike.
struct Contest {
    /// What one client does in one round.
    struct Turn {
        /// How many events or requests.
        var count: Int
        /// Measured. False when it did not do what it should.
        var body: () -> Bool
        /// Not measured. As `body`.
        var check: () -> Bool = { true }
    }

    private let clients: [any BenchClient]
    private let rounds: Int

    init(_ clients: [any BenchClient], rounds: Int) {
        self.clients = clients
        self.rounds = rounds
    }

    /// Figures for each client: nanoseconds and allocations for each of the turn's `count`. `prepare` is not measured.
    func run(
        _ benchmark: String, _ subject: String, reference: String,
        _ prepare: (any BenchClient) throws(BenchError) -> Turn
    ) throws(BenchError) -> [Figure] {
        var times = clients.map { _ in Samples() }
        var allocations = times
        // The first round warms the caches and does not count.
        for round in 0...rounds {
            if round % 20 == 0 { Progress.show("\(benchmark): \(subject), round \(round) of \(rounds)") }
            for place in clients.indices {
                // Nobody is always the first.
                let index = (place + round) % clients.count
                let turn = try prepare(clients[index])
                var succeeded = false
                let before = Allocations.count
                let time = Clock.nanoseconds { succeeded = turn.body() }
                let allocated = Allocations.count - before
                guard succeeded, turn.check() else {
                    throw BenchError("\(benchmark), \(subject): \(clients[index].name) lost some of them")
                }
                if round == 0 { continue }
                times[index].add(time / Double(turn.count))
                allocations[index].add(Double(allocated) / Double(turn.count))
            }
        }
        let base = clients.firstIndex { $0.name == reference } ?? 0
        var figures: [Figure] = []
        for (index, client) in clients.enumerated() {
            figures.append(
                Figure(benchmark, subject, client.name, metric: "time", unit: "ns", times[index])
                    .comparing(times[index], with: [(reference, times[base])]))
            guard Allocations.areCounted else { continue }
            figures.append(
                Figure(benchmark, subject, client.name, metric: "allocations", unit: "each", allocations[index]))
        }
        return figures
    }
}
