@testable import Recording

/// What a reader finds in `text`, which comes in chunks of `size` bytes.
func read(_ text: String, chunks size: Int = 1 << 16) -> [RecordingItem] { read(Array(text.utf8), chunks: size) }

func read(_ bytes: [UInt8], chunks size: Int = 1 << 16) -> [RecordingItem] {
    var reader = RecordingReader()
    var items: [RecordingItem] = []
    var start = 0
    while start < bytes.count {
        let end = min(bytes.count, start + size)
        reader.read(Array(bytes[start..<end]), into: &items)
        start = end
    }
    reader.finish(into: &items)
    return items
}

/// What fits together in it.
func settle(_ items: [RecordingItem]) -> [RecordingItem] {
    var touches = RecordingTouches()
    var settled: [RecordingItem] = []
    for item in items { touches.handle(item, into: &settled) }
    return settled
}

func summary(of items: [RecordingItem]) -> RecordingSummary {
    var summary = RecordingSummary()
    for item in items { summary.count(read: item) }
    for item in settle(items) { summary.count(settled: item) }
    return summary
}

extension [RecordingItem] {
    /// A word for each touch: its kind's name, its id and place, such as `down 0 0.5,0.25`.
    var words: [String] {
        compactMap { item in
            guard case .touch(let line) = item.content else { return nil }
            var word = line.kind.name
            if let id = line.id { word += " \(id)" }
            switch line.place {
            case .panel(let point): word += " \(short(point.x)),\(short(point.y))"
            case .output(let point): word += " \(short(point.x))px,\(short(point.y))px"
            case nil: break
            }
            return word
        }
    }

    private func short(_ value: Double) -> String { decimalText(value, places: 3) ?? "far" }

    /// The same without what says nothing of a contact.
    var contactWords: [String] { words.filter { !$0.hasPrefix("frame") && !$0.hasPrefix("device") } }

    var times: [UInt32] {
        compactMap { item in
            guard case .touch(let line) = item.content else { return nil }
            return line.time
        }
    }

    var faults: [RecordingFault] {
        compactMap { item in
            guard case .fault(let kind) = item.content else { return nil }
            return RecordingFault(kind, line: item.line)
        }
    }

    var events: [EvdevEvent] {
        compactMap { item in
            guard case .event(let event, _) = item.content else { return nil }
            return event
        }
    }

    var devices: [EvdevDevice] {
        compactMap { item in
            guard case .device(let device, _) = item.content else { return nil }
            return device
        }
    }
}

enum Fixture {
    /// A panel of 1000 by 500 units and four slots.
    static let evemuHeader = """
        # EVEMU 1.3
        # Kernel: none
        N: Test Panel
        I: 0018 1234 5678 0100
        P: 02 00 00 00 00 00 00 00
        B: 00 0b 00 00 00 00 00 00 00
        B: 01 00 00 00 00 00 00 00 00
        B: 01 00 00 00 00 00 00 00 00
        B: 01 00 00 00 00 00 00 00 00
        B: 01 00 00 00 00 00 00 00 00
        B: 01 00 00 00 00 00 00 00 00
        B: 01 00 04 00 00 00 00 00 00
        B: 03 03 00 00 00 00 80 60 02
        A: 00 0 999 0 0 10
        A: 01 0 499 0 0 10
        A: 2f 0 3 0 0 0
        A: 35 0 999 0 0 10
        A: 36 0 499 0 0 10
        A: 39 0 65535 0 0 0

        """

    /// One tap at the middle, 80 ms long, and a second finger that moves.
    static let evemuEvents = """
        E: 0.000001 0003 0039 0007	# EV_ABS / ABS_MT_TRACKING_ID   7
        E: 0.000001 0003 0035 0500	# EV_ABS / ABS_MT_POSITION_X    500
        E: 0.000001 0003 0036 0250	# EV_ABS / ABS_MT_POSITION_Y    250
        E: 0.000001 0001 014a 0001	# EV_KEY / BTN_TOUCH            1
        E: 0.000001 0000 0000 0000	# ------------ SYN_REPORT (0) ----------
        E: 0.010000 0003 002f 0001	# EV_ABS / ABS_MT_SLOT          1
        E: 0.010000 0003 0039 0008	# EV_ABS / ABS_MT_TRACKING_ID   8
        E: 0.010000 0003 0035 0100	# EV_ABS / ABS_MT_POSITION_X    100
        E: 0.010000 0003 0036 0100	# EV_ABS / ABS_MT_POSITION_Y    100
        E: 0.010000 0000 0000 0000	# ------------ SYN_REPORT (0) ----------
        E: 0.020000 0003 0035 0200	# EV_ABS / ABS_MT_POSITION_X    200
        E: 0.020000 0000 0000 0000	# ------------ SYN_REPORT (0) ----------
        E: 0.080001 0003 002f 0000	# EV_ABS / ABS_MT_SLOT          0
        E: 0.080001 0003 0039 -001	# EV_ABS / ABS_MT_TRACKING_ID   -1
        E: 0.080001 0000 0000 0000	# ------------ SYN_REPORT (0) ----------
        E: 0.090000 0003 002f 0001	# EV_ABS / ABS_MT_SLOT          1
        E: 0.090000 0003 0039 -001	# EV_ABS / ABS_MT_TRACKING_ID   -1
        E: 0.090000 0001 014a 0000	# EV_KEY / BTN_TOUCH            0
        E: 0.090000 0000 0000 0000	# ------------ SYN_REPORT (0) ----------

        """

    static let evemu = evemuHeader + evemuEvents

    static let evemuWords = [
        "device", "down 0 0.5,0.5", "frame", "down 1 0.1,0.2", "frame", "motion 1 0.2,0.2", "frame", "up 0", "frame",
        "up 1", "frame",
    ]

    static let evtest = """
        Input driver version is 1.0.1
        Input device ID: bus 0x18 vendor 0x12 product 0x34 version 0x1
        Input device name: "Test Panel"
        Supported events:
          Event type 0 (EV_SYN)
          Event type 1 (EV_KEY)
            Event code 330 (BTN_TOUCH)
          Event type 3 (EV_ABS)
            Event code 47 (ABS_MT_SLOT)
              Value      0
              Min        0
              Max        3
            Event code 53 (ABS_MT_POSITION_X)
              Value      0
              Min        0
              Max      999
              Resolution      10
            Event code 54 (ABS_MT_POSITION_Y)
              Value      0
              Min        0
              Max      499
              Resolution      10
            Event code 57 (ABS_MT_TRACKING_ID)
              Value      0
              Min        0
              Max    65535
        Properties:
          Property type 1 (INPUT_PROP_DIRECT)
        Testing ... (interrupt to exit)
        Event: time 1700000000.500000, type 3 (EV_ABS), code 57 (ABS_MT_TRACKING_ID), value 12
        Event: time 1700000000.500000, type 3 (EV_ABS), code 53 (ABS_MT_POSITION_X), value 500
        Event: time 1700000000.500000, type 3 (EV_ABS), code 54 (ABS_MT_POSITION_Y), value 250
        Event: time 1700000000.500000, type 1 (EV_KEY), code 330 (BTN_TOUCH), value 1
        Event: time 1700000000.500000, -------------- SYN_REPORT ------------
        Event: time 1700000000.600000, type 4 (EV_MSC), code 4 (MSC_SCAN), value d0042
        Event: time 1700000000.600000, type 3 (EV_ABS), code 57 (ABS_MT_TRACKING_ID), value -1
        Event: time 1700000000.600000, type 1 (EV_KEY), code 330 (BTN_TOUCH), value 0
        Event: time 1700000000.600000, -------------- Report Sync ------------

        """

    static let geteventDescription = """
        add device 1: /dev/input/event2
          bus:      0018
          vendor    0012
          product   0034
          version   0100
          name:     "Test Panel"
          location: ""
          id:       ""
          version:  1.0.1
          events:
            KEY (0001): 0145* 014a
            ABS (0003): 002f  : value 0, min 0, max 3, fuzz 0, flat 0, resolution 0
                        0035  : value 0, min 0, max 999, fuzz 0, flat 0, resolution 10
                        ABS_MT_POSITION_Y     : value 0, min 0, max 499, fuzz 0, flat 0, resolution 10
                        0039  : value 0, min 0, max 65535, fuzz 0, flat 0, resolution 0
          input props:
            INPUT_PROP_DIRECT

        """

    static let waylandDebug = """
        some app says something of wl_seat
        [2690001.100]  -> wl_display@1.get_registry(new id wl_registry@2)
        [2690001.900] wl_registry@2.global(7, "wl_seat", 7)
        [2690002.000]  -> wl_seat@5.get_touch(new id wl_touch@12)
        [2690010.000] wl_touch@12.motion(995, 3, 1.000000, 1.000000)
        [2690010.100] wl_touch@12.frame()
        [2690020.000] wl_touch@12.down(81, 1000, wl_surface@3, 0, 100.000000, 50.500000)
        [2690020.100] wl_touch@12.shape(0, 12.500000, 8.000000)
        [2690020.200] wl_touch@12.frame()
        [2690030.000] wl_touch@12.motion(1008, 0, 101.250000, 50.500000)
        [2690030.100] wl_touch@12.frame()
        [2690040.000] wl_touch@12.up(82, 1016, 0)

        """

    static let debugEvents = """
        -event3   DEVICE_ADDED            Test Panel With Name              seat0 default group1  cap:t  size 154x86mm calib
        -event4   DEVICE_ADDED            Power Button                      seat0 default group2  cap:k
        -event3   TOUCH_DOWN              +1.250s	0 (0) 25.00/50.00 (38.50/43.00mm)
         event3   TOUCH_FRAME             +1.250s
         event3   TOUCH_MOTION       12   +1.260s	0 (0) 30.00/ 5.50
         event3   TOUCH_FRAME        13   +1.260s
        -event4   KEYBOARD_KEY            +1.300s	*** (-1) pressed
         event3   TOUCH_UP                +1.330s	0 (0)
         event3   TOUCH_FRAME             +1.330s
         event3   TOUCH_DOWN              +2.000s	-1 (0)  1.00/ 2.00 ( 1.54/ 1.72mm)
         event3   TOUCH_FRAME             +2.000s
         event3   TOUCH_CANCEL            +2.100s	-1 (0)
         event3   TOUCH_FRAME             +2.100s

        """

    static let jsonLines = """
        {"type":"ready","width":640,"height":480,"scale":1}
        {"type":"down","seat":"seat0","id":7,"time":1000,"x":10.5,"y":20.25}
        {"type":"frame","seat":"seat0"}
        {"type":"up","seat":"seat0","id":7,"time":1080}

        """
}
