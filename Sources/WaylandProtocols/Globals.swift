public import WaylandClient

extension Connection {
    /// wl_display, the object that every other one comes from.
    public var display: WlDisplay { displayObject(WlDisplay.self) { WlDisplay($0) } }
}

/// The compositor's globals: what it offers now, and the versions that we want of it.
public final class Globals {
    /// One entry of the registry.
    public struct Global: Equatable, Sendable {
        /// The registry's number for it, never used twice.
        public var name: UInt32
        public var interface: String
        /// The highest version that the compositor speaks.
        public var version: UInt32
    }

    /// What is offered now, in the order it was announced.
    public private(set) var all: [Global] = []
    /// Called for a global that appears after the first announcements, and for those if set before them.
    public var onAdded: ((Global) -> Void)?
    /// Called when a global goes. Objects bound from it stay alive and do nothing until they are destroyed.
    public var onRemoved: ((Global) -> Void)?
    /// True once the compositor has announced all that it had when the registry was made.
    public private(set) var isComplete = false

    private let registry: WlRegistry
    private let announced: WlCallback

    /// Asks for the registry. Events come with the connection's dispatch; see ``isComplete``.
    public init(_ connection: Connection) {
        registry = connection.display.getRegistry()
        announced = connection.display.sync()
        // SAFETY: deinit discards both objects, and with them these handlers: they never outlive self.
        registry.onEvent = { [unowned(unsafe) self] event in unsafe self.receive(event) }
        announced.onEvent = { [unowned(unsafe) self] _ in unsafe self.isComplete = true }
    }

    deinit {
        registry.discard()
        announced.discard()
    }

    private func receive(_ event: WlRegistry.Event) {
        switch event {
        case .global(let name, let interface, let version):
            let global = Global(name: name, interface: interface, version: version)
            all.append(global)
            onAdded?(global)
        case .globalRemove(let name):
            guard let index = all.firstIndex(where: { $0.name == name }) else { return }
            // Not within the optional call: without a handler its arguments are not evaluated.
            let gone = all.remove(at: index)
            onRemoved?(gone)
        }
    }

    /// The first global of `type`'s interface.
    public func find<T: WaylandObject>(_ type: T.Type) -> Global? {
        let name = T.interface.name
        return all.first { $0.interface == name }
    }

    /// Binds what cannot be done without: at the compositor's version, at most `versions.upperBound`.
    ///
    /// Throws ``ConnectionError/missingGlobal(interface:required:offered:)`` when it is absent or too old.
    public func require<T: WaylandObject>(
        _ type: T.Type, versions: ClosedRange<UInt32>
    ) throws(ConnectionError) -> T {
        let found = find(type)
        guard let found, let object = bind(found, type, versions: versions) else {
            throw .missingGlobal(
                interface: T.interface.name, required: versions.lowerBound, offered: found?.version)
        }
        return object
    }

    /// Binds what is merely better to have; nil when it is absent or too old.
    public func bindIfOffered<T: WaylandObject>(_ type: T.Type, versions: ClosedRange<UInt32>) -> T? {
        guard let found = find(type) else { return nil }
        return bind(found, type, versions: versions)
    }

    /// Binds this very global, for interfaces that come several times (seats, outputs). Nil when it is too old or, as far
    /// as is known, gone.
    public func bind<T: WaylandObject>(_ global: Global, _ type: T.Type, versions: ClosedRange<UInt32>) -> T? {
        guard all.contains(global) else { return nil }
        let version = min(global.version, versions.upperBound, T.interface.version)
        guard version >= versions.lowerBound else { return nil }
        return registry.bind(name: global.name, type, version: version)
    }
}
