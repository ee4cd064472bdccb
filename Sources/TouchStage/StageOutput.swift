public import WaylandProtocols
internal import WaylandServer
public import WaylandServerProtocols

/// A wl_output: a screen of the stage.
public final class StageOutput {
    /// What clients are told. Changing it, or a part of it, tells them at once.
    public struct State: Equatable, Sendable {
        public var name: String
        public var description = "A screen of the stage"
        public var make = "FingerWave"
        public var model = "Stage"
        /// The mode in hardware px, before the transform.
        public var width: Int32
        public var height: Int32
        public var refreshMilliHertz: Int32 = 60_000
        /// The true scale, rounded to the 120ths that clients are told; wl_output.scale is the next whole number.
        public var scale: Double {
            didSet { scale = State.in120ths(scale) }
        }
        public var transform: WlOutput.Transform
        /// mm; 0 if unknown.
        public var physicalWidth: Int32 = 0
        public var physicalHeight: Int32 = 0
        /// Where the upper left stands in the layout, in logical px.
        public var x: Int32 = 0
        public var y: Int32 = 0

        public init(
            name: String = "STAGE-1", width: Int32 = 640, height: Int32 = 480, scale: Double = 1,
            transform: WlOutput.Transform = .normal, x: Int32 = 0, y: Int32 = 0
        ) {
            self.name = name
            self.width = width
            self.height = height
            self.scale = State.in120ths(scale)
            self.transform = transform
            self.x = x
            self.y = y
        }

        /// What is shown by another scale than clients draw for has seams between their surfaces.
        private static func in120ths(_ scale: Double) -> Double { max(1, (scale * 120).rounded()) / 120 }
    }

    public var state: State {
        didSet { if state != oldValue { change() } }
    }
    /// What clients bound.
    public internal(set) var objects: [WlOutputResource] = []

    private unowned let stage: Stage
    private(set) var global: ServerGlobal?

    init(stage: Stage, version: UInt32, _ state: State) {
        self.stage = stage
        self.state = state
        global = stage.server.addGlobal(WlOutputResource.self, version: version) {
            [unowned self, unowned stage] object in
            objects.append(object)
            stage.outputOf[ObjectIdentifier(object)] = self
            object.onDestroy = { [unowned self, unowned object] in
                objects.removeAll { $0 === object }
                stage.outputOf[ObjectIdentifier(object)] = nil
            }
            describe(to: object)
            // Surfaces that are here already: this client could not be told before.
            for surface in stage.surfaces where surface.resource.client === object.client {
                if surface.enteredOutputs.contains(where: { $0 === self }) {
                    surface.resource.sendEnter(output: object)
                }
            }
        }
    }

    /// The size that the user sees, in hardware px: turned by the transform.
    public var uprightSize: (width: Int32, height: Int32) {
        state.transform.swapsSides ? (state.height, state.width) : (state.width, state.height)
    }

    /// The size in logical px.
    public var logicalSize: (width: Int32, height: Int32) {
        (
            Int32((Double(uprightSize.width) / state.scale).rounded()),
            Int32((Double(uprightSize.height) / state.scale).rounded())
        )
    }

    var scale120: UInt32 { UInt32((state.scale * 120).rounded()) }

    private func describe(to object: WlOutputResource) {
        object.sendGeometry(
            x: state.x, y: state.y, physicalWidth: state.physicalWidth, physicalHeight: state.physicalHeight,
            subpixel: .unknown, make: state.make, model: state.model, transform: state.transform)
        object.sendMode(
            flags: [.current, .preferred], width: state.width, height: state.height, refresh: state.refreshMilliHertz)
        object.sendScale(factor: Int32(state.scale.rounded(.up)))
        object.sendName(name: state.name)
        object.sendDescription(description: state.description)
        object.sendDone()
    }

    func describe(to object: ZxdgOutputV1Resource) {
        object.sendLogicalPosition(x: state.x, y: state.y)
        object.sendLogicalSize(width: logicalSize.width, height: logicalSize.height)
        object.sendName(name: state.name)
        object.sendDescription(description: state.description)
        if object.version < 3 { object.sendDone() }
    }

    private func change() {
        for (object, output) in stage.outputManagers where output === self { describe(to: object) }
        for object in objects { describe(to: object) }
        if stage.options.entersAutomatically { stage.updateOutputs() }
    }
}
