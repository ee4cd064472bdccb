public import WaylandProtocols
internal import WaylandServer
public import WaylandServerProtocols

/// A pen, eraser or other tool of a stage's tablets.
///
/// It has one surface at a time, the one under it as it came near, until it leaves. Positions are layout px.
public final class StagePen {
    public let type: ZwpTabletToolV2.TypeValue
    public let capabilities: [ZwpTabletToolV2.Capability]
    /// The surface that it is near.
    public private(set) weak var focus: StageSurface?
    public private(set) var position: (x: Double, y: Double) = (0, 0)
    public private(set) var isDown = false
    /// What clients know it by.
    public private(set) var objects: [ZwpTabletToolV2Resource] = []
    /// The last shape asked for by wp_cursor_shape_device_v1.
    public internal(set) var cursorShape: WpCursorShapeDeviceV1.Shape?
    /// The last surface set as the cursor.
    public private(set) weak var cursor: StageSurface?

    private unowned let stage: Stage
    private var isLeaving = false
    private let onRemove: (StagePen) -> Void

    init(
        stage: Stage, type: ZwpTabletToolV2.TypeValue, capabilities: [ZwpTabletToolV2.Capability],
        onRemove: @escaping (StagePen) -> Void
    ) {
        self.stage = stage
        self.type = type
        self.capabilities = capabilities
        self.onRemove = onRemove
    }

    func announce(to seat: ZwpTabletSeatV2Resource) {
        guard let object = seat.sendToolAdded() else { return }
        objects.append(object)
        // A tool that was removed lives until clients have let go of it.
        object.onDestroy = { [unowned object] in self.objects.removeAll { $0 === object } }
        object.onRequest = { [unowned self] request in
            if case .setCursor(_, let surface, _, _) = request {
                cursor = stage.surface(surface)
                cursor?.role = .cursor
            }
        }
        object.sendType(toolType: type)
        for capability in capabilities { object.sendCapability(capability: capability) }
        object.sendDone()
    }

    func forget(_ surface: StageSurface) {
        if focus === surface { focus = nil }
    }

    private var live: [ZwpTabletToolV2Resource] {
        guard let focus, focus.resource.isAlive else { return [] }
        return objects.filter { $0.client === focus.resource.client }
    }

    /// Comes near `tablet` over (x, y). Returns the surface that has the pen from now on,
    /// nil where there is none.
    @discardableResult
    public func proximityIn(_ tablet: StageTablet, x: Double, y: Double) -> StageSurface? {
        guard let found = stage.surface(at: x, y) else { return nil }
        focus = found.surface
        isLeaving = false
        for object in live {
            guard let seen = tablet.objects.first(where: { $0.client === object.client }) else { continue }
            object.sendProximityIn(serial: stage.nextSerial(), tablet: seen, surface: found.surface.resource)
        }
        motion(x: x, y: y)
        return found.surface
    }

    /// Goes away with the next frame. A pen that is down is not lifted first: that is the caller's.
    public func proximityOut() {
        for object in live { object.sendProximityOut() }
        isLeaving = true
    }

    public func motion(x: Double, y: Double) {
        position = (x, y)
        guard let focus, let origin = stage.origin(of: focus) else { return }
        for object in live { object.sendMotion(x: x - origin.x, y: y - origin.y) }
    }

    public func down() {
        isDown = true
        let serial = stage.nextSerial()
        for object in live { object.sendDown(serial: serial) }
    }

    public func up() {
        isDown = false
        for object in live { object.sendUp() }
    }

    /// 0 to 65535.
    public func pressure(_ pressure: UInt32) {
        for object in live { object.sendPressure(pressure: pressure) }
    }

    /// 0 to 65535.
    public func distance(_ distance: UInt32) {
        for object in live { object.sendDistance(distance: distance) }
    }

    /// Degrees from upright, positive to the right and downwards.
    public func tilt(x: Double, y: Double) {
        for object in live { object.sendTilt(tiltX: x, tiltY: y) }
    }

    /// Degrees clockwise.
    public func rotation(degrees: Double) {
        for object in live { object.sendRotation(degrees: degrees) }
    }

    /// -65535 to 65535.
    public func slider(_ position: Int32) {
        for object in live { object.sendSlider(position: position) }
    }

    public func wheel(degrees: Double, clicks: Int32) {
        for object in live { object.sendWheel(degrees: degrees, clicks: clicks) }
    }

    /// evdev codes; 0x14B is the button that is nearer to the tip.
    public func button(_ code: UInt32 = 0x14B, pressed isPressed: Bool) {
        let serial = stage.nextSerial()
        for object in live {
            object.sendButton(serial: serial, button: code, state: isPressed ? .pressed : .released)
        }
    }

    /// Ends the frame; the stage's clock by default.
    public func frame(time: UInt32? = nil) {
        for object in live { object.sendFrame(time: time ?? stage.milliseconds) }
        if isLeaving { focus = nil }
        isLeaving = false
    }

    /// The tool is gone for good.
    public func remove() {
        onRemove(self)
        for object in objects { object.sendRemoved() }
    }
}
