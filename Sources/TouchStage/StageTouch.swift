internal import WaylandServer
public import WaylandServerProtocols

/// The touch screen of a seat. Nothing is sent but what is called for: no frame follows by itself.
///
/// Events go to every wl_touch that the touched surface's client has of this seat, in the version it bound; what an older
/// object cannot be told (shape and orientation below version 6) is not sent. Times are the protocol's ms, the stage's
/// clock by default.
public final class StageTouch {
    public struct Contact {
        public let id: Int32
        /// The touched surface; it may be gone by now.
        public internal(set) weak var surface: StageSurface?
        /// The last position as it was given, in layout or surface-local px.
        public internal(set) var x: Double
        public internal(set) var y: Double
        /// The corner of the surface when it was touched, in the space of `x` and `y`.
        let originX: Double
        let originY: Double
        let client: ServerClient
    }

    /// The fingers that are down on a surface.
    public private(set) var contacts: [Int32: Contact] = [:]
    /// The fingers that came down beside every surface: nobody hears of them until they are lifted, wherever they go.
    public private(set) var contactsOnNothing: Set<Int32> = []
    /// What clients made of this seat's touch capability.
    public private(set) var objects: [WlTouchResource] = []

    private unowned let stage: Stage
    private var inert: Set<ObjectIdentifier> = []
    /// Who got events since the last frame.
    private var unframed: [ServerClient] = []
    /// Since the last frame there were events that nobody got: one without any for somebody is nobody's either.
    private var hasUnheard = false

    init(stage: Stage) { self.stage = stage }

    func add(_ object: WlTouchResource, inert isInert: Bool) {
        let key = ObjectIdentifier(object)
        objects.append(object)
        if isInert { inert.insert(key) }
        object.onDestroy = { [unowned self, unowned object] in
            objects.removeAll { $0 === object }
            inert.remove(key)
        }
    }

    func forgetContacts() {
        contacts = [:]
        contactsOnNothing = []
        unframed = []
        hasUnheard = false
        // Objects of a lost capability stay mute, even when it comes back: the client must make new ones.
        inert.formUnion(objects.map { ObjectIdentifier($0) })
    }

    private func live(_ client: ServerClient?) -> [WlTouchResource] {
        objects.filter { !inert.contains(ObjectIdentifier($0)) && (client == nil || $0.client === client) }
    }

    private func mark(_ client: ServerClient) {
        if !unframed.contains(where: { $0 === client }) { unframed.append(client) }
    }

    /// Puts a finger down. Without `surface` at (x, y) of the layout, on the highest surface that takes input there; with
    /// it, at (x, y) of that surface. Returns the touched surface, nil where there is none: then nothing of this finger is
    /// sent, until it comes down anew.
    ///
    /// `id` may be any number, and down already: compositors do that too.
    @discardableResult
    public func down(
        _ id: Int32, x: Double, y: Double, time: UInt32? = nil, on surface: StageSurface? = nil
    ) -> StageSurface? {
        let target: StageSurface
        var origin = (x: 0.0, y: 0.0)
        if let surface {
            target = surface
        } else {
            guard let found = stage.surface(at: x, y) else {
                contacts[id] = nil
                contactsOnNothing.insert(id)
                hasUnheard = true
                return nil
            }
            target = found.surface
            origin = (x - found.x, y - found.y)
        }
        let client = target.resource.client
        contactsOnNothing.remove(id)
        contacts[id] = Contact(
            id: id, surface: target, x: x, y: y, originX: origin.x, originY: origin.y, client: client)
        let serial = stage.nextSerial()
        for object in live(client) {
            object.sendDown(
                serial: serial, time: time ?? stage.milliseconds, surface: target.resource, id: id, x: x - origin.x,
                y: y - origin.y)
        }
        mark(client)
        return target
    }

    /// Moves a finger, in the space in which it was put down. An id that is not down is sent to every client with the
    /// coordinates as they are: a fault that compositors have.
    public func motion(_ id: Int32, x: Double, y: Double, time: UInt32? = nil) {
        let contact = contacts[id]
        contacts[id]?.x = x
        contacts[id]?.y = y
        each(id, contact) {
            $0.sendMotion(
                time: time ?? stage.milliseconds, id: id, x: x - (contact?.originX ?? 0), y: y - (contact?.originY ?? 0)
            )
        }
    }

    /// Lifts a finger; for an id that is not down as ``motion(_:x:y:time:)``.
    public func up(_ id: Int32, time: UInt32? = nil) {
        let serial = stage.nextSerial()
        each(id, contacts.removeValue(forKey: id)) {
            $0.sendUp(serial: serial, time: time ?? stage.milliseconds, id: id)
        }
        contactsOnNothing.remove(id)
    }

    /// The finger's shape as an ellipse: axes in surface-local px (version 6).
    public func shape(_ id: Int32, major: Double, minor: Double) {
        each(id, contacts[id]) { $0.sendShape(id: id, major: major, minor: minor) }
    }

    /// The ellipse's angle, in degrees clockwise from the surface's y axis (version 6).
    public func orientation(_ id: Int32, degrees: Double) {
        each(id, contacts[id]) { $0.sendOrientation(id: id, orientation: degrees) }
    }

    /// Ends the frame, for the clients that got events since the last one; when nothing happened, an empty frame for all.
    public func frame() {
        let isEmpty = unframed.isEmpty && !hasUnheard
        for object in isEmpty ? live(nil) : unframed.flatMap(live) { object.sendFrame() }
        unframed = []
        hasUnheard = false
    }

    /// Takes all fingers away from the clients that have any; when none is down anywhere, a cancel out of the blue for all.
    /// No frame follows.
    public func cancel() {
        let clients = contacts.values.reduce(into: [ServerClient]()) { clients, contact in
            if !clients.contains(where: { $0 === contact.client }) { clients.append(contact.client) }
        }
        let isOutOfTheBlue = clients.isEmpty && contactsOnNothing.isEmpty
        for object in isOutOfTheBlue ? live(nil) : clients.flatMap(live) { object.sendCancel() }
        contacts = [:]
        contactsOnNothing = []
        unframed = []
        hasUnheard = false
    }

    /// The objects that an event of this contact goes to. One that is on nothing, or whose surface is gone, is not heard of.
    private func each(_ id: Int32, _ contact: Contact?, _ send: (WlTouchResource) -> Void) {
        guard let contact else {
            guard !contactsOnNothing.contains(id) else {
                hasUnheard = true
                return
            }
            for object in live(nil) {
                send(object)
                mark(object.client)
            }
            return
        }
        guard contact.surface?.resource.isAlive == true else {
            hasUnheard = true
            return
        }
        for object in live(contact.client) { send(object) }
        mark(contact.client)
    }
}
