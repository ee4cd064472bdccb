import Gestures
import Testing
import TouchStage
import WaylandClient
import WaylandProtocols

@testable import FingerWaveKit

/// A window session on a stage in this process, with the stage's hand-advanced clock.
final class SessionHarness: StageHarness {
    let stage: Stage
    let connection: Connection
    let session: WindowSession
    var failure: Failure?
    let log: PipedLog

    /// `options` in the words of the command line.
    convenience init(_ options: String..., setUp: (inout Stage.Options) -> Void = { _ in }) throws {
        try self.init(words: options, setUp: setUp)
    }

    /// - Parameter prepare: is given the session before its first turn.
    init(
        words options: [String], setUp: (inout Stage.Options) -> Void = { _ in },
        prepare: (WindowSession) -> Void = { _ in }
    ) throws {
        var stageOptions = Stage.Options()
        stageOptions.outputs = [.init(name: "DP-1", width: 400, height: 300)]
        stageOptions.windowSize = (400, 300)
        setUp(&stageOptions)
        let stage = try Stage(stageOptions)
        self.stage = stage
        connection = try stage.connect()
        log = try PipedLog()
        let parsed = try ParsedArguments(options, specs: WindowSettings.specs)
        session = WindowSession(connection, try WindowSettings(parsed.options), output: log.writer) { [unowned stage] in
            Instant(nanoseconds: stage.now)
        }
        prepare(session)
        pump()
    }

    deinit { connection.disconnect() }

    func endTurn() throws(Failure) { try session.endTurn() }

    func tap(_ id: Int32 = 1, x: Double, y: Double, milliseconds: Int = 80) {
        stage.seat.touch.down(id, x: x, y: y)
        stage.seat.touch.frame()
        pump()
        play(milliseconds: milliseconds)
        stage.seat.touch.up(id)
        stage.seat.touch.frame()
        pump()
    }

    var background: UInt32 { 0xFF20_2830 }

    /// How far from `x`, `y` the picture differs from the background to the right, in pixels.
    func radius(atX x: Int, y: Int) -> Int {
        let picture = stage.screenshot()
        var length = 0
        while x + length < picture.width, picture[x + length, y] != background { length += 1 }
        return length
    }
}
