import Testing

@testable import Recording

@Suite struct EvdevDecoderTests {
    /// 1000 by 500 units, four slots.
    private static var panel: EvdevDevice {
        var device = EvdevDevice(name: "Test Panel")
        device.node = "event9"
        device.properties = [EvdevCode.direct]
        device.add(EvdevDevice.Axis(EvdevCode.x, 0, 999, resolution: 10))
        device.add(EvdevDevice.Axis(EvdevCode.y, 0, 499, resolution: 10))
        device.add(EvdevDevice.Axis(EvdevCode.slot, 0, 3))
        device.add(EvdevDevice.Axis(EvdevCode.positionX, 0, 999, resolution: 10))
        device.add(EvdevDevice.Axis(EvdevCode.positionY, 0, 499, resolution: 10))
        device.add(EvdevDevice.Axis(EvdevCode.trackingID, 0, 65535))
        return device
    }

    /// Without slots.
    private static var packetPanel: EvdevDevice {
        var device = EvdevDevice(name: "Packets")
        device.properties = [EvdevCode.direct]
        device.add(EvdevDevice.Axis(EvdevCode.positionX, 0, 999))
        device.add(EvdevDevice.Axis(EvdevCode.positionY, 0, 499))
        return device
    }

    private static var singlePanel: EvdevDevice {
        var device = EvdevDevice(name: "Single")
        device.properties = [EvdevCode.direct]
        device.add(EvdevDevice.Axis(EvdevCode.x, 100, 1099))
        device.add(EvdevDevice.Axis(EvdevCode.y, -250, 249))
        device.add(EvdevCode(EvdevCode.key, EvdevCode.btnTouch))
        return device
    }

    /// Events as words, such as `slot 1 id 7 x 100 y 50 sync`; each sync is 10 ms after the one before, unless `at MS`
    /// says when.
    private func decode(_ script: String, _ device: EvdevDevice? = EvdevDecoderTests.panel) -> [RecordingItem] {
        var decoder = EvdevDecoder(device, number: 0)
        var items: [RecordingItem] = []
        var time: Int64 = 0
        let words = script.split(separator: " ").map(String.init)
        var index = 0
        func value() -> Int32 {
            index += 1
            return Int32(words[index])!
        }
        while index < words.count {
            let (type, code, number): (UInt16, UInt16, Int32)
            switch words[index] {
            case "at":
                time = Int64(value()) * 1000 - 10_000
                index += 1
                continue
            case "slot": (type, code, number) = (3, EvdevCode.slot, value())
            case "id": (type, code, number) = (3, EvdevCode.trackingID, value())
            case "x": (type, code, number) = (3, EvdevCode.positionX, value())
            case "y": (type, code, number) = (3, EvdevCode.positionY, value())
            case "absx": (type, code, number) = (3, EvdevCode.x, value())
            case "absy": (type, code, number) = (3, EvdevCode.y, value())
            case "touch": (type, code, number) = (1, EvdevCode.btnTouch, value())
            case "mt": (type, code, number) = (0, EvdevCode.mtReport, 0)
            case "dropped": (type, code, number) = (0, EvdevCode.dropped, 0)
            case "sync":
                time += 10_000
                (type, code, number) = (0, EvdevCode.report, 0)
            default: preconditionFailure(words[index])
            }
            decoder.handle(
                EvdevEvent(time: time, type: type, code: code, value: number), line: index + 1, into: &items)
            index += 1
        }
        decoder.finish(line: words.count, into: &items)
        return items
    }

    // MARK: Protocol B

    @Test func slotsBecomeContacts() {
        let items = decode(
            "id 1 x 500 y 250 slot 1 id 2 x 0 y 499 sync x 10 sync slot 0 id -1 sync slot 1 id -1 sync sync")
        #expect(
            items.words == [
                "down 0 0.5,0.5", "down 1 0,0.998", "frame", "motion 1 0.01,0.998", "frame", "up 0", "frame", "up 1",
                "frame",
            ])
        #expect(items.times == [10, 10, 10, 20, 20, 30, 30, 40, 40] && items.faults.isEmpty)
    }

    @Test func whatAnotherContactLeftInTheSlotIsWhereTheNextOneIs() {
        let items = decode("id 1 x 500 y 250 sync id -1 sync id 2 x 100 sync")
        #expect(items.contactWords == ["down 0 0.5,0.5", "up 0", "down 0 0.1,0.5"])
    }

    @Test func endAndBeginningInOneFrame() {
        let items = decode("id 1 x 500 y 250 sync id -1 id 2 x 100 sync")
        #expect(items.contactWords == ["down 0 0.5,0.5", "up 0", "down 0 0.1,0.5"] && items.faults.isEmpty)
    }

    @Test func anotherIDWithoutAnEndCancels() {
        let items = decode("id 1 x 500 y 250 sync id 2 x 100 sync id -1 sync")
        #expect(items.contactWords == ["down 0 0.5,0.5", "cancel 0", "down 0 0.1,0.5", "up 0"])
        #expect(items.faults == [RecordingFault(.contactAgain(0), line: 9)])
    }

    @Test func aContactWithinOneFrameIsNone() {
        #expect(decode("id 1 x 500 y 250 id -1 sync").words.isEmpty)
    }

    @Test func aRecordingMayBeginInMidContact() {
        let items = decode("x 500 sync x 510 sync id -1 sync id 1 x 0 y 0 sync")
        #expect(items.contactWords == ["down 0 0,0"])
        #expect(items.faults.map(\.kind) == [.unknownContact(0)])
    }

    /// A frame has a touch.
    @Test func whatIsOddInAFrameAloneMakesNone() {
        let items = decode("x 10 sync")
        #expect(items.words.isEmpty && items.faults.count == 1, "\(items)")
    }

    @Test func anUnfinishedFrameIsLeftOut() {
        let items = decode("id 1 x 500 y 250 sync x 510")
        #expect(items.contactWords == ["down 0 0.5,0.5"] && items.faults.map(\.kind) == [.unfinishedFrame])
    }

    // MARK: Losses

    /// What comes up to the frame's end is half of something; the finger's later motions have no contact.
    @Test func droppedEventsCancel() {
        let items = decode(
            "id 1 x 500 y 250 sync x 1 slot 1 id 5 dropped slot 0 id -1 sync slot 1 x 7 sync slot 0 id 9 x 100 y 0 sync"
        )
        #expect(items.contactWords == ["down 0 0.5,0.5", "cancel 0", "down 0 0.1,0"])
        let leftOut = RecordingFault.LeftOut(device: "event9", frames: 1, milliseconds: 10, until: 30)
        #expect(items.faults.map(\.kind) == [.dropped(isBeside: false), .leftOut(leftOut)])
        #expect(Set(items.faults.map(\.line)).count == 1)
    }

    /// As a finger that goes on.
    @Test func timeGoesOnBehindLostEvents() {
        let start = "id 1 x 500 y 250 sync x 510 sync dropped sync"
        let items = decode(start + " x 520 sync x 530 sync slot 1 x 3 sync slot 0 id -1 sync")
        #expect(items.contactWords == ["down 0 0.5,0.5", "motion 0 0.51,0.5", "cancel 0"])
        let leftOut = RecordingFault.LeftOut(device: "event9", frames: 4, milliseconds: 40, until: 70)
        #expect(items.faults.map(\.kind) == [.dropped(isBeside: false), .leftOut(leftOut)])
        #expect(
            items.faults.last?.kind.description
                == "behind it 4 frames of contacts that are not known any more are left out, 0.04 s")
        var summary = RecordingSummary()
        for item in items { summary.count(settled: item) }
        #expect(summary.sources.map(\.duration) == [0.06])
        // What comes down anew is known.
        #expect(decode(start + " id -1 sync id 2 x 9 y 9 sync x 10 sync").faults.count == 2)
        #expect(decode(start + " id 2 x 9 y 9 sync x 10 sync id -1 sync").faults.count == 1)
    }

    @Test func aSecondLossBeforeTheFramesEndIsTheSame() {
        let items = decode("id 1 x 500 y 250 sync dropped dropped sync id 2 sync")
        #expect(items.contactWords == ["down 0 0.5,0.5", "cancel 0", "down 0 0.5,0.5"])
        #expect(items.faults.map(\.kind) == [.dropped(isBeside: false)])
    }

    // MARK: Slots and ranges

    @Test func slotsBeyondTheAnnouncedAreFollowedAndNamed() {
        let items = decode("slot 7 id 1 x 500 y 250 sync slot 8 id 2 x 0 y 0 sync slot 7 id -1 sync")
        #expect(items.contactWords == ["down 7 0.5,0.5", "down 8 0,0", "up 7"])
        #expect(items.faults.map(\.kind) == [.slotBeyond(7, announced: 3), .slotBeyond(8, announced: 3)])
    }

    @Test func slotsThatNoPanelHasAreRefused() {
        let items = decode(
            "slot 9999 id 1 x 5 y 5 sync slot -7 id 2 x 5 y 5 sync slot 10000 slot -8 slot 0 id 3 x 0 y 0 sync")
        #expect(items.contactWords == ["down 0 0,0"])
        // By their own numbers, and each kind once.
        #expect(items.faults.map(\.kind) == [.slotRefused(9999), .slotRefused(-7)])
        #expect(items.faults.first?.description == "slot 9999, which no panel has: theirs are 0 to 255")
    }

    @Test func placesBeyondTheRangeAreNamedOnce() {
        let items = decode("id 1 x 1500 y -250 sync x 2000 sync")
        #expect(items.contactWords == ["down 0 1.5,-0.5", "motion 0 2,-0.5"])
        #expect(
            items.faults.map(\.description) == [
                "ABS_MT_POSITION_X 1500 beyond the range that is announced, 0 to 999",
                "ABS_MT_POSITION_Y -250 beyond the range that is announced, 0 to 499",
            ])
    }

    @Test func aContactWithoutItsPlaceIsNamed() {
        let items = decode("id 1 y 250 sync")
        #expect(items.contactWords == ["down 0 0,0.5"] && items.faults.map(\.kind) == [.placeUnknown(0)])
    }

    @Test func axesMayBeAbsentOrEmpty() {
        var device = EvdevDevice(name: "odd")
        device.add(EvdevDevice.Axis(EvdevCode.slot, 0, 3))
        device.add(EvdevDevice.Axis(EvdevCode.positionX, 7, 7))
        device.properties = [EvdevCode.pointer]
        let items = decode("id 1 x 2048 y 1024 sync", device)
        #expect(items.contactWords == ["down 0 0.5,0.25"])
        #expect(
            items.faults.map(\.kind) == [
                .notDirect, .emptyAxis(EvdevCode.positionX), .noAxis(EvdevCode.positionY),
            ])
    }

    @Test func extremeRangesMakeNoTrouble() {
        var device = EvdevDevice(name: "wide")
        device.add(EvdevDevice.Axis(EvdevCode.positionX, .min, .max, resolution: 1))
        device.add(EvdevDevice.Axis(EvdevCode.positionY, .max, .min))
        device.add(EvdevDevice.Axis(EvdevCode.slot, 0, .max))
        let items = decode("id 2147483647 x 0 y -2147483648 sync id -2147483648 sync", device)
        #expect(items.contactWords == ["down 0 0.5,-524288", "up 0"])
        #expect(device.touchCount == nil)
    }

    // MARK: Panels that know one finger

    @Test func singleTouchPanelsAreDecoded() {
        let items = decode(
            "absx 600 absy 0 touch 1 sync absx 610 sync touch 0 sync absx 100 absy -250 touch 1 sync",
            EvdevDecoderTests.singlePanel)
        #expect(items.contactWords == ["down 0 0.5,0.5", "motion 0 0.51,0.5", "up 0", "down 0 0,0"])
        #expect(items.faults.isEmpty && EvdevDecoderTests.singlePanel.touchCount == 1)
    }

    @Test func singleTouchWithoutADescription() {
        let items = decode("absx 2048 absy 0 touch 1 sync touch 0 sync", nil)
        #expect(items.contactWords == ["down 0 0.5,0", "up 0"] && items.faults.map(\.kind) == [.noDescription])
    }

    /// A panel that announces ids and sends none goes by BTN_TOUCH.
    @Test(arguments: ["absx 500 absy 250 touch 1 sync touch 0 sync", "x 500 y 250 touch 1 sync touch 0 sync"])
    func touchesWithoutIDs(script: String) {
        let items = decode(script)
        #expect(items.contactWords == ["down 0 0.5,0.5", "up 0"])
        #expect(items.faults.map(\.kind) == [.noTrackingIDs])
    }

    /// The pointer that the kernel emulates beside the slots is no second finger.
    @Test func emulatedPointersAreNoContacts() {
        let items = decode("id 1 x 500 y 250 touch 1 absx 500 absy 250 sync id -1 touch 0 sync absx 3 sync")
        #expect(items.contactWords == ["down 0 0.5,0.5", "up 0"] && items.faults.isEmpty)
    }

    @Test func aLossEndsASingleTouchToo() {
        let items = decode("absx 600 absy 0 touch 1 sync dropped sync touch 0 sync", EvdevDecoderTests.singlePanel)
        #expect(items.contactWords == ["down 0 0.5,0.5", "cancel 0"])
    }

    // MARK: Protocol A

    /// Two fingers change places in the list: who is who follows from where they were.
    @Test func packetsAreMatchedByTheirPlaces() {
        let items = decode(
            "x 100 y 100 mt x 800 y 400 mt sync x 810 y 400 mt x 110 y 100 mt sync x 820 y 400 mt sync mt sync",
            EvdevDecoderTests.packetPanel)
        #expect(
            items.contactWords == [
                "down 0 0.1,0.2", "down 1 0.8,0.8", "motion 0 0.11,0.2", "motion 1 0.81,0.8", "up 0",
                "motion 1 0.82,0.8", "up 1",
            ])
        #expect(items.faults.isEmpty)
    }

    @Test func packetsWithIDsAreMatchedByThem() {
        let items = decode(
            "id 5 x 100 y 100 mt id 6 x 110 y 100 mt sync id 6 x 100 y 100 mt id 5 x 110 y 100 mt sync id 7 x 100 y 100 mt sync",
            EvdevDecoderTests.packetPanel)
        #expect(
            items.contactWords == [
                "down 0 0.1,0.2", "down 1 0.11,0.2", "motion 0 0.11,0.2", "motion 1 0.1,0.2", "up 0", "up 1",
                "down 2 0.1,0.2",
            ])
    }

    @Test func packetsOfADeviceThatIsNotDescribed() {
        let items = decode("id 5 x 2048 y 1024 mt sync id 5 x 2048 y 2048 mt sync mt sync", nil)
        #expect(items.contactWords == ["down 0 0.5,0.25", "motion 0 0.5,0.5", "up 0"])
    }

    @Test func restingFingersDoNotMove() {
        let items = decode("x 1 y 1 mt sync x 1 y 1 mt sync", EvdevDecoderTests.packetPanel)
        #expect(items.words == ["down 0 0.001,0.002", "frame"])
    }

    /// More than anybody has fingers: bounded, as matching takes their number to the third.
    @Test func packetsOfAFrameAreBounded() {
        let script = String(repeating: "x 1 y 1 mt ", count: 200) + "sync"
        let items = decode(script, EvdevDecoderTests.packetPanel)
        #expect(items.contactWords.count == 64 && items.faults.map(\.kind) == [.tooMany("contacts", most: 64)])
    }

    // MARK: Time

    /// As NTP did to somebody: 10 ms on, 10 s back, 10 ms on.
    @Test func clocksThatGoBackStandStillOnce() {
        let items = decode("id 1 x 1 y 1 at 1000 sync x 2 at 1010 sync x 3 at 20 sync x 4 at 30 sync")
        #expect(items.times == [1000, 1000, 1010, 1010, 1010, 1010, 1020, 1020])
        #expect(items.faults.map(\.kind) == [.clockWentBack])
    }

    @Test func theEndOfTheFrameStampsIt() {
        let text = """
            N: x
            E: 1.000000 0003 0039 0001
            E: 1.001500 0003 0035 0001
            E: 1.002000 0003 0036 0001
            E: 1.003000 0000 0000 0000
            E: 1.003000 0000 0000 0001

            """
        let items = settle(read(text))
        #expect(items.times == [1003, 1003] && !items.faults.map(\.kind).contains(.clockWentBack))
    }

    // MARK: Units

    @Test func theAnnouncementHasUnits() throws {
        let line = try #require(EvdevDecoder.announcement(of: EvdevDecoderTests.panel, number: 3))
        guard case .device(let facts) = line.kind else {
            Issue.record("no device")
            return
        }
        #expect(line.device == "event9" && facts.number == 3 && facts.touchCount == 4)
        #expect(facts.millimetres?.width == 99.9 && facts.millimetres?.height == 49.9)
        #expect(EvdevDecoder.announcement(of: EvdevDevice(name: "keyboard"), number: 0) == nil)
    }
}
