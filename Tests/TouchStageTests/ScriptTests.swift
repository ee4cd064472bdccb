import Testing
import TouchStage
import WaylandClient
import WaylandProtocols

@Suite struct ScriptTests {
    @Test func everyCommandIsRead() throws {
        let lines: [(String, StageCommand?)] = [
            ("down 1 10.5 -20", .down(id: 1, x: 10.5, y: -20)), ("  move -7 1 2 # away", .move(id: -7, x: 1, y: 2)),
            ("up 2147483647", .up(id: .max)), ("frame", .frame), ("cancel", .cancel),
            ("shape 0 9 4.5", .shape(id: 0, major: 9, minor: 4.5)),
            ("orientation 0 -45", .orientation(id: 0, degrees: -45)), ("pointer 3 4", .pointer(x: 3, y: 4)),
            ("button 272 1", .button(code: 272, isPressed: true)), ("key 1 0", .key(code: 1, isPressed: false)),
            ("pen-in 1 2", .penIn(x: 1, y: 2)), ("pen-move 3 4.5", .penMove(x: 3, y: 4.5)),
            ("pen-pressure 0.25", .penPressure(0.25)), ("pen-tilt -60 60", .penTilt(x: -60, y: 60)),
            ("pen-down", .penDown), ("pen-up", .penUp), ("pen-out", .penOut), ("sleep 250", .sleep(milliseconds: 250)),
            ("sync", .sync), ("wait-window", .waitWindow),
            ("pointer-out", .pointerOut), ("size 640x480", .size(width: 640, height: 480)),
            ("tool 2 added eraser", .tool(2, .added(.eraser))),
            ("tool 1 in 1 2.5", .tool(1, .proximityIn(x: 1, y: 2.5))),
            ("tool 1 move 3 4", .tool(1, .motion(x: 3, y: 4))), ("tool 1 down", .tool(1, .down)),
            ("tool 1 pressure 0.5", .tool(1, .pressure(0.5))), ("tool 1 distance 1", .tool(1, .distance(1))),
            ("tool 1 tilt -1 2", .tool(1, .tilt(x: -1, y: 2))), ("tool 1 rotation 9", .tool(1, .rotation(degrees: 9))),
            ("tool 1 slider -7", .tool(1, .slider(-7))),
            ("tool 1 wheel 15 1", .tool(1, .wheel(degrees: 15, clicks: 1))),
            ("tool 1 button 331 1", .tool(1, .button(code: 331, isPressed: true))), ("tool 1 up", .tool(1, .up)),
            ("tool 1 out", .tool(1, .proximityOut)), ("tool 1 removed", .tool(1, .removed)),
            ("tool 1 frame", .tool(1, .frame)), ("screenshot a.png", .screenshot(path: "a.png")), ("quit\r", .quit),
            ("", nil), ("# nothing", nil),
        ]
        for (line, command) in lines { #expect(try StageCommand.parse(line) == command, "\(line)") }
    }

    @Test func faultsAreNamed() throws {
        let lines = [
            ("dwn 1 2 3", "unknown command \"dwn\""), ("down 1 2", "down: Y is missing"),
            ("down 1 2 3 4", "down: too much: \"4\""), ("up x", "up: ID is no 32-bit number: \"x\""),
            ("move 1 nan 2", "move: X is no number: \"nan\""), ("move 1 1e9 2", "move: X is no number: \"1e9\""),
            ("key 1 2", "key: \"2\" is neither 0 nor 1"), ("sleep -1", "sleep: MS is no time: \"-1\""),
            ("pen-pressure 1.5", "pen-pressure: P is not from 0 to 1"), ("pen-in 1", "pen-in: Y is missing"),
            ("tool 1", "tool: EVENT is missing"), ("tool 1 jump", "tool: unknown event \"jump\"; there are added,"),
            ("tool 1 added broom", "tool: \"broom\" is none of pen, eraser,"), ("size 0x4", "size: \"0x4\" is not WxH"),
            ("key 9999 1", "key: CODE is no evdev code: \"9999\""), ("screenshot", "screenshot: FILE is missing"),
        ]
        for (line, text) in lines {
            do {
                _ = try StageCommand.parse(line)
                Issue.record("\"\(line)\" was read without a fault")
            } catch {
                #expect(error.description.hasPrefix(text), "\(line): \(error)")
            }
        }
    }

    @Test func aStagePlaysWhatItCan() throws {
        let stage = try Stage()
        let client = try TestClient(stage)
        let window = try TestWindow(client, showing: client.buffer(50, 50))
        let seat = try client.bind(WlSeat.self)
        var events = 0
        seat.getTouch().onEvent = { _ in events += 1 }
        seat.getPointer().onEvent = { _ in events += 1 }
        seat.getKeyboard().onEvent = { if case .key = $0 { events += 1 } }
        try client.pump()
        let lines = [
            "down 0 1 1", "shape 0 2 2", "orientation 0 5", "move 0 2 2", "up 0", "frame", "down 0 1 1", "cancel",
            "pointer 5 5", "button 272 1", "key 1 1",
        ]
        for line in lines { #expect(stage.perform(try #require(try StageCommand.parse(line))), "\(line)") }
        try client.pump()
        // The pointer's two commands bring a frame each.
        #expect(events == lines.count + 2)
        #expect(!stage.perform(.sync) && !stage.perform(.quit))
        _ = window
    }
}
