import CLibc
import EventLoop
import Gestures
import Recording
import Testing

@testable import FingerWaveKit

@Suite struct TouchSourceTests {
    private static let tap = """
        {"type":"ready","width":640,"height":480,"scale":1}
        {"type":"device","event":"added","seat":"seat0","device":"event3","name":"Panel","output":"DSI-1"}
        {"type":"down","seat":"seat0","id":1,"time":1000,"x":50,"y":60}

        this is no line of ours
        {"type":"down","seat":"seat0"
        {"type":"up","seat":"seat0","id":1,"time":1030}
        {"type":"up","seat":"seat0","id":1,"time":900}
        {"type":"frame","seat":"seat0"}
        """

    private func events(_ text: String) -> [SourceEvent] {
        var lines = LineEvents(name: "here")
        var events: [SourceEvent] = []
        for byte in text.utf8 { lines.add([byte], count: 1) { events.append($0) } }
        lines.finish { events.append($0) }
        return events
    }

    @Test func linesAreTouchesAndDevicesAndTheRestIsPassedOver() throws {
        let events = events(TouchSourceTests.tap)
        #expect(events.count == 8)
        guard case .other = events[0] else { Issue.record("no size"); return }
        guard case .device(let device, true) = events[1] else { Issue.record("no device"); return }
        #expect(device.name == "Panel" && device.sysname == "event3" && device.path == "/dev/input/event3")
        #expect(device.outputName == "DSI-1" && device.seat == "seat0")
        guard case .touch(let down) = events[2] else { Issue.record("no touch"); return }
        #expect(down.place == .output(Point(x: 50, y: 60)) && down.time == 1000)
        for (index, number) in [(3, 5), (4, 6)] {
            guard case .problem(let text, false) = events[index] else { Issue.record("no problem"); continue }
            #expect(text.hasPrefix("here:\(number): "), "\(text)")
        }
    }

    @Test func aFloodOfNonsenseIsSaidTenTimes() {
        let nonsense = String(repeating: "nonsense\n", count: 1000)
        let events = events(TouchSourceTests.tap.split(separator: "\n")[0] + "\n" + nonsense).filter {
            if case .problem = $0 { true } else { false }
        }
        #expect(events.count == 10)
        guard case .problem(let text, _)? = events.last else { Issue.record("no problem"); return }
        #expect(text.hasSuffix("in silence"))
        // Where nothing was understood before it is another kind of file.
        let others = self.events(nonsense)
        #expect(others.count == 1)
        guard case .problem(let hint, _)? = others.last else { Issue.record("no problem"); return }
        #expect(hint.contains("fingerwave convert"))
    }

    @Test func aFileIsPlayedAsFastAsItWasRecorded() throws {
        var template = Array("/tmp/fingerwave-touches-XXXXXX".utf8CString)
        let file = mkstemp(&template)
        defer { unlink(template) }
        let bytes = Array(TouchSourceTests.tap.utf8)
        #expect(write(file, bytes, bytes.count) == bytes.count)
        close(file)
        let loop = EventLoop()
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let source = ReplaySource(path: path, loop)
        var touches: [(line: TouchLine, at: Instant)] = []
        source.onEvent = { event, arrival in
            if case .touch(let line) = event { touches.append((line, arrival)) }
            if event == .ended { loop.stop() }
        }
        let start = EventLoop.now
        try source.begin()
        source.beginShowing()
        loop.run()
        #expect(touches.map { $0.line.kind } == [.down, .up, .up, .frame])
        // The stamp that goes backwards waits for nothing.
        #expect(touches[1].at.nanoseconds - start >= 30_000_000)
        #expect(touches[3].at - touches[0].at < 20_000_000_000)
    }

    @Test func aSourceThatRestsSaysNothingAndLosesNothing() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { close(ends[0]) }
        let loop = EventLoop()
        let source = LineSource(descriptor: ends[0], loop)
        var heard: [SourceEvent] = []
        source.onEvent = { event, _ in heard.append(event) }
        try source.begin()
        func write(_ id: Int) {
            let line = Array("{\"type\":\"up\",\"seat\":\"seat0\",\"id\":\(id)}\n".utf8)
            #expect(CLibc.write(ends[1], line, line.count) == line.count)
        }
        write(1)
        loop.turn(wait: false)
        #expect(heard.count == 1)
        source.rest()
        write(2)
        loop.turn(wait: false)
        write(3)
        loop.turn(wait: false)
        #expect(heard.count == 1)
        source.catchUp()
        #expect(heard.count == 3)
        // With nothing to read it does not wait.
        source.rest()
        source.catchUp()
        write(4)
        loop.turn(wait: false)
        #expect(heard.count == 4)
        source.rest()
        write(5)
        close(ends[1])
        // Its end is heard of even so, after all that was said before.
        for _ in 0..<2 { loop.turn(wait: false) }
        #expect(heard.count == 6 && heard.last == .ended)
        source.end()
    }

    @Test func theSourceRestsFromAPictureToTheNextFrameButNotForEver() {
        var rest = SourceRest()
        /// A turn: what of the two was asked for in it.
        func turn(_ before: Bool, _ after: Bool, at milliseconds: Int64) -> [String] {
            var asked: [String] = []
            if rest.end(canLeaveTouches: before, now: milliseconds * 1_000_000) { asked.append("catch up") }
            if rest.begin(canLeaveTouches: after, now: milliseconds * 1_000_000) { asked.append("rest") }
            return asked
        }
        #expect(turn(false, false, at: 0) == [] && rest.deadline == nil)
        // A picture was committed.
        #expect(turn(false, true, at: 0) == ["rest"] && rest.deadline == SourceRest.longest)
        #expect(turn(true, true, at: 1) == [])
        // Its frame comes: what has come is read, and after the next picture it rests again.
        #expect(turn(false, true, at: 16) == ["catch up", "rest"])
        // No frame comes: read once, and then as if there were no rest, until it has come.
        #expect(turn(true, true, at: 36) == ["catch up"] && rest.deadline == nil)
        #expect(turn(true, true, at: 70) == [])
        #expect(turn(false, true, at: 80) == ["rest"])
    }
}
