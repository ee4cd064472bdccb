import CLibc
import Testing
import WaylandClient
import WaylandProtocols
import WaylandServer

/// One server and one client on one thread.
private final class Pair {
    let server: Server
    let peer: ServerClient
    let connection: Connection
    var boxes: [ToyBoxResource] = []
    var onBind: ((ToyBoxResource) -> Void)?
    private(set) var global: ServerGlobal?

    init(version: UInt32 = 3) throws {
        server = try Server()
        let (client, descriptor) = try #require(server.connectClient())
        peer = client
        connection = try Connection.connect(fileDescriptor: descriptor)
        global = server.addGlobal(ToyBoxResource.self, version: version) { [unowned self] box in
            boxes.append(box)
            onBind?(box)
        }
    }

    deinit {
        connection.disconnect()
        server.shutDown()
    }

    func pump() throws {
        for _ in 0..<4 {
            _ = try connection.flush()
            server.dispatch()
            server.flush()
            try connection.readAndDispatch()
        }
    }

    func bindBox() throws -> (ToyBox, ToyBoxResource) {
        let globals = Globals(connection)
        try pump()
        let box = try globals.require(ToyBox.self, versions: 1...3)
        try pump()
        return (box, try #require(boxes.last))
    }
}

@Suite struct ServerRuntimeTests {
    @Test func everyKindOfArgumentCrossesBothWays() throws {
        let pair = try Pair()
        let (box, resource) = try pair.bindBox()
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        var received: [Int32] = []
        resource.onRequest = { request in
            guard case .echo(let int, let uint, let fixed, let string, let array, let fd) = request else { return }
            guard let taken = fd.take() else { return }
            #expect(fd.take() == nil, "a descriptor was given out twice")
            received.append(taken)
            #expect(
                resource.sendEchoed(int: int, uint: uint, fixed: fixed, string: string, array: array.bytes, fd: taken))
        }
        var echoes = 0
        box.onEvent = { event in
            guard case .echoed(let int, let uint, let fixed, let string, let array, let fd) = event else { return }
            echoes += 1
            #expect(int == -7 && uint == 4_000_000_000 && fixed == -12.25)
            #expect(string == "häuser" && array.bytes == [1, 2, 255])
            if let taken = fd.take() { received.append(taken) }
        }
        box.echo(int: -7, uint: 4_000_000_000, fixed: -12.25, string: "häuser", array: [1, 2, 255], fd: ends[1])
        try pair.pump()
        #expect(echoes == 1)
        #expect(received.count == 2)
        for descriptor in received + ends { close(descriptor) }
    }

    @Test func descriptorsNobodyTakesAreClosed() throws {
        let pair = try Pair()
        let (box, resource) = try pair.bindBox()
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        resource.onRequest = { _ in }
        box.echo(int: 0, uint: 0, fixed: 0, string: "", array: [], fd: ends[1])
        resource.onRequest = nil
        box.echo(int: 0, uint: 0, fixed: 0, string: "", array: [], fd: ends[1])
        try pair.pump()
        close(ends[1])
        // The pipe ends when its last writer does: a leaked copy would keep this read waiting.
        var poll = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
        // Time for a program of another test that is just being forked.
        _ = CLibc.poll(&poll, 1, 5000)
        #expect(poll.revents & Int16(POLLHUP) != 0, "the server kept a copy of the descriptor")
        close(ends[0])
    }

    @Test func objectsOfBothSidesAreMadeAndEnd() throws {
        let pair = try Pair()
        let (box, resource) = try pair.bindBox()
        var made: [ToyBallResource] = []
        var thrown: [ToyBallResource?] = []
        var offered: [ToyBall] = []
        var caught: [ToyBall?] = []
        resource.onRequest = { request in
            switch request {
            case .makeBall(let ball): made.append(ball)
            case .throwBall(let ball): thrown.append(ball)
            default: break
            }
        }
        box.onEvent = { event in
            if case .offer(let ball) = event { offered.append(ball) }
            if case .caught(let ball) = event { caught.append(ball) }
        }
        let ball = box.makeBall()
        box.throwBall(ball)
        box.throwBall(nil)
        try pair.pump()
        #expect(made.count == 1 && made[0].version == 3)
        #expect(thrown.count == 2 && thrown[0] === made[0] && thrown[1] == nil)
        let fromServer = try #require(resource.sendOffer())
        #expect(fromServer.objectID >= 0xFF00_0000)
        #expect(fromServer.sendBounce() && resource.sendCaught(fromServer) && resource.sendCaught(made[0]))
        try pair.pump()
        #expect(offered.count == 1 && offered[0].bounces == 1)
        #expect(caught.count == 2 && caught[0] === offered[0] && caught[1] === ball)

        var ended = 0
        made[0].onDestroy = { ended += 1 }
        ball.destroy()
        offered[0].destroy()
        try pair.pump()
        #expect(ended == 1 && !made[0].isAlive && !fromServer.isAlive)
        #expect(!made[0].sendBounce(), "an event was sent for an object that has ended")
        #expect(!resource.sendCaught(made[0]), "an event was sent with a destroyed argument")
        #expect(pair.peer.resources.count == 1)
    }

    @Test func eventsNewerThanTheBoundVersionAreNotSent() throws {
        for version: UInt32 in [2, 3] {
            let pair = try Pair(version: version)
            let (box, resource) = try pair.bindBox()
            var late = 0
            box.onEvent = { if case .late = $0 { late += 1 } }
            #expect(resource.sendLate() == (version == 3))
            try pair.pump()
            #expect(late == (version == 3 ? 1 : 0))
        }
    }

    @Test func objectsOfAnotherClientAndTooLongStringsAreRefused() throws {
        let pair = try Pair()
        let (_, resource) = try pair.bindBox()
        let other = try #require(pair.server.connectClient())
        let connection = try Connection.connect(fileDescriptor: other.fileDescriptor)
        let globals = Globals(connection)
        func turn() throws {
            _ = try connection.flush()
            pair.server.dispatch()
            pair.server.flush()
            try connection.readAndDispatch()
        }
        try turn()
        let box = try globals.require(ToyBox.self, versions: 1...3)
        let ball = box.makeBall()
        try turn()
        let foreign = try #require(other.client.resource(id: ball.objectID) as? ToyBallResource)
        #expect(!resource.sendCaught(foreign))
        #expect(
            !resource.sendEchoed(
                int: 0, uint: 0, fixed: 0, string: String(repeating: "x", count: 4000), array: [], fd: 0))
        try pair.pump()
        #expect(pair.peer.isAlive)
        connection.disconnect()
    }

    @Test func protocolErrorsReachTheClientWithTheirWords() throws {
        let pair = try Pair()
        let (box, resource) = try pair.bindBox()
        var posted: [PostedError] = []
        pair.server.onError = { posted.append($0) }
        resource.postError(code: 5, "100% wrong")
        let expected = ProtocolError(interface: "toy_box", objectID: box.objectID, code: 5, text: "100% wrong")
        #expect(throws: ConnectionError.protocolError(expected)) { try pair.pump() }
        #expect(posted.count == 1 && posted[0].code == 5 && posted[0].interface == "toy_box")
    }

    @Test func aClientEndedInAHandlerEndsAfterTheDispatch() throws {
        let pair = try Pair()
        let (box, resource) = try pair.bindBox()
        var ended = 0
        var left = 0
        pair.peer.onEnd = { [peer = pair.peer] in
            ended += 1
            left = peer.resources.count
        }
        resource.onRequest = { _ in
            resource.client.kill()
            #expect(resource.isAlive, "the client was freed under libwayland's feet")
        }
        _ = box.makeBall()
        #expect(throws: ConnectionError.closed(errno: 0)) { try pair.pump() }
        #expect(ended == 1 && left == 2)
        #expect(!pair.peer.isAlive && !resource.isAlive && pair.server.clients.isEmpty)
    }

    @Test func aKilledClientLearnsOfItThoughAnotherProgramHasTheSocketToo() throws {
        let server = try Server()
        var pair: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
        let copy = dup(pair[0])
        server.createClient(fileDescriptor: pair[0])?.kill()
        var byte: UInt8 = 0
        #expect(recv(pair[1], &byte, 1, Int32(MSG_DONTWAIT)) == 0)
        for descriptor in [copy, pair[1]] { close(descriptor) }
    }

    @Test func aRemovedGlobalIsWithdrawnAndBoundLateWithoutHarm() throws {
        let pair = try Pair()
        let globals = Globals(pair.connection)
        try pair.pump()
        let found = try #require(globals.find(ToyBox.self))
        pair.global?.remove()
        let late = try #require(globals.bind(found, ToyBox.self, versions: 1...3))
        late.throwBall(nil)
        try pair.pump()
        #expect(globals.all.isEmpty)
        #expect(pair.connection.failure == nil)
    }

    @Test func rawBytesBreakTheClientsMessages() throws {
        let pair = try Pair()
        _ = try pair.bindBox()
        #expect(pair.peer.write(rawBytes: [1, 0, 0, 0, 0xFF, 0xFF, 3, 0]))
        #expect(throws: ConnectionError.self) { try pair.pump() }
    }

    @Test func aServerFreedWithLiveClientsEndsThem() throws {
        var server: Server? = try Server()
        let pair = try #require(server?.connectClient())
        weak let watched = server
        server = nil
        #expect(watched == nil)
        #expect(!pair.client.isAlive)
        close(pair.fileDescriptor)
    }
}
