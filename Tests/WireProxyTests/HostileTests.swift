import CLibc
import CLinuxShims
import Gestures
import Testing
import TouchStage
import WaylandClient
import WaylandProtocols

@testable import WireProxy

/// Compositors and apps that do what none should. Whatever becomes of the drawing, the app's messages go on.
@Suite struct HostileTests {
    // MARK: Numbers

    @Test func aCompositorThatGivesNumbersBackLateDelaysTheAppAndNothingElse() throws {
        let rig = try RawRig(RawRig.Manners(deletes: false))
        rig.app.send([Message(1, 1, 2)])
        try rig.pump()
        #expect(!rig.proxy.isReady && rig.requests.isEmpty)
        #expect(rig.withheld.count == 767)
        rig.giveBack(766)
        try rig.pump()
        #expect(!rig.proxy.isReady && rig.requests.isEmpty)
        rig.giveBack()
        try rig.pump()
        #expect(rig.proxy.isReady && rig.requests.count == 1)
        #expect(rig.violations == [])
    }

    @Test func numbersThatAreNeverGivenBackEndTheMarksAndNotTheApp() throws {
        let rig = try RawRig()
        try rig.bindGlobals()
        rig.window(7)
        try rig.pump()
        rig.manners.deletes = false
        for index in 0..<200 {
            rig.touch(7, UInt32(index), UInt32(20 + index * 37 % 260), UInt32(20 + index * 53 % 160))
            try rig.tick(milliseconds: 16)
            rig.lift(UInt32(index))
            for _ in 0..<90 {
                try rig.tick(milliseconds: 16)
                if rig.proxy.nextDeadline == nil { break }
            }
        }
        #expect(rig.withheld.count > 500, "there were numbers left")
        let before = rig.requests.count
        rig.app.send([Message(7, 6)])
        try rig.pump()
        #expect(rig.requests.count == before + 1 && rig.requests.last == Message(7, 6))
        #expect(rig.violations == [] && rig.notes == [])
        // They come back after all.
        rig.manners.deletes = true
        rig.giveBack()
        try rig.tick(milliseconds: 600)
        let own = rig.own.count
        rig.touch(7)
        try rig.pump()
        #expect(rig.own.count > own && rig.violations == [])
    }

    @Test func aNumberThatIsGivenBackTwiceIsUsedOnce() throws {
        let rig = try RawRig()
        try rig.bindGlobals()
        for id in 300...310 as ClosedRange<UInt32> { rig.compositor.send([Message(1, 1, id), Message(1, 1, id)]) }
        for index in 0..<100 as Range<UInt32> { rig.window(7 + 3 * index) }
        try rig.pump()
        #expect(rig.violations == [])
    }

    @Test func theNumberOfABufferThatIsInUseIsNotGivenOutAgain() throws {
        let rig = try RawRig()
        try rig.bindGlobals()
        rig.window(7)
        rig.touch(7)
        try rig.pump()
        // wl_shm_pool.create_buffer: number, offset, width, height, stride, format.
        let buffers = rig.own.filter { $0.opcode == 0 && $0.words.count == 6 && $0.words[4] == 4 &* $0.words[2] }
            .map { $0.words[0] }
        #expect(buffers.count > 1)
        rig.compositor.send(buffers.map { Message(1, 1, $0) })
        for index in 1..<9 as Range<UInt32> {
            rig.touch(7, index, 30 * index, 60)
            try rig.tick(milliseconds: 16)
        }
        #expect(rig.violations == [])
    }

    @Test func hundredsOfWindowsAreForwardedToTheLast() throws {
        let rig = try RawRig()
        try rig.bindGlobals()
        for index in 0..<600 as Range<UInt32> {
            rig.window(7 + 3 * index)
            if index % 20 == 19 { try rig.pump() }
        }
        #expect(rig.violations == [])
        #expect(rig.requests.count == 5 + 600 * 7)
        #expect(!rig.notes.isEmpty && rig.notes.count <= 2, "\(rig.notes.count) lines say the same")
    }

    // MARK: Errors and ends

    @Test func anErrorInWhatIsOursIsNamedAndReachesTheApp() throws {
        let rig = try RawRig()
        try rig.bindGlobals()
        rig.window(7)
        rig.touch(7)
        try rig.pump()
        _ = rig.app.takeMessages()
        let buffer = try #require((2...769 as ClosedRange<UInt32>).last { rig.isAlive($0) })
        var error = Message(1, 0, buffer, 1)
        error.append("invalid stride")
        rig.compositor.send([error])
        try rig.pump()
        var seen = Message(1, 0, 1, 1)
        seen.append("invalid stride")
        #expect(rig.app.takeMessages() == [seen])
        #expect(rig.notes == ["the compositor ends the connection over what fingerwave draws: error 1: invalid stride"])
    }

    /// The compositor's text is passed on as it is, by whatever numbers it names things.
    @Test func anErrorInWhatIsTheAppsIsNamedByItsNumber() throws {
        let rig = try RawRig()
        try rig.bindGlobals()
        rig.window(7)
        try rig.pump()
        _ = rig.app.takeMessages()
        var error = Message(1, 0, 8 + RawRig.base, 3)
        error.append("xdg_surface@776: no configure yet")
        rig.compositor.send([error])
        try rig.pump()
        var seen = Message(1, 0, 8, 3)
        seen.append("xdg_surface@776: no configure yet")
        #expect(rig.app.takeMessages() == [seen])
        #expect(
            rig.notes == [
                "the compositor ends the connection over the app's xdg_surface@8 (for the compositor @776): error 3: "
                    + "xdg_surface@776: no configure yet"
            ])
    }

    @Test func drawingNeverSendsWhatACompositorRefuses() throws {
        let rig = try RawRig()
        try rig.bindGlobals()
        rig.window(7)
        try rig.pump()
        for index in 0..<40 as Range<UInt32> {
            rig.touch(7, index, 10 + index * 7, 10 + index * 4)
            try rig.tick(milliseconds: 16)
            if index % 3 == 0 {
                rig.app.send([Message(8, 3, 0, 0, 200, 100), Message(7, 8, 1 + index % 3), Message(7, 6)])
            }
            rig.lift(index)
            try rig.tick(milliseconds: 16)
        }
        // The toplevel and its surface go.
        rig.app.send([Message(9, 0), Message(8, 0), Message(7, 0)])
        try rig.pump()
        #expect(rig.violations == [] && rig.notes == [])
        // The registry and four globals are all that is left of ours.
        #expect((2...769 as ClosedRange<UInt32>).count { rig.isAlive($0) } == 5)
    }

    // MARK: What a compositor lacks

    @Test(arguments: [StageGlobal.subcompositor, .shm, .viewporter]) func anAppLivesWithoutWhatDrawingTakes(
        missing: StageGlobal
    ) throws {
        let rig = try RawRig()
        rig.manners.globals.removeAll { $0.name == missing.rawValue }
        try rig.bindGlobals()
        rig.window(7)
        rig.touch(7)
        try rig.pump()
        #expect(rig.requests.count == 5 + 7)
        #expect(rig.violations == [])
        #expect(rig.notes.isEmpty == (missing == .viewporter))
        #expect((rig.own.count <= 771) == (missing != .viewporter), "\(rig.own.count) requests of ours")
    }

    @Test func noFrameCallbackEver() throws {
        let rig = try AppRig()
        let app = try TestApp(rig)
        let window = try TestAppWindow(app)
        for _ in 0..<3 {
            let before = rig.stage.screenshot()
            try rig.touch(0, 100, 80)
            try rig.lift()
            #expect(rig.stage.screenshot() != before)
            try rig.runDeadlines()
            #expect(rig.stage.screenshot() == before)
            #expect(rig.mappedOwn.isEmpty && rig.stage.violations == [])
        }
        try window.destroy()
        #expect(rig.own.isEmpty)
    }

    @Test func aHiddenWindowIsClearBeforeItIsSeenAgain() throws {
        let rig = try AppRig()
        let app = try TestApp(rig)
        _ = try TestAppWindow(app)
        let before = rig.stage.screenshot()
        try rig.touch(0, 100, 80)
        for surface in rig.stage.surfaces { surface.isHidden = true }
        try rig.lift()
        try rig.runDeadlines()
        #expect(rig.stage.screenshot() == before)
        for surface in rig.stage.surfaces { surface.isHidden = false }
        try rig.advance(milliseconds: 100)
        rig.expectNothingLeft()
        // And the next wave is as quick as ever.
        try rig.touch(0, 60, 60)
        try rig.lift()
        try rig.advance(milliseconds: 1300)
        #expect(rig.stage.screenshot() == before)
        rig.expectNothingLeft()
    }

    @Test func buffersThatAreNeverReleased() throws {
        let rig = try AppRig(.with { $0.releases = .manual })
        let app = try TestApp(rig)
        let window = try TestAppWindow(app)
        let before = rig.stage.screenshot()
        for index in 0..<30 {
            try rig.touch(0, 30 + Double(index) * 8, 80)
            try rig.advance(milliseconds: 48)
            try rig.lift()
            try rig.advance(milliseconds: 200)
        }
        try rig.advance(milliseconds: 1300)
        #expect(rig.stage.screenshot() == before)
        rig.expectNothingLeft()
        #expect(rig.stage.buffers.count < 100)
        try window.destroy()
        #expect(rig.own.isEmpty && rig.notes == [])
        // No number is lost with them.
        for _ in 0..<60 {
            let window = try TestAppWindow(app)
            try rig.touch(0, 100, 80)
            #expect(!rig.mappedOwn.isEmpty)
            try rig.lift()
            try window.destroy()
        }
        #expect(rig.notes == [] && rig.stage.violations == [])
    }

    // MARK: Memory

    @Test func drawingEndsWhenThereIsNoMemoryAndTheAppGoesOn() async {
        // In a process of its own: the limit is the whole process's.
        await #expect(processExitsWith: .success) {
            let rig = try AppRig()
            let app = try TestApp(rig)
            let window = try TestAppWindow(app)
            let full = DescriptorLimit.read()
            // No descriptor is left.
            let next = dup(0)
            close(next)
            DescriptorLimit.set(UInt(next))
            try rig.touch(0, 100, 80)
            DescriptorLimit.set(full)
            precondition(rig.notes.count == 1, "\(rig.notes)")
            precondition(
                rig.notes[0].contains("memfd_create") && rig.notes[0].hasSuffix("the app goes on"), rig.notes[0])
            precondition(rig.own.isEmpty)
            precondition(app.log.contains { $0.hasPrefix("down") })
            try rig.lift()
            try window.destroy()
            _ = try TestAppWindow(app)
            try rig.touch(0, 100, 80)
            precondition(rig.own.isEmpty && rig.notes.count == 1 && rig.stage.violations == [])
        }
    }

    @Test func anAppThatSaysWhatCannotBeIsRefusedByNobodyButTheCompositor() throws {
        let rig = try RawRig()
        try rig.bindGlobals()
        rig.window(7)
        // Touches far outside, positions and sizes of all 32 bits.
        rig.app.send([
            Message(7, 8, UInt32(bitPattern: -5)), Message(7, 8, .max), Message(7, 1, 999, 0, 0), Message(7, 6),
        ])
        try rig.pump()
        for (x, y) in [(0x7fff_ff00, 0x7fff_ff00), (0x8000_0000, 0x8000_0000), (0, 0x7fff_ff00)] as [(UInt32, UInt32)] {
            rig.compositor.send([
                Message(6 + RawRig.base, 0, 9, 1000, 7 + RawRig.base, 3, x, y), Message(6 + RawRig.base, 3),
            ])
            try rig.pump()
            rig.now = rig.now + .milliseconds(600)
            try rig.pump()
        }
        #expect(rig.violations == [])
        #expect(rig.requests.last == Message(7, 6))
    }
}
