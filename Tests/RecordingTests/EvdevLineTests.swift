import Gestures
import Testing

@testable import Recording

@Suite struct EvdevLineTests {
    private static let panel = {
        var device = EvdevDevice(name: "Panel \"1\"")
        device.node = "event3"
        (device.bus, device.vendor, device.product, device.version) = (24, 0x416, 0x38F, 0x1060)
        device.properties = [EvdevCode.direct]
        device.add(EvdevCode(EvdevCode.key, EvdevCode.btnTouch))
        device.add(EvdevDevice.Axis(EvdevCode.slot, 0, 9))
        device.add(EvdevDevice.Axis(EvdevCode.positionX, -10, 799, fuzz: 1, flat: 2, resolution: 10))
        device.add(EvdevDevice.Axis(EvdevCode.positionY, 0, 479, resolution: 10))
        device.add(EvdevDevice.Axis(EvdevCode.trackingID, 0, 65_535))
        return device
    }()

    private static let events: [EvdevEvent] = [
        (1_000_001, 3, 57, 12), (1_000_001, 3, 53, 395), (1_000_001, 3, 54, 240), (1_000_001, 1, 330, 1),
        (1_000_001, 0, 0, 0), (1_080_000, 3, 57, -1), (1_080_002, 0, 0, 0),
    ].map { EvdevEvent(time: $0.0, type: $0.1, code: $0.2, value: $0.3) }

    private func recorded() -> String {
        EvdevLine.description(EvdevLineTests.panel)
            + EvdevLine.lines(EvdevLineTests.events, node: "event3", arrival: 1_000_100).joined()
    }

    @Test func theSchemaStands() {
        let lines = recorded().split(separator: "\n").map(String.init)
        #expect(
            lines == [
                #"{"type":"evdev-device","device":"event3","name":"Panel \"1\"","bus":24,"vendor":1046,"product":911,"version":4192,"properties":[1],"codes":[[1,330],[3,47,53,54,57]],"axes":[[47,0,9,0,0,0],[53,-10,799,1,2,10],[54,0,479,0,0,10],[57,0,65535,0,0,0]]}"#,
                #"{"type":"evdev","device":"event3","time_us":1000001,"events":[[3,57,12],[3,53,395],[3,54,240],[1,330,1],[0,0,0]],"arrival_us":1000100}"#,
                #"{"type":"evdev","device":"event3","time_us":1080000,"events":[[3,57,-1]],"arrival_us":1000100}"#,
                #"{"type":"evdev","device":"event3","time_us":1080002,"events":[[0,0,0]],"arrival_us":1000100}"#,
            ])
    }

    @Test func whatIsWrittenIsRead() {
        // A part that follows describes the device again.
        let items = read(recorded() + EvdevLine.description(EvdevLineTests.panel))
        var panel = EvdevLineTests.panel
        panel.isBesideTouches = true
        #expect(items.devices == [panel] && items.events == EvdevLineTests.events && items.faults.isEmpty)
    }

    /// libinput's touches and the kernel's events are the same touch: none of them is counted twice.
    @Test func eventsBesideTouchesAreNoTouches() {
        let touches = """
            {"type":"down","seat":"seat0","device":"event3","id":0,"time":1000,"u":0.5,"v":0.5}
            {"type":"frame","seat":"seat0","device":"event3"}
            {"type":"up","seat":"seat0","device":"event3","id":0,"time":1080}

            """
        let items = read(recorded() + touches)
        #expect(summary(of: items).contactCount == 1)
        var converter = RecordingConverter(.evemu)
        var text = ""
        for item in items { converter.convert(item, into: &text) }
        // Nothing of the kernel's is lost, and nothing is added to it.
        let again = read(text)
        #expect(again.events == EvdevLineTests.events && again.devices.first?.axes == EvdevLineTests.panel.axes)
        #expect(converter.losses.isEmpty)
        var lines = RecordingConverter(.jsonLines)
        text = ""
        for item in items { lines.convert(item, into: &text) }
        #expect(text == recorded() + touches)
    }

    @Test(arguments: [
        #"{"type":"evdev","device":"event9","time_us":1,"events":[]}"#,
        #"{"type":"evdev","device":"event3","events":[]}"#, #"{"type":"evdev","device":"event3","time_us":1}"#,
        #"{"type":"evdev","device":"event3","time_us":1,"events":[[1,2]]}"#,
        #"{"type":"evdev","device":"event3","time_us":1,"events":[[1,2,3e20]]}"#,
        #"{"type":"evdev","device":"event3","time_us":1,"events":[1,2,3]}"#,
        #"{"type":"evdev","device":"event3","time_us":1,"events":[[70000,2,3]]}"#,
        #"{"type":"evdev-device","name":"no device"}"#, #"{"type":"evdev-device","device":"event3","axes":[[1,2]]}"#,
    ])
    func aLineThatIsNoneCostsItselfAlone(line: String) {
        let items = read(recorded() + line + "\n" + recorded())
        #expect(items.faults.count == 1 && items.events.count == 2 * EvdevLineTests.events.count, "\(items.faults)")
    }

    @Test func theSizeOfAWindowIsForTheScript() {
        let text = """
            {"type":"header","version":1}
            {"type":"ready","width":640,"height":480,"scale":1}
            {"type":"configure","width":1024,"height":600.5,"scale":1}
            {"type":"down","seat":"seat0","id":-7,"time":10,"x":1,"y":2,"serial":9,"arrival_us":10100}
            {"type":"frame","seat":"seat0","arrival_us":10200}
            {"type":"cancel","seat":"seat0","arrival_us":60100}

            """
        var converter = RecordingConverter(.stageScript)
        var script = ""
        for item in read(text) { converter.convert(item, into: &script) }
        // A cancel has no stamp of the protocol's.
        let header = "# For touch-stage --size 1024x601\nsize 1024x601\nwait-window\nsync\n"
        #expect(script == header + "down -7 1 2\nframe\nsleep 50\ncancel\nsync\n")
        let about = RecordingLoss.lines([LeftOutLines.Count(topic: .recording, count: 1)])
        #expect(converter.losses == [about])
        var panel = RecordingConverter(.evemu)
        var events = ""
        for item in read(text) { panel.convert(item, into: &events) }
        #expect(read(events).events.contains { $0.code == EvdevCode.positionX && $0.value == 64 })
        #expect(panel.losses == [.serials, .arrivals, .beginning, .size, .cancels(1), about])
    }
}
