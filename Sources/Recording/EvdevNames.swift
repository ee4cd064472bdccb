/// Names of linux/input-event-codes.h: of types and of the codes that tell of touches. Keys have none here, as nothing
/// of a keyboard is looked at.
enum EvdevNames {
    static func abs(_ code: UInt16) -> String {
        axes.first { $0.code == code }.map { "\($0.name)" } ?? "axis \(code)"
    }

    static func type(_ cursor: inout LineCursor) -> UInt16? { take(&cursor, types) }

    /// Nil for a code without a name here, which is gone over all the same.
    static func code(_ cursor: inout LineCursor, type: UInt16) -> UInt16? {
        switch type {
        case EvdevCode.syn: take(&cursor, syncs)
        case EvdevCode.key: take(&cursor, buttons)
        case EvdevCode.abs: take(&cursor, axes)
        default: take(&cursor, [])
        }
    }

    private static func take(_ cursor: inout LineCursor, _ names: [(name: StaticString, code: UInt16)]) -> UInt16? {
        let word = cursor.word()
        for entry in names where entry.name.utf8CodeUnitCount == word.count {
            var copy = cursor
            copy.move(to: word.lowerBound)
            if copy.starts(with: entry.name) { return entry.code }
        }
        return nil
    }

    private static let types: [(name: StaticString, code: UInt16)] = [
        ("EV_SYN", 0), ("EV_KEY", 1), ("EV_REL", 2), ("EV_ABS", 3), ("EV_MSC", 4), ("EV_SW", 5), ("EV_LED", 0x11),
        ("EV_SND", 0x12), ("EV_REP", 0x14), ("EV_FF", 0x15), ("EV_PWR", 0x16), ("EV_FF_STATUS", 0x17),
    ]

    private static let syncs: [(name: StaticString, code: UInt16)] = [
        ("SYN_REPORT", 0), ("SYN_CONFIG", 1), ("SYN_MT_REPORT", 2), ("SYN_DROPPED", 3),
    ]

    private static let buttons: [(name: StaticString, code: UInt16)] = [
        ("BTN_TOUCH", 0x14A), ("BTN_TOOL_PEN", 0x140), ("BTN_TOOL_RUBBER", 0x141), ("BTN_TOOL_FINGER", 0x145),
        ("BTN_TOOL_DOUBLETAP", 0x14D), ("BTN_TOOL_TRIPLETAP", 0x14E), ("BTN_TOOL_QUADTAP", 0x14F),
        ("BTN_TOOL_QUINTTAP", 0x148), ("BTN_LEFT", 0x110),
    ]

    private static let axes: [(name: StaticString, code: UInt16)] = [
        ("ABS_X", 0), ("ABS_Y", 1), ("ABS_Z", 2), ("ABS_RX", 3), ("ABS_RY", 4), ("ABS_RZ", 5), ("ABS_PRESSURE", 0x18),
        ("ABS_DISTANCE", 0x19), ("ABS_TILT_X", 0x1A), ("ABS_TILT_Y", 0x1B), ("ABS_TOOL_WIDTH", 0x1C),
        ("ABS_VOLUME", 0x20), ("ABS_MISC", 0x28), ("ABS_MT_SLOT", 0x2F), ("ABS_MT_TOUCH_MAJOR", 0x30),
        ("ABS_MT_TOUCH_MINOR", 0x31), ("ABS_MT_WIDTH_MAJOR", 0x32), ("ABS_MT_WIDTH_MINOR", 0x33),
        ("ABS_MT_ORIENTATION", 0x34), ("ABS_MT_POSITION_X", 0x35), ("ABS_MT_POSITION_Y", 0x36),
        ("ABS_MT_TOOL_TYPE", 0x37), ("ABS_MT_BLOB_ID", 0x38), ("ABS_MT_TRACKING_ID", 0x39), ("ABS_MT_PRESSURE", 0x3A),
        ("ABS_MT_DISTANCE", 0x3B), ("ABS_MT_TOOL_X", 0x3C), ("ABS_MT_TOOL_Y", 0x3D),
    ]
}
