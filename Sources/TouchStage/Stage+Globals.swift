internal import CLibc
internal import WaylandProtocols
internal import WaylandServer
internal import WaylandServerProtocols

extension Stage {
    /// Offers a global, at once or while clients run. False when it is offered already or the version is unknown.
    @discardableResult
    public func offer(_ global: StageGlobal, version: UInt32) -> Bool {
        guard offered[global] == nil, version >= 1, version <= global.newestVersion else { return false }
        offered[global] = make(global, version)
        return offered[global] != nil
    }

    /// Withdraws a global; what clients bound goes on working.
    public func withdraw(_ global: StageGlobal) { offered.removeValue(forKey: global)?.remove() }

    private func make(_ global: StageGlobal, _ version: UInt32) -> ServerGlobal? {
        switch global {
        case .compositor:
            server.addGlobal(WlCompositorResource.self, version: version) { [unowned self] object in
                object.onRequest = { [unowned self] request in
                    switch request {
                    case .createSurface(let surface): add(StageSurface(stage: self, surface))
                    case .createRegion(let region): add(region)
                    default: break
                    }
                }
            }
        case .subcompositor:
            server.addGlobal(WlSubcompositorResource.self, version: version) { [unowned self] object in
                object.onRequest = { [unowned self] request in
                    guard case .getSubsurface(let role, let surface, let parent) = request else { return }
                    makeSubsurface(role, surface, parent, from: object)
                }
            }
        case .shm:
            server.addGlobal(WlShmResource.self, version: version) { [unowned self] object in serve(object) }
        case .windowManager:
            server.addGlobal(XdgWmBaseResource.self, version: version) { [unowned self] object in serve(object) }
        case .viewporter:
            server.addGlobal(WpViewporterResource.self, version: version) { [unowned self] object in
                object.onRequest = { [unowned self] request in
                    guard case .getViewport(let viewport, let surface) = request else { return }
                    self.surface(surface)?.adopt(viewport, from: object)
                }
            }
        case .fractionalScale:
            server.addGlobal(WpFractionalScaleManagerV1Resource.self, version: version) { [unowned self] object in
                object.onRequest = { [unowned self] request in
                    guard case .getFractionalScale(let scale, let surface) = request else { return }
                    self.surface(surface)?.adopt(scale, from: object)
                }
            }
        case .presentation:
            server.addGlobal(WpPresentationResource.self, version: version) { [unowned self] object in
                object.sendClockId(clkId: options.presentationClock)
                object.onRequest = { [unowned self] request in
                    guard case .feedback(let surface, let feedback) = request else { return }
                    self.surface(surface)?.pending.feedbacks.append(feedback)
                }
            }
        case .decoration:
            server.addGlobal(ZxdgDecorationManagerV1Resource.self, version: version) { [unowned self] object in
                object.onRequest = { [unowned self] request in
                    guard case .getToplevelDecoration(let decoration, let toplevel) = request else { return }
                    window(toplevel)?.adopt(decoration)
                }
            }
        case .cursorShape:
            server.addGlobal(WpCursorShapeManagerV1Resource.self, version: version) { [unowned self] object in
                object.onRequest = { [unowned self] request in
                    switch request {
                    case .getPointer(let device, let pointer):
                        let seat = seats.first { $0.pointer.objects.contains { $0 === pointer } }
                        device.onRequest = { [weak seat] request in
                            if case .setShape(_, let shape) = request { seat?.pointer.cursorShape = shape }
                        }
                    case .getTabletToolV2(let device, let tool):
                        let pens = seats.flatMap(\.tablets.pens)
                        let pen = pens.first { $0.objects.contains { $0 === tool } }
                        device.onRequest = { [weak pen] request in
                            if case .setShape(_, let shape) = request { pen?.cursorShape = shape }
                        }
                    default: break
                    }
                }
            }
        case .tablets:
            server.addGlobal(ZwpTabletManagerV2Resource.self, version: version) { [unowned self] object in
                object.onRequest = { [unowned self] request in
                    guard case .getTabletSeat(let tablets, let seat) = request else { return }
                    seats.first { $0.objects.contains { $0 === seat } }?.tablets.add(tablets)
                }
            }
        case .layerShell:
            server.addGlobal(ZwlrLayerShellV1Resource.self, version: version) { [unowned self] object in serve(object) }
        case .singlePixelBuffer:
            server.addGlobal(WpSinglePixelBufferManagerV1Resource.self, version: version) { [unowned self] object in
                object.onRequest = { [unowned self] request in
                    guard case .createU32RgbaBuffer(let buffer, let r, let g, let b, let a) = request else { return }
                    let pixel = (a >> 24) << 24 | (r >> 24) << 16 | (g >> 24) << 8 | b >> 24
                    add(StageBuffer(stage: self, buffer, pixel: pixel))
                }
            }
        case .outputManager:
            server.addGlobal(ZxdgOutputManagerV1Resource.self, version: version) { [unowned self] object in
                object.onRequest = { [unowned self] request in
                    guard case .getXdgOutput(let description, let output) = request, let output,
                        let found = outputOf[ObjectIdentifier(output)]
                    else { return }
                    outputManagers.append((description, found))
                    description.onDestroy = { [unowned self] in outputManagers.removeAll { $0.object === description } }
                    found.describe(to: description)
                    // From version 3 on the output's own done ends this description as well.
                    if description.version >= 3 { output.sendDone() }
                }
            }
        case .idleInhibit:
            server.addGlobal(ZwpIdleInhibitManagerV1Resource.self, version: version) { [unowned self] object in
                object.onRequest = { [unowned self] request in
                    guard case .createInhibitor(let inhibitor, _) = request else { return }
                    idleInhibitorCount += 1
                    inhibitor.onDestroy = { [unowned self] in idleInhibitorCount -= 1 }
                }
            }
        case .dataDevice:
            server.addGlobal(WlDataDeviceManagerResource.self, version: version) { _ in }
        }
    }

    func surface(_ resource: WlSurfaceResource?) -> StageSurface? {
        resource.flatMap { surfaceOf[ObjectIdentifier($0)] }
    }

    func window(_ resource: XdgToplevelResource?) -> StageWindow? {
        resource.flatMap { windowOf[ObjectIdentifier($0)] }
    }

    private func add(_ surface: StageSurface) {
        guard surface.resource.isAlive else { return }
        surfaces.append(surface)
        surfaceOf[ObjectIdentifier(surface.resource)] = surface
    }

    func add(_ buffer: StageBuffer) {
        guard buffer.resource.isAlive else { return }
        buffers.append(buffer)
        bufferOf[ObjectIdentifier(buffer.resource)] = buffer
    }

    private func add(_ region: WlRegionResource) {
        let key = ObjectIdentifier(region)
        regionOf[key] = StageRegion()
        region.onRequest = { [unowned self] request in
            switch request {
            case .add(let x, let y, let width, let height):
                let rect = StageRect(x: x, y: y, width: width, height: height)
                regionOf[key]?.steps.append(StageRegion.Step(rect: rect, adds: true))
            case .subtract(let x, let y, let width, let height):
                let rect = StageRect(x: x, y: y, width: width, height: height)
                regionOf[key]?.steps.append(StageRegion.Step(rect: rect, adds: false))
            default: break
            }
        }
        region.onDestroy = { [unowned self] in regionOf[key] = nil }
    }
}
