public import WaylandProtocols
internal import WaylandServer
public import WaylandServerProtocols

/// The pointer of a seat. Nothing is sent but what is called for: ``frame()`` too is the caller's (version 5).
public final class StagePointer {
    /// Where the pointer is, in layout px.
    public private(set) var position: (x: Double, y: Double) = (0, 0)
    /// The surface that has the pointer.
    public private(set) weak var focus: StageSurface?
    /// The buttons that are held, as evdev codes.
    public private(set) var pressed: Set<UInt32> = []
    /// What clients made of this seat's pointer capability.
    public private(set) var objects: [WlPointerResource] = []
    /// The last shape asked for by wp_cursor_shape_device_v1.
    public internal(set) var cursorShape: WpCursorShapeDeviceV1.Shape?
    /// The last surface set as the cursor.
    public private(set) weak var cursor: StageSurface?

    private unowned let stage: Stage
    private var inert: Set<ObjectIdentifier> = []
    /// Who got events since the last frame.
    private var unframed: [ServerClient] = []

    init(stage: Stage) { self.stage = stage }

    func add(_ object: WlPointerResource, inert isInert: Bool) {
        let key = ObjectIdentifier(object)
        objects.append(object)
        if isInert { inert.insert(key) }
        object.onDestroy = { [unowned self, unowned object] in
            objects.removeAll { $0 === object }
            inert.remove(key)
        }
        object.onRequest = { [unowned self, unowned object] request in
            guard case .setCursor(_, let surface, _, _) = request else { return }
            cursor = stage.surface(surface)
            guard let cursor else { return }
            switch cursor.role {
            case .none, .cursor: cursor.role = .cursor
            default:
                stage.refuse(object, code: WlPointer.Error.role.rawValue, "a cursor surface that has another role")
            }
        }
        if !isInert, let focus, focus.resource.client === object.client, let origin = stage.origin(of: focus) {
            object.sendEnter(
                serial: stage.nextSerial(), surface: focus.resource, surfaceX: position.x - origin.x,
                surfaceY: position.y - origin.y)
            mark(object.client)
        }
    }

    func forgetFocus() {
        focus = nil
        pressed = []
        unframed = []
        inert.formUnion(objects.map { ObjectIdentifier($0) })
    }

    func forget(_ surface: StageSurface) {
        if focus === surface { focus = nil }
    }

    /// The objects that an event over the surface goes to.
    private func live(_ surface: StageSurface?) -> [WlPointerResource] {
        guard let client = surface?.resource.client else { return [] }
        mark(client)
        return live(client)
    }

    private func mark(_ client: ServerClient) {
        if !unframed.contains(where: { $0 === client }) { unframed.append(client) }
    }

    private func live(_ client: ServerClient) -> [WlPointerResource] {
        objects.filter { $0.client === client && !inert.contains(ObjectIdentifier($0)) }
    }

    /// Moves the pointer to a point of the layout: leave and enter when it is over another surface (never while a button is
    /// held), else motion.
    public func motion(x: Double, y: Double, time: UInt32? = nil) {
        position = (x, y)
        let under = pressed.isEmpty ? stage.surface(at: x, y)?.surface : focus
        guard under === focus else {
            leave()
            if let under { enter(under) }
            return
        }
        guard let focus, let origin = stage.origin(of: focus) else { return }
        for object in live(focus) {
            object.sendMotion(time: time ?? stage.milliseconds, surfaceX: x - origin.x, surfaceY: y - origin.y)
        }
    }

    private func enter(_ surface: StageSurface) {
        focus = surface
        guard let origin = stage.origin(of: surface) else { return }
        let serial = stage.nextSerial()
        for object in live(surface) {
            object.sendEnter(
                serial: serial, surface: surface.resource, surfaceX: position.x - origin.x,
                surfaceY: position.y - origin.y)
        }
    }

    /// Takes the pointer off whatever it is over.
    public func leave() {
        guard let focus else { return }
        let serial = stage.nextSerial()
        for object in live(focus) { object.sendLeave(serial: serial, surface: focus.resource) }
        self.focus = nil
    }

    /// Presses or lifts a button (evdev code, 0x110 is the left one) over the surface that has the pointer.
    public func button(_ code: UInt32 = 0x110, pressed isPressed: Bool, time: UInt32? = nil) {
        if isPressed { pressed.insert(code) } else { pressed.remove(code) }
        let serial = stage.nextSerial()
        for object in live(focus) {
            object.sendButton(
                serial: serial, time: time ?? stage.milliseconds, button: code, state: isPressed ? .pressed : .released)
        }
    }

    /// Scrolls; positive is down or right.
    public func axis(_ axis: WlPointer.Axis = .verticalScroll, _ value: Double, time: UInt32? = nil) {
        for object in live(focus) { object.sendAxis(time: time ?? stage.milliseconds, axis: axis, value: value) }
    }

    /// Ends the frame, for the clients that got events since the last one.
    public func frame() {
        for object in unframed.flatMap(live) { object.sendFrame() }
        unframed = []
    }
}
