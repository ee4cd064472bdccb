public import WaylandProtocols
internal import WaylandServer
internal import WaylandServerProtocols

extension StageSurface {
    /// Tells the client that the surface is on this output.
    public func enter(_ output: StageOutput) {
        guard !enteredOutputs.contains(where: { $0 === output }) else { return }
        enteredOutputs.append(output)
        for object in output.objects where object.client === resource.client { resource.sendEnter(output: object) }
    }

    /// Tells the client that the surface is no longer on this output.
    public func leave(_ output: StageOutput) {
        guard enteredOutputs.contains(where: { $0 === output }) else { return }
        enteredOutputs.removeAll { $0 === output }
        for object in output.objects where object.client === resource.client { resource.sendLeave(output: object) }
    }

    /// Tells the client which scale looks best, in 120ths, by whichever protocol it knows: wp_fractional_scale_v1, and the
    /// next whole number by wl_surface version 6.
    public func sendPreferredScale(in120ths scale: UInt32) {
        fractionalScale?.sendPreferredScale(scale: scale)
        resource.sendPreferredBufferScale(factor: Int32((scale + 119) / 120))
    }

    /// Tells the client which buffer transform is cheapest (wl_surface version 6).
    public func sendPreferredTransform(_ transform: WlOutput.Transform) {
        resource.sendPreferredBufferTransform(transform: transform)
    }

    /// What the outputs that the surface is on ask for; the first output's before it is on any.
    var preferred: Preferred {
        let on = enteredOutputs.isEmpty ? Array(stage.outputs.prefix(1)) : enteredOutputs
        let best = on.max { $0.state.scale < $1.state.scale }
        return Preferred(scale120: best?.scale120 ?? 120, transform: best?.state.transform ?? .normal)
    }

    func updatePreferred() {
        let wanted = preferred
        guard wanted != sentPreferred else { return }
        if wanted.scale120 != sentPreferred?.scale120 { sendPreferredScale(in120ths: wanted.scale120) }
        if wanted.transform != sentPreferred?.transform { sendPreferredTransform(wanted.transform) }
        sentPreferred = wanted
    }
}

extension Stage {
    /// Tells every surface on show which outputs it is on, and what they prefer.
    func updateOutputs() {
        for place in placedSurfaces {
            let size = place.surface.size
            for output in outputs {
                let screen = output.logicalSize
                let left = place.x - Double(output.state.x)
                let top = place.y - Double(output.state.y)
                let overlaps =
                    left < Double(screen.width) && top < Double(screen.height) && left + Double(size.width) > 0
                    && top + Double(size.height) > 0
                if overlaps { place.surface.enter(output) } else { place.surface.leave(output) }
            }
            place.surface.updatePreferred()
        }
    }

    /// A surface on show, and where its corner stands in the layout.
    struct PlacedSurface {
        var surface: StageSurface
        var x: Double
        var y: Double
    }

    /// All surfaces on show, lowest first.
    var placedSurfaces: [PlacedSurface] {
        var placed: [PlacedSurface] = []
        func add(_ surface: StageSurface, _ x: Double, _ y: Double) {
            guard surface.picture != nil else { return }
            for one in surface.stack {
                if one === surface {
                    placed.append(PlacedSurface(surface: surface, x: x, y: y))
                } else if case .subsurface(let role) = one.role {
                    add(one, x + Double(role.position.x), y + Double(role.position.y))
                }
            }
        }
        func add(layer: ZwlrLayerShellV1.Layer) {
            for one in layers where one.layer == layer { add(one.surface, one.origin.x, one.origin.y) }
        }
        add(layer: .background)
        add(layer: .bottom)
        for window in windows {
            add(
                window.surface, Double(window.position.x) - Double(window.geometry?.x ?? 0),
                Double(window.position.y) - Double(window.geometry?.y ?? 0))
        }
        add(layer: .top)
        add(layer: .overlay)
        return placed
    }

    /// The highest surface that takes input at this point of the layout, and the point in its own px.
    func surface(at x: Double, _ y: Double) -> (surface: StageSurface, x: Double, y: Double)? {
        for place in placedSurfaces.reversed() {
            let localX = x - place.x
            let localY = y - place.y
            let size = place.surface.size
            guard localX >= 0, localY >= 0, localX < Double(size.width), localY < Double(size.height) else { continue }
            if let region = place.surface.inputRegion, !region.contains(x: localX, y: localY) { continue }
            return (place.surface, localX, localY)
        }
        return nil
    }

    /// Where a surface's corner stands in the layout; nil when it is not on show.
    func origin(of surface: StageSurface) -> (x: Double, y: Double)? {
        placedSurfaces.first { $0.surface === surface }.map { ($0.x, $0.y) }
    }

    // MARK: Pixels

    /// What the user sees on an output (the first by default): all surfaces with their viewports, scales and transforms over
    /// the background, at the output's own resolution, upright whatever its transform. Scaled with the nearest pixel.
    public func screenshot(_ output: StageOutput? = nil) -> Picture {
        checkHeldBuffers()
        guard let output = output ?? outputs.first else { return Picture(width: 0, height: 0) }
        let size = output.uprightSize
        var picture = Picture(width: Int(size.width), height: Int(size.height), fill: options.background)
        let scale = output.state.scale
        for place in placedSurfaces {
            guard let content = place.surface.picture, let mapping = place.surface.current.mapping else { continue }
            let x = place.x - Double(output.state.x)
            let y = place.y - Double(output.state.y)
            let surfaceSize = mapping.surfaceSize
            let left = (x * scale).rounded()
            let top = (y * scale).rounded()
            let right = ((x + Double(surfaceSize.width)) * scale).rounded()
            let bottom = ((y + Double(surfaceSize.height)) * scale).rounded()
            // Cut to the screen before they become whole numbers: clients give sizes and places of all 32 bits.
            let shownLeft = Int32(min(max(left, 0), Double(size.width)))
            let shownTop = Int32(min(max(top, 0), Double(size.height)))
            let target = StageRect(
                x: shownLeft, y: shownTop, width: Int32(min(max(right, 0), Double(size.width))) - shownLeft,
                height: Int32(min(max(bottom, 0), Double(size.height))) - shownTop)
            guard !target.isEmpty else { continue }
            // What lies between whole pixels is stretched to them, as wlroots does.
            let map = Affine.shift(-left, -top)
                .then(.scale(Double(surfaceSize.width) / (right - left), Double(surfaceSize.height) / (bottom - top)))
                .then(mapping.intoBuffer)
            picture.composite(content, into: target, map: map)
        }
        return picture
    }
}
