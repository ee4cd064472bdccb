public import WaylandProtocols
internal import WaylandServer
public import WaylandServerProtocols

/// A wl_seat with its touch screen, pointer, keyboard and tablets.
public final class StageSeat {
    public let name: String
    public let touch: StageTouch
    public let pointer: StagePointer
    public let keyboard: StageKeyboard
    public let tablets: StageTablets

    /// What the seat has. Setting it tells the clients; a finger or button that is down is simply never heard of again, as
    /// when a device is pulled out.
    public var capabilities: WlSeat.Capability {
        didSet {
            everHad.formUnion(capabilities)
            if !capabilities.contains(.touch) { touch.forgetContacts() }
            if !capabilities.contains(.pointer) { pointer.forgetFocus() }
            if !capabilities.contains(.keyboard) { keyboard.forgetFocus() }
            sendCapabilities()
        }
    }
    /// What clients bound.
    public private(set) var objects: [WlSeatResource] = []

    private unowned let stage: Stage
    private(set) var global: ServerGlobal?
    private var everHad: WlSeat.Capability

    init(stage: Stage, _ options: Stage.SeatOptions) {
        self.stage = stage
        name = options.name
        capabilities = options.capabilities
        everHad = options.capabilities
        touch = StageTouch(stage: stage)
        pointer = StagePointer(stage: stage)
        keyboard = StageKeyboard(stage: stage)
        tablets = StageTablets(stage: stage)
        global = stage.server.addGlobal(WlSeatResource.self, version: options.version) { [unowned self] object in
            objects.append(object)
            object.onDestroy = { [unowned self, unowned object] in objects.removeAll { $0 === object } }
            object.onRequest = { [unowned self, unowned object] request in receive(request, of: object) }
            object.sendCapabilities(capabilities: capabilities)
            object.sendName(name: name)
        }
    }

    /// Sends the capabilities again, changed or not.
    public func sendCapabilities() {
        for object in objects { object.sendCapabilities(capabilities: capabilities) }
    }

    private func receive(_ request: WlSeatResource.Request, of object: WlSeatResource) {
        switch request {
        case .getTouch(let touch):
            if require(.touch, "touch", object) { self.touch.add(touch, inert: !capabilities.contains(.touch)) }
        case .getPointer(let pointer):
            if require(.pointer, "pointer", object) {
                self.pointer.add(pointer, inert: !capabilities.contains(.pointer))
            }
        case .getKeyboard(let keyboard):
            if require(.keyboard, "keyboard", object) {
                self.keyboard.add(keyboard, inert: !capabilities.contains(.keyboard))
            }
        default: break
        }
    }

    /// Asking for what the seat had once is a race that the client cannot help, and gives an object that never speaks.
    private func require(_ capability: WlSeat.Capability, _ name: String, _ object: WlSeatResource) -> Bool {
        if everHad.contains(capability) { return true }
        stage.refuse(
            object, code: WlSeat.Error.missingCapability.rawValue, .missingCapability,
            "get_\(name) of a seat without \(name)")
        return false
    }

    func forget(_ surface: StageSurface) {
        pointer.forget(surface)
        keyboard.forget(surface)
        tablets.forget(surface)
    }
}
