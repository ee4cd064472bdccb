/// A recording of any length, made while it is written: a finger comes down each second, moves at 120 reports a second
/// and lifts.
struct RecordedText {
    let name: String
    let header: [UInt8]
    /// One second of it.
    let block: [UInt8]
    /// Where in the block the seconds' five digits stand.
    private let places: [Int]

    var headerLines: Int { RecordedText.lines(header) }
    var linesPerSecond: Int { RecordedText.lines(block) }
    var bytesPerSecond: Int { block.count }

    /// What stands for the seconds in a block; as wide as they are.
    private static let mark = "SSSSS"
    /// So that all have five digits, for a day.
    private static let firstSecond = 10_000

    private init(_ name: String, header: String, block: String) {
        self.name = name
        self.header = Array(header.utf8)
        let bytes = Array(block.utf8)
        self.block = bytes
        let mark = Array(RecordedText.mark.utf8)
        places = bytes.indices.filter { bytes[$0] == mark[0] && bytes[$0...].starts(with: mark) }
    }

    /// Makes a block that of another second of the recording.
    func set(_ second: Int, in block: inout [UInt8]) {
        let digits = Array(String(RecordedText.firstSecond + second).utf8)
        for place in places { for index in digits.indices { block[place + index] = digits[index] } }
    }

    private static func lines(_ bytes: [UInt8]) -> Int { bytes.count { $0 == 0x0A } }

    /// As evemu-record writes it.
    static let evemu = RecordedText(
        "evemu",
        header: """
            # EVEMU 1.3
            N: Panel
            I: 0018 1234 5678 0100
            P: 02 00 00 00 00 00 00 00
            B: 03 03 00 00 00 00 80 60 02
            A: 00 0 4095 0 0 20
            A: 01 0 4095 0 0 20
            A: 2f 0 9 0 0 0
            A: 35 0 4095 0 0 20
            A: 36 0 4095 0 0 20
            A: 39 0 65535 0 0 0

            """,
        block: block { event in
            let start = "E: \(mark).\(padded(event.microseconds, 6)) \(hex(event.type)) \(hex(event.code)) "
            let value = event.value < 0 ? "-" + padded(-event.value, 3) : padded(event.value, 4)
            return start + value + "\t# \(event.comment)\n"
        })

    /// As libinput record writes it.
    static let libinputRecord = RecordedText(
        "libinput record",
        header: """
            # libinput record
            version: 1
            ndevices: 1
            devices:
            - node: /dev/input/event3
              evdev:
                name: "Panel"
                id: [24, 4660, 22136, 256]
                codes:
                  0: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] # EV_SYN
                  3: [0, 1, 47, 53, 54, 57] # EV_ABS
                absinfo:
                  0: [0, 4095, 0, 0, 20]
                  1: [0, 4095, 0, 0, 20]
                  47: [0, 9, 0, 0, 0]
                  53: [0, 4095, 0, 0, 20]
                  54: [0, 4095, 0, 0, 20]
                  57: [0, 65535, 0, 0, 0]
                properties: [1]
              events:

            """,
        block: block { event in
            let start = event.isFirst ? "  - evdev:\n" : ""
            let numbers = [
                mark, blank(event.microseconds, 6), blank(event.type, 3), blank(event.code, 3), blank(event.value, 7),
            ]
            return start + "    - [" + numbers.joined(separator: ", ") + "] # \(event.comment)\n"
        })

    // MARK: Events

    private struct Event {
        var microseconds: Int
        var type, code, value: Int
        var name: String
        /// Of its frame.
        var isFirst = false

        var comment: String {
            type == 0
                ? "------------ SYN_REPORT (0) ---------- +8ms"
                : "EV_ABS / " + name + String(repeating: " ", count: 21 - name.utf8.count) + "\(value)"
        }
    }

    /// The text of one second.
    private static func block(_ text: (Event) -> String) -> String {
        var block = ""
        for frame in 0...100 {
            var changes: [(code: Int, name: String, value: Int)] = []
            if frame == 0 { changes.append((0x39, "ABS_MT_TRACKING_ID", 7)) }
            if frame < 100 {
                let (x, y) = (500 + frame * 30, 500 + frame * 20)
                changes += [
                    (0x35, "ABS_MT_POSITION_X", x), (0x36, "ABS_MT_POSITION_Y", y), (0, "ABS_X", x), (1, "ABS_Y", y),
                ]
            } else {
                changes.append((0x39, "ABS_MT_TRACKING_ID", -1))
            }
            let time = frame * 8333
            for (index, change) in changes.enumerated() {
                block += text(
                    Event(
                        microseconds: time, type: 3, code: change.code, value: change.value, name: change.name,
                        isFirst: index == 0))
            }
            block += text(Event(microseconds: time, type: 0, code: 0, value: 0, name: ""))
        }
        return block
    }

    private static func padded(_ number: Int, _ width: Int, with filling: String = "0") -> String {
        let digits = String(number)
        return String(repeating: filling, count: max(0, width - digits.utf8.count)) + digits
    }

    private static func blank(_ number: Int, _ width: Int) -> String { padded(number, width, with: " ") }

    private static func hex(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
    }
}
