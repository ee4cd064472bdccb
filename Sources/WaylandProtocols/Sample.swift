public import WaylandClient

enum WaylandTables {
    static let all = InterfaceTable([
        InterfaceFacts("wl_display", version: 1,
            requests: [MessageFacts("sync", "n", [.own(2)]), MessageFacts("get_registry", "n", [.own(1)])],
            events: [MessageFacts("error", "ous", [.none, .none, .none]), MessageFacts("delete_id", "u", [.none])]),
        InterfaceFacts("wl_registry", version: 1,
            requests: [MessageFacts("bind", "usun", [.none, .none, .none, .none])],
            events: [MessageFacts("global", "usu", [.none, .none, .none]), MessageFacts("global_remove", "u", [.none])]),
        InterfaceFacts("wl_callback", version: 1, requests: [], events: [MessageFacts("done", "u", [.none])]),
    ])
}

public final class WlDisplay: Proxy, WaylandObject {
    public static var interface: Interface { WaylandTables.all[0] }

    public func sync() -> WlCallback { create(WlCallback.self, 0, since: 1, [.newID]) }

    public func getRegistry() -> WlRegistry { create(WlRegistry.self, 1, since: 1, [.newID]) }
}

public final class WlRegistry: Proxy, WaylandObject {
    public static var interface: Interface { WaylandTables.all[1] }

    public enum Event {
        case global(name: UInt32, interface: String, version: UInt32)
        case globalRemove(name: UInt32)
    }

    public var onEvent: ((Event) -> Void)?

    public override func dropHandler() { onEvent = nil }

    public override func receive(_ opcode: UInt32, _ arguments: EventArguments) {
        guard let onEvent else { return }
        switch opcode {
        case 0: onEvent(.global(name: arguments.uint(0), interface: arguments.string(1), version: arguments.uint(2)))
        case 1: onEvent(.globalRemove(name: arguments.uint(0)))
        default: break
        }
    }

    public func bind<T: WaylandObject>(name: UInt32, _ type: T.Type, version: UInt32) -> T {
        withWireString(T.interface.name) { interfaceName in
            create(T.self, 0, since: 1, version: version, [.uint(name), interfaceName, .uint(version), .newID])
        }
    }
}

public final class WlCallback: Proxy, WaylandObject {
    public static var interface: Interface { WaylandTables.all[2] }

    public enum Event {
        case done(callbackData: UInt32)
    }

    public var onEvent: ((Event) -> Void)?

    public override func dropHandler() { onEvent = nil }

    public override func receive(_ opcode: UInt32, _ arguments: EventArguments) {
        switch opcode {
        case 0:
            onEvent?(.done(callbackData: arguments.uint(0)))
            discard()
        default: break
        }
    }
}
