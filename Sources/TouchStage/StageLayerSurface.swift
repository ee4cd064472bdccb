public import WaylandProtocols
public import WaylandServerProtocols
internal import WaylandServer

/// A zwlr_layer_surface_v1: a panel, wallpaper or overlay. Exclusive zones are noted and have no effect.
public final class StageLayerSurface {
    public let surface: StageSurface
    public let resource: ZwlrLayerSurfaceV1Resource
    /// The output asked for, or the first.
    public let output: StageOutput?
    public let namespace: String
    private unowned let stage: Stage

    // MARK: Committed state

    public private(set) var layer: ZwlrLayerShellV1.Layer
    public private(set) var anchor: ZwlrLayerSurfaceV1.Anchor = []
    /// The size asked for, in surface-local px; 0: as the anchors say.
    public private(set) var askedSize: (width: UInt32, height: UInt32) = (0, 0)
    public private(set) var margin: (top: Int32, right: Int32, bottom: Int32, left: Int32) = (0, 0, 0, 0)
    public private(set) var exclusiveZone: Int32 = 0
    public private(set) var keyboardInteractivity = ZwlrLayerSurfaceV1.KeyboardInteractivity.none
    public private(set) var configures = ConfigureLedger()

    public var isMapped: Bool { surface.picture != nil }

    private var wasConfigured = false

    init(
        stage: Stage, surface: StageSurface, _ resource: ZwlrLayerSurfaceV1Resource, output: StageOutput?,
        layer: ZwlrLayerShellV1.Layer, namespace: String
    ) {
        self.stage = stage
        self.surface = surface
        self.resource = resource
        self.output = output ?? stage.outputs.first
        self.layer = layer
        self.namespace = namespace
        resource.onRequest = { [unowned self] request in receive(request) }
        resource.onDestroy = { [weak self, unowned stage] in stage.layers.removeAll { $0 === self } }
    }

    /// Tells the surface its size, in surface-local px; 0 for the client's choice. Returns the serial to acknowledge.
    @discardableResult
    public func configure(width: Int32, height: Int32) -> UInt32 {
        wasConfigured = true
        let serial = stage.nextSerial()
        configures.add(ConfigureLedger.Configure(serial: serial, width: width, height: height, states: []))
        resource.sendConfigure(serial: serial, width: UInt32(max(0, width)), height: UInt32(max(0, height)))
        return serial
    }

    /// Configures to the size that size, anchors and margins ask for.
    @discardableResult
    public func configureAsAsked() -> UInt32 {
        let screen = output?.logicalSize ?? (width: 0, height: 0)
        var width = Int32(clamping: askedSize.width)
        var height = Int32(clamping: askedSize.height)
        // Margins are the client's numbers: any of 32 bits.
        func room(_ side: Int32, _ near: Int32, _ far: Int32) -> Int32 {
            Int32(clamping: Int64(side) - Int64(near) - Int64(far))
        }
        if width == 0, anchor.isSuperset(of: [.left, .right]) { width = room(screen.width, margin.left, margin.right) }
        if height == 0, anchor.isSuperset(of: [.top, .bottom]) {
            height = room(screen.height, margin.top, margin.bottom)
        }
        return configure(width: width, height: height)
    }

    /// Takes the surface away, as when its output goes.
    public func close() { resource.sendClosed() }

    /// Where the surface's corner stands in the layout, in logical px.
    var origin: (x: Double, y: Double) {
        guard let output else { return (0, 0) }
        let screen = output.logicalSize
        let size = surface.size
        /// Between two anchors a surface fills the room within its margins, or with a size of its own stands in the middle.
        func place(_ near: Bool, _ far: Bool, _ fills: Bool, _ margins: (Int32, Int32), _ room: Int32) -> Double {
            if near, !far || fills { return Double(margins.0) }
            if far, !near { return Double(room) - Double(margins.1) }
            return (Double(room) / 2).rounded(.down)
        }
        let x = place(
            anchor.contains(.left), anchor.contains(.right), askedSize.width == 0, (margin.left, margin.right),
            screen.width - size.width)
        let y = place(
            anchor.contains(.top), anchor.contains(.bottom), askedSize.height == 0, (margin.top, margin.bottom),
            screen.height - size.height)
        return (Double(output.state.x) + x, Double(output.state.y) + y)
    }

    private func receive(_ request: ZwlrLayerSurfaceV1Resource.Request) {
        switch request {
        case .setSize(let width, let height): askedSize = (width, height)
        case .setAnchor(let anchor):
            guard anchor.rawValue <= 15 else {
                return stage.refuse(
                    resource, code: ZwlrLayerSurfaceV1.Error.invalidAnchor.rawValue, "anchor \(anchor.rawValue)")
            }
            self.anchor = anchor
        case .setExclusiveZone(let zone): exclusiveZone = zone
        case .setMargin(let top, let right, let bottom, let left): margin = (top, right, bottom, left)
        case .setKeyboardInteractivity(let interactivity): keyboardInteractivity = interactivity
        case .setLayer(let layer): self.layer = layer
        case .ackConfigure(let serial):
            stage.judge(
                configures.acknowledge(serial), serial, resource,
                code: ZwlrLayerSurfaceV1.Error.invalidSurfaceState.rawValue)
        default: break
        }
    }

    func committed(hadContent: Bool) {
        if askedSize.width == 0 && !anchor.isSuperset(of: [.left, .right])
            || askedSize.height == 0 && !anchor.isSuperset(of: [.top, .bottom])
        {
            return stage.refuse(
                resource, code: ZwlrLayerSurfaceV1.Error.invalidSize.rawValue,
                "size \(askedSize.width)x\(askedSize.height) without opposite anchors")
        }
        if hadContent, !isMapped {
            configures.reset()
            wasConfigured = false
            return
        }
        if !wasConfigured, !isMapped, stage.options.configures == .automatic { configureAsAsked() }
        if isMapped, !hadContent, keyboardInteractivity == .exclusive, stage.options.entersAutomatically {
            for seat in stage.seats { seat.keyboard.enter(surface) }
        }
    }
}
