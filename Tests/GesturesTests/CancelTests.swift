import Gestures
import Testing

/// Whatever a hand is doing, a cancel ends it once, and nothing comes after.
@Suite struct CancelTests {
    struct Activity: Sendable, CustomStringConvertible {
        var name: String
        var steps: [Step]
        /// What is under way.
        var open: [String] = []

        var description: String { name }
    }

    private static func glide(_ x: Double, _ y: Double, _ id: Int32 = 0) -> [Step] {
        [.wait(16), .motion(id, x, y), .frame]
    }

    static let activities = [
        Activity(name: "still", steps: [.down(0, 0, 0), .frame]),
        Activity(name: "two fingers, still", steps: [.down(0, 0, 0), .down(1, 60, 0), .frame]),
        Activity(
            name: "half lifted", steps: [.down(0, 0, 0), .down(1, 60, 0), .frame, .wait(40), .up(0), .frame]),
        Activity(
            name: "left the slop, not plain yet",
            steps: [.down(0, 0, 0), .down(1, 60, 0), .frame] + glide(0, 19) + glide(60, 5, 1)),
        Activity(
            name: "pressing", steps: [.down(0, 0, 0), .frame, .wait(500), .advance], open: ["long-press"]),
        Activity(
            name: "dragging", steps: [.down(0, 0, 0), .frame, .wait(500), .advance] + glide(90, 0), open: ["drag"]),
        Activity(name: "panning", steps: [.down(0, 0, 0), .frame] + glide(50, 0) + glide(90, 0), open: ["pan"]),
        Activity(
            name: "panning with three",
            steps: [.down(0, 0, 0), .down(1, 60, 0), .down(2, 120, 0), .frame]
                + (1...4).flatMap { step in (0...2).flatMap { glide(60 * Double($0), 30 * Double(step), Int32($0)) } },
            open: ["pan"]),
        Activity(
            name: "scrolling",
            steps: [.down(0, 0, 0), .down(1, 60, 0), .frame]
                + (1...4).flatMap { step in (0...1).flatMap { glide(60 * Double($0), 30 * Double(step), Int32($0)) } },
            open: ["scroll"]),
        Activity(
            name: "pinching", steps: [.down(0, 100, 0), .down(1, 200, 0), .frame] + glide(20, 0) + glide(290, 0, 1),
            open: ["pinch"]),
        Activity(
            name: "rotating",
            steps: [.down(0, 200, 200), .down(1, 400, 200), .frame]
                // Steps of 5-12-13, 22.6 degrees each, about the finger that stays.
                + glide(384.6, 276.9, 1) + glide(340.8, 342.0, 1) + glide(275.4, 385.2, 1), open: ["rotation"]),
        Activity(
            name: "pinching and rotating",
            steps: [.down(0, 240, 200), .down(1, 160, 200), .frame]
                + (1...5).flatMap { step -> [Step] in
                    let share = Double(step) / 5
                    return glide(240 - 40 * share, 200 + 120 * share) + glide(160 + 40 * share, 200 - 120 * share, 1)
                }, open: ["pinch", "rotation"]),
    ]

    private func check(_ rig: Rig, _ activity: Activity, terminal: String) {
        for name in activity.open {
            let ends = rig.actions.filter { $0 == "\(name) ended" || $0 == "\(name) cancelled" }
            #expect(ends == ["\(name) \(terminal)"])
        }
        #expect(rig.taps.isEmpty)
        let begun = rig.gestures.count { if case .contactBegan = $0 { true } else { false } }
        let over = rig.gestures.count {
            switch $0 {
            case .contactEnded, .contactCancelled: true
            default: false
            }
        }
        #expect(begun == over)
    }

    @Test(arguments: activities) func aCancelEndsItOnceAndNothingFollows(activity: Activity) {
        var rig = Rig()
        rig.run(activity.steps)
        let open = Set(rig.actions.filter { $0.hasSuffix("began") }.map { String($0.dropLast(6)) })
        #expect(open.isSuperset(of: activity.open), "the steps do not make what they are to")
        rig.run(.cancel)
        check(rig, activity, terminal: "cancelled")
        let story = rig.gestureStory
        rig.run(.wait(900), .advance, .motion(0, 400, 0), .up(0), .up(1), .frame, .cancel, .wait(900), .advance)
        #expect(rig.gestureStory == story)
        #expect(rig.recognizer.nextDeadline == nil)
        // The same ids come down again as if nothing had been.
        rig.run(.down(0, 5, 5), .frame, .wait(50), .up(0), .frame)
        #expect(rig.taps.map(\.fingers) == [1])
    }

    @Test(arguments: activities) func aLostDeviceIsACancel(activity: Activity) {
        var rig = Rig()
        rig.run(activity.steps + [.end, .wait(900), .advance])
        check(rig, activity, terminal: "cancelled")
    }

    @Test(arguments: activities) func aSecondDownOfOneFingerCancelsWhatItsHandDid(activity: Activity) {
        var rig = Rig()
        rig.run(activity.steps + [.down(1, 5_000, 5_000)])
        guard activity.steps.contains(where: { if case .down(1, _, _, _) = $0 { true } else { false } }) else { return }
        for name in activity.open { #expect(rig.actions.count { $0 == "\(name) cancelled" } == 1) }
        rig.run(.frame, .cancel)
        check(rig, activity, terminal: "cancelled")
    }

    @Test(arguments: activities) func liftedInsteadItEndsOnce(activity: Activity) {
        guard !activity.open.isEmpty else { return }
        var rig = Rig()
        rig.run(activity.steps + [.up(0), .up(1), .up(2), .frame, .wait(900), .advance])
        check(rig, activity, terminal: "ended")
    }
}
