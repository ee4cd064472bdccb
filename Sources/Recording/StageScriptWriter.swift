package import Gestures

/// Writes a script for touch-stage: what a client is told of touches, pens and the pointer, with the frames and the pauses
/// that the recording has, and no others.
///
/// It takes lines that fit together, as ``RecordingTouches`` makes them.
package struct StageScriptWriter {
    private struct Contact {
        var device, seat: String?
        var id: Int32
        /// In the script, where all contacts are of one seat.
        var number: Int
    }

    private struct Tool {
        var device, seat: String?
        var id: Int32
        var number: Int
        /// Logical px; nil until it is told.
        var place: Point?
        /// Commands of the frame that has not ended: before it comes near, where it does, and all others.
        var start = "", pending = ""
        /// It comes near within this frame, and where, as its first motion tells.
        var isComing = false
        var nearPlace: Point?

        var isBetweenFrames: Bool { start.isEmpty && pending.isEmpty && !isComing }
    }

    private struct Source: Equatable {
        var device, seat: String?
    }

    /// μs. What comes in one frame comes at once, as replaying has it.
    private static let frameLength: Int64 = 2000
    /// Bytes.
    private static let mostHeld = 1 << 16
    private static let mostSources = 256
    /// As touch-stage's `--size` takes it.
    private static let sides = 1.0...16_384
    /// evdev's BTN_LEFT.
    private static let primaryButton = 0x110

    /// Of the stage's screen, in logical px.
    private var size: Size
    /// Nobody said it: what the recording says of its window counts.
    private let isSizeRecorded: Bool
    private var touched = TouchedSize()
    private var panels = PanelSizes()
    /// How the size of the panel is known that was touched first, where no window's is.
    private var panelBasis: PanelSizes.Basis?
    /// Nothing told it.
    private var assumedSize: Size?
    private var contacts: [Contact] = []
    private var tools: [Tool] = []
    /// Of tools that come near, as nobody told them.
    private var madeUpPlaces = 0
    private var clock = StageScriptClock()
    /// ms that the script has slept, counted from the first command.
    private var slept: Int64?
    /// When what no frame has ended yet began, μs.
    private var frame: Int64?
    /// Commands whose time is that of what follows.
    private var held = ""
    /// Of these some are tools that came, which no frame need follow.
    private var holdsTools = false
    /// What comes before the first touch: by then it is known how large what is touched is.
    private var early = ""
    private var sources: [Source] = []
    private var outputs: [String?] = []
    private var cancelCount = 0

    /// - Parameter size: nil: as large as what was touched, else ``PanelSizes/assumed`` where that is a panel, else
    ///   ``RecordingConverter/stageSize``.
    package init(size: Size?) {
        self.size = size ?? RecordingConverter.stageSize
        isSizeRecorded = size == nil
    }

    package var losses: [RecordingLoss] {
        var list: [RecordingLoss] = []
        if let assumedSize {
            list.append(
                .assumedSize(
                    width: Int(assumedSize.width), height: Int(assumedSize.height), byUnits: panelBasis == .range))
        }
        if sources.count > 1 { list.append(.severalSources(sources.count)) }
        if outputs.count > 1 { list.append(.severalOutputs(outputs.count)) }
        if cancelCount > 0 { list.append(.cancels(cancelCount)) }
        if madeUpPlaces > 0 { list.append(.placesAdded(madeUpPlaces)) }
        return list
    }

    /// Without a window there is nothing to touch, nor where it is as small as the stage was before. Where nobody told the
    /// size the stage has its own.
    package var header: String {
        let isKnown = (!isSizeRecorded || touched.size != nil || panelBasis != nil) && Self.isPossible(size)
        let start = "# For touch-stage --size \(words(size))\n"
        return start + (isKnown ? "size \(words(size))\nwait-window\nsync\n" : "wait-window\n")
    }

    private static func isPossible(_ size: Size) -> Bool { sides.contains(size.width) && sides.contains(size.height) }

    /// A stage ends with its script: the client is to have got all of it by then.
    package mutating func end() -> String {
        defer { (early, held) = ("", "") }
        var text = early + held
        for index in tools.indices { text += takePending(index) }
        return text + "sync\n"
    }

    /// What the recording says of a device, which no line does: its axes.
    mutating func describe(_ device: EvdevDevice, number: Int) { panels.describe(device, number: number) }

    package mutating func text(_ line: TouchLine) -> String {
        switch line.kind {
        case .device:
            panels.note(line)
            return ""
        case .other(let type):
            if type == "header" { clock.beginAnew() }
            resize(line)
            return ""
        case .down, .motion, .up, .frame, .cancel, .shape, .orientation, .tool, .pointer: break
        }
        let before = toolsThatWait(for: line)
        touched.note(line)
        fitPanel(line)
        if case .tool(let tool) = line.kind { return before + text(tool, line) }
        return before + text(ofTouch: line)
    }

    private mutating func text(ofTouch line: TouchLine) -> String {
        let isTimed = clock.pass(to: line)
        let commands = command(line)
        guard !commands.isEmpty else { return "" }
        note(line)
        if !isTimed, !Self.endsFrame(line), held.utf8.count < Self.mostHeld {
            held += commands
            return ""
        }
        let pause = pause(begins: touched.isTouched)
        if Self.endsFrame(line) {
            frame = nil
        } else if frame == nil || !pause.isEmpty {
            frame = clock.now
        }
        return told(pause, commands)
    }

    private static func endsFrame(_ line: TouchLine) -> Bool {
        switch line.kind {
        case .frame, .cancel, .pointer: true
        default: false
        }
    }

    /// Behind what had to wait for it.
    private mutating func told(_ pause: String, _ commands: String) -> String {
        early += pause + held + commands
        held = ""
        holdsTools = false
        guard touched.isTouched || early.utf8.count >= Self.mostHeld else { return "" }
        defer { early = "" }
        return early
    }

    /// What is told of where it came from, and on what it is.
    private mutating func note(_ line: TouchLine) {
        let source = Source(device: line.device, seat: line.seat)
        if sources.count < Self.mostSources, !sources.contains(source) { sources.append(source) }
        if line.beginsTouch, isSizeRecorded, touched.size == nil, panelBasis != .millimetres { assumedSize = size }
        guard case .output = line.place else { return }
        if outputs.count < Self.mostSources, !outputs.contains(line.output) { outputs.append(line.output) }
    }

    /// Nothing within a frame: that would tear it. One that did not end in time has none.
    ///
    /// - Parameter begins: whether a script whose first pause is still to come counts from here.
    private mutating func pause(begins: Bool) -> String {
        if let frame, clock.now - frame <= Self.frameLength { return "" }
        let due = (clock.now + 500) / 1000
        guard let slept else {
            if begins { slept = due }
            return ""
        }
        guard due > slept else { return "" }
        self.slept = due
        return "sleep \(due - slept)\n"
    }

    // MARK: Sizes

    /// Places that are fractions are on the panel: the stage is as large.
    private mutating func fitPanel(_ line: TouchLine) {
        guard line.beginsTouch, isSizeRecorded, touched.size == nil, panelBasis == nil, case .panel = line.place else {
            return
        }
        let (panel, basis) = panels.size(of: line.device)
        panelBasis = basis
        if Self.isPossible(panel) { size = panel }
    }

    private mutating func resize(_ line: TouchLine) {
        guard touched.note(line), isSizeRecorded, let new = touched.isTouched ? line.size : touched.size, new != size,
            Self.isPossible(new)
        else { return }
        size = new
        // The window is to be as large before it is touched again.
        if touched.isTouched { held += "size \(words(new))\nsync\n" }
    }

    private func words(_ size: Size) -> String { "\(whole(size.width))x\(whole(size.height))" }

    // MARK: Commands

    private mutating func command(_ line: TouchLine) -> String {
        switch line.kind {
        case .frame: return "frame\n"
        case .cancel: return cancel(line)
        case .pointer(let phase): return pointer(phase, line)
        case .down:
            guard let id = line.id, index(of: line) == nil else { return "" }
            let number = Self.number(id, contacts.map { $0.number })
            contacts.append(Contact(device: line.device, seat: line.seat, id: id, number: number))
            return "down \(number) \(place(line.place))\n"
        default: break
        }
        guard let index = index(of: line) else { return "" }
        let number = contacts[index].number
        switch line.kind {
        case .motion: return "move \(number) \(place(line.place))\n"
        case .up:
            contacts.remove(at: index)
            return "up \(number)\n"
        case .shape(let major, let minor): return "shape \(number) \(decimal(major)) \(decimal(minor))\n"
        case .orientation(let degrees): return "orientation \(number) \(decimal(degrees))\n"
        default: return ""
        }
    }

    private func index(of line: TouchLine) -> Int? {
        contacts.firstIndex { $0.id == line.id && $0.device == line.device && $0.seat == line.seat }
    }

    /// Its own, unless another source's has it.
    private static func number(_ id: Int32, _ taken: [Int]) -> Int {
        if !taken.contains(Int(id)) { return Int(id) }
        return (0...taken.count).first { !taken.contains($0) } ?? 0
    }

    /// wl_touch cancels all contacts or none.
    private mutating func cancel(_ line: TouchLine) -> String {
        let ended = contacts.filter {
            (line.id == nil || line.id == $0.id) && (line.device == nil || line.device == $0.device)
                && (line.seat == nil || line.seat == $0.seat)
        }
        if ended.count == contacts.count {
            contacts = []
            return "cancel\n"
        }
        guard !ended.isEmpty else { return "" }
        cancelCount += ended.count
        var text = ""
        for contact in ended {
            contacts.removeAll { $0.number == contact.number }
            text += "up \(contact.number)\n"
        }
        // A cancel needs none.
        return text + "frame\n"
    }

    private func pointer(_ phase: ContactFrame.Phase, _ line: TouchLine) -> String {
        let move = "pointer \(place(line.place))\n"
        return switch phase {
        case .began: move + "button \(Self.primaryButton) 1\n"
        case .moved: move
        case .ended: "button \(Self.primaryButton) 0\n"
        // Its release is no longer told.
        case .cancelled: "pointer-out\nbutton \(Self.primaryButton) 0\n"
        }
    }

    private func place(_ place: TouchLine.Place?) -> String {
        let point = point(place) ?? .zero
        return "\(decimal(point.x)) \(decimal(point.y))"
    }

    private func point(_ place: TouchLine.Place?) -> Point? {
        switch place {
        case .output(let point): point
        case .panel(let point): Point(x: point.x * size.width, y: point.y * size.height)
        case nil: nil
        }
    }

    /// Places travel as 24.8 fixed-point numbers: three digits tell them apart.
    private func decimal(_ value: Double) -> String { decimalText(value, places: 3) ?? "0" }

    private func whole(_ value: Double) -> String { decimalText(value, places: 0) ?? "0" }
}

// MARK: Pens

extension StageScriptWriter {
    /// Of pressures and distances, which have 16 bits.
    private static let fullScale = 65_535.0

    /// All of a frame comes at once, when it ends: the lines before have no stamp, and go by when they came. What else
    /// comes meanwhile has frames of its own.
    private mutating func text(_ tool: ToolLine, _ line: TouchLine) -> String {
        let index = index(of: tool.tool, line)
        if Self.isAdded(tool), tools[index].isBetweenFrames, held.utf8.count < Self.mostHeld {
            return hold(tool, line, index)
        }
        // No frame need follow.
        let isAlone = tool.event == .removed
        var isTimed = true
        if line.time != nil || tool.event == .frame || isAlone {
            isTimed = clock.pass(to: line)
        } else {
            clock.hear(line)
        }
        note(line)
        add(tool, line, index)
        guard tool.event == .frame || isAlone || tools[index].pending.utf8.count >= Self.mostHeld else {
            return ""
        }
        let commands = takePending(index)
        if tool.event == .removed { tools.remove(at: index) }
        if isAlone, !isTimed, held.utf8.count < Self.mostHeld {
            held += commands
            return ""
        }
        if !isTimed { clock.catchUp() }
        let pause = pause(begins: touched.isTouched || !isAlone)
        // Of the touches.
        if frame != nil, !pause.isEmpty { frame = clock.now }
        return told(pause, commands)
    }

    /// It has no stamp: what follows at once, as its frame does, tells its time better than when the line came.
    private mutating func hold(_ tool: ToolLine, _ line: TouchLine, _ index: Int) -> String {
        clock.hear(line)
        note(line)
        add(tool, line, index)
        held += takePending(index)
        holdsTools = true
        return ""
    }

    /// Tools that came some time before the line.
    private mutating func toolsThatWait(for line: TouchLine) -> String {
        guard holdsTools, clock.silence(before: line) > Self.frameLength else { return "" }
        clock.catchUp()
        let pause = pause(begins: touched.isTouched)
        if frame != nil, !pause.isEmpty { frame = clock.now }
        return told(pause, "")
    }

    private static func isAdded(_ tool: ToolLine) -> Bool { if case .added = tool.event { true } else { false } }

    private mutating func add(_ tool: ToolLine, _ line: TouchLine, _ index: Int) {
        switch tool.event {
        case .proximityIn:
            tools[index].start = takePending(index)
            (tools[index].isComing, tools[index].nearPlace) = (true, nil)
            return
        case .motion:
            tools[index].place = point(line.place)
            if tools[index].isComing, tools[index].nearPlace == nil {
                // Coming near says it.
                tools[index].nearPlace = tools[index].place
                return
            }
        default: break
        }
        tools[index].pending += "tool \(tools[index].number) \(words(tool.event, line))\n"
    }

    private func words(_ event: ToolLine.Event, _ line: TouchLine) -> String {
        switch event {
        case .added(let type): "added \(Self.word(type))"
        case .removed: "removed"
        case .proximityIn: ""
        case .proximityOut: "out"
        case .down: "down"
        case .up: "up"
        case .motion: "move \(place(line.place))"
        case .pressure(let pressure): "pressure \(share(pressure))"
        case .distance(let distance): "distance \(share(distance))"
        case .tilt(let x, let y): "tilt \(decimal(x)) \(decimal(y))"
        case .rotation(let degrees): "rotation \(decimal(degrees))"
        case .slider(let position): "slider \(position)"
        case .wheel(let degrees, let clicks): "wheel \(decimal(degrees)) \(clicks)"
        case .button(let code, let isPressed): "button \(code) \(isPressed ? 1 : 0)"
        case .frame: "frame"
        }
    }

    /// The commands of its frame so far.
    private mutating func takePending(_ index: Int) -> String {
        defer {
            (tools[index].start, tools[index].pending) = ("", "")
            tools[index].isComing = false
        }
        return tools[index].start + comeNear(index) + tools[index].pending
    }

    private mutating func index(of id: Int32, _ line: TouchLine) -> Int {
        if let index = tools.firstIndex(where: { $0.id == id && $0.device == line.device && $0.seat == line.seat }) {
            return index
        }
        let number = Self.number(id, tools.map { $0.number })
        // Nobody has so many: who makes up tools without end must not fill the memory.
        if tools.count == Self.mostSources { tools.removeFirst() }
        tools.append(Tool(device: line.device, seat: line.seat, id: id, number: number))
        return tools.count - 1
    }

    /// Over the window that has the place; where none is told, where it was last, else in the middle.
    private mutating func comeNear(_ index: Int) -> String {
        let tool = tools[index]
        guard tool.isComing else { return "" }
        if tool.nearPlace == nil {
            madeUpPlaces += 1
            if tool.place == nil, isSizeRecorded, touched.size == nil { assumedSize = size }
        }
        let point = tool.nearPlace ?? tool.place ?? Point(x: size.width / 2, y: size.height / 2)
        return "tool \(tool.number) in \(decimal(point.x)) \(decimal(point.y))\n"
    }

    /// Of one word, whatever a line says.
    private static func word(_ type: String) -> String {
        type.utf8.allSatisfy { (0x61...0x7A).contains($0) } && !type.isEmpty ? type : "tool"
    }

    private func share(_ value: UInt32) -> String {
        decimalText(Double(value) / Self.fullScale, places: 6) ?? "0"
    }
}
