internal import CLibc
internal import CLinuxShims
internal import EventLoop
internal import Recording

/// Answers the clients of a ``ControlSocket``: lines of text in, JSON Lines out, and behind them `done` or `error`.
///
/// No client can hold up the program or make it grow: reads and writes never wait, lines, replies, clients and their time
/// are bounded, and who does not read is not listened to. Without clients nothing is scheduled, so that an idle program
/// sleeps.
///
/// Handlers refer to it unowned. They end with it, and the owner lets go of it before the loop.
final class ControlServer {
    private final class Client {
        let descriptor: Int32
        var watch: EventLoop.Token?
        var deadline: EventLoop.Token?
        var input: [UInt8] = []
        /// What was not written yet.
        var output: [UInt8] = []
        var answered = 0
        /// Nothing more is read from it: it is closed as soon as it has its replies.
        var isEnding = false

        init(_ descriptor: Int32) { self.descriptor = descriptor }

        deinit { _ = close(descriptor) }
    }

    /// A command's answer, its lines with their ends; or why it is refused.
    typealias Answer = (ControlCommand) throws(Failure) -> [String]

    /// One more, and the oldest is let go.
    static let mostClients = 8
    /// Bytes; no command is nearly as long.
    static let longestLine = 256
    /// Lines of one connection.
    static let mostLines = 100
    /// What a client has for each line: 5 s.
    static let patience: Int64 = 5_000_000_000

    let socket: ControlSocket
    private let loop: EventLoop
    private let answer: Answer
    private var listening: EventLoop.Token?
    private var retry: EventLoop.Token?
    /// The oldest first.
    private var clients: [Client] = []

    init(_ socket: ControlSocket, loop: EventLoop, answer: @escaping Answer) {
        self.socket = socket
        self.loop = loop
        self.answer = answer
        listen()
    }

    deinit {
        while let client = clients.first { drop(client) }
        if let listening { loop.unwatch(listening) }
        if let retry { loop.cancel(retry) }
    }

    /// For tests.
    var clientCount: Int { clients.count }

    // MARK: Connections

    private func listen() {
        // SAFETY: see the type's comment.
        listening = loop.watchRarely(socket.descriptor) { [unowned(unsafe) self] _ in unsafe self.accept() }
    }

    private func accept() {
        let descriptor = fw_accept(socket.descriptor)
        if descriptor >= 0 {
            add(Client(descriptor))
        } else if ![EINTR, EAGAIN, ECONNABORTED].contains(fw_errno()) {
            // Out of descriptors. The socket stays readable, which would keep the loop turning: not now.
            if let listening { loop.unwatch(listening) }
            listening = nil
            // SAFETY: see the type's comment.
            retry = loop.schedule(at: EventLoop.now + 1_000_000_000) { [unowned(unsafe) self] in unsafe self.listen() }
        }
    }

    private func add(_ client: Client) {
        if clients.count >= ControlServer.mostClients { drop(clients[0]) }
        clients.append(client)
        // SAFETY: see the type's comment; a client is in `clients` as long as its handlers.
        client.watch = loop.watch(client.descriptor, .readable) {
            [unowned(unsafe) self, unowned(unsafe) client] ready in
            unsafe self.serve(client, ready)
        }
        restartDeadline(client)
    }

    private func restartDeadline(_ client: Client) {
        if let deadline = client.deadline { loop.cancel(deadline) }
        // SAFETY: as in `add`.
        client.deadline = loop.schedule(at: EventLoop.now + ControlServer.patience) {
            [unowned(unsafe) self, unowned(unsafe) client] in
            unsafe self.drop(client)
        }
    }

    private func drop(_ client: Client) {
        if let watch = client.watch { loop.unwatch(watch) }
        if let deadline = client.deadline { loop.cancel(deadline) }
        clients.removeAll { $0 === client }
    }

    // MARK: Lines

    private func serve(_ client: Client, _ ready: EventLoop.Interest) {
        if client.output.isEmpty {
            if !read(client) { return drop(client) }
        } else if !ready.isDisjoint(with: .hungUp) {
            return drop(client)
        } else {
            send(client)
        }
        answerLines(client)
        if client.output.isEmpty && client.isEnding { return drop(client) }
        if let watch = client.watch { loop.setInterest(client.output.isEmpty ? .readable : .writable, of: watch) }
    }

    /// Returns false when the client is gone.
    private func read(_ client: Client) -> Bool {
        var chunk = [UInt8](repeating: 0, count: 512)
        // SAFETY: within the array's storage for the length of the call.
        let count = unsafe chunk.withUnsafeMutableBytes { buffer in
            unsafe CLibc.read(client.descriptor, buffer.baseAddress, buffer.count)
        }
        if count > 0 {
            client.input.append(contentsOf: chunk[..<count])
            return true
        }
        if count == 0 {
            // What was sent without a line's end is a line, too.
            if !client.input.isEmpty { client.input.append(0x0A) }
            client.isEnding = true
            return true
        }
        return fw_errno() == EINTR || fw_errno() == EAGAIN
    }

    /// Answers whole lines as long as the replies are taken.
    private func answerLines(_ client: Client) {
        while client.output.isEmpty, let end = client.input.firstIndex(of: 0x0A) {
            let line = Array(client.input[..<end])
            client.input.removeSubrange(...end)
            client.answered += 1
            reply(to: line, client)
            restartDeadline(client)
            if client.answered >= ControlServer.mostLines { hangUp(client) }
            send(client)
        }
        if client.output.isEmpty, client.input.count > ControlServer.longestLine {
            refuse(.lineTooLong, client)
            hangUp(client)
            send(client)
        }
    }

    /// What it has said so far is all that it is answered.
    private func hangUp(_ client: Client) {
        client.input = []
        client.isEnding = true
    }

    private func reply(to line: [UInt8], _ client: Client) {
        guard line.count <= ControlServer.longestLine else {
            return refuse(.lineTooLong, client)
        }
        let words = String(decoding: line, as: UTF8.self).split { $0 == " " || $0 == "\t" || $0 == "\r" }
        do throws(Failure) {
            let command = try ControlCommand(words.map(String.init))
            for line in try answer(command) { client.output.append(contentsOf: line.utf8) }
            var done = JSONLine(type: "done")
            done.add("command", command.line)
            client.output.append(contentsOf: done.line.utf8)
        } catch {
            refuse(error, client)
        }
    }

    private func refuse(_ failure: Failure, _ client: Client) {
        var line = JSONLine(type: "error")
        line.add("what", failure.what)
        line.add("why", failure.why)
        line.add("remedy", failure.remedy)
        client.output.append(contentsOf: line.line.utf8)
    }

    /// Writes what the client takes; one that is gone has nothing more to get.
    private func send(_ client: Client) {
        while !client.output.isEmpty {
            // SAFETY: within the array's storage for the length of the call.
            let count = unsafe client.output.withUnsafeBytes { bytes in
                unsafe fw_send(client.descriptor, bytes.baseAddress, bytes.count)
            }
            if count > 0 {
                client.output.removeFirst(count)
            } else if fw_errno() == EAGAIN {
                return
            } else if fw_errno() != EINTR {
                client.output = []
                hangUp(client)
            }
        }
    }
}

extension Failure {
    fileprivate static var lineTooLong: Failure {
        .usage("the line is too long", remedy: "keep it within \(ControlServer.longestLine) bytes")
    }
}
