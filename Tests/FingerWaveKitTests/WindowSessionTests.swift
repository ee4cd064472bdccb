import Testing
import TouchStage
import WaylandProtocols

@testable import FingerWaveKit

@Suite struct WindowSessionTests {
    @Test func opensAWindowByTheRules() throws {
        let harness = try SessionHarness()
        let window = try #require(harness.stage.window)
        #expect(window.title == "FingerWave" && window.appID == "fingerwave")
        #expect(window.minimumSize == (120, 120))
        #expect(window.decorationMode == .serverSide)
        #expect(window.isMapped && !window.wantsFullscreen)
        #expect(harness.stage.screenshot()[200, 150] == harness.background)
        #expect(harness.stage.violations.isEmpty, "\(harness.stage.violations)")
    }

    @Test func aTapGrowsAWaveThatGoes() throws {
        let harness = try SessionHarness()
        harness.stage.seat.touch.down(7, x: 200, y: 150)
        harness.stage.seat.touch.frame()
        harness.pump()
        // Radius 15 and an outline of 1.5 px.
        #expect((15...18).contains(harness.radius(atX: 200, y: 150)))
        harness.play(milliseconds: 80)
        #expect((15...18).contains(harness.radius(atX: 200, y: 150)))
        harness.stage.seat.touch.up(7)
        harness.stage.seat.touch.frame()
        harness.pump()
        harness.play(milliseconds: 500)
        #expect((44...48).contains(harness.radius(atX: 200, y: 150)), "\(harness.radius(atX: 200, y: 150))")
        harness.play(milliseconds: 510)
        let picture = harness.stage.screenshot()
        #expect(picture.pixels.allSatisfy { $0 == harness.background })
        #expect(harness.stage.violations.isEmpty, "\(harness.stage.violations)")
    }

    @Test func aMovedFingerKeepsItsMarkAndMakesNoWave() throws {
        let harness = try SessionHarness("--log=json")
        harness.stage.seat.touch.down(1, x: 100, y: 100)
        harness.stage.seat.touch.frame()
        harness.pump()
        harness.play(milliseconds: 20)
        harness.stage.seat.touch.motion(1, x: 300, y: 200)
        harness.stage.seat.touch.frame()
        harness.pump()
        harness.play(milliseconds: 50)
        #expect(harness.radius(atX: 100, y: 100) == 0)
        #expect((15...18).contains(harness.radius(atX: 300, y: 200)))
        harness.stage.seat.touch.up(1)
        harness.stage.seat.touch.frame()
        harness.pump()
        harness.play(milliseconds: 750)
        #expect(harness.radius(atX: 300, y: 200) == 0)
        #expect(!harness.printed().contains { $0.contains("\"tap\"") })
    }

    @Test func aCancelIsABrokenRingWithoutAWave() throws {
        let harness = try SessionHarness("--log=json")
        harness.stage.seat.touch.down(1, x: 100, y: 100)
        harness.stage.seat.touch.frame()
        harness.pump()
        harness.stage.seat.touch.cancel()
        harness.pump()
        harness.play(milliseconds: 40)
        #expect(harness.radius(atX: 100, y: 100) == 0, "hollow")
        #expect(harness.radius(atX: 112, y: 112) > 0)
        harness.play(milliseconds: 550)
        #expect(harness.radius(atX: 112, y: 112) == 0)
        #expect(!harness.printed().contains { $0.contains("\"tap\"") })
    }

    @Test func nothingMovesNothingIsSaid() throws {
        let harness = try SessionHarness()
        harness.tap(x: 200, y: 150)
        harness.play(milliseconds: 1500)
        harness.stage.keepsJournal = true
        harness.play(milliseconds: 10_000)
        #expect(harness.stage.journal.isEmpty, "\(harness.stage.journal.map(\.description))")
        #expect(harness.session.nextDeadline == nil)
    }

    @Test func aFingerThatRestsCausesNoFrames() throws {
        let harness = try SessionHarness()
        harness.stage.seat.touch.down(1, x: 100, y: 100)
        harness.stage.seat.touch.frame()
        harness.pump()
        harness.play(milliseconds: 1000)
        harness.stage.keepsJournal = true
        harness.play(milliseconds: 5000)
        #expect(harness.stage.journal.isEmpty, "\(harness.stage.journal.map(\.description))")
        #expect((15...18).contains(harness.radius(atX: 100, y: 100)))
    }

    @Test func aHiddenWindowLosesNoTouchesAndDoesNotDraw() throws {
        let harness = try SessionHarness("--log=json")
        harness.stage.seat.touch.down(1, x: 100, y: 100)
        harness.stage.seat.touch.frame()
        harness.pump()
        // No callback is fired from here on. The others come too late to be one gesture with the first finger.
        harness.stage.advance(milliseconds: 200)
        let commits = harness.stage.surfaces[0].commitCount
        for id in Int32(2)..<50 {
            harness.stage.advance(milliseconds: 50)
            harness.stage.seat.touch.down(id, x: 50, y: 50)
            harness.stage.seat.touch.frame()
            harness.pump()
            harness.stage.seat.touch.up(id)
            harness.stage.seat.touch.frame()
            harness.pump()
        }
        #expect(harness.stage.surfaces[0].commitCount == commits)
        #expect(harness.printed().filter { $0.contains("\"gesture\":\"tap\"") }.count == 48)
    }

    @Test(arguments: [1.0, 1.25, 1.5, 2, 3])
    func drawsSharpAndInPlaceAtEveryScale(scale: Double) throws {
        let harness = try SessionHarness {
            $0.outputs = [.init(name: "DP-1", width: 1200, height: 900, scale: scale)]
            $0.windowSize = (240, 180)
        }
        harness.stage.seat.touch.down(1, x: 100, y: 80)
        harness.stage.seat.touch.frame()
        harness.pump()
        let surface = harness.stage.surfaces[0]
        let picture = try #require(surface.picture)
        #expect(picture.width == Int((240 * scale).rounded()) && picture.height == Int((180 * scale).rounded()))
        let radius = harness.radius(atX: Int(100 * scale), y: Int(80 * scale))
        #expect(abs(Double(radius) - 16.5 * scale) <= 1.5, "\(radius)")
        #expect(harness.stage.violations.isEmpty, "\(harness.stage.violations)")
    }

    @Test(arguments: [1, 2, 3])
    func withoutFractionalScaleTheOutputsScaleCounts(scale: Int) throws {
        let harness = try SessionHarness {
            $0.globals[.fractionalScale] = nil
            $0.globals[.compositor] = 5
            $0.outputs = [.init(name: "DP-1", width: 1200, height: 900, scale: Double(scale))]
            $0.windowSize = (240, 180)
        }
        #expect(harness.stage.surfaces[0].bufferScale == Int32(scale))
        #expect(harness.stage.surfaces[0].picture?.width == 240 * scale)
        #expect(harness.stage.violations.isEmpty, "\(harness.stage.violations)")
    }

    @Test(arguments: UInt32(0)..<8)
    func landsUnderTheFingerAtEveryTransform(transform: UInt32) throws {
        let harness = try SessionHarness {
            $0.outputs = [
                .init(
                    name: "DP-1", width: 400, height: 300, scale: 1, transform: WlOutput.Transform(rawValue: transform))
            ]
            $0.windowSize = (200, 200)
        }
        harness.stage.seat.touch.down(1, x: 120, y: 60, on: harness.stage.surfaces[0])
        harness.stage.seat.touch.frame()
        harness.pump()
        let picture = try #require(harness.stage.surfaces[0].picture)
        #expect(picture[120, 60] != harness.background && picture[60, 120] == harness.background)
        #expect(harness.stage.violations.isEmpty, "\(harness.stage.violations)")
    }

    @Test func followsItsSizeAndReportsIt() throws {
        let harness = try SessionHarness("--log=json")
        let window = try #require(harness.stage.window)
        window.configure(width: 300, height: 200, states: [.maximized])
        harness.pump()
        #expect(harness.stage.surfaces[0].picture?.width == 300)
        window.configure(width: 0, height: 0)
        harness.pump()
        #expect(harness.stage.surfaces[0].picture?.width == 400)
        #expect(
            harness.printed() == [
                "{\"type\":\"ready\",\"width\":400,\"height\":300,\"scale\":1}",
                "{\"type\":\"configure\",\"width\":300,\"height\":200,\"scale\":1}",
                "{\"type\":\"configure\",\"width\":400,\"height\":300,\"scale\":1}",
            ])
        #expect(harness.stage.violations.isEmpty, "\(harness.stage.violations)")
    }

    @Test func acknowledgesOnlyTheNewestOfSeveralConfigures() throws {
        let harness = try SessionHarness()
        let window = try #require(harness.stage.window)
        let before = window.configures.acknowledged.count
        window.configure(width: 300, height: 200)
        window.configure(width: 310, height: 210)
        let last = window.configure(width: 320, height: 220)
        harness.pump()
        #expect(Array(window.configures.acknowledged.dropFirst(before)) == [last])
        #expect(harness.stage.surfaces[0].picture?.width == 320)
    }

    @Test func aResizeIsDrawnThoughNoFrameCallbackComes() throws {
        let harness = try SessionHarness()
        harness.stage.seat.touch.down(1, x: 100, y: 100)
        harness.stage.seat.touch.frame()
        harness.pump()
        harness.stage.window?.configure(width: 300, height: 200)
        harness.pump()
        #expect(harness.stage.surfaces[0].picture?.width == 300)
        #expect(harness.stage.violations.isEmpty, "\(harness.stage.violations)")
    }

    @Test func leavesNothingBehindWhenClosed() throws {
        let harness = try SessionHarness()
        harness.tap(x: 100, y: 100)
        harness.stage.window?.close()
        harness.pump()
        #expect(harness.session.isClosed)
        harness.session.close()
        // The last buffer goes when the stage has released it.
        try harness.stage.pump(harness.connection)
        let counts = harness.stage.liveResourceCounts
        for interface in [
            "wl_surface", "xdg_surface", "xdg_toplevel", "wl_buffer", "wl_touch", "wl_pointer", "wl_output",
        ] {
            #expect(counts[interface] == nil, "\(interface) \(counts)")
        }
        #expect(harness.stage.violations.isEmpty, "\(harness.stage.violations)")
    }

    @Test func keysDoWhatTheHelpSays() throws {
        let harness = try SessionHarness {
            $0.seats = [.init(name: "seat0", capabilities: [.touch, .keyboard])]
        }
        let stage = harness.stage
        stage.seat.keyboard.enter(stage.surfaces[0])
        // evdev codes: f, F11, c, space, h, q.
        stage.seat.keyboard.tap(33)
        harness.pump()
        #expect(stage.window?.wantsFullscreen == true)
        stage.seat.keyboard.tap(87)
        harness.pump()
        #expect(stage.window?.wantsFullscreen == false)
        stage.seat.keyboard.tap(35)
        harness.pump()
        // To standard error.
        #expect(harness.printed().isEmpty)

        stage.seat.touch.down(1, x: 100, y: 100)
        stage.seat.touch.frame()
        harness.pump()
        stage.seat.keyboard.tap(57)
        harness.pump()
        stage.seat.touch.motion(1, x: 200, y: 100)
        stage.seat.touch.frame()
        harness.play(milliseconds: 50)
        #expect(harness.radius(atX: 100, y: 100) > 0, "the picture moved though it was held")
        stage.seat.keyboard.tap(57)
        harness.play(milliseconds: 50)
        #expect(harness.radius(atX: 100, y: 100) == 0 && harness.radius(atX: 200, y: 100) > 0)
        stage.seat.keyboard.tap(46)
        harness.play(milliseconds: 50)
        #expect(harness.radius(atX: 200, y: 100) == 0)
        #expect(!harness.session.isClosed)
        stage.seat.keyboard.tap(16)
        harness.pump()
        #expect(harness.session.isClosed)
    }

    @Test func aMouseStandsInForAFinger() throws {
        let harness = try SessionHarness("--log=json") {
            $0.seats = [.init(name: "seat0", capabilities: [.pointer])]
        }
        let pointer = harness.stage.seat.pointer
        pointer.motion(x: 100, y: 90)
        pointer.frame()
        pointer.button(pressed: true)
        pointer.frame()
        harness.pump()
        #expect((15...18).contains(harness.radius(atX: 100, y: 90)))
        harness.play(milliseconds: 60)
        pointer.button(pressed: false)
        pointer.frame()
        harness.play(milliseconds: 500)
        #expect(harness.radius(atX: 100, y: 90) > 40)
        let lines = harness.printed()
        #expect(
            lines.contains("{\"type\":\"pointer\",\"phase\":\"began\",\"seat\":\"seat0\",\"x\":100,\"y\":90}"),
            "\(lines)")
        #expect(lines.filter { $0.contains("\"gesture\":\"tap\"") }.count == 1)
    }

    @Test func twoSeatsAreTwoPeople() throws {
        let harness = try SessionHarness("--log=json") {
            $0.seats = [.init(name: "a", capabilities: [.touch]), .init(name: "b", capabilities: [.touch])]
        }
        for seat in harness.stage.seats {
            seat.touch.down(0, x: seat.name == "a" ? 100 : 300, y: 100)
            seat.touch.frame()
        }
        harness.pump()
        #expect(harness.radius(atX: 100, y: 100) > 0 && harness.radius(atX: 300, y: 100) > 0)
        harness.stage.removeSeat(harness.stage.seats[1])
        harness.pump()
        harness.play(milliseconds: 150)
        #expect(harness.radius(atX: 100, y: 100) > 0 && harness.radius(atX: 300, y: 100) == 0)
        harness.stage.seats[0].touch.up(0)
        harness.stage.seats[0].touch.frame()
        harness.pump()
        let taps = harness.printed().filter { $0.contains("\"gesture\":\"tap\"") }
        #expect(taps.count == 1 && taps.first?.contains("\"seat\":\"a\"") == true, "\(taps)")
        #expect(harness.stage.violations.isEmpty, "\(harness.stage.violations)")
    }

    @Test(arguments: [StageGlobal.compositor, .shm, .windowManager])
    func aMissingGlobalIsNamed(global: StageGlobal) throws {
        let harness = try SessionHarness { $0.globals[global] = nil }
        #expect(harness.failure?.code == .missingGlobal)
        #expect(harness.failure?.why.contains(global.rawValue) == true, "\(harness.failure?.line ?? "")")
    }

    @Test func anUnknownOutputIsAnsweredWithThoseThereAre() throws {
        let harness = try SessionHarness("--output", "DP-9")
        #expect(
            harness.failure?.line
                == "fingerwave: cannot use the output DP-9: there is none of this name; there is DP-1\n")
        let right = try SessionHarness("--output", "DP-1")
        #expect(right.failure == nil && right.stage.window?.fullscreenOutput?.state.name == "DP-1")
    }

    @Test func aProtocolErrorIsToldWithItsText() throws {
        let harness = try SessionHarness()
        harness.stage.surfaces[0].resource.postError(code: 3, "words of the compositor")
        harness.pump()
        let failure = try #require(harness.failure)
        #expect(failure.code == .protocolError)
        #expect(
            failure.line.contains("wl_surface") && failure.line.contains("words of the compositor"), "\(failure.line)")
    }

    @Test func aCompositorThatDiesIsTold() throws {
        let harness = try SessionHarness()
        harness.stage.clients[0].kill()
        harness.pump()
        #expect(harness.failure?.code == .noCompositor)
    }
}
