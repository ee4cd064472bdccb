import Gestures
import Recording
import TouchDevices
import TouchStage
import WaylandClient
import WaylandProtocols

@testable import FingerWaveKit

/// An overlay session on a stage in this process, with the stage's hand-advanced clock.
final class OverlayHarness: StageHarness {
    let stage: Stage
    private(set) var connection: Connection
    private(set) var session: OverlaySession
    var failure: Failure?
    /// What people are told.
    private(set) var remarks: [String] = []
    private var kept: OverlayRemarks!
    let log: PipedLog

    /// `options` in the words of the command line.
    convenience init(
        _ options: String..., pumps: Bool = true, setUp: (inout Stage.Options) -> Void = { _ in }
    ) throws {
        try self.init(words: options, pumps: pumps, setUp: setUp)
    }

    init(words options: [String], pumps: Bool = true, setUp: (inout Stage.Options) -> Void = { _ in }) throws {
        var stageOptions = Stage.Options()
        stageOptions.outputs = [.init(name: "DP-1", width: 400, height: 300)]
        setUp(&stageOptions)
        let stage = try Stage(stageOptions)
        self.stage = stage
        connection = try stage.connect()
        log = try PipedLog()
        let parsed = try ParsedArguments(options, specs: OverlaySettings.specs)
        let remarks = OverlayRemarks()
        session = OverlaySession(
            connection, try OverlaySettings(parsed.options), output: log.writer, remarks,
            start: Instant(nanoseconds: stage.now)
        ) { [unowned stage] in
            Instant(nanoseconds: stage.now)
        }
        kept = remarks
        remarks.say = { [unowned self] in self.remarks.append($0) }
        if pumps { pump() }
    }

    /// The compositor goes, and comes again with the same outputs; the devices are told of anew.
    func reconnect(_ devices: [TouchDevice] = []) throws {
        session.close()
        connection.disconnect()
        let stage = stage
        connection = try stage.connect()
        session = OverlaySession(
            connection, session.settings, output: log.writer, kept, start: Instant(nanoseconds: stage.now)
        ) { [unowned stage] in
            Instant(nanoseconds: stage.now)
        }
        for device in devices { session.add(device) }
        pump()
    }

    deinit { connection.disconnect() }

    func endTurn() throws(Failure) { try session.endTurn() }

    /// One line of a log, as the source would hand it over.
    func say(_ text: String) throws {
        let line = try TouchLine(text)
        if case .device(let device) = line.kind {
            let device = TouchDevice(line, device)
            if text.contains("\"added\"") { session.add(device) } else { session.remove(device) }
        } else {
            session.handle(line, arrival: Instant(nanoseconds: stage.now))
        }
    }

    func down(_ id: Int = 1, _ x: Double, _ y: Double, on output: String? = nil) throws {
        let on = output.map { ",\"output\":\"\($0)\"" } ?? ""
        try say(
            "{\"type\":\"down\",\"seat\":\"seat0\",\"id\":\(id),\"time\":\(milliseconds),\"x\":\(x),\"y\":\(y)\(on)}")
        try say("{\"type\":\"frame\",\"seat\":\"seat0\"}")
        pump()
    }

    func up(_ id: Int = 1) throws {
        try say("{\"type\":\"up\",\"seat\":\"seat0\",\"id\":\(id),\"time\":\(milliseconds)}")
        try say("{\"type\":\"frame\",\"seat\":\"seat0\"}")
        pump()
    }

    func tap(_ id: Int = 1, _ x: Double, _ y: Double, on output: String? = nil) throws {
        try down(id, x, y, on: output)
        play(milliseconds: 80)
        try up(id)
    }

    /// A panel's touch, in fractions.
    func down(device: String, _ id: Int = 1, u: Double, v: Double) throws {
        try say(
            "{\"type\":\"down\",\"seat\":\"seat0\",\"device\":\"\(device)\",\"id\":\(id),\"time\":\(milliseconds),"
                + "\"u\":\(u),\"v\":\(v)}")
        try say("{\"type\":\"frame\",\"seat\":\"seat0\",\"device\":\"\(device)\"}")
        pump()
    }

    private var milliseconds: Int64 { stage.now / 1_000_000 }

    var layers: [StageLayerSurface] { stage.layers }

    /// Whether something is drawn over the stage's background there.
    func isMarked(_ x: Int, _ y: Int, on output: StageOutput? = nil) -> Bool {
        stage.screenshot(output)[x, y] != stage.options.background
    }

    func isClear(_ output: StageOutput? = nil) -> Bool {
        stage.screenshot(output).pixels.allSatisfy { $0 == stage.options.background }
    }
}
