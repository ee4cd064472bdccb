import CLibc
import EventLoop
import Gestures
import Recording
import Testing
import TouchStage

@testable import FingerWaveKit

/// What a window records, and what becomes of it when it is played.
@Suite struct WindowRecordingTests {
    /// Keeps what is recorded.
    private final class Target: RecordingTarget {
        var header: () -> String = { "" }
        private(set) var lines: [String] = []

        func begin() throws(Failure) { write(header()) }
        func write(_ line: String) { lines += line.split(separator: "\n").map(String.init) }
        func writeFacts(_ lines: String) { write(lines) }
        func finish() -> Failure? { nil }
    }

    private final class Recorded {
        let target = Target()
        let harness: SessionHarness

        init(_ setUp: (inout Stage.Options) -> Void = { _ in }) throws {
            let target = target
            harness = try SessionHarness(
                words: ["--fullscreen"], setUp: setUp,
                prepare: { session in
                    session.recording = WindowRecording(target, devices: [], start: session.start)
                })
        }

        /// Those that tell of touches, without what differs from one time to the next.
        var touches: [String] { WindowRecordingTests.plain(target.lines) }
    }

    private static func plain(_ lines: [String]) -> [String] {
        lines.compactMap { text in
            guard var line = try? TouchLine(text) else { return nil }
            if case .other = line.kind { return nil }
            line.time = nil
            line.arrival = nil
            line.serial = nil
            return line.json
        }
    }

    private func touchAll(_ harness: SessionHarness) {
        let touch = harness.stage.seat.touch
        touch.down(7, x: 100.5, y: 90.25)
        touch.shape(7, major: 12.5, minor: 8)
        touch.orientation(7, degrees: -45)
        touch.frame()
        harness.play(milliseconds: 30)
        touch.motion(7, x: 103.00390625, y: 90.25)
        touch.down(-2, x: 300, y: 200)
        touch.frame()
        harness.play(milliseconds: 50)
        touch.up(7)
        touch.frame()
        touch.up(-2)
        touch.frame()
        harness.play(milliseconds: 200)
        touch.down(0, x: 10, y: 20)
        touch.frame()
        harness.play(milliseconds: 700)
        touch.cancel()
        harness.play(milliseconds: 20)
    }

    @Test func theSchemaStands() throws {
        let recorded = try Recorded()
        let touch = recorded.harness.stage.seat.touch
        let types = recorded.target.lines.map { $0.prefix { $0 != "," } }
        #expect(types == [#"{"type":"compositor""#, #"{"type":"seat""#, #"{"type":"output""#, #"{"type":"ready""#])
        #expect(recorded.target.lines[0].contains(#"{"interface":"wl_seat","version":10}"#))
        recorded.harness.stage.advance(milliseconds: 5)
        touch.down(7, x: 10.5, y: 20.25, time: 123_456)
        touch.frame()
        recorded.harness.pump()
        let arrival = recorded.harness.stage.now / 1000
        let line = try TouchLine(recorded.target.lines[4])
        #expect(line.arrival == arrival && line.serial != nil && line.time == 123_456 && line.seat == "seat0")
        #expect(recorded.target.lines[5] == #"{"type":"frame","seat":"seat0","arrival_us":\#(arrival)}"#)
    }

    @Test func noKeyIsRecorded() throws {
        let recorded = try Recorded()
        let before = recorded.target.lines
        for code: UInt32 in [30, 46, 57] {
            recorded.harness.stage.seat.keyboard.key(code, pressed: true)
            recorded.harness.pump()
            recorded.harness.stage.seat.keyboard.key(code, pressed: false)
            recorded.harness.pump()
        }
        #expect(recorded.harness.session.isHeld && recorded.target.lines == before)
    }

    @Test func whatChangesIsRecorded() throws {
        let recorded = try Recorded()
        let stage = recorded.harness.stage
        let before = recorded.target.lines.count
        let output = stage.addOutput(.init(name: "DP-2", width: 640, height: 480))
        recorded.harness.pump()
        stage.removeOutput(output)
        recorded.harness.pump()
        let news = recorded.target.lines.dropFirst(before).filter { $0.contains("\"output\"") }
        #expect(news.count == 2 && news.allSatisfy { $0.contains(#""name":"DP-2""#) }, "\(news)")
        #expect(news.last?.hasSuffix(#","removed":true}"#) == true)
    }

    /// A recording becomes a script, the script is played to another client, and what that one records is the same but for
    /// stamps and serials.
    @Test func aRecordingOfAScriptOfARecordingIsTheSame() throws {
        let first = try Recorded()
        touchAll(first.harness)
        #expect(first.touches.count == 14)
        let (script, losses) = WindowRecordingTests.script(first.target.lines)
        #expect(script.hasPrefix("# For touch-stage --size 400x300\n"))
        #expect(losses == ["left out: 3 lines of where and when it was made"])
        let second = try Recorded()
        let slept = try WindowRecordingTests.play(script, second.harness)
        #expect(second.touches == first.touches)
        // The last pause is a cancel's, which has no stamp.
        #expect(slept == 980)
    }

    /// All that a recording can have of one seat: pens, the pointer, frames that are empty, late or missing, shapes that come
    /// by themselves, a cancel of nothing, a window that grows.
    @Test func aScriptHasAllOfASeat() throws {
        let first = try Recorded()
        let stage = first.harness.stage
        let (touch, pointer, tablets) = (stage.seat.touch, stage.seat.pointer, stage.seat.tablets)
        let wait = { (milliseconds: Int) in first.harness.play(milliseconds: milliseconds) }
        let tablet = tablets.addTablet()
        let (pen, eraser) = (tablets.addPen(), tablets.addPen(.eraser))
        wait(20)
        touch.frame()
        wait(600)
        touch.down(3, x: 10.5, y: 20.25)
        touch.frame()
        wait(25)
        touch.shape(3, major: 14.25, minor: 8)
        touch.orientation(3, degrees: -30.5)
        touch.frame()
        touch.frame()
        wait(25)
        touch.motion(3, x: 12, y: 21)
        wait(16)
        touch.frame()
        wait(10)
        touch.up(3)
        wait(500)
        touch.cancel()
        wait(30)
        pen.proximityIn(tablet, x: 50, y: 60)
        pen.pressure(0)
        pen.frame()
        wait(9)
        for step in 0..<4 {
            pen.motion(x: 50.25 + Double(12 * step), y: 61)
            if step == 1 { pen.down() }
            pen.pressure(UInt32(12_345 * step))
            pen.tilt(x: 1.5, y: -20)
            pen.frame()
            wait(7)
        }
        pen.button(pressed: true)
        pen.rotation(degrees: 33)
        pen.slider(-700)
        pen.wheel(degrees: 15, clicks: 1)
        pen.distance(3)
        pen.frame()
        wait(7)
        pen.up()
        pen.button(pressed: false)
        pen.proximityOut()
        pen.frame()
        wait(100)
        eraser.proximityIn(tablet, x: 200, y: 100)
        eraser.frame()
        wait(5)
        eraser.remove()
        wait(700)
        pointer.motion(x: 300, y: 200)
        pointer.frame()
        for isEnding in [false, true] {
            pointer.button(pressed: true)
            pointer.frame()
            wait(12)
            pointer.motion(x: 310, y: 200)
            pointer.frame()
            wait(12)
            if isEnding { pointer.leave() }
            pointer.button(pressed: false)
            pointer.frame()
            wait(600)
        }
        #expect(stage.perform(.size(width: 640, height: 480)))
        first.harness.pump()
        touch.down(4, x: 600, y: 450)
        touch.frame()
        wait(50)
        touch.up(4)
        touch.frame()
        wait(20)
        let kinds = Set(first.touches.compactMap { (try? JSONFields($0))?["type"] })
        #expect(
            kinds == ["frame", "down", "shape", "orientation", "motion", "up", "cancel", "tool", "pointer"], "\(kinds)")
        let (script, losses) = WindowRecordingTests.script(first.target.lines)
        #expect(losses == ["left out: 4 lines of where and when it was made"])
        #expect(script.hasPrefix("# For touch-stage --size 400x300\nsize 400x300\nwait-window\n"))
        let second = try Recorded()
        let slept = try WindowRecordingTests.play(script, second.harness)
        #expect(second.touches == first.touches, "\(script)")
        #expect(slept == WindowRecordingTests.duration(first.target.lines))
        #expect(WindowRecordingTests.sizes(second.target.lines) == WindowRecordingTests.sizes(first.target.lines))
        #expect(WindowRecordingTests.sizes(first.target.lines).last == Size(width: 640, height: 480))
    }

    private static func sizes(_ lines: [String]) -> [Size] { lines.compactMap { (try? TouchLine($0))?.size } }

    /// ms from the first touch to the last line.
    private static func duration(_ lines: [String]) -> Int {
        let times = lines.compactMap { try? TouchLine($0) }.filter { if case .other = $0.kind { false } else { true } }
        guard let first = times.first(where: { $0.beginsTouch })?.arrival, let last = times.last?.arrival else {
            return 0
        }
        return Int((last - first) / 1000)
    }

    private static func script(_ lines: [String]) -> (text: String, losses: [String]) {
        var converter = RecordingConverter(.stageScript)
        var reader = RecordingReader()
        var items: [RecordingItem] = []
        var script = ""
        reader.read(Array(lines.map { $0 + "\n" }.joined().utf8), into: &items)
        reader.finish(into: &items)
        for item in items { converter.convert(item, into: &script) }
        return (script, converter.losses.map(\.description))
    }

    /// Returns how many ms it has slept.
    private static func play(_ script: String, _ harness: SessionHarness) throws -> Int {
        var slept = 0
        for line in script.split(separator: "\n") {
            guard let command = try StageCommand.parse(String(line)) else { continue }
            if harness.stage.perform(command) { continue }
            harness.pump()
            guard case .sleep(let milliseconds) = command else { continue }
            slept += milliseconds
            harness.stage.advance(milliseconds: Int64(milliseconds))
        }
        harness.pump()
        return slept
    }

    /// In a window it is logged, recognised and shown as it was when it was recorded.
    @Test func aReplayIsWhatWasRecorded() throws {
        let first = try Recorded()
        touchAll(first.harness)
        let log = try SessionHarness("--fullscreen", "--log=json")
        touchAll(log)
        let folder = try TestFolder()
        let path = try folder.write("touches", first.target.lines.map { $0 + "\n" }.joined())
        let replayed = try Replayed(path, "--fullscreen", "--log=json")
        replayed.playAll()
        let (live, again) = (log.printed(), replayed.harness.printed())
        #expect(WindowRecordingTests.plain(again) == first.touches && WindowRecordingTests.plain(live) == first.touches)
        func gestures(_ lines: [String]) -> [String] { lines.filter { $0.contains("\"gesture\"") } }
        #expect(gestures(again) == gestures(live) && !gestures(live).isEmpty)
    }

    @Test func aReplayFitsItsWindow() throws {
        let folder = try TestFolder()
        let path = try folder.write(
            "touches",
            """
            {"type":"ready","width":200,"height":300,"scale":1}
            {"type":"down","seat":"seat0","id":1,"time":1000,"x":100,"y":150}
            {"type":"frame","seat":"seat0"}
            {"type":"up","seat":"seat0","id":1,"time":1080}
            {"type":"frame","seat":"seat0"}

            """)
        let replayed = try Replayed(path, "--fullscreen")
        #expect(replayed.harness.session.replay?.size.map { [$0.width, $0.height] } == [200, 300])
        replayed.playAll()
        // In the middle of 400x300.
        #expect(replayed.harness.radius(atX: 200, y: 150) > 0)
        // What is touched meanwhile is none of the recording.
        replayed.harness.play(milliseconds: 2000)
        replayed.harness.tap(x: 50, y: 50)
        replayed.harness.play(milliseconds: 50)
        #expect(replayed.harness.radius(atX: 50, y: 50) == 0)
    }

    @Test func keysPlayARecording() throws {
        let folder = try TestFolder()
        let path = try folder.write(
            "touches",
            (0..<3).map { tap in
                #"{"type":"down","seat":"seat0","id":1,"time":\#(1000 + 60_000 * tap),"x":\#(100 + tap),"y":150}"#
                    + "\n{\"type\":\"frame\",\"seat\":\"seat0\"}\n"
                    + #"{"type":"up","seat":"seat0","id":1,"time":\#(1080 + 60_000 * tap)}"# + "\n"
            }.joined())
        let loop = EventLoop()
        let source = ReplaySource(path: path, loop)
        try source.begin()
        var player: WindowPlayer?
        let harness = try SessionHarness(
            words: ["--fullscreen", "--log=json"],
            prepare: { session in player = WindowPlayer(source, session, exitsAtEnd: true) })
        defer { player?.end() }
        func press(_ key: UInt32) {
            for isPressed in [true, false] {
                harness.stage.seat.keyboard.key(key, pressed: isPressed)
                harness.pump()
            }
        }
        func title() -> String { harness.stage.windows.first?.title ?? "" }
        #expect(title() == "FingerWave: \(path)")
        player?.endTurn()
        _ = harness.printed()
        // evdev's space, minus and period.
        press(57)
        #expect(source.isPaused && title().hasSuffix(", paused") && !harness.session.isHeld)
        press(12)
        #expect(source.clock.speed == 0.5 && title().hasSuffix(", speed 0.5, paused"))
        press(52)
        #expect(
            harness.printed().compactMap { try? TouchLine($0) }.filter { $0.id != nil }.map(\.place) == [
                .output(Point(x: 100, y: 150))
            ])
        for _ in 0..<4 { press(52) }
        let touches = harness.printed().compactMap { try? TouchLine($0) }.filter { $0.id != nil }
        #expect(touches.map(\.kind) == [.up, .down, .up, .down])
        press(52)
        press(52)
        #expect(source.isOver)
        // r: it begins again, and stands still.
        press(19)
        #expect(!source.isOver && source.isPaused)
        press(52)
        #expect(harness.printed().contains { $0.contains(#""x":100"#) })
        press(57)
        #expect(!source.isPaused && title().hasSuffix("speed 0.5"))
        press(16)
        #expect(harness.session.isClosed)
    }

    /// A feed in a window on a stage, by the stage's clock.
    private final class Replayed {
        let harness: SessionHarness
        private var feed: RecordingFeed

        init(_ path: String, _ options: String...) throws {
            var feed = RecordingFeed(path: path)
            try feed.open()
            _ = try feed.peek()
            self.feed = feed
            harness = try SessionHarness(
                words: options, prepare: { session in session.replay = WindowReplay(session, size: feed.firstSize) })
        }

        deinit { feed.close() }

        func playAll() {
            let origin = harness.stage.now
            while let entry = try? feed.peek(waits: true) {
                feed.pop()
                let pause = (origin + entry.offset - harness.stage.now) / 1_000_000
                if pause > 0 {
                    harness.pump()
                    harness.play(milliseconds: Int(pause))
                }
                harness.session.replay?.streams.take(entry.event, arrival: Instant(nanoseconds: harness.stage.now))
            }
            harness.pump()
            harness.play(milliseconds: 20)
        }
    }
}
