import Everything
import EverythingServer
import Glibc
import Painting
import WaylandClient
import WaylandProtocols
import WaylandServer
import WaylandServerProtocols

/// A client and a server of generated bindings on one thread; exits 0 when everything that was sent came through.
@main
enum Consumer {
    static func main() throws {
        let server = try Server()
        guard let (_, descriptor) = server.connectClient() else { fail("no socket pair") }
        let connection = try Connection.connect(fileDescriptor: descriptor)
        var factories: [EveryFactoryResource] = []
        server.addGlobal(EveryFactoryResource.self, version: 4) { factories.append($0) }
        server.addGlobal(WlCompositorResource.self, version: 6) { _ in }

        func pump() throws {
            for _ in 0..<4 {
                _ = try connection.flush()
                server.dispatch()
                server.flush()
                try connection.readAndDispatch()
            }
        }

        let globals = Globals(connection)
        try pump()
        let factory = try globals.require(EveryFactory.self, versions: 1...4)
        let surface = try globals.require(WlCompositor.self, versions: 4...6).createSurface()
        try pump()
        check(factories.count == 1, "the server made the object that was bound")

        // Requests: every type of argument, an object of another module's interface, a destructor that makes an object.
        var things: [EveryThingResource] = []
        var seen: [String] = []
        factories[0].onRequest = { request in
            switch request {
            case .createThing(let thing): things.append(thing)
            case .finish(let thing, let flags):
                things.append(thing)
                seen.append("finish \(flags == [.first, .second])")
            case .bindAny(let name, let version, let interface, let objectVersion, let id, let serial):
                seen.append("bind \(name) \(version) \(interface) \(objectVersion) \(id > 0) \(serial)")
            case .destroy: seen.append("destroy")
            }
        }
        let thing = factory.createThing()
        try pump()
        things[0].onRequest = { request in
            switch request {
            case .sendAll(
                let int, let uint, let fixed, let string, let none, let array, let fd, let one, let other, let any,
                let noObject, let surface):
                seen.append("\(int) \(uint) \(fixed) \(string) \(none ?? "nil") \(array.bytes)")
                seen.append(
                    "\(one === things[0]) \(other == nil) \(any === things[0]) \(noObject == nil) \(surface != nil)")
                if let taken = fd.take() {
                    seen.append("fd")
                    close(taken)
                }
            case .setEnums(let own, let signed, let flags, let foreign, _):
                seen.append("\(own == ._90) \(signed == .negative) \(flags == .both) \(foreign == .flipped270)")
            case .`repeat`(let one, let two, let three, let text): seen.append("repeat \(one) \(two) \(three) \(text)")
            default: seen.append("\(request)")
            }
        }
        thing.sendAll(
            anInt: -1, aUint: 4_000_000_000, aFixed: 1.5, aString: "wörter", anOptionalString: nil, anArray: [1, 2],
            anFd: 0, aThing: thing, anOptionalThing: nil, anyObject: thing, anyOptionalObject: nil, aSurface: surface)
        thing.setEnums(own: ._90, signed: .negative, flags: .both, foreign: .flipped270, shadowed: .only)
        try pump()
        check(
            seen == [
                "-1 4000000000 1.5 wörter nil [1, 2]", "true true true true true", "fd", "true true true true",
            ], "all requests came through: \(seen)")
        seen = []

        // Events: every type of argument, then an object that the server makes, then a destructor.
        var made: [EveryThing] = []
        factory.onEvent = { event in
            switch event {
            case .thingMade(let serial, let new, let title):
                made.append(new)
                seen.append("made \(serial) \(title)")
            case .gone(let reason): seen.append("gone \(reason == .done)")
            case .lastThing(let new): made.append(new)
            }
        }
        thing.onEvent = { event in
            guard
                case .all(
                    let int, let uint, let fixed, let string, let none, let array, let fd, let one, _, let any, _) =
                    event
            else { return }
            seen.append("\(int) \(uint) \(fixed) \(string) \(none ?? "nil") \(array.words)")
            seen.append("\(one === thing) \(any === thing)")
            if let taken = fd.take() {
                seen.append("fd")
                close(taken)
            }
        }
        guard let surfaceResource = server.clients[0].resources.compactMap({ $0 as? WlSurfaceResource }).first else {
            fail("the server has no wl_surface")
        }
        check(
            things[0].sendAll(
                anInt: .min, aUint: .max, aFixed: -0.25, aString: "", anOptionalString: "some", anArray: [7, 0, 0, 0],
                anFd: 0, aThing: things[0], anOptionalThing: nil, anyObject: things[0], aSurface: surfaceResource),
            "the event was sent")
        check(factories[0].sendThingMade(serial: 9, title: "new") != nil, "the server made an object")
        try pump()
        check(
            seen == ["-2147483648 4294967295 -0.25 some [7]", "true true", "fd", "made 9 new"].map { $0 }
                || seen == ["-2147483648 4294967295 -0.25  some [7]", "true true", "fd", "made 9 new"],
            "all events came through: \(seen)")
        check(made.count == 1 && made[0].isAlive, "the client has the object that the server made")
        seen = []
        let last = factory.finish(flags: [.first, .second])
        check(!factory.isAlive && last.isAlive, "a destructor ends its object and makes another")
        try pump()
        check(seen == ["finish true"] && !factories[0].isAlive, "the destructor came through: \(seen)")
        check(connection.failure == nil, "the connection is sound")

        // The module without a bindings.list.
        check(PaintBrushV1.interface.name == "paint_brush_v1" && PaintBrushV1.Since.dry == 2, "the short way works")
        connection.disconnect()
        server.shutDown()
        print("bindings consumer: passed")
    }

    static func check(_ isTrue: Bool, _ what: String) {
        if !isTrue { fail(what) }
    }

    static func fail(_ what: String) -> Never {
        print("bindings consumer: failed: \(what)")
        exit(1)
    }
}
