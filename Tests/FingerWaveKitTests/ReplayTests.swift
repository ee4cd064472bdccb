import CLibc
import EventLoop
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

    @Test func linesComeAsTheyWereStamped() {
        var timeline = ReplayTimeline()
        #expect(timeline.offset(of: down(time: .max - 9)) == 0)
        #expect(timeline.offset(of: down(time: 10)) == 20_000_000)
        // What goes back comes at once, and a clock that jumps is cut.
        #expect(timeline.offset(of: down(time: 5)) == 20_000_000)
        #expect(timeline.offset(of: down(time: 2_000_000_000)) == 3_600_020_000_000)
    }

    @Test func arrivalsCountMoreThanStamps() {
        var timeline = ReplayTimeline(longest: 2_000_000_000)
        #expect(timeline.offset(of: down(time: 1000, arrival: 5_000_000)) == 0)
        #expect(timeline.offset(of: down(time: 1000, arrival: 5_030_500)) == 30_500_000)
        var cancel = TouchLine(.cancel, seat: "seat0")
        cancel.arrival = 5_130_500
        #expect(timeline.offset(of: cancel) == 130_500_000)
        #expect(timeline.offset(of: down(arrival: 9_000_000)) == 2_130_500_000)
        // Another recording in the same file.
        timeline.beginAnew()
        #expect(timeline.offset(of: down(arrival: 10)) == 2_130_500_000)
        #expect(timeline.offset(of: down(arrival: .min)) == 2_130_500_000)
        #expect(timeline.offset(of: down(arrival: .max)) == 2_130_500_000)
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
        #expect(timeline.offset(of: down(arrival: 9)) == 8_400_000_000)
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
        #expect(stamps == [1000, 3000, 3010, 3010, 3030, 4030, 4040])
    }

    /// A file of millions of hours: the time ends, the program does not.
    @Test func timeEndsWhereANumberDoes() throws {
        var timeline = ReplayTimeline()
        timeline.now = .max - 5
        #expect(timeline.offset(of: down(time: 0)) == .max - 5 && timeline.offset(of: down(time: 9)) == .max)
        #expect(timeline.offset(of: down(time: 18)) == .max)
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

    @Test func placesFitTheWindow() {
        var places = ReplayPlaces()
        let window = Size(width: 1000, height: 600)
        var line = TouchLine(.down, id: 1, place: .output(Point(x: 100, y: 50)))
        #expect(places.place(of: line, in: window) == Point(x: 100, y: 50))
        places.note(sized(400, 300))
        // Twice as large, with a hundred px to the left and right of it.
        #expect(places.place(of: line, in: window) == Point(x: 300, y: 100))
        #expect(places.length(7, of: line, in: window) == 14)
        places.note(sized(1000, 1200, "DP-2"))
        line.output = "DP-2"
        #expect(places.place(of: line, in: window) == Point(x: 300, y: 25))
        var panel = TouchLine(.down, device: "event3", id: 1, place: .panel(Point(x: 0.5, y: 0.25)))
        places.note(
            TouchDevice(
                number: 1, name: "", sysname: "event3", path: "", millimetres: Size(width: 100, height: 200)))
        #expect(places.place(of: panel, in: window) == Point(x: 500, y: 150))
        panel.place = .panel(Point(x: 0, y: 1))
        #expect(places.place(of: panel, in: window) == Point(x: 350, y: 600))
        // Of a panel without mm its units tell the shape.
        var device = EvdevDevice(name: "")
        device.node = "event4"
        device.add(EvdevDevice.Axis(EvdevCode.positionX, 0, 799))
        device.add(EvdevDevice.Axis(EvdevCode.positionY, 0, 799 * 2 + 1))
        places.describe(device, number: 0)
        panel.device = "event4"
        #expect(places.place(of: panel, in: window) == Point(x: 350, y: 600))
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
        #expect(touches.count == 8 && !source.isOver)
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

    @Test func whatAWindowWouldLogIsPrinted() throws {
        let (lines, status) = try printed(["--speed=max"], ReplayTests.taps)
        #expect(status == 0)
        #expect(
            Array(lines.prefix(6)) == [
                #"{"type":"ready","width":640,"height":480}"#,
                #"{"type":"down","seat":"seat0","id":1,"time":1000,"x":50,"y":60}"#,
                #"{"type":"frame","seat":"seat0"}"#,
                #"{"type":"up","seat":"seat0","id":1,"time":1100}"#, #"{"type":"frame","seat":"seat0"}"#,
                #"{"type":"gesture","gesture":"tap","phase":"ended","seat":"seat0","count":1,"fingers":1,"x":50,"y":60,"duration":100}"#,
            ])
        // The last finger is held for ever, but the recording ends before it is a long press.
        #expect(!lines.contains { $0.contains("fault") }, "\(lines)")
        // At any speed it is the same but for what is told once a second.
        let slow = try printed(["--speed=100"], ReplayTests.taps).lines
        func plain(_ lines: [String]) -> [String] {
            lines.filter { !$0.contains("statistics") && !$0.contains("long-press") }
        }
        #expect(plain(slow) == plain(lines))
    }

    @Test func atOnceItIsTheSameEachTime() throws {
        let first = try printed(["--speed=max"], ReplayTests.taps).lines
        #expect(try printed(["--speed=max"], ReplayTests.taps).lines == first)
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
