internal import Gestures
internal import WaylandProtocols

/// The tablets of one seat, by zwp_tablet_seat_v2: its objects, and what its pens say. Tools that have no tip, pucks,
/// say where they are and no more. Pads (buttons, rings, strips) are no touches and are let go.
final class TabletInput {
    private struct Tool {
        let number: Int32
        let object: ZwpTabletToolV2
        var type = ZwpTabletToolV2.TypeValue.pen
        /// The one that sees it.
        var tablet: ZwpTabletV2?
        let cursor: PointerCursor?
    }

    private let seat: ZwpTabletSeatV2
    private let surfaces: SurfaceTargets
    private let cursors: Cursors?
    private let clock: () -> Instant
    private var tablets: [ZwpTabletV2] = []
    private var tools: [Tool] = []
    private var pads: [(pad: ZwpTabletPadV2, groups: [ZwpTabletPadGroupV2])] = []
    private var toolCount: Int32 = 0

    var onEvent: ((RawToolEvent) -> Void)?
    /// The tool of this number is gone with its tablet.
    var onLost: ((Int32) -> Void)?

    init(
        _ seat: ZwpTabletSeatV2, surfaces: SurfaceTargets, cursors: Cursors?, clock: @escaping () -> Instant
    ) {
        self.seat = seat
        self.surfaces = surfaces
        self.cursors = cursors
        self.clock = clock
        // Handlers hold this and their objects; the cycles are broken by `end`, or by the end of the connection.
        seat.onEvent = { event in
            switch event {
            case .tabletAdded(let tablet): self.add(tablet)
            case .toolAdded(let tool): self.add(tool)
            case .padAdded(let pad): self.add(pad)
            }
        }
    }

    /// The seat is gone. Says nothing of its tools any more.
    func end() {
        onEvent = nil
        onLost = nil
        for tool in tools {
            tool.cursor?.end()
            tool.object.destroy()
        }
        for pad in pads { endPad(pad.pad, pad.groups) }
        for tablet in tablets { tablet.destroy() }
        tools.removeAll()
        pads.removeAll()
        tablets.removeAll()
        seat.destroy()
    }

    // MARK: Tablets and pads

    private func add(_ tablet: ZwpTabletV2) {
        tablets.append(tablet)
        tablet.onEvent = { event in
            if case .removed = event { self.remove(tablet) }
        }
    }

    private func remove(_ tablet: ZwpTabletV2) {
        tablets.removeAll { $0 === tablet }
        for index in tools.indices where tools[index].tablet === tablet {
            tools[index].tablet = nil
            onLost?(tools[index].number)
        }
        tablet.destroy()
    }

    /// A pad is kept until it has announced its groups, and these their rings, strips and dials, which end unheard: objects
    /// announced by one that has ended already would leave a hole in the compositor's numbers.
    private func add(_ pad: ZwpTabletPadV2) {
        pads.append((pad, []))
        pad.onEvent = { event in
            guard let index = self.pads.firstIndex(where: { $0.pad === pad }) else { return }
            switch event {
            case .group(let group): self.pads[index].groups.append(group)
            case .done, .removed:
                let entry = self.pads.remove(at: index)
                self.endPad(entry.pad, entry.groups)
            default: break
            }
        }
    }

    private func endPad(_ pad: ZwpTabletPadV2, _ groups: [ZwpTabletPadGroupV2]) {
        for group in groups { group.destroy() }
        pad.destroy()
    }

    // MARK: Tools

    private func add(_ object: ZwpTabletToolV2) {
        toolCount += 1
        let number = toolCount
        tools.append(Tool(number: number, object: object, cursor: cursors?.cursor(of: object)))
        object.onEvent = { event in self.receive(event, number) }
    }

    private func receive(_ event: ZwpTabletToolV2.Event, _ number: Int32) {
        guard let index = tools.firstIndex(where: { $0.number == number }) else { return }
        switch event {
        case .type(let type): tools[index].type = type
        case .done: say(.added, index)
        case .removed:
            say(.removed, index)
            end(number)
        case .proximityIn(let serial, let tablet, let surface):
            tools[index].tablet = tablet
            tools[index].cursor?.show(serial: serial)
            say(.proximityIn(target: surfaces.target(of: surface)), index)
        case .proximityOut:
            tools[index].tablet = nil
            say(.proximityOut, index)
        case .down: say(.down, index)
        case .up: say(.up, index)
        case .motion(let x, let y): say(.motion(Point(x: x, y: y)), index)
        case .pressure(let pressure): say(.pressure(pressure), index)
        case .distance(let distance): say(.distance(distance), index)
        case .tilt(let x, let y): say(.tilt(Contact.Tilt(x: x, y: y)), index)
        case .rotation(let degrees): say(.rotation(degrees), index)
        case .slider(let position): say(.slider(position), index)
        case .wheel(let degrees, let clicks): say(.wheel(degrees: degrees, clicks: clicks), index)
        case .button(_, let button, let state): say(.button(button, isPressed: state == .pressed), index)
        case .frame(let time): say(.frame(time: time), index)
        case .hardwareSerial, .hardwareIdWacom, .capability: break
        }
    }

    private func say(_ kind: RawToolEvent.Kind, _ index: Int) {
        let tool = tools[index]
        onEvent?(RawToolEvent(kind: kind, tool: tool.number, type: tool.type, arrival: clock()))
    }

    private func end(_ number: Int32) {
        // A handler may have ended everything.
        guard let index = tools.firstIndex(where: { $0.number == number }) else { return }
        let tool = tools.remove(at: index)
        tool.cursor?.end()
        tool.object.destroy()
    }
}
