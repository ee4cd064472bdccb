public import WaylandProtocols
public import WaylandServerProtocols
internal import WaylandServer

/// An xdg_toplevel.
public final class StageWindow {
    public let surface: StageSurface
    public let xdgSurface: XdgSurfaceResource
    public let toplevel: XdgToplevelResource
    private unowned let stage: Stage

    /// Where the corner of the window's geometry stands in the layout, in logical px.
    public var position: (x: Int32, y: Int32) = (0, 0)

    // MARK: What the client asked for

    public private(set) var title = ""
    public private(set) var appID = ""
    /// px of the window geometry; (0, 0) for no limit.
    public private(set) var minimumSize: (width: Int32, height: Int32) = (0, 0)
    public private(set) var maximumSize: (width: Int32, height: Int32) = (0, 0)
    public private(set) var wantsFullscreen = false
    /// The output asked for with full screen; nil: the compositor's choice.
    public private(set) var fullscreenOutput: StageOutput?
    public private(set) var wantsMaximized = false
    /// How often the client asked to be minimised.
    public private(set) var minimizeRequests = 0
    public private(set) var decoration: ZxdgToplevelDecorationV1Resource?
    /// The decoration mode asked for; nil: left to the stage.
    public private(set) var decorationMode: ZxdgToplevelDecorationV1.Mode?

    public private(set) var configures = ConfigureLedger()
    /// The committed window geometry, in surface-local px; nil: the whole surface.
    public private(set) var geometry: StageRect?
    /// Whether the window is shown: it has content.
    public var isMapped: Bool { surface.picture != nil }

    private var pendingGeometry: StageRect?
    private var wasConfigured = false

    init(stage: Stage, surface: StageSurface, xdgSurface: XdgSurfaceResource, toplevel: XdgToplevelResource) {
        self.stage = stage
        self.surface = surface
        self.xdgSurface = xdgSurface
        self.toplevel = toplevel
        toplevel.onRequest = { [unowned self] request in receive(request) }
        toplevel.onDestroy = { [weak self, unowned stage] in
            stage.windowOf[ObjectIdentifier(toplevel)] = nil
            stage.windows.removeAll { $0 === self }
        }
    }

    // MARK: What the stage says

    /// Tells the window its size and states. `width` and `height` are logical px of its geometry, 0 for the client's choice.
    /// Returns the serial that the client must acknowledge.
    @discardableResult
    public func configure(width: Int32, height: Int32, states: [XdgToplevel.State] = []) -> UInt32 {
        if !wasConfigured {
            let all: [XdgToplevel.WmCapabilities] = [.windowMenu, .maximize, .fullscreen, .minimize]
            toplevel.sendWmCapabilities(capabilities: bytes(all.map(\.rawValue)))
            decoration?.sendConfigure(mode: decorationMode ?? stage.options.decorations)
        }
        wasConfigured = true
        let serial = stage.nextSerial()
        configures.add(
            ConfigureLedger.Configure(serial: serial, width: width, height: height, states: states.map(\.rawValue)))
        toplevel.sendConfigure(width: width, height: height, states: bytes(states.map(\.rawValue)))
        xdgSurface.sendConfigure(serial: serial)
        return serial
    }

    /// Configures the window to what it last asked for.
    @discardableResult
    public func configureAsAsked() -> UInt32 {
        if wantsFullscreen, let output = fullscreenOutput ?? stage.outputs.first {
            return configure(
                width: output.logicalSize.width, height: output.logicalSize.height, states: [.fullscreen, .activated])
        }
        if wantsMaximized, let output = stage.outputs.first {
            return configure(
                width: output.logicalSize.width, height: output.logicalSize.height, states: [.maximized, .activated])
        }
        return configure(
            width: stage.options.windowSize.width, height: stage.options.windowSize.height, states: [.activated])
    }

    /// Asks the window to close.
    public func close() { toplevel.sendClose() }

    // MARK: Requests

    private func receive(_ request: XdgToplevelResource.Request) {
        switch request {
        case .setTitle(let title): self.title = title
        case .setAppId(let appID): self.appID = appID
        case .setMinSize(let width, let height): setLimit(\.minimumSize, width, height)
        case .setMaxSize(let width, let height): setLimit(\.maximumSize, width, height)
        case .setFullscreen(let output):
            wantsFullscreen = true
            fullscreenOutput = output.flatMap { stage.outputOf[ObjectIdentifier($0)] }
            answer()
        case .unsetFullscreen:
            wantsFullscreen = false
            answer()
        case .setMaximized:
            wantsMaximized = true
            answer()
        case .unsetMaximized:
            wantsMaximized = false
            answer()
        case .setMinimized: minimizeRequests += 1
        default: break
        }
    }

    private func setLimit(
        _ limit: ReferenceWritableKeyPath<StageWindow, (width: Int32, height: Int32)>, _ width: Int32, _ height: Int32
    ) {
        guard width >= 0, height >= 0 else {
            return stage.refuse(
                toplevel, code: XdgToplevel.Error.invalidSize.rawValue, "a size limit of \(width)x\(height)")
        }
        self[keyPath: limit] = (width, height)
    }

    private func answer() {
        if wasConfigured, stage.options.configures == .automatic { configureAsAsked() }
    }

    func receive(_ request: XdgSurfaceResource.Request) {
        switch request {
        case .setWindowGeometry(let x, let y, let width, let height):
            guard width > 0, height > 0 else {
                return stage.refuse(
                    xdgSurface, code: XdgSurface.Error.invalidSize.rawValue, "a window geometry of \(width)x\(height)")
            }
            pendingGeometry = StageRect(x: x, y: y, width: width, height: height)
        case .ackConfigure(let serial):
            stage.judge(
                configures.acknowledge(serial), serial, xdgSurface, code: XdgSurface.Error.invalidSerial.rawValue)
        case .destroy where toplevel.isAlive:
            stage.refuse(
                xdgSurface, code: XdgSurface.Error.defunctRoleObject.rawValue, "destroyed before its xdg_toplevel")
        default: break
        }
    }

    func adopt(_ decoration: ZxdgToplevelDecorationV1Resource) {
        guard self.decoration == nil else {
            return stage.refuse(
                decoration, code: ZxdgToplevelDecorationV1.Error.alreadyConstructed.rawValue,
                "the window has decorations")
        }
        guard !isMapped else {
            return stage.refuse(
                decoration, code: ZxdgToplevelDecorationV1.Error.unconfiguredBuffer.rawValue,
                "the window is shown already")
        }
        self.decoration = decoration
        decoration.onDestroy = { [weak self] in self?.decoration = nil }
        decoration.onRequest = { [weak self] request in
            guard let self else { return }
            switch request {
            case .setMode(let mode): decorationMode = mode
            case .unsetMode: decorationMode = nil
            default: return
            }
            guard wasConfigured, stage.options.configures == .automatic else { return }
            self.decoration?.sendConfigure(mode: decorationMode ?? stage.options.decorations)
            configureAsAsked()
        }
    }

    // MARK: Commits

    func committed(hadContent: Bool) {
        geometry = pendingGeometry
        if hadContent, !isMapped {
            // The window starts over: the next content needs a configure of its own.
            configures.reset()
            wasConfigured = false
            return
        }
        if !wasConfigured, !isMapped, stage.options.configures == .automatic { configureAsAsked() }
        if isMapped, !hadContent {
            stage.windows.removeAll { $0 === self }
            stage.windows.append(self)
            if stage.options.entersAutomatically {
                for seat in stage.seats { seat.keyboard.enter(surface) }
            }
        }
        if isMapped { checkSize() }
    }

    private func checkSize() {
        guard let configure = configures.current, configure.width > 0, configure.height > 0 else { return }
        let size = geometry.map { ($0.width, $0.height) } ?? (surface.size.width, surface.size.height)
        let isMaximized = configure.states.contains(XdgToplevel.State.maximized.rawValue)
        let isFullscreen = configure.states.contains(XdgToplevel.State.fullscreen.rawValue)
        let isWrong =
            isFullscreen
            ? size.0 > configure.width || size.1 > configure.height
            : isMaximized && (size.0 != configure.width || size.1 != configure.height)
        guard isWrong else { return }
        stage.note(
            Violation(
                kind: .configuredSizeIgnored, interface: "xdg_toplevel", objectID: toplevel.objectID,
                text:
                    "\(size.0)x\(size.1) px where \(configure.width)x\(configure.height) were configured and acknowledged"
                    + (isFullscreen ? " for full screen" : " for a maximised window")))
    }
}

/// 32-bit numbers in the machine's order, as arrays carry them.
func bytes(_ words: [UInt32]) -> [UInt8] {
    words.flatMap { word in
        #if _endian(little)
            let wire = word.littleEndian
            return (0..<4).map { UInt8(truncatingIfNeeded: wire >> (8 * UInt32($0))) }
        #else
            return (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * UInt32(3 - $0))) }
        #endif
    }
}
