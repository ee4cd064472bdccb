import WaylandClient
import WaylandServer

// A protocol with every kind of argument, written as the generator writes it.

enum ToyTables {
    static let all = InterfaceTable([
        InterfaceFacts(
            "toy_box", version: 3,
            requests: [
                MessageFacts("destroy", "", []),
                MessageFacts("echo", "iufsah", [.none, .none, .none, .none, .none, .none]),
                MessageFacts("make_ball", "n", [.own(1)]),
                MessageFacts("throw", "?o", [.own(1)]),
                MessageFacts("give", "3n", [.own(1)]),
            ],
            events: [
                MessageFacts("echoed", "iuf?sah", [.none, .none, .none, .none, .none, .none]),
                MessageFacts("offer", "n", [.own(1)]),
                MessageFacts("caught", "o", [.own(1)]),
                MessageFacts("late", "3", []),
            ]),
        InterfaceFacts(
            "toy_ball", version: 3, requests: [MessageFacts("destroy", "", [])],
            events: [MessageFacts("bounce", "", [])]),
    ])
}

final class ToyBox: Proxy, WaylandObject {
    static var interface: Interface { ToyTables.all[0] }
    enum Event {
        case echoed(int: Int32, uint: UInt32, fixed: Double, string: String?, array: WireArray, fd: ReceivedFD)
        case offer(ToyBall)
        case caught(ToyBall?)
        case late
    }
    var onEvent: ((Event) -> Void)?
    override func dropHandler() { onEvent = nil }
    override func receive(_ opcode: UInt32, _ arguments: EventArguments) {
        switch opcode {
        case 0:
            onEvent?(
                .echoed(
                    int: arguments.int(0), uint: arguments.uint(1), fixed: arguments.fixed(2),
                    string: arguments.optionalString(3), array: arguments.array(4), fd: arguments.fd(5)))
        case 1:
            let ball = arguments.newObject(0, ToyBall.self)
            if let onEvent { onEvent(.offer(ball)) } else { ball.endUnheard() }
        case 2: onEvent?(.caught(arguments.object(0, ToyBall.self)))
        case 3: onEvent?(.late)
        default: break
        }
    }
    func destroy() { sendDestructor(0, since: 1) }
    func echo(int: Int32, uint: UInt32, fixed: Double, string: String, array: [UInt8], fd: Int32) {
        withWireString(string) { text in
            withWireArray(array) { bytes in
                send(1, since: 1, [.int(int), .uint(uint), .fixed(fixed), text, bytes, .fd(fd)])
            }
        }
    }
    func makeBall() -> ToyBall { create(ToyBall.self, 2, since: 1, [.newID]) }
    func throwBall(_ ball: ToyBall?) { send(3, since: 1, [.optionalObject(ball)]) }
}

final class ToyBall: Proxy, WaylandObject {
    static var interface: Interface { ToyTables.all[1] }
    var bounces = 0
    override func receive(_ opcode: UInt32, _ arguments: EventArguments) { bounces += 1 }
    func destroy() { sendDestructor(0, since: 1) }
}

final class ToyBoxResource: Resource, ServerObject {
    static var interface: Interface { ToyBox.interface }
    enum Request {
        case destroy
        case echo(int: Int32, uint: UInt32, fixed: Double, string: String, array: WireArray, fd: ReceivedDescriptor)
        case makeBall(id: ToyBallResource)
        case throwBall(ToyBallResource?)
    }
    var onRequest: ((Request) -> Void)?
    override func dropHandler() { onRequest = nil }
    override func receive(_ opcode: UInt32, _ arguments: RequestArguments) {
        switch opcode {
        case 0:
            onRequest?(.destroy)
            destroy()
        case 1:
            onRequest?(
                .echo(
                    int: arguments.int(0), uint: arguments.uint(1), fixed: arguments.fixed(2),
                    string: arguments.string(3),
                    array: arguments.array(4), fd: arguments.fd(5)))
        case 2:
            let request = Request.makeBall(id: arguments.newObject(0, ToyBallResource.self))
            onRequest?(request)
        case 3: onRequest?(.throwBall(arguments.object(0, ToyBallResource.self)))
        default: break
        }
    }
    func sendEchoed(int: Int32, uint: UInt32, fixed: Double, string: String?, array: [UInt8], fd: Int32) -> Bool {
        withServerString(string) { text in
            withServerArray(array) { bytes in
                send(0, since: 1, [.int(int), .uint(uint), .fixed(fixed), text, bytes, .fd(fd)])
            }
        }
    }
    func sendOffer() -> ToyBallResource? {
        guard let ball = newObject(ToyBallResource.self, since: 1) else { return nil }
        send(1, since: 1, [.newID(ball)])
        return ball
    }
    func sendCaught(_ ball: ToyBallResource) -> Bool { send(2, since: 1, [.object(ball)]) }
    func sendLate() -> Bool { send(3, since: 3) }
}

final class ToyBallResource: Resource, ServerObject {
    static var interface: Interface { ToyBall.interface }
    enum Request { case destroy }
    var onRequest: ((Request) -> Void)?
    override func dropHandler() { onRequest = nil }
    override func receive(_ opcode: UInt32, _ arguments: RequestArguments) {
        onRequest?(.destroy)
        destroy()
    }
    func sendBounce() -> Bool { send(0, since: 1) }
}
