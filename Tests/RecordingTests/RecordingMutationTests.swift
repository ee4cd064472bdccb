import Gestures
import Testing

@testable import Recording

/// Files come from anybody: whatever stands in them is read or named, and what comes out fits together.
@Suite struct RecordingMutationTests {
    private static var samples: [[UInt8]] {
        var texts = [
            Fixture.evemu, Fixture.evtest, Fixture.geteventDescription + geteventEvents, Fixture.waylandDebug,
            Fixture.debugEvents, Fixture.jsonLines, kernelLines,
        ]
        #if YAML
            texts.append(LibinputRecordFixture.text)
        #endif
        return texts.map { Array($0.utf8) }
    }

    private static let kernelLines = """
        {"type":"header","version":1}
        {"type":"evdev-device","device":"event3","name":"P","properties":[1],"codes":[[1,330],[3,53]],"axes":[[53,0,9,0,0,1]]}
        {"type":"evdev","device":"event3","time_us":10,"events":[[3,57,1],[3,53,5],[0,0,0]],"arrival_us":11}
        {"type":"configure","width":640,"height":480.5,"scale":1}
        {"type":"down","device":"event3","id":0,"time":10,"u":0.5,"v":0,"resumed":true,"serial":1,"arrival_us":11}
        {"type":"frame","device":"event3","arrival_us":12}
        {"type":"cancel","device":"event3","arrival_us":900}

        """

    private static let geteventEvents = """
        [  12.000001] /dev/input/event2: 0003 0039 0000000c
        [  12.000001] /dev/input/event2: EV_ABS       ABS_MT_POSITION_X   0000000c
        [  12.000001] /dev/input/event2: EV_KEY       BTN_TOUCH   DOWN
        [  12.000001] /dev/input/event2: EV_SYN       SYN_REPORT   00000000

        """

    /// Bytes that mean something in one of the formats, and any others.
    private static let palette =
        Array("0123456789abcdefEFNBIAPx:.,-+#@()[]{}\"' \t\n/>|*&!%".utf8) + [0, 0x0D, 0x7F, 0xFF]

    private func mutate(_ sample: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = sample
        for _ in 0..<Int.random(in: 1...8, using: &random) where !bytes.isEmpty {
            let index = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<7, using: &random) {
            case 0: bytes.remove(at: index)
            case 1: bytes[index] = RecordingMutationTests.palette.randomElement(using: &random)!
            case 2: bytes.insert(RecordingMutationTests.palette.randomElement(using: &random)!, at: index)
            case 3: bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random) / 4)
            case 4:
                // A piece from elsewhere.
                let end = min(bytes.count, index + Int.random(in: 1...60, using: &random))
                let piece = Array(bytes[index..<end])
                bytes.insert(contentsOf: piece, at: Int.random(in: 0...bytes.count, using: &random))
            case 5: bytes.insert(contentsOf: Array("99999999999999999999".utf8), at: index)
            default: bytes[index] = UInt8.random(in: 0...255, using: &random)
            }
        }
        return bytes
    }

    @Test func noRecordingTrapsAndWhatComesOutFitsTogether() {
        var random = SeededGenerator(seed: 2026)
        let samples = RecordingMutationTests.samples
        var touchCount = 0
        for round in 0..<6000 {
            let bytes = mutate(samples[round % samples.count], &random)
            let items = read(bytes, chunks: Int.random(in: 1...2000, using: &random))
            #expect(items.last?.content == .end)
            #expect(items.count <= bytes.count + 200)
            let settled = settle(items)
            touchCount += settled.contactWords.count
            if let problem = problem(in: settled) {
                Issue.record("\(problem): \(String(decoding: bytes, as: UTF8.self))")
            }
            write(settled)
        }
        #expect(touchCount > 5000)
    }

    /// Each contact comes down once and ends once.
    private func problem(in items: [RecordingItem]) -> String? {
        var down: [String: TouchLine] = [:]
        for item in items {
            guard case .touch(let line) = item.content else { continue }
            let key = "\(line.seat ?? "-") \(line.device ?? "-") \(line.id ?? 0)"
            switch line.kind {
            case .down: if down.updateValue(line, forKey: key) != nil { return "\(key) is down twice" }
            case .motion, .shape, .orientation: if down[key] == nil { return "\(key) moves without a contact" }
            case .up: if down.removeValue(forKey: key) == nil { return "\(key) goes up without a contact" }
            case .cancel:
                down = down.filter { one in
                    line.id != nil && one.key != key || line.device != nil && one.value.device != line.device
                        || line.seat != nil && one.value.seat != line.seat
                }
            case .frame, .device, .tool, .pointer, .other: break
            }
        }
        return nil
    }

    /// Writers take whatever readers make.
    private func write(_ items: [RecordingItem]) {
        var encoder = EvdevEncoder(size: Size(width: 100, height: 100))
        var script = StageScriptWriter(size: Size(width: 100, height: 100))
        var record = LibinputRecordWriter()
        var events: [EvdevEvent] = []
        for item in items {
            guard case .touch(let line) = item.content else { continue }
            encoder.handle(line, into: &events)
            _ = script.text(line)
        }
        encoder.finish(into: &events)
        _ = EvemuWriter.header(encoder.device) + LibinputRecordWriter.header(encoder.device)
        for event in events { _ = EvemuWriter.line(event) + record.text(event) }
    }

    /// Events that no parser would make up.
    @Test func noSequenceOfEventsTraps() {
        var random = SeededGenerator(seed: 7)
        let codes: [UInt16] = [0, 1, 0x2F, 0x35, 0x36, 0x39]
        let values: [Int32] = [.min, -1, 0, 1, 2, 3, 255, 256, .max]
        for round in 0..<2000 {
            var device = EvdevDevice(name: "x")
            if round % 3 > 0 { device.add(EvdevDevice.Axis(0x35, 0, 99)) }
            if round % 3 > 1 { device.add(EvdevDevice.Axis(0x2F, 0, 3)) }
            var items = [RecordingItem(line: 1, .device(device, number: 0))]
            var time: Int64 = 1_000_000
            for line in 2..<200 {
                time &+= Int64.random(in: -5000...20_000, using: &random)
                let event: EvdevEvent
                switch Int.random(in: 0..<10, using: &random) {
                case 0:
                    event = EvdevEvent(time: time, type: 1, code: 0x14A, value: Int32.random(in: 0...1, using: &random))
                case 1: event = EvdevEvent(time: time, type: 0, code: 2, value: 0)
                case 2:
                    event = EvdevEvent(time: time, type: 0, code: UInt16.random(in: 0...3, using: &random), value: 0)
                case 3, 4: event = EvdevEvent(time: time, type: 0, code: 0, value: 0)
                default:
                    event = EvdevEvent(
                        time: time, type: 3, code: codes.randomElement(using: &random)!,
                        value: values.randomElement(using: &random)!)
                }
                items.append(RecordingItem(line: line, .event(event, device: 0)))
            }
            let settled = settle(items)
            #expect(problem(in: settled) == nil)
            let times = settled.times
            #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })
        }
    }
}
