/// What a format has no room for, and what had to be put in its place: said once for each kind, with how often it was so.
package enum RecordingLoss: Hashable, Sendable, CustomStringConvertible {
    case cancels(Int), shapes(Int), orientations(Int), severalSources(Int), severalOutputs(Int)
    case contactsBeyond(Int, most: Int), placesWithoutSize(Int), size
    /// Frames that no line of the recording ends.
    case framesAdded(Int)
    /// Frames that end nothing.
    case emptyFrames(Int)
    /// Of pens that come near.
    case placesAdded(Int)
    case otherDevices, madeUp
    /// When the first event came; of lines of ours.
    case beginning, serials, arrivals
    /// `byUnits`: it is the panel's own.
    case assumedSize(width: Int, height: Int, byUnits: Bool = false)
    case lines([LeftOutLines.Count])

    package var description: String {
        switch self {
        case .emptyFrames(let count): "\(count) \(count == 1 ? "frame" : "frames") with nothing in it left out"
        case .cancels(let count):
            count == 1
                ? "1 cancelled contact becomes one that was lifted"
                : "\(count) cancelled contacts become ones that were lifted"
        case .shapes(let count): "\(count) \(count == 1 ? "shape" : "shapes") of contacts left out"
        case .orientations(let count): "\(count) \(count == 1 ? "orientation" : "orientations") of contacts left out"
        case .severalSources(let count): "what came from \(count) seats and devices comes from one"
        case .severalOutputs(let count): "what was on \(count) outputs is on one"
        case .contactsBeyond(let count, let most):
            "\(count) \(count == 1 ? "contact" : "contacts") beyond \(most) at once left out"
        case .placesWithoutSize(let count):
            "\(count) \(count == 1 ? "place" : "places") in logical px left out: the output's size is not known; "
                + "--size WxH tells it"
        case .framesAdded(let count):
            "\(count) \(count == 1 ? "frame" : "frames") added where the recording has no frame"
        case .placesAdded(let count):
            count == 1
                ? "1 place of a pen that comes near added where the recording has none"
                : "\(count) places of pens that come near added where the recording has none"
        case .size: "the size of what was touched is left out: places become parts of a panel"
        case .otherDevices: "of several devices the first touchscreen alone is kept; --on NAME chooses another"
        case .beginning: "stamps count from 0: when the first event came is left out"
        case .serials: "serials are left out"
        case .arrivals: "when lines came to who recorded them is left out"
        case .madeUp: "there are no touches and no touchscreen: the one that is described is made up"
        case .assumedSize(let width, let height, let byUnits):
            "the recording does not tell how large what was touched is: \(width)x\(height) is assumed"
                + (byUnits ? ", by its units" : "") + "; --size WxH says otherwise"
        case .lines(let counts): "left out: " + counts.map { $0.description }.joined(separator: ", ")
        }
    }
}

/// Lines that tell of no touch, by what they tell of, where the format has none of them.
package struct LeftOutLines {
    package enum Topic: Hashable, Sendable, CaseIterable {
        case pens, pointer, gaps, gestures, figures, recording, others

        /// Nil for what is not left out: a size goes into the places, the kernel's events are what is written or the
        /// same touches again.
        init?(_ line: TouchLine) {
            switch line.kind {
            case .tool: self = .pens
            case .pointer: self = .pointer
            case .other(let type):
                switch type {
                case "ready", "configure", TouchLine.surfaceType, EvdevLine.deviceType, EvdevLine.eventsType:
                    return nil
                case "tool": self = .pens
                case "pointer": self = .pointer
                case "gap": self = .gaps
                case "gesture": self = .gestures
                case "statistics", "fault", "presented": self = .figures
                case "header", "compositor", "seat", "output", "touchscreen", "mapping": self = .recording
                default: self = .others
                }
            default: return nil
            }
        }
    }

    package struct Count: Hashable, Sendable, CustomStringConvertible {
        package var topic: Topic
        package var count: Int

        package var description: String {
            let lines = count == 1 ? "line" : "lines"
            return switch topic {
            case .pens: "\(count) pen \(lines)"
            case .pointer: "\(count) pointer \(lines)"
            case .gaps: count == 1 ? "1 gap" : "\(count) gaps"
            case .gestures: "\(count) gesture \(lines)"
            case .figures: "\(count) \(lines) of figures and faults"
            case .recording: "\(count) \(lines) of where and when it was made"
            case .others: "\(count) other \(lines)"
            }
        }
    }

    private var counts = [Int](repeating: 0, count: Topic.allCases.count)

    /// - Parameter hasTools: the format has room for pens and the pointer.
    mutating func count(_ line: TouchLine, hasTools: Bool) {
        switch line.kind {
        case .tool, .pointer: if hasTools { return }
        default: break
        }
        guard let topic = Topic(line), let index = Topic.allCases.firstIndex(of: topic) else { return }
        counts[index] += 1
    }

    /// Nil when nothing was left out.
    var loss: RecordingLoss? {
        let found = zip(Topic.allCases, counts).filter { $0.1 > 0 }.map { Count(topic: $0.0, count: $0.1) }
        return found.isEmpty ? nil : .lines(found)
    }
}
