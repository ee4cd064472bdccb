/// The formats that recordings come in. They are told apart by what stands in the file, never by its name.
package enum RecordingFormat: Equatable, Sendable, CaseIterable {
    /// Lines of the touch log and of `fingerwave events`.
    case jsonLines
    /// evemu-record and evemu-describe.
    case evemu
    case evtest
    /// Android's.
    case getevent
    /// What libwayland writes with WAYLAND_DEBUG=1.
    case waylandDebug
    /// `libinput debug-events`.
    case debugEvents
    /// `libinput record`.
    case libinputRecord
    /// A parser of HID report descriptors would be needed: named, so that nobody looks for a fault in the file.
    case hidRecorder
    /// It is written, and for touch-stage alone: named, so that nobody looks for a fault in the file.
    case stageScript

    package var name: String {
        switch self {
        case .jsonLines: "JSON Lines"
        case .evemu: "evemu"
        case .evtest: "evtest"
        case .getevent: "getevent"
        case .waylandDebug: "WAYLAND_DEBUG"
        case .debugEvents: "libinput debug-events"
        case .libinputRecord: "libinput record"
        case .hidRecorder: "hid-recorder"
        case .stageScript: "touch-stage"
        }
    }

    /// What a line gives away; nil for one that could stand anywhere.
    init?(of line: LineCursor) {
        var line = line
        line.skipBlanks()
        switch line.next {
        case UInt8(ascii: "{"):
            // Each of our lines says what it is; other files have braces too.
            guard line.find("\"type\"") != nil else { return nil }
            self = .jsonLines
        case UInt8(ascii: "#"):
            if line.find("EVEMU") != nil {
                self = .evemu
            } else if line.find("libinput record") != nil {
                self = .libinputRecord
            } else if line.find("touch-stage") != nil {
                self = .stageScript
            } else {
                return nil
            }
        default:
            if let format = RecordingFormat(key: line) ?? RecordingFormat(event: line) {
                self = format
            } else {
                return nil
            }
        }
    }

    /// By how it begins.
    private init?(key line: LineCursor) {
        if line.byte(at: 1) == UInt8(ascii: ":"), let letter = line.next {
            switch letter {
            case UInt8(ascii: "R"), UInt8(ascii: "D"): self = .hidRecorder
            case UInt8(ascii: "N"), UInt8(ascii: "I"), UInt8(ascii: "P"), UInt8(ascii: "B"), UInt8(ascii: "A"),
                UInt8(ascii: "E"), UInt8(ascii: "L"), UInt8(ascii: "S"):
                self = .evemu
            default: return nil
            }
        } else if line.starts(with: "Input driver version") || line.starts(with: "Input device ID:")
            || line.starts(with: "Input device name:") || line.starts(with: "Event: time")
        {
            self = .evtest
        } else if line.starts(with: "add device ") || line.starts(with: "/dev/input/") {
            self = .getevent
        } else if line.starts(with: "version:") || line.starts(with: "ndevices:") {
            self = .libinputRecord
        } else if line.starts(with: "wait-window") {
            self = .stageScript
        } else {
            return nil
        }
    }

    /// By its being an event.
    private init?(event line: LineCursor) {
        if WaylandDebugParser.isMessage(line) {
            self = .waylandDebug
        } else if DebugEventsParser.isEvent(line) {
            self = .debugEvents
        } else if GeteventParser.isEvent(line) {
            self = .getevent
        } else {
            return nil
        }
    }
}
