import Foundation
import Testing

@testable import FingerWaveKit

/// A replay's log is a recording: played again it is the same but for stamps.
@Suite struct ReplayedReplayTests {
    /// Lines with arrivals, a stroke after the other.
    private struct Script {
        var text = ""
        var time = 1000
        /// A little before or behind the stamps.
        private var jitter = 0

        mutating func wait(_ milliseconds: Int) {
            time += milliseconds
            jitter = (jitter &* 1103 &+ 377) % 900
        }

        mutating func add(_ line: String) {
            text += "{\(line),\"arrival_us\":\(4_000_000 + time * 1000 + jitter)}\n"
            jitter += 7
        }

        mutating func stroke(
            _ seat: String = "seat0", id: Int = 0, from x: Double, y: Double = 100, dx: Double = 15, steps: Int = 9,
            rest: String = ""
        ) {
            let whose = #""seat":"\#(seat)"\#(rest)"#
            for step in 0...steps {
                let place = #""id":\#(id),"time":\#(time),"x":\#(x + dx * Double(step)),"y":\#(y)"#
                add(#""type":"\#(step == 0 ? "down" : "motion")",\#(whose),\#(place)"#)
                add(#""type":"frame","seat":"\#(seat)""#)
                wait(8)
            }
            add(#""type":"up","seat":"\#(seat)","id":\#(id),"time":\#(time)"#)
            add(#""type":"frame","seat":"\#(seat)""#)
        }

        /// Two of its frames have one stamp.
        mutating func pen(_ seat: String = "seat0", rest: String = "") {
            let whose = #""type":"tool","seat":"\#(seat)","tool":1"#
            add(#"\#(whose),"event":"proximity_in""#)
            for step in 0..<12 {
                add(#"\#(whose),"event":"motion","x":\#(50 + 12 * step),"y":60\#(rest)"#)
                if step == 1 { add(#"\#(whose),"event":"down""#) }
                add(#"\#(whose),"event":"pressure","pressure":\#(1000 + 300 * step)"#)
                add(#"\#(whose),"event":"frame","time":\#(step % 2 == 0 ? time : time - 6)"#)
                wait(6)
            }
            add(#"\#(whose),"event":"up""#)
            add(#"\#(whose),"event":"proximity_out""#)
            add(#"\#(whose),"event":"frame","time":\#(time)"#)
        }

        mutating func press(_ end: String = "ended") {
            for (step, phase) in (["began"] + [String](repeating: "moved", count: 6) + [end]).enumerated() {
                add(#""type":"pointer","phase":"\#(phase)","seat":"seat0","x":\#(200 + 11 * min(step, 6)),"y":90"#)
                wait(9)
            }
        }
    }

    private static let window = #"{"type":"ready","width":640,"height":480,"scale":1}"# + "\n"

    private static func header(_ time: Int) -> String { #"{"type":"header","version":1,"unix_us":\#(time)}"# + "\n" }

    private static func recording(_ name: String) -> String {
        var script = Script()
        switch name {
        case "pens":
            script.add(#""type":"tool","seat":"seat0","tool":1,"event":"added","tool_type":"pen""#)
            script.wait(2000)
            script.pen()
            script.wait(700)
            script.pen()
            return header(1) + window + script.text
        case "pointer":
            script.press()
            script.wait(900)
            script.press("cancelled")
            script.wait(900)
            script.stroke(from: 20)
            script.wait(2000)
            script.press("moved")
            return header(1) + window + script.text
        case "seats":
            for id in 0..<5 {
                script.stroke(id: id, from: 30, steps: 4)
                script.add(#""type":"down","seat":"seat1","id":\#(id),"time":\#(script.time),"x":300,"y":40"#)
                script.add(#""type":"frame","seat":"seat1""#)
                script.stroke(id: id, from: 30, steps: 3)
                script.add(#""type":"up","seat":"seat1","id":\#(id),"time":\#(script.time)"#)
                script.add(#""type":"frame","seat":"seat1""#)
                script.wait(90)
            }
            script.pen("seat1")
            return header(1) + window + script.text
        case "outputs":
            script.stroke(from: 4, rest: #","output":"DP-1""#)
            script.wait(400)
            script.stroke(from: 2, dx: 5, rest: #","output":"DSI-1""#)
            script.wait(400)
            script.pen(rest: #","output":"DSI-1""#)
            return header(1) + #"{"type":"configure","output":"DP-1","width":1920,"height":1080}"# + "\n"
                + #"{"type":"configure","output":"DSI-1","width":800,"height":480}"# + "\n" + script.text
        case "panels":
            var text = header(1)
            for (device, size) in [("event3", "155.3,86.1"), ("event4", "60,40")] {
                text +=
                    #"{"type":"device","event":"added","seat":"seat0","device":"\#(device)","name":"P","#
                    + #""millimetres":[\#(size)]}"# + "\n"
                script.stroke(id: device == "event3" ? 1 : 2, from: 0.003, y: 0.5, dx: 0.012)
                script.wait(300)
                text += script.text.replacing("\"x\":", with: "\"u\":").replacing("\"y\":", with: "\"v\":")
                    .replacing("\"seat\":\"seat0\"", with: "\"seat\":\"seat0\",\"device\":\"\(device)\"")
                script.text = ""
            }
            return text
        case "sizes":
            let sizes = [
                #"{"type":"configure","width":1400,"height":900}"#, #"{"type":"configure","width":300,"height":200}"#,
            ]
            script.stroke(from: 40)
            script.wait(500)
            script.text += sizes[0] + "\n"
            script.stroke(from: 900)
            script.wait(500)
            script.add(#""type":"down","seat":"seat0","id":5,"time":\#(script.time),"x":70,"y":80"#)
            script.add(#""type":"frame","seat":"seat0""#)
            script.text += sizes[1] + "\n"
            script.wait(700)
            script.add(#""type":"motion","seat":"seat0","id":5,"time":\#(script.time),"x":170,"y":80"#)
            return header(1) + window + script.text
        case "runs":
            script.stroke(from: 40)
            script.add(#""type":"down","seat":"seat0","id":5,"time":\#(script.time),"x":70,"y":80"#)
            script.add(#""type":"frame","seat":"seat0""#)
            script.press("moved")
            var text = header(1) + window + script.text + #"{"type":"gap","lines":4,"why":"x"}"# + "\n"
            text += #"{"type":"cancel","seat":"seat0"}"# + "\n"
            script.text = ""
            script.wait(100_000)
            script.stroke(from: 40)
            text += header(2) + window + script.text + header(3) + #"{"type":"ready","width":700,"height":300}"# + "\n"
            // Another boot.
            script = Script()
            script.stroke(from: 40)
            return text + script.text
        default:
            // Late shapes, frames that are empty, late or missing, cancels that are late or have nothing to end.
            script.add(#""type":"down","seat":"seat0","id":3,"time":\#(script.time),"x":10.5,"y":20.25"#)
            script.add(#""type":"frame","seat":"seat0""#)
            script.wait(30)
            script.add(#""type":"shape","seat":"seat0","id":3,"major":14,"minor":8"#)
            script.add(#""type":"frame","seat":"seat0""#)
            script.add(#""type":"frame","seat":"seat0""#)
            script.wait(600)
            script.add(#""type":"cancel","seat":"seat0""#)
            script.wait(20)
            script.add(#""type":"cancel","seat":"seat0""#)
            script.wait(20)
            script.add(#""type":"down","seat":"seat0","id":4,"time":\#(script.time),"x":10.5,"y":20.25"#)
            script.wait(90)
            script.add(#""type":"up","seat":"seat0","id":4,"time":\#(script.time)"#)
            script.wait(1)
            script.add(#""type":"motion","seat":"seat0","id":9,"time":\#(script.time),"x":1,"y":2"#)
            return script.text
        }
    }

    private func printed(_ options: [String], _ text: String) throws -> [String] {
        let folder = try TestFolder()
        let program = try Running(
            ["replay", "--no-window", "--log=json"] + options + [try folder.write("touches", text)],
            environment: ["XDG_RUNTIME_DIR=\(folder.path)"])
        let lines = program.rest().split(separator: "\n").map(String.init).filter { $0.hasPrefix("{") }
        #expect(program.wait() == 0)
        return lines
    }

    @Test(arguments: ["pens", "pointer", "seats", "outputs", "panels", "sizes", "runs", "odd"])
    func itIsTheSame(name: String) throws {
        let text = ReplayedReplayTests.recording(name)
        for options in [
            ["--speed=max"], ["--speed=100"], ["--speed=max", "--size=300x300"], ["--speed=max", "--loop=2"],
            ["--speed=100", "--loop=2"],
        ] {
            let first = try printed(options, text)
            let second = try printed(options.filter { $0 != "--loop=2" }, first.joined(separator: "\n") + "\n")
            let (a, b) = (
                ReplayTests.plain(first, "time", "arrival_us"), ReplayTests.plain(second, "time", "arrival_us")
            )
            let other = zip(a, b).first { $0 != $1 }
            #expect(other == nil, "\(options)")
            let folder = try TestFolder()
            let counts = try [text, first.joined(separator: "\n") + "\n"].map { text in
                try RecordingReport(path: folder.write("touches", text)).gestures.all
            }
            // Of one round `info` counts the same as well.
            if !options.contains("--loop=2") { #expect(counts[0].map(\.name) == counts[1].map(\.name)) }
            if !options.contains("--loop=2") { #expect(counts[0].map(\.count) == counts[1].map(\.count)) }
            #expect(a.count == b.count && a.count > 10 && a.contains { $0.contains("\"statistics\"") })
        }
    }
}
