#if YAML
    import Testing

    @testable import Recording

    enum LibinputRecordFixture {
        /// A panel of 1000 by 500 units and a keyboard before it, with what libinput made of the touch in between.
        static let text = """
            # libinput record
            version: 1
            ndevices: 2
            libinput:
              version: "1.22.1"
              git: "unknown"
            system:
              os: "none"
              kernel: "6.1"
            devices:
            - node: /dev/input/event1
              evdev:
                # Name: Keys
                name: "Keys"
                id: [3, 1, 2, 3]
                codes:
                  0: [0, 1, 4] # EV_SYN
                  1: [30, 31] # EV_KEY
                properties: []
              hid: [
                0x05, 0x0d, 0x09,
              ]
              udev:
                properties:
                - ID_INPUT=1
              quirks:
              events:
              - evdev:
                - [  0,      0,   1,  30,       1] # EV_KEY / KEY_A                     1
                - [  0,      0,   0,   0,       0] # ------------ SYN_REPORT (0) ---------- +0ms
            - node: /dev/input/event3
              evdev:
                name: "Test \\"Panel\\": 'one'"
                id: [24, 4660, 22136, 256]
                codes:
                  0: [0, 1, 3] # EV_SYN
                  1: [330] # EV_KEY
                  3: [0, 1, 47, 53, 54, 57] # EV_ABS
                absinfo:
                  47: [0, 3, 0, 0, 0]
                  53: [0, 999, 0, 0, 10]
                  54: [0, 499, 0, 0, 10]
                  57: [0, 65535, 0, 0, 0]
                properties: [1]
              hid: [0x05, 0x0d]
              udev:
                properties:
                - ID_INPUT_TOUCHSCREEN=1
              quirks:
              - ModelTest=1
              events:
              - evdev:
                - [  0,    100,   3,  57,      12] # EV_ABS / ABS_MT_TRACKING_ID   12
                - [  0,    100,   3,  53,     500] # EV_ABS / ABS_MT_POSITION_X    500
                - [  0,    100,   3,  54,     250] # EV_ABS / ABS_MT_POSITION_Y    250
                - [  0,    100,   0,   0,       0] # ------------ SYN_REPORT (0) ---------- +0ms
              - libinput:
                - {time: 0.000, type: TOUCH_DOWN, slot: 0, seat_slot: 0, point: [49.90, 24.90]}
              - evdev:
                - [  1,     80,   3,  57,      -1] # EV_ABS / ABS_MT_TRACKING_ID   -1
                - [  1,     80,   0,   0,       0] # ------------ SYN_REPORT (0) ---------- +1000ms

            """
    }

    @Suite struct LibinputRecordTests {
        @Test func aRecordingOfTwoDevicesIsReadWhole() throws {
            let items = read(LibinputRecordFixture.text)
            #expect(items.faults.isEmpty && items.devices.map(\.name) == ["Keys", "Test \"Panel\": 'one'"])
            let panel = try #require(items.devices.last)
            #expect(panel.node == "event3" && panel.bus == 24 && panel.vendor == 4660 && panel.version == 256)
            #expect(panel.properties == [1] && panel.keys == [330] && panel.touchCount == 4)
            #expect(panel.axis(53) == EvdevDevice.Axis(53, 0, 999, resolution: 10))
            #expect(items.devices[0].keys == [30, 31] && items.devices[0].properties == [])
            #expect(items.events.count == 8 && items.events.last?.time == 1_000_080)
            #expect(settle(items).words == ["device", "down 0 0.5,0.5", "frame", "up 0", "frame"])
            #expect(settle(items).times == [0, 0, 1000, 1000])
        }

        @Test func chunksMakeNoDifference() {
            let whole = read(LibinputRecordFixture.text)
            for size in [1, 7, 64] { #expect(read(LibinputRecordFixture.text, chunks: size) == whole) }
        }

        /// One bad line costs itself alone.
        @Test func badLinesAreNamedAndPassedOver() {
            let text = """
                version: 2
                devices:
                - node: /dev/input/event3
                  evdev:
                    name: "x"
                    id: [1, 2]
                    codes:
                      3: [53, 54]
                    absinfo:
                      53: [0, 1]
                  events:
                  - evdev:
                    - [0, 0, 3, 53, 5
                    - [0, 0, 3, 53]
                    - [0, 1000000, 3, 53, 1]
                    - [0, 0, 70000, 53, 1]
                    - [0, 0, 3, 53, 7]

                """
            let items = read(text)
            #expect(items.events.map(\.value) == [7])
            #expect(items.faults.map(\.line) == [1, 6, 10, 13, 14, 15, 16])
        }

        /// A recording that tells no device's file gets none, and is read all the same.
        @Test func noFileOfADeviceIsInvented() {
            var device = EvdevDevice(name: "Panel")
            device.add(EvdevDevice.Axis(EvdevCode.positionX, 0, 999))
            for node in [nil, "evdev0", "event", "event3/../null"] as [String?] {
                device.node = node
                let text = LibinputRecordWriter.header(device)
                #expect(!text.contains("/dev/input"), "\(text)")
                let again = read(text)
                #expect(again.devices.map(\.name) == ["Panel"] && again.devices.first?.node == nil)
                #expect(again.faults.isEmpty)
            }
            device.node = "event12"
            #expect(read(LibinputRecordWriter.header(device)).devices.first?.node == "event12")
        }

        /// Lines as libinput record writes them are read without libyaml, and tell the same as other YAML of that meaning.
        @Test func eventsAreReadHoweverTheyAreWritten() {
            func text(_ frame: String) -> String {
                "version: 1\ndevices:\n- node: a\n  evdev:\n    name: b\n  events:\n" + frame
            }
            let event = EvdevEvent(time: 1_000_100, type: 3, code: 57, value: -1)
            for line in [
                "    - [  1,    100,   3,  57,      -1] # EV_ABS / ABS_MT_TRACKING_ID   -1",
                "    - [1,100,3,57,-1]", "    - [  1,    100,   3,  57,      -1]  \r",
                "    - [01, 0100, 003, 57, -01]", "    - [ '1', \"100\", 3, 57, -1 ]", "    -  [1, 100, 3, 57, -1]",
                "    - [+1, 100, 3, 57, -1] # x", "    - [1, 100, 3, 57, -1]# x", "- [1,\t100, 3, 57, -1,]",
            ] {
                let items = read(text("  - evdev:\n\(line)\n"))
                #expect(items.events == [event] && items.faults.isEmpty, "\(line)")
            }
            for line in [
                "    - [1, 100, 3, 57, -1] x", "    - [1, 100, 3, 57, -1",
                "    - [1, 100, 3, 57, 4294967295]", "    - [-1, 100, 3, 57, 1]", "    - [1, 1000000, 3, 57, 1]",
                "    - [1, 100, 65536, 57, 1]", "    - [1, 100, 3, 57, 1, 1]", "    - [1, 100, 3, 57]",
                "    - [100000000000, 100, 3, 57, 1]", "    - [1, 100, 3, 57, -]", "    - [1, 100, 3, 57, ]", "    - [",
            ] {
                let items = read(text("  - evdev:\n\(line)\n"))
                #expect(items.events.isEmpty && items.faults.map(\.line) == [8], "\(line)")
            }
            for frame in ["- evdev:", "  -   evdev: ", "  - evdev: # the kernel's", "  - \"evdev\":"] {
                let items = read(text("  - libinput:\n\(frame)\n    - [1, 100, 3, 57, -1]\n"))
                #expect(items.events == [event] && items.faults.isEmpty, "\(frame)")
            }
        }

        /// With --with-hidraw there are reports between the frames, in lists of several lines.
        @Test func framesOfOthersArePassedOver() {
            let other = """
                  - libinput:
                    - {time: 0.000, type: TOUCH_DOWN, slot: 0, seat_slot: 0, point: [49.90, 24.90]}
                    - [1, 100, 3, 57, 9]
                  - hid:
                      time: [  0,      0]
                      hidraw0: [
                        0x01, 0x02,
                      ]

                """
            let text = LibinputRecordFixture.text
            let items = read(text.replacing("  - evdev:\n", with: other + "  - evdev:\n"))
            #expect(items.events == read(text).events && items.faults.isEmpty)
            #expect(items.devices == read(text).devices)
        }

        /// What is written is read again.
        @Test func recordingsAreWrittenAsTheyAreRead() throws {
            let items = read(Fixture.evemu)
            var writer = LibinputRecordWriter()
            let text =
                LibinputRecordWriter.header(items.devices[0]) + items.events.map { writer.text($0) }.joined()
            let again = read(text)
            #expect(again.devices == [items.devices[0]] && again.faults.isEmpty)
            #expect(again.events.map(\.value) == items.events.map(\.value))
            // Replay counts from the first event.
            #expect(again.events.map(\.time) == items.events.map { $0.time - 1 })
            #expect(settle(again).words == settle(items).words)
        }

        @Test func nestingAndAliasesAreBounded() {
            let deep = String(repeating: "[", count: 60_000)
            let items = read(
                "version: 1\ndevices:\n- node: a\n  evdev:\n    id: \(deep)\n    name: *x\n    name: &x y\n")
            #expect(items.devices.map(\.name) == ["y"])
            #expect(items.faults.map(\.line) == [5])
        }
    }
#endif
