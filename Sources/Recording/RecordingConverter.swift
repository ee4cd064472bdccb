package import Gestures

/// Turns one recording into another format, item by item.
///
/// Between evdev's formats the events of the first touchscreen stay as they are; everything else goes by way of touches.
/// JSON Lines that become JSON Lines stay line for line, but for what does not fit together; where they are made of evdev's
/// events these stand beside the touches, as they do in a recording of libinput's.
package struct RecordingConverter {
    package enum Target: Equatable, Sendable, CaseIterable {
        case jsonLines, evemu, libinputRecord, stageScript

        var isEvdev: Bool { self == .evemu || self == .libinputRecord }
    }

    /// Of the screen of a stage, when nothing else is said: touch-stage's own.
    package static let stageSize = Size(width: 800, height: 600)

    private static let mostDevices = 64
    /// Of a line, which has a bound.
    private static let mostEvents = 1024

    /// What was read, and what is odd in it.
    package private(set) var summary = RecordingSummary()
    /// What was left out of it by itself.
    private var ownLosses: [RecordingLoss] = []
    private var leftOut = LeftOutLines()

    private let target: Target
    private var touches = RecordingTouches()
    private var settled: [RecordingItem] = []
    private var encoder: EvdevEncoder
    private var script: StageScriptWriter
    private var record = LibinputRecordWriter()
    /// The device whose events stay as they are.
    private var plainDevice: Int?
    /// The recording has the touches of its events too: they are the same again.
    private var isBesideTouches = false
    private var hasHeader = false
    private var choice: DeviceChoice
    /// Touchscreens whose events become lines, and what came since the last line.
    private var described: [(number: Int, node: String, events: [EvdevEvent])] = []

    /// - Parameters:
    ///   - size: of the output that places in logical px are on, or that a script's places shall be on.
    ///   - device: the one that is wanted, or an output; nil: all, as far as there is room for them.
    package init(_ target: Target, size: Size? = nil, device: String? = nil) {
        self.target = target
        choice = DeviceChoice(device)
        encoder = EvdevEncoder(size: size)
        script = StageScriptWriter(size: size)
    }

    package var losses: [RecordingLoss] {
        ownLosses + (target == .stageScript ? script.losses : encoder.losses) + (leftOut.loss.map { [$0] } ?? [])
    }

    /// Nothing could be written, as all that was touched was in logical px of nobody knows how many.
    package var lacksSize: Bool {
        target.isEvdev && plainDevice == nil && !encoder.hasEvents
            && encoder.losses.contains { if case .placesWithoutSize = $0 { true } else { false } }
    }

    /// What was wanted was not there.
    package var lacksDevice: Bool { !choice.isMet }

    /// Appends what the item becomes.
    package mutating func convert(_ item: RecordingItem, into text: inout String) {
        summary.count(read: item)
        guard choice.takes(item) else { return }
        if target.isEvdev, case .touch(let line) = item.content {
            if line.serial != nil { lose(.serials) }
            if line.arrival != nil { lose(.arrivals) }
        }
        if target != .jsonLines, case .touch(let line) = item.content {
            leftOut.count(line, hasTools: target == .stageScript)
        }
        if target.isEvdev, convertPlainly(item, into: &text) {
            // Its touches are made all the same, for what is odd in them.
            settle(item)
            return
        }
        if target == .jsonLines { keepEvents(of: item, into: &text) }
        if case .device(let device, let number) = item.content { script.describe(device, number: number) }
        settle(item)
        for item in settled {
            guard case .touch(let line) = item.content else { continue }
            switch target {
            case .jsonLines: text += line.json
            case .stageScript:
                let commands = script.text(line)
                // By then the recording has told how large what was touched is.
                if !commands.isEmpty, !hasHeader {
                    text += script.header
                    hasHeader = true
                }
                text += commands
            case .evemu, .libinputRecord: encode(line, into: &text)
            }
        }
        if item.content == .end { finish(into: &text) }
    }

    /// The kernel's events of a touchscreen as lines. A recording of ours has them as lines already.
    private mutating func keepEvents(of item: RecordingItem, into text: inout String) {
        switch item.content {
        case .device(var device, let number):
            guard !device.isBesideTouches, described.count < RecordingConverter.mostDevices,
                let node = EvdevDecoder.announcement(of: device, number: number)?.device
            else { return }
            described.removeAll { $0.number == number }
            described.append((number, node, []))
            device.node = node
            text += EvdevLine.description(device)
        case .event(let event, let number):
            guard let index = described.firstIndex(where: { $0.number == number }) else { return }
            described[index].events.append(event)
            let isFrame = event.type == EvdevCode.syn && event.code == EvdevCode.report
            if isFrame || described[index].events.count == RecordingConverter.mostEvents { keepFrame(index, &text) }
        case .run, .end: for index in described.indices { keepFrame(index, &text) }
        case .touch, .fault: break
        }
    }

    private mutating func keepFrame(_ index: Int, _ text: inout String) {
        let lines = EvdevLine.lines(described[index].events, node: described[index].node, arrival: nil)
        text += lines.joined()
        described[index].events.removeAll(keepingCapacity: true)
    }

    private mutating func settle(_ item: RecordingItem) {
        settled.removeAll(keepingCapacity: true)
        touches.handle(item, into: &settled)
        for item in settled { summary.count(settled: item) }
    }

    // MARK: Events that stay

    /// Whether the item is done with.
    private mutating func convertPlainly(_ item: RecordingItem, into text: inout String) -> Bool {
        switch item.content {
        case .device(let device, let number):
            // Another run describes it again.
            if number == plainDevice { return true }
            guard plainDevice == nil, !hasHeader, EvdevDecoder.announcement(of: device, number: number) != nil else {
                lose(.otherDevices)
                return plainDevice != nil
            }
            plainDevice = number
            isBesideTouches = device.isBesideTouches
            begin(device, into: &text)
            return true
        case .event(let event, let device):
            guard let plainDevice else { return false }
            if device == plainDevice { write(event, into: &text) } else { lose(.otherDevices) }
            return true
        case .touch: return isBesideTouches
        case .run: return plainDevice != nil
        case .fault, .end: return false
        }
    }

    private mutating func lose(_ loss: RecordingLoss) { if !ownLosses.contains(loss) { ownLosses.append(loss) } }

    private mutating func begin(_ device: EvdevDevice, into text: inout String) {
        hasHeader = true
        text += target == .evemu ? EvemuWriter.header(device) : LibinputRecordWriter.header(device)
    }

    private mutating func write(_ event: EvdevEvent, into text: inout String) {
        if target == .libinputRecord, event.time != 0, !record.hasBegun { lose(.beginning) }
        text += target == .evemu ? EvemuWriter.line(event) : record.text(event)
    }

    // MARK: Events that are made

    private mutating func encode(_ line: TouchLine, into text: inout String) {
        var events: [EvdevEvent] = []
        encoder.handle(line, into: &events)
        write(events, into: &text)
    }

    private mutating func write(_ events: [EvdevEvent], into text: inout String) {
        guard !events.isEmpty else { return }
        // Now it is known which panel they are of.
        if !hasHeader { begin(encoder.device, into: &text) }
        for event in events { write(event, into: &text) }
    }

    private mutating func finish(into text: inout String) {
        switch target {
        case .evemu, .libinputRecord:
            var events: [EvdevEvent] = []
            encoder.finish(into: &events)
            write(events, into: &text)
            if encoder.hasEvents, let first = encoder.first, first != 0 { lose(.beginning) }
            if !hasHeader, !lacksSize {
                if encoder.isMadeUp {
                    // There is no first touchscreen.
                    ownLosses.removeAll { $0 == .otherDevices }
                    lose(.madeUp)
                }
                begin(encoder.device, into: &text)
            }
        case .stageScript:
            if !hasHeader { text += script.header }
            text += script.end()
        case .jsonLines: break
        }
    }
}
