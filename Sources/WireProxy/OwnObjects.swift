internal import Inspection

/// The numbers on a connection that are ours, and what they stand for.
///
/// Right after the connection begins they are used up by placeholders: from then on each number of the app's lies that
/// many above, and what the compositor gives back is ours for ever.
final class OwnObjects {
    /// The compositor's globals that drawing takes, by interface, with what we speak of each; the last is bound on demand.
    private static let wanted: [(interface: StaticString, version: UInt32)] = [
        ("wl_compositor", 4), ("wl_subcompositor", 1), ("wl_shm", 1), ("wp_viewporter", 1), ("wp_presentation", 2),
    ]
    private static let presentationIndex = 4
    private static let registry: UInt32 = 2

    /// Who gets an object's events, and lives as long as they may come.
    enum Listener {
        /// Waits for a frame callback.
        case overlay(Overlay)
        /// Waits for its release.
        case buffer(WireBuffer)
        /// Waits for what became of a commit.
        case feedback((PresentationOutcome) -> Void)
    }

    private let forwarder: Forwarder
    private var free: [UInt32] = []
    private var placeholders: Int
    /// By number. What is not ours to give back is not given back twice either.
    private var isTaken: [Bool]
    private var listeners: [UInt32: Listener] = [:]
    private var offers: [(name: UInt32, version: UInt32)?] = [nil, nil, nil, nil, nil]
    private var bound: [UInt32?] = [nil, nil, nil, nil, nil]
    /// Of ``presentation``.
    private(set) var clock = PresentationClock()
    /// Whether somebody asks when pictures were seen.
    var wantsPresentation = false {
        didSet { if wantsPresentation, isReady { bind(OwnObjects.presentationIndex) } }
    }
    private(set) var compositorVersion: UInt32 = 0

    init(_ forwarder: Forwarder) {
        self.forwarder = forwarder
        placeholders = Int(forwarder.reserved) - 1
        isTaken = Array(repeating: true, count: Int(forwarder.reserved) + 2)
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
    private var presentation: UInt32? { bound[OwnObjects.presentationIndex] }

    /// Whether the compositor has all that drawing takes.
    var canDraw: Bool { compositor != nil && subcompositor != nil && shm != nil }

    private func bind() {
        for index in offers.indices where index != OwnObjects.presentationIndex || wantsPresentation { bind(index) }
    }

    private func bind(_ index: Int) {
        guard bound[index] == nil, let offer = offers[index], let id = take() else { return }
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

    /// Asks what becomes of a surface's next commit. No answer comes where the compositor does not tell.
    func requestFeedback(_ surface: UInt32, _ answer: @escaping (PresentationOutcome) -> Void) {
        let waiting = listeners.values.count { if case .feedback = $0 { true } else { false } }
        guard let presentation, waiting < PresentationOutcome.waitingLimit, let id = take() else { return }
        listen(to: id, .feedback(answer))
        forwarder.inject { $0.message(presentation, 1, surface, id) }
    }

    // MARK: Numbers

    /// How many objects can be made now.
    var available: Int { free.count }

    /// A number for a new object; nil when all are in use.
    func take() -> UInt32? {
        guard let id = free.popLast() else { return nil }
        isTaken[Int(id)] = true
        return id
    }

    /// The object's events go there, until it is deleted or forgotten.
    func listen(to id: UInt32, _ listener: Listener) { listeners[id] = listener }

    /// The object's events mean nothing any more.
    func forget(_ id: UInt32) { listeners[id] = nil }

    /// Lets go of all that the events would have reached.
    func end() {
        let ended = listeners.values
        listeners.removeAll()
        for case .buffer(let buffer) in ended { buffer.abandon() }
    }

    func deleted(_ id: UInt32) {
        guard isTaken[Int(id)] else { return }
        // One that was not destroyed, which no compositor does: it is in use, and ends with the connection.
        if case .buffer? = listeners[id] { return }
        isTaken[Int(id)] = false
        // A frame callback that ends with its surface is never answered.
        if case .overlay(let overlay)? = listeners.removeValue(forKey: id) { overlay.loseFrame(id) }
        free.append(id)
        guard placeholders > 0 else { return }
        placeholders -= 1
        if placeholders == 0 { bind() }
    }

    func receive(_ opcode: UInt16, of id: UInt32, _ arguments: MessageReader) {
        if id == OwnObjects.registry {
            if opcode == 0 { offer(arguments) }
            return
        }
        var arguments = arguments
        // wp_presentation.clock_id.
        if id == presentation, opcode == 0 { clock.id = arguments.uint() }
        switch (listeners[id], opcode) {
        // wl_callback.done, wl_buffer.release, and the last words of wp_presentation_feedback, which also tells outputs.
        case (.overlay(let overlay)?, 0): overlay.receiveFrame(id)
        case (.buffer(let buffer)?, 0): buffer.receiveRelease()
        case (.feedback(let answer)?, 1):
            forget(id)
            let outcome = clock.presented(arguments.uint(), arguments.uint(), arguments.uint())
            if !arguments.isShort { answer(outcome) }
        case (.feedback(let answer)?, 2):
            forget(id)
            answer(.discarded)
        // Other objects of ours say nothing that matters.
        default: break
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
