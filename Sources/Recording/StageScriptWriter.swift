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
        var place: Point?
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
    /// Nothing told it.
    private var assumedSize: Size?
    private var contacts: [Contact] = []
    private var tools: [Tool] = []
    /// The one that has come near, and whose place has not been told yet: whether it is over a window depends on it.
    private var coming: Int?
    private var clock = StageScriptClock()
    /// ms that the script has slept, counted from the first command.
    private var slept: Int64?
    /// When what no frame has ended yet began, μs.
    private var frame: Int64?
    /// Commands whose time is that of what follows, or that come before the first touch: by then it is known how large what
    /// is touched is.
    private var held = ""
    private var sources: [Source] = []
    private var outputs: [String?] = []
    private var cancelCount = 0

    /// - Parameter size: nil: as large as what was touched, else ``RecordingConverter/stageSize``.
    package init(size: Size?) {
        self.size = size ?? RecordingConverter.stageSize
        isSizeRecorded = size == nil
    }

    package var losses: [RecordingLoss] {
        var list: [RecordingLoss] = []
        if let assumedSize {
            list.append(.assumedSize(width: Int(assumedSize.width), height: Int(assumedSize.height)))
        }
        if sources.count > 1 { list.append(.severalSources(sources.count)) }
        if outputs.count > 1 { list.append(.severalOutputs(outputs.count)) }
        if cancelCount > 0 { list.append(.cancels(cancelCount)) }
        return list
    }

    /// Without a window there is nothing to touch. Where nobody told the size the stage has its own.
    package var header: String {
        let isKnown = (!isSizeRecorded || touched.size != nil) && Self.isPossible(size)
        return "# For touch-stage --size \(words(size))\n" + (isKnown ? "size \(words(size))\n" : "") + "wait-window\n"
    }

    private static func isPossible(_ size: Size) -> Bool { sides.contains(size.width) && sides.contains(size.height) }

    /// A stage ends with its script: the client is to have got all of it by then.
    package mutating func end() -> String {
        defer { held = "" }
        return held + comeNear() + "sync\n"
    }

    package mutating func text(_ line: TouchLine) -> String {
        switch line.kind {
        case .device: return ""
        case .other(let type):
            if type == "header" { clock.beginAnew() }
            resize(line)
            return ""
        case .down, .motion, .up, .frame, .cancel, .shape, .orientation, .tool, .pointer: break
        }
        touched.note(line)
        let isTimed = clock.pass(to: line)
        let commands = command(line)
        guard !commands.isEmpty else { return "" }
        note(line)
        if !touched.isTouched || !isTimed && !Self.endsFrame(line), held.utf8.count < Self.mostHeld {
            held += commands
            return ""
        }
        defer { held = "" }
        let pause = pause()
        if Self.endsFrame(line) {
            frame = nil
        } else if frame == nil || !pause.isEmpty {
            frame = clock.now
        }
        return pause + held + commands
    }

    private static func endsFrame(_ line: TouchLine) -> Bool {
        switch line.kind {
        case .frame, .cancel, .pointer: true
        case .tool(let tool): tool.event == .frame
        default: false
        }
    }

    /// What is told of where it came from, and on what it is.
    private mutating func note(_ line: TouchLine) {
        let source = Source(device: line.device, seat: line.seat)
        if sources.count < Self.mostSources, !sources.contains(source) { sources.append(source) }
        if line.beginsTouch, isSizeRecorded, touched.size == nil { assumedSize = size }
        guard case .output = line.place else { return }
        if outputs.count < Self.mostSources, !outputs.contains(line.output) { outputs.append(line.output) }
    }

    /// Nothing within a frame: that would tear it. One that did not end in time has none.
    private mutating func pause() -> String {
        if let frame, clock.now - frame <= Self.frameLength { return "" }
        let due = (clock.now + 500) / 1000
        guard let slept else {
            slept = due
            return ""
        }
        guard due > slept else { return "" }
        self.slept = due
        return "sleep \(due - slept)\n"
    }

    // MARK: Sizes

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
        if case .tool(let tool) = line.kind { return command(tool, line) }
        return comeNear() + touch(line)
    }

    private mutating func touch(_ line: TouchLine) -> String {
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

    private mutating func command(_ tool: ToolLine, _ line: TouchLine) -> String {
        let index = index(of: tool.tool, line)
        var text = ""
        if let coming, coming != index || tool.event != .motion { text = comeNear() }
        let number = tools[index].number
        if let point = point(line.place) { tools[index].place = point }
        switch tool.event {
        case .added(let type): return text + "tool \(number) added \(Self.word(type))\n"
        case .removed:
            tools.remove(at: index)
            return text + "tool \(number) removed\n"
        case .proximityIn:
            coming = index
            return text
        case .proximityOut: return text + "tool \(number) out\n"
        case .down: return text + "tool \(number) down\n"
        case .up: return text + "tool \(number) up\n"
        case .motion: return text + comeNear() + "tool \(number) move \(place(line.place))\n"
        case .pressure(let pressure): return text + "tool \(number) pressure \(share(pressure))\n"
        case .distance(let distance): return text + "tool \(number) distance \(share(distance))\n"
        case .tilt(let x, let y): return text + "tool \(number) tilt \(decimal(x)) \(decimal(y))\n"
        case .rotation(let degrees): return text + "tool \(number) rotation \(decimal(degrees))\n"
        case .slider(let position): return text + "tool \(number) slider \(position)\n"
        case .wheel(let degrees, let clicks): return text + "tool \(number) wheel \(decimal(degrees)) \(clicks)\n"
        case .button(let code, let isPressed): return text + "tool \(number) button \(code) \(isPressed ? 1 : 0)\n"
        case .frame: return text + "tool \(number) frame\n"
        }
    }

    private mutating func index(of id: Int32, _ line: TouchLine) -> Int {
        if let index = tools.firstIndex(where: { $0.id == id && $0.device == line.device && $0.seat == line.seat }) {
            return index
        }
        let number = Self.number(id, tools.map { $0.number })
        // Nobody has so many: who makes up tools without end must not fill the memory.
        if tools.count == Self.mostSources {
            tools.removeFirst()
            coming = nil
        }
        tools.append(Tool(device: line.device, seat: line.seat, id: id, number: number))
        return tools.count - 1
    }

    /// Over the window that has the place; where none was told, in the middle.
    private mutating func comeNear() -> String {
        guard let index = coming else { return "" }
        coming = nil
        guard tools.indices.contains(index) else { return "" }
        let point = tools[index].place ?? Point(x: size.width / 2, y: size.height / 2)
        return "tool \(tools[index].number) in \(decimal(point.x)) \(decimal(point.y))\n"
    }

    /// Of one word, whatever a line says.
    private static func word(_ type: String) -> String {
        type.utf8.allSatisfy { (0x61...0x7A).contains($0) } && !type.isEmpty ? type : "tool"
    }

    private func share(_ value: UInt32) -> String {
        decimalText(Double(value) / Self.fullScale, places: 6) ?? "0"
    }
}
