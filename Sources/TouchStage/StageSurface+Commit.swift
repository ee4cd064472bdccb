internal import WaylandProtocols
internal import WaylandServerProtocols
internal import WaylandServer

extension StageSurface {
    func commit() {
        var update = pending
        pending = SurfaceUpdate()
        // The compositor owns the buffer from here, even while a synchronised subsurface waits for its parent.
        if case .buffer(let buffer) = update.content { update.content = .held(buffer, buffer.hold()) }
        guard case .subsurface(let role) = role, role.isSynchronized else { return apply(update) }
        if let skipped = cached.add(update), stage.options.releases != .manual { skipped.release() }
    }

    func apply(_ update: SurfaceUpdate) {
        guard mayCommit(update) else { return }
        commitCount += 1
        let before = current
        current.scale = update.scale ?? current.scale
        current.transform = update.transform ?? current.transform
        current.source = update.source ?? current.source
        current.destination = update.destination ?? current.destination
        current.inputRegion = update.inputRegion ?? current.inputRegion
        current.opaqueRegion = update.opaqueRegion ?? current.opaqueRegion
        current.callbacks += update.callbacks

        switch update.content {
        case .held(let buffer, let picture):
            current.buffer = buffer
            current.picture = picture
            contentCount += 1
        case .nothing, .buffer:
            current.buffer = nil
            current.picture = nil
            current.mapping = nil
        case nil: break
        }
        if let picture = current.picture {
            let mapping = BufferMapping(
                bufferWidth: Int32(picture.width), bufferHeight: Int32(picture.height), transform: current.transform,
                scale: current.scale, source: current.source, destination: current.destination)
            guard isValid(mapping) else { return }
            current.mapping = mapping
        }
        if !update.feedbacks.isEmpty || update.content != nil {
            for feedback in current.feedbacks {
                feedback.sendDiscarded()
                feedback.destroy()
            }
            current.feedbacks = update.feedbacks
        }
        if update.content != nil {
            checkDamage(update, before)
            if let old = before.buffer, old !== current.buffer { old.wasReplaced(stage) }
            if stage.options.releases == .atOnce { current.buffer?.release() }
        }
        applyChildren()
        finishCommit(hadContent: before.picture != nil)
    }

    private func applyChildren() {
        if let pendingStack {
            stack = pendingStack
            self.pendingStack = nil
        }
        for child in stack where child !== self {
            guard case .subsurface(let role) = child.role else { continue }
            role.applyPosition()
            guard role.isSynchronized else { continue }
            let update = child.cached
            child.cached = SurfaceUpdate()
            if !update.isEmpty { child.apply(update) }
        }
    }

    private func finishCommit(hadContent: Bool) {
        switch role {
        case .window(let window): window.committed(hadContent: hadContent)
        case .layer(let layer): layer.committed(hadContent: hadContent)
        case .popup: stage.dismissPopup(self)
        default: break
        }
        if stage.options.entersAutomatically { stage.updateOutputs() }
        stage.onCommit?(self)
    }

    // MARK: Checks

    private func mayCommit(_ update: SurfaceUpdate) -> Bool {
        guard case .held(let buffer, _) = update.content else { return true }
        let unready: (Bool, String, () -> Void)
        switch role {
        case .window(let window):
            unready = (
                !window.configures.isAcknowledged, "xdg_surface",
                { [stage] in
                    stage.refuse(
                        window.xdgSurface, code: XdgSurface.Error.unconfiguredBuffer.rawValue, .bufferBeforeConfigure,
                        "a buffer was committed before the first configure was acknowledged")
                }
            )
        case .layer(let layer):
            unready = (
                !layer.configures.isAcknowledged, "zwlr_layer_surface_v1",
                { [stage] in
                    stage.refuse(
                        layer.resource, code: ZwlrLayerSurfaceV1.Error.invalidSurfaceState.rawValue,
                        .bufferBeforeConfigure,
                        "a buffer was committed before the first configure was acknowledged")
                }
            )
        default: return true
        }
        guard unready.0 else { return true }
        unready.2()
        buffer.wasReplaced(stage)
        return false
    }

    private func isValid(_ mapping: BufferMapping) -> Bool {
        let upright = mapping.uprightSize
        let scale = Double(mapping.scale)
        // Cursors are excused: old themes come in sizes that no scale divides.
        var isCursor = false
        if case .cursor = role { isCursor = true }
        if !isCursor,
            upright.width.truncatingRemainder(dividingBy: scale) != 0
                || upright.height.truncatingRemainder(dividingBy: scale) != 0
        {
            stage.refuse(
                resource, code: WlSurface.Error.invalidSize.rawValue,
                "a buffer of \(mapping.bufferWidth)x\(mapping.bufferHeight) px at scale \(mapping.scale)")
            return false
        }
        guard let source = mapping.source, let viewport else { return true }
        let slack = 1.0 / 512
        if source.x + source.width > upright.width / scale + slack
            || source.y + source.height > upright.height / scale + slack
        {
            stage.refuse(
                viewport, code: WpViewport.Error.outOfBuffer.rawValue,
                "source \(source.width)x\(source.height) at (\(source.x), \(source.y)) is outside of the buffer")
            return false
        }
        if mapping.destination == nil,
            source.width.rounded() != source.width || source.height.rounded() != source.height
        {
            stage.refuse(
                viewport, code: WpViewport.Error.badSize.rawValue,
                "source \(source.width)x\(source.height) without a destination")
            return false
        }
        return true
    }

    /// The declared damage, and whether all that differs from the frame before lies in it.
    private func checkDamage(_ update: SurfaceUpdate, _ before: State) {
        guard let picture = current.picture, let mapping = current.mapping else {
            damage = []
            return
        }
        let all = StageRect(x: 0, y: 0, width: mapping.bufferWidth, height: mapping.bufferHeight)
        damage =
            (update.surfaceDamage.map(mapping.bufferRect) + update.bufferDamage.map { $0.intersection(all) })
            .filter { !$0.isEmpty }
        guard let old = before.picture, old.width == picture.width, old.height == picture.height,
            before.mapping == mapping
        else {
            // All of it is new. Compositors repaint the surface then, but only where some damage calls for it.
            if damage.isEmpty {
                noteUndamaged("new content of \(picture.width)x\(picture.height) px without any damage")
            }
            return
        }
        var patched = old
        for rect in damage { patched.copy(rect, from: picture) }
        guard patched != picture, let bounds = patched.boundsOfDifferences(picture) else { return }
        noteUndamaged(
            "pixels changed outside of the damage, within \(bounds.width)x\(bounds.height) buffer px at "
                + "(\(bounds.x), \(bounds.y)); declared: "
                + (damage.isEmpty
                    ? "nothing" : damage.map { "\($0.width)x\($0.height)+\($0.x)+\($0.y)" }.joined(separator: " ")))
    }

    private func noteUndamaged(_ text: String) {
        stage.note(
            Violation(kind: .undamagedChange, interface: "wl_surface", objectID: resource.objectID, text: text))
    }

    // MARK: Frames

    /// Answers what waits; returns how many callbacks there were.
    func answerFrame(time: UInt32, instant: Int64, number: UInt64) -> Int {
        guard !isHidden else { return 0 }
        let callbacks = current.callbacks
        current.callbacks = []
        for callback in callbacks {
            callback.sendDone(callbackData: time)
            callback.destroy()
        }
        let feedbacks = current.feedbacks
        current.feedbacks = []
        for feedback in feedbacks {
            for output in enteredOutputs {
                for object in output.objects where object.client === feedback.client {
                    feedback.sendSyncOutput(output: object)
                }
            }
            let seconds = UInt64(instant / 1_000_000_000)
            let refresh = enteredOutputs.first.map { $0.state.refreshMilliHertz } ?? 60_000
            feedback.sendPresented(
                tvSecHi: UInt32(seconds >> 32), tvSecLo: UInt32(truncatingIfNeeded: seconds),
                tvNsec: UInt32(instant % 1_000_000_000),
                refresh: refresh > 0 ? UInt32(1_000_000_000_000 / Int64(refresh)) : 0,
                seqHi: UInt32(number >> 32), seqLo: UInt32(truncatingIfNeeded: number), flags: .vsync)
            feedback.destroy()
        }
        return callbacks.count
    }
}

extension SurfaceUpdate {
    var isEmpty: Bool {
        content == nil && surfaceDamage.isEmpty && bufferDamage.isEmpty && callbacks.isEmpty && feedbacks.isEmpty
            && scale == nil && transform == nil && source == nil && destination == nil && inputRegion == nil
            && opaqueRegion == nil
    }
}

extension StageBuffer {
    /// Another took its place.
    fileprivate func wasReplaced(_ stage: Stage) {
        check()
        if stage.options.releases != .manual { release() }
    }
}
