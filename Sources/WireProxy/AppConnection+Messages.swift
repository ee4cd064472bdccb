internal import Gestures
package import WireTables

// What passes, one message after the other. Opcodes and arguments are the protocols' own.
extension AppConnection {
    /// A request of the app that is about to go on.
    func watchRequest(
        _ message: WatchedMessage, _ object: UInt32, _ arguments: MessageReader
    ) -> [Scene.Change] {
        var arguments = arguments
        switch message {
        case .wlRegistryBind: bind(&arguments)
        case .wlSeatGetTouch: heard?.beginTouch(arguments.uint(), of: object)
        case .wlSeatGetPointer: heard?.beginPointer(arguments.uint(), of: object)
        case .xdgToplevelMove, .xdgToplevelResize, .wlShellSurfaceMove, .wlShellSurfaceResize:
            hasNews = true
            _ = arguments.uint()
            heard?.handOver(serial: arguments.uint(), arrival: clock())
        case .wlDataDeviceStartDrag:
            hasNews = true
            _ = (arguments.uint(), arguments.uint(), arguments.uint())
            heard?.handOver(serial: arguments.uint(), arrival: clock())
        case .wlTouchRelease: heard?.endTouch(object, arrival: clock())
        case .wlPointerRelease: heard?.endPointer(object, arrival: clock())
        case .zwpTabletManagerV2GetTabletSeat:
            let id = arguments.uint()
            heard?.beginTabletSeat(id, of: arguments.uint())
        case .zwpTabletSeatV2Destroy: heard?.endTabletSeat(object)
        case .zwpTabletToolV2Destroy: heard?.endTool(object, arrival: clock())
        case .wlOutputRelease: changeOutputs { $0.end(object) }

        case .wlCompositorCreateSurface: scene.createSurface(arguments.uint())
        case .wlSurfaceDestroy:
            outputs.endSurface(object)
            return move { $0.destroySurface(object) }
        case .wlSurfaceAttach: scene.attach(arguments.uint(), to: object)
        case .wlSurfaceSetBufferScale: scene.setBufferScale(arguments.int(), of: object)
        case .wlSurfaceSetBufferTransform: scene.setBufferTransform(arguments.uint(), of: object)
        case .wlSurfaceCommit:
            hold.noteCommit()
            if !backlog.isEmpty, scene.moves(byCommitOf: object) { catchUp() }
            return scene.commit(object)

        case .wlShmPoolCreateBuffer:
            let id = arguments.uint()
            _ = arguments.int()
            scene.beginBuffer(id, width: arguments.int(), height: arguments.int())
        case .wlDrmCreateBuffer, .wlDrmCreatePlanarBuffer:
            let id = arguments.uint()
            _ = arguments.uint()
            scene.beginBuffer(id, width: arguments.int(), height: arguments.int())
        case .zwpLinuxBufferParamsV1Create:
            scene.expectBuffer(of: object, width: arguments.int(), height: arguments.int())
        case .zwpLinuxBufferParamsV1CreateImmed, .wlDrmCreatePrimeBuffer:
            let id = arguments.uint()
            scene.beginBuffer(id, width: arguments.int(), height: arguments.int())
        case .wpSinglePixelBufferManagerV1CreateU32RgbaBuffer:
            scene.beginBuffer(arguments.uint(), width: 1, height: 1)
        case .wlBufferDestroy: scene.endBuffer(object)

        case .wpViewporterGetViewport:
            let id = arguments.uint()
            scene.beginViewport(id, of: arguments.uint())
        case .wpViewportSetDestination: scene.setDestination(arguments.int(), arguments.int(), of: object)
        case .wpViewportSetSource:
            _ = (arguments.fixed(), arguments.fixed())
            scene.setSource(arguments.fixed(), arguments.fixed(), of: object)
        case .wpViewportDestroy: scene.endViewport(object)
        case .wpFractionalScaleManagerV1GetFractionalScale:
            let id = arguments.uint()
            scene.beginFractionalScale(id, of: arguments.uint())
        case .wpFractionalScaleV1Destroy: scene.endFractionalScale(object)

        case .xdgWmBaseGetXdgSurface:
            let id = arguments.uint()
            scene.beginXdgSurface(id, of: arguments.uint())
        case .xdgSurfaceSetWindowGeometry:
            let (x, y) = (arguments.int(), arguments.int())
            let (width, height) = (arguments.int(), arguments.int())
            let geometry = Rect(x: Double(x), y: Double(y), width: Double(width), height: Double(height))
            scene.setGeometry(geometry, of: object)
        case .xdgSurfaceGetToplevel: return move { $0.beginRoot(object, role: arguments.uint()) }
        case .xdgSurfaceGetPopup:
            let role = arguments.uint()
            return move { $0.beginPopup(object, role: role, parent: arguments.uint()) }
        case .zwlrLayerSurfaceV1GetPopup: scene.setParent(object, ofPopup: arguments.uint())
        case .xdgSurfaceDestroy: scene.endXdgSurface(object)
        case .zwlrLayerShellV1GetLayerSurface, .wlShellGetShellSurface:
            let role = arguments.uint()
            return move { $0.beginRoot(ofSurface: arguments.uint(), role: role) }
        case .iviApplicationSurfaceCreate:
            _ = arguments.uint()
            let surface = arguments.uint()
            return move { $0.beginRoot(ofSurface: surface, role: arguments.uint()) }
        case .xdgPopupDestroy:
            leaveWaves(ofPopup: object)
            return move { $0.endRole(object) }
        case .xdgToplevelDestroy, .zwlrLayerSurfaceV1Destroy, .iviSurfaceDestroy:
            return move { $0.endRole(object) }

        case .wlSubcompositorGetSubsurface:
            let id = arguments.uint()
            let surface = arguments.uint()
            return move { $0.beginSubsurface(id, of: surface, on: arguments.uint()) }
        case .wlSubsurfaceSetSync: return move { $0.setSynchronized(true, object) }
        case .wlSubsurfaceSetDesync: return move { $0.setSynchronized(false, object) }
        case .wlSubsurfaceSetPosition: scene.setPosition(arguments.int(), arguments.int(), of: object)
        case .wlSubsurfacePlaceAbove: return scene.place(object, nextTo: arguments.uint(), isAbove: true)
        case .wlSubsurfacePlaceBelow: return scene.place(object, nextTo: arguments.uint(), isAbove: false)
        case .wlSubsurfaceDestroy: return move { $0.destroySubsurface(object) }
        default: break
        }
        return []
    }

    /// Changes where surfaces are. What has waited is heard before, with all where it was.
    private func move(_ change: (inout Scene) -> [Scene.Change]) -> [Scene.Change] {
        catchUp()
        return change(&scene)
    }

    private func bind(_ arguments: inout MessageReader) {
        let global = arguments.uint()
        let interface = unsafe arguments.string()
        let isSeat = unsafe interface.elementsEqual(StaticBytes.seat)
        let isOutput = unsafe interface.elementsEqual(StaticBytes.output)
        _ = arguments.uint()
        if isSeat { watch?.beginSeat(arguments.uint(), global: global) }
        if isOutput { outputs.begin(arguments.uint()) }
    }

    /// An event that goes to the app.
    package func received(_ message: WatchedMessage, of object: UInt32, _ arguments: MessageReader) {
        guard watch != nil else { return }
        let now = clock()
        if mayWait, backlog.take(message, of: object, arguments, arrival: now) { return }
        catchUp()
        hasNews = true
        hear(message, of: object, arguments, now)
    }

    /// Takes in what an event that goes to the app says. Never inlined: two call it, and it holds all of the watch.
    @inline(never)
    func hear(_ message: WatchedMessage, of object: UInt32, _ arguments: MessageReader, _ now: Instant) {
        guard let watch else { return }
        var arguments = arguments
        switch message {
        case .wlRegistryGlobalRemove: watch.endSeat(global: arguments.uint(), arrival: now)
        case .wlSeatCapabilities:
            let bits = arguments.uint()
            if bits & 4 == 0 { reports.onTouchlessSeat() }
            watch.capabilities(object, hasTouch: bits & 4 != 0, hasPointer: bits & 1 != 0, arrival: now)
        case .wlSeatName: watch.name(object, arguments.text())
        case .wlTouchDown: watch.down(object, arguments, arrival: now)
        case .wlTouchMotion: watch.motion(object, arguments, arrival: now)
        case .wlTouchUp: watch.up(object, arguments, arrival: now)
        case .wlTouchFrame: watch.frame(object, arrival: now)
        case .wlTouchCancel: watch.cancel(object, arrival: now)
        case .wlTouchShape: watch.shape(object, arguments, arrival: now)
        case .wlTouchOrientation: watch.orientation(object, arguments, arrival: now)
        case .wlPointerEnter: watch.pointerEnter(object, arguments, arrival: now)
        case .wlPointerLeave: watch.pointerLeave(object, arrival: now)
        case .wlPointerMotion: watch.pointerMotion(object, arguments, arrival: now)
        case .wlPointerButton: watch.pointerButton(object, arguments, arrival: now)
        case .zwpTabletSeatV2ToolAdded: watch.addTool(arguments.uint(), to: object)
        case .zwpTabletV2Removed: watch.removeTablet(object, arrival: now)
        case .zwpTabletToolV2Type, .zwpTabletToolV2Done, .zwpTabletToolV2Removed, .zwpTabletToolV2ProximityIn,
            .zwpTabletToolV2ProximityOut, .zwpTabletToolV2Down, .zwpTabletToolV2Up, .zwpTabletToolV2Motion,
            .zwpTabletToolV2Pressure, .zwpTabletToolV2Distance, .zwpTabletToolV2Tilt, .zwpTabletToolV2Rotation,
            .zwpTabletToolV2Slider, .zwpTabletToolV2Wheel, .zwpTabletToolV2Button, .zwpTabletToolV2Frame:
            watch.tool(message, of: object, arguments, arrival: now)
        case .wlOutputGeometry: changeOutputs { $0.geometry(object, arguments) }
        case .wlOutputMode: changeOutputs { $0.mode(object, arguments) }
        case .wlOutputScale: changeOutputs { $0.scale(object, arguments.int()) }
        // One that the app has destroyed meanwhile leaves nothing: the next may have its number.
        case .wlSurfaceEnter where scene.surfaces[object] != nil:
            changeOutputs { $0.enter(object, arguments.uint()) }
        case .wlSurfaceLeave: changeOutputs { $0.leave(object, arguments.uint()) }
        case .xdgPopupConfigure: scene.placePopup(object, arguments.int(), arguments.int())
        case .wpFractionalScaleV1PreferredScale: apply(scene.preferScale(arguments.uint(), by: object))
        case .zwpLinuxBufferParamsV1Created: scene.receiveBuffer(arguments.uint(), of: object)
        default: break
        }
    }
}

private enum StaticBytes {
    static let seat: [UInt8] = Array("wl_seat".utf8)
    static let output: [UInt8] = Array("wl_output".utf8)
}
