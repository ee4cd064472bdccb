internal import WaylandClient
internal import WaylandProtocols

/// One output, as the compositor describes it.
package struct OutputFacts: Equatable, Sendable {
    /// The registry's number.
    package var global: UInt32
    /// Such as `DP-1`; empty when neither wl_output version 4 nor xdg_output version 2 tells it.
    package var name = ""
    /// What wl_surface falls back to for its scale; 1 before wl_output version 2.
    package var scale: Int32 = 1
    package var transform: Int32 = 0
    /// The current mode in physical pixels.
    package var width: Int32 = 0
    package var height: Int32 = 0
    /// 0 when unknown.
    package var physicalWidth: Int32 = 0
    package var physicalHeight: Int32 = 0
}

/// The outputs there are now. Changes take effect with wl_output.done, as the protocol asks.
final class Outputs {
    private final class Entry {
        let output: WlOutput
        /// Asked for the name alone, where wl_output does not tell it.
        var naming: ZxdgOutputV1?
        var pending: OutputFacts
        var facts: OutputFacts

        init(_ output: WlOutput, global: UInt32) {
            self.output = output
            pending = OutputFacts(global: global)
            facts = pending
        }
    }

    private var entries: [Entry] = []
    /// Set before the first output is added.
    var manager: ZxdgOutputManagerV1?
    /// An output came, went or changed.
    var onChange: (() -> Void)?

    func add(_ global: Globals.Global, _ globals: Globals) {
        guard let output = globals.bind(global, WlOutput.self, versions: 1...4) else { return }
        let entry = Entry(output, global: global.name)
        entries.append(entry)
        // SAFETY: the handler goes with its output, in `remove` or with the connection, and `entries` goes with self;
        // both end with the window, which ends the outputs first.
        output.onEvent = { [unowned(unsafe) self, unowned(unsafe) entry] event in
            unsafe self.receive(event, entry)
        }
        guard output.version < WlOutput.Since.name, let manager, manager.version >= ZxdgOutputV1.Since.name else {
            return
        }
        let naming = manager.getXdgOutput(output: output)
        entry.naming = naming
        // SAFETY: as above; it ends with its output.
        naming.onEvent = { [unowned(unsafe) self, unowned(unsafe) entry] event in
            guard case .name(let name) = event else { return }
            unsafe entry.pending.name = name
            unsafe self.commit(entry)
        }
    }

    func remove(global: UInt32) {
        guard let index = entries.firstIndex(where: { $0.facts.global == global }) else { return }
        Outputs.end(entries.remove(at: index))
        onChange?()
    }

    /// Releases all of them; no handler runs afterwards.
    func end() {
        for entry in entries { Outputs.end(entry) }
        entries.removeAll()
        manager?.destroy()
        manager = nil
        onChange = nil
    }

    private static func end(_ entry: Entry) {
        entry.naming?.destroy()
        entry.output.release()
    }

    var all: [OutputFacts] { entries.map { $0.facts } }

    func find(name: String) -> WlOutput? { entries.first { $0.facts.name == name }?.output }

    func facts(of output: WlOutput) -> OutputFacts? { entries.first { $0.output === output }?.facts }

    private func receive(_ event: WlOutput.Event, _ entry: Entry) {
        switch event {
        case .geometry(_, _, let width, let height, _, _, _, let transform):
            entry.pending.physicalWidth = width
            entry.pending.physicalHeight = height
            entry.pending.transform = Int32(bitPattern: transform.rawValue)
        case .mode(let flags, let width, let height, _):
            guard flags.contains(.current) else { return }
            entry.pending.width = width
            entry.pending.height = height
        case .scale(let factor): entry.pending.scale = max(1, factor)
        case .name(let name): entry.pending.name = name
        case .description: break
        case .done: commit(entry)
        }
        // Version 1 has no done event: each change stands alone.
        if entry.output.version < WlOutput.Since.done { commit(entry) }
    }

    private func commit(_ entry: Entry) {
        guard entry.facts != entry.pending else { return }
        entry.facts = entry.pending
        onChange?()
    }
}
