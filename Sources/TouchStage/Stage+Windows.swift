internal import WaylandProtocols
internal import WaylandServer
internal import WaylandServerProtocols

extension Stage {
    func serve(_ manager: XdgWmBaseResource) {
        windowManagers.append(manager)
        manager.onDestroy = { [unowned self] in windowManagers.removeAll { $0 === manager } }
        manager.onRequest = { [unowned self, unowned manager] request in
            switch request {
            case .getXdgSurface(let xdgSurface, let resource):
                guard let surface = surface(resource) else { return }
                guard surface.isFreeForWindow else {
                    return refuse(
                        manager, code: XdgWmBase.Error.role.rawValue,
                        "wl_surface#\(surface.resource.objectID) has a role already")
                }
                guard surface.picture == nil else {
                    return refuse(
                        manager, code: XdgWmBase.Error.invalidSurfaceState.rawValue, .bufferBeforeConfigure,
                        "wl_surface#\(surface.resource.objectID) has a buffer already")
                }
                serve(xdgSurface, surface)
            case .pong(let serial): unansweredPings.remove(serial)
            default: break
            }
        }
    }

    private func serve(_ xdgSurface: XdgSurfaceResource, _ surface: StageSurface) {
        xdgSurface.onRequest = { [unowned self, unowned xdgSurface, weak surface] request in
            guard let surface else { return }
            switch request {
            case .getToplevel(let toplevel):
                guard surface.isFreeForWindow else {
                    return refuse(
                        xdgSurface, code: XdgSurface.Error.alreadyConstructed.rawValue,
                        "a second role for one xdg_surface")
                }
                let window = StageWindow(stage: self, surface: surface, xdgSurface: xdgSurface, toplevel: toplevel)
                surface.role = .window(window)
                windows.append(window)
                windowOf[ObjectIdentifier(toplevel)] = window
            case .getPopup(let popup, _, _):
                surface.role = .popup
                popups.append((popup, surface))
                popup.onDestroy = { [unowned self, unowned popup] in popups.removeAll { $0.popup === popup } }
            default:
                if case .window(let window) = surface.role { return window.receive(request) }
                if case .ackConfigure = request, case .none = surface.role {
                    refuse(xdgSurface, code: XdgSurface.Error.notConstructed.rawValue, "no toplevel or popup yet")
                }
            }
        }
    }

    /// The stage shows no popups: it says so as when the user clicked elsewhere.
    func dismissPopup(_ surface: StageSurface) {
        for (popup, owner) in popups where owner === surface { popup.sendPopupDone() }
    }

    /// Notes what is wrong with an acknowledgement.
    func judge(_ answer: ConfigureLedger.Answer, _ serial: UInt32, _ resource: Resource, code: UInt32) {
        switch answer {
        case .good: break
        case .unknown:
            refuse(
                resource, code: code, .unknownConfigureSerial, "acknowledged configure \(serial), which was never sent")
        case .stale(let newer):
            refuse(
                resource, code: code, .staleConfigureSerial,
                "acknowledged configure \(serial) after the newer \(newer)")
        }
    }

    func serve(_ shell: ZwlrLayerShellV1Resource) {
        shell.onRequest = { [unowned self, unowned shell] request in
            guard case .getLayerSurface(let resource, let wlSurface, let output, let layer, let name) = request,
                let surface = surface(wlSurface)
            else { return }
            guard surface.isFreeForLayer else {
                return refuse(
                    shell, code: ZwlrLayerShellV1.Error.role.rawValue,
                    "wl_surface#\(surface.resource.objectID) has a role already")
            }
            guard surface.picture == nil else {
                return refuse(
                    shell, code: ZwlrLayerShellV1.Error.alreadyConstructed.rawValue, .bufferBeforeConfigure,
                    "wl_surface#\(surface.resource.objectID) has a buffer already")
            }
            let role = StageLayerSurface(
                stage: self, surface: surface, resource, output: output.flatMap { outputOf[ObjectIdentifier($0)] },
                layer: layer, namespace: name)
            surface.role = .layer(role)
            layers.append(role)
        }
    }
}

extension StageSurface {
    /// A role is for life, but its object may be destroyed and made anew.
    fileprivate var isFreeForWindow: Bool {
        switch role {
        case .none: true
        case .window(let window): !window.toplevel.isAlive
        default: false
        }
    }

    fileprivate var isFreeForLayer: Bool {
        switch role {
        case .none: true
        case .layer(let layer): !layer.resource.isAlive
        default: false
        }
    }
}
