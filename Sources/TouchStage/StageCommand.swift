internal import WaylandProtocols

/// One line of a stage's script.
///
/// The language is line by line: a word and its arguments, separated by blanks; `#` begins a comment. Positions are logical
/// px of the layout, times ms, keys and buttons evdev codes.
///
///     down ID X Y | move ID X Y | up ID | frame | cancel | shape ID MAJOR MINOR | orientation ID DEGREES
///     pointer X Y | pointer-out | button CODE 0|1 | key CODE 0|1
///     pen-in X Y | pen-move X Y | pen-pressure P | pen-tilt X Y | pen-down | pen-up | pen-out
///     tool N EVENT ARGUMENTS | size WxH
///     sleep MS | sync | wait-window | screenshot FILE | quit
///
/// A pen's commands each have a frame of their own; those of `tool` have none but what its event `frame` sends.
public enum StageCommand: Equatable, Sendable {
    case down(id: Int32, x: Double, y: Double)
    case move(id: Int32, x: Double, y: Double)
    case up(id: Int32)
    case frame
    case cancel
    case shape(id: Int32, major: Double, minor: Double)
    case orientation(id: Int32, degrees: Double)
    case pointer(x: Double, y: Double)
    /// Takes it off whatever it is over.
    case pointerOut
    case button(code: UInt32, isPressed: Bool)
    case key(code: UInt32, isPressed: Bool)
    case penIn(x: Double, y: Double)
    case penMove(x: Double, y: Double)
    /// From 0 to 1.
    case penPressure(Double)
    /// Degrees from upright.
    case penTilt(x: Double, y: Double)
    case penDown
    case penUp
    case penOut
    /// A tool of the tablet by a number of the script's own, which is plugged in when it is first named.
    case tool(Int32, StageToolEvent)
    /// The first screen's, in logical px.
    case size(width: Int32, height: Int32)
    /// Lets time pass.
    case sleep(milliseconds: Int)
    /// Waits until the clients have answered a ping, and a refresh has passed.
    case sync
    /// Waits until a window or layer surface is on show.
    case waitWindow
    case screenshot(path: String)
    case quit

    /// The words of the language.
    public static let words = [
        "down", "move", "up", "frame", "cancel", "shape", "orientation", "pointer", "pointer-out", "button", "key",
        "pen-in", "pen-move", "pen-pressure", "pen-tilt", "pen-down", "pen-up", "pen-out", "tool", "size", "sleep",
        "sync", "wait-window", "screenshot", "quit",
    ]

    public struct SyntaxError: Error, Equatable, Sendable, CustomStringConvertible {
        public var description: String
    }

    /// Reads a line; nil when it is blank or a comment.
    public static func parse(_ line: String) throws(SyntaxError) -> StageCommand? {
        let text = line.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)[0]
        let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        guard let word = words.first else { return nil }
        var reader = ArgumentReader(word: word, arguments: Array(words.dropFirst()))
        let command = try command(word, &reader)
        try reader.finish()
        return command
    }

    private static func command(_ word: String, _ reader: inout ArgumentReader) throws(SyntaxError) -> StageCommand {
        switch word {
        case "down": .down(id: try reader.id(), x: try reader.number("X"), y: try reader.number("Y"))
        case "move": .move(id: try reader.id(), x: try reader.number("X"), y: try reader.number("Y"))
        case "up": .up(id: try reader.id())
        case "frame": .frame
        case "cancel": .cancel
        case "shape":
            .shape(id: try reader.id(), major: try reader.number("MAJOR"), minor: try reader.number("MINOR"))
        case "orientation": .orientation(id: try reader.id(), degrees: try reader.number("DEGREES"))
        case "pointer": .pointer(x: try reader.number("X"), y: try reader.number("Y"))
        case "pointer-out": .pointerOut
        case "button": .button(code: try reader.code(), isPressed: try reader.flag())
        case "key": .key(code: try reader.code(), isPressed: try reader.flag())
        case "pen-in": .penIn(x: try reader.number("X"), y: try reader.number("Y"))
        case "pen-move": .penMove(x: try reader.number("X"), y: try reader.number("Y"))
        case "pen-pressure": .penPressure(try reader.share("P"))
        case "pen-tilt": .penTilt(x: try reader.number("X"), y: try reader.number("Y"))
        case "pen-down": .penDown
        case "pen-up": .penUp
        case "pen-out": .penOut
        case "tool": .tool(try reader.id("N"), try toolEvent(try reader.next("EVENT"), &reader))
        case "size": try size(&reader)
        case "sleep": .sleep(milliseconds: try reader.milliseconds())
        case "sync": .sync
        case "wait-window": .waitWindow
        case "screenshot": .screenshot(path: try reader.next("FILE"))
        case "quit": .quit
        default:
            throw SyntaxError(description: "unknown command \"\(word)\"; there are \(words.joined(separator: ", "))")
        }
    }
}

extension StageCommand {
    private static func toolEvent(
        _ word: String, _ reader: inout ArgumentReader
    ) throws(SyntaxError) -> StageToolEvent {
        switch word {
        case "added": .added(try reader.toolType())
        case "removed": .removed
        case "in": .proximityIn(x: try reader.number("X"), y: try reader.number("Y"))
        case "out": .proximityOut
        case "down": .down
        case "up": .up
        case "move": .motion(x: try reader.number("X"), y: try reader.number("Y"))
        case "pressure": .pressure(try reader.share("P"))
        case "distance": .distance(try reader.share("D"))
        case "tilt": .tilt(x: try reader.number("X"), y: try reader.number("Y"))
        case "rotation": .rotation(degrees: try reader.number("DEGREES"))
        case "slider": .slider(try reader.id("POSITION"))
        case "wheel": .wheel(degrees: try reader.number("DEGREES"), clicks: try reader.id("CLICKS"))
        case "button": .button(code: try reader.code(), isPressed: try reader.flag())
        case "frame": .frame
        default:
            throw SyntaxError(
                description:
                    "tool: unknown event \"\(word)\"; there are \(StageToolEvent.words.joined(separator: ", "))")
        }
    }

    private static func size(_ reader: inout ArgumentReader) throws(SyntaxError) -> StageCommand {
        let text = try reader.next("WxH")
        let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int32($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1], (1...16384).contains(width),
            (1...16384).contains(height)
        else { throw SyntaxError(description: "size: \"\(text)\" is not WxH with sides from 1 to 16384") }
        return .size(width: width, height: height)
    }
}

private struct ArgumentReader {
    let word: String
    let arguments: [String]
    var place = 0

    mutating func next(_ name: String) throws(StageCommand.SyntaxError) -> String {
        guard place < arguments.count else { throw error("\(name) is missing") }
        place += 1
        return arguments[place - 1]
    }

    mutating func number(_ name: String) throws(StageCommand.SyntaxError) -> Double {
        let text = try next(name)
        // The wire's fixed point holds no more.
        guard let value = Double(text), abs(value) < 8_388_608 else { throw error("\(name) is no number: \"\(text)\"") }
        return value
    }

    mutating func share(_ name: String) throws(StageCommand.SyntaxError) -> Double {
        let value = try number(name)
        guard (0...1).contains(value) else { throw error("\(name) is not from 0 to 1") }
        return value
    }

    mutating func id(_ name: String = "ID") throws(StageCommand.SyntaxError) -> Int32 {
        let text = try next(name)
        guard let value = Int32(text) else { throw error("\(name) is no 32-bit number: \"\(text)\"") }
        return value
    }

    mutating func code() throws(StageCommand.SyntaxError) -> UInt32 {
        let text = try next("CODE")
        guard let value = UInt32(text), value <= 0x2FF else { throw error("CODE is no evdev code: \"\(text)\"") }
        return value
    }

    mutating func flag() throws(StageCommand.SyntaxError) -> Bool {
        let text = try next("0|1")
        guard text == "0" || text == "1" else { throw error("\"\(text)\" is neither 0 nor 1") }
        return text == "1"
    }

    mutating func toolType() throws(StageCommand.SyntaxError) -> ZwpTabletToolV2.TypeValue {
        let text = try next("TYPE")
        guard let type = StageToolEvent.types.first(where: { $0.name == text })?.type else {
            throw error("\"\(text)\" is none of \(StageToolEvent.types.map { $0.name }.joined(separator: ", "))")
        }
        return type
    }

    mutating func milliseconds() throws(StageCommand.SyntaxError) -> Int {
        let text = try next("MS")
        guard let value = Int(text), value >= 0, value <= 86_400_000 else { throw error("MS is no time: \"\(text)\"") }
        return value
    }

    func finish() throws(StageCommand.SyntaxError) {
        if place < arguments.count { throw error("too much: \"\(arguments[place])\"") }
    }

    private func error(_ text: String) -> StageCommand.SyntaxError {
        StageCommand.SyntaxError(description: "\(word): \(text)")
    }
}

extension Stage {
    /// Does what a command says, on the first seat. False for those that wait, write a file or quit: the caller's part.
    @discardableResult
    public func perform(_ command: StageCommand) -> Bool {
        if case .size(let width, let height) = command {
            resize(width, height)
            return true
        }
        guard let seat = seats.first else { return false }
        switch command {
        case .down(let id, let x, let y): seat.touch.down(id, x: x, y: y)
        case .move(let id, let x, let y): seat.touch.motion(id, x: x, y: y)
        case .up(let id): seat.touch.up(id)
        case .frame: seat.touch.frame()
        case .cancel: seat.touch.cancel()
        case .shape(let id, let major, let minor): seat.touch.shape(id, major: major, minor: minor)
        case .orientation(let id, let degrees): seat.touch.orientation(id, degrees: degrees)
        case .pointer(let x, let y):
            seat.pointer.motion(x: x, y: y)
            seat.pointer.frame()
        case .pointerOut:
            seat.pointer.leave()
            seat.pointer.frame()
        case .button(let code, let isPressed):
            seat.pointer.button(code, pressed: isPressed)
            seat.pointer.frame()
        case .key(let code, let isPressed): seat.keyboard.key(code, pressed: isPressed)
        case .penIn, .penMove, .penPressure, .penTilt, .penDown, .penUp, .penOut: performPen(command, seat.tablets)
        case .tool(let number, let event): seat.tablets.perform(event, number)
        case .size, .sleep, .sync, .waitWindow, .screenshot, .quit: return false
        }
        return true
    }

    /// Windows get sizes that fit, as from a compositor whose screen has changed.
    private func resize(_ width: Int32, _ height: Int32) {
        guard let output = outputs.first else { return }
        let sides = [width, height].map { Int32((Double($0) * output.state.scale).rounded()) }
        var state = output.state
        (state.width, state.height) = state.transform.swapsSides ? (sides[1], sides[0]) : (sides[0], sides[1])
        output.state = state
        guard options.configures == .automatic else { return }
        for window in windows where window.isMapped { window.configureAsAsked() }
    }

    /// The first pen, with a frame for each command. Tablet and pen are plugged in by the first one.
    private func performPen(_ command: StageCommand, _ tablets: StageTablets) {
        let tablet = tablets.tablets.first ?? tablets.addTablet()
        let pen = tablets.pens.first ?? tablets.addPen()
        switch command {
        case .penIn(let x, let y): pen.proximityIn(tablet, x: x, y: y)
        case .penMove(let x, let y): pen.motion(x: x, y: y)
        case .penPressure(let pressure): pen.pressure(UInt32((pressure * 65535).rounded()))
        case .penTilt(let x, let y): pen.tilt(x: x, y: y)
        case .penDown: pen.down()
        case .penUp: pen.up()
        case .penOut:
            if pen.isDown { pen.up() }
            pen.proximityOut()
        default: break
        }
        pen.frame()
    }
}
