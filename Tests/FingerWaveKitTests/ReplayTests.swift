import CLibc
import EventLoop
import Foundation
import Gestures
import Recording
import TouchDevices
import Testing

@testable import FingerWaveKit

@Suite struct ReplayTests {
    private func down(_ id: Int32 = 1, time: UInt32? = nil, arrival: Int64? = nil) -> TouchLine {
        var line = TouchLine(.down, seat: "seat0", id: id, time: time, place: .output(.zero))
        line.arrival = arrival
        return line
    }

    // MARK: Time

    /// When the line comes, and its stamp then.
    private func place(_ timeline: inout ReplayTimeline, _ line: TouchLine) -> (at: Int64, stamp: UInt32?) {
        (timeline.offset(of: line), timeline.moved(line).time)
    }

    /// What was cut is not in the stamps either: gestures have the time that their touches have.
    @Test func stampsPassOverWhatIsCut() {
        var timeline = ReplayTimeline(longest: 500_000_000)
        #expect(place(&timeline, down(time: 4_294_967_000)).stamp == 4_294_967_000)
        #expect(place(&timeline, down(time: 100)) == (396_000_000, 100))
        #expect(place(&timeline, down(time: 60_100)) == (896_000_000, 600))
        #expect(place(&timeline, down(time: 60_110)) == (906_000_000, 610))
        // A clock that goes back does so still.
        #expect(place(&timeline, down(time: 60_000)) == (906_000_000, 500))
        // Another run, of another boot.
        timeline.beginAnew()
        #expect(place(&timeline, down(time: 7)) == (1_406_000_000, 1000))
        #expect(place(&timeline, down(time: 17)) == (1_416_000_000, 1010))
    }

    /// The pause may be told by a line that has no stamp.
    @Test func stampsPassOverWhatArrivalsCut() {
        var timeline = ReplayTimeline(longest: 500_000_000)
        #expect(place(&timeline, down(time: 1000, arrival: 1_000_000)).stamp == 1000)
        var frame = TouchLine(.frame, seat: "seat0")
        frame.arrival = 11_000_000
        #expect(place(&timeline, frame).at == 500_000_000)
        #expect(place(&timeline, down(time: 11_010, arrival: 11_012_000)) == (512_000_000, 1510))
    }

    @Test func linesComeAsTheyWereStamped() {
        var timeline = ReplayTimeline()
        #expect(place(&timeline, down(time: .max - 9)).at == 0)
        #expect(place(&timeline, down(time: 10)).at == 20_000_000)
        // What goes back comes at once, and a clock that jumps is cut.
        #expect(place(&timeline, down(time: 5)).at == 20_000_000)
        #expect(place(&timeline, down(time: 2_000_000_000)).at == 3_600_020_000_000)
    }

    @Test func arrivalsCountMoreThanStamps() {
        var timeline = ReplayTimeline(longest: 2_000_000_000)
        #expect(place(&timeline, down(time: 1000, arrival: 5_000_000)).at == 0)
        #expect(place(&timeline, down(time: 1000, arrival: 5_030_500)).at == 30_500_000)
        var cancel = TouchLine(.cancel, seat: "seat0")
        cancel.arrival = 5_130_500
        #expect(place(&timeline, cancel).at == 130_500_000)
        #expect(place(&timeline, down(arrival: 9_000_000)).at == 2_130_500_000)
        // Another recording in the same file.
        timeline.beginAnew()
        #expect(place(&timeline, down(arrival: 10)).at == 3_130_500_000)
        #expect(place(&timeline, down(arrival: .min)).at == 3_130_500_000)
        #expect(place(&timeline, down(arrival: .max)).at == 3_130_500_000)
    }

    /// How long ago the run before it was has nothing to do with what was touched.
    @Test func runsInOneFileFollowEachOtherWithinASecond() {
        var timeline = ReplayTimeline()
        timeline.beginAnew()
        #expect(timeline.offset(of: down(arrival: 5_000_000)) == 0)
        timeline.beginAnew()
        #expect(timeline.offset(of: down(arrival: 5_400_000)) == 400_000_000)
        timeline.beginAnew()
        #expect(timeline.offset(of: down(arrival: 9_000_000_000)) == 1_400_000_000)
        #expect(timeline.offset(of: down(arrival: 9_007_000_000)) == 8_400_000_000)
        timeline.beginAnew()
        #expect(timeline.offset(of: down(arrival: 9)) == 9_400_000_000)
        var stamped = ReplayTimeline()
        #expect(stamped.offset(of: down(time: 1000)) == 0)
        stamped.beginAnew()
        #expect(stamped.offset(of: down(time: 900_000)) == 1_000_000_000)
    }

    /// Gestures go by stamps: what is cut must not be in them.
    @Test func stampsGoOnAsTimeDoes() {
        var timeline = ReplayTimeline(longest: 2_000_000_000)
        var stamps: [UInt32?] = []
        func take(_ time: UInt32, _ arrival: Int64? = nil) {
            var line = down(time: time)
            line.arrival = arrival
            _ = timeline.offset(of: line)
            stamps.append(timeline.moved(line).time)
        }
        take(1000)
        take(61_000)
        take(61_010)
        // Another run, of another boot; and one whose arrivals are told.
        timeline.beginAnew()
        take(500)
        take(520, 5_000_000)
        timeline.beginAnew()
        take(9_000_520, 9_005_000_000)
        take(9_000_530, 9_005_010_000)
        #expect(stamps == [1000, 3000, 3010, 4010, 4030, 5030, 5040])
    }

    /// A file of millions of hours: the time ends, the program does not.
    @Test func timeEndsWhereANumberDoes() throws {
        var timeline = ReplayTimeline()
        timeline.now = .max - 5
        #expect(place(&timeline, down(time: 0)).at == .max - 5 && place(&timeline, down(time: 9)).at == .max)
        #expect(place(&timeline, down(time: 18)).at == .max)
        var clock = PlaybackClock(startingAt: 1000)
        clock.setSpeed(0.1, at: 2000)
        #expect(clock.moment(of: .max) == .max)
        clock.skip(to: .max, at: 3000)
        #expect(clock.time(at: 4000) == .max && clock.moment(of: .max) == 4000 - 1000)
    }

    @Test func theClockRunsAsItIsTold() {
        var clock = PlaybackClock(startingAt: 1000)
        #expect(clock.time(at: 1500) == 1500 && clock.moment(of: 2000) == 2000)
        clock.setSpeed(0.5, at: 2000)
        #expect(clock.time(at: 3000) == 2500 && clock.moment(of: 2500) == 3000)
        clock.setPaused(true, at: 3000)
        #expect(clock.time(at: 9000) == 2500 && clock.moment(of: 2600) == nil)
        clock.skip(to: 2700, at: 9000)
        clock.skip(to: 2600, at: 9000)
        #expect(clock.time(at: 9500) == 2700)
        clock.setPaused(false, at: 10_000)
        #expect(clock.time(at: 10_000) == 2700 && clock.time(at: 10_100) == 2750)
        clock.setSpeed(1e9, at: 10_100)
        #expect(clock.speed == 100 && clock.time(at: 10_101) == 2850)
    }

    // MARK: Places

    private func sized(_ width: Double, _ height: Double, _ output: String? = nil) -> TouchLine {
        var line = TouchLine(.other("configure"), output: output)
        line.size = Size(width: width, height: height)
        return line
    }

    /// In the window's logical px.
    private func streams(_ width: Double, _ height: Double) -> RecordedStreams {
        RecordedStreams(
            GestureOptions(), RecordedSurfaces(size: nil),
            screen: RecordedStreams.Screen(size: Size(width: width, height: height), target: 1))
    }

    @Test func placesFitTheWindow() {
        let streams = streams(1000, 600)
        var line = TouchLine(.down, id: 1, place: .output(Point(x: 100, y: 50)))
        #expect(streams.spot(of: line)?.position == Point(x: 100, y: 50))
        streams.note(sized(400, 300))
        // Twice as large, with a hundred px to the left and right of it.
        #expect(streams.spot(of: line)?.position == Point(x: 300, y: 100))
        #expect(streams.spot(of: line)?.scale == 2)
        streams.note(sized(1000, 1200, "DP-2"))
        line.output = "DP-2"
        #expect(streams.spot(of: line)?.position == Point(x: 300, y: 25))
        var panel = TouchLine(.down, device: "event3", id: 1, place: .panel(Point(x: 0.5, y: 0.25)))
        streams.note(
            TouchDevice(
                number: 1, name: "", sysname: "event3", path: "", millimetres: Size(width: 100, height: 200)))
        #expect(streams.spot(of: panel)?.position == Point(x: 500, y: 150))
        panel.place = .panel(Point(x: 0, y: 1))
        #expect(streams.spot(of: panel)?.position == Point(x: 350, y: 600))
        // Of a panel without mm its units tell the shape.
        var device = EvdevDevice(name: "")
        device.node = "event4"
        device.add(EvdevDevice.Axis(EvdevCode.positionX, 0, 799))
        device.add(EvdevDevice.Axis(EvdevCode.positionY, 0, 799 * 2 + 1))
        streams.describe(device, number: 0)
        panel.device = "event4"
        #expect(streams.spot(of: panel)?.position == Point(x: 350, y: 600))
    }

    /// A panel of 160 mm on an output of 1600 px: 10 px for a mm, in a window half as large 5.
    @Test func lengthsAreThoseOfWhatWasTouched() throws {
        let streams = streams(800, 1000)
        streams.note(sized(1600, 1000, "DP-1"))
        streams.note(
            TouchDevice(number: 1, name: "", sysname: "event3", path: "", millimetres: Size(width: 160, height: 100)))
        let line = TouchLine(
            .down, device: "event3", output: "DP-1", id: 1, place: .panel(Point(x: 0.5, y: 0.5)))
        let stream = try #require(streams.stream(StreamKey(line)))
        #expect(streams.fit(stream, try #require(streams.spot(of: line))))
        #expect(stream.recognizer.configuration.touchSlop == 15)
        #expect(stream.recognizer.configuration.edgeWidth == 10)
        #expect(stream.recognizer.configuration.minimumFlingVelocity == 25)
        #expect(streams.scale(of: stream) == 0.5)
        // The window grows while a finger is down.
        streams.screen = RecordedStreams.Screen(size: Size(width: 1600, height: 1000), target: 1)
        #expect(stream.recognizer.configuration.touchSlop == 30 && streams.scale(of: stream) == 1)
    }

    /// Whatever the window is, what `info` counts is what `replay` says.
    @Test(arguments: ["--size=auto", "--size=300x300", "--size=2000x500"])
    func gesturesAreThoseThatInfoCounts(size: String) throws {
        // A way of 22 px on 10 px a mm is a tap; a swipe from the left edge; a leap that is no finger's, and no swipe.
        var text = """
            {"type":"configure","output":"DP-1","width":1600,"height":1000}
            {"type":"device","event":"added","device":"event3","name":"P","millimetres":[160,100]}

            """
        func line(_ kind: String, _ time: Int, _ x: Double?) -> String {
            let place = x.map { ",\"u\":\($0 / 1600),\"v\":0.5" } ?? ""
            return #"{"type":"\#(kind)","device":"event3","output":"DP-1","id":0,"time":\#(time)\#(place)}"# + "\n"
                + #"{"type":"frame","device":"event3"}"# + "\n"
        }
        text += line("down", 1000, 800) + line("motion", 1030, 822) + line("up", 1060, nil)
        text += line("down", 3000, 8)
        for step in 1...10 { text += line("motion", 3000 + step * 10, 8 + Double(step) * 40) }
        text += line("up", 3110, nil)
        text += line("down", 5000, 400) + line("motion", 5010, 900) + line("up", 5020, nil)
        let folder = try TestFolder()
        let report = try RecordingReport(path: folder.write("touches", text))
        #expect(report.gestures.all.map(\.name) == ["tap", "pan", "edge-swipe"])
        let printed = try printed(["--speed=max", size], text).lines
        let named = printed.filter { $0.contains("\"gesture\"") && !$0.contains("\"changed\"") }.compactMap {
            try? JSONFields($0)["gesture"]
        }
        #expect(named == ["tap", "pan", "pan", "edge-swipe", "pan", "pan"], "\(printed)")
    }

    // MARK: Playing

    private static let taps = """
        {"type":"ready","width":640,"height":480,"scale":1}
        {"type":"down","seat":"seat0","id":1,"time":1000,"x":50,"y":60,"arrival_us":1000000}
        {"type":"frame","seat":"seat0","arrival_us":1000100}
        {"type":"up","seat":"seat0","id":1,"time":1100,"arrival_us":1100000}
        {"type":"frame","seat":"seat0","arrival_us":1100100}
        {"type":"down","seat":"seat0","id":2,"time":9000,"x":70,"y":80,"arrival_us":9000000}
        {"type":"frame","seat":"seat0","arrival_us":9000100}

        """

    private func source(_ text: String, _ loop: EventLoop, _ pace: ReplaySource.Pace = .init()) throws -> (
        ReplaySource, TestFolder
    ) {
        let folder = try TestFolder()
        return (ReplaySource(path: try folder.write("touches", text), loop, pace), folder)
    }

    @Test func stepsGoFromFrameToFrame() throws {
        let loop = EventLoop()
        let (source, folder) = try source(ReplayTests.taps, loop)
        var touches: [(line: TouchLine, at: Instant)] = []
        var ended = false
        source.onEvent = { event, arrival in
            if case .touch(let line) = event { touches.append((line, arrival)) }
            ended = ended || event == .ended
        }
        try source.begin()
        #expect(source.size == Size(width: 640, height: 480))
        source.beginShowing()
        source.setPaused(true)
        source.step()
        #expect(touches.map(\.line.kind) == [.down, .frame] && touches[0].at == touches[1].at)
        source.step()
        #expect(touches.count == 4 && touches[3].at - touches[0].at == 100_000_000)
        let still = source.time
        source.step()
        // Eight seconds of nothing take no time.
        #expect(touches.count == 6 && source.time - still == 7_900_000_000 && source.clock.moment(of: .max) == nil)
        source.step()
        #expect(ended && source.isOver)
        source.restart()
        source.step()
        // What was down ends first.
        #expect(touches[6...].map(\.line.kind) == [.cancel, .down, .frame] && !source.isOver)
        source.end()
        _ = folder
    }

    /// A window is waited for by the clock on the wall, however fast the recording is played.
    @Test(arguments: [0.1, 100])
    func theWindowIsWaitedForInItsOwnTime(speed: Double) throws {
        let loop = EventLoop()
        let (source, folder) = try source(ReplayTests.taps, loop, ReplaySource.Pace(speed: speed))
        var first: Instant?
        source.onEvent = { event, arrival in if case .touch = event, first == nil { first = arrival } }
        try source.begin()
        let before = source.time
        source.beginShowing(after: 1_000_000_000)
        source.setPaused(true)
        source.step()
        let pause = try #require(first) - before
        #expect((0.99...3).contains(Double(pause) / speed / 1e9), "\(pause)")
        source.end()
        _ = folder
    }

    @Test func aLoopBeginsAgain() throws {
        let loop = EventLoop()
        let (source, folder) = try source(
            ReplayTests.taps, loop, ReplaySource.Pace(speed: 100, rounds: 3, longestPause: 50_000_000))
        var (downs, restarts) = (0, 0)
        source.onRestart = { restarts += 1 }
        source.onEvent = { event, _ in
            if case .touch(let line) = event, line.kind == .down { downs += 1 }
            if event == .ended { loop.stop() }
        }
        try source.begin()
        source.beginShowing()
        loop.run()
        #expect(downs == 6 && restarts == 2)
        source.end()
        _ = folder
    }

    @Test func formatsAreAllTheSame() throws {
        let folder = try TestFolder()
        let evemu =
            "# EVEMU 1.3\nN: Panel\nP: 02 00 00 00 00 00 00 00\nA: 2f 0 3 0 0 0\nA: 35 0 999 0 0 10\n"
            + "A: 36 0 499 0 0 10\nE: 0.000001 0003 0039 0001\nE: 0.000001 0003 0035 0500\nE: 0.000001 0003 0036 0250\n"
            + "E: 0.000001 0000 0000 0000\nE: 0.080001 0003 0039 -001\nE: 0.080001 0000 0000 0000\nnonsense\n"
        var feed = RecordingFeed(path: try folder.write("touches.events", evemu))
        try feed.open()
        defer { feed.close() }
        var said: [String] = []
        while let entry = try feed.peek(waits: true) {
            feed.pop()
            switch entry.event {
            case .touch(let line): said.append("\(line.kind.name) \(entry.offset / 1_000_000)")
            case .device(let device, true): said.append("\(device.name) \(device.millimetres?.width ?? 0)")
            case .problem: said.append("problem")
            default: break
            }
        }
        #expect(feed.isRead && said == ["Panel 99.9", "down 0", "frame 0", "up 80", "frame 80", "problem"], "\(said)")
    }

    @Test func aHeaderEndsWhatIsDown() throws {
        let folder = try TestFolder()
        let run = #"{"type":"header"}"# + "\n" + #"{"type":"down","seat":"seat0","id":1,"x":1,"y":2}"# + "\n"
        var feed = RecordingFeed(path: try folder.write("touches", run + run))
        try feed.open()
        defer { feed.close() }
        var kinds: [TouchLine.Kind] = []
        while let entry = try feed.peek(waits: true) {
            feed.pop()
            if case .touch(let line) = entry.event { kinds.append(line.kind) }
        }
        #expect(kinds == [.down, .cancel, .down])
    }

    @Test func aFileThatIsNoRecordingIsRefused() throws {
        let loop = EventLoop()
        let (source, folder) = try source("hello\n", loop)
        do throws(Failure) {
            try source.begin()
            Issue.record("it is played")
        } catch {
            #expect(error.code == .badInput)
        }
        source.end()
        _ = folder
    }

    // MARK: Printed

    private func printed(
        _ options: [String], _ text: String, redirections: String? = nil
    ) throws -> (lines: [String], status: Int32) {
        let folder = try TestFolder()
        let path = try folder.write("touches", text)
        let program = try Running(
            ["replay", "--no-window"] + options + [path], environment: ["XDG_RUNTIME_DIR=\(folder.path)"],
            redirections: redirections)
        let lines = program.rest().split(separator: "\n").map(String.init)
        return (lines, program.wait())
    }

    /// Without fields that differ from one time to the next.
    static func plain(_ lines: [String], _ fields: String...) -> [String] {
        lines.map { line in
            fields.reduce(line) { line, field in
                guard let start = line.range(of: ",\"\(field)\":") else { return line }
                let end = line[start.upperBound...].firstIndex { $0 == "," || $0 == "}" } ?? line.endIndex
                return line.replacingCharacters(in: start.lowerBound..<end, with: "")
            }
        }
    }

    @Test func whatAWindowWouldLogIsPrinted() throws {
        let (lines, status) = try printed(["--speed=max"], ReplayTests.taps)
        #expect(status == 0)
        // It is a recording itself.
        #expect(lines[1].hasSuffix(#","arrival_us":0}"#) && lines[3].hasSuffix(#","arrival_us":100000}"#))
        #expect(
            ReplayTests.plain(Array(lines.prefix(6)), "arrival_us") == [
                #"{"type":"ready","width":640,"height":480}"#,
                #"{"type":"down","seat":"seat0","id":1,"time":1000,"x":50,"y":60}"#,
                #"{"type":"frame","seat":"seat0"}"#,
                #"{"type":"up","seat":"seat0","id":1,"time":1100}"#, #"{"type":"frame","seat":"seat0"}"#,
                #"{"type":"gesture","gesture":"tap","phase":"ended","seat":"seat0","count":1,"fingers":1,"x":50,"y":60,"duration":100}"#,
            ])
        // The last finger is held for ever, but the recording ends before it is a long press.
        #expect(!lines.contains { $0.contains("fault") }, "\(lines)")
        // At any speed it is the same.
        let slow = try printed(["--speed=100"], ReplayTests.taps).lines
        func plain(_ lines: [String]) -> [String] {
            ReplayTests.plain(lines.filter { !$0.contains("has no end") }, "arrival_us")
        }
        #expect(plain(slow) == plain(lines))
    }

    /// A compositor gives a window another size than the one that was asked for.
    @Test func theSizeIsTheOneThatWasTouched() throws {
        let text = ReplayTests.taps.replacing("\"x\":50,\"y\":60", with: "\"x\":900,\"y\":700")
        var lines = text.split(separator: "\n").map(String.init)
        lines.insert(#"{"type":"configure","width":960,"height":720}"#, at: 1)
        lines.append(#"{"type":"configure","width":300,"height":200}"#)
        let printed = try printed(["--speed=max"], lines.joined(separator: "\n") + "\n").lines
        #expect(printed[0] == #"{"type":"ready","width":960,"height":720}"#)
        let down = #"{"type":"down","seat":"seat0","id":1,"time":1000,"x":900,"y":700}"#
        #expect(ReplayTests.plain([printed[1]], "arrival_us") == [down])
        // And `info` names the same.
        let folder = try TestFolder()
        let report = try RecordingReport(path: folder.write("touches", lines.joined(separator: "\n") + "\n"))
        #expect(report.text.contains("; on 960x720 logical px, as recorded\n"), "\(report.text)")
        #expect(report.json.contains(#"{"type":"surface","width":960,"height":720,"known_by":"recording"}"#))
    }

    /// The compositor, or who recorded, said no more of it.
    @Test func whatIsLeftDownIsSaid() throws {
        let (lines, status) = try printed(["--speed=max", "--loop=2"], ReplayTests.taps)
        let said = lines.filter { $0.contains("has no end") }
        #expect(status == 0 && said.count == 1, "\(lines)")
        #expect(said.first?.hasSuffix("/touches:6: contact 2, down here since 8 s, has no end") == true, "\(said)")
        // To the last line.
        #expect(lines.last { $0.contains("\"statistics\"") }?.contains("\"contacts\":1,") == true, "\(lines)")
    }

    /// A pen that taps, then a mouse that does; a pen's strokes are told with the time of their frames.
    private static let pens = """
        {"type":"ready","width":640,"height":480,"scale":1}
        {"type":"tool","seat":"seat0","tool":1,"event":"added","tool_type":"pen","arrival_us":1000000}
        {"type":"tool","seat":"seat0","tool":1,"event":"proximity_in","arrival_us":1000010}
        {"type":"tool","seat":"seat0","tool":1,"event":"motion","x":50,"y":60,"arrival_us":1000020}
        {"type":"tool","seat":"seat0","tool":1,"event":"down","arrival_us":1000030}
        {"type":"tool","seat":"seat0","tool":1,"event":"frame","time":500,"arrival_us":1000040}
        {"type":"tool","seat":"seat0","tool":1,"event":"up","arrival_us":1090000}
        {"type":"tool","seat":"seat0","tool":1,"event":"frame","time":590,"arrival_us":1090010}
        {"type":"pointer","phase":"began","seat":"seat0","x":300,"y":90,"arrival_us":3000000}
        {"type":"pointer","phase":"moved","seat":"seat0","x":302,"y":90,"arrival_us":3030000}
        {"type":"pointer","phase":"ended","seat":"seat0","x":302,"y":90,"arrival_us":3070000}

        """

    @Test func pensAndThePointerArePlayed() throws {
        let (lines, status) = try printed(["--speed=max"], ReplayTests.pens)
        #expect(status == 0)
        #expect(lines.filter { $0.contains("\"tool\"") }.count == 7)
        #expect(lines.filter { $0.contains("\"type\":\"pointer\"") }.count == 3)
        #expect(
            lines.filter { $0.contains("\"gesture\":\"tap\"") } == [
                #"{"type":"gesture","gesture":"tap","phase":"ended","seat":"seat0","count":1,"fingers":1,"x":50,"y":60,"#
                    + #""duration":90,"kind":"stylus"}"#,
                #"{"type":"gesture","gesture":"tap","phase":"ended","seat":"seat0","count":1,"fingers":1,"x":302,"#
                    + #""y":90,"duration":70,"kind":"pointer"}"#,
            ])
        let folder = try TestFolder()
        let report = try RecordingReport(path: folder.write("touches", ReplayTests.pens))
        #expect(report.gestures.all.map(\.count) == [2])
        #expect(
            report.text.contains(
                """
                  seat0 tablet: 1 pen, down 1 time, 7 lines
                  seat0 pointer: 1 press, 3 lines
                  gestures: tap 2 (stylus 1, pointer 1); on 640x480 logical px, as recorded

                """), "\(report.text)")
        #expect(report.json.contains(#"{"type":"pens","seat":"seat0","contacts":1,"lines":7,"tools":[1]}"#))
        #expect(report.json.contains(#"{"type":"pointer","seat":"seat0","contacts":1,"lines":3}"#))
    }

    /// `events` prints them as they are.
    @Test func eventsOfAFileHavePensToo() throws {
        let folder = try TestFolder()
        let path = try folder.write("touches", ReplayTests.pens)
        let program = try Running(
            ["events", "--source", path, "--speed=100", "--log=text"], environment: ["XDG_RUNTIME_DIR=\(folder.path)"])
        let lines = program.rest().split(separator: "\n").map { String($0.dropFirst(9)) }
        #expect(program.wait() == 0)
        #expect(lines.count == 10 && lines[0] == "  seat0  tool        1 added, a pen", "\(lines)")
        #expect(lines[2] == "  seat0  tool        1 motion 50, 60")
        #expect(lines[9] == "  seat0  pointer     ended at 302, 90")
    }

    /// Nobody told when it was pressed, and for how long.
    @Test func thePointerOfALogIsNamedAndPassedOver() throws {
        let text = ReplayTests.pens.split(separator: "\n").map { $0.replacing(/,"arrival_us":[0-9]+/, with: "") }
        let (lines, _) = try printed(["--speed=max", "--loop=2"], text.joined(separator: "\n") + "\n")
        #expect(lines.filter { $0.contains("the pointer's presses are not played") }.count == 1, "\(lines)")
        #expect(lines.filter { $0.contains("\"kind\":\"stylus\"") }.count == 2, "\(lines)")
        #expect(!lines.contains { $0.contains("\"type\":\"pointer\"") })
    }

    /// Touches and the gestures that they make have one time, also where a pause was cut.
    @Test func thereIsOneTimeForAll() throws {
        let (lines, _) = try printed(
            ["--speed=max", "--log=text", "--longest-pause=1"],
            ReplayTests.taps + """
                {"type":"up","seat":"seat0","id":2,"time":9080,"arrival_us":9080000}

                """)
        let taps = lines.filter { $0.contains(" tap ") }
        #expect(taps.map { $0.prefix(9) } == ["    0.100", "    1.180"], "\(lines)")
    }

    /// Two runs in a file, of which the second is of a later boot.
    @Test func anotherRunIsNoClockThatGoesBack() throws {
        let run = #"{"type":"header","version":1}"# + "\n" + ReplayTests.taps
        let later = run.replacing("\"time\":", with: "\"time\":2").replacing("_us\":", with: "_us\":2")
        let (lines, _) = try printed(["--speed=max"], later + run)
        #expect(lines.filter { $0.contains("\"gesture\":\"tap\"") }.count == 2, "\(lines)")
        #expect(!lines.contains { $0.contains("fault") }, "\(lines)")
    }

    @Test func whatRecordIsToldItRecords() throws {
        let folder = try TestFolder()
        let text =
            #"{"type":"header","version":1,"source":"wayland"}"# + "\n" + #"{"type":"output","name":"DP-1","scale":2}"#
            + "\n" + ReplayTests.pens + #"{"type":"gap","lines":3,"why":"x"}"# + "\n"
            + #"{"type":"evdev-device","device":"event3","name":"Panel"}"# + "\n" + ReplayTests.taps
        let (source, path) = (try folder.write("source", text), folder.path + "/copy")
        let program = try Running(
            ["record", "--source", "-", path], environment: ["XDG_RUNTIME_DIR=\(folder.path)"],
            redirections: "<\(source)")
        let said = program.rest()
        #expect(program.wait() == 0)
        let copy = try String(contentsOfFile: path, encoding: .utf8)
        let lines = copy.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        #expect(lines.count == 2 && lines[0].contains("\"source\":\"lines\"") && lines[1] == text)
        let count = copy.split(separator: "\n").count
        #expect(said == "fingerwave: \(path): \(count) lines recorded\n")
    }

    @Test func atOnceItIsTheSameEachTime() throws {
        // What is said of the file names it.
        func lines() throws -> [String] {
            try printed(["--speed=max"], ReplayTests.taps).lines.filter { !$0.contains("has no end") }
        }
        let first = try lines()
        #expect(try lines() == first)
        let figures = first.filter { $0.contains("statistics") }
        #expect(Set(figures).count == figures.count && first.last == figures.last, "\(figures)")
    }

    /// Another round has none either.
    @Test(arguments: ["--speed=max", "--speed=100"])
    func aRecordingWithoutTouchesEndsAndIsSaid(speed: String) throws {
        let text = "{\"type\":\"ready\",\"width\":1,\"height\":1}\n"
        let (lines, status) = try printed([speed, "--loop"], text)
        #expect(status == 0 && lines.filter { $0.hasSuffix("/touches has no touches") }.count == 1, "\(lines)")
    }

    @Test func moreSeatsThanAnybodyHasArePassedOver() throws {
        let text = (0..<300).map { "{\"type\":\"down\",\"seat\":\"s\($0)\",\"id\":1,\"time\":1,\"x\":1,\"y\":1}\n" }
        let (lines, status) = try printed(["--speed=max"], text.joined())
        #expect(status == 0 && lines.filter { $0.contains("\"type\":\"down\"") }.count == 256)
        #expect(lines.filter { $0.contains("more than 256 seats and devices") }.count == 1)
    }

    @Test func outputThatWasClosedIsAFault() throws {
        let (lines, status) = try printed(["--speed=max"], ReplayTests.taps, redirections: ">&-")
        #expect(status == 5)
        #expect(lines == ["fingerwave: cannot write standard output: Bad file descriptor; write it elsewhere"])
    }

    @Test func whatCannotBePlayedIsSaid() throws {
        #expect(try printed([], "hello\n").status == 5)
        let folder = try TestFolder()
        func status(_ words: [String]) throws -> Int32 {
            try Running(words, environment: ["XDG_RUNTIME_DIR=\(folder.path)"]).wait()
        }
        #expect(try status(["replay"]) == 1 && status(["replay", "a", "b"]) == 1)
        let pipe = folder.path + "/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        #expect(try status(["replay", "-", "--loop"]) == 1 && status(["replay", "--loop", "/dev/stdin"]) == 1)
        #expect(try status(["replay", "--no-window", "--loop", pipe]) == 1)
        #expect(try status(["replay", "--speed=max", "a"]) == 1 && status(["replay", "--no-window", "/nowhere"]) == 5)
        #expect(try status(["record", "--ring", "10m"]) == 1 && status(["record", "a", "b"]) == 1)
        #expect(try status(["record", "--no-keys=no", "a"]) == 1 && status(["record", "--log"]) == 1)
        #expect(try status(["record", folder.path + "/touches"]) == 2)
    }
}
