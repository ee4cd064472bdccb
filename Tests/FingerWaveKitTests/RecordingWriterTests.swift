import CLibc
import Foundation
import Gestures
import Recording
import Testing

@testable import FingerWaveKit

@Suite struct RecordingWriterTests {
    /// A writer in a folder of its own, with a clock that is moved by hand.
    private final class Rig {
        let folder: TestFolder
        var now: Int64 = 1_000_000_000
        var said: [String] = []
        let path: String
        private(set) var writer: RecordingWriter!

        init(_ ring: RecordingRing? = nil, folder: TestFolder? = nil, header: String = "{\"type\":\"header\"}\n") throws
        {
            self.folder = try folder ?? TestFolder()
            path = self.folder.path + "/touches.jsonl"
            writer = RecordingWriter(path: path, ring: ring, clock: { [unowned self] in now }) { [unowned self] in
                said.append($0)
            }
            writer.header = { header }
        }

        func lines(_ path: String) throws -> [String] {
            try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
        }

        func down(_ id: Int32, x: Double = 1) {
            writer.write(TouchLine(.down, seat: "seat0", id: id, time: 5, place: .output(Point(x: x, y: 2))))
        }

        func motion(_ id: Int32, x: Double, time: UInt32 = 6) {
            writer.write(TouchLine(.motion, seat: "seat0", id: id, time: time, place: .output(Point(x: x, y: 2))))
        }

        func up(_ id: Int32) { writer.write(TouchLine(.up, seat: "seat0", id: id, time: 7)) }

        /// Of the open file that the path names.
        var descriptor: Int32? {
            var (named, opened) = (stat(), stat())
            guard stat(path, &named) == 0 else { return nil }
            let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.compactMap { Int32($0) }
            return all?.first {
                fstat($0, &opened) == 0 && opened.st_ino == named.st_ino && opened.st_dev == named.st_dev
            }
        }

        func size(_ path: String) -> Int64 {
            var status = stat()
            return stat(path, &status) == 0 ? Int64(status.st_size) : 0
        }
    }

    @Test func eachLineIsThereAtOnce() throws {
        let rig = try Rig()
        try rig.writer.begin()
        rig.down(1)
        #expect(
            try rig.lines(rig.path) == [
                #"{"type":"header"}"#, #"{"type":"down","seat":"seat0","id":1,"time":5,"x":1,"y":2}"#,
            ])
        #expect(rig.writer.nextDeadline == nil)
    }

    /// A recording of before is gone on with, and a line that was cut short costs itself alone.
    @Test func aFileThatIsThereIsGoneOnWith() throws {
        let folder = try TestFolder()
        try folder.write("touches.jsonl", "{\"type\":\"header\"}\n{\"type\":\"do")
        let rig = try Rig(folder: folder)
        try rig.writer.begin()
        rig.up(1)
        #expect(
            try rig.lines(rig.path) == [
                #"{"type":"header"}"#, #"{"type":"do"#, #"{"type":"header"}"#,
                #"{"type":"up","seat":"seat0","id":1,"time":7}"#,
            ])
    }

    @Test func somebodysLetterIsNotWrittenBehind() throws {
        let folder = try TestFolder()
        try folder.write("touches.jsonl", "Dear reader,\n")
        let rig = try Rig(folder: folder)
        #expect(throws: Failure.self) { try rig.writer.begin() }
        #expect(try rig.lines(rig.path) == ["Dear reader,"])
    }

    /// An object that is no line of ours, over several lines and on one.
    @Test(arguments: ["{\n  \"name\": \"touch\"\n}\n", "{\"name\":\"touch\"}\n", "{\"type\":5}\n", "{\"type\":\"do"])
    func whatBeginsWithABraceIsNoRecordingYet(text: String) throws {
        let folder = try TestFolder()
        let path = try folder.write("touches.jsonl", text)
        let rig = try Rig(folder: folder)
        #expect(throws: Failure.self) { try rig.writer.begin() }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    }

    // MARK: Names

    /// A ring renames its file: what is a device, or a link to one, is none of its own.
    @Test func aRingTurnsNoDevice() throws {
        let folder = try TestFolder()
        #expect(symlink("/dev/null", folder.path + "/touches.jsonl") == 0)
        let rig = try Rig(.bytes(1 << 16), folder: folder)
        do throws(Failure) {
            try rig.writer.begin()
            Issue.record("it is written")
        } catch {
            #expect(error.why == "it is no regular file, and --ring would rename it", "\(error)")
        }
    }

    @Test(arguments: [nil, RecordingRing.bytes(1 << 16)])
    func aFileThatIsRemovedOrReplacedIsBegunAnew(ring: RecordingRing?) throws {
        let rig = try Rig(ring)
        try rig.writer.begin()
        rig.down(1)
        #expect(unlink(rig.path) == 0)
        rig.now += 1_000_000_000
        rig.motion(1, x: 7)
        #expect(
            try rig.lines(rig.path) == [
                #"{"type":"header"}"#, #"{"type":"down","seat":"seat0","id":1,"time":5,"x":1,"y":2,"resumed":true}"#,
                #"{"type":"frame","seat":"seat0"}"#, #"{"type":"motion","seat":"seat0","id":1,"time":6,"x":7,"y":2}"#,
            ])
        #expect(rig.said.count == 1 && rig.said[0].contains("removed or replaced"), "\(rig.said)")
        // Time alone finds it out too, and so does the end.
        try rig.folder.write("other", "")
        #expect(rename(rig.folder.path + "/other", rig.path) == 0)
        let begin = [
            #"{"type":"header"}"#, #"{"type":"down","seat":"seat0","id":1,"time":6,"x":7,"y":2,"resumed":true}"#,
            #"{"type":"frame","seat":"seat0"}"#,
        ]
        rig.now += 1_000_000_000
        rig.writer.tick(at: rig.now)
        #expect(try rig.lines(rig.path) == begin)
        #expect(unlink(rig.path) == 0)
        #expect(rig.writer.finish() == nil)
        #expect(try rig.lines(rig.path) == begin && rig.said.count == 3)
    }

    /// Log rotators do so that copy the file first: what is left of it begins with what its reader must know.
    @Test(arguments: [nil, RecordingRing.bytes(1 << 16)])
    func aFileThatIsCutShortInItsPlaceIsBegunAnew(ring: RecordingRing?) throws {
        let rig = try Rig(ring)
        try rig.writer.begin()
        rig.down(1)
        #expect(truncate(rig.path, 0) == 0)
        rig.motion(1, x: 7)
        let begin = [
            #"{"type":"header"}"#, #"{"type":"down","seat":"seat0","id":1,"time":5,"x":1,"y":2,"resumed":true}"#,
            #"{"type":"frame","seat":"seat0"}"#,
        ]
        #expect(
            try rig.lines(rig.path) == begin + [#"{"type":"motion","seat":"seat0","id":1,"time":6,"x":7,"y":2}"#])
        #expect(rig.said.count == 1 && rig.said[0].contains("was cut short"), "\(rig.said)")
        rig.up(1)
        #expect(rig.said.count == 1)
        // Within a line; and time alone finds it out, too.
        #expect(truncate(rig.path, 25) == 0)
        rig.now += 1_000_000_000
        rig.writer.tick(at: rig.now)
        #expect(try rig.lines(rig.path) == [begin[0], #"{"type""#, begin[0]] && rig.said.count == 2)
        #expect(rig.writer.finish() == nil)
    }

    /// Somebody else's words took the place of the recording: nothing is written behind them.
    @Test func aFileThatIsFilledWithSomethingElseIsLeftAlone() throws {
        let rig = try Rig()
        try rig.writer.begin()
        rig.down(1)
        let file = open(rig.path, O_WRONLY | O_TRUNC)
        let letter = "Dear reader,\n"
        #expect(write(file, letter, letter.utf8.count) == letter.utf8.count && close(file) == 0)
        rig.up(1)
        rig.now += 1_000_000_000
        rig.writer.tick(at: rig.now)
        #expect(try rig.lines(rig.path) == ["Dear reader,"])
        #expect(rig.writer.finish()?.why == "there is something else in it than a recording")
    }

    /// Between two looks, too: what is there by then is not renamed.
    @Test func aRingRenamesNothingButItsOwnFile() throws {
        let rig = try Rig(.bytes(1 << 16))
        try rig.writer.begin()
        rig.down(1)
        #expect(unlink(rig.path) == 0)
        try rig.folder.write("touches.jsonl", "Dear reader,\n")
        for step in 0..<1000 { rig.motion(1, x: Double(step)) }
        #expect(try rig.lines(rig.path) == ["Dear reader,"] && !TextFile.exists(path: rig.path + ".1"))
        #expect(unlink(rig.path) == 0)
        rig.now += 1_000_000_000
        rig.writer.tick(at: rig.now)
        let lines = try rig.lines(rig.path)
        #expect(lines[0] == #"{"type":"header"}"# && lines[1].hasPrefix(#"{"type":"gap""#), "\(lines)")
        #expect(lines[2].contains(#""x":999"#) && rig.writer.finish() == nil)
    }

    /// Whoever reads it by its header would take our lines for theirs.
    @Test func nothingIsWrittenBehindLinesOfALaterVersion() throws {
        let folder = try TestFolder()
        let path = try folder.write("touches.jsonl", "{\"type\":\"header\",\"version\":99}\n")
        for ring in [nil, RecordingRing.bytes(1 << 16)] {
            let writer = RecordingWriter(path: path, ring: ring) { 0 }
            do throws(Failure) {
                try writer.begin()
                Issue.record("it is begun")
            } catch { #expect(error.why == "its lines are of version 99: a later fingerwave wrote it") }
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "{\"type\":\"header\",\"version\":99}\n")
    }

    @Test func theOlderFileIsNobodyElses() throws {
        let folder = try TestFolder()
        let older = try folder.write("touches.jsonl.1", "Dear reader,\n")
        func begin() -> Failure? {
            let writer = RecordingWriter(path: folder.path + "/touches.jsonl", ring: .bytes(1 << 16)) { 0 }
            do throws(Failure) { try writer.begin() } catch { return error }
            return nil
        }
        #expect(begin()?.what == "cannot write \(older)")
        #expect(begin()?.why == "there is something else in it than a recording")
        #expect(unlink(older) == 0 && mkdir(older, 0o700) == 0)
        #expect(begin()?.what == "cannot write \(older)" && begin()?.why == "it is a directory")
        #expect(!TextFile.exists(path: folder.path + "/touches.jsonl"))
    }

    @Test func whatComesInTheOlderFilesPlaceStays() throws {
        let rig = try Rig(.time(10_000_000_000))
        try rig.writer.begin()
        rig.down(1)
        rig.now += 5_000_000_000
        rig.writer.tick(at: rig.now)
        rig.up(1)
        rig.now += 5_000_000_000
        rig.writer.tick(at: rig.now)
        try rig.folder.write("touches.jsonl.1", "Dear reader,\n")
        rig.now += 5_000_000_000
        rig.writer.tick(at: rig.now)
        #expect(try rig.lines(rig.path + ".1") == ["Dear reader,"])
    }

    /// The recording is turned where it is, and the link stays.
    @Test func aRingFollowsALink() throws {
        let folder = try TestFolder()
        try folder.write("real/a.jsonl", "")
        #expect(symlink("real/a.jsonl", folder.path + "/touches.jsonl") == 0)
        let rig = try Rig(.time(10_000_000_000), folder: folder)
        try rig.writer.begin()
        rig.down(1)
        rig.now += 5_000_000_000
        rig.writer.tick(at: rig.now)
        #expect(try rig.lines(folder.path + "/real/a.jsonl.1").count == 2 && rig.lines(rig.path).count == 3)
        #expect(!TextFile.exists(path: rig.path + ".1") && rig.said.isEmpty)
    }

    /// The disk is full when the files take turns: the new one begins with its header all the same.
    @Test func aHeaderThatHadNoRoomComesFirst() throws {
        let rig = try Rig(.time(10_000_000_000))
        try rig.writer.begin()
        rig.down(1)
        let full = open("/dev/full", O_WRONLY)
        defer { close(full) }
        var file: (descriptor: Int32, copy: Int32)?
        rig.writer.header = { [unowned rig] in
            // The file that was opened has no room while another one is in its place.
            if file == nil, let descriptor = rig.descriptor {
                file = (descriptor, dup(descriptor))
                dup2(full, descriptor)
            }
            return "{\"type\":\"header\"}\n"
        }
        rig.now += 5_000_000_000
        rig.writer.tick(at: rig.now)
        #expect(rig.said.count == 1 && rig.size(rig.path) == 0)
        let (descriptor, copy) = try #require(file)
        dup2(copy, descriptor)
        close(copy)
        rig.now += 1_000_000_000
        rig.writer.tick(at: rig.now)
        let lines = try rig.lines(rig.path)
        #expect(lines.first == #"{"type":"header"}"# && lines.dropFirst().first?.contains("gap") == true, "\(lines)")
        #expect(lines.count == 4 && rig.said.count == 2)
    }

    @Test func aRingOfBytesStaysWithinThem() throws {
        let bound: Int64 = 1 << 16
        let rig = try Rig(.bytes(bound))
        try rig.writer.begin()
        rig.down(4)
        for step in 0..<5000 {
            rig.motion(4, x: Double(step), time: UInt32(step))
            #expect(rig.size(rig.path) + rig.size(rig.path + ".1") <= bound)
        }
        #expect(rig.size(rig.path) + rig.size(rig.path + ".1") > bound / 2)
        // Each of them begins with its header and with the finger that was down by then.
        let (new, old) = (try rig.lines(rig.path), try rig.lines(rig.path + ".1"))
        for lines in [new, old] {
            #expect(lines[0] == #"{"type":"header"}"#)
            #expect(lines[1].hasPrefix(#"{"type":"down","seat":"seat0","id":4,"time":"#), "\(lines[1])")
            #expect(lines[1].hasSuffix(#","resumed":true}"#) && lines[2] == #"{"type":"frame","seat":"seat0"}"#)
        }
        // No line between them is missing.
        let last = try TouchLine(old[old.count - 1]), first = try TouchLine(new[3])
        #expect(first.time == last.time.map { $0 + 1 })
        let report = try RecordingReport(path: rig.path)
        #expect(report.summary.leftDownCount == 1)
        // The finger is down to the last.
        let faults = report.summary.faults.map(\.kind.description).filter { !$0.hasPrefix("missing-frame") }
        #expect(faults == ["contact 4, down here since 0 s, has no end"])
    }

    /// What a pen does, and where the pointer's button is held, is said again too.
    @Test func aRingRepeatsPensAndPresses() throws {
        let rig = try Rig(.bytes(1 << 16))
        try rig.writer.begin()
        func tool(_ event: ToolLine.Event, at place: Point? = nil, time: UInt32? = nil) {
            var line = TouchLine(.tool(ToolLine(2, event)), seat: "seat0", time: time)
            line.place = place.map { .output($0) }
            rig.writer.write(line)
        }
        tool(.added(type: "eraser"))
        for event in [ToolLine.Event.proximityIn, .down, .pressure(7), .pressure(9), .button(331, isPressed: true)] {
            tool(event)
        }
        tool(.button(332, isPressed: true))
        tool(.button(332, isPressed: false))
        tool(.motion, at: Point(x: 1, y: 2))
        tool(.frame, time: 77)
        rig.writer.write(TouchLine(.pointer(.began), seat: "seat1", place: .output(.zero)))
        rig.writer.write(TouchLine(.pointer(.moved), seat: "seat1", place: .output(Point(x: 5, y: 6))))
        for step in 0..<600 { rig.motion(4, x: Double(step)) }
        let lines = try rig.lines(rig.path)
        let start = #"{"type":"tool","seat":"seat0","tool":2,"event":"#
        #expect(
            Array(lines.prefix(9)) == [
                #"{"type":"header"}"#, start + #""added","tool_type":"eraser","resumed":true}"#,
                start + #""proximity_in","resumed":true}"#, start + #""pressure","pressure":9,"resumed":true}"#,
                start + #""button","button":331,"pressed":true,"resumed":true}"#,
                start + #""motion","x":1,"y":2,"resumed":true}"#, start + #""down","resumed":true}"#,
                start + #""frame","time":77,"resumed":true}"#,
                #"{"type":"pointer","phase":"began","seat":"seat1","x":5,"y":6,"resumed":true}"#,
            ])
        // That file alone has the stroke.
        let report = try RecordingReport(path: rig.path)
        #expect(report.summary.pens.map(\.contactCount) == [1] && report.summary.pointers.map(\.contactCount) == [1])
    }

    /// Behind a gap a reader's pens leave where it holds them to be, and go where they are gone.
    @Test func whatAGapCostsOfPensIsEnded() throws {
        func lines(_ tool: Int32, _ events: [ToolLine.Event]) -> [TouchLine] {
            events.map { event in
                var line = TouchLine(.tool(ToolLine(tool, event)), seat: "seat0")
                if event == .motion { line.place = .output(Point(x: 3, y: 4)) }
                if event == .frame { line.time = 5 }
                line.arrival = 70
                return line
            }
        }
        var told = HeldTouches()
        let pen = lines(1, [.added(type: "pen"), .proximityIn, .motion, .down, .frame])
        for line in pen + lines(2, [.added(type: "pen")]) + lines(3, [.motion]) { told.note(line) }
        var press = TouchLine(.pointer(.moved), seat: "seat0", place: .output(Point(x: 8, y: 9)))
        press.arrival = 90
        told.note(press)
        var now = told
        for line in lines(2, [.removed]) + lines(1, [.up]) { now.note(line) }
        let tool = #"{"type":"tool","seat":"seat0","tool":"#
        #expect(
            told.cancels(before: now)
                == [
                    tool + #"1,"event":"proximity_out","arrival_us":90}"#,
                    tool + #"1,"event":"frame","time":5,"arrival_us":90}"#,
                    tool + #"2,"event":"removed","arrival_us":90}"#,
                    tool + #"3,"event":"proximity_out","arrival_us":90}"#,
                    tool + #"3,"event":"frame","arrival_us":90}"#,
                    #"{"type":"pointer","phase":"cancelled","seat":"seat0","x":8,"y":9,"arrival_us":90}"#,
                ].map { $0 + "\n" }.joined())
        #expect(
            !now.lines.contains(#""down""#) && now.lines.contains(#""tool":1,"event":"motion","x":3,"y":4,"resumed""#))
        // And what the file says of where it was made is said again, but not that another run begins.
        let header = #"{"type":"header","version":1}"# + "\n"
        let facts = #"{"type":"seat","name":"seat0"}"# + "\n" + #"{"type":"configure","width":5,"height":6}"# + "\n"
        #expect(RecordingHeader.facts(of: header + facts) == facts && RecordingHeader.facts(of: "") == "")
    }

    @Test func aRingOfTimeTurnsByTheClock() throws {
        let rig = try Rig(.time(10_000_000_000))
        try rig.writer.begin()
        #expect(rig.writer.nextDeadline == nil)
        rig.down(1)
        #expect(rig.writer.nextDeadline == rig.now + 5_000_000_000)
        rig.now += 5_000_000_000
        rig.writer.tick(at: rig.now)
        #expect(try rig.lines(rig.path + ".1").count == 2 && rig.lines(rig.path).count == 3)
        rig.up(1)
        rig.now += 5_000_000_000
        rig.writer.tick(at: rig.now)
        #expect(try rig.lines(rig.path + ".1").count == 4 && rig.lines(rig.path).count == 1)
        // Nobody touches any more: what is too old goes, and then nothing wakes the program.
        rig.now += 5_000_000_000
        rig.writer.tick(at: rig.now)
        #expect(!TextFile.exists(path: rig.path + ".1") && rig.writer.nextDeadline == nil)
        rig.down(2)
        #expect(rig.writer.nextDeadline == rig.now + 5_000_000_000)
    }

    @Test func aFullDiskIsSaidOnceAndCounted() throws {
        let folder = try TestFolder()
        // Every write to it fails, as there is no space left.
        #expect(symlink("/dev/full", folder.path + "/touches.jsonl") == 0)
        let rig = try Rig(folder: folder, header: "")
        try rig.writer.begin()
        for id in 0..<10 { rig.down(Int32(id)) }
        #expect(rig.said.count == 1 && rig.writer.lostLines == 10 && rig.writer.lineCount == 0)
        #expect(rig.said[0].contains("No space left on device"), "\(rig.said)")
        #expect(rig.writer.nextDeadline == rig.now + 1_000_000_000)
        rig.now += 1_000_000_000
        rig.writer.tick(at: rig.now)
        #expect(rig.said.count == 1 && rig.writer.nextDeadline == rig.now + 1_000_000_000)
        let failure = rig.writer.finish()
        #expect(failure?.what == "\(rig.path) lacks 10 lines" && failure?.why == "No space left on device")
        #expect(failure?.code == .badInput && rig.said.count == 1)
    }

    /// As a user sees it: what cannot be written is counted, what was written in part is cut off, and when there is room the
    /// recording says what it lacks.
    @Test func aFileThatCannotGrowGoesOnWhenThereIsRoom() throws {
        let folder = try TestFolder()
        let path = folder.path + "/touches.jsonl"
        let program = try Running(
            ["record", "--source", "-", path], environment: ["XDG_RUNTIME_DIR=\(folder.path)"], largestFile: 4)
        for step in 0..<40 {
            let type = step == 0 ? "down" : "motion"
            program.say("{\"type\":\"\(type)\",\"seat\":\"seat0\",\"id\":1,\"time\":\(step),\"x\":\(step),\"y\":0}\n")
        }
        let said = try #require(program.line())
        #expect(said.contains("cannot write \(path): File too large"), "\(said)")
        let full = Array(try String(contentsOfFile: path, encoding: .utf8).utf8)
        #expect(full.count <= 2048 && full.last == UInt8(ascii: "\n"))
        let kept = full.filter { $0 == UInt8(ascii: "\n") }.count
        #expect(truncate(path, 0) == 0)
        program.closeInput()
        #expect(program.wait() == 0)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let lines = text.split(separator: "\n")
        // What the file began with is gone, too.
        #expect(lines[0].hasPrefix(#"{"type":"header""#), "\(text)")
        #expect(lines[1] == "{\"type\":\"gap\",\"lines\":\(41 - kept),\"why\":\"File too large\"}", "\(text)")
        #expect(lines[2].contains(#""type":"down""#) && lines[2].contains(#""x":39"#) && lines[2].contains("resumed"))
        #expect(lines[3].hasPrefix(#"{"type":"frame","seat":"seat0","arrival_us":"#))
    }

    @Test(arguments: [
        ("10m", RecordingRing.time(600_000_000_000), "10m"), ("90s", .time(90_000_000_000), "90s"),
        ("120s", .time(120_000_000_000), "2m"), ("1d", .time(86_400_000_000_000), "1d"),
        ("64MiB", .bytes(1 << 26), "64MiB"), ("2GB", .bytes(2_000_000_000), "2GB"), ("64KiB", .bytes(1 << 16), "64KiB"),
    ])
    func boundsAreRead(text: String, ring: RecordingRing, again: String) {
        #expect(RecordingRing(text) == ring && ring.text == again && RecordingRing(again) == ring)
    }

    @Test(arguments: [
        "", "10", "m", "1s", "0m", "-5m", "10 m", "10M", "1KiB", "400d", "2000GiB", "99999999999999999999s",
    ])
    func whatIsNoBoundIsNone(text: String) { #expect(RecordingRing(text) == nil) }
}
