import Gestures
import Testing
import TouchDevices
import TouchStage
import WaylandProtocols

@testable import FingerWaveKit

@Suite struct OverlaySessionTests {
    @Test func nothingIsThereBeforeTheFirstTouchNorAfterTheLastWave() throws {
        let harness = try OverlayHarness()
        #expect(harness.session.isRunning && harness.layers.isEmpty)
        try harness.tap(1, 200, 150)
        #expect(harness.layers.count == 1 && harness.layers[0].isMapped)
        #expect(harness.isMarked(200, 150))
        harness.play(milliseconds: 1200)
        #expect(harness.layers.isEmpty && harness.isClear())
        harness.stage.keepsJournal = true
        harness.play(milliseconds: 10_000)
        #expect(harness.stage.journal.isEmpty, "\(harness.stage.journal.map(\.description))")
        try harness.tap(1, 100, 100)
        #expect(harness.layers.count == 1 && harness.isMarked(100, 100))
        #expect(harness.failure == nil && harness.stage.violations.isEmpty, "\(harness.stage.violations)")
    }

    @Test func theSurfaceIsAnOverlayThatTakesNoInput() throws {
        let harness = try OverlayHarness()
        for _ in 0..<3 {
            try harness.tap(1, 200, 150)
            let layer = try #require(harness.layers.first)
            #expect(layer.layer == .overlay && layer.exclusiveZone == -1)
            #expect(layer.keyboardInteractivity == .none && layer.anchor == [.top, .bottom, .left, .right])
            let region = try #require(layer.surface.inputRegion)
            #expect(!region.contains(x: 200, y: 150) && !region.contains(x: 0, y: 0))
            harness.play(milliseconds: 1300)
            #expect(harness.layers.isEmpty)
        }
    }

    /// An overlay that forgets its input region once swallows every touch of the desktop.
    @Test func everyFirstBufferComesAfterAnEmptyInputRegion() throws {
        let harness = try OverlayHarness("--keep-mapped")
        let first = harness.stage.layers[0].surface.resource.objectID
        #expect(harness.stage.layers[0].surface.inputRegion?.contains(x: 10, y: 10) == false)
        harness.stage.keepsJournal = true
        for number in 0..<5 {
            try harness.tap(1, 200, 150)
            harness.play(milliseconds: 300)
            let state = harness.stage.outputs[0].state
            harness.stage.removeOutput(harness.stage.outputs[0])
            harness.pump()
            #expect(harness.layers.isEmpty, "round \(number)")
            _ = harness.stage.addOutput(state)
            harness.pump()
            let layer = try #require(harness.layers.first)
            #expect(layer.isMapped && layer.surface.inputRegion?.contains(x: 10, y: 10) == false)
        }
        var hasRegion: Set<UInt32> = [first]
        for entry in harness.stage.journal where entry.interface == "wl_surface" && entry.isRequest {
            if entry.name == "set_input_region" { hasRegion.insert(entry.objectID) }
            if entry.name == "attach" { #expect(hasRegion.contains(entry.objectID)) }
            if entry.name == "destroy" { hasRegion.remove(entry.objectID) }
        }
        #expect(harness.failure == nil && harness.stage.violations.isEmpty, "\(harness.stage.violations)")
    }

    @Test func keptMappedItStaysAndSaysNothing() throws {
        let harness = try OverlayHarness("--keep-mapped")
        #expect(harness.layers.count == 1 && harness.layers[0].isMapped && harness.isClear())
        try harness.tap(1, 200, 150)
        #expect(harness.isMarked(200, 150))
        harness.play(milliseconds: 1300)
        #expect(harness.layers.count == 1 && harness.layers[0].isMapped && harness.isClear())
        harness.stage.keepsJournal = true
        harness.play(milliseconds: 10_000)
        #expect(harness.stage.journal.isEmpty)
    }

    @Test func aTouchWhileTheLastPictureIsOnItsWayKeepsTheSurface() throws {
        let harness = try OverlayHarness()
        try harness.tap(1, 200, 150)
        let first = try #require(harness.layers.first)
        // To the wave's last moments.
        harness.play(milliseconds: 990)
        for _ in 0..<4 where harness.layers.first === first {
            harness.stage.advance(milliseconds: 5)
            harness.pump()
        }
        try harness.down(2, 50, 50)
        harness.play(milliseconds: 50)
        #expect(harness.isMarked(50, 50))
        #expect(harness.failure == nil && harness.stage.violations.isEmpty)
    }

    @Test func aSurfaceWhoseFramesAreNeverShownGoesAllTheSame() throws {
        let harness = try OverlayHarness()
        try harness.tap(1, 200, 150)
        for _ in 0..<40 {
            harness.stage.advance(milliseconds: 50)
            harness.pump()
        }
        #expect(harness.layers.isEmpty)
    }

    /// Lines of a window have them too.
    @Test func pensAndThePointerAreShown() throws {
        let harness = try OverlayHarness("--log=json")
        func pen(_ event: String) throws {
            try harness.say(#"{"type":"tool","seat":"seat0","tool":1,"event":\#(event)}"#)
        }
        for event in [#""proximity_in""#, #""motion","x":150,"y":100"#, #""down""#, #""frame","time":7"#] {
            try pen(event)
        }
        harness.pump()
        harness.play(milliseconds: 50)
        #expect(harness.layers.count == 1 && harness.isMarked(150, 100))
        try pen(#""up""#)
        try pen(#""proximity_out""#)
        try pen(#""frame","time":87"#)
        for phase in ["began", "ended"] {
            try harness.say(#"{"type":"pointer","phase":"\#(phase)","seat":"seat0","x":50,"y":250}"#)
            harness.play(milliseconds: 50)
        }
        #expect(harness.isMarked(50, 250))
        harness.play(milliseconds: 3000)
        #expect(harness.isClear())
        let printed = harness.printed()
        #expect(printed.filter { $0.contains("\"tool\"") }.count == 7)
        #expect(printed.filter { $0.contains("\"type\":\"pointer\"") }.count == 2)
        let taps = printed.filter { $0.contains(#""gesture":"tap""#) }
        #expect(taps.map { $0.contains("stylus") } == [true, false], "\(printed)")
    }

    @Test func touchesGoToTheOutputThatTheyName() throws {
        let harness = try OverlayHarness { options in
            options.outputs.append(.init(name: "HDMI-A-1", width: 600, height: 400, scale: 2, x: 400))
        }
        let (first, second) = (harness.stage.outputs[0], harness.stage.outputs[1])
        try harness.down(1, 150, 100, on: "HDMI-A-1")
        #expect(harness.layers.count == 1 && harness.layers[0].output === second)
        #expect(harness.isMarked(300, 200, on: second) && harness.isClear(first))
        try harness.down(2, 150, 100)
        #expect(harness.layers.count == 2 && harness.isMarked(150, 100, on: first))
        // 300x200 logical px.
        try harness.down(3, 301, 100, on: "HDMI-A-1")
        try harness.down(4, 10, 10, on: "DP-9")
        try harness.down(5, 10, 10, on: "DP-9")
        #expect(harness.session.streams[0].contactCount == 2)
        #expect(harness.failure == nil && harness.stage.violations.isEmpty)
        #expect(harness.remarks == ["touches on DP-9 are not shown: there is no such output"])
    }

    /// As for a recording of a window, whose lines name no output.
    @Test func touchesThatNameNoOutputGoToTheOneThatIsDrawnOn() throws {
        let harness = try OverlayHarness("--output", "HDMI-A-1") { options in
            options.outputs.append(.init(name: "HDMI-A-1", width: 600, height: 400, x: 400))
        }
        try harness.down(1, 500, 350)
        #expect(harness.isMarked(500, 350, on: harness.stage.outputs[1]) && harness.remarks.isEmpty)
    }

    /// Whoever writes lines may make up any number of seats.
    @Test func seatsAreBounded() throws {
        let harness = try OverlayHarness("--source", "-")
        for seat in 0..<300 {
            try harness.say(#"{"type":"down","seat":"s\#(seat)","id":1,"time":1,"x":5,"y":5}"#)
        }
        #expect(harness.session.streams.count == 256 && harness.remarks == [RecordedStreams.tooMany])
    }

    @Test func acrossCompositorsACauseIsToldOnce() throws {
        let harness = try OverlayHarness("--map", "event8=DP-9", "--output", "DP-7") { options in
            options.outputs.append(.init(name: "HDMI-A-1", width: 600, height: 400, x: 400))
        }
        let device = TouchDevice(
            number: 1, name: "Panel", sysname: "event3", path: "", vendor: 0, product: 0, seat: "seat0",
            millimetres: nil, outputName: nil, calibration: nil, touchCount: nil)
        harness.session.add(device)
        let said = [
            "nothing is shown yet: there is no output DP-7",
            "--map event8=DP-9: there is no touchscreen event8 and no output DP-9",
            "event3 (Panel) lies on DP-1: nothing tells which: the first output; --map does",
        ]
        #expect(harness.remarks.sorted() == said.sorted())
        for _ in 0..<2 { try harness.reconnect([device]) }
        #expect(harness.remarks.count == said.count, "\(harness.remarks)")
        // A cause that was gone is another one.
        harness.stage.addOutput(.init(name: "DP-7", width: 100, height: 100, x: 1000))
        try harness.reconnect([device])
        harness.stage.removeOutput(harness.stage.outputs[2])
        try harness.reconnect([device])
        #expect(harness.remarks.count == said.count + 1 && harness.remarks.last == said[0], "\(harness.remarks)")
    }

    @Test func oneOutputAloneIsDrawnOnWhenItIsNamed() throws {
        let harness = try OverlayHarness("--output", "HDMI-A-1", "--log=json") { options in
            options.outputs.append(.init(name: "HDMI-A-1", width: 600, height: 400, x: 400))
        }
        try harness.tap(1, 100, 100, on: "DP-1")
        #expect(harness.layers.isEmpty)
        try harness.tap(1, 100, 100, on: "HDMI-A-1")
        #expect(harness.layers.count == 1)
        #expect(harness.printed().filter { $0.contains(#""gesture":"tap""#) }.count == 2)
        #expect(harness.remarks == ["touches on DP-1 are not shown: --output draws on HDMI-A-1 alone"])
    }

    @Test(arguments: [
        (WlOutput.Transform.normal, 100, 60), (._90, 240, 100), (._180, 300, 240), (._270, 60, 300),
        (.flipped, 300, 60), (.flipped90, 60, 100), (.flipped180, 100, 240), (.flipped270, 240, 300),
    ])
    func panelPlacesFollowTheOutputsTransform(_ transform: WlOutput.Transform, _ x: Int, _ y: Int) throws {
        let harness = try OverlayHarness { options in
            options.outputs = [.init(name: "DSI-1", width: 400, height: 300, transform: transform)]
        }
        // A quarter from the panel's left, a fifth from its top.
        try harness.down(device: "event3", u: 0.25, v: 0.2)
        #expect(harness.isMarked(x, y))
    }

    @Test(arguments: [1.0, 1.25, 1.5, 2, 3])
    func marksAreInPlaceAtEveryScale(_ scale: Double) throws {
        let harness = try OverlayHarness { options in
            options.outputs = [.init(name: "DP-1", width: 1200, height: 900, scale: scale)]
        }
        try harness.down(device: "event3", u: 0.5, v: 0.5)
        harness.play(milliseconds: 20)
        #expect(harness.failure == nil)
        #expect(harness.isMarked(600, 450))
        let radius = Int(15 * scale)
        #expect(harness.isMarked(600 + radius - 3, 450) && !harness.isMarked(600 + radius + 6, 450))
        #expect(harness.stage.violations.isEmpty)
    }

    @Test func aScreenOfEightThousandPixelsIsCovered() throws {
        let harness = try OverlayHarness { options in
            options.outputs = [.init(name: "DP-1", width: 8192, height: 400)]
        }
        try harness.tap(1, 8100, 200)
        #expect(harness.isMarked(8100, 200) && harness.layers[0].surface.size == (8192, 400))
        harness.play(milliseconds: 1300)
        #expect(harness.isClear() && harness.layers.isEmpty && harness.failure == nil)
    }

    @Test func anOutputThatIsTurnedUnderAFingerIsFollowed() throws {
        let harness = try OverlayHarness("--keep-mapped")
        harness.stage.outputs[0].state.transform = ._90
        harness.stage.layers[0].configureAsAsked()
        harness.pump()
        #expect(harness.layers[0].surface.size == (300, 400))
        try harness.down(device: "event3", u: 0.25, v: 0.2)
        #expect(harness.isMarked(240, 100))
        harness.stage.outputs[0].state.scale = 2
        harness.stage.layers[0].configureAsAsked()
        harness.pump()
        try harness.down(device: "event3", 2, u: 0.75, v: 0.2)
        harness.play(milliseconds: 20)
        #expect(harness.isMarked(240, 300))
    }

    @Test func aHundredOutputsComeAndGo() throws {
        let harness = try OverlayHarness("--keep-mapped")
        let state = harness.stage.outputs[0].state
        let objects = harness.stage.liveResources().count
        for round in 0..<100 {
            try harness.down(round, 50, 50)
            harness.stage.removeOutput(harness.stage.outputs[0])
            if round % 3 != 0 { harness.pump() }
            _ = harness.stage.addOutput(state)
            if round % 2 != 0 { harness.pump() }
        }
        harness.pump()
        let left = Dictionary(grouping: harness.stage.liveResources()) { "\(type(of: $0))" }.mapValues { $0.count }
        #expect(harness.stage.liveResources().count <= objects + 1, "\(left)")
        #expect(harness.layers.count == 1 && harness.session.streams[0].contactCount == 0)
        try harness.tap(1000, 200, 150)
        #expect(harness.isMarked(200, 150))
        #expect(harness.failure == nil && harness.stage.violations.isEmpty, "\(harness.stage.violations)")
    }

    @Test func aSurfaceThatTheCompositorClosesComesBackWithTheNextTouch() throws {
        let harness = try OverlayHarness("--keep-mapped")
        harness.stage.layers[0].close()
        harness.pump()
        #expect(harness.layers.isEmpty)
        harness.play(milliseconds: 500)
        #expect(harness.layers.isEmpty)
        try harness.tap(1, 200, 150)
        #expect(harness.layers.count == 1 && harness.isMarked(200, 150))
    }

    @Test func aTouchscreenThatGoesTakesItsContactsAlong() throws {
        let harness = try OverlayHarness("--log=json")
        try harness.say(
            "{\"type\":\"device\",\"event\":\"added\",\"seat\":\"seat0\",\"device\":\"event3\",\"name\":\"A\"}")
        try harness.down(device: "event3", u: 0.5, v: 0.5)
        #expect(harness.session.streams.count == 1)
        try harness.say("{\"type\":\"device\",\"event\":\"removed\",\"seat\":\"seat0\",\"device\":\"event3\"}")
        harness.pump()
        #expect(harness.session.streams.isEmpty && harness.session.devices.isEmpty)
        harness.play(milliseconds: 1000)
        #expect(harness.layers.isEmpty)
        let printed = harness.printed()
        #expect(printed.contains { $0.contains("\"mapping\"") && $0.contains("\"output\":\"DP-1\"") })
    }

    /// The output goes while a finger is down: it is followed in the log, where it is nowhere.
    @Test func motionOnNoOutputIsLogged() throws {
        let harness = try OverlayHarness("--log=json", "--map", "event3=DP-1")
        try harness.say(
            "{\"type\":\"device\",\"event\":\"added\",\"seat\":\"seat0\",\"device\":\"event3\",\"name\":\"A\"}")
        try harness.down(device: "event3", u: 0.5, v: 0.5)
        harness.stage.removeOutput(harness.stage.outputs[0])
        harness.pump()
        let motion =
            "{\"type\":\"motion\",\"seat\":\"seat0\",\"device\":\"event3\",\"id\":1,\"time\":9,\"u\":0.25,\"v\":0.5}"
        try harness.say(motion)
        harness.pump()
        #expect(harness.printed().contains { $0.contains("\"motion\"") && $0.contains("\"u\":0.25") })
        #expect(harness.session.streams.allSatisfy { $0.contactCount == 0 })
    }

    @Test func twoTouchscreensWithOneIdAreTwoFingers() throws {
        let harness = try OverlayHarness { options in
            options.outputs.append(.init(name: "HDMI-A-1", width: 600, height: 400, x: 400))
        }
        try harness.say(
            "{\"type\":\"device\",\"event\":\"added\",\"seat\":\"seat0\",\"device\":\"event3\",\"output\":\"HDMI-A-1\"}"
        )
        try harness.say(
            "{\"type\":\"device\",\"event\":\"added\",\"seat\":\"seat0\",\"device\":\"event4\",\"output\":\"DP-1\"}")
        try harness.down(device: "event3", u: 0.5, v: 0.5)
        try harness.down(device: "event4", u: 0.5, v: 0.5)
        #expect(harness.isMarked(300, 200, on: harness.stage.outputs[1]))
        #expect(harness.isMarked(200, 150, on: harness.stage.outputs[0]))
        #expect(harness.session.streams.map { $0.contactCount } == [1, 1])
    }

    @Test func oneContactThatIsCancelledLeavesTheOthers() throws {
        let harness = try OverlayHarness()
        try harness.down(1, 100, 100)
        try harness.down(2, 300, 200)
        try harness.say("{\"type\":\"cancel\",\"seat\":\"seat0\",\"id\":1}")
        harness.pump()
        #expect(harness.session.streams[0].contactCount == 1)
        try harness.say("{\"type\":\"cancel\",\"seat\":\"seat0\"}")
        harness.pump()
        #expect(harness.session.streams[0].contactCount == 0)
    }

    @Test func whatCameBeforeTheOutputsWereKnownIsShown() throws {
        let harness = try OverlayHarness(pumps: false)
        #expect(!harness.session.isRunning)
        try harness.say("{\"type\":\"down\",\"seat\":\"seat0\",\"id\":1,\"time\":1000,\"x\":100,\"y\":60}")
        try harness.say("{\"type\":\"up\",\"seat\":\"seat0\",\"id\":1,\"time\":1080}")
        try harness.say("{\"type\":\"down\",\"seat\":\"seat0\",\"id\":2,\"time\":1090,\"x\":300,\"y\":200}")
        harness.session.endTouches()
        harness.pump()
        #expect(harness.session.isRunning && harness.session.streams.isEmpty)
        #expect(harness.isMarked(100, 60) && harness.session.counts.taps == 1 && harness.session.counts.cancelled == 1)
    }

    @Test func withoutALayerShellItSaysWhatWorks() throws {
        let harness = try OverlayHarness { $0.globals[.layerShell] = nil }
        let failure = try #require(harness.failure)
        #expect(failure.code == .missingGlobal)
        #expect(failure.line.contains("zwlr_layer_shell_v1") && failure.line.contains("fingerwave run -- APP"))
    }

    @Test func pausedItShowsNothingAndIsNotThere() throws {
        let harness = try OverlayHarness("--log=json")
        harness.session.setPaused(true)
        try harness.tap(1, 100, 100)
        harness.play(milliseconds: 100)
        #expect(harness.layers.isEmpty)
        #expect(harness.printed().contains { $0.contains("\"tap\"") })
        harness.session.setPaused(false)
        try harness.tap(1, 100, 100)
        #expect(harness.layers.count == 1)
    }

    @Test func millimetresFollowTheOutput() throws {
        // 4 px on one mm: 12 mm are 48 px, and a mark begins at a fifth.
        let harness = try OverlayHarness("--radius", "25mm") { options in
            options.outputs[0].physicalWidth = 100
            options.outputs[0].physicalHeight = 75
        }
        try harness.down(1, 200, 150)
        #expect(harness.isMarked(218, 150) && !harness.isMarked(226, 150))
    }

    @Test func touchesMayWaitForTheFrameThatShowsThem() throws {
        let harness = try OverlayHarness()
        #expect(!harness.session.canLeaveTouches)
        try harness.down(1, 200, 150)
        // The surface is there, and its first picture on its way.
        #expect(harness.session.canLeaveTouches)
        harness.stage.fireFrameCallbacks()
        try harness.stage.pump(harness.connection)
        #expect(!harness.session.canLeaveTouches)
        harness.pump()
        // Time that a lifted finger would stop is running out: what has come is to be read before.
        let deadline = try #require(harness.session.streams.first?.recognizer.nextDeadline)
        try harness.say("{\"type\":\"motion\",\"seat\":\"seat0\",\"id\":1,\"x\":201,\"y\":150}")
        harness.pump()
        #expect(harness.session.canLeaveTouches)
        harness.stage.advance(nanoseconds: deadline.nanoseconds - harness.stage.now)
        #expect(!harness.session.canLeaveTouches)
    }

    @Test func touchesDoNotWaitForOneOutputWhileAnotherShowsNothing() throws {
        let harness = try OverlayHarness { options in
            options.outputs.append(.init(name: "DP-2", width: 400, height: 300))
        }
        try harness.down(1, 200, 150)
        #expect(harness.isMarked(200, 150) && !harness.session.canLeaveTouches)
    }

    @Test func whoeverReadsTheLogHearsOfTouchesAtOnce() throws {
        let harness = try OverlayHarness("--log")
        try harness.down(1, 200, 150)
        #expect(harness.isMarked(200, 150) && !harness.session.canLeaveTouches)
    }
}
