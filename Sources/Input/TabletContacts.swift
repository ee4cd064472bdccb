package import Gestures

/// The events of one seat's pens to contact frames: a tip that is down on a surface of ours is a contact, a pen above it
/// hovers. Buttons are nothing here.
///
/// A pen's events are one state that its `frame` completes, with the time of all. What no frame has ended by the end of a
/// turn goes out with its arrival as its time: nothing waits for ever.
package struct TabletContacts {
    private struct Tool {
        let id: Int32
        /// Nil away from our surfaces.
        var target: Int?
        /// Nil until the first motion over `target`.
        var position: Point?
        var pressure: Double?
        var tilt: Contact.Tilt?
        var distance: Double?
        var isContact = false
        /// What was said last of it above the surface.
        var hover: Hover?

        // Since the last frame.
        var hasMoved = false
        /// True for each `down`, false for each `up`.
        var tips: [Bool] = []
        var leaves = false

        var isPending: Bool { hasMoved || leaves || !tips.isEmpty }
    }

    /// What 1 is in Contact and Hover.
    private static let fullScale = 65535.0

    package private(set) var tracker: ContactTracker
    private var tools: [Tool] = []

    package init(source: SourceID) { tracker = ContactTracker(source: source, kind: .stylus) }

    /// See ``ContactTracker/magnification``.
    package mutating func magnify(by factor: Double) { tracker.magnification = factor }

    /// Where the pen is, while it is over a surface of ours.
    func place(of id: Int32) -> (position: Point, target: Int)? {
        guard let tool = tools.first(where: { $0.id == id }), let target = tool.target, let position = tool.position
        else { return nil }
        return (position, target)
    }

    package mutating func handle(_ event: RawToolEvent) -> [ContactFrame] {
        let index = index(of: event.tool)
        switch event.kind {
        case .added, .rotation, .slider, .wheel, .button: return []
        case .removed:
            let frames = leave(index, event.arrival)
            tools.remove(at: index)
            return frames
        case .proximityIn(let target):
            // Without a proximity_out before it, it left all the same.
            let frames = leave(index, event.arrival)
            tools[index].target = target
            return frames
        case .proximityOut: tools[index].leaves = true
        case .down: tools[index].tips.append(true)
        case .up: tools[index].tips.append(false)
        case .motion(let position):
            tools[index].position = position
            tools[index].hasMoved = true
        case .pressure(let pressure):
            tools[index].pressure = min(1, Double(pressure) / Self.fullScale)
            tools[index].hasMoved = true
        case .distance(let distance):
            tools[index].distance = min(1, Double(distance) / Self.fullScale)
            tools[index].hasMoved = true
        case .tilt(let tilt):
            tools[index].tilt = tilt
            tools[index].hasMoved = true
        case .frame(let time): return flush(index, time, event.arrival)
        }
        return []
    }

    /// The pen is gone without a word of its own: its tablet was removed.
    mutating func lose(_ id: Int32, arrival: Instant) -> [ContactFrame] {
        guard let index = tools.firstIndex(where: { $0.id == id }) else { return [] }
        return leave(index, arrival)
    }

    package mutating func endTurn(arrival: Instant) -> [ContactFrame] {
        tools.isEmpty ? [] : tools.indices.flatMap { flush($0, nil, arrival) }
    }

    /// The tablets are gone with their seat.
    package mutating func end(arrival: Instant) -> [ContactFrame] {
        let frames = tools.indices.flatMap { leave($0, arrival) }
        tools.removeAll()
        return frames
    }

    /// A surface is about to be destroyed.
    package mutating func endContacts(target: Int, arrival: Instant) -> [ContactFrame] {
        tools.indices.filter { tools[$0].target == target }.flatMap { leave($0, arrival) }
    }

    // MARK: Parts

    private mutating func index(of id: Int32) -> Int {
        if let index = tools.firstIndex(where: { $0.id == id }) { return index }
        tools.append(Tool(id: id))
        return tools.count - 1
    }

    /// Says what came since the last frame. `time` is nil when none ended it.
    private mutating func flush(_ index: Int, _ time: UInt32?, _ arrival: Instant) -> [ContactFrame] {
        guard tools[index].isPending else { return [] }
        let id = tools[index].id
        var frames: [ContactFrame] = []
        // A frame of a pen that only hovers is none of the tracker's.
        var isStroke = tools[index].isContact
        if tools[index].isContact, tools[index].hasMoved, let position = tools[index].position {
            tracker.motion(id: id, time: time, at: position, arrival: arrival)
            tracker.pen(id: id, pressure: tools[index].pressure, tilt: tools[index].tilt)
        }
        for isDown in tools[index].tips {
            if !isDown {
                if tools[index].isContact { tracker.up(id: id, time: time, arrival: arrival) }
                tools[index].isContact = false
            } else if let target = tools[index].target, let position = tools[index].position {
                frames += endHover(index, arrival)
                append(tracker.down(id: id, time: time, at: position, target: target, arrival: arrival), to: &frames)
                tracker.pen(id: id, pressure: tools[index].pressure, tilt: tools[index].tilt)
                tools[index].isContact = true
                isStroke = true
            }
        }
        if isStroke { append(tracker.frame(arrival: arrival), to: &frames) }
        let hasMoved = tools[index].hasMoved
        tools[index].tips.removeAll(keepingCapacity: true)
        tools[index].hasMoved = false
        if tools[index].leaves {
            frames += leave(index, arrival)
        } else if !tools[index].isContact {
            frames += hover(index, hasMoved: hasMoved, arrival)
        }
        return frames
    }

    /// Away from its surface: what it did there is over, a stroke as cancelled.
    private mutating func leave(_ index: Int, _ arrival: Instant) -> [ContactFrame] {
        var frames = endHover(index, arrival)
        if tools[index].isContact { append(tracker.cancel(id: tools[index].id, arrival: arrival), to: &frames) }
        tools[index] = Tool(id: tools[index].id)
        return frames
    }

    private mutating func hover(_ index: Int, hasMoved: Bool, _ arrival: Instant) -> [ContactFrame] {
        let tool = tools[index]
        guard let target = tool.target, let position = tool.position, position.isFinite,
            hasMoved || tool.hover == nil
        else { return [] }
        let hover = Hover(
            phase: tool.hover == nil ? .began : .moved, source: tracker.source, id: tool.id, target: target,
            position: position, instant: arrival, distance: tool.distance, tilt: tool.tilt)
        tools[index].hover = hover
        return [ContactFrame(hover: hover, arrival: arrival)]
    }

    private mutating func endHover(_ index: Int, _ arrival: Instant) -> [ContactFrame] {
        guard var hover = tools[index].hover else { return [] }
        tools[index].hover = nil
        hover.phase = .ended
        hover.instant = arrival
        return [ContactFrame(hover: hover, arrival: arrival)]
    }

    private func append(_ frame: ContactFrame?, to frames: inout [ContactFrame]) {
        if let frame { frames.append(frame) }
    }
}
