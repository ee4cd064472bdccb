import CLibc
import CLinuxShims
import Gestures
import Testing
import TouchStage
import WaylandClient

@testable import FingerWaveKit
@testable import WireProxy

/// Apps (windows of ours), what stands between, with one log of all, and a compositor, in this process.
private final class AppLogHarness {
    private final class App {
        let proxy: AppConnection
        let connection: Connection
        let session: WindowSession
        let sockets: (app: Int32, compositor: Int32)
        private let silence: PipedLog

        init(_ stage: Stage, number: Int) throws {
            let clock = { [unowned stage] in Instant(nanoseconds: stage.now) }
            var pair: [Int32] = [-1, -1]
            try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
            sockets = (pair[1], stage.connectClient())
            connection = try Connection.connect(fileDescriptor: pair[0])
            let made = AppConnection(
                look: AppConnection.Look(), draws: true, takesPointer: false, number: number, clock: clock)
            proxy = try #require(made)
            silence = try PipedLog()
            session = WindowSession(connection, WindowSettings(), output: silence.writer, clock: clock)
        }

        func end() {
            proxy.end()
            connection.disconnect()
            for socket in [sockets.app, sockets.compositor] {
                // Also where another test's program is just being forked, which has all sockets until its exec.
                shutdown(socket, Int32(SHUT_RDWR))
                close(socket)
            }
        }

        /// True when something went through.
        func pass() throws -> Bool {
            let forwarder = proxy.forwarder
            var isBusy = false
            while case .received = forwarder.fromCompositor.receive(from: sockets.compositor) {
                isBusy = true
                try forwarder.forwardEvents()
            }
            while proxy.isReady, case .received = forwarder.fromApp.receive(from: sockets.app) {
                isBusy = true
                try proxy.forwardRequests()
            }
            if !forwarder.toCompositor.isEmpty, !proxy.isHoldingPicture {
                isBusy = true
                _ = forwarder.toCompositor.flush(to: sockets.compositor)
            }
            _ = forwarder.toApp.flush(to: sockets.app)
            return isBusy
        }
    }

    let stage: Stage
    let log: PipedLog
    let appLog: AppLog
    private var apps: [App] = []

    init(_ options: Stage.Options = Stage.Options(), logsPresented: Bool = true) throws {
        stage = try Stage(options)
        log = try PipedLog()
        let start = Instant(nanoseconds: stage.now)
        appLog = AppLog(EventLog(log.writer, format: .json, start: start), logsPresented: logsPresented) {
            [unowned stage] in Instant(nanoseconds: stage.now)
        }
    }

    deinit { for app in apps { app.end() } }

    func startApp() throws {
        let app = try App(stage, number: apps.count)
        var reports = AppConnection.Reports()
        appLog.listen(to: app.proxy, &reports)
        app.proxy.reports = reports
        apps.append(app)
        try pump()
    }

    func endApp() throws {
        apps.removeLast().end()
        try pump()
    }

    func pump() throws {
        for _ in 0..<500 {
            var isBusy = false
            for app in apps {
                _ = try app.connection.flush()
                isBusy = try app.pass() || isBusy
            }
            stage.turn()
            for app in apps {
                isBusy = try app.pass() || isBusy
                isBusy = try app.connection.readAndDispatch() > 0 || isBusy
                try app.session.endTurn()
                app.proxy.endTurn()
                isBusy = try app.pass() || isBusy
            }
            appLog.endTurn(apps.map { $0.proxy })
            if !isBusy { return }
        }
        Issue.record("they talk without end")
    }

    func play(milliseconds: Int) throws {
        for _ in 0..<milliseconds / 10 {
            stage.advance(milliseconds: 10)
            stage.fireFrameCallbacks()
            try pump()
        }
    }

    func touch(_ body: (StageTouch) -> Void) throws {
        body(stage.seat.touch)
        stage.seat.touch.frame()
        try pump()
    }

    /// The windows' surfaces.
    var windows: [StageSurface] {
        stage.surfaces.filter { if case .window = $0.role { true } else { false } }
    }

    /// The lines of these types since the last call.
    func lines(_ types: String...) -> [String] {
        log.lines().filter { line in types.contains { line.hasPrefix("{\"type\":\"\($0)\"") } }
    }
}

/// The log of an app that is run, mostly with `--log-presented`.
@Suite struct AppLogTests {
    private let first = #"{"type":"presented","commit":0,"photons":10}"#

    @Test func eachTouchThatWasShownIsSaid() throws {
        let harness = try AppLogHarness()
        try harness.startApp()
        try harness.touch { $0.down(1, x: 100, y: 100) }
        try harness.play(milliseconds: 10)
        #expect(harness.lines("presented") == [first])
        try harness.touch { $0.up(1) }
        #expect(harness.lines("statistics").last?.contains(#""to":"photons","count":1,"median":10"#) == true)
        try harness.play(milliseconds: 1500)
        // The lifting has begun a wave; what of it goes on shows no touch.
        #expect(harness.lines("presented") == [first])
        try harness.touch { $0.down(1, x: 100, y: 100) }
        try harness.play(milliseconds: 20)
        #expect(harness.lines("presented") == [first])
        harness.appLog.end()
        #expect(harness.lines("statistics").last?.contains(#""contacts":1,"most":1,"begun":2,"events":3"#) == true)
        try harness.touch { $0.motion(1, x: 150, y: 100) }
        try harness.play(milliseconds: 20)
        #expect(harness.lines("presented").isEmpty)
    }

    @Test func unaskedItSaysNothingOfPhotonsAndAsksNothing() throws {
        let harness = try AppLogHarness(logsPresented: false)
        try harness.startApp()
        try harness.touch { $0.down(1, x: 100, y: 100) }
        try harness.touch { $0.up(1) }
        try harness.play(milliseconds: 20)
        let lines = harness.log.lines()
        #expect(lines.contains { $0.contains("\"down\"") })
        #expect(!lines.contains { $0.contains("\"presented\"") })
        #expect(lines.contains { $0.contains("\"statistics\"") && !$0.contains("photons") })
        #expect(harness.stage.liveResourceCounts["wp_presentation"] == nil)
    }

    @Test func connectionsAreCountedTogetherAndMeasuredEachByItself() throws {
        let harness = try AppLogHarness()
        try harness.startApp()
        try harness.startApp()
        let windows = harness.windows
        try #require(windows.count == 2)
        try harness.touch { $0.down(1, x: 100, y: 100, on: windows[0]) }
        harness.stage.advance(milliseconds: 5)
        try harness.touch { $0.down(2, x: 50, y: 50, on: windows[1]) }
        try harness.play(milliseconds: 10)
        #expect(Set(harness.lines("presented")) == [first, #"{"type":"presented","commit":0,"photons":15}"#])
        try harness.touch { $0.up(2) }
        try harness.touch { $0.up(1) }
        let statistics = harness.lines("statistics")
        #expect(statistics.first?.contains(#""contacts":0,"most":2,"begun":2,"events":4"#) == true, "\(statistics)")
        #expect(statistics.count == 3 && statistics.dropFirst().allSatisfy { $0.contains(#""begun":1"#) })
        // One ends with a finger on it.
        try harness.touch { $0.down(1, x: 50, y: 50, on: windows[1]) }
        try harness.endApp()
        #expect(harness.lines("statistics").last?.contains(#""contacts":0,"most":2,"begun":3,"events":6"#) == true)
    }

    /// As compositors do that leave out the last one.
    @Test func aFrameThatIsMissingAtTheEndIsAFault() throws {
        let harness = try AppLogHarness()
        try harness.startApp()
        try harness.touch { $0.down(1, x: 100, y: 100) }
        harness.stage.seat.touch.up(1)
        try harness.pump()
        try harness.play(milliseconds: 2000)
        #expect(harness.lines("fault").isEmpty)
        try harness.endApp()
        harness.appLog.end()
        let lines = harness.lines("fault", "statistics")
        #expect(lines.contains { $0.contains(#""fault":"missing-frame","count":1"#) }, "\(lines)")
        #expect(lines.last?.contains(#""faults":[{"fault":"missing-frame","count":1}]"#) == true, "\(lines)")
    }

    @Test func theWindowThatIsTouchedIsToldWithItsSize() throws {
        let harness = try AppLogHarness()
        try harness.startApp()
        try harness.startApp()
        let windows = harness.windows
        try #require(windows.count == 2)
        func touch(_ window: StageSurface) throws {
            try harness.touch { $0.down(1, x: 50, y: 50, on: window) }
            try harness.touch { $0.up(1) }
        }
        let size = #""width":\#(windows[0].size.width),"height":\#(windows[0].size.height),"scale":1}"#
        try touch(windows[0])
        try touch(windows[0])
        #expect(harness.lines("configure") == [#"{"type":"configure","# + size])
        try touch(windows[1])
        try touch(windows[0])
        #expect(harness.lines("configure", "down").map { $0.contains("configure") } == [true, false, true, false])
    }

    /// Their touches are no fingers of one hand: who reads the log must see that.
    @Test func seatsOfSeveralConnectionsHaveNamesOfTheirOwn() throws {
        let harness = try AppLogHarness()
        try harness.startApp()
        try harness.startApp()
        let windows = harness.windows
        func name(_ window: StageSurface) throws -> String {
            _ = harness.log.lines()
            try harness.touch { $0.down(1, x: 50, y: 50, on: window) }
            try harness.touch { $0.up(1) }
            let line = try #require(harness.lines("down").first)
            return String(line.split(separator: "\"")[7])
        }
        // By order of touch, whichever connection was first.
        #expect(try name(windows[1]) == "seat0" && name(windows[0]) == "seat0/2" && name(windows[1]) == "seat0")
        try harness.endApp()
        try harness.startApp()
        let newest = try #require(harness.windows.last)
        #expect(try name(newest) == "seat0" && name(windows[0]) == "seat0/2")
    }

    @Test(arguments: [true, false]) func photonsThatCannotBeComparedAreUnavailable(isOffered: Bool) throws {
        var options = Stage.Options()
        if isOffered { options.presentationClock = 4 } else { options.globals[.presentation] = nil }
        let harness = try AppLogHarness(options)
        try harness.startApp()
        try harness.touch { $0.down(1, x: 100, y: 100) }
        try harness.play(milliseconds: 20)
        try harness.touch { $0.up(1) }
        let printed = harness.lines("presented", "statistics")
        #expect((printed.first == #"{"type":"presented","commit":0}"#) == isOffered, "\(printed)")
        #expect(printed.last?.contains(#""photons":"unavailable""#) == true, "\(printed)")
        #expect(harness.stage.violations.isEmpty, "\(harness.stage.violations)")
    }
}
