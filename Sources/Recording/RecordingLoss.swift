/// What a format has no room for, said once for each kind.
package enum RecordingLoss: Hashable, Sendable, CustomStringConvertible {
    case cancels, shapes, orientations, severalSources, contactsBeyond(Int), placesWithoutSize, size
    case otherDevices, madeUp
    case assumedSize(width: Int, height: Int)
    case lines([LeftOutLines.Count])

    package var description: String {
        switch self {
        case .cancels: "cancelled contacts become ones that were lifted"
        case .shapes: "the contacts' shapes are left out"
        case .orientations: "the contacts' orientations are left out"
        case .severalSources: "several touchscreens become one"
        case .contactsBeyond(let most): "contacts beyond \(most) at once are left out"
        case .placesWithoutSize: "places in logical px are left out: the output's size is not known"
        case .size: "the size of what was touched is left out: places become parts of a panel"
        case .otherDevices: "of several devices the first touchscreen alone is kept"
        case .madeUp: "there are no touches and no touchscreen: the one that is described is made up"
        case .assumedSize(let width, let height):
            "the recording does not tell how large what was touched is: \(width)x\(height) is assumed; "
                + "--size WxH says otherwise"
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
                case "ready", "configure", EvdevLine.deviceType, EvdevLine.eventsType: return nil
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

    mutating func count(_ line: TouchLine) {
        guard let topic = Topic(line), let index = Topic.allCases.firstIndex(of: topic) else { return }
        counts[index] += 1
    }

    /// Nil when nothing was left out.
    var loss: RecordingLoss? {
        let found = zip(Topic.allCases, counts).filter { $0.1 > 0 }.map { Count(topic: $0.0, count: $0.1) }
        return found.isEmpty ? nil : .lines(found)
    }
}
