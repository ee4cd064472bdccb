import Gestures
import Testing

@testable import Recording

@Suite struct TouchLineTests {
    @Test(arguments: [
        (
            #"{"type":"down","seat":"seat0","id":7,"time":123456,"x":10.5,"y":20.25}"#,
            TouchLine(
                .down, seat: "seat0", id: 7, time: 123_456, place: .output(Point(x: 10.5, y: 20.25)))
        ),
        (
            #"{"type":"motion","seat":"seat0","device":"event3","id":-3,"time":4294967295,"u":0.25,"v":-0.5}"#,
            TouchLine(
                .motion, seat: "seat0", device: "event3", id: -3, time: .max, place: .panel(Point(x: 0.25, y: -0.5)))
        ),
        (
            #"{"type":"down","output":"DP-1","id":0,"x":1,"y":2}"#,
            TouchLine(.down, output: "DP-1", id: 0, place: .output(Point(x: 1, y: 2)))
        ),
        (
            #"{"type":"shape","seat":"seat0","id":7,"major":12,"minor":8.5}"#,
            TouchLine(.shape(major: 12, minor: 8.5), seat: "seat0", id: 7)
        ),
        (
            #"{"type":"orientation","seat":"seat0","id":7,"orientation":-45}"#,
            TouchLine(.orientation(degrees: -45), seat: "seat0", id: 7)
        ),
        (#"{"type":"up","seat":"seat0","id":7,"time":0}"#, TouchLine(.up, seat: "seat0", id: 7, time: 0)),
        (#"{"type":"frame","seat":"seat0"}"#, TouchLine(.frame, seat: "seat0")),
        (#"{"type":"cancel","seat":"seat0"}"#, TouchLine(.cancel, seat: "seat0")),
        (
            #"{"type":"cancel","seat":"seat0","device":"event3","id":2,"time":5}"#,
            TouchLine(.cancel, seat: "seat0", device: "event3", id: 2, time: 5)
        ),
        (
            #"{"type":"device","event":"added","seat":"seat0","device":"event3","output":"DSI-1","number":1,"name":"#
                + #""A \"B\"","millimetres":[154.5,86],"calibration":[0,-1,1,1,0,0],"touches":10}"#,
            TouchLine(
                .device(
                    TouchLineDevice(
                        .added, number: 1, name: "A \"B\"", millimetres: Size(width: 154.5, height: 86),
                        calibration: [0, -1, 1, 1, 0, 0], touchCount: 10)),
                seat: "seat0", device: "event3", output: "DSI-1")
        ),
        (
            #"{"type":"device","event":"removed","seat":"seat0","device":"event3","number":1}"#,
            TouchLine(.device(TouchLineDevice(.removed, number: 1)), seat: "seat0", device: "event3")
        ),
        (
            #"{"type":"tool","seat":"seat0","tool":1,"event":"added","tool_type":"eraser"}"#,
            TouchLine(.tool(ToolLine(1, .added(type: "eraser"))), seat: "seat0")
        ),
        (
            #"{"type":"tool","seat":"seat0","tool":1,"event":"motion","x":200.5,"y":150}"#,
            TouchLine(.tool(ToolLine(1, .motion)), seat: "seat0", place: .output(Point(x: 200.5, y: 150)))
        ),
        (
            #"{"type":"tool","seat":"seat0","tool":2,"event":"frame","time":123460}"#,
            TouchLine(.tool(ToolLine(2, .frame)), seat: "seat0", time: 123_460)
        ),
        (
            #"{"type":"pointer","phase":"moved","seat":"seat0","x":100,"y":90}"#,
            TouchLine(.pointer(.moved), seat: "seat0", place: .output(Point(x: 100, y: 90)))
        ),
    ])
    func linesAreReadAsTheyAreWritten(text: String, line: TouchLine) throws {
        #expect(try TouchLine(text) == line)
        #expect(try TouchLine(text + "\n") == line)
        #expect(line.json == text + "\n")
    }

    @Test(
        arguments: [
            (#""removed""#, .removed), (#""proximity_in""#, .proximityIn), (#""proximity_out""#, .proximityOut),
            (#""down""#, .down), (#""up""#, .up), (#""pressure","pressure":65535"#, .pressure(65_535)),
            (#""distance","distance":0"#, .distance(0)), (#""tilt","tilt_x":-60,"tilt_y":0.5"#, .tilt(x: -60, y: 0.5)),
            (#""rotation","degrees":359.5"#, .rotation(degrees: 359.5)),
            (#""slider","position":-65535"#, .slider(-65_535)),
            (#""wheel","degrees":15,"clicks":-1"#, .wheel(degrees: 15, clicks: -1)),
            (#""button","button":331,"pressed":true"#, .button(331, isPressed: true)),
        ] as [(String, ToolLine.Event)])
    func toolsSayAllThatTheyCan(text: String, event: ToolLine.Event) throws {
        let text = #"{"type":"tool","seat":"s","tool":1,"event":"# + text + "}"
        #expect(try TouchLine(text) == TouchLine(.tool(ToolLine(1, event)), seat: "s"))
        #expect(try TouchLine(text).json == text + "\n")
    }

    /// What nobody understands is kept, but for the space between and how a string is escaped.
    @Test(arguments: [
        #"{"type":"tool","tool":1,"event":"squeezed","force":[1,{"n":null}]}"#,
        #"{"type":"gap","lines":12,"why":"a \"full\" disk"}"#,
        #"{"type":"pointer","phase":"hovers","z":1e3}"#, #"{"type":"seat","name":"é","touch":true,"touch":false}"#,
    ])
    func linesOfOthersStayWhatTheyAre(text: String) throws {
        let line = try TouchLine(text.replacing(",", with: " ,\t"))
        guard case .other = line.kind else { return #expect(Bool(false), "\(line.kind)") }
        #expect(line.json.replacing(" ,\t", with: ",") == text + "\n")
    }

    @Test(arguments: [
        #"{"type":"tool","event":"down"}"#, #"{"type":"tool","tool":1}"#, #"{"type":"pointer","x":1,"y":2}"#,
        #"{"type":"tool","tool":1,"event":"motion"}"#, #"{"type":"pointer","phase":"began"}"#,
        #"{"type":"tool","tool":1,"event":"pressure","pressure":-1}"#,
        #"{"type":"tool","tool":1,"event":"button","button":1,"pressed":1}"#,
    ])
    func halfALineOfAPenIsNone(text: String) { #expect(throws: TouchLineError.self) { try TouchLine(text) } }

    /// They are written by the log too, and by later versions.
    /// Where places in logical px are.
    @Test func sizesAreKept() throws {
        let configure = try TouchLine(#"{"type":"configure","output":"DP-1","width":640,"height":480,"scale":2}"#)
        #expect(configure.size == Size(width: 640, height: 480) && configure.output == "DP-1")
        #expect(try TouchLine(configure.json) == configure)
        #expect(try TouchLine(#"{"type":"ready","outputs":[]}"#).size == nil)
        #expect(try TouchLine(#"{"type":"other","width":"x"}"#).size == nil)
    }

    @Test(arguments: [
        (#"{"type":"ready","outputs":[{"name":"DP-1","width":640,"height":480}]}"#, "ready"),
        (#"{"type":"mapping","width":640,"height":480,"scale":1}"#, "mapping"),
        (#"{"type":"gesture","gesture":"tap","id":"no number"}"#, "gesture"),
        (#"{"type":"statistics","histogram":[0,1],"faults":[{"fault":"jump","count":3}]}"#, "statistics"),
    ])
    func linesOfNoTouchAreNamed(text: String, type: String) throws {
        let line = try TouchLine(text)
        #expect(line.kind == .other(type) && line.size == nil && line.json == text + "\n")
    }

    /// What recordings have beside a log.
    @Test func arrivalsAndSerialsSurvive() throws {
        let text =
            #"{"type":"down","id":1,"x":2,"y":3,"resumed":true,"serial":4294967295,"#
            + #""arrival_us":9007199254740991}"#
        let line = try TouchLine(text)
        #expect(line.serial == .max && line.arrival == 9_007_199_254_740_991 && line.isResumed)
        #expect(line.json == text + "\n")
    }

    @Test func unknownFieldsArePassedOver() throws {
        let line = try TouchLine(#"{"new":{"x":[1]},"type":"up","id":1,"more":null}"#)
        #expect(line == TouchLine(.up, id: 1))
    }

    /// Who knew the output had more to go by.
    @Test func aPlaceOnAnOutputWinsOverOneOnThePanel() throws {
        let line = try TouchLine(#"{"type":"down","id":1,"u":0.5,"v":0.5,"x":3,"y":4}"#)
        #expect(line.place == .output(Point(x: 3, y: 4)))
    }

    @Test(arguments: [
        ("down 1 2 3", "no JSON object: no object in column 1"),
        ("", "no JSON object: no object in column 1"),
        (#"{"id":1}"#, #"the object has no "type""#),
        (#"{"type":7}"#, #""type" must be a string"#),
        (#"{"type":"down","x":1,"y":1}"#, #""down" lacks "id""#),
        (#"{"type":"down","id":1}"#, #""down" lacks "x""#),
        (#"{"type":"motion","id":1,"x":1}"#, #""x" must be together with "y""#),
        (#"{"type":"ready","width":640}"#, #""width" must be together with "height""#),
        (#"{"type":"ready","width":0,"height":480}"#, #""width" must be a number from 1 to 100000"#),
        (#"{"type":"configure","width":640,"height":-1}"#, #""height" must be a number from 1 to 100000"#),
        (#"{"type":"configure","width":100001,"height":1}"#, #""width" must be a number from 1 to 100000"#),
        (
            #"{"type":"device","device":"event0","event":"added","millimetres":[0,0]}"#,
            #""millimetres" must be a panel's: numbers from 1 to 100000"#
        ),
        (
            #"{"type":"device","device":"event0","event":"added","millimetres":[154,1e300]}"#,
            #""millimetres" must be a panel's: numbers from 1 to 100000"#
        ),
        (#"{"type":"device","device":"event0","event":"added","touches":0}"#, #""touches" must be 1 or more"#),
        (#"{"type":"gap","lines":1e18}"#, #""lines" must be a whole number from 0 to 1099511627776"#),
        (#"{"type":"gap","lines":-1}"#, #""lines" must be a whole number from 0 to 1099511627776"#),
        (#"{"type":"gap","lines":"3"}"#, #""lines" must be a whole number from 0 to 1099511627776"#),
        (#"{"type":"surface","surface":1,"magnified":0}"#, #""magnified" must be a number from 0.00001 to 100000"#),
        (#"{"type":"surface","surface":1,"density":0}"#, #""density" must be a number from 0.00001 to 100000"#),
        (#"{"type":"surface","surface":1,"density":1e400}"#, #""density" must be a number below 10^9"#),
        (
            #"{"type":"surface","surface":1,"x":0,"y":0,"width":1e-300,"height":480}"#,
            #""width" must be a number from 1 to 100000"#
        ),
        (#"{"type":"surface","surface":1,"x":0}"#, #""x" must be together with "y""#),
        (#"{"type":"motion","id":1,"v":1}"#, #""v" must be together with "u""#),
        (#"{"type":"down","id":1,"x":null,"y":1}"#, #""x" must be a number below 10^9"#),
        (#"{"type":"down","id":1,"x":1e400,"y":1}"#, #""x" must be a number below 10^9"#),
        (#"{"type":"up"}"#, #""up" lacks "id""#),
        (#"{"type":"up","id":1.5}"#, #""id" must be a whole number from -2147483648 to 2147483647"#),
        (#"{"type":"up","id":1,"time":-1}"#, #""time" must be a whole number from 0 to 4294967295"#),
        (#"{"type":"up","id":1,"seat":0}"#, #""seat" must be a string"#),
        (#"{"type":"shape","id":1,"major":2}"#, #""shape" lacks "minor""#),
        (#"{"type":"device","device":"event0"}"#, #""device" lacks "event""#),
        (#"{"type":"device","device":"event0","event":"changed"}"#, #""event" must be "added" or "removed""#),
        (#"{"type":"device","event":"added"}"#, #""device" lacks "device""#),
        (
            #"{"type":"device","event":"added","device":"event0","calibration":[1,0,0]}"#,
            #""calibration" must be a list of 6 numbers"#
        ),
    ])
    func whatIsWrongIsSaid(text: String, problem: String) {
        do throws(TouchLineError) {
            _ = try TouchLine(text)
            Issue.record("\(text) was read")
        } catch {
            #expect(error.description == problem)
        }
    }

    // MARK: Random lines

    /// Bytes that lead on in JSON, and any others.
    private static let palette = Array(#"{}[]",:\-+.eE0123456789untrf"#.utf8) + [0, 0x0A, 0x20, 0x7F, 0x80, 0xC3, 0xFF]

    private static let samples = [
        #"{"type":"down","seat":"seat0","device":"event3","id":7,"time":123456,"x":10.5,"y":20.25}"#,
        #"{"type":"device","event":"added","device":"event3","millimetres":[154,86],"calibration":[0,-1,1,1,0,0]}"#,
        #"{"type":"x\u00e9\ud83d\ude00\n","a":[{"b":[null,true,-1.5e-3]}],"c":{}}"#,
    ].map { Array($0.utf8) }

    /// Somebody else's pipe may bring anything: it is read or refused. What is read can be written and read again.
    @Test func noLineTraps() {
        var random = SeededGenerator(seed: 5)
        var readCount = 0
        for _ in 0..<60_000 {
            var line = TouchLineTests.samples.randomElement(using: &random)!
            for _ in 0..<Int.random(in: 1...4, using: &random) where !line.isEmpty {
                let index = Int.random(in: 0..<line.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: line.remove(at: index)
                case 1: line[index] = TouchLineTests.palette.randomElement(using: &random)!
                case 2: line.insert(TouchLineTests.palette.randomElement(using: &random)!, at: index)
                default: line.removeLast(Int.random(in: 0..<line.count, using: &random))
                }
            }
            guard let read = try? TouchLine(utf8: line) else { continue }
            readCount += 1
            // A number that is too large to be written is null, which is none.
            guard let again = try? TouchLine(read.json) else {
                #expect(read.json.contains("null"), "\(String(decoding: line, as: UTF8.self))")
                continue
            }
            #expect(again.kind.name == read.kind.name && again.id == read.id && again.time == read.time)
        }
        #expect(readCount > 1000)
    }
}
