import CLibc
import CLinuxShims
import TouchStage
import WaylandClient

@testable import FingerWaveKit

/// A session on a stage in this process, with the stage's hand-advanced clock: what those of windows and overlays share.
protocol StageHarness: AnyObject {
    var stage: Stage { get }
    var connection: Connection { get }
    var failure: Failure? { get set }
    var log: PipedLog { get }
    /// Of the session.
    func endTurn() throws(Failure)
}

extension StageHarness {
    /// Both sides talk, and the session ends a turn after each exchange, until nothing is left to say.
    func pump() {
        do {
            try stage.pump(connection) { [self] in
                guard failure == nil else { return }
                do throws(Failure) { try endTurn() } catch { failure = error }
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
    func printed() -> [String] { log.lines() }
}

/// What a session prints, through a pipe.
final class PipedLog {
    let writer: LineWriter
    private let reading: Int32
    private let writing: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw ConnectionError.closed(errno: fw_errno()) }
        (reading, writing) = (ends[0], ends[1])
        _ = fw_set_nonblocking(reading, 1)
        writer = LineWriter(descriptor: writing)
    }

    deinit {
        _ = close(reading)
        _ = close(writing)
    }

    /// Since the last call.
    func lines() -> [String] {
        writer.flush()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(reading, &buffer, buffer.count)
        guard count > 0 else { return [] }
        return String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
