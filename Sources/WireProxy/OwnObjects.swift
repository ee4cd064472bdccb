/// The numbers on a connection that are ours, and what they stand for.
///
/// Right after the connection begins they are used up by placeholders: from then on each number of the app's lies that
/// many above, and what the compositor gives back is ours for ever.
final class OwnObjects {
    /// The compositor's globals that drawing takes, by interface, with what we speak of each.
    private static let wanted: [(interface: StaticString, version: UInt32)] = [
        ("wl_compositor", 4), ("wl_subcompositor", 1), ("wl_shm", 1), ("wp_viewporter", 1),
    ]
    private static let registry: UInt32 = 2

    private let forwarder: Forwarder
    private var free: [UInt32] = []
    private var placeholders: Int
    /// What is to be done with an object's events.
    private var handlers: [UInt32: (UInt16, MessageReader) -> Void] = [:]
    private var offers: [(name: UInt32, version: UInt32)?] = [nil, nil, nil, nil]
    private var bound: [UInt32?] = [nil, nil, nil, nil]
    private(set) var compositorVersion: UInt32 = 0

    init(_ forwarder: Forwarder) {
        self.forwarder = forwarder
        placeholders = Int(forwarder.reserved) - 1
    }

    /// Sends what uses the numbers up. To be called before anything of the app is passed on.
    func begin() {
        forwarder.inject { requests in
            requests.message(1, 1, OwnObjects.registry)
            for id in OwnObjects.registry + 1...forwarder.reserved + 1 { requests.message(1, 0, id) }
        }
    }

    /// True once all numbers are ours: the app's messages may be passed on.
    var isReady: Bool { placeholders == 0 }

    // MARK: Globals

    var compositor: UInt32? { bound[0] }
    var subcompositor: UInt32? { bound[1] }
    var shm: UInt32? { bound[2] }
    var viewporter: UInt32? { bound[3] }

    /// Whether the compositor has all that drawing takes.
    var canDraw: Bool { compositor != nil && subcompositor != nil && shm != nil }

    private func bind() {
        for (index, offer) in offers.enumerated() {
            guard let offer, let id = take() else { continue }
            let (interface, known) = OwnObjects.wanted[index]
            let version = min(offer.version, known)
            if index == 0 { compositorVersion = version }
            bound[index] = id
            forwarder.inject { requests in
                requests.message(OwnObjects.registry, 0, offer.name)
                requests.append(string: interface)
                requests.append(version)
                requests.append(id)
            }
        }
    }

    // MARK: Numbers

    /// How many objects can be made now.
    var available: Int { free.count }

    /// A number for a new object; nil when all are in use. `handler` gets its events.
    func take(_ handler: ((UInt16, MessageReader) -> Void)? = nil) -> UInt32? {
        guard let id = free.popLast() else { return nil }
        handlers[id] = handler
        return id
    }

    /// The object's events mean nothing any more.
    func forget(_ id: UInt32) { handlers[id] = nil }

    /// Lets go of what the events would have reached.
    func end() { handlers.removeAll() }

    func deleted(_ id: UInt32) {
        handlers[id] = nil
        free.append(id)
        guard placeholders > 0 else { return }
        placeholders -= 1
        if placeholders == 0 { bind() }
    }

    func receive(_ opcode: UInt16, of id: UInt32, _ arguments: MessageReader) {
        if id == OwnObjects.registry {
            if opcode == 0 { offer(arguments) }
        } else {
            handlers[id]?(opcode, arguments)
        }
    }

    private func offer(_ arguments: MessageReader) {
        var arguments = arguments
        let name = arguments.uint()
        let interface = arguments.text()
        let version = arguments.uint()
        for (index, wanted) in OwnObjects.wanted.enumerated() where offers[index] == nil {
            if interface == wanted.interface.description { offers[index] = (name, version) }
        }
    }
}
