import Testing

@testable import Recording

@Suite struct RecordingReaderTests {
    // MARK: Formats

    @Test(arguments: [
        (Fixture.evemu, RecordingFormat.evemu), (Fixture.evemuEvents, .evemu), ("N: x\n", .evemu),
        (Fixture.evtest, .evtest), ("Event: time 1.5, type 3 (EV_ABS), code 0 (ABS_X), value 3\n", .evtest),
        (Fixture.geteventDescription, .getevent), ("/dev/input/event2: 0003 0035 0000001f\n", .getevent),
        ("[    12.345678] /dev/input/event2: EV_ABS       ABS_X   0000001f\n", .getevent),
        ("[    12.345678] EV_SYN SYN_REPORT 00000000\n", .getevent), ("0003 0035 0000001f\n", .getevent),
        (Fixture.waylandDebug, .waylandDebug),
        ("[123.456] {Default Queue} wl_touch#12.frame()\n", .waylandDebug),
        (Fixture.debugEvents, .debugEvents), (Fixture.jsonLines, .jsonLines),
        (" {\"type\":\"up\",\"id\":1}", .jsonLines),
        ("R: 3 05 0d 09\nN: x\n", .hidRecorder), ("D: 0\n", .hidRecorder),
        ("# libinput record\nversion: 1\n", .libinputRecord), ("version: 1\nndevices: 1\n", .libinputRecord),
    ])
    func formatsAreToldByWhatStandsInThem(text: String, format: RecordingFormat) {
        var reader = RecordingReader()
        var items: [RecordingItem] = []
        reader.read(Array(text.utf8), into: &items)
        reader.finish(into: &items)
        #expect(reader.format == format)
    }

    @Test(
        arguments: [
            ([], "it is empty"), (Array("hello\n\nworld\n".utf8), "no recording that is known"),
            ([0x1F, 0x8B, 8, 0, 0x0A], "compressed by gzip, and this build is without zlib"),
            ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0, 0x0A], "compressed by xz, and this build is without liblzma"),
            ([0x28, 0xB5, 0x2F, 0xFD, 0x0A], "compressed by zstd, and this build is without libzstd"),
            (Array("R: 1 2\n".utf8), "hid-recorder is not read"),
            (Array("# For touch-stage --size 1x1\nwait-window\n".utf8), "a script of touch-stage is not read"),
            (Array("wait-window\ndown 1 1 1\n".utf8), "a script of touch-stage is not read"),
        ] as [([UInt8], String)])
    /// A reader of lines unpacks nothing.
    func whatIsNotReadIsSaidOnce(bytes: [UInt8], fault: String) {
        let items = read(bytes)
        #expect(items.faults.map(\.description) == [fault])
        #expect(items.last?.content == .end)
    }

    /// The bytes between two chunks belong together, wherever they are cut.
    @Test(arguments: [
        Fixture.evemu, Fixture.evtest, Fixture.waylandDebug, Fixture.debugEvents, Fixture.jsonLines,
        Fixture.geteventDescription + "0003 0035 0000001f\n",
    ])
    func chunksMakeNoDifference(text: String) {
        let whole = read(text)
        for size in [1, 2, 3, 7, 8, 9, 64, 1000] { #expect(read(text, chunks: size) == whole) }
    }

    // MARK: Lines

    @Test func aLineWithoutItsEndIsReadAndNamed() {
        let items = read("N: x\nE: 1.000000 0003 0035 0012")
        #expect(items.events == [EvdevEvent(time: 1_000_000, type: 3, code: 0x35, value: 12)])
        #expect(items.faults == [RecordingFault(.cut, line: 2)])
    }

    /// The cut may have gone through a number: a frame whose end did not come tells nothing.
    @Test func aFileThatIsCutIsReadUpToTheCut() {
        let bytes = Array(Fixture.evemu.utf8)
        let full = settle(read(bytes)).contactWords
        for count in stride(from: 0, to: bytes.count, by: 13) {
            let items = settle(read(Array(bytes[..<count])))
            #expect(full.starts(with: items.contactWords))
            if bytes[max(0, count - 1)] != 0x0A { #expect(items.faults.contains { $0.kind == .cut || count == 0 }) }
        }
    }

    @Test func longLinesArePassedOver() {
        let long = String(repeating: "x", count: ChunkLines.longest + 1)
        for size in [1000, 1 << 20] {
            let items = read("# EVEMU 1.3\n#\(long)\nE: 0.1 0003 0035 0012\n", chunks: size)
            #expect(items.faults == [RecordingFault(.longLine, line: 2)])
            #expect(items.events.count == 1)
        }
    }

    @Test func longestLineIsStillRead() {
        let padding = String(repeating: " ", count: ChunkLines.longest - 5)
        #expect(read("N: x\nN: y\(padding)\nE: 0.1 0003 0035 0012\n").devices.map(\.name) == ["x", "y"])
    }

    // MARK: evemu

    @Test func evemuIsReadWhole() throws {
        let items = read(Fixture.evemu)
        let device = try #require(items.devices.first)
        #expect(device.name == "Test Panel" && device.bus == 0x18 && device.vendor == 0x1234)
        #expect(device.product == 0x5678 && device.version == 0x100 && device.properties == [1])
        #expect(device.keys == [0x14A] && device.axes.map(\.code) == [0, 1, 0x2F, 0x35, 0x36, 0x39])
        #expect(device.axis(0x35) == EvdevDevice.Axis(0x35, 0, 999, resolution: 10) && device.touchCount == 4)
        #expect(items.events.count == 19 && items.faults.isEmpty)
        #expect(items.events[13] == EvdevEvent(time: 80001, type: 3, code: 0x39, value: -1))
        #expect(settle(items).words == Fixture.evemuWords)
        #expect(settle(items).times == [0, 0, 10, 10, 20, 20, 80, 80, 90, 90])
    }

    @Test(arguments: [
        (
            "E: 1234567890.123456 0003 0039 -001",
            EvdevEvent(time: 1_234_567_890_123_456, type: 3, code: 0x39, value: -1)
        ),
        ("E: 0.5 3 39 4", EvdevEvent(time: 500_000, type: 3, code: 0x39, value: 4)),
        ("E:  1.000001  0003 002F -2147483648 # x", EvdevEvent(time: 1_000_001, type: 3, code: 0x2F, value: .min)),
        ("E: 000012.000001 0000 0000 0001\t", EvdevEvent(time: 12_000_001, type: 0, code: 0, value: 1)),
        ("E: 1.000001 0003 002f 0009\r", EvdevEvent(time: 1_000_001, type: 3, code: 0x2F, value: 9)),
        ("E: 1.000001 0003 002f 2147483647", EvdevEvent(time: 1_000_001, type: 3, code: 0x2F, value: .max)),
    ])
    func evemuEventsAreReadHoweverTheyArePadded(line: String, event: EvdevEvent) {
        let items = read("N: x\n" + line + "\n")
        #expect(items.events == [event] && items.faults.isEmpty)
    }

    @Test(arguments: [
        "E: 1.000001 0003 002f", "E: 1.000001 0003 002f 12x", "E: x 0003 002f 12", "E: 1. 0003 002f 12",
        "E: 1.000001 10003 002f 0012", "E: 1.000001 0003 00g0 0012", "E: 1.000001 0003 002f 2147483648",
        "E: 999999999999.000001 0003 002f 12", "E: 1.000001 0003 002f -", "E:", "E: 1.000001 0003 002f 0001\tx",
    ])
    func whatIsNoEventIsNamedAndPassedOver(line: String) {
        let items = read("N: x\n" + line + "\nE: 0.1 0003 0035 0012\n")
        #expect(items.events.count == 1)
        #expect(items.faults == [RecordingFault(.unreadable("an event is TIME TYPE CODE VALUE"), line: 2)])
    }

    /// Versions 1.0 and 1.1 have no resolution.
    @Test func axesOfOldVersionsAreRead() {
        let items = read("# EVEMU 1.0\nN: x\nA: 35 0 999 2 1\nA: 36 0\nI: 1 2\nZ: 1\nnothing\n")
        #expect(items.devices.first?.axes == [EvdevDevice.Axis(0x35, 0, 999, fuzz: 2, flat: 1)])
        #expect(items.faults.map(\.line) == [4, 5, 6, 7])
    }

    /// A description of its own file is fed in before.
    @Test func descriptionAndEventsMayBeTwoFiles() {
        let items = settle(read(Fixture.evemuHeader) + read(Fixture.evemuEvents))
        #expect(items.words == Fixture.evemuWords && items.faults.isEmpty)
    }

    @Test func eventsAloneHaveAnAssumedRange() {
        let items = settle(read(Fixture.evemuEvents))
        #expect(items.contactWords.first == "down 0 0.122,0.061")
        #expect(items.faults == [RecordingFault(.noDescription, line: 5)])
    }

    @Test func devicesBehindEachOtherAreNumbered() {
        let other = Fixture.evemu.replacing("N: Test Panel", with: "N: Other")
        let items = read(Fixture.evemu + other + Fixture.evemu)
        let numbers = items.compactMap { if case .device(_, let number) = $0.content { number } else { nil } }
        #expect(numbers == [0, 1, 0] && items.faults.isEmpty)
        let header = ["header"]
        #expect(settle(items).words == Array([1, 2, 3].map { _ in Fixture.evemuWords }.joined(separator: header)))
    }

    // MARK: evtest

    @Test func evtestIsReadWhole() throws {
        let items = read(Fixture.evtest)
        let device = try #require(items.devices.first)
        #expect(device.name == "Test Panel" && device.bus == 0x18 && device.vendor == 0x12 && device.version == 1)
        #expect(device.properties == [1] && device.keys == [0x14A] && device.touchCount == 4)
        #expect(device.axis(0x36) == EvdevDevice.Axis(0x36, 0, 499, resolution: 10))
        #expect(items.events.contains(EvdevEvent(time: 1_700_000_000_600_000, type: 4, code: 4, value: 0xD0042)))
        #expect(settle(items).words == ["device", "down 0 0.5,0.5", "frame", "up 0", "frame"])
        #expect(items.faults.isEmpty)
    }

    // MARK: getevent

    /// Every way in which getevent writes one and the same.
    @Test(arguments: [
        ["[  12.000001] /dev/input/event2: 0003 0039 0000000c", "[  12.500000] /dev/input/event2: 0003 0039 ffffffff"],
        [
            "[  12.000001] /dev/input/event2: EV_ABS       ABS_MT_TRACKING_ID   0000000c",
            "[  12.500000] /dev/input/event2: EV_ABS       ABS_MT_TRACKING_ID   ffffffff",
        ],
        [
            "[  12.000001] EV_ABS       ABS_MT_TRACKING_ID   0000000c            ",
            "[  12.500000] EV_ABS       ABS_MT_TRACKING_ID   ffffffff   rate 12",
        ],
        ["[  12.000001] 0003 0039 0000000c", "[  12.500000] 0003 0039 ffffffff"],
    ])
    func geteventIsReadHoweverItWasCalled(lines: [String]) {
        let items = read(Fixture.geteventDescription + lines.joined(separator: "\n") + "\n")
        #expect(
            items.events == [
                EvdevEvent(time: 12_000_001, type: 3, code: 0x39, value: 12),
                EvdevEvent(time: 12_500_000, type: 3, code: 0x39, value: -1),
            ])
        #expect(items.faults.isEmpty)
        let device = items.devices.first
        #expect(device?.node == "event2" && device?.name == "Test Panel" && device?.keys == [0x145, 0x14A])
        #expect(device?.axes.map(\.code) == [0x2F, 0x35, 0x36, 0x39] && device?.axis(0x36)?.maximum == 499)
        #expect(device?.properties == [1] && device?.version == 0x100)
    }

    @Test func buttonsHaveWordsAndStampsMayBeMissing() {
        let items = read(
            "/dev/input/event2: EV_KEY BTN_TOUCH DOWN\n/dev/input/event2: EV_KEY KEY_A DOWN\n"
                + "/dev/input/event2: EV_KEY BTN_TOUCH UP\n/dev/input/event2: EV_SYN SYN_REPORT 00000000\n")
        #expect(items.events.map(\.code) == [0x14A, 0x14A, 0] && items.events.map(\.value) == [1, 0, 0])
        #expect(items.faults == [RecordingFault(.noStamps, line: 1)])
    }

    @Test func devicesAreToldApartByTheirFiles() {
        let items = read("[1.0] /dev/input/event1: 0003 0035 00000001\n[1.0] /dev/input/event2: 0003 0035 00000002\n")
        #expect(
            items.map(\.content).contains(.event(EvdevEvent(time: 1_000_000, type: 3, code: 0x35, value: 2), device: 1))
        )
    }

    // MARK: WAYLAND_DEBUG

    /// The motion belongs to a contact that began before the log; its last up has no frame.
    @Test func waylandDebugIsReadWhole() {
        let items = settle(read(Fixture.waylandDebug))
        #expect(
            items.words == [
                "down 0 100px,50.5px", "shape 0", "frame", "motion 0 101.25px,50.5px", "frame", "up 0",
            ])
        #expect(items.faults == [RecordingFault(.unknownContact(3), line: 5)])
        #expect(items.times == [1000, 1008, 1016])
    }

    /// A compositor's own log, with arrows, numbers behind #, queues and colours. What was discarded was for nobody.
    @Test func serverLogsAndNewObjectsAreRead() {
        let items = settle(
            read(
                """
                \u{1B}[32m[123.456] {Default Queue}  -> wl_touch#9.down(1, 5, wl_surface#3, -2, 1.5, 2.5)\u{1B}[0m
                [123.456] \u{1B}[1mwl_\u{1B}[36mtouch\u{1B}[0m#9.frame()
                [123.456] discarded wl_touch#9.down(2, 5, wl_surface#3, 4, 1.5, 2.5)
                [123.456] {Default Queue} discarded wl_touch#9.motion(6, 4, 1.5, 2.5)
                [123.456]  -> wl_touch#9.orientation(-2, 45.00000000)
                [124.000] wl_seat#4.get_touch(new id wl_touch#9)
                [125.000]  -> wl_touch#9.down(1, 6, nil, -2, 1.5, 2.5)
                [125.000]  -> wl_touch#9.cancel()

                """))
        #expect(
            items.words == [
                "down -2 1.5px,2.5px", "frame", "orientation -2", "cancel", "down -2 1.5px,2.5px", "cancel",
            ])
        #expect(items.faults.isEmpty)
    }

    @Test func clientsAreToldApartAndTheClockMayGoBack() {
        let items = settle(
            read(
                """
                [1.000] wl_touch@9.down(1, 1000, wl_surface@3, 0, 1.0, 1.0)
                [1.000] wl_touch@12.down(1, 1000, wl_surface@3, 0, 5.0, 5.0)
                [1.000] wl_touch@9.up(1, 1050, 0)
                [1.000] wl_touch@9.down(1, 10, wl_surface@3, 0, 1.0, 1.0)
                [1.000] wl_touch@12.up(1, 1060, 0)
                [1.000] wl_touch@9.up(1, 30, 0)
                [1.000] wl_touch@9.up(1, 30

                """))
        #expect(items.contactWords == ["down 0 1px,1px", "down 0 5px,5px", "up 0", "down 0 1px,1px", "up 0", "up 0"])
        #expect(items.times == [1000, 1000, 1050, 1050, 1060, 1070])
        #expect(items.faults.map(\.kind) == [.clockWentBack, .unreadable("a message without its arguments")])
    }

    // MARK: libinput debug-events

    @Test func debugEventsAreReadWhole() throws {
        let items = settle(read(Fixture.debugEvents))
        #expect(
            items.words == [
                "device", "down 0 0.25,0.5", "frame", "motion 0 0.3,0.055", "frame", "up 0", "frame",
                "down -1 0.01,0.02", "frame", "cancel -1", "frame",
            ])
        #expect(items.faults.isEmpty && items.times.last == 2100)
        guard case .touch(let line) = items[0].content, case .device(let facts) = line.kind else {
            Issue.record("no device")
            return
        }
        #expect(line.device == "event3" && line.seat == "seat0" && facts.name == "Test Panel With Name")
        #expect(facts.millimetres?.width == 154 && facts.millimetres?.height == 86 && facts.number == 0)
    }

    /// One that goes takes its contacts with it, and a keyboard is no touchscreen.
    @Test func whatGoesEndsItsContacts() {
        let lines = Fixture.debugEvents.split(separator: "\n").map(String.init)
        let gone = lines[0].replacing("DEVICE_ADDED  ", with: "DEVICE_REMOVED")
        let items = settle(read((lines.prefix(3) + [gone]).joined(separator: "\n") + "\n"))
        #expect(items.words == ["device", "down 0 0.25,0.5", "cancel", "device"])
    }

    // MARK: JSON Lines

    @Test func linesOfOurOwnAreRead() {
        let items = read(Fixture.jsonLines + "{\"type\":\"down\"}\n\nnothing\n")
        #expect(items.words == ["ready", "down 7 10.5px,20.25px", "frame", "up 7"])
        #expect(
            items.faults.map(\.description)
                == ["\"down\" lacks \"id\"", "no JSON object: no object in column 1"])
        #expect(items.faults.map(\.line) == [5, 7])
    }
}
