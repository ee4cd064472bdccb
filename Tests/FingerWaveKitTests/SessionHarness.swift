import CLibc
import CLinuxShims
import Gestures
import Testing
import TouchStage
import WaylandClient
import WaylandProtocols

@testable import FingerWaveKit

/// A window session on a stage in this process, with the stage's hand-advanced clock.
final class SessionHarness {
    let stage: Stage
    let connection: Connection
    let session: WindowSession
    private(set) var failure: Failure?
    private let writer: LineWriter
    private let reading: Int32
    private let writing: Int32

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
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw ConnectionError.closed(errno: fw_errno()) }
        (reading, writing) = (ends[0], ends[1])
        _ = fw_set_nonblocking(reading, 1)
        writer = LineWriter(descriptor: writing)
        let parsed = try ParsedArguments(options, specs: WindowSettings.specs)
        session = WindowSession(connection, try WindowSettings(parsed.options), output: writer) {
            Instant(nanoseconds: stage.now)
        }
        prepare(session)
        pump()
    }

    deinit {
        connection.disconnect()
        _ = close(reading)
        _ = close(writing)
    }

    /// Both sides talk, and the session ends a turn after each exchange, until nothing is left to say.
    func pump() {
        do {
            try stage.pump(connection) { [self] in
                guard failure == nil else { return }
                do throws(Failure) { try session.endTurn() } catch { failure = error }
            }
        } catch {
            if failure == nil { failure = Failure(error) }
        }
    }

    /// Lets time pass in frames of 10 ms, each with its callbacks.
    func play(milliseconds: Int) {
        for _ in 0..<(milliseconds / 10) {
            stage.advance(milliseconds: 10)
            stage.fireFrameCallbacks()
            pump()
        }
    }

    /// What was printed since the last call.
    func printed() -> [String] {
        writer.flush()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(reading, &buffer, buffer.count)
        guard count > 0 else { return [] }
        return String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n").map(String.init)
    }

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
