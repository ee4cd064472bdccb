public import WaylandProtocols
internal import WaylandServer
public import WaylandServerProtocols

/// The drawing tablets of a seat, with their pens and pads. A seat has none at first.
///
/// Nothing is sent but what is called for: a pen's ``StagePen/frame(time:)`` too is the caller's.
public final class StageTablets {
    public private(set) var tablets: [StageTablet] = []
    public private(set) var pens: [StagePen] = []
    public private(set) var pads: [StagePad] = []
    /// What clients made of this seat's tablets.
    public private(set) var objects: [ZwpTabletSeatV2Resource] = []

    /// A script's, by its numbers.
    var numbered: [Int32: StagePen] = [:]

    private unowned let stage: Stage

    init(stage: Stage) { self.stage = stage }

    func add(_ object: ZwpTabletSeatV2Resource) {
        objects.append(object)
        object.onDestroy = { [unowned self, unowned object] in objects.removeAll { $0 === object } }
        for tablet in tablets { tablet.announce(to: object) }
        for pen in pens { pen.announce(to: object) }
        for pad in pads { pad.announce(to: object) }
    }

    /// Plugs a tablet in.
    @discardableResult
    public func addTablet(name: String = "Stage tablet") -> StageTablet {
        let tablet = StageTablet(name: name) { [unowned self] tablet in tablets.removeAll { $0 === tablet } }
        tablets.append(tablet)
        for object in objects { tablet.announce(to: object) }
        return tablet
    }

    /// Makes a pen or another tool known, as compositors do when a tablet first sees it.
    @discardableResult
    public func addPen(
        _ type: ZwpTabletToolV2.TypeValue = .pen,
        capabilities: [ZwpTabletToolV2.Capability] = [.tilt, .pressure, .distance]
    ) -> StagePen {
        let pen = StagePen(stage: stage, type: type, capabilities: capabilities) { [unowned self] pen in
            pens.removeAll { $0 === pen }
        }
        pens.append(pen)
        for object in objects { pen.announce(to: object) }
        return pen
    }

    /// Plugs in a pad with one group of a ring and a strip, and a dial for clients of version 2.
    @discardableResult
    public func addPad() -> StagePad {
        let pad = StagePad()
        pads.append(pad)
        for object in objects { pad.announce(to: object) }
        return pad
    }

    func forget(_ surface: StageSurface) {
        for pen in pens { pen.forget(surface) }
    }
}

/// A tablet that is plugged in.
public final class StageTablet {
    public let name: String
    public private(set) var objects: [ZwpTabletV2Resource] = []
    private let onRemove: (StageTablet) -> Void

    init(name: String, onRemove: @escaping (StageTablet) -> Void) {
        self.name = name
        self.onRemove = onRemove
    }

    func announce(to seat: ZwpTabletSeatV2Resource) {
        guard let object = seat.sendTabletAdded() else { return }
        objects.append(object)
        object.onDestroy = { [unowned self, unowned object] in objects.removeAll { $0 === object } }
        object.sendName(name: name)
        object.sendId(vid: 0x1234, pid: 1)
        object.sendBustype(bustype: .virtual)
        object.sendDone()
    }

    /// Unplugs it. A pen that it sees is not heard of again, as when a cable is pulled.
    public func remove() {
        onRemove(self)
        for object in objects { object.sendRemoved() }
    }
}

/// A pad, of which the stage knows only its birth and end.
public final class StagePad {
    /// Every object that clients have of it and have not destroyed: pads, groups, rings, strips, dials.
    public var objectCount: Int { resources.count { $0.isAlive } }
    private var resources: [Resource] = []

    init() {}

    func announce(to seat: ZwpTabletSeatV2Resource) {
        guard let pad = seat.sendPadAdded() else { return }
        resources.append(pad)
        if let group = pad.sendGroup() {
            resources.append(group)
            if let ring = group.sendRing() { resources.append(ring) }
            if let strip = group.sendStrip() { resources.append(strip) }
            if let dial = group.sendDial() { resources.append(dial) }
            group.sendModes(modes: 1)
            group.sendDone()
        }
        pad.sendButtons(buttons: 4)
        pad.sendDone()
    }
}
