internal import Input
internal import Ripples
internal import WaylandClient
internal import WaylandProtocols

/// The start: globals, then what they tell, then the window.
extension WindowSession {
    func advanceStart() throws(Failure) {
        if stage == .announcing, globals.isComplete {
            do throws(ConnectionError) { try bind() } catch { throw Failure(error) }
            // SAFETY: see the type's comment.
            connection.display.sync().onEvent = { [unowned(unsafe) self] _ in unsafe self.isDescribed = true }
            stage = .describing
        }
        if stage == .describing, isDescribed {
            if settings.run.isVerbose, let shortcoming = touchShortcoming { complain("fingerwave: \(shortcoming)\n") }
            try openWindow()
            stage = .running
        }
    }

    private func bind() throws(ConnectionError) {
        let parts = try WindowGlobals(globals)
        if settings.run.isVerbose {
            for shortcoming in parts.shortcomings { complain("fingerwave: \(shortcoming)\n") }
        }
        var size: (width: Int32, height: Int32)?
        if let wanted = settings.window.size {
            size = (wanted.width, wanted.height)
        } else if let recorded = replay?.size {
            size = recorded
        }
        let window = Window(
            parts, outputs: outputs, size: size, background: Color(settings.look.background) ?? .black)
        self.window = window
        targets.register(window.surface)
        cursors = Cursors(
            shapes: globals.bindIfOffered(WpCursorShapeManagerV1.self, versions: 1...1),
            compositor: parts.compositor, shm: parts.shm)
        tablets = parts.tablets
        // SAFETY: see the type's comment.
        window.onClose = { [unowned(unsafe) self] in unsafe self.isClosed = true }
        window.onOutputChange = { [unowned(unsafe) self] in unsafe self.fitSeats() }
        outputs.manager = globals.bindIfOffered(ZxdgOutputManagerV1.self, versions: 1...3)
        // SAFETY: see the type's comment.
        outputs.onChange = { [unowned(unsafe) self] in unsafe self.updateScales() }
        for global in globals.all { add(global) }
        globals.onAdded = { [unowned(unsafe) self] global in unsafe self.add(global) }
        globals.onRemoved = { [unowned(unsafe) self] global in unsafe self.remove(global) }
    }

    private func add(_ global: Globals.Global) {
        switch global.interface {
        case WlOutput.interface.name: outputs.add(global, globals)
        case WlSeat.interface.name:
            recording?.isStale = true
            addSeat(global)
        default: break
        }
    }

    private func remove(_ global: Globals.Global) {
        recording?.isStale = true
        outputs.remove(global: global.name)
        guard let index = seats.firstIndex(where: { $0.global == global.name }) else { return }
        let seat = seats.remove(at: index)
        end(seat)
        inspection?.removeSeat(seat)
    }

    private func updateScales() {
        recording?.isStale = true
        window?.updateScale()
        fitSeats()
        cursors?.setScale(outputs.all.map { $0.scale }.max() ?? 1)
    }

    private func openWindow() throws(Failure) {
        var target: WlOutput?
        if let name = settings.window.output {
            target = outputs.find(name: name)
            if target == nil { throw .unknownOutput(name, known: outputs.all.map { $0.name }) }
        }
        window?.open(
            title: replay?.title() ?? "FingerWave", appID: "fingerwave", fullscreen: settings.window.isFullscreen,
            on: target)
    }
}

extension Failure {
    static func unknownOutput(_ name: String, known: [String]) -> Failure {
        let known = known.filter { !$0.isEmpty }
        return Failure(
            "cannot use the output \(name)", why: "there is none of this name",
            remedy: known.isEmpty
                ? "this compositor names no outputs (wl_output version 4 or xdg_output version 2)"
                : "there is " + known.joined(separator: ", "),
            code: .usage)
    }
}
