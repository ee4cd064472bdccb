import Everything
import EverythingServer
import Glibc
import Painting
import WaylandClient
import WaylandProtocols
import WaylandServer
import WaylandServerProtocols

/// A client and a server of generated bindings on one thread. Exits 0 when everything that was sent came through.
@main
struct Consumer {
    private let server: Server
    private let connection: Connection
    private let globals: Globals
    private let log = Log()

    /// What arrived at either side, as text.
    private final class Log {
        var lines: [String] = []
        var factories: [EveryFactoryResource] = []
        var things: [EveryThingResource] = []
    }

    static func main() throws {
        let consumer = try Consumer()
        try consumer.run()
        check(consumer.connection.failure == nil, "the connection is sound")
        // The module without a bindings.list.
        check(PaintBrushV1.interface.name == "paint_brush_v1" && PaintBrushV1.Since.dry == 2, "the short way works")
        consumer.connection.disconnect()
        consumer.server.shutDown()
        print("bindings consumer: passed")
    }

    private init() throws {
        server = try Server()
        guard let (_, descriptor) = server.connectClient() else { Consumer.fail("no socket pair") }
        connection = try Connection.connect(fileDescriptor: descriptor)
        globals = Globals(connection)
        let log = log
        server.addGlobal(EveryFactoryResource.self, version: 4) { factory in
            log.factories.append(factory)
            factory.onRequest = { request in
                switch request {
                case .createThing(let thing): log.things.append(thing)
                case .finish(let thing, let flags):
                    log.things.append(thing)
                    log.lines.append("finish \(flags == [.first, .second])")
                case .bindAny(let name, let version, let interface, let objectVersion, _, let serial):
                    log.lines.append("bind \(name) \(version) \(interface) \(objectVersion) \(serial)")
                case .destroy: log.lines.append("destroy")
                }
            }
        }
        server.addGlobal(WlCompositorResource.self, version: 6) { _ in }
        try pump()
    }

    private func run() throws {
        let factory = try globals.require(EveryFactory.self, versions: 1...4)
        let surface = try globals.require(WlCompositor.self, versions: 4...6).createSurface()
        let thing = factory.createThing()
        try pump()
        guard let served = log.factories.first, let servedThing = log.things.first else {
            Consumer.fail("the server has no objects")
        }
        let resources = server.clients[0].resources
        guard let servedSurface = resources.lazy.compactMap({ $0 as? WlSurfaceResource }).first else {
            Consumer.fail("the server has no wl_surface")
        }
        try requests(thing, servedThing, surface)
        try events(thing, servedThing, servedSurface)
        try objects(factory, served)
        try destructors(factory, served)
    }

    /// Every type of argument towards the server.
    private func requests(_ thing: EveryThing, _ served: EveryThingResource, _ surface: WlSurface) throws {
        let log = log
        served.onRequest = { request in
            switch request {
            case .sendAll(
                let int, let uint, let fixed, let string, let none, let array, let fd, let one, let other, let any,
                let noObject, let surface):
                log.lines.append("\(int) \(uint) \(fixed) \(string) \(none ?? "nil") \(array.bytes)")
                log.lines.append("\(one === served) \(other == nil) \(any === served) \(noObject == nil)")
                log.lines.append("\(surface != nil) \(taken(fd.take()))")
            case .setEnums(let own, let signed, let flags, let foreign, _):
                log.lines.append("\(own == ._90) \(signed == .negative) \(flags == .both) \(foreign == .flipped270)")
            case .`repeat`(let one, let two, let three, let text):
                log.lines.append("repeat \(one) \(two) \(three) \(text)")
            default: log.lines.append("\(request)")
            }
        }
        thing.sendAll(
            anInt: -1, aUint: 4_000_000_000, aFixed: 1.5, aString: "wörter", anOptionalString: nil, anArray: [1, 2],
            anFd: 0, aThing: thing, anOptionalThing: nil, anyObject: thing, anyOptionalObject: nil, aSurface: surface)
        thing.setEnums(own: ._90, signed: .negative, flags: .both, foreign: .flipped270, shadowed: .only)
        thing.`init`()
        try expect(
            ["-1 4000000000 1.5 wörter nil [1, 2]", "true true true true", "true true", "true true true true", "init"])
    }

    /// Every type of argument towards the client.
    private func events(_ thing: EveryThing, _ served: EveryThingResource, _ surface: WlSurfaceResource) throws {
        let log = log
        thing.onEvent = { event in
            switch event {
            case .all(
                let int, let uint, let fixed, let string, let some, let array, let fd, let one, _, let any,
                let surface):
                log.lines.append("\(int) \(uint) \(fixed) \(string) \(some ?? "nil") \(array.words)")
                log.lines.append("\(one === thing) \(any === thing) \(surface != nil) \(taken(fd.take()))")
            default: log.lines.append("\(event)")
            }
        }
        let isSent = served.sendAll(
            anInt: .min, aUint: .max, aFixed: -0.25, aString: "-", anOptionalString: "some", anArray: [7, 0, 0, 0],
            anFd: 0, aThing: served, anOptionalThing: nil, anyObject: served, aSurface: surface)
        Consumer.check(isSent, "the event was sent")
        served.sendNothing()
        try expect(["-2147483648 4294967295 -0.25 - some [7]", "true true true true", "nothing"])
    }

    /// Objects that either side makes, of an interface that is fixed or not.
    private func objects(_ factory: EveryFactory, _ served: EveryFactoryResource) throws {
        let before = connection.liveObjectCount
        Consumer.check(served.sendThingMade(serial: 8, title: "unheard") != nil, "the server made an object")
        try expect([])
        Consumer.check(connection.liveObjectCount == before, "an object that nobody listens for is given up")
        let log = log
        factory.onEvent = { event in
            if case .thingMade(let serial, let thing, let title) = event {
                log.lines.append("made \(serial) \(title) \(thing.isAlive) \(thing.version)")
            }
        }
        served.sendThingMade(serial: 9, title: "new")
        _ = factory.bindAny(name: 5, version: 6, EveryThing.self, version: 2, serial: 7)
        try expect(["bind 5 6 every_thing 2 7", "made 9 new true 4"])
        Consumer.check(connection.liveObjectCount == before + 2, "the client has both objects")
    }

    /// What ends objects: a request that makes another at once, and an event.
    private func destructors(_ factory: EveryFactory, _ served: EveryFactoryResource) throws {
        let last = factory.finish(flags: [.first, .second])
        Consumer.check(!factory.isAlive && last.isAlive, "a destructor ends its object and makes another")
        try expect(["finish true"])
        Consumer.check(!served.isAlive, "the destructor ended the server's object")

        let second = try globals.require(EveryFactory.self, versions: 4...4)
        try pump()
        let log = log
        second.onEvent = { event in
            if case .gone(let reason) = event { log.lines.append("gone \(reason == .done) \(second.isAlive)") }
        }
        Consumer.check(log.factories[1].sendGone(reason: .done) && !log.factories[1].isAlive, "the event was sent")
        try expect(["gone true true"])
        Consumer.check(!second.isAlive, "an event that is a destructor ends the client's object")
    }

    // MARK: Steps

    private func pump() throws {
        for _ in 0..<4 {
            _ = try connection.flush()
            server.dispatch()
            server.flush()
            try connection.readAndDispatch()
        }
    }

    /// Lets all that waits be delivered, and compares.
    private func expect(_ lines: [String], line: Int = #line) throws {
        try pump()
        Consumer.check(log.lines == lines, "line \(line): \(log.lines), not \(lines)")
        log.lines = []
    }

    private static func check(_ isTrue: Bool, _ what: String) {
        if !isTrue { fail(what) }
    }

    private static func fail(_ what: String) -> Never {
        print("bindings consumer: failed: \(what)")
        exit(1)
    }
}

/// Whether a descriptor came, which is closed.
private func taken(_ descriptor: Int32?) -> Bool {
    guard let descriptor else { return false }
    return close(descriptor) == 0
}
