internal import Gestures
internal import WaylandClient
internal import WaylandProtocols

/// The outputs there are now. Changes take effect with wl_output.done, as the protocol asks.
final class Outputs {
    private final class Entry {
        let output: WlOutput
        /// Asked where wl_output does not tell all that is wanted.
        var layout: ZxdgOutputV1?
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
    /// Set before the first output is added: each one's size in the layout is asked for.
    var wantsLayout = false
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
        guard let manager else { return }
        let wantsName = output.version < WlOutput.Since.name && manager.version >= ZxdgOutputV1.Since.name
        guard wantsLayout || wantsName else { return }
        let layout = manager.getXdgOutput(output: output)
        entry.layout = layout
        // SAFETY: as above; it ends with its output.
        layout.onEvent = { [unowned(unsafe) self, unowned(unsafe) entry] event in
            unsafe self.receive(event, entry)
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
        entry.layout?.destroy()
        entry.output.release()
    }

    var all: [OutputFacts] { entries.map { $0.facts } }

    /// Without a list of all: touches ask for it.
    var first: OutputFacts? { entries.first?.facts }

    func facts(named name: String) -> OutputFacts? { entries.first { $0.facts.name == name }?.facts }

    func facts(global: UInt32) -> OutputFacts? { entries.first { $0.facts.global == global }?.facts }

    func find(name: String) -> WlOutput? { entries.first { $0.facts.name == name }?.output }

    func find(global: UInt32) -> WlOutput? { entries.first { $0.facts.global == global }?.output }

    func facts(of output: WlOutput) -> OutputFacts? { entries.first { $0.output === output }?.facts }

    private func receive(_ event: WlOutput.Event, _ entry: Entry) {
        switch event {
        case .geometry(_, _, let width, let height, _, let make, let model, let transform):
            entry.pending.physicalWidth = width
            entry.pending.physicalHeight = height
            entry.pending.make = make
            entry.pending.model = model
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

    private func receive(_ event: ZxdgOutputV1.Event, _ entry: Entry) {
        switch event {
        case .logicalSize(let width, let height):
            entry.pending.layoutSize = Size(width: Double(width), height: Double(height))
        case .name(let name):
            // wl_output's is the same where it tells one; where it does not, nothing else depends on it.
            guard entry.output.version < WlOutput.Since.name else { return }
            entry.pending.name = name
            commit(entry)
        case .logicalPosition, .description, .done: break
        }
        // From version 3 on wl_output.done ends these too; what an older one says stands alone. The first size counts at once:
        // not every compositor sends another done after it.
        guard let layout = entry.layout else { return }
        if layout.version < 3 || entry.output.version < WlOutput.Since.done {
            commit(entry)
        } else if entry.facts.layoutSize == nil, entry.pending.layoutSize != nil {
            entry.facts.layoutSize = entry.pending.layoutSize
            onChange?()
        }
    }

    private func commit(_ entry: Entry) {
        guard entry.facts != entry.pending else { return }
        entry.facts = entry.pending
        onChange?()
    }
}
