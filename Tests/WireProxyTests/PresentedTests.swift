import Gestures
import Inspection
import Ripples
import Testing
import TouchStage
import WaylandClient
import WaylandProtocols

@testable import WireProxy

/// What is asked of wp_presentation on an app's connection: when a picture that shows a touch was seen.
@Suite struct PresentedTests {
    private static func window(_ rig: AppRig) throws -> TestAppWindow { try TestAppWindow(TestApp(rig)) }

    private func asked(_ rig: AppRig) -> Int { rig.count("wp_presentation", "feedback", ofApp: false) }

    private func now(_ rig: AppRig) -> PresentationOutcome { .presented(Instant(nanoseconds: rig.stage.now)) }

    @Test func untilItIsAskedForNothingIsThere() throws {
        let rig = try AppRig()
        let window = try Self.window(rig)
        try rig.touch(0, 100, 80)
        try rig.advance(milliseconds: 32)
        #expect(rig.stage.liveResourceCounts["wp_presentation"] == nil && asked(rig) == 0)
        #expect(!rig.commits.isEmpty && rig.commits.allSatisfy { $0.source == .unasked } && rig.outcomes.isEmpty)
        // Also in the midst of things.
        rig.proxy?.asksPresentation = true
        try rig.move(0, 150, 80)
        try rig.advance(milliseconds: 16)
        #expect(rig.stage.liveResourceCounts["wp_presentation"] == 1 && asked(rig) > 0)
        rig.proxy?.asksPresentation = false
        let before = asked(rig)
        try rig.move(0, 100, 80)
        try rig.advance(milliseconds: 16)
        #expect(asked(rig) == before && rig.commits.last?.source == .unasked)
        try window.destroy()
    }

    @Test func theCommitThatShowsATouchIsAskedAboutAndAnswered() throws {
        let rig = try AppRig(asksPresentation: true)
        let window = try Self.window(rig)
        let journal = rig.stage.journal.count
        try rig.touch(0, 100, 80)
        #expect(rig.commits.count == 1 && rig.commits.first?.source == .ready && asked(rig) == 1)
        #expect(rig.outcomes == [])
        try rig.advance(milliseconds: 16)
        #expect(rig.outcomes.first == now(rig))
        // wlroots forgets what was asked when another commit follows, so the surface is committed once with it.
        let requests = rig.stage.journal[journal...].filter { $0.isRequest && $0.objectID <= AppRig.lastOwn }
        let feedback = try #require(requests.firstIndex { $0.name == "feedback" })
        let commits = requests.filter { $0.name == "commit" }.prefix(2)
        #expect(commits.count == 2 && commits == requests[feedback...].filter { $0.name == "commit" }.prefix(2))
        #expect(commits.first?.objectID != commits.last?.objectID)
        let cell = try #require(rig.mappedOwn.first { $0.resource.objectID == commits.first?.objectID })
        #expect(cell.picture?.pixels.contains { $0 >> 24 != 0 } == true, "nothing is shown there")
        try window.destroy()
    }

    @Test func numbersComeBack() throws {
        let rig = try AppRig(asksPresentation: true)
        _ = try Self.window(rig)
        try rig.touch(0, 100, 80)
        try rig.lift()
        try rig.advance(milliseconds: 1500)
        let objects = try #require(rig.proxy?.objects)
        let free = objects.available
        for round in 0..<20 {
            try rig.touch(0, 100, 80 + Double(round))
            try rig.advance(milliseconds: 48)
            try rig.lift()
            try rig.advance(milliseconds: 1500)
        }
        #expect(objects.available == free && rig.outcomes.count == asked(rig) && asked(rig) > 40)
        #expect(rig.stage.liveResourceCounts["wp_presentation_feedback"] == nil)
        rig.expectNothingLeft()
    }

    @Test func whatGoesBeforeItIsSeenWasNeverSeen() throws {
        let rig = try AppRig(asksPresentation: true)
        let window = try Self.window(rig)
        try rig.touch(0, 100, 80)
        try window.destroy()
        #expect(rig.outcomes == [.discarded])
        // And of a window whose size is another, whose cells go.
        let other = try TestAppWindow(TestApp(rig))
        try rig.touch(1, 100, 80)
        let outcomes = rig.outcomes.count
        other.app.show(other.surface, 200, 150, TestAppWindow.color)
        try rig.pump()
        #expect(rig.outcomes.dropFirst(outcomes).first == .discarded)
        try rig.advance(milliseconds: 16)
        #expect(rig.outcomes.last == now(rig))
        #expect(rig.stage.violations == [])
    }

    @Test func aCompositorThatAnswersNothingIsAskedSixteenTimes() throws {
        let rig = try RawRig()
        var outcomes: [PresentationOutcome] = []
        rig.proxy.asksPresentation = true
        rig.proxy.reports.onCommit = { _, _ in { outcomes.append($0) } }
        try rig.pump()
        let bind = try #require(
            rig.own.first { String(decoding: $0.body, as: UTF8.self).contains("wp_presentation\0") })
        let presentation = try #require(bind.words.last)
        func asked() -> [UInt32] {
            rig.own.filter { $0.object == presentation && $0.opcode == 1 }.map { $0.words[1] }
        }
        /// The next frames, each with what was attached before the last picture given back.
        func go(_ frames: Int) throws {
            for _ in 0..<frames {
                let shown = rig.own.filter { $0.opcode == 1 && Array($0.words.dropFirst()) == [0, 0] }.map {
                    $0.words[0]
                }
                rig.compositor.send(Set(shown.dropLast()).subtracting([0]).map { Message($0, 0) })
                try rig.tick(milliseconds: 16)
            }
        }
        rig.compositor.send([Message(presentation, 0, 1)])
        try rig.bindGlobals()
        rig.window(7)
        try rig.pump()
        rig.touch(7)
        rig.lift()
        try rig.pump()
        try go(30)
        let ids = asked()
        #expect(ids.count == 16 && Set(ids).count == 16 && outcomes.isEmpty)

        // An output, which means nothing, and the time; never seen; gone without a word; words that are missing.
        rig.compositor.send([Message(ids[0], 0, 5), Message(ids[0], 1, 0, 7, 9, 0, 0, 0, 0), Message(ids[0], 2)])
        rig.end(ids[0])
        rig.compositor.send([Message(ids[1], 2)])
        rig.end(ids[1])
        rig.end(ids[2])
        rig.compositor.send([Message(ids[2], 2), Message(ids[3], 1, 0)])
        try rig.pump()
        #expect(outcomes == [.presented(Instant(nanoseconds: 7_000_000_009)), .discarded])
        try go(20)
        #expect(asked().count == 20 && outcomes.count == 2 && rig.violations == [])
    }

    @Test func noAnswerComesAfterTheEnd() throws {
        let rig = try AppRig(asksPresentation: true)
        _ = try Self.window(rig)
        try rig.touch(0, 100, 80)
        rig.proxy?.end()
        #expect(rig.outcomes.isEmpty)
    }

    @Test func whatCannotBeToldIsNotAskedOrNotBelieved() throws {
        let without = try AppRig(.with { $0.globals[.presentation] = nil }, asksPresentation: true)
        _ = try Self.window(without)
        try without.touch(0, 100, 80)
        try without.advance(milliseconds: 16)
        #expect(without.commits.first?.source == .absent && without.outcomes.isEmpty)
        let other = try AppRig(.with { $0.presentationClock = 4 }, asksPresentation: true)
        _ = try Self.window(other)
        try other.touch(0, 100, 80)
        try other.advance(milliseconds: 16)
        #expect(other.commits.first?.source == .otherClock(4) && other.outcomes.first == .presented(nil))
    }

    @Test func theAppsOwnAnswersAreTheAppsOwn() throws {
        let rig = try AppRig(asksPresentation: true)
        let window = try Self.window(rig)
        let presentation = try rig.bind(WpPresentation.self)
        var told = 0
        let feedback = presentation.feedback(surface: window.surface)
        feedback.onEvent = { event in if case .presented = event { told += 1 } }
        window.app.show(window.surface, 300, 200, TestAppWindow.color)
        try rig.touch(0, 100, 80)
        try rig.advance(milliseconds: 16)
        #expect(told == 1 && rig.outcomes.first == now(rig))
    }

    @Test func touchesOnTwoWindowsAreToldApart() throws {
        let rig = try AppRig(asksPresentation: true)
        let app = try TestApp(rig)
        let (one, other) = (try TestAppWindow(app), try TestAppWindow(app))
        let surfaces = rig.apps.filter { $0.picture != nil }
        try #require(surfaces.count == 2)
        try rig.touch(0, 100, 80, on: surfaces[0])
        try rig.touch(1, 100, 80, on: surfaces[1])
        #expect(Set(rig.commits.map(\.root)).count == 2)
        _ = (one, other)
    }

    @Test func theLabelsTellOfPhotonsWhereTheyAreAskedFor() throws {
        var style = RippleStyle()
        style.kind = .inspect
        let rig = try AppRig(asksPresentation: true, look: AppConnection.Look(style: { [style] _ in style }))
        _ = try Self.window(rig)
        try rig.touch(0, 100, 150)
        try rig.advance(milliseconds: 32)
        let window = try #require(rig.proxy?.windows.values.first)
        #expect(window.inspector?.showsPhotons == true && window.inspector?.photonSource == .ready)
        #expect(window.inspector?.latency.sinceArrival.photons?.median == 16)
        rig.proxy?.asksPresentation = false
        #expect(window.inspector?.showsPhotons == false)
    }
}
